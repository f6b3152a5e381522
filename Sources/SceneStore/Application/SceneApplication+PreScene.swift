/// The profile of apps from before scenes: ten sequences, and their gates (L-66).
extension SceneApplication {
    func launchApplication(_ payloads: [Payload]) {
        let ordered = ConnectionOptions(payloads: payloads).payloads
        let launchOptions = LaunchOptions(payloads: ordered)
        let will = delegate.application(self, willFinishLaunchingWithOptions: launchOptions)
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
        delegate.applicationDidBecomeActive(self)
    }

    func receiveInApplication(_ call: LifecycleMachine.PayloadCall) {
        let arrives = !isApplicationActive
        if arrives {
            delegate.applicationWillEnterForeground(self)
        }
        deliverInApplication(call)
        if arrives {
            isApplicationActive = true
            delegate.applicationDidBecomeActive(self)
        }
    }

    private func deliverInApplication(_ call: LifecycleMachine.PayloadCall) {
        switch call {
        case .failing(let type):
            delegate.application(self, willContinueUserActivityWithType: type)
            delegate.application(
                self, didFailToContinueUserActivityWithType: type,
                error: SceneStoreError(
                    .activityUnavailable, "the activity's data never arrived"))
        case .incoming(let payload), .requested(let payload):
            switch payload {
            case .urls(let contexts):
                for context in contexts {
                    delegate.application(self, open: context)
                }
            case .activity(let activity):
                delegate.application(
                    self, willContinueUserActivityWithType: activity.activityType)
                delegate.application(self, continue: activity)
            case .shortcut(let item):
                delegate.application(self, performActionFor: item) { _ in }
            case .notification(let response):
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
            delegate.applicationWillEnterForeground(self)
            isApplicationActive = true
            delegate.applicationDidBecomeActive(self)
        }
    }
}
