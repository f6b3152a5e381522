import SceneStoreSQLite
import SceneStoreValues

/// The tombstone of a session.
package struct DiscardRow: StoredRow {
    package static let table = StoreTable.discard

    package var id: Int64
    package var epoch: Int64
    package var identifier: String
    package var configurationID: Int64
    package var cause: String
    package var delivery: Int64
    package var offeredLaunch: Int64
    package var discardedAt: Int64
    package var generation: Int64
    package var checksum: Int64 = 0

    package init(
        id: Int64, epoch: Int64, identifier: String, configurationID: Int64, cause: String,
        delivery: Int64, offeredLaunch: Int64, discardedAt: Int64, generation: Int64,
        checksum: Int64 = 0
    ) {
        self.id = id
        self.epoch = epoch
        self.identifier = identifier
        self.configurationID = configurationID
        self.cause = cause
        self.delivery = delivery
        self.offeredLaunch = offeredLaunch
        self.discardedAt = discardedAt
        self.generation = generation
        self.checksum = checksum
    }
}

extension DiscardRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct LaunchRow: StoredRow {
    package static let table = StoreTable.launch

    package var number: Int64
    package var epoch: Int64
    package var reason: String
    package var startedAt: Int64
    package var endedAt: Int64?
    var endedHow: String?
    package var contextID: Int64
    package var bootIdentifier: String
    package var processIdentifier: Int64
    package var generation: Int64
    package var expected: Int64
    package var restored: Int64
    package var held: Int64
    package var withheld: Int64
    package var lost: Int64
    package var discarded: Int64
    package var evicted: Int64
    package var declined: Int64
    package var checksum: Int64 = 0

    package init(
        number: Int64, epoch: Int64, reason: String, startedAt: Int64, endedAt: Int64? = nil,
        endedHow: String? = nil, contextID: Int64, bootIdentifier: String, processIdentifier: Int64,
        generation: Int64, expected: Int64, restored: Int64, held: Int64, withheld: Int64,
        lost: Int64, discarded: Int64, evicted: Int64, declined: Int64, checksum: Int64 = 0
    ) {
        self.number = number
        self.epoch = epoch
        self.reason = reason
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.endedHow = endedHow
        self.contextID = contextID
        self.bootIdentifier = bootIdentifier
        self.processIdentifier = processIdentifier
        self.generation = generation
        self.expected = expected
        self.restored = restored
        self.held = held
        self.withheld = withheld
        self.lost = lost
        self.discarded = discarded
        self.evicted = evicted
        self.declined = declined
        self.checksum = checksum
    }
}

extension LaunchRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
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

    package func feed(_ sealer: RowSealer) {
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

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
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
package struct LaunchExceptionRow: StoredRow {
    package static let table = StoreTable.launchException

    package var id: Int64
    package var launch: Int64
    package var sessionIdentifier: String
    package var outcome: String
    package var reason: String
    package var checksum: Int64 = 0

    package init(
        id: Int64, launch: Int64, sessionIdentifier: String, outcome: String, reason: String,
        checksum: Int64 = 0
    ) {
        self.id = id
        self.launch = launch
        self.sessionIdentifier = sessionIdentifier
        self.outcome = outcome
        self.reason = reason
        self.checksum = checksum
    }
}

extension LaunchExceptionRow {
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        id = try row.integer(at: 0)
        launch = try row.integer(at: 1)
        sessionIdentifier = try row.text(at: 2)
        outcome = try row.text(at: 3)
        reason = try row.text(at: 4)
        checksum = try row.integer(at: 5)
    }

    package func feed(_ sealer: RowSealer) {
        sealer.add(id)
        sealer.add(launch)
        sealer.add(sessionIdentifier)
        sealer.add(outcome)
        sealer.add(reason)
    }

    package func bind(_ statement: borrowing Statement) throws(SQLiteError) {
        try statement.bind(1, id)
        try statement.bind(2, launch)
        try statement.bind(3, sessionIdentifier)
        try statement.bind(4, outcome)
        try statement.bind(5, reason)
        try statement.bind(6, checksum)
    }
}
