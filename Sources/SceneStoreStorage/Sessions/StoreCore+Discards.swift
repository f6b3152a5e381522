import SceneStoreSQLite
import SceneStoreValues

/// Discarding, and telling the app of it (L-36 to L-38, S-50).
extension StoreReading where Self: ~Copyable {
    package func discardRow(_ key: Int64) throws(SceneStoreError) -> DiscardRow? {
        let row = try row(DiscardRow.self, key)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    fileprivate func pendingRows() throws(SceneStoreError) -> [DiscardRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.pendingDiscards, number(epoch)) {
            $0.epoch == epoch && $0.delivery < StoreCore.Delivery.delivered.rawValue
        }
    }

    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
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

    /// The discarded sessions that can be had back, newest first, and those that no longer can,
    /// with the reason.
    ///
    /// By generation: what was closed later is never given up before what was closed earlier,
    /// whatever the clock says.
    package func closedSessions() throws(SceneStoreError) -> (
        kept: [StoreCore.ClosedRow], expired: [(row: StoreCore.ClosedRow, reason: String)]
    ) {
        let epoch = store.containerEpoch
        var all: [StoreCore.ClosedRow] = []
        for row in try rows(
            Queries.closedSessions, number(epoch),
            isAsked: { $0.epoch == epoch && !$0.isOpen })
        {
            all.append(
                StoreCore.ClosedRow(
                    session: row, tombstone: try discardRow(row.id),
                    closing: try closing(of: row.id)))
        }
        all.sort {
            $0.generation == $1.generation
                ? $0.closing.place < $1.closing.place : $0.generation > $1.generation
        }
        let policy = options.recentlyClosed
        let days = max(policy.days, 0)
        let oldest = try launches.agingTime().saturatingMinus(Int64(daysInMilliseconds: days))
        var kept: [StoreCore.ClosedRow] = []
        var expired: [(row: StoreCore.ClosedRow, reason: String)] = []
        // The newest that has to stay because of its age holds everything after it as well. What was
        // closed last only goes when something is closed after it, unless nothing is to be kept.
        let lastYoung = all.lastIndex { $0.closedAt >= oldest } ?? -1
        var groups: [Int64: Int] = [:]
        for row in all {
            groups[row.closing.group, default: 0] += 1
        }
        var place = -1
        var sessions = 0
        for (index, row) in all.enumerated() {
            // A group is kept or goes as one.
            if let members = groups.removeValue(forKey: row.closing.group) {
                place += 1
                sessions += members
            }
            if row.session.flags.contains(.pinned) {
                kept.append(row)
            } else if place >= max(policy.count, 0) {
                expired.append((row, "more than \(policy.count) closings came since"))
            } else if place > 0, sessions > max(policy.sessions, 0) {
                expired.append((row, "more than \(policy.sessions) sessions were closed since"))
            } else if place > 0 || days == 0, index > lastYoung {
                expired.append((row, "closed more than \(days) days ago"))
            } else {
                kept.append(row)
            }
        }
        return (kept, expired)
    }

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
}

extension StoreWriter {
    /// Writes how far the app was told of some discards, where it is news.
    package func mark(
        discards keys: [Int64], _ delivery: StoreCore.Delivery
    ) throws(SceneStoreError) {
        for key in keys.sorted() {
            if let row = try discardRow(key), row.delivery < delivery.rawValue {
                try rewrite(row, delivery)
            }
        }
    }

    /// The app is about to be told of discards, of some of them once more.
    package func offer(discards keys: [Int64]) throws(SceneStoreError) {
        for key in keys.sorted() {
            if let row = try discardRow(key), row.delivery < StoreCore.Delivery.delivered.rawValue {
                try rewrite(row, .offered)
            }
        }
    }

    private func rewrite(
        _ old: DiscardRow, _ delivery: StoreCore.Delivery
    ) throws(SceneStoreError) {
        var row = old
        row.delivery = delivery.rawValue
        row.offeredLaunch = store.launchNumber
        try update(row, counted: old.checksum)
        if delivery == .delivered {
            note(.discardDelivered, row.identifier)
        }
    }

    /// Closes sessions for good; see ``SceneSessionStore/discard(_:cause:deliveredNow:)``. As a
    /// group they are closed in one action, the front one first.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool, asGroup: Bool = false
    ) throws(SceneStoreError) {
        let time = now
        let group = asGroup && keys.count > 1 ? store.generation : nil
        for (place, key) in keys.enumerated().sorted(by: { $0.element < $1.element }) {
            let session = try openSession(key)
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
                    delivery: (deliveredNow ? StoreCore.Delivery.offered : .pending).rawValue,
                    offeredLaunch: deliveredNow ? store.launchNumber : 0, discardedAt: time,
                    generation: store.generation))
            if let group {
                let closing = ClosedSession.Closing(group: group, place: place)
                try put(.closing, closing.bytes, of: key)
            }
            note(.discard, row.identifier, cause.rawValue)
            // What is not for everybody's eyes is not kept for a change of mind (S-50).
            if row.flags.privacy != .standard || options.recentlyClosed.count <= 0 {
                try deleteSession(session)
            }
        }
    }
}

extension StoreCore {
    /// Writes how far the app was told, where it is news.
    package func mark(
        _ keys: [Int64], _ delivery: Delivery, _ durability: Durability
    ) throws(SceneStoreError) {
        for key in keys {
            if let row = try discardRow(key), row.delivery < delivery.rawValue {
                return try write(durability) { writer throws(SceneStoreError) in
                    try writer.mark(discards: keys, delivery)
                }
            }
        }
    }

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

    package func forget(
        _ keys: [Int64], freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        var found: [StoreCaches.Session] = []
        for key in Set(keys) {
            found.append(try knownSession(key))
        }
        guard !found.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            for key in freed {
                try writer.park(key, nil)
            }
            for session in found {
                writer.note(.forget, session.row.identifier)
                if let tombstone = try discardRow(session.row.id) {
                    try writer.delete(tombstone)
                }
                try writer.deleteSession(session)
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
        guard !keys.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            try writer.discard(keys, cause: cause, deliveredNow: deliveredNow, asGroup: true)
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        try read { reader throws(SceneStoreError) in try reader.pendingDiscards() }
    }

    /// The app is about to be told of some discards. Durable.
    package func markDiscardsOffered(_ keys: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.mark(keys, .offered, .full)
        }
    }

    /// The app was told. Mode normal: a power cut may tell it once more.
    package func markDiscardsDelivered(_ keys: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.mark(keys, .delivered, .normal)
        }
    }

    /// The discarded sessions that can be reopened, newest first (S-50).
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        try read { reader throws(SceneStoreError) in try reader.recentlyClosed() }
    }

    /// Removes sessions, open or closed, with all that they hold and without a discard, and ends the
    /// parking of those that take their places. Durable.
    package func forget(
        _ keys: [Int64], freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try usingFile { core throws(SceneStoreError) in try core.forget(keys, freeing: freed) }
    }
}
