/// A window's state, as a type that the app defines, with a version.
///
/// ```swift
/// struct NoteState: SavedState {
///     static let activityType = "com.example.note"
///     static let version = 2
///     static let migrations: [StateMigration] = [.from(1, .rename("body", to: "text"))]
///     var text = "", cursor = 0
/// }
/// ```
///
/// ``StatefulSceneDelegate`` and ``StatefulSceneHost`` save and restore it. The version is stored
/// with the state. When a state of an older version is restored, the migrations update a copy, step
/// by step. The stored bytes stay until the window is saved again.
///
/// A state that can't be read is never overwritten (L-54). It is withheld and pinned if it fails to
/// decode, if no migration leads from it, or if a newer version wrote it. The state that the window
/// shows instead is saved next to it. ``SceneApplication/diagnosticHandler`` gets the key path.
///
/// Raise the version whenever a state that is already stored would no longer decode, or would lose
/// something. That is the case for a new property that isn't optional, even with a default, and for
/// a renamed or removed property, or one with another type. A renamed optional property decodes as
/// nil without an error; the diagnostic `unreadKeys` names the key that the type did not read, and
/// the stored state is pinned in the session's history.
public protocol SavedState: Codable, SendableMetatype {
    /// The type of the activity that stores the state, by convention in reverse-DNS form. Not
    /// empty.
    static var activityType: String { get }
    /// The version of the type; 1 unless you say otherwise.
    static var version: Int { get }
    /// The migrations from older versions to this one; empty by default.
    static var migrations: [StateMigration] { get }
    /// The activity types under which earlier versions of the app stored this state; none by default.
    static var formerActivityTypes: [String] { get }
}

extension SavedState {
    /// The first version.
    public static var version: Int { 1 }
    /// There are none.
    public static var migrations: [StateMigration] { [] }
    /// There are none.
    public static var formerActivityTypes: [String] { [] }

    private static func isOwn(_ activity: UserActivity) -> Bool {
        activity.activityType == activityType
            || formerActivityTypes.contains(activity.activityType)
    }

    /// Restores a state from the activity that stores it, and migrates an older version.
    ///
    /// Throws ``SceneStoreError/Code/newerState`` if a newer version wrote it,
    /// ``SceneStoreError/Code/noMigration`` if no migration leads to the current version,
    /// ``SceneStoreError/Code/migrationFailed`` if a migration throws, and
    /// ``SceneStoreError/Code/decodingFailed`` with the key path of the value that doesn't decode.
    public init(restoring activity: UserActivity) throws(SceneStoreError) {
        guard Self.isOwn(activity) else {
            throw SceneStoreError(
                .decodingFailed,
                "the stored state has the type '\(activity.activityType)', and this one"
                    + " '\(Self.activityType)'; if it was renamed, name the earlier one in"
                    + " formerActivityTypes",
                path: "activityType")
        }
        let result = try Self.migrations.migrate(
            activity.userInfo, from: activity.stateVersion, to: Self.version)
        self = try result.decoded(as: Self.self, telling: .current)
    }

    /// Throws why an activity of this type can't be restored; one of another type is somebody else's.
    package static func checkReadable(_ activity: UserActivity) throws(SceneStoreError) {
        if isOwn(activity) {
            _ = try Self(restoring: activity)
        }
    }

    /// Returns the activity that stores the state, with its version.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a state without keys, and
    /// ``SceneStoreError/Code/encodingFailed`` if the state's own encoding throws.
    public func userActivity() throws(SceneStoreError) -> UserActivity {
        var activity = try UserActivity(activityType: Self.activityType)
        activity.userInfo = try ValueDictionary(encoding: self)
        activity.stateVersion = Self.version
        activity.needsSave = false
        return activity
    }
}

/// Who knows the type of an app's states.
package protocol StateReader {
    /// Throws why a state can't be read.
    func checkReadable(_ activity: UserActivity) throws(SceneStoreError)
}

extension SceneStoreError.Code {
    /// A newer version of the app wrote the state.
    public static let newerState = Self("newerState")
    /// No migration leads from the state's version to today's.
    public static let noMigration = Self("noMigration")
    /// A migration of a state failed.
    public static let migrationFailed = Self("migrationFailed")
}
