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
        try store.using { core throws(SceneStoreError) in
            let states = unsaved.isEmpty ? [] : try core.changedStates(unsaved, context)
            let changedValues = try core.changedValues(values)
            try core.write(.full) { writer throws(SceneStoreError) in
                for value in changedValues {
                    try writer.apply(value)
                }
                for key in freed {
                    try writer.park(key, nil)
                }
                if !states.isEmpty {
                    let contextID = try writer.intern(context)
                    for state in states {
                        try writer.store(state, contextID: contextID, savedAt: context.savedAt)
                    }
                }
                try writer.discard(keys, cause: cause, deliveredNow: true, asGroup: true)
            }
        }
    }

    /// The discards that the app has not been told of, oldest first.
    package func pending() throws(SceneStoreError) -> [PendingDiscard] {
        try store.read { reader throws(SceneStoreError) in try reader.discards.pending() }
    }

    /// The app is about to be told of some discards. Durable.
    package func markOffered(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.write(.full) { writer throws(SceneStoreError) in
            try writer.mark(discards: keys, .offered)
        }
    }

    /// The app was told. Mode normal: a power cut may tell it once more.
    package func markDelivered(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.write(.normal) { writer throws(SceneStoreError) in
            try writer.mark(discards: keys, .delivered)
        }
    }

    /// The discarded sessions that can be reopened, newest first (S-50).
    package func recentlyClosed() throws(SceneStoreError) -> [ClosedSession] {
        try store.read { reader throws(SceneStoreError) in try reader.discards.recentlyClosed() }
    }

    /// The session whose window was closed last of those for a value that can be reopened (L-87).
    package func closed(
        presenting value: Value, role: SceneSessionRole
    ) throws(SceneStoreError) -> SceneSession.ID? {
        try store.read { reader throws(SceneStoreError) in
            let bytes = try ValueCodec.encode(value, path: "presentedValue")
            let hash = StoreCore.valueHash(bytes)
            for row in try reader.discards.closed().kept where row.session.valueHash == hash {
                if try reader.record(row.session).role == role,
                    try reader.value(.presentedValue, of: row.session.id) == bytes
                {
                    return SceneSession.ID(row.session.identifier)
                }
            }
            return nil
        }
    }

    /// The open sessions that are parked, most recently active first.
    package func parkedRecords() throws(SceneStoreError) -> [SessionRecord] {
        try store.read { reader throws(SceneStoreError) in try reader.parkedRecords() }
    }

    /// Since when a session is parked.
    package func parking(of key: Int64) throws(SceneStoreError) -> Parking? {
        try store.read { reader throws(SceneStoreError) in try reader.parking(of: key) }
    }

    /// Discards parked sessions, durably; never held in memory (L-17).
    package func discardParked(_ keys: [Int64]) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try store.usingFile { core throws(SceneStoreError) in
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.discard(keys, cause: .cannotDisplay, deliveredNow: true)
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
            @Sendable ([SessionRecord], StoreSkeleton) throws(SceneStoreError) -> [SessionRecord]
        )? = nil
    ) throws(SceneStoreError) -> (back: [SessionRecord], displaced: [SessionRecord]) {
        try store.using { core throws(SceneStoreError) in
            var closed: [StoreCore.ClosedRow] = []
            var parked: [StoreCaches.Session] = []
            var returning: [SessionRecord] = []
            let known = try core.discards.closed().kept
            let names =
                identifiers.count > 1
                ? try known.inOrderOfClosing(core.inOrderOfParking(identifiers)) : identifiers
            for name in names {
                if let row = known.first(where: {
                    $0.session.identifier.hasSameBytes(as: name.rawValue)
                }) {
                    closed.append(row)
                    returning.append(try core.record(row.session))
                } else if let row = try core.session(identifier: name.rawValue), row.isOpen,
                    row.flags.parkedCause != nil
                {
                    parked.append(try core.knownSession(row.id))
                    returning.append(try core.record(row))
                } else {
                    throw SceneStoreError(
                        .noSuchSession, "no recently closed session has that identifier")
                }
            }
            let left = try displaced?(returning, StoreSkeleton(core: core)) ?? []
            guard
                closed.isEmpty
                    || core.store.openCount + Int64(closed.count) <= Int64(core.limits.sessions)
            else {
                throw SceneStoreError(.limitExceeded, "\(core.limits.sessions) sessions are open")
            }
            let (closedOnes, parkedOnes, order) = (closed, parked, returning.map(\.key))
            return try core.write(.full) { writer throws(SceneStoreError) in
                for session in closedOnes {
                    try writer.reopen(session)
                }
                for record in left {
                    try writer.park(record.key, .displaced)
                }
                for session in parkedOnes {
                    try writer.unpark(session)
                }
                if inFront {
                    try writer.apply(
                        writer.effective(order.map { MarkChange(key: $0, isFront: true) }))
                }
                var records: [SessionRecord] = []
                for key in order {
                    if let session = try core.session(key) {
                        records.append(try core.record(session.row))
                    }
                }
                return (records, left)
            }
        }
    }

    /// While no process runs: the next launch finds open sessions in front, and reopened; none of them
    /// stays parked. Durable.
    package func bringBack(_ records: [SessionRecord]) throws(SceneStoreError) {
        try store.write(.full) { writer throws(SceneStoreError) in
            for record in records {
                try writer.unpark(writer.knownSession(record.key))
            }
            try writer.apply(
                writer.effective(records.map { MarkChange(key: $0.key, isFront: true) }))
        }
    }
}

extension SceneSessionStore {
    package var discards: StoredDiscards { StoredDiscards(store: self) }
}

extension StoreCore {
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
