import SceneStoreSQLite
import SceneStoreValues

/// Emptying the container (L-43).
extension Database {
    /// One transaction that costs the same for any number of sessions: rows of an earlier epoch
    /// are never read, and go in idle time.
    package func reset(erasing: Bool = false) throws(SceneStoreError) {
        let waiting = journal.decisions
        do throws(SceneStoreError) {
            try write(.full) { transaction throws(SceneStoreError) in
                transaction.store.erasurePending = store.erasurePending || erasing
                transaction.store.containerEpoch += 1
                transaction.store.openCount = 0
                transaction.store.openDigest = 0
                transaction.store.rowDigest = 0
                transaction.store.eventCount = 0
                transaction.store.launchState = .never
                transaction.store.restoringSession = nil
                // Nothing that is cached belongs to the new epoch.
                caches = StoreCaches()
                journal.decisions.removeAll()
                transaction.note(.reset)
            }
        } catch {
            journal.decisions = waiting
            throw error
        }
        damage.rows.removeAll()
        damage.setAside.removeAll()
        upkeep.hasOldRows = true
        damage.verification = VerificationState()
        damage.isShrunk = false
    }

    /// Removes rows of containers that were reset, a batch at a time; false when none is left.
    package func removeOldRows(limit: Int) throws(SceneStoreError) -> Bool {
        let epoch = store.containerEpoch
        let sessions = try numbers(Queries.oldSessions, binding(epoch, Int64(limit)))
        return try write(.normal) { transaction throws(SceneStoreError) in
            for key in sessions {
                for sql in [Queries.deleteStatesOfSession, Queries.deleteValuesOfSession] {
                    try transaction.change(sql, Database.range(of: key))
                }
                // Its scene storage goes with it.
                try transaction.run(SessionRow.description.delete, binding(key))
            }
            var removed = Int64(sessions.count)
            for sql in Queries.deleteOldRows {
                removed += try transaction.change(sql, binding(epoch, Int64(limit)))
            }
            guard sessions.count < limit else {
                return true
            }
            for sql in [Queries.deleteOldConfigurations, Queries.deleteOldConditions] {
                removed += try transaction.change(sql, binding(epoch))
            }
            return removed > 0
        }
    }
}

extension SceneSessionStore {
    /// Empties the container in one step that a crash cannot halve, and whose cost does not depend
    /// on what it holds. The next launch is a first one. Durable.
    package func reset() throws(SceneStoreError) {
        try usingFile { db throws(SceneStoreError) in try db.reset() }
    }
}
