import SceneStoreCSQLite

/// The places at which a test can make SQLite fail; new ones may be added.
package enum SQLiteOperation: Hashable, Sendable, CaseIterable {
    case open
    case configure
    case prepare
    case bind
    case step
    case column
    case reset
    case begin
    case commit
    case rollback
    case checkpoint
    case backup
    case close
}

/// Asked before each call: a result code stands for the call, which is then not made; nil lets
/// it happen.
package typealias FaultSeam = @Sendable (SQLiteOperation) -> Int32?

/// All calls of SQLite's interface. No other file has any, and this file has only calls.
///
/// Each answers SQLite's own result code. The fault seam costs one comparison when absent.
enum Calls {
    // MARK: - The library

    static var version: Int32 { sqlite3_libversion_number() }
    static var isBuiltForThreads: Bool { sqlite3_threadsafe() != 0 }

    static func text(of code: Int32) -> String {
        sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
    }

    // MARK: - Connections

    static func open(
        _ path: String, flags: Int32, vfs: String?, image: InspectionCopy?, fault: FaultSeam?
    ) -> (code: Int32, database: OpaquePointer?) {
        if let code = fault?(.open) { return (code, nil) }
        var database: OpaquePointer?
        let code = sqlite3_open_v2(path, &database, flags, vfs)
        guard code == SQLITE_OK, let image else { return (code, database) }
        let deserialized = sqlite3_deserialize(
            database, "main", UnsafeMutablePointer(bitPattern: image.address),
            Int64(image.size), Int64(image.size), UInt32(SQLITE_DESERIALIZE_READONLY))
        return (deserialized, database)
    }

    static func close(_ database: OpaquePointer, fault: FaultSeam?) -> Int32 {
        let code = sqlite3_close(database)
        // Made in any case, so that tests leak nothing.
        return fault?(.close) ?? code
    }

    static func message(of database: OpaquePointer) -> UnsafePointer<CChar>? {
        sqlite3_errmsg(database)
    }

    static func extendedCode(of database: OpaquePointer) -> Int32 {
        sqlite3_extended_errcode(database)
    }

    static func systemCode(of database: OpaquePointer) -> Int32 {
        sqlite3_system_errno(database)
    }

    /// Sets a Boolean option, or only reads it when `value` is nil.
    static func configure(
        _ database: OpaquePointer, _ option: Int32, _ value: Bool?, fault: FaultSeam?
    ) -> (code: Int32, inForce: Bool) {
        if let code = fault?(.configure) { return (code, false) }
        var inForce: Int32 = -1
        let wanted: Int32 = value.map { $0 ? 1 : 0 } ?? -1
        let code = scenestore_sqlite3_db_config(database, option, wanted, &inForce)
        return (code, inForce == 1)
    }

    /// Sets a limit, or only reads it with a negative value; answers the former one.
    static func limit(_ database: OpaquePointer, _ limit: Int32, _ value: Int32) -> Int32 {
        sqlite3_limit(database, limit, value)
    }

    static func setBusyTimeout(
        _ database: OpaquePointer, milliseconds: Int32, fault: FaultSeam?
    ) -> Int32 {
        fault?(.configure) ?? sqlite3_busy_timeout(database, milliseconds)
    }

    static func disableAutomaticCheckpoints(
        _ database: OpaquePointer, fault: FaultSeam?
    ) -> Int32 {
        fault?(.configure) ?? sqlite3_wal_autocheckpoint(database, 0)
    }

    /// Counts log frames. It takes the place of the automatic checkpoint.
    static func observeCommits(
        _ database: OpaquePointer, _ context: UnsafeMutablePointer<CallbackContext>
    ) {
        _ = sqlite3_wal_hook(
            database,
            { context, _, _, frames in
                context?.assumingMemoryBound(to: CallbackContext.self).pointee.walFrames = frames
                return SQLITE_OK
            }, context)
    }

    /// Notes which rows are written. Every table of ours has numbered rows, and none is emptied by
    /// a DELETE without a condition, which SQLite would not tell of.
    static func observeChanges(
        _ database: OpaquePointer, _ context: UnsafeMutablePointer<CallbackContext>
    ) {
        _ = sqlite3_update_hook(
            database,
            { context, _, _, table, row in
                guard let context, let table else { return }
                let typed = context.assumingMemoryBound(to: CallbackContext.self)
                typed.pointee.changes?[String(cString: table), default: []].insert(row)
            }, context)
    }

    /// Looks at the budget so often; never with an interval of 0.
    static func observeProgress(
        _ database: OpaquePointer, every interval: Int32,
        _ context: UnsafeMutablePointer<CallbackContext>
    ) {
        sqlite3_progress_handler(
            database, interval,
            { context in
                let typed = context?.assumingMemoryBound(to: CallbackContext.self)
                return typed?.pointee.spending?.spend() == true ? 1 : 0
            }, context)
    }

