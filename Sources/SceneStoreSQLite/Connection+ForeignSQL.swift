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
}
