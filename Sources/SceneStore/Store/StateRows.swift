import SceneStoreSQLite

/// A state; the payload follows.
struct StateRow: StoredRow {
    static let table = StoreTable.state

    var id: Int64
    var generation: Int64
    var savedAt: Int64
    var contextID: Int64
    var activityType: String
    var contentHash: Int64
    var byteCount: Int64
    var checksum: Int64 = 0
}

extension StateRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        generation = try row.integer(at: 1)
        savedAt = try row.integer(at: 2)
        contextID = try row.integer(at: 3)
        activityType = try row.text(at: 4)
        contentHash = try row.integer(at: 5)
        byteCount = try row.integer(at: 6)
        checksum = try row.integer(at: 7)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(generation)
        sealer.add(savedAt)
        sealer.add(contextID)
        sealer.add(activityType)
        sealer.add(contentHash)
        sealer.add(byteCount)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
    var entry: HistoryPolicy.Entry {
        HistoryPolicy.Entry(
            slot: Int(id & 255), generation: generation, savedAt: savedAt,
            contentHash: contentHash, byteCount: Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
struct SessionValueRow: StoredRow {
    static let table = StoreTable.sessionValue

    var id: Int64
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension SessionValueRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        contentHash = try row.integer(at: 1)
        checksum = try row.integer(at: 2)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, contentHash)
        try statement.bind(3, checksum)
    }
}

/// A value of scene storage; the payload follows.
struct StorageRow: StoredRow {
    static let table = StoreTable.sceneStorage

    var id: Int64
    var sessionID: Int64
    var key: String
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension StorageRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        sessionID = try row.integer(at: 1)
        key = try row.text(at: 2)
        contentHash = try row.integer(at: 3)
        checksum = try row.integer(at: 4)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(sessionID)
        sealer.add(key)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, sessionID)
        try statement.bind(3, key)
        try statement.bind(4, contentHash)
        try statement.bind(5, checksum)
    }
}
