import SceneStoreSQLite
import SceneStoreValues

/// Discards: closing sessions, telling the app of it, and giving them back (L-36 to L-38, S-50).
package struct StoredDiscards: Sendable {
    package let store: SceneSessionStore

    /// Closes sessions for good, as one group, the front one first, with what their scenes showed
    /// last, and ends the parking of those that take their places, in one durable transaction.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, saving unsaved: [StateToSave],
        values: [ValuesToSave] = [], context: SaveContext, freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let states = unsaved.isEmpty ? [] : try db.changedStates(unsaved, context)
            let changedValues = try db.changedValues(values)
            try db.write(.full) { transaction throws(SceneStoreError) in
                for value in changedValues {
                    try transaction.apply(value)
                }
                for key in freed {
                    try transaction.park(key, nil)
                }
                if !states.isEmpty {
                    let contextID = try transaction.intern(context)
                    for state in states {
                        try transaction.store(state, contextID: contextID, savedAt: context.savedAt)
                    }
                }
                try transaction.discard(keys, cause: cause, deliveredNow: true, asGroup: true)
            }
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func pending() throws(SceneStoreError) -> [PendingDiscard] {
        try store.read { db throws(SceneStoreError) in try db.undeliveredDiscards() }
    }

    /// The app is about to be told of some discards. Durable.
    package func markOffered(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.mark(discards: keys, .offered)
        }
    }

    /// The app was told. Mode normal: a power cut may tell it once more.
    package func markDelivered(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.mark(discards: keys, .delivered)
        }
    }

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
            let hash = Database.valueHash(bytes)
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

    /// The open sessions that are parked, most recently active first.
    package func parkedRecords() throws(SceneStoreError) -> [SessionRecord] {
        try store.read { db throws(SceneStoreError) in try db.parkedRecords() }
    }

    /// Since when a session is parked.
    package func parking(of key: Int64) throws(SceneStoreError) -> ParkedSince? {
        try store.read { db throws(SceneStoreError) in try db.parking(of: key) }
    }

    /// Discards parked sessions, durably; never held in memory (L-17).
    package func discardParked(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.usingFile { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.discard(keys, cause: .cannotDisplay, deliveredNow: true)
            }
        }
    }

    /// Gives a discarded session back, with its identifier, state and place. Durable.
    @discardableResult
    package func reopen(identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord {
        guard let record = try reopen(identifiers: [identifier]).back.first else {
            throw SceneStoreError(.noSuchSession, "the session is gone")
        }
        return record
    }

    /// Gives discarded and parked sessions back, in one durable transaction; all of them or none.
    ///
    /// - Parameters:
    ///   - inFront: Whether the next launch finds them in front: no scene is connected that says so,
    ///     or none yet.
    ///   - displaced: Chooses the sessions whose places they take.
    package func reopen(
        identifiers: [SceneSession.ID], inFront: Bool = false,
        displacing displaced: (
            @Sendable ([SessionRecord], Database) throws(SceneStoreError) -> [SessionRecord]
        )? = nil
    ) throws(SceneStoreError) -> (back: [SessionRecord], displaced: [SessionRecord]) {
        try store.using { db throws(SceneStoreError) in
            var closed: [Database.ClosedRow] = []
            var parked: [StoreCaches.Session] = []
            var returning: [SessionRecord] = []
            let known = try db.closedSessions().kept
            let names =
                identifiers.count > 1
                ? try known.inOrderOfClosing(db.inOrderOfParking(identifiers)) : identifiers
            for name in names {
                if let row = known.first(where: {
                    $0.session.identifier.hasSameBytes(as: name.rawValue)
                }) {
                    closed.append(row)
                    returning.append(try db.record(row.session))
                } else if let row = try db.session(identifier: name.rawValue), row.isOpen,
                    row.flags.parkedCause != nil
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
                    try transaction.reopen(session)
                }
                for record in left {
                    try transaction.park(record.key, .displaced)
                }
                for session in parkedOnes {
                    try transaction.unpark(session)
                }
                if inFront {
                    try transaction.apply(
                        transaction.db.effective(order.map { MarkChange(key: $0, isFront: true) }))
                }
                var records: [SessionRecord] = []
                for key in order {
                    if let session = try db.session(key) {
                        records.append(try db.record(session.row))
                    }
                }
                return (records, left)
            }
        }
    }

    /// While no process runs: the next launch finds open sessions in front, and reopened; none of them
    /// stays parked. Durable.
    package func bringBack(_ records: [SessionRecord]) throws(SceneStoreError) {
        try store.write(.full) { transaction throws(SceneStoreError) in
            for record in records {
                try transaction.unpark(transaction.db.knownSession(record.key))
            }
            try transaction.apply(
                transaction.db.effective(records.map { MarkChange(key: $0.key, isFront: true) }))
        }
    }
}

extension SceneSessionStore {
    package var discards: StoredDiscards { StoredDiscards(store: self) }
}

