import SceneStoreValues

/// A migration that ran.
package struct MigrationRow: StoredRow {
    package static let table = StoreTable.migration
    package static let description = TableDescription("migration", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 { number }
    package var number: Int64 = 0
    package var name = ""
    package var textChecksum: Int64 = 0
    var appliedAt: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("number", &number)
        try column("name", &name)
        try column("text_checksum", &textChecksum)
        try column("applied_at", &appliedAt)
    }
}

/// A configuration that sessions remember.
package struct ConfigurationRow: StoredRow {
    package static let table = StoreTable.configuration
    package static let description = TableDescription("configuration", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var role = ""
    package var name: String?
    package var sceneClass: String?
    package var delegateClass: String?
    package var storyboard: String?
    package var immersionStyle: String?
    package var resolution: Int64 = 0
    package var openSessions: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
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
package struct ConditionsRow: PayloadRow {
    package static let table = StoreTable.conditions
    package static let description = TableDescription("conditions", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var contentHash: Int64 = 0
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("content_hash", &contentHash)
    }
}

/// What states were saved under, and what the last launch under it declared (S-43).
package struct SaveContextRow: StoredRow {
    package static let table = StoreTable.saveContext
    package static let description = TableDescription("save_context", of: Self.self)
    package static var blank: Self { Self() }

    package var id: Int64 = 0
    package var epoch: Int64 = 0
    package var appVersion: String?
    package var systemVersion: String?
    package var idiom: String?
    package var declared: String?
    package var checksum: Int64 = 0

    package mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure) {
        try column("id", &id)
        try column("epoch", &epoch, .counter)
        try column("app_version", &appVersion)
        try column("system_version", &systemVersion)
        try column("idiom", &idiom)
        try column("declared", &declared)
    }
}
