import SceneStoreEngine

/// The profile of apps from before scenes: ten sequences, and their gates (L-66).
extension SceneApplication {
    func launchBeforeScenes(_ payloads: [Payload]) {
        let ordered = ConnectionOptions(payloads: payloads).payloads
        let launchOptions = LaunchOptions(payloads: ordered)
        core.tell(.willFinishLaunching)
        let will = delegate.application(self, willFinishLaunchingWithOptions: launchOptions)
        core.tell(.didFinishLaunching)
        let did = delegate.application(
            self, didFinishLaunchingWithOptions: launchOptions)
        // The options have room for one quick action and one notification (L-65).
        let more = payloads.filter { payload in
            switch payload {
            case .urls, .activity: false
            case .shortcut, .notification: !ordered.contains(payload)
            }
        }
        for payload in ordered + more {
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
        delegate.applicationDidBecomeActive(self)
    }

    /// Brings the app to the front, unless it is there; what arrives is handed over before it is active.
    package func bringAppForward(with call: LifecycleMachine.PayloadCall? = nil) {
        let arrives = !core.isAppActive
        if arrives {
            core.tell(.applicationWillEnterForeground)
            delegate.applicationWillEnterForeground(self)
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
            _ = delegate.application(self, willContinueUserActivityWithType: type)
        }
        if let payload = call.payload {
            hand(payload)
        }
        if let type = call.failedType {
            core.tell(.failContinue(nil))
            delegate.application(
                self, didFailToContinueUserActivityWithType: type,
                error: .activityUnavailable)
        }
    }

    private func hand(_ payload: Payload) {
        switch payload {
        case .urls(let contexts):
            for context in contexts {
                core.tell(.deliver(nil, .urls([context])))
                note(delegate.application(self, open: context))
            }
        case .activity(let activity, _):
            core.tell(.deliver(nil, payload))
            note(delegate.application(self, continue: activity))
        case .shortcut(let item):
            core.tell(.deliver(nil, payload))
            delegate.application(self, performActionFor: item) { [weak self] in self?.note($0) }
        case .notification(let response):
            core.tell(.deliver(nil, payload))
            delegate.application(self, didReceive: response) {}
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
        try event { [self] () throws(SceneStoreError) in bringAppForward() }
    }
}
