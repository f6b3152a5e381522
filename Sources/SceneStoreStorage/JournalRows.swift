import SceneStoreSQLite
import SceneStoreValues

/// An entry of the journal.
package struct EventRow: StoredRow {
    package static let table = StoreTable.event

    package var id: Int64
    package var epoch: Int64
    package var serial: Int64
    package var generation: Int64
    package var launch: Int64
    package var happenedAt: Int64
    package var kind: String
    package var sessionIdentifier: String?
    package var detail: String?
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, serial: Int64, generation: Int64, launch: Int64, happenedAt: Int64,
        kind: String, sessionIdentifier: String? = nil, detail: String? = nil, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.serial = serial
        self.generation = generation
        self.launch = launch
        self.happenedAt = happenedAt
        self.kind = kind
        self.sessionIdentifier = sessionIdentifier
        self.detail = detail
        self.checksum = checksum
    }
}

extension EventRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct InboxRow: StoredRow {
    package static let table = StoreTable.inbox

    package var id: Int64
    package var epoch: Int64
    package var sessionIdentifier: String?
    package var dedupeKey: String?
    package var isDone: Bool
    package var offeredLaunch: Int64
    var offeredCount: Int64
    var receivedLaunch: Int64
    package var receivedAt: Int64
    package var generation: Int64
    package var contentHash: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, sessionIdentifier: String? = nil, dedupeKey: String? = nil,
        isDone: Bool, offeredLaunch: Int64, offeredCount: Int64, receivedLaunch: Int64,
        receivedAt: Int64, generation: Int64, contentHash: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.sessionIdentifier = sessionIdentifier
        self.dedupeKey = dedupeKey
        self.isDone = isDone
        self.offeredLaunch = offeredLaunch
        self.offeredCount = offeredCount
        self.receivedLaunch = receivedLaunch
        self.receivedAt = receivedAt
        self.generation = generation
        self.contentHash = contentHash
        self.checksum = checksum
    }
}

extension InboxRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct SavedActivityRow: StoredRow {
    package static let table = StoreTable.savedActivity

    package var id: Int64
    package var epoch: Int64
    package var persistentIdentifier: String?
    package var activityType: String
    package var savedAt: Int64
    package var generation: Int64
    package var contentHash: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, persistentIdentifier: String? = nil, activityType: String,
        savedAt: Int64, generation: Int64, contentHash: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.persistentIdentifier = persistentIdentifier
        self.activityType = activityType
        self.savedAt = savedAt
        self.generation = generation
        self.contentHash = contentHash
        self.checksum = checksum
    }
}

extension SavedActivityRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        persistentIdentifier = try row.optionalText(at: 2)
        activityType = try row.text(at: 3)
        savedAt = try row.integer(at: 4)
        generation = try row.integer(at: 5)
        contentHash = try row.integer(at: 6)
        checksum = try row.integer(at: 7)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(persistentIdentifier)
        sealer.add(activityType)
        sealer.add(savedAt)
        sealer.add(generation)
        sealer.add(contentHash)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct QuarantinedRow: StoredRow {
    package static let table = StoreTable.quarantinedRow

    package var id: Int64
    package var epoch: Int64
    package var tableName: String
    package var rowID: Int64
    package var reason: String
    package var foundAt: Int64
    package var generation: Int64
    package var contentHash: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, tableName: String, rowID: Int64, reason: String, foundAt: Int64,
        generation: Int64, contentHash: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.tableName = tableName
        self.rowID = rowID
        self.reason = reason
        self.foundAt = foundAt
        self.generation = generation
        self.contentHash = contentHash
        self.checksum = checksum
    }
}

extension QuarantinedRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(tableName)
        sealer.add(rowID)
        sealer.add(reason)
        sealer.add(foundAt)
        sealer.add(generation)
        sealer.add(contentHash)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
