import SceneStoreCSQLite

extension Connection {
    /// Lends a compiled statement of our own to a body.
    ///
    /// It is compiled once and taken out of the cache while it is used: the same text used inside
    /// the body gets another one. Afterwards it is reset and its bindings are dropped, so that
    /// bytes bound without a copy need to live only as long as this call, and no parameter keeps
    /// a value of an earlier use.
    package func withStatement<Result, Failure: SQLiteErrorConvertible>(
        _ sql: StatementText, _ body: (borrowing Statement) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let prepared: PreparedStatement
        do { prepared = try take(sql) } catch { throw Failure(error) }
        let result: Result
        do {
            result = try body(Statement(prepared))
        } catch {
            abandon(prepared)
            throw error
        }
        do { try giveBack(prepared) } catch { throw Failure(error) }
        return result
    }

    /// Lends a statement of a text from outside, compiled for this one use. The text must hold
    /// exactly one statement.
    package func withStatement<Result, Failure: SQLiteErrorConvertible>(
        text: String, _ body: (borrowing Statement) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let prepared: PreparedStatement
        do { prepared = try prepareSingle(text) } catch { throw Failure(error) }
        let result: Result
        do {
            result = try body(Statement(prepared))
        } catch {
            abandon(prepared)
            throw error
        }
        do { try giveBack(prepared) } catch { throw Failure(error) }
        return result
    }

    /// Runs a statement of our own that takes no parameters, to its end.
    package func run(_ sql: StatementText) throws(SQLiteError) {
        try withStatement(sql) { statement throws(SQLiteError) in
            try statement.run()
        }
    }

    /// The integer in the first column of the first row, or nil without a row.
    package func integer(_ sql: StatementText) throws(SQLiteError) -> Int64? {
        try withStatement(sql) { statement throws(SQLiteError) in
            try statement.step() ? try statement.integer(at: 0) : nil
        }
    }

    /// Runs all statements of a script, such as a migration. It opens no transaction.
    package func execute(script: [UInt8], named name: String) throws(SQLiteError) {
        try script.withUnsafeBufferPointer { buffer throws(SQLiteError) in
            try execute(buffer, named: name)
        }
    }

    package func execute(script: String, named name: String) throws(SQLiteError) {
        try execute(script: Array(script.utf8), named: name)
    }

    private func execute(
        _ script: UnsafeBufferPointer<UInt8>, named name: String
    ) throws(SQLiteError) {
        try checkUsable()
        var rest = script
        var number = 0
        while !rest.isEmpty {
            number += 1
            let what = "statement \(number) of \(name)"
            let (code, handle, consumed) = Calls.prepare(database, rest, flags: 0, fault: fault)
            guard code == SQLITE_OK else { throw failure(code, what) }
            // Nothing consumed, and no statement: a zero byte ends the text for SQLite.
            guard consumed > 0 else {
                throw SQLiteError(.invalidStatement, "\(what): holds a zero byte")
            }
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(consumed))
            // White space and comments make no statement.
            guard let handle else { continue }
            defer { Calls.finalize(handle) }
            if !Calls.isReadOnly(statement: handle) { try checkWritable() }
            var step = Calls.step(handle, fault: fault)
            while step == SQLITE_ROW { step = Calls.step(handle, fault: fault) }
            guard step == SQLITE_DONE else { throw failure(step, what) }
        }
    }

    // MARK: - Taking and giving back

    func take(_ sql: StatementText) throws(SQLiteError) -> PreparedStatement {
        try checkUsable()
        try keepIndex()
        if let known = cache.statement(for: sql), !known.isInUse {
            if isPoisoned, !known.isReadOnly { try checkWritable() }
            known.isInUse = true
            return known
        }
        let prepared = try prepare(sql)
        if !prepared.isReadOnly, isPoisoned {
            if !prepared.isCached { Calls.finalize(prepared.handle) }
            try checkWritable()
        }
        prepared.isInUse = true
        return prepared
    }

    func giveBack(_ prepared: PreparedStatement) throws(SQLiteError) {
        let code = Calls.reset(prepared.handle, fault: fault)
        let failed = code == SQLITE_OK ? nil : failure(code, prepared.name)
        release(prepared)
        if let failed { throw failed }
    }

    /// After an error, which is the one that counts: reset only repeats it.
    func abandon(_ prepared: PreparedStatement) {
        // A body that forked and threw in the child leaves everything as it is.
        guard !isForked else { return }
        _ = Calls.reset(prepared.handle, fault: nil)
        release(prepared)
    }

    private func release(_ prepared: PreparedStatement) {
        guard prepared.isCached else {
            Calls.finalize(prepared.handle)
            return
        }
        Calls.clearBindings(prepared.handle)
        prepared.dropTexts()
        prepared.isInUse = false
    }

    // MARK: - Preparing

    private func prepare(_ sql: StatementText) throws(SQLiteError) -> PreparedStatement {
        let text = sql.bytes
        // Pragmas act, and read, while they are prepared: a cached one would do nothing.
        let isPragma = text.prefix(6).map { $0 & 0xdf }.elementsEqual("PRAGMA".utf8)
        let isCached = !isPragma && cache.statement(for: sql) == nil
        // No statement of ours uses a virtual table; a crafted schema may offer one by our name.
        // Not SQLITE_PREPARE_PERSISTENT, although they are kept: it would keep the parser, too, off
        // the connection's own memory, and an opening and its first saves are mostly parsing
        // (a quarter of the instructions of a launch; saving costs the same either way).
        let flags = UInt32(options.allowsViews ? 0 : SQLITE_PREPARE_NO_VTAB)
        let prepared = try prepare(
            text, flags: flags, title: .sql(sql), isCached: isCached)
        if isCached {
            for old in cache.insert(prepared, for: sql) { Calls.finalize(old.handle) }
        }
        return prepared
    }

    private func prepareSingle(_ text: String) throws(SQLiteError) -> PreparedStatement {
        try checkUsable()
        try keepIndex()
        let prepared = try Array(text.utf8).withUnsafeBufferPointer {
            buffer throws(SQLiteError) in
            try prepare(buffer, flags: 0, title: .word("the statement"), isCached: false)
        }
        if !prepared.isReadOnly, isPoisoned {
            Calls.finalize(prepared.handle)
            try checkWritable()
        }
        prepared.isInUse = true
        return prepared
    }

    private func prepare(
        _ text: UnsafeBufferPointer<UInt8>, flags: UInt32, title: PreparedStatement.Title,
        isCached: Bool
    ) throws(SQLiteError) -> PreparedStatement {
        let (code, handle, consumed) = Calls.prepare(database, text, flags: flags, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, title.name) }
        guard let handle else {
            throw SQLiteError(.invalidStatement, "\(title.name): holds no statement")
        }
        guard text.dropFirst(consumed).allSatisfy(Self.isBlank) else {
            Calls.finalize(handle)
            throw SQLiteError(.invalidStatement, "\(title.name): holds more than one statement")
        }
        return PreparedStatement(handle, of: self, title: title, isCached: isCached)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte) || byte == UInt8(ascii: ";")
    }
}
