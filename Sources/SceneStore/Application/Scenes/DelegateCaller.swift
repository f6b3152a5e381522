import SceneStoreEngine

/// Makes the callbacks of scenes, step by step; what a step saves or settles, its part does.
extension SceneApplication {
    /// Makes the callbacks, step by step. A step whose scene is gone is skipped.
    func makeCallbacks(_ steps: [LifecycleMachine.Step]) {
        for (place, step) in steps.enumerated() where core.processState == .running {
            guard let key = step.sceneKey else {
                states.commitBackground()
                continue
            }
            if let scene = core.live.scene(key) {
                call(step, on: scene)
                stepHandler?(scene, step, steps[(place + 1)...].first)
            }
        }
    }

    /// The launch owes the scene no further callback.
    private func settle(_ scene: Scene) {
        scene.awaitsCallbacks = false
        states.notePlaceholder(of: scene)
        core.attempt(try settling.settleIfDone(scene))
    }

    /// Makes the callback that a step is.
    private func call(_ step: LifecycleMachine.Step, on scene: Scene) {
        let delegate = scene.delegate
        switch step {
        case .enterForeground(let key):
            states.mark(key) { $0.isFront = true }
            scene.activationState = .foregroundInactive
            core.tell(.enterForeground(scene.session))
            delegate?.sceneWillEnterForeground(scene)
        case .becomeActive(let key):
            states.mark(key) {
                $0.isFront = true
                // One that connects behind another scene keeps its place in the order.
                $0.becameActive =
                    !core.isLaunching
                    && core.engine.machine.newRecency(of: key) != nil
            }
            scene.activationState = .foregroundActive
            core.tell(.becomeActive(scene.session))
            delegate?.sceneDidBecomeActive(scene)
        case .resignActive(let key):
            core.tell(.resignActive(scene.session))
            delegate?.sceneWillResignActive(scene)
            scene.activationState = .foregroundInactive
            autosaving.noteResigned(key)
        case .enterBackground(let key):
            states.mark(key) {
                $0.isFront = false
                $0.becameActive = false
            }
            scene.activationState = .background
            core.tell(.enterBackground(scene.session))
            delegate?.sceneDidEnterBackground(scene)
        case .save: states.collectState(of: scene)
        case .deliver(let call, _): deliver(call, to: scene)
        case .disconnect(let key):
            scene.activationState = .unattached
            core.live.disconnect(key)
            core.votes.noteGone(key)
            core.tell(.disconnect(scene.session))
            delegate?.sceneDidDisconnect(scene)
            // Nothing of it restores.
            core.attempt(try settling.remove(key))
        case .connect: connect(scene)
        case .restore: restoreState(of: scene)
        case .settle: settle(scene)
        case .commit: break
        }
    }

    /// See L-33.
    private func connect(_ scene: Scene) {
        let connection = scene.arriving ?? ConnectionOptions()
        scene.arriving = nil
        core.tell(.connect(scene.session, connection))
        scene.delegate?.scene(scene, willConnectTo: scene.session, options: connection)
        scene.delegate?._observeState(of: scene)
    }

    // MARK: Payloads

    private func deliver(_ call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let delegate = scene.delegate else {
            return
        }
        inbox.beginDelivery(by: call, to: scene)
        if case .incoming(_, let isRedelivered) = call {
            scene.isPayloadRedelivered = isRedelivered
        }
        defer { scene.isPayloadRedelivered = false }
        if let type = call.announcedType {
            core.tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
        }
        if let payload = call.payload {
            hand(payload, to: scene, delegate)
        }
        if let type = call.failedType {
            core.tell(.failContinue(scene.session))
            delegate.scene(
                scene, didFailToContinueUserActivityWithType: type, error: .activityUnavailable)
        }
    }

    private func hand(_ payload: Payload, to scene: Scene, _ delegate: any SceneDelegate) {
        core.tell(.deliver(scene.session, payload, isRedelivered: scene.isPayloadRedelivered))
        scene.delivery?.begin = core.environment.now()
        switch payload {
        case .activity(let activity, _): delegate.scene(scene, continue: activity)
        case .urls(let contexts): delegate.scene(scene, openURLContexts: contexts)
        case .shortcut(let item):
            let session = scene.session.persistentIdentifier
            delegate.windowScene(scene, performActionFor: item) {
                [weak core] isPerformed in
                if !isPerformed {
                    core?.decide(
                        .delivery, session: session, "declined",
                        "the scene answered that it did not perform the action")
                }
            }
        case .notification(let response): delegate.scene(scene, didReceive: response)
        }
    }
}

extension SceneStoreError.Code {
    /// An announced activity never came.
    public static let activityUnavailable = Self("activityUnavailable")
}

extension SceneStoreError {
    static let activityUnavailable = SceneStoreError(
        .activityUnavailable, "the activity's data never arrived")
}
