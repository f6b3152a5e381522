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
        becomeActive()
    }

    private func becomeActive() {
        core.isAppActive = true
        core.tell(.applicationDidBecomeActive)
        application.delegate.applicationDidBecomeActive(application)
    }

    /// Brings the app to the front, unless it is there; what arrives is handed over before it is active.
    package func comeForward(with call: LifecycleMachine.PayloadCall? = nil) {
        let arrives = !core.isAppActive
        if arrives {
            core.tell(.applicationWillEnterForeground)
            application.delegate.applicationWillEnterForeground(application)
        }
        if let call {
            deliver(call)
        }
        if arrives {
            becomeActive()
        }
    }

    private func deliver(_ call: LifecycleMachine.PayloadCall) {
        if let type = call.announcedType {
            core.tell(.willContinue(nil))
            _ = application.delegate.application(
                application, willContinueUserActivityWithType: type)
        }
        if let payload = call.payload {
            hand(payload)
        }
        if let type = call.failedType {
            core.tell(.failContinue(nil))
            application.delegate.application(
                application, didFailToContinueUserActivityWithType: type,
                error: .activityUnavailable)
        }
    }

    private func hand(_ payload: Payload) {
        switch payload {
        case .urls(let contexts):
            for context in contexts {
                core.tell(.deliver(nil, .urls([context])))
                note(application.delegate.application(application, open: context))
            }
        case .activity(let activity, _):
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

    /// What the app says of a payload is kept as a decision when it is no.
    private func note(_ isHandled: Bool) {
        if !isHandled {
            core.decide(.delivery, "declined", "the app returned that it did not take it")
        }
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
        guard options.lifecycle == .application, core.isAppActive else {
            throw SceneStoreError(.invalidState, "the app is not in front")
        }
        core.isAppActive = false
        core.letStoreGo()
    }

    /// Moves a pre-scene app to the foreground.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or if the app is in
    /// front.
    public func moveApplicationToForeground() throws(SceneStoreError) {
        try requireRunning()
        guard options.lifecycle == .application, !core.isAppActive else {
            throw SceneStoreError(.invalidState, "the app is in front already")
        }
        try event { [self] () throws(SceneStoreError) in preScene.comeForward() }
    }
}
