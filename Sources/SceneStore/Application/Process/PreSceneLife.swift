import SceneStoreEngine

/// The profile of apps from before scenes: ten sequences, and their gates (L-66).
package final class PreSceneLife {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    private let core: ApplicationCore

    package init(_ application: SceneApplication) {
        self.application = application
        core = application.core
    }

    package func launch(_ payloads: [Payload]) {
        let ordered = ConnectionOptions(payloads: payloads).payloads
        let launchOptions = LaunchOptions(payloads: ordered)
        core.tell(.willFinishLaunching)
        let will = application.delegate.application(
            application, willFinishLaunchingWithOptions: launchOptions)
        core.tell(.didFinishLaunching)
        let did = application.delegate.application(
            application, didFinishLaunchingWithOptions: launchOptions)
        for payload in ordered {
            // A notification is never gated.
            if case .notification = payload {
                deliver(.incoming(payload))
            } else if will, did {
                deliver(.incoming(payload))
            } else {
                core.decide(
                    .delivery, "gated",
                    "willFinishLaunching or didFinishLaunching returned false")
            }
        }
        core.isAppActive = true
        core.tell(.applicationDidBecomeActive)
        application.delegate.applicationDidBecomeActive(application)
    }

    package func receive(_ call: LifecycleMachine.PayloadCall) {
        let arrives = !core.isAppActive
        if arrives {
            core.tell(.applicationWillEnterForeground)
            application.delegate.applicationWillEnterForeground(application)
        }
        deliver(call)
        if arrives {
            core.isAppActive = true
            core.tell(.applicationDidBecomeActive)
            application.delegate.applicationDidBecomeActive(application)
        }
    }

    private func deliver(_ call: LifecycleMachine.PayloadCall) {
        switch call {
        case .failing(let type):
            core.tell(.willContinue(nil))
            _ = application.delegate.application(
                application, willContinueUserActivityWithType: type)
            core.tell(.failContinue(nil))
            application.delegate.application(
                application, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .announced(let type):
            core.tell(.willContinue(nil))
            _ = application.delegate.application(
                application, willContinueUserActivityWithType: type)
        case .arrived(let activity):
            core.tell(.deliver(nil, .activity(activity)))
            note(application.delegate.application(application, continue: activity))
        case .lost(let type):
            core.tell(.failContinue(nil))
            application.delegate.application(
                application, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .incoming(let payload, _), .requested(let payload):
            switch payload {
            case .urls(let contexts):
                for context in contexts {
                    core.tell(.deliver(nil, .urls([context])))
                    note(application.delegate.application(application, open: context))
                }
            case .activity(let activity, _):
                core.tell(.willContinue(nil))
                _ = application.delegate.application(
                    application, willContinueUserActivityWithType: activity.activityType)
                core.tell(.deliver(nil, payload))
                note(application.delegate.application(application, continue: activity))
            case .shortcut(let item):
                core.tell(.deliver(nil, payload))
                application.delegate.application(
                    application, performActionFor: item
                ) { [weak self] in self?.note($0) }
            case .notification(let response):
                core.tell(.deliver(nil, payload))
                application.delegate.application(application, didReceive: response) {}
            }
        }
    }

    /// What the app says of a payload is kept as a decision when it is no.
    private func note(_ isHandled: Bool) {
        if !isHandled {
            core.decide(.delivery, "declined", "the app returned that it did not take it")
        }
    }

    func leave() throws(SceneStoreError) {
        guard core.options.lifecycle == .application, core.isAppActive else {
            throw SceneStoreError(.invalidState, "the app is not in front")
        }
        core.isAppActive = false
    }

    /// Throws when the app is in front, or has scenes.
    func requireBack() throws(SceneStoreError) {
        guard core.options.lifecycle == .application, !core.isAppActive else {
            throw SceneStoreError(.invalidState, "the app is in front already")
        }
    }

    /// Brings the app to the front, unless it is there.
    package func comeForward() {
        guard !core.isAppActive else {
            return
        }
        core.tell(.applicationWillEnterForeground)
        application.delegate.applicationWillEnterForeground(application)
        core.isAppActive = true
        core.tell(.applicationDidBecomeActive)
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
        core.letStoreGo()
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
