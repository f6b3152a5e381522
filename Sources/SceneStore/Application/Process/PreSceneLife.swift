import SceneStoreEngine

/// The profile of apps from before scenes: ten sequences, and their gates (L-66).
package final class PreSceneLife {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// Whether the app is in front.
    private(set) var isActive = false

    package init(_ application: SceneApplication) {
        self.application = application
    }

    package func launch(_ payloads: [Payload]) {
        let ordered = ConnectionOptions(payloads: payloads).payloads
        let launchOptions = LaunchOptions(payloads: ordered)
        application.tell(.willFinishLaunching)
        let will = application.delegate.application(
            application, willFinishLaunchingWithOptions: launchOptions)
        application.tell(.didFinishLaunching)
        let did = application.delegate.application(
            application, didFinishLaunchingWithOptions: launchOptions)
        for payload in ordered {
            // A notification is never gated.
            if case .notification = payload {
                deliver(.incoming(payload))
            } else if will, did {
                deliver(.incoming(payload))
            } else {
                application.decide(
                    .delivery, "gated",
                    "willFinishLaunching or didFinishLaunching returned false")
            }
        }
        isActive = true
        application.tell(.applicationDidBecomeActive)
        application.delegate.applicationDidBecomeActive(application)
    }

    package func receive(_ call: LifecycleMachine.PayloadCall) {
        let arrives = !isActive
        if arrives {
            application.tell(.applicationWillEnterForeground)
            application.delegate.applicationWillEnterForeground(application)
        }
        deliver(call)
        if arrives {
            isActive = true
            application.tell(.applicationDidBecomeActive)
            application.delegate.applicationDidBecomeActive(application)
        }
    }

    private func deliver(_ call: LifecycleMachine.PayloadCall) {
        switch call {
        case .failing(let type):
            application.tell(.willContinue(nil))
            _ = application.delegate.application(
                application, willContinueUserActivityWithType: type)
            application.tell(.failContinue(nil))
            application.delegate.application(
                application, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .announced(let type):
            application.tell(.willContinue(nil))
            _ = application.delegate.application(
                application, willContinueUserActivityWithType: type)
        case .arrived(let activity):
            application.tell(.deliver(nil, .activity(activity)))
            note(application.delegate.application(application, continue: activity))
        case .lost(let type):
            application.tell(.failContinue(nil))
            application.delegate.application(
                application, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .incoming(let payload, _), .requested(let payload):
            switch payload {
            case .urls(let contexts):
                for context in contexts {
                    application.tell(.deliver(nil, .urls([context])))
                    note(application.delegate.application(application, open: context))
                }
            case .activity(let activity, _):
                application.tell(.willContinue(nil))
                _ = application.delegate.application(
                    application, willContinueUserActivityWithType: activity.activityType)
                application.tell(.deliver(nil, payload))
                note(application.delegate.application(application, continue: activity))
            case .shortcut(let item):
                application.tell(.deliver(nil, payload))
                application.delegate.application(
                    application, performActionFor: item
                ) { [weak self] in self?.note($0) }
            case .notification(let response):
                application.tell(.deliver(nil, payload))
                application.delegate.application(application, didReceive: response) {}
            }
        }
    }

    /// What the app says of a payload is kept as a decision when it is no.
    private func note(_ isHandled: Bool) {
        if !isHandled {
            application.decide(.delivery, "declined", "the app returned that it did not take it")
        }
    }

    func leave() throws(SceneStoreError) {
        guard application.options.lifecycle == .application, isActive else {
            throw SceneStoreError(.invalidState, "the app is not in front")
        }
        isActive = false
    }

    /// Throws when the app is in front, or has scenes.
    func requireBack() throws(SceneStoreError) {
        guard application.options.lifecycle == .application, !isActive else {
            throw SceneStoreError(.invalidState, "the app is in front already")
        }
    }

    /// Brings the app to the front, unless it is there.
    package func comeForward() {
        guard !isActive else {
            return
        }
        application.tell(.applicationWillEnterForeground)
        application.delegate.applicationWillEnterForeground(application)
        isActive = true
        application.tell(.applicationDidBecomeActive)
        application.delegate.applicationDidBecomeActive(application)
    }
}

/// What the host tells an app from before scenes.
extension SceneApplication {
    /// Moves a pre-scene app to the background; no scene gets a callback.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or if the app is not in
    /// front.
    public func moveApplicationToBackground() throws(SceneStoreError) {
        try requireRunning()
        try preScene.leave()
        letStoreGo()
    }

    /// Moves a pre-scene app to the foreground.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or if the app is in
    /// front.
    public func moveApplicationToForeground() throws(SceneStoreError) {
        try requireRunning()
        try preScene.requireBack()
        try event { [self] () throws(SceneStoreError) in preScene.comeForward() }
    }
}
