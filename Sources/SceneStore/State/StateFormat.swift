/// The version of a state that an app writes as a ``UserActivity`` itself, and its migrations.
///
/// ```swift
/// options.stateFormats = [
///     StateFormat("com.example.note", version: 2, [.from(1, .rename("body", to: "text"))])
/// ]
/// ```
///
/// Activities of the type are stored with the version. An activity of an older version is migrated,
/// on a copy, before `scene(_:restoreInteractionStateWith:)` gets it. If that fails, the activity
/// is withheld and kept (L-54). A ``SavedState`` brings its own version and needs none of this.
public struct StateFormat: Sendable {
    /// The type of the activities.
    public var activityType: String
    /// The version that the app writes today.
    public var version: Int
    /// The migrations from older versions to it.
    public var migrations: StateMigrations

    /// Makes a format.
    public init(_ activityType: String, version: Int, _ migrations: StateMigrations) {
        self.activityType = activityType
        self.version = version
        self.migrations = migrations
    }
}

extension UserActivity {
    /// Migrates the state to a version, step by step.
    ///
    /// Throws as ``SavedState/init(restoring:)`` does, and then changes nothing.
    public mutating func migrateState(
        to version: Int, by migrations: StateMigrations
    ) throws(SceneStoreError) {
        guard stateVersion != version else {
            return
        }
        let changed = needsSave
        userInfo = try migrations.migrate(userInfo, from: stateVersion, to: version).values()
        stateVersion = version
        needsSave = changed
    }
}
