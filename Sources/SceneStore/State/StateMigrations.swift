extension [StateMigration] {
    /// The version that the last step leads to.
    fileprivate var lastVersion: Int { map(\.newVersion).max() ?? 1 }

    /// Leads a state from one version to another.
    func migrate(
        _ state: ValueDictionary, from stored: Int, to current: Int
    ) throws(SceneStoreError) -> MigratedState {
        guard stored <= current else {
            throw SceneStoreError(
                .newerState,
                "version \(stored) of the app's state was written by a newer version of the app;"
                    + " this one reads up to version \(current)", path: "stateVersion")
        }
        var (version, result) = (stored, MigratedState.values(state))
        if stored < current {
            CallbackNotes.current?.note { $0.isMigrated = true }
        }
        while version < current {
            let step = try step(from: version, to: current)
            do throws(SceneStoreError) {
                result = try step.migrate(result)
            } catch {
                var error = error
                error.message = "migrating from version \(version): \(error.message)"
                throw error
            }
            version = step.newVersion
        }
        return result
    }

    private func step(
        from version: Int, to current: Int
    ) throws(SceneStoreError) -> StateMigration {
        let found = filter { $0.oldVersion == version }
        guard found.count == 1, found[0].newVersion > version, found[0].newVersion <= current else {
            throw SceneStoreError(
                .noMigration,
                found.count > 1
                    ? "more than one migration begins at version \(version); keep one"
                    : "no migration leads from version \(version) toward version \(current);"
                        + " add one", path: "stateVersion")
        }
        return found[0]
    }
}

/// One step from a version of a state to a later one.
///
/// ```swift
/// let migrations: [StateMigration] = [
///     .from(1, .rename("body", to: "text"), .drop("draft")),
///     .from(2, NoteV2.self) { NoteV3(text: $0.text, cursor: $0.text.count) },
/// ]
/// try activity.migrateState(to: 3, by: migrations)
/// ```
///
/// At most one step begins at a version. Steps run in order of their versions, on a copy (L-54).
public struct StateMigration: Sendable {
    let oldVersion: Int
    let newVersion: Int
    let migrate: @Sendable (MigratedState) throws(SceneStoreError) -> MigratedState

    /// Returns a step that decodes an older version's type and makes a later one from it.
    ///
    /// The later version is the next one, unless you pass `to`. If the closure throws, the state is
    /// withheld.
    public static func from<Old: Decodable & SendableMetatype, New: Codable & SendableMetatype>(
        _ version: Int, to newVersion: Int? = nil, _ type: Old.Type,
        _ migrate: @escaping @Sendable (Old) throws -> New
    ) -> StateMigration {
        StateMigration(oldVersion: version, newVersion: newVersion ?? version &+ 1) {
            state throws(SceneStoreError) in
            let old = try state.decoded(as: type)
            do {
                return .object(try migrate(old))
            } catch {
                throw SceneStoreError(migration: error)
            }
        }
    }

    /// Returns a step that changes the values themselves, so that you need not keep the older type.
    public static func from(
        _ version: Int, to newVersion: Int? = nil, _ changes: StateChange...
    ) -> StateMigration {
        StateMigration(oldVersion: version, newVersion: newVersion ?? version &+ 1) {
            state throws(SceneStoreError) in
            var values = try state.values()
            for change in changes {
                try change.apply(&values)
            }
            return .values(values)
        }
    }
}

/// A state between two steps: values, or an object that the last step made.
enum MigratedState {
    case values(ValueDictionary)
    case object(any Encodable)

    /// The state as values.
    func values() throws(SceneStoreError) -> ValueDictionary {
        switch self {
        case .values(let values): values
        case .object(let object): try ValueDictionary(encoding: object)
        }
    }

    /// The state as a type. Which keys of a stored state the type does not read, `notes` is told.
    func decoded<State: Decodable>(
        as type: State.Type, telling notes: CallbackNotes? = nil
    ) throws(SceneStoreError) -> State {
        if case .object(let object) = self, let state = object as? State {
            return state
        }
        let values = Value.dictionary(try values())
        guard let notes, case .values = self else {
            return try ValueCoder.decode(type, from: values, path: "userInfo")
        }
        var unread: [String] = []
        let state = try ValueCoder.decode(type, from: values, path: "userInfo", unread: &unread)
        notes.note { $0.unreadKeys = unread }
        return state
    }
}

extension SceneStoreError {
    /// What a migration threw: SceneStore's own errors as they are, another's kind alone, for its
    /// words may be private.
    fileprivate init(migration error: any Error) {
        if let error = error as? SceneStoreError {
            self = error
        } else {
            self.init(
                .migrationFailed, "the app's migration threw \(type(of: error))", path: "userInfo")
        }
    }
}

extension UserActivity {
    /// Migrates the state to a version, step by step.
    ///
    /// Throws as ``SavedState/init(restoring:)`` does, and then changes nothing.
    public mutating func migrateState(
        to version: Int, by migrations: [StateMigration]
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

/// The migrations of activities that an app writes itself, by their types.
extension [String: [StateMigration]] {
    /// An activity with the version of its type, if it has one.
    func versioned(_ activity: UserActivity) -> UserActivity {
        guard let version = self[activity.activityType]?.lastVersion,
            activity.stateVersion != version
        else {
            return activity
        }
        var versioned = activity
        versioned.stateVersion = version
        return versioned
    }

    /// An activity as the app reads it today.
    func migrated(_ activity: consuming UserActivity) throws(SceneStoreError) -> UserActivity {
        guard let migrations = self[activity.activityType] else {
            return activity
        }
        var migrated = activity
        try migrated.migrateState(to: migrations.lastVersion, by: migrations)
        return migrated
    }
}
