import SceneStoreSQLite

/// The one row of the store's own table.
struct StoreRow: StoredRow {
    static let table = StoreTable.store

    var uuid: [UInt8]
    var containerEpoch: Int64
    var ownerEpoch: Int64
    var generation: Int64
    var lastID: Int64
    var openCount: Int64
    var openDigest: Int64
    var rowDigest: Int64
    var eventCount: Int64
    var launchNumber: Int64
    var launchState: LaunchState
    var restoringSession: Int64?
    var erasurePending: Bool
    var featuresIgnorable: Int64
    var featuresReadOnly: Int64
    var featuresRequired: Int64
    var appIdentifier: String?
    var writtenBy: String
    var createdAt: Int64
    var checksum: Int64 = 0
}

extension StoreRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
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

    func feed(_ sealer: RowSealer) {
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

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
    var isPlausible: Bool {
        let counters = [
            containerEpoch, ownerEpoch, generation, lastID, openCount, eventCount, launchNumber,
        ]
        return uuid.count == 16 && counters.allSatisfy { (0...(1 << 54)).contains($0) }
    }

    /// How the last process that began a launch ended.
    enum LaunchState: Int64, Sendable {
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
