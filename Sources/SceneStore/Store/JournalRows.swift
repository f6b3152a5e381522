/// An entry of the journal.
struct EventRow: StoredRow {
    static let table = StoreTable.event
    static let description = TableDescription("event", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var serial: Int64 = 0
    var generation: Int64 = 0
    var launch: Int64 = 0
    var happenedAt: Int64 = 0
    var kind = ""
    var sessionIdentifier: String?
    var detail: String?
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("serial", &serial, .counter)
        try column("generation", &generation, .counter)
        try column("launch", &launch, .counter)
        try column("happened_at", &happenedAt)
        try column("kind", &kind)
        try column("session_identifier", &sessionIdentifier)
        try column("detail", &detail)
    }
}

/// A payload of the inbox; the payload itself follows.
struct InboxRow: PayloadRow {
    static let table = StoreTable.inbox
    static let description = TableDescription("inbox", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var sessionIdentifier: String?
    var dedupeKey: String?
    var isDone = false
    var offeredLaunch: Int64 = 0
    var offeredCount: Int64 = 0
    var receivedLaunch: Int64 = 0
    var receivedAt: Int64 = 0
    var generation: Int64 = 0
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("session_identifier", &sessionIdentifier, .fixed)
        try column("dedupe_key", &dedupeKey, .fixed)
        try column("is_done", &isDone)
        try column("offered_launch", &offeredLaunch, .counter)
        try column("offered_count", &offeredCount, .counter)
        try column("received_launch", &receivedLaunch, [.fixed, .counter])
        try column("received_at", &receivedAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("content_hash", &contentHash)
    }
}

/// A saved activity; the payload follows.
struct SavedActivityRow: PayloadRow {
    static let table = StoreTable.savedActivity
    static let description = TableDescription("saved_activity", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var persistentIdentifier: String?
    var activityType = ""
    var savedAt: Int64 = 0
    var generation: Int64 = 0
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("persistent_identifier", &persistentIdentifier, .fixed)
        try column("activity_type", &activityType, .fixed)
        try column("saved_at", &savedAt)
        try column("generation", &generation, .counter)
        try column("content_hash", &contentHash)
    }
}

/// A row that was set aside; its columns follow as the payload.
struct QuarantinedRow: PayloadRow {
    static let table = StoreTable.quarantinedRow
    static let description = TableDescription("quarantined_row", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var tableName = ""
    var rowID: Int64 = 0
    var reason = ""
    var foundAt: Int64 = 0
    var generation: Int64 = 0
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, [.fixed, .counter])
        try column("table_name", &tableName, .fixed)
        try column("row_id", &rowID, .fixed)
        try column("reason", &reason, .fixed)
        try column("found_at", &foundAt, .fixed)
        try column("generation", &generation, [.fixed, .counter])
        try column("content_hash", &contentHash)
    }
}
