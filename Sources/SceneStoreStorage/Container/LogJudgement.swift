import SceneStoreSQLite
import SceneStoreValues

/// Whether the log beside a database is the database's own: one judgement for the owner, for a
/// repair, and for whoever only looks. Made before anything is written.
///
/// 1. Every commit writes the store's own row. If the file has that row without the log, the log must
///    lead to the same store, and not back: to a later generation or the same.
/// 2. After a proper close, the log adds nothing to a file that has the generation of the close.
/// 3. A log whose frames are damaged proves nothing. Salvage judges its commits one by one.
package struct LogJudgement {
    private let log: StoreLog
    private let farewell: OwnerLock.Farewell?
    /// The row in the file itself.
    private let own: StoreRow?
    private let isWhole: Bool

    /// Reads the file without its log.
    ///
    /// - Parameters:
    ///   - folder: Where the log is.
    ///   - farewell: What the last owner left, if it closed the store properly.
    ///   - connect: Opens the file in the role `immutable`.
    package init(
        _ log: StoreLog, in folder: ContainerFolder, after farewell: OwnerLock.Farewell?,
        connect: () throws(SceneStoreError) -> Connection
    ) throws(SceneStoreError) {
        self.log = log
        self.farewell = farewell
        guard case .present = log else {
            (own, isWhole) = (nil, false)
            return
        }
        isWhole = try translating { try WALScan(folder)?.commitsBehind == 0 }
        own = Self.row(try? connect(), closing: true)
    }

    /// Whether SQLite must not see the log at all.
    package var isForeign: Bool {
        switch log {
        case .foreign: true
        case .unreadable: farewell != nil
        case .none, .empty, .present: false
        }
    }

    /// Whether what a connection shows with the log is not the file's store.
    package func isForeign(to connection: Connection) -> Bool {
        guard let own, let row = Self.row(connection) else {
            return false
        }
        guard row.uuid == own.uuid else {
            return true
        }
        if let closed = farewell?.closing?.generation, own.generation >= closed {
            return row.generation != own.generation
        }
        return row.generation < own.generation && isWhole
    }

    private static func row(_ connection: Connection?, closing: Bool = false) -> StoreRow? {
        guard let connection else {
            return nil
        }
        defer {
            if closing { connection.abandon() }
        }
        guard let row = try? StoreCore.storeRow(connection), row.isWhole(RowSealer(uuid: row.uuid))
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
