import SceneStoreSQLite

/// The tombstone of a session.
struct DiscardRow: StoredRow {
    static let table = StoreTable.discard

    var id: Int64
    var epoch: Int64
    var identifier: String
    var configurationID: Int64
    var cause: String
    var delivery: Int64
    var offeredLaunch: Int64
    var discardedAt: Int64
    var generation: Int64
    var checksum: Int64 = 0
}

extension DiscardRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        identifier = try row.text(at: 2)
        configurationID = try row.integer(at: 3)
        cause = try row.text(at: 4)
        delivery = try row.integer(at: 5)
        offeredLaunch = try row.integer(at: 6)
        discardedAt = try row.integer(at: 7)
        generation = try row.integer(at: 8)
        checksum = try row.integer(at: 9)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(epoch)
        sealer.add(identifier)
        sealer.add(configurationID)
        sealer.add(cause)
        sealer.add(delivery)
        sealer.add(offeredLaunch)
        sealer.add(discardedAt)
        sealer.add(generation)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, epoch)
        try statement.bind(3, identifier)
        try statement.bind(4, configurationID)
        try statement.bind(5, cause)
        try statement.bind(6, delivery)
        try statement.bind(7, offeredLaunch)
        try statement.bind(8, discardedAt)
        try statement.bind(9, generation)
        try statement.bind(10, checksum)
    }
}

/// A launch and its ledger.
struct LaunchRow: StoredRow {
    static let table = StoreTable.launch

    var number: Int64
    var epoch: Int64
    var reason: String
    var startedAt: Int64
    var endedAt: Int64?
    var endedHow: String?
    var contextID: Int64
    var bootIdentifier: String
    var processIdentifier: Int64
    var generation: Int64
    var expected: Int64
    var restored: Int64
    var held: Int64
    var withheld: Int64
    var lost: Int64
    var discarded: Int64
    var evicted: Int64
    var declined: Int64
    var checksum: Int64 = 0
}

extension LaunchRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        number = try row.integer(at: 0)
        epoch = try row.integer(at: 1)
        reason = try row.text(at: 2)
        startedAt = try row.integer(at: 3)
        endedAt = try row.optionalInteger(at: 4)
        endedHow = try row.optionalText(at: 5)
        contextID = try row.integer(at: 6)
        bootIdentifier = try row.text(at: 7)
        processIdentifier = try row.integer(at: 8)
        generation = try row.integer(at: 9)
        expected = try row.integer(at: 10)
        restored = try row.integer(at: 11)
        held = try row.integer(at: 12)
        withheld = try row.integer(at: 13)
        lost = try row.integer(at: 14)
        discarded = try row.integer(at: 15)
        evicted = try row.integer(at: 16)
        declined = try row.integer(at: 17)
        checksum = try row.integer(at: 18)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(number)
        sealer.add(epoch)
        sealer.add(reason)
        sealer.add(startedAt)
        sealer.add(endedAt)
        sealer.add(endedHow)
        sealer.add(contextID)
        sealer.add(bootIdentifier)
        sealer.add(processIdentifier)
        sealer.add(generation)
        sealer.add(expected)
        sealer.add(restored)
        sealer.add(held)
        sealer.add(withheld)
        sealer.add(lost)
        sealer.add(discarded)
        sealer.add(evicted)
        sealer.add(declined)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, number)
        try statement.bind(2, epoch)
        try statement.bind(3, reason)
        try statement.bind(4, startedAt)
        try statement.bind(5, endedAt)
        try statement.bind(6, endedHow)
        try statement.bind(7, contextID)
        try statement.bind(8, bootIdentifier)
        try statement.bind(9, processIdentifier)
        try statement.bind(10, generation)
        try statement.bind(11, expected)
        try statement.bind(12, restored)
        try statement.bind(13, held)
        try statement.bind(14, withheld)
        try statement.bind(15, lost)
        try statement.bind(16, discarded)
        try statement.bind(17, evicted)
        try statement.bind(18, declined)
        try statement.bind(19, checksum)
    }

    /// Binds what `Queries.updateLaunch` sets.
    func bindUpdate(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, endedAt)
        try statement.bind(2, endedHow)
        try statement.bind(3, expected)
        try statement.bind(4, restored)
        try statement.bind(5, held)
        try statement.bind(6, withheld)
        try statement.bind(7, lost)
        try statement.bind(8, discarded)
        try statement.bind(9, evicted)
        try statement.bind(10, declined)
        try statement.bind(11, checksum)
        try statement.bind(12, number)
    }
}

/// A session that a launch did not simply restore.
struct LaunchExceptionRow: StoredRow {
    static let table = StoreTable.launchException

    var id: Int64
    var launch: Int64
    var sessionIdentifier: String
    var outcome: String
    var reason: String
    var checksum: Int64 = 0
}

extension LaunchExceptionRow {
    init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        launch = try row.integer(at: 1)
        sessionIdentifier = try row.text(at: 2)
        outcome = try row.text(at: 3)
        reason = try row.text(at: 4)
        checksum = try row.integer(at: 5)
    }

    func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(launch)
        sealer.add(sessionIdentifier)
        sealer.add(outcome)
        sealer.add(reason)
    }

    func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, launch)
        try statement.bind(3, sessionIdentifier)
        try statement.bind(4, outcome)
        try statement.bind(5, reason)
        try statement.bind(6, checksum)
    }
}
