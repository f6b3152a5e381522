import SceneStoreEngine

/// What becomes of the states that scenes are given (L-52, L-54, L-55).
///
/// 1. A state that the app could not restore, or restored in part, stays in the history.
/// 2. A state that is given back later is restored first. Only if the app can read it, it is stored as
///    the current one.
extension SceneApplication {
    // MARK: While a scene restores

    /// Gives a scene the state that it comes back with.
    func restoreState(of scene: Scene) {
        guard let activity = scene.session.stateRestorationActivity else {
            return
        }
        do {
            let given = try give(activity, to: scene)
            note(scene.key)
            note(given, by: scene)
        } catch {
            noteFailure(of: scene, FailedRestoration(error))
        }
    }

    /// Has a scene restore a state; throws what the app throws.
    private func give(_ activity: UserActivity, to scene: Scene) throws -> GivenState {
        core.tell(.restore(scene.session, activity))
        defer { scene.delegate?._observeState(of: scene) }
        let notes = CallbackNotes()
        // The formats alone, for the options are copied otherwise.
        let state = try core.options.stateMigrations.migrated(activity)
        try notes.during {
            try scene.delegate?.scene(
                scene, restoreInteractionStateWith: state,
                savedUnder: scene.savedUnder ?? states.saveContext)
        }
        return (
            state.activityType, notes.found.unreadKeys,
            notes.found.isMigrated || state.stateVersion != activity.stateVersion
        )
    }

    /// The app has restored a session's state.
    private func note(_ key: Int64) {
        guard let record = core.live[key]?.record, record.isStateWithheld else {
            return
        }
        core.tolerating(record.id) { () throws(SceneStoreError) in
            try core.store.history.withhold(key: key, nil)
            core.live.scene(key)?.session.withheldState =
                try core.store.record(key: key)?.flags.withheldReason
        }
    }

    /// The app could not restore a session's state (L-55): it is kept, and what the window shows
    /// instead is saved beside it.
    private func noteFailure(of scene: Scene, _ failure: FailedRestoration) {
        let identifier = scene.session.persistentIdentifier
        scene.session.restoration = .failed
        scene.session.withheldState = failure.reason
        core.decide(
            .restoration, session: identifier, RestorationStatus.failed.rawValue, failure.text)
        if core.isLaunching {
            core.book.noteFailure(identifier, failure.text)
        }
        scene.awaitPlaceholder(failure.reason)
        settling.suspects.remove(scene.key)
        core.attempt(
            try core.store.history.withhold(key: scene.key, failure.reason), of: identifier)
        core.report(failure.diagnostic(of: identifier))
    }

    /// Pins a state that the app has restored in part, for the next save would lose the rest, and one
    /// that was migrated, for the app may be rolled back after the next save (L-54). Unread keys are
    /// reported once for each type.
    private func note(_ given: GivenState, by scene: Scene) {
        let keys = given.unreadKeys
        guard given.isMigrated || !keys.isEmpty else {
            return
        }
        let identifier = scene.session.id
        let history = core.store.history
        core.tolerating(identifier) { () throws(SceneStoreError) in
            if let current = try history.versions(key: scene.key).first(where: \.isCurrent),
                !current.isPinned
            {
                do throws(SceneStoreError) {
                    try history.pin(
                        key: scene.key, generation: current.generation, durability: .normal)
                } catch  where error.code == .limitExceeded && keys.isEmpty {
                    // Sixteen states are pinned, and the history has this one for a while.
                }
            }
        }
        guard let first = keys.first else {
            return
        }
        if toldOfUnreadKeys.insert(given.activityType).inserted {
            core.report(.unreadKeys(first, count: keys.count, in: identifier))
        }
    }

    // MARK: Giving one back

    /// Makes a state of the history the current one; what the scene shows is saved first.
    func checkOut(_ generation: Int64, of session: SceneSession.ID) throws(SceneStoreError) {
        let key = try core.openKey(session)
        let history = core.store.history
        guard
            let version = try history.versions(key: key).first(where: {
                $0.generation == generation
            })
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        try giveBack(version, of: key, isSaved: { _ in true }) { state throws(SceneStoreError) in
            do throws(SceneStoreError) {
                try history.checkout(key: key, generation: generation)
            } catch  where error.code == .noSuchState {
                // What the scene showed was saved first, and took the place of the oldest state.
                _ = try core.store.save(
                    [StateToSave(key: key, activity: state)], marks: [],
                    context: version.context, durability: .full)
            }
        }
    }

