import SceneStoreValues

/// A state; the payload follows.
package struct StateRow: PayloadRow {
    package static let table = StoreTable.state
    package static let description = TableDescription("state", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = state.id >> 8")

    package var id: Int64 = 0
    package var generation: Int64 = 0
    package var savedAt: Int64 = 0
    package var contextID: Int64 = 0
    package var activityType = ""
    package var contentHash: Int64 = 0
    package var byteCount: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("generation", &generation, .counter)
        try column("saved_at", &savedAt)
        try column("context_id", &contextID, .counter)
        try column("activity_type", &activityType)
        try column("content_hash", &contentHash)
        try column("byte_count", &byteCount)
    }

    /// What the history's policy judges.
    package var entry: HistoryPolicy.Entry {
        HistoryPolicy.Entry(
            slot: Int(id & 255), generation: generation, savedAt: savedAt,
            contentHash: contentHash, byteCount: Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
package struct SessionValueRow: PayloadRow {
    package static let table = StoreTable.sessionValue
    package static let description = TableDescription("session_value", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = session_value.id >> 8")

    package var id: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("content_hash", &contentHash)
    }
}

/// A value of scene storage; the payload follows.
package struct StorageRow: PayloadRow {
    package static let table = StoreTable.sceneStorage
    package static let description = TableDescription("scene_storage", of: Self.self)
    package static var blank: Self { Self() }
    package static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = scene_storage.session_id")

    package var id: Int64 = 0
    package var sessionID: Int64 = 0
    package var key = ""
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("session_id", &sessionID, [.fixed, .counter])
        try column("key", &key, .fixed)
        try column("content_hash", &contentHash)
    }
}
