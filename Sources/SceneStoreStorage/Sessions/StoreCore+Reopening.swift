import SceneStoreSQLite
import SceneStoreValues

/// Giving windows back that were closed or parked (S-50, L-48).
extension StoreReading where Self: ~Copyable {
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

extension StoreCore {
    /// Gives sessions back in one transaction, all of them or none; those of one group in the order
    /// in which they were closed, whatever the order of their names.
    package func reopen(
        _ identifiers: [SceneSession.ID], inFront: Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        var closed: [StoreCaches.Session] = []
        var parked: [StoreCaches.Session] = []
        var keys: [Int64] = []
        let known = try closedSessions().kept
        for identifier in known.inOrderOfClosing(identifiers) {
            if let row = try session(identifier: identifier.rawValue), row.isOpen,
                row.flags.parkedCause != nil, let session = try session(row.id)
            {
                parked.append(session)
                keys.append(row.id)
                continue
            }
            guard
                let row = known.first(where: {
                    $0.session.identifier.hasSameBytes(as: identifier.rawValue)
                })?.session, let session = try session(row.id)
            else {
                throw SceneStoreError(
                    .noSuchSession, "no recently closed session has that identifier")
            }
            closed.append(session)
            keys.append(row.id)
        }
        guard closed.isEmpty || store.openCount + Int64(closed.count) <= Int64(limits.sessions)
        else {
            throw SceneStoreError(.limitExceeded, "\(limits.sessions) sessions are open")
        }
        let (closedOnes, parkedOnes, order) = (closed, parked, keys)
        return try write(.full) { writer throws(SceneStoreError) in
            for session in closedOnes {
                try writer.reopen(session)
            }
            if inFront {
                try writer.apply(
                    writer.effective(closedOnes.map { MarkChange(key: $0.row.id, isFront: true) }))
            }
            for session in parkedOnes {
                try writer.unpark(session)
            }
            var records: [SessionRecord] = []
            for key in order {
                if let session = try session(key) {
                    records.append(try record(session.row))
                }
            }
            return records
        }
    }
}

extension StoreWriter {
    fileprivate func reopen(_ session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        try updateRow(session) { row in
            row.isOpen = true
            row.flags.insert(.reopened)
            row.flags.parkedCause = nil
        }
        try countOpen(1, configuration: session.row.configurationID)
        if let tombstone = try discardRow(key) {
            try delete(tombstone)
        }
        // What was to be given up because of it may stay now.
        parts.upkeep.pruning.candidates.removeAll()
        try put(.closing, nil, of: key)
        try put(.behind, nil, of: key)
        note(.reopen, session.row.identifier)
    }

    /// A parked session is the one that returns (L-18); what parks it may be judged anew.
    fileprivate func unpark(_ session: StoreCaches.Session) throws(SceneStoreError) {
        try park(session.row.id, nil)
        try updateRow(session) { $0.flags.insert(.reopened) }
        note(.reopen, session.row.identifier)
    }
}

extension SceneSessionStore {
    /// Gives a discarded session back, with its identifier, state and place. Durable.
    @discardableResult
    package func reopen(identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord {
        guard let record = try reopen(identifiers: [identifier]).first else {
            throw SceneStoreError(.noSuchSession, "the session is gone")
        }
        return record
    }

    /// Gives discarded sessions back, in one durable transaction; all of them or none.
    ///
    /// - Parameter inFront: Whether the next launch finds them in front: no scene is connected that
    ///   would say so.
    package func reopen(
        identifiers: [SceneSession.ID], inFront: Bool = false
    ) throws(SceneStoreError) -> [SessionRecord] {
        try using { core throws(SceneStoreError) in
            try core.reopen(identifiers, inFront: inFront)
        }
    }
}

extension [StoreCore.ClosedRow] {
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
