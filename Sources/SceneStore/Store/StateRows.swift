/// A state; the payload follows.
struct StateRow: PayloadRow {
    static let table = StoreTable.state
    static let description = TableDescription("state", of: Self.self)
    static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = state.id >> 8")

    var id: Int64 = 0
    var generation: Int64 = 0
    var savedAt: Int64 = 0
    var contextID: Int64 = 0
    var activityType = ""
    var contentHash: Int64 = 0
    var byteCount: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
    var entry: HistoryPolicy.Entry {
        HistoryPolicy.Entry(
            slot: Int(id & 255), generation: generation, savedAt: savedAt,
            contentHash: contentHash, byteCount: Int(clamping: byteCount))
    }
}

/// A value of a session; the payload follows.
struct SessionValueRow: PayloadRow {
    static let table = StoreTable.sessionValue
    static let description = TableDescription("session_value", of: Self.self)
    static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = session_value.id >> 8")

    var id: Int64 = 0
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("content_hash", &contentHash)
    }
}

/// A value of scene storage; the payload follows.
struct StorageRow: PayloadRow {
    static let table = StoreTable.sceneStorage
    static let description = TableDescription("scene_storage", of: Self.self)
    static let owner: RowOwner? = RowOwner(
        table: "session", condition: "session.id = scene_storage.session_id")

    var id: Int64 = 0
    var sessionID: Int64 = 0
    var key = ""
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("session_id", &sessionID, [.fixed, .counter])
        try column("key", &key, .fixed)
        try column("content_hash", &contentHash)
    }
}
