import SceneStoreSQLite
import SceneStoreValues

/// A state; the payload follows.
package struct StateRow: StoredRow {
    package static let table = StoreTable.state

    package var id: Int64
    package var generation: Int64
    package var savedAt: Int64
    package var contextID: Int64
    package var activityType: String
    package var contentHash: Int64
    package var byteCount: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, generation: Int64, savedAt: Int64, contextID: Int64, activityType: String,
        contentHash: Int64, byteCount: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.generation = generation
        self.savedAt = savedAt
        self.contextID = contextID
        self.activityType = activityType
        self.contentHash = contentHash
        self.byteCount = byteCount
        self.checksum = checksum
    }
}

extension StateRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        generation = try row.integer(at: 1)
        savedAt = try row.integer(at: 2)
        contextID = try row.integer(at: 3)
        activityType = try row.text(at: 4)
        contentHash = try row.integer(at: 5)
        byteCount = try row.integer(at: 6)
        checksum = try row.integer(at: 7)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(generation)
        sealer.add(savedAt)
        sealer.add(contextID)
        sealer.add(activityType)
        sealer.add(contentHash)
        sealer.add(byteCount)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, generation)
        try statement.bind(3, savedAt)
        try statement.bind(4, contextID)
        try statement.bind(5, activityType)
        try statement.bind(6, contentHash)
        try statement.bind(7, byteCount)
        try statement.bind(8, checksum)
    }

    /// The column values in the order of `Queries.updateState`, but for the payload and the row.
    func bindUpdate(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, generation)
        try statement.bind(2, savedAt)
        try statement.bind(3, contextID)
        try statement.bind(4, activityType)
        try statement.bind(5, contentHash)
        try statement.bind(6, byteCount)
        try statement.bind(7, checksum)
    }

    /// What the history's policy judges.
    package var entry: HistoryPolicy.Entry {
        HistoryPolicy.Entry(
            slot: Int(id & 255), generation: generation, savedAt: savedAt,
            contentHash: contentHash, byteCount: Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
package struct SessionValueRow: StoredRow {
    package static let table = StoreTable.sessionValue

    package var id: Int64
    package var contentHash: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, contentHash: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.contentHash = contentHash
        self.checksum = checksum
    }
}

extension SessionValueRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        contentHash = try row.integer(at: 1)
        checksum = try row.integer(at: 2)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(contentHash)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, contentHash)
        try statement.bind(3, checksum)
    }
}

/// A value of scene storage; the payload follows.
package struct StorageRow: StoredRow {
    package static let table = StoreTable.sceneStorage

    package var id: Int64
    var sessionID: Int64
    package var key: String
    package var contentHash: Int64
    package var checksum: Int64 = 0
}

extension StorageRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        sessionID = try row.integer(at: 1)
        key = try row.text(at: 2)
        contentHash = try row.integer(at: 3)
        checksum = try row.integer(at: 4)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(sessionID)
        sealer.add(key)
        sealer.add(contentHash)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, sessionID)
        try statement.bind(3, key)
        try statement.bind(4, contentHash)
        try statement.bind(5, checksum)
    }
}
