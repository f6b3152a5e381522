import SceneStoreSQLite
import SceneStoreValues

/// The closed sessions that can be reopened (S-50).
extension StoredDiscards {
    /// The discarded sessions that can be reopened, newest first (S-50).
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        try store.read { db throws(SceneStoreError) in try db.recentlyClosed() }
    }

    /// The session whose window was closed last of those for a value that can be reopened (L-87).
    package func closed(
        presenting value: Value, role: SceneSessionRole
    ) throws(SceneStoreError) -> SceneSession.ID? {
        try store.read { db throws(SceneStoreError) in
            let bytes = try ValueCodec.encode(value, path: "presentedValue")
            let hash = Database.hash(bytes)
            for row in try db.closedSessions().kept where row.session.valueHash == hash {
                if try db.record(row.session).role == role,
                    try db.value(.presentedValue, of: row.session.id) == bytes
                {
                    return SceneSession.ID(row.session.identifier)
                }
            }
            return nil
        }
    }
}

/// Reads what was closed and can be had back, and why the rest can't (S-50).
extension Database {
    /// The rows of the discarded sessions.
    ///
    /// Each has a tombstone, so that an index which leaves one out hides nothing.
    package func closedRows() throws(SceneStoreError) -> [SessionRow] {
        let epoch = store.containerEpoch
        func rows(
            _ query: RowQuery<SessionRow>
        ) throws(SceneStoreError) -> [SessionRow] {
            try self.rows(query, binding(epoch)) { $0.epoch == epoch && !$0.isOpen }
        }
        var found = try rows(Queries.closedSessions)
        let known = Set(found.map(\.id))
        for row in try rows(Queries.buriedSessions) where !known.contains(row.id) {
            noteMisplaced(.session, row.id, "is not in the index of closed sessions")
            found.append(row)
        }
        return found
    }

    /// The discarded sessions that can be had back, newest first, and those that no longer can,
    /// with the reason.
    ///
    /// By generation: what was closed later is never given up before what was closed earlier,
    /// whatever the clock says.
    package func closedSessions() throws(SceneStoreError) -> (
        kept: [Database.ClosedRow], expired: [(row: Database.ClosedRow, reason: String)]
    ) {
        var all: [Database.ClosedRow] = []
        for row in try closedRows() {
            all.append(
                Database.ClosedRow(
                    session: row, tombstone: try self.tombstone(row.id),
                    closing: try closing(of: row.id)))
        }
        all.sort {
            $0.generation == $1.generation
                ? $0.closing.place < $1.closing.place : $0.generation > $1.generation
        }
        let reasons = try expiries(
            of: all.map { ($0.closing.group, $0.closedAt, $0.session.flags.contains(.pinned)) })
        var kept: [Database.ClosedRow] = []
        var expired: [(row: Database.ClosedRow, reason: String)] = []
        for (row, reason) in zip(all, reasons) {
            if let reason {
                expired.append((row, reason))
            } else {
                kept.append(row)
            }
        }
        return (kept, expired)
    }

    /// Why sessions can no longer be had back, newest first; nil for those that can. A group is kept or
    /// goes as one.
    func expiries(
        of sessions: [(group: Int64, time: Int64, isPinned: Bool)]
    ) throws(SceneStoreError) -> [String?] {
        let days = max(options.closedDays, 0)
        let oldest = try agingTime().saturatingMinus(Int64(daysInMilliseconds: days))
        // The newest that has to stay because of its age holds everything after it as well. What was
        // closed last only goes when something is closed after it, unless nothing is to be kept.
        let lastYoung = sessions.lastIndex { $0.time >= oldest } ?? -1
        var groups: [Int64: Int] = [:]
        for session in sessions {
            groups[session.group, default: 0] += 1
        }
        var place = -1
        var count = 0
        var reasons: [String?] = []
        for (index, session) in sessions.enumerated() {
            if let members = groups.removeValue(forKey: session.group) {
                place += 1
                count += members
            }
            if session.isPinned {
                reasons.append(nil)
            } else if place >= max(options.closedCapacity, 0) {
                reasons.append("more than \(options.closedCapacity) closings came since")
            } else if place > 0, count > max(options.closedSessionCapacity, 0) {
                reasons.append(
                    "more than \(options.closedSessionCapacity) sessions were closed since")
            } else if place > 0 || days == 0, index > lastYoung {
                reasons.append("closed more than \(days) days ago")
            } else {
                reasons.append(nil)
            }
        }
        return reasons
    }

    /// The discarded sessions that can be had back, newest first.
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        var result: [ClosedSession] = []
        for row in try closedSessions().kept {
            result.append(
                ClosedSession(
                    record: try record(row.session),
                    cause: row.tombstone.flatMap { DiscardCause(rawValue: $0.cause) } ?? .user,
                    closedAt: row.closedAt, closing: row.closing))
        }
        return result
    }

    /// The group that a session was closed with; one that was closed alone is a group of its own.
    package func closing(of key: Int64) throws(SceneStoreError) -> ClosedSession.Closing {
        guard let bytes = try value(.closing, of: key), let pair = NumberPair(bytes) else {
            // Groups are numbered by transactions: none has a negative number.
            return ClosedSession.Closing(group: -key, place: 0)
        }
        return ClosedSession.Closing(group: pair.first, place: Int(clamping: pair.second))
    }

    /// A discarded session whose row is still there.
    package struct ClosedRow {
        package var session: SessionRow
        package var tombstone: DiscardRow?
        package var closing: ClosedSession.Closing
        package var generation: Int64 { tombstone?.generation ?? session.generation }
        package var closedAt: Int64 { tombstone?.discardedAt ?? session.lastActiveAt }
    }
}

extension ClosedSession.Closing {
    /// The place among those that were closed with it; nil for a session that was closed alone.
    package var placeInGroup: Int? { group < 0 ? nil : place }

    /// As it is stored beside the session.
    package var bytes: [UInt8] { NumberPair(group, Int64(place)).bytes }
}
