import SceneStoreSQLite
import SceneStoreValues

/// Looking at one row again, in the place where its number says it is.
extension StoreReading where Self: ~Copyable {
    /// Whether a row is there and proves itself, with its payload.
    package func isWhole<Row: StoredRow>(_: Row.Type, _ id: Int64) throws(SceneStoreError) -> Bool {
        var isWhole = false
        try each(Row.byNumber, number(id)) { row, statement throws(SceneStoreError) in
            guard row.id == id else {
                return false
            }
            isWhole = try isPayloadWhole(statement, of: row)
            return false
        }
        return isWhole
    }

    /// Whether a row's payload is what it says; also for a row without one.
    func isPayloadWhole<Row: StoredRow>(
        _ statement: borrowing Statement, of row: Row
    ) throws(SceneStoreError) -> Bool {
        guard let hash = row.payloadHash else {
            return true
        }
        return try withPayload(statement, of: Row.table, id: row.id, hash: hash) { _ in true }
            ?? false
    }
}
