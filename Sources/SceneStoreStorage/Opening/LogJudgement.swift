import SceneStoreSQLite
import SceneStoreValues

/// Whether the log beside a database is the database's own: one judgement for the owner, for a
/// repair, and for whoever only looks. Made before anything is written.
///
/// 1. Every commit writes the store's own row. If the file has that row without the log, the log must
///    lead to the same store, and not back: to a later generation or the same.
/// 2. The lock's note of a proper close doesn't condemn a log that adds commits: a power cut may take
///    back the note that the next owner came.
/// 3. If the file can't be read without the log, the lock says whose it was.
/// 4. A log whose frames are damaged proves nothing. Salvage judges its commits one by one.
package struct LogJudgement {
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
        own = Self.row(file)
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
        guard let row = Self.row(connection) else {
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
    static func isOther(
        _ uuid: [UInt8], than folder: ContainerFolder
    ) throws(SceneStoreError) -> Bool {
        try translating { try OwnerLock.store(of: folder) }
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

    private static func row(_ connection: Connection) -> StoreRow? {
        guard let row = try? Database.storeRow(connection), row.isWhole(RowSealer(uuid: row.uuid))
        else {
            return nil
        }
        return row
    }

    /// What an owner can't open.
    static var error: SceneStoreError {
        SceneStoreError(.orphanedWAL, message, path: ContainerName.log)
    }

    /// What whoever only looks is told.
    package static var finding: Diagnostic {
        Diagnostic(
            .foreignLog, .error, message, path: ContainerName.log,
            fix: "the launch moves the log to quarantine/; scenestore repair does it now")
    }

    private static let message =
        "the write-ahead log beside the store is not its own; the file has what was saved"
}

extension Diagnostic.Code {
    /// The log beside the store belongs to another one, or to an earlier time.
    public static let foreignLog = Self("foreignLog")
    /// The lock file can't be read, so how the last process ended is not known.
    public static let unreadableLock = Self("unreadableLock")
}
