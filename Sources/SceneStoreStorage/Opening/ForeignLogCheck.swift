import SceneStoreSQLite
import SceneStoreValues

/// Whether the log beside a database is the database's own: one judgement for the owner, for a
/// repair, and for whoever only looks. Made before anything is written.
///
/// 1. Every commit writes the store's own row. If the file has that row without the log, the log must
///    lead to the same store, and not back: to a later generation or the same.
/// 2. The lock's note of a proper close doesn't condemn a log that adds commits: a power cut may take
///    back the note that the next owner came.
/// 3. If the file can't be read without the log, the lock says whose it was; also if the file's row
///    doesn't prove the record of migrations beside it, so that its page may be another store's.
/// 4. A log whose frames are damaged proves nothing. Salvage judges its commits one by one.
package struct ForeignLogCheck {
    private let log: StoreLog
    private let folder: ContainerFolder
    private let farewell: OwnerLock.Farewell?
    private let settings: Connection.Options
    /// The row in the file itself.
    private let own: StoreRow?
    /// Whether the file has more than its log wrote, and can't be read without it.
    private let isUnreadable: Bool

    /// Reads the file without its log.
    ///
    /// - Parameters:
    ///   - folder: Where the log is.
    ///   - farewell: What the last owner left, if it closed the store properly.
    ///   - settings: How the file is opened, in whatever role.
    package init(
        _ log: StoreLog, in folder: ContainerFolder, after farewell: OwnerLock.Farewell?,
        _ settings: Connection.Options
    ) {
        self.log = log
        self.folder = folder
        self.farewell = farewell
        self.settings = settings
        var settings = settings
        settings.role = .immutable
        guard case .present = log else {
            (own, isUnreadable) = (nil, false)
            return
        }
        guard let file = try? Connection(path: folder.storePath, options: settings) else {
            (own, isUnreadable) = (nil, true)
            return
        }
        let row = Database.provenStoreRow(file)
        let migrator = StoreMigrator(connection: file, options: SceneSessionStore.Options())
        let sealer = RowSealer(uuid: row?.uuid ?? [])
        let record: Void? = try? migrator.checkApplied(upTo: 1, sealer: sealer)
        own = record == nil ? nil : row
        isUnreadable = own == nil && (try? SchemaCheck.contents(of: file).isEmpty) != true
        file.abandon()
    }

    /// Whether SQLite must not see the log at all.
    package var isForeign: Bool {
        // A log without a header is what a power cut may leave of one that a close removed; SQLite
        // reads nothing of it.
        log == .foreign
    }

    /// Whether what a connection shows with the log is not the file's store.
    package func isForeign(to connection: Connection) throws(SceneStoreError) -> Bool {
        guard let row = Database.provenStoreRow(connection) else {
            return false
        }
        guard let own else {
            return isUnreadable ? try Self.isOther(row.uuid, than: folder) : false
        }
        guard row.uuid == own.uuid else {
            return true
        }
        guard row.generation < own.generation else {
            return false
        }
        if let closed = farewell?.closing, own.generation >= closed.generation {
            return true
        }
        return try translating { try WALScan(folder)?.commitsBehind == 0 }
    }

    /// Whether the lock says that another store was in a folder.
    package static func isOther(
        _ uuid: [UInt8], than folder: ContainerFolder
    ) throws(SceneStoreError) -> Bool {
        try translating { try OwnerLock.text(of: folder)?.store }
            .map { $0 != ContentHash.hash(uuid) } ?? false
    }

    /// A copy of the store to look at, without a log that is not the file's own; answers whether that
    /// was left out.
    package func copy() throws(SceneStoreError) -> (connection: Connection, leavesLogOut: Bool) {
        func connection(hasLog: Bool) throws(SceneStoreError) -> Connection {
            try translating {
                var settings = settings
                settings.role = .copy
                settings.image = try InspectionCopy(
                    of: folder, applicationID: settings.applicationID ?? 0, hasLog: hasLog)
                return try Connection(path: folder.storePath, options: settings)
            }
        }
        if !isForeign {
            let copy = try connection(hasLog: true)
            guard try isForeign(to: copy) else {
                return (copy, false)
            }
            copy.abandon()
        }
        return (try connection(hasLog: false), true)
    }

    /// What an owner can't open: the log, or a journal.
    package static func error(of name: String = ContainerName.log) -> SceneStoreError {
        let what = name == ContainerName.log ? "write-ahead log" : "rollback journal"
        return SceneStoreError(
            .orphanedWAL,
            "the \(what) beside the store is not its own, and nothing of it is used",
            path: name)
    }

    /// What whoever only looks is told.
    package static func finding(of name: String = ContainerName.log) -> Diagnostic {
        Diagnostic(
            .foreignLog, .error, error(of: name).message, path: name,
            fix: "the launch moves it to quarantine/; scenestore repair does it now")
    }
}

