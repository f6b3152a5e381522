import SceneStoreEngine

/// Makes the callbacks of scenes, step by step; what a step saves or settles, its part does.
struct DelegateCaller {
    /// The application whose scenes these are; it makes this for itself, and for one call.
    let application: SceneApplication

    /// Makes the callbacks, step by step. A step whose scene is gone is skipped.
    func perform(_ steps: [LifecycleMachine.Step]) {
        for (place, step) in steps.enumerated() where application.processState == .running {
            switch step {
            case .settle(let key): application.settling.settle(key)
            case .commit: application.states.commitBackground()
            default:
                guard let key = step.sceneKey, let scene = application.live.scene(key) else {
                    continue
                }
                call(step, on: scene)
                if let connectionHandler = application.connectionHandler,
                    step.endsConnecting(before: steps[(place + 1)...].first)
                {
                    connectionHandler(scene)
                }
            }
        }
    }

    /// Makes the callback that a step is.
    private func call(_ step: LifecycleMachine.Step, on scene: Scene) {
        let delegate = scene.delegate
        switch step {
        case .enterForeground(let key):
            application.states.mark(key) { $0.isFront = true }
            scene.activationState = .foregroundInactive
            application.tell(.enterForeground(scene.session))
            delegate?.sceneWillEnterForeground(scene)
        case .becomeActive(let key):
            application.states.mark(key) {
                $0.isFront = true
                // One that connects behind another scene keeps its place in the order.
                $0.becameActive =
                    !application.isLaunching
                    && application.engine.machine.newRecency(of: key) != nil
            }
            scene.activationState = .foregroundActive
            application.tell(.becomeActive(scene.session))
            delegate?.sceneDidBecomeActive(scene)
        case .resignActive(let key):
            application.tell(.resignActive(scene.session))
            delegate?.sceneWillResignActive(scene)
            scene.activationState = .foregroundInactive
            application.autosaving.noteResigned(key)
        case .enterBackground(let key):
            application.states.mark(key) {
                $0.isFront = false
                $0.becameActive = false
            }
            scene.activationState = .background
            application.tell(.enterBackground(scene.session))
            delegate?.sceneDidEnterBackground(scene)
        case .save: application.states.collectState(of: scene)
        case .deliver(let call, _): deliver(call, to: scene)
        case .disconnect(let key):
            scene.activationState = .unattached
            application.live.disconnect(key)
            application.closing.noteGone(key)
            application.tell(.disconnect(scene.session))
            delegate?.sceneDidDisconnect(scene)
            application.settling.forget(key)
        case .connect: connect(scene)
        case .restore: restore(scene)
        case .settle, .commit: break
        }
    }

    /// See L-33.
    private func connect(_ scene: Scene) {
        let connection = application.live.takeArriving(scene.key)
        application.tell(.connect(scene.session, connection))
        scene.delegate?.scene(scene, willConnectTo: scene.session, options: connection)
        scene.delegate?._observeState(of: scene)
    }

    func restore(_ scene: Scene) {
        guard let activity = scene.session.stateRestorationActivity else {
            return
        }
        do {
            let given = try give(activity, to: scene)
            application.restored.note(scene.key)
            application.restored.note(given, by: scene)
        } catch {
            application.restored.noteFailure(of: scene, FailedRestoration(error))
        }
    }

    /// Has a scene restore a state; throws what the app throws.
    func give(_ activity: UserActivity, to scene: Scene) throws -> GivenState {
        application.tell(.restore(scene.session, activity))
        defer { scene.delegate?._observeState(of: scene) }
        let notes = CallbackNotes()
        // The formats alone, for the options are copied otherwise.
        let state = try application.options.stateMigrations.migrated(activity)
        try notes.during {
            try scene.delegate?.scene(
                scene, restoreInteractionStateWith: state,
                savedUnder: scene.savedUnder ?? application.states.saveContext)
        }
        return GivenState(
            activityType: state.activityType, unreadKeys: notes.unread,
            isMigrated: notes.isMigrated || state.stateVersion != activity.stateVersion)
    }

    // MARK: Payloads

    private func deliver(_ call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let delegate = scene.delegate else {
            return
        }
        func fail(_ type: String) {
            application.tell(.failContinue(scene.session))
            delegate.scene(
                scene, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        }
        application.settling.beginDelivery(by: call, to: scene)
        switch call {
        case .failing(let type):
            application.tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
            fail(type)
        case .announced(let type):
            application.tell(.willContinue(scene.session))
            delegate.scene(scene, willContinueUserActivityWithType: type)
        case .arrived(let activity): hand(.activity(activity), to: scene, delegate)
        case .lost(let type): fail(type)
        case .incoming(let payload, let isRedelivered):
            scene.isPayloadRedelivered = isRedelivered
            defer {
                scene.isPayloadRedelivered = false
            }
            if case .activity(let activity, _) = payload {
                application.tell(.willContinue(scene.session))
                delegate.scene(scene, willContinueUserActivityWithType: activity.activityType)
            }
            hand(payload, to: scene, delegate)
        case .requested(let payload): hand(payload, to: scene, delegate)
        }
    }

    private func hand(_ payload: Payload, to scene: Scene, _ delegate: any SceneDelegate) {
        application.tell(
            .deliver(scene.session, payload, isRedelivered: scene.isPayloadRedelivered))
        scene.delivery?.begin = application.environment.now()
        switch payload {
        case .activity(let activity, _): delegate.scene(scene, continue: activity)
        case .urls(let contexts): delegate.scene(scene, openURLContexts: contexts)
        case .shortcut(let item):
            let session = scene.session.persistentIdentifier
            delegate.windowScene(scene, performActionFor: item) {
                [weak application = application] isPerformed in
                if !isPerformed {
                    application?.decide(
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

extension SceneApplication {
    /// Calls the delegates, step by step. A step whose scene is gone is skipped.
    package func perform(_ steps: [LifecycleMachine.Step]) {
        DelegateCaller(application: self).perform(steps)
    }
}
