import SceneStore
import SceneStoreEngine
import SceneStoreMigrations
import SceneStoreSQLite

/// What is to be said about a container as a whole: its files, its owner, its last launch.
package struct StoreSummary: Sendable {
    /// A file of the container, or all files of one of its folders.
    package struct File: Sendable, Hashable {
        package var name: String
        package var bytes: Int64
        /// How many files it stands for.
        package var count: Int
    }

    /// The container's directory; nil for a store without files.
    package var directory: String?
    /// Its files, by name.
    package var files: [File] = []
    /// Whether a living process owns it.
    package var isOwned = false
    /// That process, as far as it says.
    package var ownerProcess: Int32?
    /// What the write-ahead log holds; nil when there is none.
    package var log: Log?

    package var basics: StoreBasics
    /// Sessions in front at the last transition.
    package var frontSessions = 0
    /// Open sessions that the next launch keeps back, or whose state it does, by what keeps them
    /// (S-44).
    package var obstacles: [LaunchOutcome: Int] = [:]
    /// Open sessions that nothing keeps back, with an earlier state that can be brought back: a
    /// withheld one, or any if there is no current one.
    package var earlierStates = 0
    /// Open sessions that nothing keeps back, without a state because a salvage lost it.
    package var lostStates = 0
    /// Which states a salvage lost.
    package private(set) var lost = LostStates()
    /// Those of ``obstacles`` that are held after crashes, and not by hand.
    package var crashedSessions = 0
    /// Discarded sessions that can be reopened.
    package var closedSessions: Int
    /// Discards that the app has not been told of.
    package var pendingDiscards: Int
    /// Payloads that wait until the app acknowledges them.
    package var waitingPayloads: Int
    /// Payloads that no launch delivers any more, because two processes died of each (L-65).
    package var payloadsSetAside: Int
    /// The last launch.
    package var lastLaunch: LaunchRecord? { lastLaunches.first }
    /// Whether so many of the last launches died, one after the other, that the app is said to.
    package var isDying: Bool {
        lastLaunches.diedInARow(isOwned: isOwned) >= Self.dyingLaunches
    }

    /// Of so many windows without a state earlier ones are looked for: many never had one.
    package static let examinedWithoutState = 50

    /// From so many deaths in a row on, they are worth a look.
    package static let dyingLaunches = 3

    /// The last launches, newest first.
    private var lastLaunches: [LaunchRecord]

    /// What a write-ahead log holds.
    package struct Log: Sendable, Hashable {
        package var bytes: Int64
        /// Pages that wait to be copied into the main file.
        package var frames: Int
        /// Transactions among them.
        package var commits: Int
    }

    /// The version of the SQLite library in use, asked of itself; empty if it does not answer.
    package static var sqliteVersion: String {
        do throws(SQLiteError) {
            let connection = try Connection(path: "", options: Connection.Options(.memory))
            let version = try connection.pragmaText("SELECT sqlite_version()") ?? ""
            try connection.close()
            return version
        } catch {
            return ""
        }
    }

    /// The version of the schema that this library writes.
    package static var currentSchemaVersion: Int { SchemaMigration.currentVersion }

    /// Looks at a store and its files; reads every open session's row, and no state.
    ///
    /// - Parameter container: Where the files and the owner are when the store is a copy.
    package init(
        reading store: SceneSessionStore, filesOf container: String? = nil
    ) throws(SceneStoreError) {
        self = try store.read { db throws(SceneStoreError) in try StoreSummary(db) }
        basics.findings = store.ownDiagnostics + basics.findings
        if case .directory(let path) = store.location {
            try readFiles(container ?? path)
        }
        try judge(store)
        basics.findings += store.takeDiagnostics()
    }

    private init(_ db: Database) throws(SceneStoreError) {
        basics = try StoreBasics(db)
        closedSessions = try db.closedSessions().kept.count
        pendingDiscards = try db.undeliveredDiscards().count
        let waiting = try db.waitingInbox()
        payloadsSetAside = waiting.count { $0.isSetAside }
        waitingPayloads = waiting.count - payloadsSetAside
        lastLaunches = try db.launchRecords(limit: Self.dyingLaunches)
    }

    /// Counts the sessions in front, and those that the next launch keeps back.
    private mutating func judge(_ store: SceneSessionStore) throws(SceneStoreError) {
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
        lost = try LostStates(reading: store)
        let states = lost
        let withoutState: [Int64]
        (frontSessions, crashedSessions, earlierStates, lostStates, obstacles, withoutState) =
            try store.read { db throws(SceneStoreError) in
                var withoutState: [Int64] = []
                var (front, crashed, earlier, lost) = (0, 0, 0, 0)
                var kept: [LaunchOutcome: Int] = [:]
                try db.passOpen(keepsRows: false) { record in
                    front += record.isFront && record.parkedCause != .leftBehind ? 1 : 0
                    let verdict = plan.outlook(for: record)
                    if let obstacle = verdict.obstacle {
                        kept[obstacle, default: 0] += 1
                        crashed += obstacle == .held && !record.isHeldByHand ? 1 : 0
                    } else if verdict.hasWithheldEarlier(record) {
                        earlier += 1
                    } else if !record.hasState, states.includes(record, nil) {
                        lost += 1
                    } else if !record.hasState, withoutState.count < Self.examinedWithoutState {
                        withoutState.append(record.key)
                    }
                }
                return (front, crashed, earlier, lost, kept, withoutState)
            }
        for key in withoutState where try !store.history.versions(key: key).isEmpty {
            earlierStates += 1
        }
    }

    private mutating func readFiles(_ path: String) throws(SceneStoreError) {
        try translating {
            let folder = try ContainerFolder.open(path, access: .inspector)
            directory = folder.path
            if let owner = try OwnerLock.owner(of: folder) {
                isOwned = true
                ownerProcess = owner.process
            }
            for entry in try folder.entries() {
                if entry.status.kind == .regular {
                    files.append(File(name: entry.name, bytes: entry.status.size, count: 1))
                } else if entry.status.kind == .folder,
                    ContainerName.folders.contains(entry.name)
                {
                    let inside = try folder.folder(entry.name).entries()
                    let bytes = inside.reduce(0) { $0 &+ max(0, $1.status.size) }
                    // A sum file beside a backup is a part of it.
                    let count = inside.count { !$0.name.hasSuffix(StoreBackup.checksumSuffix) }
                    files.append(File(name: entry.name + "/", bytes: bytes, count: count))
                }
            }
            try readLog(folder)
        }
    }

    private mutating func readLog(_ folder: ContainerFolder) throws(ContainerError) {
        guard let bytes = try folder.status(of: ContainerName.log)?.size, bytes > 0,
            let scan = try WALScan(folder)
        else {
            return
        }
        log = Log(bytes: bytes, frames: scan.committedFrames, commits: scan.commits)
    }
}

extension SceneSessionStore {
    /// The process that owns the container now, whatever this object is to it; `isOwned` is what
    /// the operating system says, the number what the owner wrote down.
    package func owner() throws(SceneStoreError) -> (isOwned: Bool, process: Int32?) {
        guard case .directory(let path) = location else {
            return (isOwner, nil)
        }
        return try translating {
            let owner = try OwnerLock.owner(of: ContainerFolder.open(path, access: .inspector))
            return (owner != nil, owner?.process)
        }
    }
}
