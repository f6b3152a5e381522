import SceneStoreSQLite
import SceneStoreValues

/// Reading rows with the bytes that they hold, which prove themselves.
extension Database {
    /// Gives each whole row that is what a query asks for to a body, with its payload; nil for a
    /// payload that is damaged.
    package func eachWithPayload<Row: PayloadRow>(
        _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        isAsked: (Row) -> Bool = { _ in true },
        _ body: (Row, [UInt8]?) throws(SceneStoreError) -> Bool
    ) throws(SceneStoreError) {
        try each(query, bind) { row, statement throws(SceneStoreError) in
            guard self.isAsked(isAsked(row), Row.table, row.id) else {
                return true
            }
            return try body(row, try withPayload(statement, row) { Array($0) })
        }
    }

    /// Lends a row and its payload to a body, if both are whole.
    func withRow<Row: PayloadRow, Result>(
        _: Row.Type, _ id: Int64,
        _ body: (Row, UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        var result: Result?
        try each(Row.byNumber, binding(id)) { row, statement throws(SceneStoreError) in
            guard isAsked(row.id == id, Row.table, row.id) else {
                return true
            }
            result = try withPayload(statement, row) { bytes throws(SceneStoreError) in
                try body(row, bytes)
            }
            return false
        }
        return result
    }

    /// Lends the payload of a row to a body, if it is what the row says; else the row is noted as
    /// damaged and the answer is nil.
    package func withPayload<Row: PayloadRow, Result>(
        _ statement: borrowing Statement, _ row: Row,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        try withPayload(
            statement, of: Row.table, id: row.id, hash: row.contentHash, body)
    }

    package func withPayload<Result>(
        _ statement: borrowing Statement, of table: StoreTable, id: Int64, hash: Int64,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        let index = statement.columnCount - 1
        guard statement.columnType(at: index) == .blob else {
            noteDamage(table, id, "payload")
            return nil
        }
        return try statement.withBlob(at: index) {
            bytes throws(SceneStoreError) -> Result? in
            guard Database.hash(bytes) == hash else {
                noteDamage(table, id, "payload")
                return nil
            }
            return try body(bytes)
        }
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

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    package static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }
}