    /// Whether no statement of the connection reads or writes, and no transaction is open.
    static func isIdle(_ database: OpaquePointer) -> Bool {
        sqlite3_txn_state(database, nil) == SQLITE_TXN_NONE
    }

    static func isInTransaction(_ database: OpaquePointer) -> Bool {
        sqlite3_get_autocommit(database) == 0
    }

    static func changes(_ database: OpaquePointer) -> Int64 {
        sqlite3_changes64(database)
    }

    static func status(_ database: OpaquePointer, _ counter: Int32) -> (code: Int32, value: Int32) {
        var current: Int32 = 0
        var highest: Int32 = 0
        let code = sqlite3_db_status(database, counter, &current, &highest, 0)
        return (code, current)
    }

    /// Whether SQLite's own descriptor and its path name different files by now.
    static func hasMoved(_ database: OpaquePointer) -> (code: Int32, moved: Bool) {
        var moved: Int32 = 0
        let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        return (code, moved != 0)
    }

    /// How many transactions the log's index has counted, whoever made them; nil without one.
    static func logChanges(_ database: OpaquePointer) -> UInt32? {
        var count: UInt32 = 0
        return scenestore_sqlite3_log_changes(database, &count) == 1 ? count : nil
    }

    /// The `errno` of the last refused call on the database's file and on its log; 0 without one.
    static func lastSystemErrors(_ database: OpaquePointer) -> (file: Int32, log: Int32) {
        var file: Int32 = 0
        var log: Int32 = 0
        scenestore_sqlite3_last_errors(database, &file, &log)
        return (file, log)
    }

    static func checkpoint(
        _ database: OpaquePointer, _ mode: Int32, fault: FaultSeam?
    ) -> (code: Int32, frames: Int32, checkpointed: Int32) {
        if let code = fault?(.checkpoint) { return (code, -1, -1) }
        var frames: Int32 = -1
        var checkpointed: Int32 = -1
        let code = sqlite3_wal_checkpoint_v2(database, "main", mode, &frames, &checkpointed)
        return (code, frames, checkpointed)
    }

    // MARK: - Statements

    /// Prepares the first statement of a text; `consumed` is where the next one begins.
    static func prepare(
        _ database: OpaquePointer, _ sql: UnsafeBufferPointer<UInt8>, flags: UInt32,
        fault: FaultSeam?
    ) -> (code: Int32, statement: OpaquePointer?, consumed: Int) {
        if let code = fault?(.prepare) { return (code, nil, 0) }
        guard let base = sql.baseAddress else { return (SQLITE_OK, nil, 0) }
        return base.withMemoryRebound(to: CChar.self, capacity: sql.count) { text in
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let count = Int32(clamping: sql.count)
            let code = sqlite3_prepare_v3(database, text, count, flags, &statement, &tail)
            return (code, statement, tail.map { $0 - text } ?? Int(count))
        }
    }

    static func releaseMemory(_ database: OpaquePointer) {
        _ = sqlite3_db_release_memory(database)
    }

    static func finalize(_ statement: OpaquePointer) {
        // The code is that of the last step, which was looked at then.
        _ = sqlite3_finalize(statement)
    }

    static func isReadOnly(statement: OpaquePointer) -> Bool {
        sqlite3_stmt_readonly(statement) != 0
    }

    /// Whether the database's file is open for reading alone.
    static func isReadOnly(_ database: OpaquePointer) -> Bool {
        sqlite3_db_readonly(database, "main") == 1
    }

    static func step(_ statement: OpaquePointer, fault: FaultSeam?) -> Int32 {
        fault?(.step) ?? sqlite3_step(statement)
    }

    @inline(__always)
    static func reset(_ statement: OpaquePointer, fault: FaultSeam?) -> Int32 {
        let code = sqlite3_reset(statement)
        // Made in any case: a statement left running would hold its transaction open.
        return fault?(.reset) ?? code
    }

    static func clearBindings(_ statement: OpaquePointer) {
        // Always answers SQLITE_OK.
        _ = sqlite3_clear_bindings(statement)
    }

    // MARK: - Binding

    @inline(__always)
    static func bind(
        _ statement: OpaquePointer, _ index: Int32, _ value: Int64, fault: FaultSeam?
    ) -> Int32 {
        fault?(.bind) ?? sqlite3_bind_int64(statement, index, value)
    }

    static func bind(
        _ statement: OpaquePointer, _ index: Int32, _ value: Double, fault: FaultSeam?
    ) -> Int32 {
        fault?(.bind) ?? sqlite3_bind_double(statement, index, value)
    }

    static func bindNull(
        _ statement: OpaquePointer, _ index: Int32, fault: FaultSeam?
    ) -> Int32 {
        fault?(.bind) ?? sqlite3_bind_null(statement, index)
    }

