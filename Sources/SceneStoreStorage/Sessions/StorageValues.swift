import SceneStoreSQLite
import SceneStoreValues

/// Reads scene storage: values by key, for each session its own (L-86).
extension Database {
    /// The row and bytes of a key.
    func storedValue(
        _ key: Int64, _ name: String
    ) throws(SceneStoreError) -> (row: StorageRow, bytes: [UInt8]?)? {
        var result: (row: StorageRow, bytes: [UInt8]?)?
        try eachWithPayload(
            Queries.storageValue, binding(key, name),
            isAsked: { $0.sessionID == key && $0.key.hasSameBytes(as: name) }
        ) { row, bytes in
            result = (row, bytes)
            return false
        }
        return result
    }

    /// All values, with the marks that they may have.
    package func storageValues(_ key: Int64) throws(SceneStoreError) -> [String: Value] {
        var result: [String: Value] = [:]
        try eachWithPayload(
            Queries.storageValues, binding(key), isAsked: { $0.sessionID == key }
        ) { row, bytes in
            result[row.key] = decoded(bytes, "scene storage", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
            }
            return true
        }
        return result
    }
}

extension Transaction {
    func put(
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
                    id: nextID(), sessionID: key, key: name, contentHash: Database.hash(bytes)),
                payload: bytes)
            return
        }
        let counted = row.checksum
        row.contentHash = Database.hash(bytes)
        try update(row, counted: counted, payload: bytes)
    }
}
