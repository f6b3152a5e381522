import SceneStoreCSQLite

/// A statement while it is lent to a body: bind, step, read; none of it can be kept.
///
/// Parameters are numbered from one, columns from zero, as in SQLite. Every result is looked at:
/// a bind that failed because memory ran out must not turn into a comparison with NULL (R-23).
package struct Statement: ~Copyable {
    let prepared: PreparedStatement
    let handle: OpaquePointer

    init(_ prepared: PreparedStatement) {
        self.prepared = prepared
        self.handle = prepared.handle
    }

    /// The same loan once more, for a value that goes through the columns one by one. It must not
    /// outlive the body that the statement was lent to.
    package borrowing func again() -> Statement { Statement(prepared) }

    // MARK: - Running

    /// Goes to the next row; false at the end.
    package func step() throws(SQLiteError) -> Bool {
        let code = Calls.step(handle, fault: prepared.fault)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw prepared.failure(code)
    }

    /// Runs to the end, dropping rows.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Runs a statement that has to change exactly one row, or so many, and checks that it did.
    package func runChanging(rows: Int64 = 1) throws(SQLiteError) {
        guard !prepared.isReadOnly else {
            throw SQLiteError(.misuse, "\(prepared.name): changes nothing")
        }
        try run()
        let changes = prepared.connection.changes
        guard changes == rows else {
            throw SQLiteError(
                .unexpectedChangeCount,
                "\(prepared.name): changed \(changes) rows instead of \(rows == 1 ? "one" : "\(rows)")"
            )
        }
    }

    /// Whether it can change the database.
    package var isReadOnly: Bool { prepared.isReadOnly }

    // MARK: - Binding

    package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
        let code = Calls.bind(handle, index, value, fault: prepared.fault)
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    package func bind(_ index: Int32, _ value: Bool) throws(SQLiteError) {
        try bind(index, value ? 1 as Int64 : 0)
    }

    package func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
        let code = Calls.bind(handle, index, value, fault: prepared.fault)
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    package func bind(_ index: Int32, _ value: String) throws(SQLiteError) {
        var value = value
        let code = value.withUTF8 { text in
            if let kept = prepared.keep(text) {
                Calls.bind(handle, index, borrowed: kept, fault: prepared.fault)
            } else {
                Calls.bind(handle, index, text: text, fault: prepared.fault)
            }
        }
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    /// Binds bytes without copying them: they must not move or change until the body that this
    /// statement was lent to has returned.
    package func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        let code = Calls.bind(handle, index, borrowed: bytes, fault: prepared.fault)
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    /// Binds a copy of some bytes.
    package func bind(_ index: Int32, copying bytes: [UInt8]) throws(SQLiteError) {
        let code = Calls.bind(handle, index, copied: bytes, fault: prepared.fault)
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    package func bindNull(_ index: Int32) throws(SQLiteError) {
        let code = Calls.bindNull(handle, index, fault: prepared.fault)
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }
}
