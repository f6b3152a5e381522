import SceneStoreSQLite
import SceneStoreValues

/// The one row of the store's own table.
package struct StoreRow: StoredRow {
    package static let table = StoreTable.store

    package var uuid: [UInt8]
    package var containerEpoch: Int64
    package var ownerEpoch: Int64
    package var generation: Int64
    package var lastID: Int64
    package var openCount: Int64
    package var openDigest: Int64
    package var rowDigest: Int64
    package var eventCount: Int64
    package var launchNumber: Int64
    package var launchState: LaunchState
    var restoringSession: Int64?
    package var erasurePending: Bool
    package var featuresIgnorable: Int64
    package var featuresReadOnly: Int64
    package var featuresRequired: Int64
    package var appIdentifier: String?
    package var writtenBy: String
    package var createdAt: Int64
    package var checksum: Int64 = 0

    package init(
        uuid: [UInt8], containerEpoch: Int64, ownerEpoch: Int64, generation: Int64, lastID: Int64,
        openCount: Int64, openDigest: Int64, rowDigest: Int64, eventCount: Int64,
        launchNumber: Int64, launchState: LaunchState, restoringSession: Int64? = nil,
        erasurePending: Bool, featuresIgnorable: Int64, featuresReadOnly: Int64,
        featuresRequired: Int64, appIdentifier: String? = nil, writtenBy: String, createdAt: Int64,
        checksum: Int64 = 0
    ) {
        self.uuid = uuid
        self.containerEpoch = containerEpoch
        self.ownerEpoch = ownerEpoch
        self.generation = generation
        self.lastID = lastID
        self.openCount = openCount
        self.openDigest = openDigest
        self.rowDigest = rowDigest
        self.eventCount = eventCount
        self.launchNumber = launchNumber
        self.launchState = launchState
        self.restoringSession = restoringSession
        self.erasurePending = erasurePending
        self.featuresIgnorable = featuresIgnorable
        self.featuresReadOnly = featuresReadOnly
        self.featuresRequired = featuresRequired
        self.appIdentifier = appIdentifier
        self.writtenBy = writtenBy
        self.createdAt = createdAt
        self.checksum = checksum
    }
}

extension StoreRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        uuid = try row.blobCopy(at: 0)
        containerEpoch = try row.integer(at: 1)
        ownerEpoch = try row.integer(at: 2)
        generation = try row.integer(at: 3)
        lastID = try row.integer(at: 4)
        openCount = try row.integer(at: 5)
        openDigest = try row.integer(at: 6)
        rowDigest = try row.integer(at: 7)
        eventCount = try row.integer(at: 8)
        launchNumber = try row.integer(at: 9)
        launchState = LaunchState(rawValue: try row.integer(at: 10)) ?? .running
        restoringSession = try row.optionalInteger(at: 11)
        erasurePending = try row.boolean(at: 12)
        featuresIgnorable = try row.integer(at: 13)
        featuresReadOnly = try row.integer(at: 14)
        featuresRequired = try row.integer(at: 15)
        appIdentifier = try row.optionalText(at: 16)
        writtenBy = try row.text(at: 17)
        createdAt = try row.integer(at: 18)
        checksum = try row.integer(at: 19)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(uuid)
        sealer.add(containerEpoch)
        sealer.add(ownerEpoch)
        sealer.add(generation)
        sealer.add(lastID)
        sealer.add(openCount)
        sealer.add(openDigest)
        sealer.add(rowDigest)
        sealer.add(eventCount)
        sealer.add(launchNumber)
        sealer.add(launchState.rawValue)
        sealer.add(restoringSession)
        sealer.add(erasurePending)
        sealer.add(featuresIgnorable)
        sealer.add(featuresReadOnly)
        sealer.add(featuresRequired)
        sealer.add(appIdentifier)
        sealer.add(writtenBy)
        sealer.add(createdAt)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(2, containerEpoch)
        try statement.bind(3, ownerEpoch)
        try statement.bind(4, generation)
        try statement.bind(5, lastID)
        try statement.bind(6, openCount)
        try statement.bind(7, openDigest)
        try statement.bind(8, rowDigest)
        try statement.bind(9, eventCount)
        try statement.bind(10, launchNumber)
        try statement.bind(11, launchState.rawValue)
        try statement.bind(12, restoringSession)
        try statement.bind(13, erasurePending)
        try statement.bind(14, featuresIgnorable)
        try statement.bind(15, featuresReadOnly)
        try statement.bind(16, featuresRequired)
        try statement.bind(17, appIdentifier)
        try statement.bind(18, writtenBy)
        try statement.bind(19, createdAt)
        try statement.bind(20, checksum)
    }

    /// Binds what `Queries.updateStore` sets, and what it expects to find.
    func bindUpdate(_ statement: borrowing Statement, expecting old: StoreRow) throws(SQLiteError) {
        try statement.bind(1, containerEpoch)
        try statement.bind(2, ownerEpoch)
        try statement.bind(3, generation)
        try statement.bind(4, lastID)
        try statement.bind(5, openCount)
        try statement.bind(6, openDigest)
        try statement.bind(7, rowDigest)
        try statement.bind(8, eventCount)
        try statement.bind(9, launchNumber)
        try statement.bind(10, launchState.rawValue)
        try statement.bind(11, restoringSession)
        try statement.bind(12, erasurePending)
        try statement.bind(13, writtenBy)
        try statement.bind(14, checksum)
        try statement.bind(15, old.ownerEpoch)
        try statement.bind(16, old.generation)
    }

    /// Whether the counters are such as ordinary use can reach, so that counting on cannot
    /// overflow.
    package var isPlausible: Bool {
        let counters = [
            containerEpoch, ownerEpoch, generation, lastID, openCount, eventCount, launchNumber,
        ]
        return uuid.count == 16 && counters.allSatisfy { (0...(1 << 54)).contains($0) }
    }

    /// How the last process that began a launch ended.
    package enum LaunchState: Int64, Sendable {
        /// The container never saw a launch, or was reset since.
        case never = 0
        /// It said farewell.
        case ended = 1
        /// It runs, or died.
        case running = 2
        /// The user ended it.
        case forceQuit = 3
    }
}
