import SceneStoreSQLite

/// An entry of the journal.
struct EventRow: StoredRow {
    static let table = StoreTable.event

    var id: Int64
    var epoch: Int64
    var serial: Int64
    var generation: Int64
    var launch: Int64
    var happenedAt: Int64
    var kind: String
    var sessionIdentifier: String?
    var detail: String?
    var checksum: Int64 = 0
}

extension EventRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        serial = try row.integer(at: 2)
        generation = try row.integer(at: 3)
        launch = try row.integer(at: 4)
        happenedAt = try row.integer(at: 5)
        kind = try row.text(at: 6)
        sessionIdentifier = try row.optionalText(at: 7)
        detail = try row.optionalText(at: 8)
        checksum = try row.integer(at: 9)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(serial)
        sealer.add(generation)
        sealer.add(launch)
        sealer.add(happenedAt)
        sealer.add(kind)
        sealer.add(sessionIdentifier)
        sealer.add(detail)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, serial)
        try statement.bind(4, generation)
        try statement.bind(5, launch)
        try statement.bind(6, happenedAt)
        try statement.bind(7, kind)
        try statement.bind(8, sessionIdentifier)
        try statement.bind(9, detail)
        try statement.bind(10, checksum)
    }

    /// Binds what `Queries.updateEvent` sets.
    func bindUpdate(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, epoch)
        try statement.bind(2, serial)
        try statement.bind(3, generation)
        try statement.bind(4, launch)
        try statement.bind(5, happenedAt)
        try statement.bind(6, kind)
        try statement.bind(7, sessionIdentifier)
        try statement.bind(8, detail)
        try statement.bind(9, checksum)
        try statement.bind(10, id)
    }
}

/// A payload of the inbox; the payload itself follows.
struct InboxRow: StoredRow {
    static let table = StoreTable.inbox

    var id: Int64
    var epoch: Int64
    var sessionIdentifier: String?
    var dedupeKey: String?
    var isDone: Bool
    var offeredLaunch: Int64
    var offeredCount: Int64
    var receivedLaunch: Int64
    var receivedAt: Int64
    var generation: Int64
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension InboxRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        sessionIdentifier = try row.optionalText(at: 2)
        dedupeKey = try row.optionalText(at: 3)
        isDone = try row.boolean(at: 4)
        offeredLaunch = try row.integer(at: 5)
        offeredCount = try row.integer(at: 6)
        receivedLaunch = try row.integer(at: 7)
        receivedAt = try row.integer(at: 8)
        generation = try row.integer(at: 9)
        contentHash = try row.integer(at: 10)
        checksum = try row.integer(at: 11)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(sessionIdentifier)
        sealer.add(dedupeKey)
        sealer.add(isDone)
        sealer.add(offeredLaunch)
        sealer.add(offeredCount)
        sealer.add(receivedLaunch)
        sealer.add(receivedAt)
        sealer.add(generation)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, sessionIdentifier)
        try statement.bind(4, dedupeKey)
        try statement.bind(5, isDone)
        try statement.bind(6, offeredLaunch)
        try statement.bind(7, offeredCount)
        try statement.bind(8, receivedLaunch)
        try statement.bind(9, receivedAt)
        try statement.bind(10, generation)
        try statement.bind(11, contentHash)
        try statement.bind(12, checksum)
    }
}

/// A saved activity; the payload follows.
struct SavedActivityRow: StoredRow {
    static let table = StoreTable.savedActivity

    var id: Int64
    var epoch: Int64
    var persistentIdentifier: String?
    var activityType: String
    var savedAt: Int64
    var generation: Int64
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension SavedActivityRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        persistentIdentifier = try row.optionalText(at: 2)
        activityType = try row.text(at: 3)
        savedAt = try row.integer(at: 4)
        generation = try row.integer(at: 5)
        contentHash = try row.integer(at: 6)
        checksum = try row.integer(at: 7)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(persistentIdentifier)
        sealer.add(activityType)
        sealer.add(savedAt)
        sealer.add(generation)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, persistentIdentifier)
        try statement.bind(4, activityType)
        try statement.bind(5, savedAt)
        try statement.bind(6, generation)
        try statement.bind(7, contentHash)
        try statement.bind(8, checksum)
    }
}

/// A row that was set aside; its columns follow as the payload.
struct QuarantinedRow: StoredRow {
    static let table = StoreTable.quarantinedRow

    var id: Int64
    var epoch: Int64
    var tableName: String
    var rowID: Int64
    var reason: String
    var foundAt: Int64
    var generation: Int64
    var contentHash: Int64
    var checksum: Int64 = 0
}

extension QuarantinedRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        tableName = try row.text(at: 2)
        rowID = try row.integer(at: 3)
        reason = try row.text(at: 4)
        foundAt = try row.integer(at: 5)
        generation = try row.integer(at: 6)
        contentHash = try row.integer(at: 7)
        checksum = try row.integer(at: 8)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(tableName)
        sealer.add(rowID)
        sealer.add(reason)
        sealer.add(foundAt)
        sealer.add(generation)
        sealer.add(contentHash)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, tableName)
        try statement.bind(4, rowID)
        try statement.bind(5, reason)
        try statement.bind(6, foundAt)
        try statement.bind(7, generation)
        try statement.bind(8, contentHash)
        try statement.bind(9, checksum)
    }
}
