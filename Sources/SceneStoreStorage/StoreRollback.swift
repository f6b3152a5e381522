import SceneStoreValues

/// A report that an older file replaced the store between two openings.
///
/// For example, a person copied a backup back.
///
/// ```swift
/// if let rollback = store.rollback {
///     warnings.append("The windows are those of \(rollback.lastUsedAt).")
/// }
/// ```
public struct StoreRollback: Sendable, Hashable {
    /// The time when the newer store was closed, in milliseconds since 1970; nil if it isn't
    /// recorded.
    public var closedAt: Int64?
    /// The time when the present store was used last, in milliseconds since 1970.
    public var lastUsedAt: Int64
}

extension SceneSessionStore {
    /// The ways in which an owner treats a store that is older than the one that it closed.
    ///
    /// ```swift
    /// var options = SceneSessionStore.Options()
    /// options.rollback = .salvageNewer
    /// ```
    public enum RollbackPolicy: String, Sendable, Hashable, CaseIterable {
        /// The owner continues with the older store and reports it, because somebody put it there
        /// on purpose.
        case accept
        /// The newest complete store in `backups/` or `quarantine/` replaces it, if one is newer.
        ///
        /// The older file is set aside.
        case salvageNewer
        /// Opening throws ``SceneStoreError/Code/rolledBack`` and changes nothing.
        case fail
    }

    /// The rollback that the opening found; nil if the store is the one that was closed last.
    public var rollback: StoreRollback? {
        database.withLock { $0.damage.rollback }
    }
}

extension SceneStoreError.Code {
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}

extension Diagnostic.Code {
    /// Another store's file was put in the place of the store.
    public static let otherStore = Self("otherStore")
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}
