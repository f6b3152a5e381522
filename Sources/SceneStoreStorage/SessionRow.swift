import SceneStoreSQLite
import SceneStoreValues

/// A row of the skeleton.
package struct SessionRow: StoredRow {
    package static let table = StoreTable.session

    package var id: Int64
    package var identifierText: IdentifierText
    package var epoch: Int64
    package var configurationID: Int64
    package var isOpen: Bool
    package var isFront: Bool
    package var recency: Int64
    package var stateID: Int64?
    package var crashCount: Int64
    package var flags: SessionFlags
    package var conditionsID: Int64?
    var valueHash: Int64?
    package var createdAt: Int64
    package var lastActiveAt: Int64
    package var savedAt: Int64?
    package var generation: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, identifierText: IdentifierText, epoch: Int64, configurationID: Int64,
        isOpen: Bool, isFront: Bool, recency: Int64, stateID: Int64? = nil, crashCount: Int64,
        flags: SessionFlags, conditionsID: Int64? = nil, valueHash: Int64? = nil, createdAt: Int64,
        lastActiveAt: Int64, savedAt: Int64? = nil, generation: Int64, checksum: Int64 = 0
    ) {
        self.id = id
        self.identifierText = identifierText
        self.epoch = epoch
        self.configurationID = configurationID
        self.isOpen = isOpen
        self.isFront = isFront
        self.recency = recency
        self.stateID = stateID
        self.crashCount = crashCount
        self.flags = flags
        self.conditionsID = conditionsID
        self.valueHash = valueHash
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.savedAt = savedAt
        self.generation = generation
        self.checksum = checksum
    }
}

extension SessionRow {
    /// The persistent identifier.
    package var identifier: String { identifierText.text }

    package init(_ row: borrowing Statement) throws(SQLiteError) {
        // All that can fail comes before the first property: a row that is made piece by piece is
        // copied once more, which costs a twentieth of a launch's skeleton.
        let id = try row.integer(at: 0)
        let identifierText = try row.withTextBytes(at: 1) { bytes throws(SQLiteError) in
            guard let text = IdentifierText(bytes) else {
                throw SQLiteError(.invalidText, "an identifier is not UTF-8")
            }
            return text
        }
        let (run, nulls) = try row.integers(
            from: 2, count: 15, nullable: 0b001_0011_0010_0000, flags: 0b1100)
        self.init(
            id: id, identifierText: identifierText, epoch: run[0], configurationID: run[1],
            isOpen: run[2] != 0, isFront: run[3] != 0, recency: run[4],
            stateID: nulls & 1 << 5 == 0 ? run[5] : nil, crashCount: run[6],
            flags: SessionFlags(rawValue: run[7]),
            conditionsID: nulls & 1 << 8 == 0 ? run[8] : nil,
            valueHash: nulls & 1 << 9 == 0 ? run[9] : nil, createdAt: run[10],
            lastActiveAt: run[11], savedAt: nulls & 1 << 12 == 0 ? run[12] : nil,
            generation: run[13], checksum: run[14])
    }

    /// What a relaunch needs of it. A method, for an initialiser would be given a copy.
    package func record(_ configuration: SharedConfiguration) -> SessionRecord {
        SessionRecord(
            key: id, identifierText: identifierText, isOpen: isOpen, isFront: isFront,
            hasState: stateID != nil, hasConditions: conditionsID != nil,
            configurationKey: configurationID, sharedConfiguration: configuration,
            recency: recency, crashCount: Int(clamping: crashCount), flags: flags,
            createdAt: createdAt, lastActiveAt: lastActiveAt, savedAt: savedAt)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(identifierText)
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
