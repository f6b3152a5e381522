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
        settling.suspects.remove(scene.key)
        tolerating(identifier) { () throws(SceneStoreError) in
            try store.history.withhold(key: scene.key, failure.reason)
        }
        report(failure.diagnostic(of: identifier))
    }
}
