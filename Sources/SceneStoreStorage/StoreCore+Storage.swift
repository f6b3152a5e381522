import SceneStoreSQLite
import SceneStoreValues

/// Scene storage: values by key, for each session its own (L-86).
extension StoreCore {
    /// The row and bytes of a key.
    private func storage(
        _ key: Int64, _ name: String
    ) throws(SceneStoreError) -> (row: StorageRow, bytes: [UInt8]?)? {
        var result: (row: StorageRow, bytes: [UInt8]?)?
        try each(Queries.storageValue, StorageRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, key)
            try statement.bind(2, name)
        } _: { row, statement throws(SceneStoreError) in
            let isRight = row.sessionID == key && row.key.hasSameBytes(as: name)
            guard isAsked(isRight, .sceneStorage, row.id) else {
                return true
            }
            let bytes = try withPayload(
                statement, of: .sceneStorage, id: row.id, hash: row.contentHash
            ) { Array($0) }
            result = (row, bytes)
            return false
        }
        return result
    }

    /// The value of a key, with the mark that it may have.
    package func storageValue(_ key: Int64, _ name: String) throws(SceneStoreError) -> Value? {
        let bytes = try storage(key, name)?.bytes
        return decoded(bytes, "scene storage", session: caches[key]?.row.identifier ?? "") {
            bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
        }
    }

    /// All values, with the marks that they may have.
    package func storageValues(_ key: Int64) throws(SceneStoreError) -> [String: Value] {
        var result: [String: Value] = [:]
        try each(Queries.storageValues, StorageRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, key)
        } _: { row, statement throws(SceneStoreError) in
            guard isAsked(row.sessionID == key, .sceneStorage, row.id) else {
                return true
            }
            let bytes = try withPayload(
                statement, of: .sceneStorage, id: row.id, hash: row.contentHash
            ) { Array($0) }
            result[row.key] = decoded(bytes, "scene storage", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
            }
            return true
        }
        return result
    }

    package func setStorage(
        _ values: [String: Value?], key: Int64, durability: Durability
    ) throws(SceneStoreError) {
        let session = try openSession(key)
        var changed: [(name: String, old: StorageRow?, bytes: [UInt8]?)] = []
        for (name, value) in values {
            try check(name, path: "storage")
            var bytes: [UInt8]?
            if let value {
                bytes = try storable(
                    value, name: name, path: KeyPathText.text("storage", .key(name)))
            }
            guard !session.row.flags.contains(.ephemeral) else {
                continue
            }
            let old = try storage(key, name)
            if (old == nil && bytes == nil) || (bytes != nil && old?.bytes == bytes) {
                continue
            }
            changed.append((name, old?.row, bytes))
        }
        guard !changed.isEmpty else {
            return
        }
        try write(durability) { () throws(SceneStoreError) in
            for change in changed.sorted(by: { $0.name.precedes($1.name) }) {
                try put(change.name, change.old, change.bytes, of: key)
            }
            note(.change, session.row.identifier, "scene storage")
        }
    }

    private func put(
        _ name: String, _ old: StorageRow?, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        guard let bytes else {
            if let old {
                try delete(old.id, checksum: old.checksum, Queries.deleteStorageValue)
            }
            return
        }
        guard let old else {
            let row = StorageRow(
                id: nextID(), sessionID: key, key: name, contentHash: Self.hash(bytes))
            return try insert(row, Queries.insertStorageValue, payload: bytes)
        }
        var row = old
        row.contentHash = Self.hash(bytes)
        row.seal(sealer)
        let sealed = row
        try bytes.lend { bytes throws(SceneStoreError) in
            try run(Queries.updateStorageValue) { statement throws(SQLiteError) in
                try statement.bind(1, sealed.contentHash)
                try statement.bind(2, sealed.checksum)
                try statement.bind(3, bytes)
                try statement.bind(4, sealed.id)
            }
        }
        digest(from: old.checksum, to: row.checksum)
    }
}

extension SceneSessionStore {
    /// A value of a session's scene storage.
    package func storageValue(key: Int64, name: String) throws(SceneStoreError) -> Value? {
        try reading { core throws(SceneStoreError) in
            try core.storageValue(key, name).map { core.shown($0, \.revealed) }
        }
    }

    /// A session's scene storage.
    package func storageValues(key: Int64) throws(SceneStoreError) -> [String: Value] {
        try reading { core throws(SceneStoreError) in
            try core.storageValues(key).mapValues { core.shown($0, \.revealed) }
        }
    }

    /// Stores values of a session's scene storage in one transaction; nil removes a key. Values
    /// equal to the stored ones cost no write.
    package func setStorage(
        _ values: [String: Value?], key: Int64, durability: Durability = .normal
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setStorage(values, key: key, durability: durability)
        }
    }
}
