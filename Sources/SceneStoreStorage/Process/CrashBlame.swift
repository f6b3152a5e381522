import SceneStoreSQLite
import SceneStoreValues

/// Which session is being restored, so that a death blames it, and what a stable launch means for those
/// that are blamed (L-52).
extension StoredLaunches {
    /// Names the session that is being restored, so that a crash now blames it; nil when all have
    /// settled. Mode normal; nothing is written when nothing changes.
    package func setRestoring(key: Int64?) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            if let key {
                _ = try db.knownSession(key)
            }
            guard try !db.noteRestoring(key) else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                transaction.store.restoringSession = key
            }
        }
    }

    /// A launch that is stable stays so after a power cut: that nothing restores any more is on the disk
    /// on return, with all that was written (L-52). One sync of the log, one of the lock's file.
    package func syncMarks() throws(SceneStoreError) {
        try store.usingOpen { db throws(SceneStoreError) in
            guard db.refused == nil, db.hasLog else {
                return
            }
            db.container.syncNote()
            try db.syncLog()
        }
    }

    /// The launch is stable: who died before and was restored in it is blamed no longer, and the
    /// states of the others are offered once more (L-52).
    package func settle(restored keys: Set<Int64>, version: String?) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let exceptional = try db.exceptionalSessions()
            guard exceptional.contains(where: { $0.crashCount > 0 }) else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.settle(keys, among: exceptional, version: version)
            }
        }
    }
}

/// Reads and writes the note beside the lock.
extension Database {
    /// Writes down beside the lock which session is being restored, if that is not known already:
    /// one write, which outlives the process as a commit without a sync does. False where the
    /// store's row has to name it, in a transaction.
    func noteRestoring(_ key: Int64?) throws(SceneStoreError) -> Bool {
        guard restoringSession != key || fence.isStale else {
            return true
        }
        try checkUsable()
        guard store.restoringSession == nil, !fence.isStale else {
            _ = container.note(restoring: nil)
            return false
        }
        return container.note(restoring: key.map { restoring($0, at: store.generation) })
    }

    /// The session that is being restored in the last launch, or was when its process died (L-52):
    /// the one in the store's row, else the one that is written down beside the lock. What is
    /// torn, or belongs to another launch or another store, names nobody.
    var restoringSession: Int64? { store.restoringSession ?? notedRestoring?.session }

    /// The note beside the lock, if it is of this store's last launch and no commit has outlived it.
    /// Each commit renews the note while a session is restored. So an older note was cleared before
    /// the last commit, even if a power cut took the clearing back.
    var notedRestoring: OwnerLock.Restoring? {
        guard let noted = container.restoring,
            noted.generation >= fence.committed ?? store.generation,
            noted == restoring(noted.session, at: noted.generation)
        else {
            return nil
        }
        return noted
    }

    /// The session that is being restored where only the lock says so: what a copy of the store
    /// would not know.
    package var notedSession: Int64? {
        store.restoringSession == nil && store.launchState != .clean ? restoringSession : nil
    }

    /// What is written down while a session is restored in the last launch.
    func restoring(_ key: Int64, at generation: Int64) -> OwnerLock.Restoring {
        OwnerLock.Restoring(
            session: key, generation: generation, launch: store.launchNumber, uuid: store.uuid,
            epoch: store.containerEpoch)
    }

    /// The version of the app under which a session's state was offered again; nil when it was not.
    func offeredVersion(of key: Int64, _ flags: SessionFlags) throws(SceneStoreError) -> String? {
        guard flags.contains(.offeredAgain), let bytes = try value(.offeredVersion, of: key) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension OwnerLock.Restoring {
    /// A session that is restored in a launch of a store: only that launch of that store has the sum.
    package init(session: Int64, generation: Int64, launch: Int64, uuid: [UInt8], epoch: Int64) {
        let store = ContentHash.hash(uuid, seed: UInt64(bitPattern: epoch))
        self.init(
            session: session, generation: generation,
            sum: NumberPair(session, generation).hash(seed: store ^ UInt64(bitPattern: launch)))
    }
}

/// Writes who is blamed, and that a restoration ended.
extension Transaction {
    /// Raises the count of the session that was being restored when the last process died.
    func blame() throws(SceneStoreError) {
        guard
            let key = store.launchState == .clean
                ? store.restoringSession : db.restoringSession
        else {
            return
        }
        store.restoringSession = nil
        guard let session = try db.session(key), session.row.isOpen else {
            return
        }
        try judge(session) { row, pins in
            row.crashCount = min(max(row.crashCount, 0), 1_000_000) + 1
            row.flags.blame(slot: row.stateSlot, &pins)
        }
        note(.blame, session.row.identifier, "\(session.row.crashCount) in a row")
    }

    /// A session that goes is not being restored any more.
    func endRestoring(_ key: Int64) {
        guard db.restoringSession == key else {
            return
        }
        _ = db.container.note(restoring: nil)
        if store.restoringSession != nil {
            store.restoringSession = nil
        }
    }

    /// Offers again, or clears, after a stable launch in which some sessions were restored: of the
    /// exceptional ones, open sessions, and closed ones, which may be reopened.
    func settle(
        _ restored: Set<Int64>, among exceptional: [SessionRow], version: String?
    ) throws(SceneStoreError) {
        for found in exceptional where found.crashCount > 0 {
            let session = try db.knownSession(found.id)
            var (flags, pins) = (found.flags, try db.pins(of: session))
            let isCleared = flags.settle(
                isRestored: restored.contains(found.id), slot: found.stateSlot, version: version,
                offered: try db.offeredVersion(of: found.id, found.flags), &pins)
            guard isCleared || flags != found.flags else {
                continue
            }
            try judge(session) { row, own in
                (row.flags, own) = (flags, pins)
                if isCleared {
                    row.crashCount = 0
                }
            }
            if !isCleared, !found.flags.contains(.offering) {
                try put(.offeredVersion, Array((version ?? "").utf8), of: found.id)
            }
            note(
                .change, found.identifier, isCleared ? "count of crashes cleared" : "offered again")
        }
    }
}
