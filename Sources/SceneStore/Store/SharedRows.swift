/// A migration that ran.
struct MigrationRow: StoredRow {
    static let table = StoreTable.migration
    static let description = TableDescription("migration", of: Self.self)

    var id: Int64 { number }
    var number: Int64 = 0
    var name = ""
    var textChecksum: Int64 = 0
    var appliedAt: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("number", &number)
        try column("name", &name)
        try column("text_checksum", &textChecksum)
        try column("applied_at", &appliedAt)
    }
}

/// A configuration that sessions remember.
struct ConfigurationRow: StoredRow {
    static let table = StoreTable.configuration
    static let description = TableDescription("configuration", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var role = ""
    var name: String?
    var sceneClass: String?
    var delegateClass: String?
    var storyboard: String?
    var immersionStyle: String?
    var resolution: Int64 = 0
    var openSessions: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("role", &role)
        try column("name", &name)
        try column("scene_class", &sceneClass)
        try column("delegate_class", &delegateClass)
        try column("storyboard", &storyboard)
        try column("immersion_style", &immersionStyle)
        try column("resolution", &resolution)
        try column("open_sessions", &openSessions, .counter)
    }
}

/// Activation conditions; the payload follows.
struct ConditionsRow: PayloadRow {
    static let table = StoreTable.conditions
    static let description = TableDescription("conditions", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var contentHash: Int64 = 0
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("content_hash", &contentHash)
    }
}

/// What states were saved under.
struct SaveContextRow: StoredRow {
    static let table = StoreTable.saveContext
    static let description = TableDescription("save_context", of: Self.self)

    var id: Int64 = 0
    var epoch: Int64 = 0
    var appVersion: String?
    var systemVersion: String?
    var idiom: String?
    var checksum: Int64 = 0

    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("app_version", &appVersion)
        try column("system_version", &systemVersion)
        try column("idiom", &idiom)
    }
}
