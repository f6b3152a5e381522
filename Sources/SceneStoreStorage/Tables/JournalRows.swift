import SceneStoreValues

/// An entry of the journal.
package struct EventRow: StoredRow {
    package static let table = StoreTable.event
    package static let description = TableDescription("event", of: Self.self)
    /// Inserts as many entries as ``batch`` says.
    static let insertBatch = description.insert(rows: batch)
    static let batch = 8
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var serial: Int64 = 0
    package var generation: Int64 = 0
    package var launch: Int64 = 0
    package var happenedAt: Int64 = 0
    package var kind = ""
    package var sessionIdentifier: String?
    package var detail: String?
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
package struct InboxRow: PayloadRow {
    package static let table = StoreTable.inbox
    package static let description = TableDescription("inbox", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var sessionIdentifier: String?
    package var dedupeKey: String?
    package var isDone = false
    package var offeredLaunch: Int64 = 0
    package var offeredCount: Int64 = 0
    package var receivedLaunch: Int64 = 0
    package var receivedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
package struct SavedActivityRow: PayloadRow {
    package static let table = StoreTable.savedActivity
    package static let description = TableDescription("saved_activity", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var persistentIdentifier: String?
    package var activityType = ""
    package var savedAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
package struct QuarantinedRow: PayloadRow {
    package static let table = StoreTable.quarantinedRow
    package static let description = TableDescription("quarantined_row", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var tableName = ""
    package var rowID: Int64 = 0
    package var reason = ""
    package var foundAt: Int64 = 0
    package var generation: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