    /// Takes a withheld state back; without a generation the one that was withheld last of those that
    /// the app can read. A change that the scene shows is saved first.
    func takeBack(_ generation: Int64?, of session: SceneSession.ID) throws(SceneStoreError) {
        let key = try core.openKey(session)
        let version = try withheldState(generation, of: key)
        try giveBack(version, of: key, isSaved: states.hasUnsavedChange) {
            _ throws(SceneStoreError) in
            _ = try core.store.history.takeBack(key: key, generation: version.generation)
        }
    }

    /// Gives back the newest state of the history that the app can read; nothing changes if the scene
    /// shows it already. Throws why the app can't read the newest one, if it can read none.
    func giveNewestReadable(of session: SceneSession.ID) throws(SceneStoreError) {
        let key = try core.openKey(session)
        let version = try newestReadable(
            core.store.history.versions(key: key), of: key, "the session has no state")
        if version.isWithheld {
            try takeBack(version.generation, of: session)
        } else if !version.isCurrent {
            try checkOut(version.generation, of: session)
        }
    }

    /// The newest of some states that the app can read; throws why it can't read the first of them, if
    /// it can read none.
    private func newestReadable(
        _ versions: [StateVersion], of key: Int64, _ isNone: String
    ) throws(SceneStoreError) -> StateVersion {
        var refusal: SceneStoreError?
        for version in versions {
            do throws(SceneStoreError) {
                _ = try readableState(version, of: key)
                return version
            } catch  where ![.ioError, .busy, .closed, .owned].contains(error.code) {
                // A store that can't be read says nothing of the states in it.
                refusal = refusal ?? error
            }
        }
        throw refusal ?? SceneStoreError(.noSuchState, isNone)
    }

    /// Makes an earlier state a session's current one, which `write` stores.
    ///
    /// A connected scene restores it first. If the app can't, this throws why, and nothing is stored
    /// but what the scene shows, if `isSaved` says that it is to be.
    private func giveBack(
        _ version: StateVersion, of key: Int64, isSaved: (Scene) -> Bool,
        _ write: (UserActivity) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let state = try readableState(version, of: key)
        guard let scene = core.live.scene(key) else {
            return try write(state)
        }
        if isSaved(scene) {
            states.collectState(of: scene)
            states.commitStates()
            try states.throwSaveFailure()
        }
        let shown = (scene.session.stateRestorationActivity, scene.savedUnder)
        (scene.session.stateRestorationActivity, scene.savedUnder) = (state, version.context)
        let given: GivenState
        do {
            given = try give(state, to: scene)
        } catch {
            (scene.session.stateRestorationActivity, scene.savedUnder) = shown
            throw FailedRestoration(error).thrown
        }
        do throws(SceneStoreError) {
            try write(state)
        } catch {
            // The window shows it already: it is a change as any other.
            (scene.session.stateRestorationActivity, scene.savedUnder) = shown
            scene.setNeedsSave()
            throw error
        }
        core.live.dropUnsaved(key)
        scene.placeholder = nil
        scene.session.restoration = .available
        if let stored = try core.store.record(key: key) {
            core.live.note(stored)
            scene.session.withheldState = stored.flags.withheldReason
        }
        note(given, by: scene)
        // The title and the place of what was shown meanwhile may be stored (L-52).
        if (scene.delegate as? any WindowOfHost)?.hasNewAppearance(scene) == true {
            scene.setNeedsSave()
        }
    }

    /// The withheld state of a generation; without one, the state that was withheld last of those that
    /// the app can read, else throws why it can't read the one that was withheld last.
    private func withheldState(
        _ generation: Int64?, of key: Int64
    ) throws(SceneStoreError) -> StateVersion {
        let versions = try core.store.history.withheldVersions(key: key)
        if let generation {
            guard let version = versions.first(where: { $0.generation == generation }) else {
                throw SceneStoreError(
                    .noSuchState,
                    "no withheld state of the session has the generation \(generation)")
            }
            return version
        }
        return try newestReadable(versions, of: key, "no state of the session is withheld")
    }

    /// A state of a session's history; throws why the app can't read it, as far as its types tell.
    private func readableState(
        _ version: StateVersion, of key: Int64
    ) throws(SceneStoreError) -> UserActivity {
        guard
            let state = try core.store.history.state(key: key, generation: version.generation)
        else {
            throw SceneStoreError(
                .damagedRow, "the state of generation \(version.generation) is damaged")
        }
        let migrated = try core.options.stateMigrations.migrated(state)
        try (delegate as? any StateReader)?.checkReadable(migrated)
        if let delegate = core.live.scene(key)?.stateDelegate as? any StatefulSceneDelegate {
            try delegate.checkReadable(migrated)
        }
        return state
    }
}

/// A state that an app has restored.
///
/// The next save would lose the stored keys that its type does not read (L-54), and the older version
/// that it was migrated from.
private typealias GivenState = (activityType: String, unreadKeys: [String], isMigrated: Bool)

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
