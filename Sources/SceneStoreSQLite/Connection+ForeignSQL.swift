import SceneStoreCSQLite

extension Connection {
    /// Makes this a connection for people's own SQL: from now on a statement may read and compute
    /// and nothing else, whatever the text says.
    package func allowReadingAlone() throws(SQLiteError) {
        try checkUsable()
        let code = Calls.allowReadingAlone(database)
        guard code == SQLITE_OK else { throw failure(code, "restricting statements to reading") }
    }

    /// Adds a function of one blob that statements from outside may call.
    package func add(_ function: BlobFunction, named name: String) throws(SQLiteError) {
        try checkUsable()
        let code = Calls.addFunction(database, name, function)
        guard code == SQLITE_OK else { throw failure(code, "adding a function") }
    }

    /// Puts a temporary view in front of the one of the file that has its name. It may call functions
    /// that nothing in the file may call.
    ///
    /// - Parameters:
    ///   - view: The name of both.
    ///   - select: What the temporary one answers; `main.` names the file's.
    package func cover(view: String, by select: String) throws(SQLiteError) {
        // Of this connection alone; the file was opened to be read.
        try run(pragma: "PRAGMA query_only = 0")
        try execute(script: "CREATE TEMP VIEW \(view) AS \(select)", named: "a view")
        try run(pragma: "PRAGMA query_only = 1")
    }
}
