import SceneStoreSQLite
import SceneStoreValues

/// What a stable launch means for those that a process died restoring (L-52).
extension StoredLaunches {
    /// The launch is stable: who died before and was restored in it is blamed no longer, and the
    /// states of the others are offered once more (L-52).
    package func settle(
        restored keys: Set<Int64>, version: String?
    ) throws(SceneStoreError) {
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

extension Database {
    /// The version of the app under which a session's state was offered again; nil when it was not.
    func offeredVersion(
        of key: Int64, _ flags: SessionFlags
    ) throws(SceneStoreError) -> String? {
        guard flags.contains(.offeredAgain), let bytes = try value(.offeredVersion, of: key) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Transaction {
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
