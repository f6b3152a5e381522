import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Takes sessions away for good: stored first, then their scenes go, then the app is told
/// (L-36, S-40).
///
/// A session whose removal can't be stored keeps its window and its changes. An app that dies
/// before it is told is told by its next launch.
struct SessionRemoval {
    let application: SceneApplication
    private var core: ApplicationCore { application.core }

    /// Discards sessions, durably, takes their scenes away and tells the app.
    func discard(
        _ records: [SessionRecord], _ cause: DiscardCause, freeing freed: [SessionRecord] = []
    ) throws(SceneStoreError) {
        // The app is asked before anything is gone; whether it answers keeps no window open.
        let unsaved = records.compactMap { application.states.lastState(of: $0.key) }
        let sessions = try sessions(of: records, cause)
        do throws(SceneStoreError) {
            try core.store.discards.discard(
                records.map(\.key), cause: cause, saving: unsaved,
                values: records.compactMap { core.live[$0.key]?.unsavedValues },
                context: application.states.saveContext, freeing: freed.map(\.key))
        } catch {
            // The windows are there still, and so are their changes; the journal says nothing else.
            core.store.journal.withdraw(.discard, of: records.map(\.id))
            for state in unsaved {
                application.autosaving.note(state.key)
            }
            throw error
        }
        for record in records {
            disconnectForGood(record.key)
        }
        tell(sessions, records)
        application.makeCallbacks(core.engine.machine.refocus())
        application.autosaving.save(asLeaving: true)
        application.states.writeMarks()
    }

    /// Discards what is parked because the app can't show it.
    func discardParked() throws(SceneStoreError) {
        let rules = core.engine.rules
        let records = try core.store.discards.parkedRecords().filter { record in
            rules.parked(record)?.isHopeless == true && !record.flags.contains(.pinned)
        }
        guard !records.isEmpty else {
            return
        }
        let sessions = try sessions(of: records, .cannotDisplay)
        try core.store.discards.discardParked(records.map(\.key))
        tell(sessions, records)
    }

    private func sessions(
        of records: [SessionRecord], _ cause: DiscardCause
    ) throws(SceneStoreError) -> [SceneSession] {
        try records.map { record throws(SceneStoreError) in
            var session = try core.store.session(for: record)
            session.discardCause = cause
            return session
        }
    }

    private func tell(_ sessions: [SceneSession], _ records: [SessionRecord]) {
        application.deliverDiscards(sessions)
        // Told once more at worst.
        core.attempt(
            try core.store.discards.mark(records.map(\.key), .delivered), of: records.first?.id)
    }

    /// Removes one session and all its stored data; another may take its place.
    func forget(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        let store = core.store
        var known = try core.openRecord(identifier)
        if known == nil {
            known = try store.record(identifier: identifier)
        }
        guard let record = known else {
            throw SceneStoreError(
                .requestDenied, "forget(_:): no session has this identifier; see openSessions")
        }
        let connected = core.live.scene(record.key) == nil ? [] : [record.key]
        let freed = try core.planning { engine, skeleton throws(SceneStoreError) in
            try engine.freed(by: [record], in: skeleton).map(\.key)
        }
        try remove(connected) { () throws(SceneStoreError) in
            try store.forget([record.key], freeing: freed)
        }
    }

    /// Removes all sessions.
    func removeAll(_ write: () throws(SceneStoreError) -> Void) throws(SceneStoreError) {
        // Also where only some of the bytes are left.
        defer {
            application.storage.readAgain()
        }
        try remove(core.engine.machine.all, isAll: true, write)
    }

    private func remove(
        _ keys: [Int64], isAll: Bool = false, _ write: () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        let sessions = keys.compactMap { key -> SceneSession? in
            guard var session = core.live.scene(key)?.session else {
                return nil
            }
            session.discardCause = .reset
            return session
        }
        var pending: SceneStoreError?
        do throws(SceneStoreError) {
            try write()
        } catch  where error.code == .erasurePending || !keys.isEmpty && keys.allSatisfy(isGone) {
            // They may be gone all the same, and only some of their bytes left.
            pending = error
        }
        if isAll {
            application.postponed = []
            application.inbox.take([])
        }
        for key in keys {
            disconnectForGood(key)
        }
        if !sessions.isEmpty {
            application.deliverDiscards(sessions)
        }
        application.makeCallbacks(core.engine.machine.refocus())
        application.states.writeMarks()
        if let pending {
            throw pending
        }
    }

    private func isGone(_ key: Int64) -> Bool {
        (try? core.store.record(key: key) == nil) ?? false
    }

    /// The session is gone: nothing of it is written any more, and its scene goes.
    func disconnectForGood(_ key: Int64) {
        core.live.drop(key)
        application.states.changes.remove(key)
        application.makeCallbacks(core.engine.machine.disconnect(key, forGood: true))
        application.inbox.forget(key)
        core.engine.privateSessions[key] = nil
        core.live.forget(key)
    }
}

extension SceneApplication {
    /// Discards sessions as the engine says.
    func discard(_ identifiers: [SceneSession.ID], cause: DiscardCause) throws(SceneStoreError) {
        try carryOut(
            core.planning { engine, skeleton throws(SceneStoreError) in
                try engine.discard(identifiers, cause: cause, in: skeleton)
            })
    }
}
