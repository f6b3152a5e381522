import SceneStoreSQLite
import SceneStoreValues

/// Discarding, and telling the app of it (L-36 to L-38, S-50).
extension StoreCore {
    /// How far the app was told of a discard; the column `discard.delivery`.
    package enum Delivery: Int64 {
        case pending = 0
        case offered = 1
        case delivered = 2
    }

    /// Closes sessions and writes their tombstones, within a transaction.
    func discardRows(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool
    ) throws(SceneStoreError) {
        let time = now
        for key in keys {
            let session = try openSession(key)
            try updateRow(session, .all) { row in
                row.isOpen = false
                row.isFront = false
                row.crashCount = 0
                row.flags.remove(.held)
            }
            try countOpen(-1, configuration: session.row.configurationID)
            if store.restoringSession == key {
                store.restoringSession = nil
            }
            let row = session.row
            try insert(
                DiscardRow(
                    id: key, epoch: store.containerEpoch, identifier: row.identifier,
                    configurationID: row.configurationID, cause: cause.rawValue,
                    delivery: (deliveredNow ? Delivery.offered : .pending).rawValue,
                    offeredLaunch: deliveredNow ? store.launchNumber : 0, discardedAt: time,
                    generation: store.generation),
                Queries.insertDiscard)
            note(.discard, row.identifier, cause.rawValue)
            // What is not for everybody's eyes is not kept for a change of mind (S-50).
            if row.flags.privacy != .standard || options.recentlyClosed.count <= 0 {
                try deleteSession(session)
            }
        }
    }