    /// The text is copied.
    static func bind(
        _ statement: OpaquePointer, _ index: Int32, text: UnsafeBufferPointer<UInt8>,
        fault: FaultSeam?
    ) -> Int32 {
        if let fault, let code = fault(.bind) { return code }
        guard let base = text.baseAddress else {
            // A null pointer would bind NULL.
            return scenestore_sqlite3_bind_copied_text(statement, index, "", 0)
        }
        return base.withMemoryRebound(to: CChar.self, capacity: text.count) {
            scenestore_sqlite3_bind_copied_text(statement, index, $0, UInt64(text.count))
        }
    }

    /// The text is not copied.
    @inline(__always)
    static func bind(
        _ statement: OpaquePointer, _ index: Int32, borrowed text: UnsafeBufferPointer<CChar>,
        fault: FaultSeam?
    ) -> Int32 {
        fault?(.bind)
            ?? scenestore_sqlite3_bind_borrowed_text(
                statement, index, text.baseAddress, UInt64(text.count))
    }

    static func parameterCount(_ statement: OpaquePointer) -> Int {
        Int(sqlite3_bind_parameter_count(statement))
    }

    /// The bytes are not copied.
    static func bind(
        _ statement: OpaquePointer, _ index: Int32, borrowed bytes: UnsafeRawBufferPointer,
        fault: FaultSeam?
    ) -> Int32 {
        if let fault, let code = fault(.bind) { return code }
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(statement, index, 0)
        }
        return scenestore_sqlite3_bind_borrowed_blob(
            statement, index, base, UInt64(bytes.count))
    }

    static func bind(
        _ statement: OpaquePointer, _ index: Int32, copied bytes: [UInt8], fault: FaultSeam?
    ) -> Int32 {
        fault?(.bind)
            ?? scenestore_sqlite3_bind_copied_blob(statement, index, bytes, UInt64(bytes.count))
    }

    // MARK: - Columns

    static func columnCount(_ statement: OpaquePointer) -> Int32 {
        sqlite3_column_count(statement)
    }

    static func columnName(_ statement: OpaquePointer, _ index: Int32) -> String? {
        sqlite3_column_name(statement, index).map { String(cString: $0) }
    }

    @inline(__always)
    static func columnType(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        sqlite3_column_type(statement, index)
    }

    @inline(__always)
    static func columnInteger(_ statement: OpaquePointer, _ index: Int32) -> Int64 {
        sqlite3_column_int64(statement, index)
    }

    /// Answers the place of the first column that is neither an integer nor NULL, else -1.
    @inline(__always)
    static func columnIntegers(
        _ statement: OpaquePointer, _ first: Int32, _ count: Int,
        _ values: UnsafeMutablePointer<Int64>, _ nulls: inout UInt64
    ) -> Int32 {
        scenestore_sqlite3_column_integers(
            statement, first, Int32(truncatingIfNeeded: count), values, &nulls)
    }

    @inline(__always)
    static func columnDouble(_ statement: OpaquePointer, _ index: Int32) -> Double {
        sqlite3_column_double(statement, index)
    }

    /// The bytes of a text or blob without any conversion; nil when memory ran out.
    ///
    /// For text in a UTF-8 database this is the text, without the copy that its ending zero
    /// byte would cost.
    @inline(__always)
    static func columnBytes(
        _ statement: OpaquePointer, _ index: Int32, fault: FaultSeam?
    ) -> UnsafeRawBufferPointer? {
        if fault?(.column) != nil { return nil }
        // In this order: the first call may expand a blob of zeros.
        let base = sqlite3_column_blob(statement, index)
        let count = Int(sqlite3_column_bytes(statement, index))
        if let base { return UnsafeRawBufferPointer(start: base, count: count) }
        guard count == 0, sqlite3_errcode(sqlite3_db_handle(statement)) != SQLITE_NOMEM else {
            return nil
        }
        return UnsafeRawBufferPointer(start: nil, count: 0)
    }

    // MARK: - Backup

    static func startBackup(
        from source: OpaquePointer, to target: OpaquePointer, fault: FaultSeam?
    ) -> (code: Int32, backup: OpaquePointer?) {
        if let code = fault?(.backup) { return (code, nil) }
        let backup = sqlite3_backup_init(target, "main", source, "main")
        return (backup == nil ? sqlite3_extended_errcode(target) : SQLITE_OK, backup)
    }

    static func stepBackup(
        _ backup: OpaquePointer, pages: Int32, fault: FaultSeam?
    ) -> (code: Int32, remaining: Int32, total: Int32) {
        if let code = fault?(.backup) { return (code, 0, 0) }
        let code = sqlite3_backup_step(backup, pages)
        return (code, sqlite3_backup_remaining(backup), sqlite3_backup_pagecount(backup))
    }

    static func finishBackup(_ backup: OpaquePointer) -> Int32 {
        sqlite3_backup_finish(backup)
    }
}
