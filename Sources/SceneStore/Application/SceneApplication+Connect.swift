import SceneStoreEngine

extension SceneApplication {
    /// Gives a session its scene, and answers its key. `items` is what it is handed, by the numbers
    /// in the inbox.
    package func connect(
        _ connection: SceneConnection, _ items: HandedItems = HandedItems()
    ) throws(SceneStoreError) -> Int64 {
        try SceneConnector(application: self).connect(connection, items)
    }

    /// The app has restored a session's state.
    func noteRestored(_ key: Int64) {
        guard let record = live[key]?.record, record.isStateWithheld else {
            return
        }
        tolerating(record.id) { () throws(SceneStoreError) in
            try store.history.release(key: key)
            live.scene(key)?.session.withheldState =
                try store.record(key: key)?.flags.withheldReason
        }
    }

    /// The app could not restore a session's state (L-55): it is kept, and what the window shows
    /// instead is saved beside it.
    func noteFailedRestoration(of scene: Scene, _ failure: FailedRestoration) {
        let identifier = scene.session.persistentIdentifier
        scene.session.restoration = .failed
        scene.session.withheldState = failure.reason
        decide(
            .restoration, session: identifier, RestorationStatus.failed.rawValue, failure.text)
        if isLaunching {
            book.noteFailure(identifier, failure.text)
        }
        scene.awaitPlaceholder(failure.reason)
        restoredSuspects.remove(scene.key)
        tolerating(identifier) { () throws(SceneStoreError) in
            try store.history.withhold(key: scene.key, failure.reason)
        }
        report(failure.diagnostic(of: identifier))
    }

    // MARK: Settling

    /// The launch owes the scene no further callback.
    package func settle(_ key: Int64) {
        guard let scene = live.scene(key) else {
            return
        }
        scene.awaitsCallbacks = false
        states.notePlaceholder(of: scene)
        do throws(SceneStoreError) {
            try settleIfDone(scene)
        } catch {
            report(error)
        }
    }

    /// A callback hands over what came neither with the connection nor before: from now on the payload
    /// is blamed, and the session is not (L-52a).
    func beginDelivery(by call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let items = inbox.takeAwaited(by: scene.key, from: call) else {
            return
        }
        scene.placeholder = nil
        scene.delivery = Scene.Delivery(
            begin: environment.now(), items: (scene.delivery?.items ?? []) + items)
        tolerating { () throws(SceneStoreError) in
            try removeUnsettled(scene.key)
            try inbox.begin(items)
        }
    }

    func settleIfDone(_ scene: Scene) throws(SceneStoreError) {
        guard !scene.awaitsCallbacks, scene.restorationExtensions == 0 else {
            return
        }
        try removeUnsettled(scene.key)
        if unsettled.isEmpty, !isLaunching, stableTimer.map({ !$0.isPending }) ?? true {
            startStablePeriod()
        }
    }

    func removeUnsettled(_ key: Int64) throws(SceneStoreError) {
        guard unsettled.contains(key) else {
            return
        }
        unsettled.removeAll { $0 == key }
        try store.launches.setRestoring(key: unsettled.last)
    }

    /// A scene restores on. Of one that connected with a payload the payload is blamed, until its
    /// delivery ends (L-52a, L-65).
    func noteUnsettled(_ scene: Scene) throws(SceneStoreError) {
        if let delivery = scene.delivery {
            let (lived, _) = environment.now().subtractingReportingOverflow(delivery.begin)
            guard lived >= max(0, options.stablePeriod) else {
                return
            }
            scene.delivery = nil
            settleIfStable()
        }
        guard !unsettled.contains(scene.key) else {
            return
        }
        try store.launches.setRestoring(key: scene.key)
        unsettled.append(scene.key)
    }
}
