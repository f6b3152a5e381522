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
            let settlements = try db.settlements(
                keys, among: db.exceptionalSessions(), version: version)
            guard !settlements.isEmpty else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.settle(settlements)
            }
        }
    }
}

/// What a stable launch means for a session that a process died restoring.
struct Settlement {
    let session: StoreCaches.Session
    var flags: SessionFlags
    var pins: SessionPins
    /// Whether its count of deaths is cleared; else its state is offered again.
    var isCleared = false
    /// The version of the app that it is offered under; nil when that is not new.
    var version: String?
}

extension Database {
    /// What a stable launch in which some sessions were restored changes: of the exceptional ones,
    /// for open sessions, and for closed ones, which may be reopened.
    func settlements(
        _ restored: Set<Int64>, among exceptional: [SessionRow], version: String?
    ) throws(SceneStoreError) -> [Settlement] {
        var result: [Settlement] = []
        for row in exceptional where row.crashCount > 0 {
            let session = try knownSession(row.id)
            var settlement = Settlement(
                session: session, flags: row.flags, pins: try pins(of: session))
            settlement.isCleared = settlement.flags.settle(
                isRestored: restored.contains(row.id), slot: row.stateSlot, version: version,
                offered: try offeredVersion(of: row.id, row.flags), &settlement.pins)
            if !settlement.isCleared, !row.flags.contains(.offering) {
                settlement.version = version ?? ""
            }
            if settlement.isCleared || settlement.flags != row.flags {
                result.append(settlement)
            }
        }
        return result
    }

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
    /// Offers again, or clears, after a stable launch.
    func settle(_ settlements: [Settlement]) throws(SceneStoreError) {
        for settlement in settlements {
            try judge(settlement.session) { row, pins in
                (row.flags, pins) = (settlement.flags, settlement.pins)
                if settlement.isCleared {
                    row.crashCount = 0
                }
            }
            if let version = settlement.version {
                try put(.offeredVersion, Array(version.utf8), of: settlement.session.row.id)
            }
            note(
                .change, settlement.session.row.identifier,
                settlement.isCleared ? "count of crashes cleared" : "offered again")
        }
    }
}
