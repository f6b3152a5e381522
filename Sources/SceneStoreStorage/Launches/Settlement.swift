import SceneStoreValues

/// What a stable launch means for a session that a process died restoring.
struct Settlement {
    let session: StoreCaches.Session
    var flags: SessionFlags
    var pins: SessionPins
    /// Whether its count of deaths is cleared; else its state is offered again.
    var isCleared = false
}

extension StoreReading where Self: ~Copyable {
    /// What a stable launch in which some sessions were restored changes: for open sessions, and
    /// for closed ones, which may be reopened.
    func settlements(
        _ restored: Set<Int64>, version: String?
    ) throws(SceneStoreError) -> [Settlement] {
        let tag = SessionFlags.versionTag(of: version)
        var result: [Settlement] = []
        for row in try exceptionalSessions() where row.crashCount > 0 {
            let session = try knownSession(row.id)
            var settlement = Settlement(
                session: session, flags: row.flags, pins: try pins(of: session))
            settlement.isCleared = settlement.flags.settle(
                isRestored: restored.contains(row.id), slot: row.stateSlot, version: tag,
                &settlement.pins)
            if settlement.isCleared || settlement.flags != row.flags {
                result.append(settlement)
            }
        }
        return result
    }
}

extension StoreWriter {
    /// Offers again, or clears, after a stable launch.
    func settle(_ settlements: [Settlement]) throws(SceneStoreError) {
        for settlement in settlements {
            try judge(settlement.session) { row, pins in
                (row.flags, pins) = (settlement.flags, settlement.pins)
                if settlement.isCleared {
                    row.crashCount = 0
                }
            }
            note(
                .change, settlement.session.row.identifier,
                settlement.isCleared ? "count of crashes cleared" : "offered again")
        }
    }
}
