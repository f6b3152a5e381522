import SceneStoreSQLite
import SceneStoreValues

extension StoreReading where Self: ~Copyable {
    /// The open sessions whose window was opened for a value, most recently active first.
    package func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord] {
        let bytes = try ValueCodec.encode(value, path: "presentedValue")
        let hash = StoreCore.hash(bytes)
        let epoch = store.containerEpoch
        let found = try rows(Queries.sessionsWithValueHash) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, hash)
        } isAsked: {
            $0.epoch == epoch && $0.valueHash == hash
        }
        var result: [SessionRecord] = []
        for row in found where row.isOpen {
            if try self.value(.presentedValue, of: row.id) == bytes {
                result.append(try record(row))
            }
        }
        return result.sorted(by: SessionRecord.comesBefore)
    }

    /// The bytes of one of a session's values.
    package func value(_ kind: SessionValueKind, of key: Int64) throws(SceneStoreError) -> [UInt8]?
    {
        try withRow(SessionValueRow.self, key << 8 | kind.rawValue) { _, bytes in Array(bytes) }
    }

    /// A session's values, up to those of a kind.
    package func values(
        of key: Int64, through last: SessionValueKind = .offeredVersion
    ) throws(SceneStoreError) -> [SessionValueKind: [UInt8]] {
        var result: [SessionValueKind: [UInt8]] = [:]
        try eachWithPayload(Queries.sessionValues) { statement throws(SQLiteError) in
            try statement.bind(1, key << 8)
            try statement.bind(2, key << 8 | last.rawValue)
        } isAsked: {
            $0.id >> 8 == key
        } _: { row, bytes in
            if let kind = SessionValueKind(rawValue: row.id & 255) {
                result[kind] = bytes
            }
            return true
        }
        return result
    }

    /// Where a session's window was.
    package func placements(of row: SessionRow) throws(SceneStoreError) -> PlacementMemory? {
        decoded(try value(.placement, of: row.id), "placement", session: row.identifier) {
            bytes throws(SceneStoreError) in try ValueCodec.decodePlacement(bytes)
        }
    }

    /// Stored bytes as what they stand for; nil, and noted, when they are of no known form.
    package func decoded<Content>(
        _ bytes: [UInt8]?, _ what: String, session: @autoclosure () -> String,
        _ decode: ([UInt8]) throws(SceneStoreError) -> Content
    ) -> Content? {
        guard let bytes else {
            return nil
        }
        do {
            return try decode(bytes)
        } catch {
            noteUndecodable(what, session: session())
            return nil
        }
    }

    /// Says that a row is whole and yet not understood.
    func noteUndecodable(_ what: String, session: String) {
        let diagnostic = Diagnostic(
            .damagedRow, .error, "the stored \(what) has an unknown form and counts as absent",
            sessionIdentifier: SceneSession.ID(session))
        if !parts.damage.diagnostics.contains(diagnostic) {
            parts.damage.diagnostics.append(diagnostic)
        }
    }
}

extension StoreWriter {
    /// Writes a value, within a transaction.
    package func put(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        let id = key << 8 | kind.rawValue
        parts.caches.ahead.forget(key)
        let old = try row(SessionValueRow.self, id)
        guard let bytes else {
            if let old {
                try delete(old)
            }
            return
        }
        let row = SessionValueRow(id: id, contentHash: StoreCore.hash(bytes))
        if let old {
            try update(row, counted: old.checksum, payload: bytes)
        } else {
            try insert(row, payload: bytes)
        }
    }
}

extension StoreCore {
    /// Stores, replaces or removes one of a session's values; nothing is written when it is the
    /// stored one. `also` changes the skeleton in the same transaction.
    package func set(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64, durability: Durability,
        also change: ((inout SessionRow) -> Void)? = nil
    ) throws(SceneStoreError) {
        guard let value = try self.change(kind, bytes, of: try knownSession(key)) else {
            return
        }
        try write(durability) { writer throws(SceneStoreError) in
            try writer.put(kind, value.bytes, of: key)
            if let change {
                try writer.updateRow(value.session, SessionRow.description.update, change)
            }
            writer.note(.change, value.session.row.identifier, "\(kind)")
        }
        noteSave(durability)
    }

    /// The hash by which sessions that present a value are found.
    package static func valueHash(_ bytes: [UInt8]?) -> Int64? {
        bytes.map { hash($0) }
    }
}

extension StoreReading where Self: ~Copyable {
    /// Encodes the values that are to be saved with states, and drops those that are stored already
    /// and those of sessions that were discarded (S-24). Of two for one session the last one counts.
    func changedValues(
        _ values: [ValuesToSave]
    ) throws(SceneStoreError) -> [StoreCore.ChangedValue] {
        var changed: [StoreCore.ChangedValue] = []
        var last: [Int64: Int] = [:]
        for (index, value) in values.enumerated() {
            last[value.key] = index
        }
        for (index, value) in values.enumerated() where last[value.key] == index {
            let session = try knownSession(value.key)
            guard session.row.isOpen else {
                continue
            }
            var wanted: [(SessionValueKind, [UInt8]?)] = []
            if let userInfo = value.userInfo {
                wanted.append((.userInfo, try encoder.encodedUserInfo(userInfo)))
            }
            if let title = value.title {
                wanted.append((.title, try encoder.encoded(title: title)))
            }
            if let placement = value.placement {
                wanted.append((.placement, try encoder.encoded(placement)))
            }
            if let token = value.platformToken {
                wanted.append((.platformToken, try encoder.encoded(platformToken: token)))
            }
            for (kind, bytes) in wanted {
                if let change = try change(kind, bytes, of: session) {
                    changed.append(change)
                }
            }
        }
        return changed
    }

    /// A value as a change; nil when it is stored already.
    fileprivate func change(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of session: StoreCaches.Session
    ) throws(SceneStoreError) -> StoreCore.ChangedValue? {
        // Of an ephemeral session nothing that shows its content reaches the disk.
        let bytes = session.row.flags.contains(.ephemeral) && kind != .placement ? nil : bytes
        guard try value(kind, of: session.row.id) != bytes else {
            return nil
        }
        return StoreCore.ChangedValue(session: session, kind: kind, bytes: bytes)
    }
}

extension StoreWriter {
    /// Writes a value, within a transaction.
    package func apply(_ change: StoreCore.ChangedValue) throws(SceneStoreError) {
        try put(change.kind, change.bytes, of: change.session.row.id)
        note(.change, change.session.row.identifier, "\(change.kind)")
    }
}

extension StoreCore {
    /// A value that is not what is stored.
    package struct ChangedValue {
        package var session: StoreCaches.Session
        package var kind: SessionValueKind
        package var bytes: [UInt8]?
    }
}
