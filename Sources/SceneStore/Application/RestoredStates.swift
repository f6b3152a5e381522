import SceneStoreEngine

/// What becomes of the states that scenes are given (L-52, L-54, L-55).
///
/// 1. A state that the app could not restore, or restored in part, stays in the history.
/// 2. A state that is given back later is stored as the current one first, and then handed over.
final class RestoredStates {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// The types of activities of which it is told that their states have unread keys.
    private var toldOfUnreadKeys: Set<String> = []

    init(_ application: SceneApplication) {
        self.application = application
    }

    // MARK: While a scene restores

    /// The app has restored a session's state.
    func note(_ key: Int64) {
        guard let record = application.live[key]?.record, record.isStateWithheld else {
            return
        }
        application.tolerating(record.id) { () throws(SceneStoreError) in
            try application.store.history.release(key: key)
            application.live.scene(key)?.session.withheldState =
                try application.store.record(key: key)?.flags.withheldReason
        }
    }

    /// The app could not restore a session's state (L-55): it is kept, and what the window shows
    /// instead is saved beside it.
    func noteFailure(of scene: Scene, _ failure: FailedRestoration) {
        let identifier = scene.session.persistentIdentifier
        scene.session.restoration = .failed
        scene.session.withheldState = failure.reason
        application.decide(
            .restoration, session: identifier, RestorationStatus.failed.rawValue, failure.text)
        if application.isLaunching {
            application.book.noteFailure(identifier, failure.text)
        }
        scene.awaitPlaceholder(failure.reason)
        application.settling.suspects.remove(scene.key)
        application.tolerating(identifier) { () throws(SceneStoreError) in
            try application.store.history.withhold(key: scene.key, failure.reason)
        }
        application.report(failure.diagnostic(of: identifier))
    }

    /// Pins a state that the app has restored in part, for the next save would lose the rest (L-54),
    /// and reports it once for each type.
    func note(unread keys: [String], in state: UserActivity, of scene: Scene) {
        guard let first = keys.first else {
            return
        }
        let identifier = scene.session.id
        let history = application.store.history
        application.tolerating(identifier) { () throws(SceneStoreError) in
            if let current = try history.versions(key: scene.key).first(where: \.isCurrent),
                !current.isPinned
            {
                try history.pin(key: scene.key, generation: current.generation)
            }
        }
        if toldOfUnreadKeys.insert(state.activityType).inserted {
            application.report(.unreadKeys(first, count: keys.count, in: identifier))
        }
    }

    // MARK: Giving one back

    /// Makes a state of the history the current one.
    func checkOut(
        _ generation: Int64, of session: SceneSession.ID
    ) throws(SceneStoreError) {
        let key = try application.openKey(session)
        try application.store.history.checkout(key: key, generation: generation)
        try handOver(key)
    }

    /// Takes a withheld state back; without a generation the one that was withheld last of those that
    /// the app can read.
    func takeBack(
        _ generation: Int64?, of session: SceneSession.ID
    ) throws(SceneStoreError) {
        let key = try application.openKey(session)
        let chosen = if let generation { generation } else { try readableWithheldState(of: key) }
        guard try application.store.history.takeBack(key: key, generation: chosen) else {
            throw SceneStoreError(
                .noSuchState, "no withheld state of the session has the generation \(chosen)")
        }
        try handOver(key)
    }

    /// Gives a connected scene the state that is stored now.
    private func handOver(_ key: Int64) throws(SceneStoreError) {
        let store = application.store
        guard let scene = application.live.scene(key), let stored = try store.record(key: key)
        else {
            return
        }
        application.live.setUnsaved(nil, key)
        application.live.note(stored)
        scene.session.restoration = .available
        scene.session.withheldState = stored.flags.withheldReason
        scene.savedUnder = try store.saveContext(key: key)
        scene.session.stateRestorationActivity = try store.restorationActivity(key: key)
        DelegateCaller(application: application).restore(scene)
    }

    /// The generation of the state that was withheld last of those that the app can read; else throws
    /// why it can't read the one that was withheld last.
    private func readableWithheldState(of key: Int64) throws(SceneStoreError) -> Int64 {
        let history = application.store.history
        var refusal: SceneStoreError?
        for version in try history.withheldVersions(key: key) {
            do throws(SceneStoreError) {
                guard let state = try history.state(key: key, generation: version.generation)
                else {
                    throw SceneStoreError(
                        .damagedRow, "the state of generation \(version.generation) is damaged")
                }
                try checkReadable(state, in: application.live.scene(key))
                return version.generation
            } catch {
                refusal = refusal ?? error
            }
        }
        throw refusal
            ?? SceneStoreError(.noSuchState, "no state of the session is withheld")
    }

    /// Throws why the app can't read a state, as far as its types tell.
    private func checkReadable(
        _ state: UserActivity, in scene: Scene?
    ) throws(SceneStoreError) {
        let state = try application.options.stateFormats.migrated(state)
        try (application.delegate as? any StateReader)?.checkReadable(state)
        if let delegate = scene?.stateDelegate as? any StatefulSceneDelegate {
            try delegate.checkReadable(state)
        }
    }
}

extension Diagnostic.Code {
    /// A stored state has keys that its type does not read; the state is pinned.
    public static let unreadKeys = Self("unreadKeys")
}

extension Diagnostic {
    fileprivate static func unreadKeys(
        _ path: String, count: Int, in session: SceneSession.ID
    ) -> Diagnostic {
        Diagnostic(
            .unreadKeys, .warning,
            (count == 1
                ? "the type of the state does not read this key; the next save loses its value"
                : "the type of the state does not read this key, nor \(count - 1) more; the next save"
                    + " loses their values")
                + ", and the stored state is pinned in the session's history",
            path: path, fix: "raise the version, and add a migration that renames or drops the key",
            sessionIdentifier: session)
    }
}
