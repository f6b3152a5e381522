import SceneStoreSQLite
import SceneStoreValues

/// Giving closed and parked sessions back (S-50, L-48).
extension StoredDiscards {
    /// What came back, whose places it took, and whether any of it was closed, not parked.
    package typealias Reopened = (
        back: [SessionRecord], displaced: [SessionRecord], wereClosed: Bool
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
                    try transaction.reopen(session)
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
                var records: [SessionRecord] = []
                for key in order {
                    if let session = try db.session(key) {
                        records.append(try db.record(session.row))
                    }
                }
                return (records, left, !closedOnes.isEmpty)
            }
        }
    }
}

/// The order in which windows come back.
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

/// Writing that closed sessions are open again.
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
        try noteNotBehind(key)
        note(.reopen, session.row.identifier)
    }
}
