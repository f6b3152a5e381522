import SceneStoreEngine

/// The profile of apps from before scenes: ten sequences, and their gates (L-66).
extension SceneApplication {
    func launchApplication(_ payloads: [Payload]) {
        let ordered = ConnectionOptions(payloads: payloads).payloads
        let launchOptions = LaunchOptions(payloads: ordered)
        tell(.willFinishLaunching)
        let will = delegate.application(self, willFinishLaunchingWithOptions: launchOptions)
        tell(.didFinishLaunching)
        let did = delegate.application(self, didFinishLaunchingWithOptions: launchOptions)
        for payload in ordered {
            // A notification is never gated.
            if case .notification = payload {
                deliverInApplication(.incoming(payload))
            } else if will, did {
                deliverInApplication(.incoming(payload))
            } else {
                decide(
                    .delivery, "gated",
                    "willFinishLaunching or didFinishLaunching answered false")
            }
        }
        isApplicationActive = true
        tell(.applicationDidBecomeActive)
        delegate.applicationDidBecomeActive(self)
    }

    func receiveInApplication(_ call: LifecycleMachine.PayloadCall) {
        let arrives = !isApplicationActive
        if arrives {
            tell(.applicationWillEnterForeground)
            delegate.applicationWillEnterForeground(self)
        }
        deliverInApplication(call)
        if arrives {
            isApplicationActive = true
            tell(.applicationDidBecomeActive)
            delegate.applicationDidBecomeActive(self)
        }
    }

    private func deliverInApplication(_ call: LifecycleMachine.PayloadCall) {
        switch call {
        case .failing(let type):
            tell(.willContinue(nil))
            delegate.application(self, willContinueUserActivityWithType: type)
            tell(.failContinue(nil))
            delegate.application(
                self, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .incoming(let payload), .requested(let payload):
            switch payload {
            case .urls(let contexts):
                for context in contexts {
                    tell(.deliver(nil, .urls([context])))
                    delegate.application(self, open: context)
                }
            case .activity(let activity):
                tell(.willContinue(nil))
                delegate.application(
                    self, willContinueUserActivityWithType: activity.activityType)
                tell(.deliver(nil, payload))
                delegate.application(self, continue: activity)
            case .shortcut(let item):
                tell(.deliver(nil, payload))
                delegate.application(self, performActionFor: item) { _ in }
            case .notification(let response):
                tell(.deliver(nil, payload))
                delegate.application(self, didReceive: response)
            }
        }
    }

    /// A pre-scene app leaves the front; it is told nothing.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or when it is not in
    /// front.
    public func moveApplicationToBackground() throws(SceneStoreError) {
        try requireRunning()
        guard options.lifecycle == .application, isApplicationActive else {
            throw SceneStoreError(.invalidState, "the app is not in front")
        }
        isApplicationActive = false
        letStoreGo()
    }

    /// A pre-scene app comes back to the front.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or when it is in front.
    public func moveApplicationToForeground() throws(SceneStoreError) {
        try requireRunning()
        guard options.lifecycle == .application, !isApplicationActive else {
            throw SceneStoreError(.invalidState, "the app is in front already")
        }
        try event { [self] () throws(SceneStoreError) in
            tell(.applicationWillEnterForeground)
            delegate.applicationWillEnterForeground(self)
            isApplicationActive = true
            tell(.applicationDidBecomeActive)
            delegate.applicationDidBecomeActive(self)
        }
    }
}
