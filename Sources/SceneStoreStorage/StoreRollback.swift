import SceneStoreValues

/// That an older file was put in the place of the store between two openings, for instance
/// from a backup that a person copied back.
///
/// ```swift
/// if let rollback = store.rollback {
///     warnings.append("The windows are those of \(rollback.lastUsedAt).")
/// }
/// ```
public struct StoreRollback: Sendable, Hashable {
    /// When the newer store was closed, in milliseconds since 1970; nil when that was not written down.
    public var closedAt: Int64?
    /// When the store that is there now was used last, in milliseconds since 1970.
    public var lastUsedAt: Int64
}

extension SceneSessionStore {
    /// What an owner does with a store that is older than the one that it closed.
    ///
    /// ```swift
    /// var options = SceneSessionStore.Options()
    /// options.rollback = .salvageNewer
    /// ```
    public enum RollbackPolicy: String, Sendable, Hashable, CaseIterable {
        /// It goes on with the older one and says so: whoever put it there meant to.
        case accept
        /// The newest whole store in `backups/` or `quarantine/` takes its place, if one is newer;
        /// the older file is set aside.
        case salvageNewer
        /// Opening throws ``SceneStoreError/Code/rolledBack`` and changes nothing.
        case fail
    }

    /// What the opening found, if the store is older than the one that was closed last.
    public var rollback: StoreRollback? {
        core.withLock { $0.damage.rollback }
    }
}

extension SceneStoreError.Code {
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}

extension Diagnostic.Code {
    /// An older file was put in the place of the store.
    public static let rolledBack = Self("rolledBack")
}
