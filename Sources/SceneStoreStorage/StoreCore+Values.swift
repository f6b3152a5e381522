import SceneStoreSQLite
import SceneStoreValues

/// The kinds of values that a session may have beside its state; the low eight bits of a row of
/// `session_value`.
package enum SessionValueKind: Int64, CaseIterable {
    case userInfo = 1
    case title = 2
    case placement = 3
    case presentedValue = 4
}

extension StoreCore {
    /// The bytes of one of a session's values.
    package func value(_ kind: SessionValueKind, of key: Int64) throws(SceneStoreError) -> [UInt8]?
    {
        var result: [UInt8]?
        let id = key << 8 | kind.rawValue
        try each(Queries.sessionValue, SessionValueRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, id)
        } _: { row, statement throws(SceneStoreError) in
            guard isAsked(row.id == id, .sessionValue, row.id) else {
                return true
            }
            result = try withPayload(
                statement, of: .sessionValue, id: row.id, hash: row.contentHash
            ) { Array($0) }
            return false
        }
        return result
    }

    /// All of a session's values.
    package func values(of key: Int64) throws(SceneStoreError) -> [SessionValueKind: [UInt8]] {
        var result: [SessionValueKind: [UInt8]] = [:]
        try each(Queries.sessionValues, SessionValueRow.self, Self.range(of: key)) {
            row, statement throws(SceneStoreError) in
            guard isAsked(row.id >> 8 == key, .sessionValue, row.id) else {
                return true
            }
            if let kind = SessionValueKind(rawValue: row.id & 255) {
                result[kind] = try withPayload(
                    statement, of: .sessionValue, id: row.id, hash: row.contentHash
                ) { Array($0) }
            }
            return true
        }
        return result
    }

    /// Stores, replaces or removes one of a session's values; nothing is written when it is the
    /// stored one. `also` changes the skeleton in the same transaction.
    package func set(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64, durability: Durability,
        also change: ((inout SessionRow) -> Void)? = nil
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        // Of an ephemeral session nothing that shows its content reaches the disk.
        let bytes = session.row.flags.contains(.ephemeral) && kind != .placement ? nil : bytes
        guard try value(kind, of: key) != bytes else {
            return
        }
        try write(durability) { () throws(SceneStoreError) in
            try put(kind, bytes, of: key)
            if let change {
                try updateRow(session, .all, change)
            }
            note(.change, session.row.identifier, "\(kind)")
        }
    }

    /// Writes a value, within a transaction.
    package func put(
        _ kind: SessionValueKind, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        let id = key << 8 | kind.rawValue
        let old = try first(Queries.sessionValue, SessionValueRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, id)
        } isAsked: {
            $0.id == id
        }
        guard let bytes else {
            if let old {
                try delete(id, checksum: old.checksum, Queries.deleteSessionValue)
            }
            return
        }
        var row = SessionValueRow(id: id, contentHash: Self.hash(bytes))
        guard let old else {
            return try insert(row, Queries.insertSessionValue, payload: bytes)
        }
        row.seal(sealer)
        let sealed = row
        try bytes.lend { bytes throws(SceneStoreError) in
            try run(Queries.updateSessionValue) { statement throws(SQLiteError) in
                try statement.bind(1, sealed.contentHash)
                try statement.bind(2, sealed.checksum)
                try statement.bind(3, bytes)
                try statement.bind(4, id)
            }
        }
        digest(from: old.checksum, to: row.checksum)
    }

    /// The hash by which sessions that present a value are found.
    static func valueHash(_ bytes: [UInt8]?) -> Int64? {
        bytes.map { hash($0) }
    }

    /// Stored bytes as what they stand for; nil, and noted, when they are of no known form.
    package func decoded<Content>(
        _ bytes: [UInt8]?, _ what: String, session: String,
        _ decode: ([UInt8]) throws(SceneStoreError) -> Content
    ) -> Content? {
        guard let bytes else {
            return nil
        }
        do {
            return try decode(bytes)
        } catch {
            noteUndecodable(what, session: session)
            return nil
        }
    }

    /// Says that a row is whole and yet not understood.
    func noteUndecodable(_ what: String, session: String) {
        let diagnostic = Diagnostic(
            .damagedRow, .error, "the stored \(what) is of no known form and counts as absent",
            sessionIdentifier: session)
        if !diagnostics.contains(diagnostic) {
            diagnostics.append(diagnostic)
        }
    }
}

extension SceneSessionStore {
    /// Stores a session's `userInfo`, property-list values only.
    package func setUserInfo(
        _ userInfo: ValueDictionary, key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let bytes = try core.encodedUserInfo(userInfo)
            try core.set(.userInfo, bytes, of: key, durability: durability)
        }
    }

    /// Stores a session's title, in mode normal.
    package func setTitle(_ title: String?, key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.check(title, path: "title")
            try core.set(.title, title.map { Array($0.utf8) }, of: key, durability: .normal)
        }
    }

    /// Stores where a session's window is, in mode normal.
    package func setPlacement(
        _ placement: ScenePlacement?, key: Int64
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            var bytes: [UInt8]?
            if let placement {
                try core.check(placement.display, path: "display")
                bytes = try ValueCodec.encode(placement, limits: core.limits)
            }
            try core.set(.placement, bytes, of: key, durability: .normal)
        }
    }

    /// Stores the value that a session's window presents (L-87).
    package func setPresentedValue(_ value: Value?, key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            var bytes: [UInt8]?
            if let value {
                bytes = try ValueCodec.encode(
                    value, limits: core.limits, path: "presentedValue")
            }
            let hash = StoreCore.valueHash(bytes)
            try core.set(.presentedValue, bytes, of: key, durability: .normal) { row in
                row.valueHash = row.flags.contains(.ephemeral) ? nil : hash
            }
        }
    }

    /// The open sessions that present a value equal to this one, most recently active first.
    package func recordsWithPresentedValue(
        _ value: Value
    ) throws(SceneStoreError) -> [SessionRecord] {
        try reading { core throws(SceneStoreError) in try core.records(presenting: value) }
    }
}

extension StoreCore {
    /// The open sessions whose window was opened for a value, most recently active first.
    package func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord] {
        let bytes = try ValueCodec.encode(value, path: "presentedValue")
        let hash = Self.hash(bytes)
        let epoch = store.containerEpoch
        let found = try rows(Queries.sessionsWithValueHash, SessionRow.self) {
            statement throws(SQLiteError) in
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
}

extension StoreCore {
    /// The bytes of a `userInfo`; nil for an empty one, which is the same as none.
    func encodedUserInfo(_ userInfo: ValueDictionary) throws(SceneStoreError) -> [UInt8]? {
        guard !userInfo.isEmpty else {
            return nil
        }
        let kept = withoutEphemeralKeys(userInfo)
        try PropertyListCheck.check(kept, path: "userInfo", limits: limits)
        let bytes = try ValueCodec.encode(try storable(kept), limits: limits)
        guard bytes.count <= limits.sessionBytes else {
            throw SceneStoreError(
                .limitExceeded, "userInfo is larger than \(limits.sessionBytes) bytes",
                path: "userInfo")
        }
        return bytes
    }
}
