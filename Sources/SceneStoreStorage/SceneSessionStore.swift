import SceneStoreSQLite
import SceneStoreValues
import Synchronization

/// The file that remembers an app's windows.
///
/// One process owns a container at a time and writes it; other processes may read it. Every call is
/// synchronous and may come from any thread. When a call that writes returns, its changes are as
/// durable as its mode promises. When it throws, it stored nothing, except with
/// ``SceneStoreError/Code/erasurePending``: then the change was stored, but erased content is still
/// to be removed. Calls that read or write throw ``SceneStoreError/Code/closed`` after ``close()``
/// and ``SceneStoreError/Code/forked`` in a forked child. Calls that write throw
/// ``SceneStoreError/Code/readOnly`` for a reader.
///
/// An app uses its windows through ``SceneApplication``, which calls this class. Tools open a store
/// directly.
///
/// ```swift
/// let store = try SceneSessionStore.open(at: .directory(path))
/// try store.saveActivity(activity)
/// try store.close()
/// ```
///
/// ## Topics
///
/// ### Opening and closing
/// - ``open(at:options:)``
/// - ``close()``
/// - ``suspend()``
/// - ``resume()``
/// - ``isSuspended``
/// - ``isOwner``
/// - ``location``
/// - ``Location``
/// - ``Options``
/// - ``migrationPlan(at:)``
///
/// ### Handing over
/// - ``requestHandOver(at:)``
/// - ``handOverRequest()``
///
/// ### Watching
/// - ``openingDiagnostics``
///
/// ### Saved activities
/// - ``saveActivity(_:)``
/// - ``savedActivities()``
/// - ``deleteSavedActivities(persistentIdentifiers:)``
/// - ``deleteAllSavedActivities()``
///
/// ### Copies
/// - ``backUp(to:replacing:)``
/// - ``restore(from:to:options:keepsOld:)``
/// - ``export(redacting:sessions:)``
/// - ``importing(_:merge:)``
/// - ``checkImport(_:merge:)``
///
/// ### Damage
/// - ``verify(_:budget:)``
/// - ``repair(at:options:)``
/// - ``salvage(from:to:backups:options:progress:)``
/// - ``CorruptionPolicy``
public final class SceneSessionStore: Sendable {
    package let database: DatabaseLock
    /// The application that runs on the store.
    let held = Mutex(ClaimHolder())
    /// Whether this object owns the container and may write.
    public let isOwner: Bool
    /// The problems that were found while the store was opened and did not prevent it.
    ///
    /// A recovery stays among them at later openings until an app was told. A launch of
    /// ``SceneApplication`` and the handler of a `SceneRecorder` count as that, and so does
    /// ``close()``.
    public let openingDiagnostics: [Diagnostic]
    /// The place of the store.
    public let location: Location
    /// Makes stored bytes of values.
    package let encoder: StoreEncoder

    package init(_ db: sending Database, at location: Location) {
        self.location = location
        isOwner = !db.isReader
        encoder = db.encoder
        openingDiagnostics = db.damage.openingDiagnostics
        database = DatabaseLock(db)
    }

    /// Runs a body in a transaction and commits: one body, one commit, and nothing of it when it
    /// throws. A body that changes nothing commits nothing. An app's code never runs in there.
    package func write<Result: Sendable>(
        _ durability: Durability,
        _ body: @Sendable (borrowing Transaction) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try using { db throws(SceneStoreError) in try db.write(durability, body) }
    }

    /// What was noticed since the last call: rows that were set aside, sessions that are lost.
    package func takeDiagnostics() -> [Diagnostic] {
        database.withLock { $0.takeDiagnostics() }
    }

    /// Reports what was noticed since the last call, to an app that knows what the opening noticed.
    /// No later opening repeats either.
    package func tellDiagnostics(_ report: (Diagnostic) -> Void) {
        guard !database.isQuiet else {
            return
        }
        let (found, untold) = database.withLock { db in
            (db.takeDiagnostics(), db.damage.untold)
        }
        found.forEach(report)
        if !untold.isEmpty {
            database.withLock { $0.noteTold(untold) }
        }
    }

    /// The counts of what this object did since it was opened.
    package var counters: StoreCounters {
        database.withLock { db in
            var counters = db.counters
            counters.frames = db.connection.walFrames
            return counters
        }
    }

    /// Counts the transactions that were ever committed to the store; orders everything.
    package func currentGeneration() -> Int64 {
        database.generation
    }

    /// Returns the process that asks for the container by ``requestHandOver(at:)``, or nil.
    ///
    /// The owner decides: it quits, or closes or suspends the store, when it can. The call reads a
    /// line of the lock file. There is no notification; poll it when idle. Returns nil also for a
    /// reader, and while the store is suspended.
    public func handOverRequest() throws(SceneStoreError) -> Int32? {
        try database.withLock { db throws(SceneStoreError) in
            try db.container.handOverRequest()
        }
    }

    /// Asks the process that owns a container to hand it over (S-30).
    ///
    /// The owner may decline. To get the container, open it with an ``Options/ownerTimeout``. Does
    /// nothing if the container has no owner. Throws if there is no container, or its folder or
    /// lock can't be used.
    public static func requestHandOver(at location: Location) throws(SceneStoreError) {
        guard case .directory(let path) = location else {
            return
        }
        try translating {
            let folder = try ContainerFolder.open(path, access: .reader)
            if try OwnerLock.owner(of: folder) != nil {
                try OwnerLock.requestHandOver(of: folder)
            }
        }
    }

    /// Takes the store for one application; two would overwrite each other's windows.
    package func claim(_ claim: ApplicationClaim) throws(SceneStoreError) {
        let isTaken = held.withLock { held in
            held.holder = held.holder ?? claim
            return held.holder === claim
        }
        guard isTaken else {
            throw SceneStoreError(
                .storeInUse, "another application runs on the store already; use that one")
        }
    }

    /// Gives the store back.
    package func release(_ claim: ApplicationClaim) {
        held.withLock { held in
            if held.holder === claim {
                held.holder = nil
            }
        }
    }
}

/// Who runs on a store. It lasts as long as the application that holds it.
package final class ApplicationClaim: Sendable {
    package init() {}
}

/// The claim on a store, if its application is still there.
struct ClaimHolder {
    weak var holder: ApplicationClaim?
}

extension SceneStoreError.Code {
    /// Another application of this process runs on the store.
    public static let storeInUse = Self("storeInUse")
}