extension Database {
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

extension [Database.ClosedRow] {
    /// The names of one whole group, or of a part of it, with the one first that was in front; other
    /// names as they are.
    fileprivate func inOrderOfClosing(_ names: [SceneSession.ID]) -> [SceneSession.ID] {
        let places = names.map { name in
            first { $0.session.identifier.hasSameBytes(as: name.rawValue) }?.closing
        }
        guard let group = places.first??.group, places.allSatisfy({ $0?.group == group }) else {
            return names
        }
        return zip(names, places).sorted { $0.1?.place ?? 0 < $1.1?.place ?? 0 }.map(\.0)
    }
}

extension SceneSessionStore {
    /// Closes sessions for good, in one durable transaction.
    ///
    /// With `deliveredNow` the app is being told right now: should the process die before
    /// ``StoredDiscards/markDelivered(_:)``, the next launch tells it once more, marked redelivered.
    /// Without, the next launch tells it for the first time.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool
    ) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.discard(keys, cause: cause, deliveredNow: deliveredNow, asGroup: true)
        }
    }

    /// Removes sessions, open or closed, with all that they hold and without a discard, and ends the
    /// parking of those that take their places. Durable.
    package func forget(
        _ keys: [Int64], freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try usingFile { db throws(SceneStoreError) in
            var found: [StoreCaches.Session] = []
            for key in Set(keys) {
                found.append(try db.knownSession(key))
            }
            guard !found.isEmpty else {
                return
            }
            try db.write(.full) { transaction throws(SceneStoreError) in
                for key in freed {
                    try transaction.park(key, nil)
                }
                for session in found {
                    transaction.note(.forget, session.row.identifier)
                    if let tombstone = try db.tombstone(session.row.id) {
                        try transaction.delete(tombstone)
                    }
                    try transaction.deleteSession(session)
                }
            }
        }
    }
}

/// Reads what was discarded: what the app has to be told of, and what can be had back (L-36, S-50).
extension Database {
    /// The tombstone of a session.
    package func tombstone(_ key: Int64) throws(SceneStoreError) -> DiscardRow? {
        let row = try row(DiscardRow.self, key)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    private func pendingRows() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.pendingDiscards, number(epoch)) {
            $0.epoch == epoch && $0.delivery < Database.Delivery.delivered.rawValue
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func undeliveredDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        var result: [PendingDiscard] = []
        for row in try pendingRows() {
            result.append(
                PendingDiscard(
                    key: row.id, identifier: SceneSession.ID(row.identifier),
                    configuration: try configuration(row.configurationID).value,
                    cause: DiscardCause(rawValue: row.cause) ?? .user,
                    isRedelivered: row.delivery == Database.Delivery.offered.rawValue
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

extension ClosedSession.Closing {
    /// The place among those that were closed with it; nil for a session that was closed alone.
    package var placeInGroup: Int? { group < 0 ? nil : place }

    /// As it is stored beside the session.
    package var bytes: [UInt8] { NumberPair(group, Int64(place)).bytes }
}

extension Database {
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

/// Writing discards, and what the app was told of them (L-36 to L-38, S-50).
extension Transaction {
    /// Writes how far the app was told of some discards: it was told, or is about to be, of some of
    /// them once more.
    package func mark(
        discards keys: [Int64], _ delivery: Database.Delivery
    ) throws(SceneStoreError) {
        for key in keys.sorted() {
            guard var row = try db.tombstone(key),
                row.delivery < Database.Delivery.delivered.rawValue
            else {
                continue
            }
            let counted = row.checksum
            row.delivery = delivery.rawValue
            row.offeredLaunch = store.launchNumber
            try update(row, counted: counted)
            if delivery == .delivered {
                note(.discardDelivered, row.identifier)
            }
        }
    }

    /// Closes sessions for good; see ``SceneSessionStore/discard(_:cause:deliveredNow:)``. As a
    /// group they are closed in one action, the front one first.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool, asGroup: Bool = false
    ) throws(SceneStoreError) {
        let time = db.now
        let group = asGroup && keys.count > 1 ? store.generation : nil
        for (place, key) in keys.enumerated().sorted(by: { $0.element < $1.element }) {
            let session = try db.openSession(key)
            try updateRow(session) { row in
                row.isOpen = false
                row.isFront = false
                row.flags.remove(.held)
            }
            try countOpen(-1, configuration: session.row.configurationID)
            endRestoring(key)
            let row = session.row
            try insert(
                DiscardRow(
                    id: key, epoch: store.containerEpoch, identifier: row.identifier,
                    configurationID: row.configurationID, cause: cause.rawValue,
                    delivery: (deliveredNow ? Database.Delivery.offered : .pending).rawValue,
                    offeredLaunch: deliveredNow ? store.launchNumber : 0, discardedAt: time,
                    generation: store.generation))
            if let group {
                let closing = ClosedSession.Closing(group: group, place: place)
                try put(.closing, closing.bytes, of: key)
            }
            note(.discard, row.identifier, cause.rawValue)
            // What is not for everybody's eyes is not kept for a change of mind (S-50).
            if row.flags.privacy != .standard || db.options.closedCapacity <= 0 {
                try deleteSession(session)
            }
        }
    }
}

/// Giving windows back that were closed or parked (S-50, L-48).
extension Transaction {
    func reopen(_ closed: Database.ClosedRow) throws(SceneStoreError) {
        let key = closed.session.id
        let session = try db.knownSession(key)
        try updateRow(session) { row in
            row.isOpen = true
            row.flags.insert(.reopened)
            row.flags.parkedCause = nil
        }
        try countOpen(1, configuration: session.row.configurationID)
        if let tombstone = closed.tombstone {
            try delete(tombstone)
        }
        // What was to be given up because of it may stay now.
        db.upkeep.pruning.candidates.removeAll()
        if closed.closing.placeInGroup != nil {
            try put(.closing, nil, of: key)
        }
        try put(.behind, nil, of: key)
        note(.reopen, session.row.identifier)
    }

    /// A parked session is the one that returns (L-18); what parks it may be judged anew.
    func unpark(_ session: StoreCaches.Session) throws(SceneStoreError) {
        try park(session.row.id, nil)
        try updateRow(session) { $0.flags.insert(.reopened) }
        note(.reopen, session.row.identifier)
    }
}
