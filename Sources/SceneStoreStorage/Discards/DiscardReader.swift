import SceneStoreSQLite
import SceneStoreValues

/// Reads what was discarded: what the app has to be told of, and what can be had back (L-36, S-50).
package struct DiscardReader: StoreReading {
    package let parts: StoreParts

    /// The tombstone of a session.
    package func row(_ key: Int64) throws(SceneStoreError) -> DiscardRow? {
        let row = try row(DiscardRow.self, key)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    private func pendingRows() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.pendingDiscards, number(epoch)) {
            $0.epoch == epoch && $0.delivery < StoreCore.Delivery.delivered.rawValue
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func pending() throws(SceneStoreError) -> [PendingDiscard] {
        var result: [PendingDiscard] = []
        for row in try pendingRows() {
            result.append(
                PendingDiscard(
                    key: row.id, identifier: SceneSession.ID(row.identifier),
                    configuration: try configuration(row.configurationID).value,
                    cause: DiscardCause(rawValue: row.cause) ?? .user,
                    isRedelivered: row.delivery == StoreCore.Delivery.offered.rawValue
                        && row.offeredLaunch != store.launchNumber))
        }
        return result
    }

    /// The rows of the discarded sessions.
    ///
    /// Each has a tombstone, so that an index which leaves one out hides nothing.
    package func closedRows() throws(SceneStoreError) -> [SessionRow] {
        let epoch = store.containerEpoch
        func rows(
            _ query: RowQuery<SessionRow>
        ) throws(SceneStoreError) -> [SessionRow] {
            try self.rows(query, number(epoch)) { $0.epoch == epoch && !$0.isOpen }
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
    package func closed() throws(SceneStoreError) -> (
        kept: [StoreCore.ClosedRow], expired: [(row: StoreCore.ClosedRow, reason: String)]
    ) {
        var all: [StoreCore.ClosedRow] = []
        for row in try closedRows() {
            all.append(
                StoreCore.ClosedRow(
                    session: row, tombstone: try self.row(row.id),
                    closing: try closing(of: row.id)))
        }
        all.sort {
            $0.generation == $1.generation
                ? $0.closing.place < $1.closing.place : $0.generation > $1.generation
        }
        let reasons = try expiries(
            of: all.map { ($0.closing.group, $0.closedAt, $0.session.flags.contains(.pinned)) })
        var kept: [StoreCore.ClosedRow] = []
        var expired: [(row: StoreCore.ClosedRow, reason: String)] = []
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
        let policy = options.recentlyClosed
        let days = max(policy.days, 0)
        let oldest = try launches.agingTime().saturatingMinus(Int64(daysInMilliseconds: days))
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
            } else if place >= max(policy.count, 0) {
                reasons.append("more than \(policy.count) closings came since")
            } else if place > 0, count > max(policy.sessions, 0) {
                reasons.append("more than \(policy.sessions) sessions were closed since")
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
        for row in try closed().kept {
            result.append(
                ClosedSession(
                    record: try record(row.session),
                    cause: row.tombstone.flatMap { DiscardCause(rawValue: $0.cause) } ?? .user,
                    closedAt: row.closedAt, closing: row.closing))
        }
        return result
    }

    /// All tombstones of this epoch, the oldest first.
    package func tombstones() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.discardsOldestFirst, number(epoch)) { $0.epoch == epoch }
    }

    /// The group that a session was closed with; one that was closed alone is a group of its own.
    package func closing(of key: Int64) throws(SceneStoreError) -> ClosedSession.Closing {
        guard let bytes = try value(.closing, of: key), let pair = NumberPair(bytes) else {
            // Groups are numbered by transactions: none has a negative number.
            return ClosedSession.Closing(group: -key, place: 0)
        }
        return ClosedSession.Closing(group: pair.first, place: Int(clamping: pair.second))
    }
}

extension StoreReading where Self: ~Copyable {
    package var discards: DiscardReader { DiscardReader(parts: parts) }
}

extension ClosedSession.Closing {
    /// The place among those that were closed with it; nil for a session that was closed alone.
    package var placeInGroup: Int? { group < 0 ? nil : place }

    /// As it is stored beside the session.
    package var bytes: [UInt8] { NumberPair(group, Int64(place)).bytes }
}

extension StoreCore {
    /// How far the app was told of a discard; the column `discard.delivery`.
    package enum Delivery: Int64, Sendable {
        case pending = 0
        case offered = 1
        case delivered = 2
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
