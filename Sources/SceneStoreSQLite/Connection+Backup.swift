import SceneStoreCSQLite

extension Connection {
    /// Copies the whole database into an empty one, a few pages at a time, through SQLite's
    /// backup interface. What this connection writes meanwhile is in the copy; what another one
    /// writes makes SQLite begin again, except if the source reads in a transaction.
    ///
    /// - Parameter progress: Told how many pages are done of how many; false gives up, with
    ///   `interrupted`.
    package func backup(
        to target: Connection, pagesPerStep: Int32 = 1_024,
        progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(SQLiteError) {
        try checkProcess()
        try target.checkProcess()
        guard !target.isInTransaction, target.role.writes else {
            throw SQLiteError(
                .misuse, "a backup needs a target that writes and is in no transaction")
        }
        try keepIndex()
        let (code, backup) = Calls.startBackup(
            from: database, to: target.database, fault: fault)
        guard code == SQLITE_OK, let backup else {
            throw target.failure(code, "beginning a backup")
        }
        var step = copyPages(backup, max(pagesPerStep, 1), progress)
        let finish = Calls.finishBackup(backup)
        if step == SQLITE_DONE, finish != SQLITE_OK { step = finish }
        guard step == SQLITE_DONE else { throw target.failure(step, "copying the database") }
    }

    /// The last result code: `SQLITE_DONE` when everything is copied.
    private func copyPages(
        _ backup: OpaquePointer, _ pages: Int32, _ progress: (Int, Int) -> Bool
    ) -> Int32 {
        // Each refusal has waited for the busy timeout already.
        var refusals = 0
        while true {
            do { try keepIndex() } catch { return error.code }
            let (code, remaining, total) = Calls.stepBackup(backup, pages: pages, fault: fault)
            switch code & 0xff {
            case SQLITE_OK:
                guard progress(Int(total - remaining), Int(total)) else { return SQLITE_INTERRUPT }
            case SQLITE_BUSY, SQLITE_LOCKED:
                refusals += 1
                if refusals == 3 { return code }
            default:
                return code
            }
        }
    }
}
