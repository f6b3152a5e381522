import SceneStoreSQLite

/// A row of the skeleton.
struct SessionRow: StoredRow {
    static let table = StoreTable.session

    var id: Int64
    var identifier: String
    var epoch: Int64
    var configurationID: Int64
    var isOpen: Bool
    var isFront: Bool
    var recency: Int64
    var stateID: Int64?
    var crashCount: Int64
    var flags: SessionFlags
    var conditionsID: Int64?
    var valueHash: Int64?
    var createdAt: Int64
    var lastActiveAt: Int64
    var savedAt: Int64?
    var generation: Int64
    var checksum: Int64 = 0
}

extension SessionRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        identifier = try row.text(at: 1)
        epoch = try row.integer(at: 2)
        configurationID = try row.integer(at: 3)
        isOpen = try row.boolean(at: 4)
        isFront = try row.boolean(at: 5)
        recency = try row.integer(at: 6)
        stateID = try row.optionalInteger(at: 7)
        crashCount = try row.integer(at: 8)
        flags = SessionFlags(rawValue: try row.integer(at: 9))
        conditionsID = try row.optionalInteger(at: 10)
        valueHash = try row.optionalInteger(at: 11)
        createdAt = try row.integer(at: 12)
        lastActiveAt = try row.integer(at: 13)
        savedAt = try row.optionalInteger(at: 14)
        generation = try row.integer(at: 15)
        checksum = try row.integer(at: 16)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(identifier)
        sealer.add(epoch)
        sealer.add(configurationID)
        sealer.add(isOpen)
        sealer.add(isFront)
        sealer.add(recency)
        sealer.add(stateID)
        sealer.add(crashCount)
        sealer.add(flags.rawValue)
        sealer.add(conditionsID)
        sealer.add(valueHash)
        sealer.add(createdAt)
        sealer.add(lastActiveAt)
        sealer.add(savedAt)
        sealer.add(generation)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, identifier)
        try statement.bind(3, epoch)
        try statement.bind(4, configurationID)
        try statement.bind(5, isOpen)
        try statement.bind(6, isFront)
        try statement.bind(7, recency)
        try statement.bind(8, stateID)
        try statement.bind(9, crashCount)
        try statement.bind(10, flags.rawValue)
        try statement.bind(11, conditionsID)
        try statement.bind(12, valueHash)
        try statement.bind(13, createdAt)
        try statement.bind(14, lastActiveAt)
        try statement.bind(15, savedAt)
        try statement.bind(16, generation)
        try statement.bind(17, checksum)
    }

    /// Binds what `Queries.updateSession` sets.
    func bindUpdate(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, configurationID)
        try statement.bind(2, isOpen)
        try statement.bind(3, isFront)
        try statement.bind(4, recency)
        try statement.bind(5, stateID)
        try statement.bind(6, crashCount)
        try statement.bind(7, flags.rawValue)
        try statement.bind(8, conditionsID)
        try statement.bind(9, valueHash)
        try statement.bind(10, lastActiveAt)
        try statement.bind(11, savedAt)
        try statement.bind(12, generation)
        try statement.bind(13, checksum)
        try statement.bind(14, id)
    }
}
