import SceneStoreSQLite
import SceneStoreValues

/// Discards: closing sessions for good, and telling the app of it (L-36 to L-38).
package struct StoredDiscards: Sendable {
    package let store: SceneSessionStore

    /// Closes sessions for good, as one group, the front one first, with what their scenes showed
    /// last, and ends the parking of those that take their places, in one durable transaction.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, saving unsaved: [StateToSave],
        values: [ValuesToSave] = [], context: SaveContext, freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let changes = try db.changes(unsaved, values, [], context)
            try db.write(.full) { transaction throws(SceneStoreError) in
                for key in freed {
                    try transaction.park(key, nil)
                }
                try transaction.apply(changes, context)
                try transaction.discard(keys, cause: cause, deliveredNow: true, asGroup: true)
            }
        }
    }

    /// The app is told, or was. Mode normal: a power cut may tell it once more.
    package func mark(
        _ keys: [Int64], _ delivery: Database.Delivery
    ) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.mark(discards: keys, delivery)
        }
    }
}

extension SceneSessionStore {
    /// Removes sessions, open or closed, with all that they hold and without a discard, and ends the
    /// parking of those that take their places. Durable.
    package func forget(_ keys: [Int64], freeing freed: [Int64] = []) throws(SceneStoreError) {
        try usingFile { db throws(SceneStoreError) in
            let found = try Set(keys).sorted().map { key throws(SceneStoreError) in
                try db.knownSession(key)
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

/// Reads what the app has to be told of (L-36, L-37).
extension Database {
    /// The tombstone of a session.
    package func tombstone(_ key: Int64) throws(SceneStoreError) -> DiscardRow? {
        let row = try row(DiscardRow.self, key)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    /// The discards that the app has not been told of, oldest first, as a launch finds them; nil is the
    /// current one.
    package func undeliveredDiscards(
        launch: Int64? = nil
    ) throws(SceneStoreError) -> [PendingDiscard] {
        let epoch = store.containerEpoch
        let pending = try rows(Queries.pendingDiscards, binding(epoch)) {
            $0.epoch == epoch && $0.delivery < Database.Delivery.delivered.rawValue
        }
        return try pending.map { row throws(SceneStoreError) in
            (
                key: row.id, identifier: SceneSession.ID(row.identifier),
                configuration: try configuration(row.configurationID).value,
                cause: DiscardCause(rawValue: row.cause) ?? .user,
                isRedelivered: row.delivery == Database.Delivery.offered.rawValue
                    && row.offeredLaunch != launch ?? store.launchNumber
            )
        }
    }

    /// How far the app was told of a discard; the column `discard.delivery`.
    package enum Delivery: Int64, Sendable {
        case pending = 0
        case offered = 1
        case delivered = 2
    }
}

/// Writing discards, and what the app was told of them (L-36 to L-38).
extension Transaction {
    /// Writes how far the app was told of some discards: it was told, or is about to be. Who dies of
    /// that twice is not told a third time (L-37).
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
            row.delivery = max(delivery.rawValue, row.delivery + 1)
            row.offeredLaunch = store.launchNumber
            try update(row, counted: counted)
            if row.delivery == Database.Delivery.delivered.rawValue {
                note(.discardDelivered, row.identifier)
            }
        }
    }

    /// Closes sessions for good. As a group they are closed in one action, the front one first.
    ///
    /// With `deliveredNow` the app is being told right now: should the process die before
    /// ``StoredDiscards/mark(_:_:)``, the next launch tells it once more, marked redelivered.
    /// Without, the next launch tells it for the first time.
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
                try put(.closing, NumberPair(group, Int64(place)).bytes, of: key)
            }
            note(.discard, row.identifier, cause.rawValue)
            // What is not for everybody's eyes is not kept for a change of mind (S-50).
            if row.flags.privacy != .standard || db.options.closedCapacity <= 0 {
                try deleteSession(session)
            }
        }
    }
}
