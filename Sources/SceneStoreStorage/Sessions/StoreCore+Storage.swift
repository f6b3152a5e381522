import SceneStoreSQLite
import SceneStoreValues

/// Scene storage: values by key, for each session its own (L-86).
extension StoreReading where Self: ~Copyable {
    /// The row and bytes of a key.
    fileprivate func storage(
        _ key: Int64, _ name: String
    ) throws(SceneStoreError) -> (row: StorageRow, bytes: [UInt8]?)? {
        var result: (row: StorageRow, bytes: [UInt8]?)?
        try eachWithPayload(Queries.storageValue) { statement throws(SQLiteError) in
            try statement.bind(1, key)
            try statement.bind(2, name)
        } isAsked: {
            $0.sessionID == key && $0.key.hasSameBytes(as: name)
        } _: { row, bytes in
            result = (row, bytes)
            return false
        }
        return result
    }

    /// The value of a key, with the mark that it may have.
    package func storageValue(_ key: Int64, _ name: String) throws(SceneStoreError) -> Value? {
        let bytes = try storage(key, name)?.bytes
        return decoded(bytes, "scene storage", session: parts.caches[key]?.row.identifier ?? "") {
            bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
        }
    }

    /// All values, with the marks that they may have.
    package func storageValues(_ key: Int64) throws(SceneStoreError) -> [String: Value] {
        var result: [String: Value] = [:]
        try eachWithPayload(
            Queries.storageValues, number(key), isAsked: { $0.sessionID == key }
        ) { row, bytes in
            result[row.key] = decoded(bytes, "scene storage", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
            }
            return true
        }
        return result
    }
}

extension StoreWriter {
    fileprivate func put(
        _ name: String, _ old: StorageRow?, _ bytes: [UInt8]?, of key: Int64
    ) throws(SceneStoreError) {
        guard let bytes else {
            if let old {
                try delete(old)
            }
            return
        }
        guard var row = old else {
            try insert(
                StorageRow(
                    id: nextID(), sessionID: key, key: name, contentHash: StoreCore.hash(bytes)),
                payload: bytes)
            return
        }
        let counted = row.checksum
        row.contentHash = StoreCore.hash(bytes)
        try update(row, counted: counted, payload: bytes)
    }
}

extension StoreCore {
    package func setStorage(
        _ values: [String: Value?], key: Int64, durability: Durability
    ) throws(SceneStoreError) {
        let session = try openSession(key)
        var changed: [(name: String, old: StorageRow?, bytes: [UInt8]?)] = []
        for (name, value) in values {
            try encoder.check(name, path: "storage")
            var bytes: [UInt8]?
            if let value {
                bytes = try encoder.storable(
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
        try write(durability) { writer throws(SceneStoreError) in
            for change in changed.sorted(by: { $0.name.precedes($1.name) }) {
                try writer.put(change.name, change.old, change.bytes, of: key)
            }
            writer.note(.change, session.row.identifier, "scene storage")
        }
        noteSave(durability)
    }
}

extension SceneSessionStore {
    /// A value of a session's scene storage.
    package func storageValue(key: Int64, name: String) throws(SceneStoreError) -> Value? {
        try read { reader throws(SceneStoreError) in
            try reader.storageValue(key, name).map { reader.encoder.shown($0, \.revealed) }
        }
    }

    /// A session's scene storage.
    package func storageValues(key: Int64) throws(SceneStoreError) -> [String: Value] {
        try read { reader throws(SceneStoreError) in
            try reader.storageValues(key).mapValues { reader.encoder.shown($0, \.revealed) }
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
