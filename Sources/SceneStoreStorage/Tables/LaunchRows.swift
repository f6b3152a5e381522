import SceneStoreValues

/// The tombstone of a session.
package struct DiscardRow: StoredRow {
    package static let table = StoreTable.discard
    package static let description = TableDescription("discard", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var identifier = ""
    package var configurationID: Int64 = 0
    package var cause = ""
    package var delivery: Int64 = 0
    package var offeredLaunch: Int64 = 0
    package var discardedAt: Int64 = 0
    package var generation: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
package struct LaunchRow: StoredRow {
    package static let table = StoreTable.launch
    package static let description = TableDescription("launch", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 { number }
    package var number: Int64 = 0
    package var epoch: Int64 = 0
    package var reason = ""
    package var startedAt: Int64 = 0
    package var endedAt: Int64?
    var endedHow: String?
    package var contextID: Int64 = 0
    package var bootIdentifier = ""
    package var processIdentifier: Int64 = 0
    package var generation: Int64 = 0
    package var expected: Int64 = 0
    package var restored: Int64 = 0
    package var held: Int64 = 0
    package var withheld: Int64 = 0
    package var lost: Int64 = 0
    package var discarded: Int64 = 0
    package var evicted: Int64 = 0
    package var declined: Int64 = 0
    package var parked: Int64 = 0
    package var stale: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
        try column("parked", &parked)
        try column("stale", &stale)
    }
}

extension LaunchRow {
    /// How many sessions had an outcome (S-40).
    package subscript(outcome: LaunchOutcome) -> Int64 {
        get { self[keyPath: Self.column(of: outcome)] }
        set { self[keyPath: Self.column(of: outcome)] = newValue }
    }

    private static func column(of outcome: LaunchOutcome) -> WritableKeyPath<Self, Int64> {
        switch outcome {
        case .restored: \.restored
        case .held: \.held
        case .withheld: \.withheld
        case .lost: \.lost
        case .discarded: \.discarded
        case .evicted: \.evicted
        case .declined: \.declined
        case .parked: \.parked
        case .stale: \.stale
        }
    }
}

/// A session that a launch did not simply restore.
package struct LaunchExceptionRow: StoredRow {
    package static let table = StoreTable.launchException
    package static let description = TableDescription("launch_exception", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "launch", condition: "launch.number = launch_exception.launch")

    package var id: Int64 = 0
    package var launch: Int64 = 0
    package var sessionIdentifier = ""
    package var outcome = ""
    package var reason = ""
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("launch", &launch, [.fixed, .counter])
        try column("session_identifier", &sessionIdentifier, .fixed)
        try column("outcome", &outcome, .fixed)
        try column("reason", &reason, .fixed)
    }
}
