import SceneStoreEngine

/// Makes the callbacks of scenes, step by step; what a step saves or settles, its part does.
package final class DelegateCaller {
    private let core: ApplicationCore
    private let settling: Settling
    private let inbox: InboxDelivery
    private let states: StateWriter
    private let autosaving: Autosaving
    private let restored: RestoredStates
    /// Called when a scene's `connect` and `restore` have returned, for simulations.
    package var connectionHandler: ((Scene) -> Void)?

    init(
        _ core: ApplicationCore, _ settling: Settling, _ inbox: InboxDelivery,
        _ states: StateWriter, _ autosaving: Autosaving, _ restored: RestoredStates
    ) {
        self.core = core
        self.settling = settling
        self.inbox = inbox
        self.states = states
        self.autosaving = autosaving
        self.restored = restored
    }

    /// Makes the callbacks, step by step. A step whose scene is gone is skipped.
    func perform(_ steps: [LifecycleMachine.Step]) {
        for (place, step) in steps.enumerated() where core.processState == .running {
            switch step {
            case .settle(let key): settle(key)
            case .commit: states.commitBackground()
            default:
                guard let key = step.sceneKey, let scene = core.live.scene(key) else {
                    continue
                }
                call(step, on: scene)
                if let connectionHandler,
                    step.endsConnecting(before: steps[(place + 1)...].first)
                {
                    connectionHandler(scene)
                }
            }
        }
    }

    /// The launch owes the scene no further callback.
    private func settle(_ key: Int64) {
        guard let scene = core.live.scene(key) else {
            return
        }
        scene.awaitsCallbacks = false
        states.notePlaceholder(of: scene)
        core.tolerating { () throws(SceneStoreError) in try settling.settleIfDone(scene) }
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
            settling.forget(key)
        case .connect: connect(scene)
        case .restore: restored.restore(scene)
        case .settle, .commit: break
        }
    }

    /// See L-33.
    private func connect(_ scene: Scene) {
        let connection = core.live.takeArriving(scene.key)
        core.tell(.connect(scene.session, connection))
        scene.delegate?.scene(scene, willConnectTo: scene.session, options: connection)
        scene.delegate?._observeState(of: scene)
    }

    // MARK: Payloads

    private func deliver(_ call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let delegate = scene.delegate else {
            return
        }
        func fail(_ type: String) {
            core.tell(.failContinue(scene.session))
            delegate.scene(
                scene, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        }
        inbox.beginDelivery(by: call, to: scene)
        switch call {
        case .failing(let type):
            core.tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
            fail(type)
        case .announced(let type):
            core.tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
        case .arrived(let activity): hand(.activity(activity), to: scene, delegate)
        case .lost(let type): fail(type)
        case .incoming(let payload, let isRedelivered):
            scene.isPayloadRedelivered = isRedelivered
            defer {
                scene.isPayloadRedelivered = false
            }
            if case .activity(let activity, _) = payload {
                core.tell(.willContinue(scene.session))
                delegate.scene(scene, willContinueUserActivityWithType: activity.activityType)
            }
            hand(payload, to: scene, delegate)
        case .requested(let payload): hand(payload, to: scene, delegate)
        }
    }

    private func hand(_ payload: Payload, to scene: Scene, _ delegate: any SceneDelegate) {
        core.tell(
            .deliver(scene.session, payload, isRedelivered: scene.isPayloadRedelivered))
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

extension LifecycleMachine.Step {
    /// Whether a scene has got its session and its state by this step.
    fileprivate func endsConnecting(before next: Self?) -> Bool {
        switch self {
        case .restore: true
        case .connect(let key): next != .restore(key)
        default: false
        }
    }
}

extension SceneStoreError.Code {
    /// An announced activity never came.
    public static let activityUnavailable = Self("activityUnavailable")
}
