/// The tombstone of a session.
struct DiscardRow: StoredRow {
    static let table = StoreTable.discard
    static let description = TableDescription("discard", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var identifier = ""
    var configurationID: Int64 = 0
    var cause = ""
    var delivery: Int64 = 0
    var offeredLaunch: Int64 = 0
    var discardedAt: Int64 = 0
    var generation: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("identifier", &identifier, .fixed)
        try column("configuration_id", &configurationID, [.fixed, .counter])
        try column("cause", &cause, .fixed)
        try column("delivery", &delivery)
        try column("offered_launch", &offeredLaunch, .counter)
        try column("discarded_at", &discardedAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
    }
}

/// A launch and its ledger.
struct LaunchRow: StoredRow {
    static let table = StoreTable.launch
    static let description = TableDescription("launch", of: Self.self)

    var id: Int64 { number }
    var number: Int64 = 0
    var epoch: Int64 = 0
    var reason = ""
    var startedAt: Int64 = 0
    var endedAt: Int64?
    var endedHow: String?
    var contextID: Int64 = 0
    var bootIdentifier = ""
    var processIdentifier: Int64 = 0
    var generation: Int64 = 0
    var expected: Int64 = 0
    var restored: Int64 = 0
    var held: Int64 = 0
    var withheld: Int64 = 0
    var lost: Int64 = 0
    var discarded: Int64 = 0
    var evicted: Int64 = 0
    var declined: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("number", &number)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("reason", &reason, .fixed)
        try column("started_at", &startedAt, .fixed)
        try column("ended_at", &endedAt)
        try column("ended_how", &endedHow)
        try column("context_id", &contextID, [.fixed, .counter])
        try column("boot_identifier", &bootIdentifier, .fixed)
        try column("process_identifier", &processIdentifier, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("expected", &expected)
        try column("restored", &restored)
        try column("held", &held)
        try column("withheld", &withheld)
        try column("lost", &lost)
        try column("discarded", &discarded)
        try column("evicted", &evicted)
        try column("declined", &declined)
    }
}

/// A session that a launch did not simply restore.
struct LaunchExceptionRow: StoredRow {
    static let table = StoreTable.launchException
    static let description = TableDescription("launch_exception", of: Self.self)
    static let owner: RowOwner? = RowOwner(
        table: "launch", condition: "launch.number = launch_exception.launch")

    var id: Int64 = 0
    var launch: Int64 = 0
    var sessionIdentifier = ""
    var outcome = ""
    var reason = ""
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("launch", &launch, [.fixed, .counter])
        try column("session_identifier", &sessionIdentifier, .fixed)
        try column("outcome", &outcome, .fixed)
        try column("reason", &reason, .fixed)
    }
}