extension Diagnostic.Code {
    /// The log beside the store belongs to another one, or to an earlier time.
    public static let foreignLog = Self("foreignLog")
    /// The lock file can't be read, so how the last process ended is not known.
    public static let unreadableLock = Self("unreadableLock")

    /// The write-ahead log is damaged or gone, so commits are lost.
    public static let lostCommits = Self("lostCommits")
}

/// Whether a container's log lacks commits that were made: one judgement for the
/// owner that opens the store, for a repair, and for whoever only looks.
///
/// A dead owner's note beside the lock tells best: the epoch under which it wrote, and the last
/// commit that it made durable. Without such a note the log itself is asked. Commits that were not
/// durable may go in a power cut, in any order, and are no reason for an alarm.
package struct LostCommits {
    /// What the owner that died had written down; nil when none did.
    package var debt: OwnerLock.Debt?
    /// Commits behind a damage of the log; 0 where the note tells more.
    package var commitsBehind = 0
    /// Whether the log can't be read at all, and nothing tells what was in it.
    private var isUnreadable = false
    /// Whether something stands in the lock file that no owner wrote.
    private var isLockJunk = false
    /// Whether folders of a container are there, so that this is no copy of files, which has no lock.
    private var isContainer = false

    /// Whether the log's index names frames that the log lacks.
    private var isIndexAhead = false

    /// Looks at a log whose owner left no note of what was durable.
    package init(
        _ folder: ContainerFolder, debt: OwnerLock.Debt?, isLockJunk: Bool = false
    ) throws(ContainerError) {
        self.debt = debt
        self.isLockJunk = isLockJunk
        guard debt?.generation == nil else { return }
        let scan = try WALScan(folder)
        if debt?.isUnknown == true {
            for name in ContainerName.folders {
                if try folder.status(of: name) != nil { isContainer = true }
            }
            isIndexAhead = try WALScan.lacksFrames(scan, in: folder)
        }
        if let scan {
            commitsBehind = scan.commitsBehind
        } else if debt?.isUnknown == true, try folder.status(of: ContainerName.log) != nil {
            isUnreadable = try folder.contents(of: ContainerName.log, limit: 1 << 20)
                .contains { $0 != 0 }
        }
    }

    /// Makes it of the note alone.
    package init(debt: OwnerLock.Debt?) {
        self.debt = debt
    }

    /// Whether an owner has surely written here.
    var hadOwner: Bool { debt?.epoch ?? 0 > 0 || isLockJunk || isIndexAhead }

    /// What the log itself shows, before SQLite reads, and perhaps shortens, it; nil when nothing
    /// is amiss. One commit behind a bad frame is a torn end.
    var damageOfLog: String? {
        guard !isUnreadable else {
            return "the write-ahead log is damaged and can't be read"
        }
        guard commitsBehind >= 2 else {
            return nil
        }
        return "\(commitsBehind) commits behind a damage of the log are out of reach"
    }

    /// What is missing in a store whose own row is known; nil when nothing is.
    package func message(_ row: StoreRow) -> String? {
        if let owed = debt?.generation, row.generation < owed {
            let count = owed - row.generation
            let what = count == 1 ? "1 commit that was" : "\(count) commits that were"
            return "the write-ahead log is damaged or gone: \(what) durable "
                + (count == 1 ? "is" : "are") + " out of reach"
        }
        if let debt, row.ownerEpoch < debt.epoch {
            return "the last process died and its write-ahead log is gone: what it saved since "
                + "its start is not in the file"
        }
        return damageOfLog
    }

    /// What is to be told where the lock file doesn't say how the last process ended: what a log that
    /// is gone or cut short had can't be missed then.
    package func doubt(_ row: StoreRow) -> Diagnostic? {
        guard debt?.isUnknown == true, row.ownerEpoch > 0,
            isLockJunk || isIndexAhead || isContainer && row.launchState == .running
        else { return nil }
        return Diagnostic(
            .unreadableLock, .warning,
            isLockJunk
                ? "owner.lock is damaged, so whether the last changes are all here can't be proved"
                : "owner.lock is missing, and the last process did not end properly, so whether "
                    + "its last changes are all here can't be proved",
            path: ContainerName.lock,
            fix: "nothing, if the windows are as you left them; else restore a backup")
    }

    /// The same as a finding.
    package func finding(_ row: StoreRow) -> Diagnostic? {
        message(row).map {
            Diagnostic(
                .lostCommits, .error, $0, path: ContainerName.log,
                fix: "run scenestore repair before the app runs")
        }
    }
}
