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

    // MARK: - Giving closed and parked sessions back (S-50, L-48)

    /// What came back, whose places it took, and the keys of what was closed, not parked.
    package typealias Reopened = (
        back: [SessionRecord], displaced: [SessionRecord], closed: Set<Int64>
    )

    /// Gives discarded and parked sessions back, in one durable transaction; all of them or none.
    ///
    /// - Parameters:
    ///   - inFront: Whether the next launch finds them in front: no scene is connected that says so,
    ///     or none yet.
    ///   - takesOpen: Whether what is open may be among them, because the next launch would park it,
    ///     or because what had displaced it has gone since it was asked for.
    ///   - displaced: Chooses the sessions whose places they take, now or at the next launch.
    package func reopen(
        identifiers: [SceneSession.ID], inFront: Bool = false, takesOpen: Bool = false,
        displacing displaced: (
            @Sendable ([SessionRecord], Database) throws(SceneStoreError) -> [SessionRecord]
        )? = nil
    ) throws(SceneStoreError) -> Reopened {
        try store.using { db throws(SceneStoreError) in
            var closed: [Database.ClosedRow] = []
            var parked: [StoreCaches.Session] = []
            var returning: [SessionRecord] = []
            let known = Dictionary(
                try db.closedSessions().kept.map { ($0.session.identifierText, $0) },
                uniquingKeysWith: { first, _ in first })
            let names =
                identifiers.count > 1
                ? try Database.ClosedRow.inOrder(db.inOrderOfParking(identifiers), of: known)
                : identifiers
            for name in names {
                if let row = known[IdentifierText(name.rawValue)] {
                    closed.append(row)
                    returning.append(try db.record(row.session))
                } else if let row = try db.session(identifier: name.rawValue), row.isOpen,
                    takesOpen || row.flags.parkedCause != nil
                {
                    parked.append(try db.knownSession(row.id))
                    returning.append(try db.record(row))
                } else {
                    throw SceneStoreError(
                        .noSuchSession, "no recently closed session has that identifier")
                }
            }
            let left = try displaced?(returning, db) ?? []
            guard
                closed.isEmpty
                    || db.store.openCount + Int64(closed.count) <= Int64(db.limits.sessions)
            else {
                throw SceneStoreError(.limitExceeded, "\(db.limits.sessions) sessions are open")
            }
            let (closedOnes, parkedOnes, order) = (closed, parked, returning.map(\.key))
            return try db.write(.full) { transaction throws(SceneStoreError) in
                for session in closedOnes {
                    try transaction.reopen(session, inFront: inFront)
                }
                for record in left {
                    try transaction.park(record.key, .displaced)
                    if record.flags.contains(.reopened) {
                        // The one that is reopened last returns (L-12).
                        try transaction.updateRow(transaction.db.knownSession(record.key)) {
                            $0.flags.remove(.reopened)
                        }
                    }
                }
                for session in parkedOnes {
                    try transaction.unpark(session)
                }
                if inFront {
                    try transaction.apply(
                        transaction.db.effective(order.map { MarkChange(key: $0, isFront: true) }))
                }
                let records = try order.map { key throws(SceneStoreError) in
                    try db.record(db.knownSession(key).row)
                }
                return (records, left, Set(closedOnes.map(\.session.id)))
            }
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
        func rows(_ query: RowQuery<SessionRow>) throws(SceneStoreError) -> [SessionRow] {
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

    /// The discarded sessions that can be had back, newest first, those that no longer can, with the
    /// reason, and the group of the last closing.
    ///
    /// By generation: what was closed later is never given up before what was closed earlier,
    /// whatever the clock says.
    package func closedSessions() throws(SceneStoreError) -> (
        kept: [ClosedRow], expired: [(row: ClosedRow, reason: String)], last: Int64?
    ) {
        var all = try closedRows().map { row throws(SceneStoreError) in
            ClosedRow(
                session: row, tombstone: try tombstone(row.id), closing: try closing(of: row.id))
        }
        all.sort {
            $0.generation == $1.generation
                ? $0.closing.place < $1.closing.place : $0.generation > $1.generation
        }
        let last = (all.first(where: \.cause.isClosing) ?? all.first)?.closing.group
        let reasons = try expiries(
            of: all.map {
                (
                    $0.closing.group, $0.closedAt, $0.session.flags.contains(.pinned),
                    $0.cause.isClosing
                )
            }, last: last)
        let judged = zip(all, reasons)
        return (
            judged.filter { $0.1 == nil }.map(\.0),
            judged.compactMap { row, reason in reason.map { (row, $0) } },
            last
        )
    }

    /// Why sessions can no longer be had back, newest first; nil for those that can. A group is kept or
    /// goes as one. What nobody closed is counted by itself: it takes no closing's room.
    func expiries(
        of sessions: [(group: Int64, time: Int64, isPinned: Bool, isClosing: Bool)], last: Int64?
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
        var counts = [(groups: 0, sessions: 0), (groups: 0, sessions: 0)]
        var reasons: [String?] = []
        for (index, session) in sessions.enumerated() {
            let kind = session.isClosing ? 0 : 1
            if let members = groups.removeValue(forKey: session.group) {
                counts[kind].groups += 1
                counts[kind].sessions += members
            }
            let (place, count) = counts[kind]
            let isLast = session.group == last && days > 0 && options.closedCapacity > 0
            if session.isPinned || isLast {
                reasons.append(nil)
            } else if place > max(options.closedCapacity, 0) {
                reasons.append("more than \(options.closedCapacity) closings came since")
            } else if place > 1, count > max(options.closedSessionCapacity, 0) {
                reasons.append(
                    "more than \(options.closedSessionCapacity) sessions were closed since")
            } else if index > lastYoung {
                reasons.append("closed more than \(days) days ago")
            } else {
                reasons.append(nil)
            }
        }
        return reasons
    }

    /// The discarded sessions that can be had back, newest first.
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        let (kept, _, last) = try closedSessions()
        return try kept.map { row throws(SceneStoreError) in
            ClosedSession(
                record: try record(row.session), cause: row.cause,
                closedAt: row.closedAt, closing: row.closing,
                isOfLast: row.closing.group == last)
        }
    }

    /// The group that a session was closed with; one that was closed alone is a group of its own.
    package func closing(of key: Int64) throws(SceneStoreError) -> ClosedSession.Closing {
        guard let bytes = try value(.closing, of: key), let pair = NumberPair(bytes) else {
            // Groups are numbered by transactions: none has a negative number.
            return (group: -key, place: 0)
        }
        return (group: pair.first, place: Int(clamping: pair.second))
    }

    /// A discarded session whose row is still there.
    package struct ClosedRow {
        package var session: SessionRow
        package var tombstone: DiscardRow?
        package var closing: ClosedSession.Closing
        package var generation: Int64 { tombstone?.generation ?? session.generation }
        package var closedAt: Int64 { tombstone?.discardedAt ?? session.lastActiveAt }
        package var cause: DiscardCause {
            tombstone.flatMap { DiscardCause(rawValue: $0.cause) } ?? .user
        }

        /// The names of one group, whole or in part, the one in front first; others as they are.
        fileprivate static func inOrder(
            _ names: [SceneSession.ID], of known: [IdentifierText: Self]
        ) -> [SceneSession.ID] {
            let places = names.map { known[IdentifierText($0.rawValue)]?.closing }
            guard let group = places.first??.group, places.allSatisfy({ $0?.group == group }) else {
                return names
            }
            return zip(names, places).sorted { $0.1?.place ?? 0 < $1.1?.place ?? 0 }.map(\.0)
        }
    }

    // MARK: - The order in which windows come back

    /// The names of sessions that a quit parked in one action, or that were left behind (L-16), the one
    /// that was active last first; other names as they are.
    fileprivate func inOrderOfParking(
        _ names: [SceneSession.ID]
    ) throws(SceneStoreError) -> [SceneSession.ID] {
        var rows: [SessionRow] = []
        for name in names {
            guard let row = try session(identifier: name.rawValue), row.isOpen,
                row.flags.parkedCause?.isJudged == false
            else {
                return names
            }
            rows.append(row)
        }
        return rows.sorted { $0.recency > $1.recency }.map { SceneSession.ID($0.identifier) }
    }
}

/// Writing that closed sessions are open again.
extension Transaction {
    func reopen(_ closed: Database.ClosedRow, inFront: Bool) throws(SceneStoreError) {
        let key = closed.session.id
        let session = try db.knownSession(key)
        try updateRow(session) { row in
            row.isOpen = true
            row.isFront = inFront
            row.flags.insert(.reopened)
            row.flags.parkedCause = nil
        }
        try countOpen(1, configuration: session.row.configurationID)
        if let tombstone = closed.tombstone {
            try delete(tombstone)
        }
        // What was to be given up because of it may stay now.
        db.upkeep.pruning.candidates.removeAll()
        if closed.closing.group >= 0 {
            try put(.closing, nil, of: key)
        }
        try inFront ? setBehind(false, key) : noteNotBehind(key)
        note(.reopen, session.row.identifier)
    }
}

/// A discarded session that can still be had back (S-50).
package struct ClosedSession: Sendable {
    package var record: SessionRecord
    package var cause: DiscardCause
    /// Milliseconds since 1970.
    package var closedAt: Int64
    /// What it was closed with, and its place in the stack of these windows, 0 in front.
    package var closing: Closing
    /// Whether that is the last closing (S-50).
    package var isOfLast: Bool

    /// One action that closed windows (L-48): what tells the group from all others, negative for a session
    /// that was closed alone, and the place among those that were closed with it.
    package typealias Closing = (group: Int64, place: Int)
}