    package func discardRow(_ key: Int64) throws(SceneStoreError) -> DiscardRow? {
        let row = try first(Queries.discard, DiscardRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, key)
        } isAsked: {
            $0.id == key
        }
        return row?.epoch == store.containerEpoch ? row : nil
    }

    private func pendingRows() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.pendingDiscards, DiscardRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
        } isAsked: {
            $0.epoch == epoch && $0.delivery < Delivery.delivered.rawValue
        }
    }

    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        var result: [PendingDiscard] = []
        for row in try pendingRows() {
            result.append(
                PendingDiscard(
                    key: row.id, identifier: row.identifier,
                    configuration: try configuration(row.configurationID).value,
                    cause: DiscardCause(rawValue: row.cause) ?? .user,
                    isRedelivered: row.delivery == Delivery.offered.rawValue
                        && row.offeredLaunch != store.launchNumber))
        }
        return result
    }

    /// Writes how far the app was told of some discards.
    package func mark(
        _ keys: [Int64], _ delivery: Delivery, durability: Durability
    ) throws(SceneStoreError) {
        var changed: [DiscardRow] = []
        for key in keys {
            if let row = try discardRow(key), row.delivery < delivery.rawValue {
                changed.append(row)
            }
        }
        guard !changed.isEmpty else {
            return
        }
        try write(durability) { () throws(SceneStoreError) in
            for row in changed {
                try rewrite(row, delivery)
            }
        }
    }

    /// Writes how far the app was told of a discard, within a transaction.
    package func rewrite(_ old: DiscardRow, _ delivery: Delivery) throws(SceneStoreError) {
        var row = old
        row.delivery = delivery.rawValue
        row.offeredLaunch = store.launchNumber
        row.seal(sealer)
        let sealed = row
        try run(Queries.updateDiscard) { statement throws(SQLiteError) in
            try statement.bind(1, sealed.delivery)
            try statement.bind(2, sealed.offeredLaunch)
            try statement.bind(3, sealed.checksum)
            try statement.bind(4, sealed.id)
        }
        digest(from: old.checksum, to: row.checksum)
        if delivery == .delivered {
            note(.discardDelivered, row.identifier)
        }
    }

    // MARK: - Recently closed

    /// The discarded sessions that can be had back, newest first, and those that no longer can,
    /// with the reason.
    ///
    /// By generation: what was closed later is never given up before what was closed earlier,
    /// whatever the clock says.
    package func closedSessions() throws(SceneStoreError) -> (
        kept: [ClosedRow], expired: [(row: ClosedRow, reason: String)]
    ) {
        let epoch = store.containerEpoch
        var all: [ClosedRow] = []
        for row in try rows(
            Queries.closedSessions, SessionRow.self,
            { statement throws(SQLiteError) in try statement.bind(1, epoch) },
            isAsked: { $0.epoch == epoch && !$0.isOpen })
        {
            all.append(ClosedRow(session: row, tombstone: try discardRow(row.id)))
        }
        all.sort { $0.generation > $1.generation }
        let policy = options.recentlyClosed
        let days = max(policy.days, 0)
        let oldest = try agingTime().saturatingMinus(Int64(daysInMilliseconds: days))
        var kept: [ClosedRow] = []
        var expired: [(row: ClosedRow, reason: String)] = []
        // The newest that has to stay because of its age holds everything after it as well.
        let lastYoung = all.lastIndex { $0.closedAt >= oldest } ?? -1
        for (index, row) in all.enumerated() {
            if row.session.flags.contains(.pinned) {
                kept.append(row)
            } else if index >= max(policy.count, 0) {
                expired.append((row, "more than \(policy.count) sessions were closed since"))
            } else if index > lastYoung {
                expired.append((row, "closed more than \(days) days ago"))
            } else {
                kept.append(row)
            }
        }
        return (kept, expired)
    }

    /// A discarded session whose row is still there.
    package struct ClosedRow {
        package var session: SessionRow
        package var tombstone: DiscardRow?
        package var generation: Int64 { tombstone?.generation ?? session.generation }
        package var closedAt: Int64 { tombstone?.discardedAt ?? session.lastActiveAt }
    }

    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        var result: [ClosedSession] = []
        for row in try closedSessions().kept {
            result.append(
                ClosedSession(
                    record: try record(row.session),
                    cause: row.tombstone.flatMap { DiscardCause(rawValue: $0.cause) } ?? .user,
                    closedAt: row.closedAt))
        }
        return result
    }

    package func reopen(_ identifier: String) throws(SceneStoreError) -> SessionRecord {
        guard
            let row = try closedSessions().kept.first(where: {
                $0.session.identifier.hasSameBytes(as: identifier)
            })?.session, let session = try session(row.id)
        else {
            throw SceneStoreError(
                .noSuchSession, "no recently closed session has that identifier")
        }
        guard store.openCount < Int64(limits.sessions) else {
            throw SceneStoreError(.limitExceeded, "\(limits.sessions) sessions are open")
        }
        return try write(.full) { () throws(SceneStoreError) in
            try updateRow(session, .all) { row in
                row.isOpen = true
                row.flags.insert(.reopened)
                row.flags.parkedCause = nil
            }
            try countOpen(1, configuration: row.configurationID)
            if let tombstone = try discardRow(row.id) {
                try delete(tombstone.id, checksum: tombstone.checksum, Queries.deleteDiscard)
            }
            note(.reopen, identifier)
            return try record(session.row)
        }
    }

    /// All tombstones of this epoch, the oldest first.
    package func tombstones() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.discardsOldestFirst, DiscardRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
        } isAsked: {
            $0.epoch == epoch
        }
    }

    // MARK: - Removing without a discard

    package func forget(_ keys: [Int64]) throws(SceneStoreError) {
        var found: [StoreCaches.Session] = []
        for key in Set(keys) {
            found.append(try knownSession(key))
        }
        guard !found.isEmpty else {
            return
        }
        try write(.full) { () throws(SceneStoreError) in
            for session in found {
                note(.forget, session.row.identifier)
                if let tombstone = try discardRow(session.row.id) {
                    try delete(tombstone.id, checksum: tombstone.checksum, Queries.deleteDiscard)
                }
                try deleteSession(session)
            }
        }
    }
}

extension SceneSessionStore {
    /// Closes sessions for good, in one durable transaction.
    ///
    /// With `deliveredNow` the app is being told right now: should the process die before
    /// ``markDiscardsDelivered(_:)``, the next launch tells it once more, marked redelivered.
    /// Without, the next launch tells it for the first time.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            guard !keys.isEmpty else {
                return
            }
            try core.write(.full) { () throws(SceneStoreError) in
                try core.discardRows(keys, cause: cause, deliveredNow: deliveredNow)
            }
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        try reading { core throws(SceneStoreError) in try core.pendingDiscards() }
    }

    /// The app is about to be told of some discards. Durable.
    package func markDiscardsOffered(_ keys: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.mark(keys, .offered, durability: .full)
        }
    }

    /// The app was told. Mode normal: a power cut may tell it once more.
    package func markDiscardsDelivered(_ keys: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.mark(keys, .delivered, durability: .normal)
        }
    }

    /// The discarded sessions that can be reopened, newest first (S-50).
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        try reading { core throws(SceneStoreError) in try core.recentlyClosed() }
    }

    /// Gives a discarded session back, with its identifier, state and place. Durable.
    package func reopen(identifier: String) throws(SceneStoreError) -> SessionRecord {
        try using { core throws(SceneStoreError) in try core.reopen(identifier) }
    }

    /// Removes sessions, open or closed, with all that they hold and without a discard. Durable.
    package func forget(_ keys: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.forget(keys) }
    }
}
