import SceneStoreSQLite
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SceneSessionStore {
    /// The ways to open a container.
    ///
    /// ```swift
    /// var options = SceneSessionStore.Options()
    /// options.access = .reader
    /// let store = try SceneSessionStore.open(at: .directory(path), options: options)
    /// let isOwner = store.isOwner  // false
    /// ```
    public enum Access: Sendable, Hashable {
        /// The app: takes the owner lock and begins launches.
        case owner
        /// A tool or the system, while the app is not running: takes the owner lock.
        case editor
        /// Reads only: changes no byte of any file and makes no other process wait.
        case reader
    }

    /// What a reader may be shown besides a sound container of this user and this version.
    package enum Lenience: Sendable, Hashable {
        /// A store that is not in its place: a file by itself, or what another user has.
        case anyPlace
        /// An older version's store, migrated.
        case older
        /// What this version knows of a newer version's store, also of one that asks to be refused (S-05).
        case newer
    }

    /// The ways in which an owner treats a damaged store (S-11).
    ///
    /// Every policy except ``fail`` moves the complete file into `quarantine/`, and tells so. The module
    /// `SceneStoreRecovery` adds `salvage`, which brings back what can be read of it.
    ///
    /// ```swift
    /// var options = SceneSessionStore.Options()
    /// options.corruption = .restoreBackup
    /// ```
    public struct CorruptionPolicy: Sendable, Equatable {
        private enum Kind {
            case salvage, restoreBackup, startEmpty, fail
        }

        private let kind: Kind
        /// What reads a damaged store, for an app that brought it.
        package let salvager: (any Salvaging)?

        /// The newest sound backup takes its place; without one, a store that holds nothing.
        public static let restoreBackup = Self(.restoreBackup)
        /// A store that holds nothing takes its place.
        public static let startEmpty = Self(.startEmpty)
        /// Opening throws ``SceneStoreError/Code/corrupt`` and changes nothing.
        public static let fail = Self(.fail)

        private init(_ kind: Kind) {
            self.kind = kind
            salvager = nil
        }

        package init(salvager: any Salvaging) {
            kind = .salvage
            self.salvager = salvager
        }

        /// Whether two policies treat a damaged store in the same way.
        public static func == (left: Self, right: Self) -> Bool { left.kind == right.kind }
    }

    /// The options for opening a store, and for the data that it keeps.
    ///
    /// ```swift
    /// var options = SceneSessionStore.Options()
    /// options.redactedKeys = ["account"]  // stored, and never shown
    /// options.ephemeralKeys = ["password"]  // never stored
    /// ```
    public struct Options: Sendable {
        /// The way to open the container; the owner by default.
        public var access: Access = .owner
        /// The time in milliseconds since 1970. It is called while the store is locked, so it must
        /// not call the store.
        public var clock: @Sendable () -> Int64
        /// The closure that makes the identity of a new store, and new identifiers during an
        /// import.
        package var makeUUID: @Sendable () -> UUID
        /// The app that the store belongs to, recorded in a new store.
        public var appIdentifier: String?
        /// The limits of stored values. A limit above its default counts as the default.
        public var limits = Limits()
        /// The policy for earlier states.
        public var history = HistoryPolicy()
        /// Days for which closed sessions can be reopened; 14. The limit that is reached first counts,
        /// and windows that were closed in one action expire together (S-50).
        public var closedDays = 14
        /// The number of closings that are kept, each of one window or of a group; 25. As many
        /// sessions that expired are kept beside them. Zero keeps none.
        public var closedCapacity = 25
        /// Sessions in all closings; 1 000. The last closing is kept however many windows it closed.
        public var closedSessionCapacity = 1_000
        /// Entries of the journal; 10 000, at least 1. Saves take none.
        package var journalCapacity = 10_000
        /// Launches that are remembered; 1 000, at least 1.
        package var launchCapacity = 1_000
        /// Tombstones of delivered discards that are remembered; 10 000.
        package var discardCapacity = 10_000
        /// Milliseconds to wait for another process that is writing; 2 000.
        ///
        /// Then the call throws ``SceneStoreError/Code/busy``.
        public var busyTimeout = 2_000
        /// Milliseconds to wait for another owner to release the container, before
        /// ``SceneStoreError/Code/owned``;
        /// 0. The wait blocks the calling thread.
        public var ownerTimeout = 0
        /// Keys whose values never reach the disk (S-70).
        ///
        /// They are keys of scene storage, and top-level keys in the user info of states,
        /// activities and sessions. A running process has the values; after a relaunch, or in a
        /// scene that was evicted, they are gone. A value that was stored under such a key before
        /// stays in the history until that is pruned.
        public var ephemeralKeys: Set<String> = []
        /// Keys whose values exports, reports and merged databases leave out (S-70).
        ///
        /// They name the same places as ``ephemeralKeys``. Their values come back like all others.
        /// They are marked in the file when they are written, so that exports without the app leave
        /// them out as well. A value that was stored under such a key before has no mark until it
        /// is written again.
        public var redactedKeys: Set<String> = []
        /// Whether values of ``redactedKeys`` are read without their mark, as the app wants them.
        package var revealsRedactedValues = true
        /// The most memory that SQLite uses for the file's pages, in KiB; nil keeps its default, 2
        /// 000 KiB.
        ///
        /// At least 32, at most 1 048 576. Pages are kept only once they are read, so a small store
        /// takes less. A transaction that changes more than fits writes pages to the log early.
        /// Idle work gives all of them back.
        public var pageCacheKibibytes: Int?
        /// Compiled SQL statements that are kept; nil keeps all that were used, some 5 KB each. At
        /// least 8. If there are more, all statements that aren't in use are dropped, and compiled
        /// again when they are needed. Idle work drops those that were used at most once since the
        /// previous idle work.
        public var statementCacheCapacity: Int?
        /// Whether an owner closes its connection to SQLite when idle work has nothing left to do;
        /// false. This is for servers with many open stores. A store at rest has two descriptors
        /// (its folder's and its lock's) instead of five, and none of SQLite's memory.
        ///
        /// The container stays owned. The next call that needs the file opens it again and throws
        /// ``SceneStoreError/Code/moved`` or ``SceneStoreError/Code/replaced`` if that isn't the
        /// same file; then it writes nothing. Closing copies the log, with three syncs at most;
        /// opening again writes nothing. A store that can no longer be written stays open, and so
        /// does one whose log a reader uses.
        ///
        /// Under a ``SceneApplication`` the windows go on in memory instead, with all that the
        /// store held (``SceneApplication/storeRefusal``). Such a store keeps a third descriptor at
        /// rest, the file's, so that the file can still be read if somebody moved or deleted it.
        /// Without an application, a file that is deleted at rest is gone.
        ///
        /// ``SceneApplication/performIdleWork(budgetMilliseconds:)`` closes the connection. A
        /// scheduler calls that method itself, within 30 seconds of an event.
        public var closesWhenIdle = false
        /// The way in which an owner treats a damaged store; the newest sound backup takes its place.
        public var corruption = CorruptionPolicy.restoreBackup
        /// The way in which an owner treats a store that is older than the one that was closed.
        ///
        /// By default it accepts the store and reports it.
        public var rollback = RollbackPolicy.accept
        /// What a reader is shown that is refused otherwise.
        package var lenience: Set<Lenience> = []
        /// Another file system below SQLite, such as a simulated disk; POSIX checks are skipped.
        package var vfs: String?
        /// Makes SQLite's calls fail in tests.
        package var fault: FaultSeam?
        /// The bytes that the disk has left, in tests.
        package var room: (@Sendable () -> UInt64)?
        /// Called when the owner's lock was taken and nothing is opened yet: perhaps twice, and again
        /// whenever a store that was let go is taken back. Also before a store is replaced.
        package var whenOwned: (@Sendable (ContainerFolder) throws(SceneStoreError) -> Void)?
        /// Told how far long work is; it may end it. Called while the store is locked.
        package var workObserver: WorkObserver?
        /// Whether an owner's opening goes on in memory where the file can't be written (L-17).
        package var beginsInMemory = true
        /// Called before a store that holds something is migrated (S-04), with its directory and
        /// the version of its schema: makes a backup, or throws to leave the store as it is.
        package var beforeMigration:
            (@Sendable (_ directory: String, _ version: Int) throws(SceneStoreError) -> Void)?

        /// The defaults: the system's clock and random identities.
        public init() {
            clock = {
                let milliseconds = (Date().timeIntervalSince1970 * 1000).rounded(.down)
                return Int64(exactly: milliseconds) ?? 0
            }
            makeUUID = { UUID() }
        }
    }

    /// The place of a container (S-01).
    ///
    /// ```swift
    /// let memory = SceneSessionStore.Location.memory  // for previews and tests
    /// let folder = SceneSessionStore.Location.directory("/var/lib/notes")
    /// ```
    public enum Location: Sendable, Hashable {
        /// A directory that contains only `scenes.sqlite`, the lock file, backups and set-aside
        /// files.
        case directory(String)
        /// No file at all: for previews, tests, and when no disk is usable (S-14).
        case memory

        /// Returns the default location of an app's container.
        ///
        /// It is in `$XDG_STATE_HOME` (or else `~/.local/state`), on Apple platforms in Application
        /// Support, by bundle identifier and profile. Two profiles never share a container, even if
        /// the file system ignores case.
        ///
        /// Throws ``SceneStoreError/Code/invalidLocation`` for an empty or overlong name, and
        /// ``SceneStoreError/Code/missing`` if there is no home folder.
        public static func standard(
            bundleIdentifier: String, profile: String = "default"
        ) throws(SceneStoreError) -> Location {
            try standard(
                bundleIdentifier: bundleIdentifier, profile: profile,
                environment: System.environment)
        }

        /// The default place, under other environment variables than the process's.
        package static func standard(
            bundleIdentifier: String, profile: String = "default",
            environment: (String) -> String?
        ) throws(SceneStoreError) -> Location {
            try translating {
                .directory(
                    try DefaultContainerPath.path(
                        bundleIdentifier: bundleIdentifier, profile: profile,
                        environment: environment))
            }
        }
    }

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

    /// An older file that the opening found in the place of the store that was closed last, for example
    /// because a person copied a backup back; nil if there was none.
    ///
    /// ```swift
    /// if let rollback = store.rollback {
    ///     warnings.append("The windows are those of \(rollback.lastUsedAt).")
    /// }
    /// ```
    ///
    /// It has the time when the newer store was closed, nil if it isn't recorded, and the time when the
    /// present store was used last, in milliseconds since 1970.
    public var rollback: (closedAt: Int64?, lastUsedAt: Int64)? {
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
