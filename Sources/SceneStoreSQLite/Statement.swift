import SceneStoreCSQLite

/// A statement while it is lent to a body: bind, step, read; none of it can be kept.
///
/// Parameters are numbered from one, columns from zero, as in SQLite. Every result is looked at:
/// a bind that failed because memory ran out must not turn into a comparison with NULL.
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

    /// Runs a statement that has to change exactly one row, and checks that it did.
    package func runChanging() throws(SQLiteError) {
        guard !prepared.isReadOnly else {
            throw SQLiteError(.misuse, "\(prepared.name): changes nothing")
        }
        try run()
        let changes = prepared.connection.changes
        guard changes == 1 else {
            throw SQLiteError(
                .unexpectedChangeCount, "\(prepared.name): changed \(changes) rows instead of one")
        }
    }

    /// Whether it can change the database.
    package var isReadOnly: Bool { prepared.isReadOnly }

    // MARK: - Binding

    package func bind(_ index: Int32, _ value: Int64) throws(SQLiteError) {
        try check(Calls.bind(handle, index, value, fault: prepared.fault))
    }

    package func bind(_ index: Int32, _ value: Bool) throws(SQLiteError) {
        try bind(index, value ? 1 as Int64 : 0)
    }

    package func bind(_ index: Int32, _ value: Double) throws(SQLiteError) {
        try check(Calls.bind(handle, index, value, fault: prepared.fault))
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
        try check(code)
    }

    @inline(__always)
    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw prepared.failure(code) }
    }

    /// Binds bytes without copying them: they must not move or change until the body that this
    /// statement was lent to has returned.
    package func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        try check(Calls.bind(handle, index, borrowed: bytes, fault: prepared.fault))
    }

    /// Binds a copy of some bytes.
    package func bind(_ index: Int32, copying bytes: [UInt8]) throws(SQLiteError) {
        try check(Calls.bind(handle, index, copied: bytes, fault: prepared.fault))
    }

    package func bindNull(_ index: Int32) throws(SQLiteError) {
        try check(Calls.bindNull(handle, index, fault: prepared.fault))
    }
}

/// The type of a stored value.
package enum ColumnType: Int32, Hashable, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
}

extension Statement {
    /// Columns of a row; zero for a statement that answers none.
    package var columnCount: Int32 { Calls.columnCount(handle) }

    /// A column's name in the result, or nil when there is none.
    package func columnName(at index: Int32) -> String? {
        Calls.columnName(handle, index)
    }

    /// The type of the value in this row; NULL beyond the last column.
    package func columnType(at index: Int32) -> ColumnType {
        ColumnType(rawValue: Calls.columnType(handle, index)) ?? .null
    }

    package func isNull(at index: Int32) -> Bool {
        Calls.columnType(handle, index) == SQLITE_NULL
    }

    /// An integer; anything else, NULL too, is `wrongType`.
    package func integer(at index: Int32) throws(SQLiteError) -> Int64 {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_INTEGER else { throw wrongType(at: index, type, "INTEGER") }
        return Calls.columnInteger(handle, index)
    }

    /// Integers of columns from `first` on, each one an INTEGER; those in `nullable`, a bit for
    /// each place, may be NULL and are 0 then, and those in `flags` are 0 or 1.
    ///
    /// The values stand there until a statement of the connection reads others. The answer's types are the standard
    /// library's, so that reading a value across the border of a module is one load.
    package func integers(
        from first: Int32, count: Int, nullable: UInt64 = 0, flags: UInt64 = 0
    ) throws(SQLiteError) -> (values: UnsafePointer<Int64>, nulls: UInt64) {
        precondition(count <= Connection.integerCapacity)
        let values = prepared.integers
        var nulls: UInt64 = 0
        let wrong = Calls.columnIntegers(handle, first, count, values, &nulls)
        guard wrong < 0, nulls & ~nullable == 0 else {
            let place = wrong < 0 ? Int32((nulls & ~nullable).trailingZeroBitCount) : wrong
            throw wrongType(
                at: first + place, Calls.columnType(handle, first + place), "INTEGER")
        }
        var rest = flags
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            guard values[place] & ~1 == 0 else {
                throw wrongType(at: first + Int32(place), SQLITE_INTEGER, "0 or 1")
            }
            rest &= rest &- 1
        }
        return (UnsafePointer(values), nulls)
    }

    /// A Boolean stored as 0 or 1.
    package func boolean(at index: Int32) throws(SQLiteError) -> Bool {
        switch try integer(at: index) {
        case 0: return false
        case 1: return true
        default: throw wrongType(at: index, SQLITE_INTEGER, "0 or 1")
        }
    }

    package func real(at index: Int32) throws(SQLiteError) -> Double {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_FLOAT else { throw wrongType(at: index, type, "REAL") }
        return Calls.columnDouble(handle, index)
    }

    /// Text, which must be UTF-8; zero characters in it are kept.
    package func text(at index: Int32) throws(SQLiteError) -> String {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_TEXT else { throw wrongType(at: index, type, "TEXT") }
        let bytes = try bytes(at: index)
        // All bytes together, which takes words at a time.
        if bytes.reduce(0, |) < 0x80 {
            // Three times as fast as the validating initialiser, and identifiers are ASCII.
            return String(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SQLiteError(
                .invalidText, "\(prepared.name): column \(index) holds text that is not UTF-8")
        }
        return text
    }

    /// Text, or nil for NULL.
    package func optionalText(at index: Int32) throws(SQLiteError) -> String? {
        isNull(at: index) ? nil : try text(at: index)
    }

    /// A copy of a blob.
    package func blobCopy(at index: Int32) throws(SQLiteError) -> [UInt8] {
        Array(try blob(at: index))
    }

    // MARK: - Bytes

    /// The bytes of a blob where SQLite keeps them, until the statement is stepped or reset.
    package func blob(at index: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_BLOB else { throw wrongType(at: index, type, "BLOB") }
        return try bytes(at: index)
    }

    /// The same of a text, without checking that it is UTF-8.
    package func textBytes(at index: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_TEXT else { throw wrongType(at: index, type, "TEXT") }
        return try bytes(at: index)
    }

    private func bytes(at index: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        guard let bytes = Calls.columnBytes(handle, index, fault: prepared.fault) else {
            throw SQLiteError(
                .outOfMemory, "\(prepared.name): no memory for column \(index)",
                code: SQLITE_NOMEM)
        }
        return bytes
    }

    func wrongType(at index: Int32, _ type: Int32, _ wanted: StaticString) -> SQLiteError {
        let found: StaticString =
            switch ColumnType(rawValue: type) {
            case .integer: "INTEGER"
            case .real: "REAL"
            case .text: "TEXT"
            case .blob: "BLOB"
            case .null, nil: "NULL"
            }
        return SQLiteError(
            .wrongType, "\(prepared.name): column \(index) is \(found) and not \(wanted)")
    }
}

/// The text of a statement of our own. Its address is its identity: the cache finds compiled
/// statements by it.
///
/// A literal stays where the compiler put it. A text that is joined from constants is made once,
/// for a static property, and is never freed.
package struct StatementText: Sendable, ExpressibleByStringLiteral {
    let address: UInt
    private let count: Int

    package init(stringLiteral text: StaticString) {
        precondition(text.hasPointerRepresentation, "a statement is more than one character")
        address = UInt(bitPattern: text.utf8Start)
        count = text.utf8CodeUnitCount
    }

    /// Joins constants. Only for static properties: each call takes memory for good.
    package init(joining parts: [StaticString]) {
        count = parts.reduce(0) { $0 + $1.utf8CodeUnitCount }
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(count, 1))
        var end = start
        for part in parts {
            part.withUTF8Buffer { bytes in
                guard let base = bytes.baseAddress else { return }
                end.initialize(from: base, count: bytes.count)
                end += bytes.count
            }
        }
        address = UInt(bitPattern: start)
    }

    /// Whether it is the same text, in the same place.
    package func isSame(as other: StatementText) -> Bool {
        address == other.address
    }

    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(bitPattern: address), count: count)
    }
}

extension StatementText: CustomStringConvertible {
    /// The text itself.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

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

    package func execute(script: String, named name: String) throws(SQLiteError) {
        try execute(script: Array(script.utf8), named: name)
    }

    /// Runs all statements of a script, such as a migration. It opens no transaction.
    package func execute(script: [UInt8], named name: String) throws(SQLiteError) {
        try checkUsable()
        var rest = script[...]
        var number = 0
        while !rest.isEmpty {
            number += 1
            let what = "statement \(number) of \(name)"
            let (code, handle, consumed) = rest.withUnsafeBufferPointer {
                Calls.prepare(database, $0, flags: 0, fault: fault)
            }
            guard code == SQLITE_OK else { throw failure(code, what) }
            // Nothing consumed, and no statement: a zero byte ends the text for SQLite.
            guard consumed > 0 else {
                throw SQLiteError(.invalidStatement, "\(what): holds a zero byte")
            }
            rest = rest.dropFirst(consumed)
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
            if !known.isReadOnly { try checkWritable() }
            known.isInUse = true
            known.uses &+= 1
            return known
        }
        return try prepare(sql)
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
        prepared.textBytes = 0
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
        let prepared = try prepare(text, flags: flags, of: sql, isCached: isCached)
        if isCached {
            for old in cache.insert(prepared, for: sql) { Calls.finalize(old.handle) }
        }
        return prepared
    }

    private func prepareSingle(_ text: String) throws(SQLiteError) -> PreparedStatement {
        try checkUsable()
        try keepIndex()
        return try Array(text.utf8).withUnsafeBufferPointer { buffer throws(SQLiteError) in
            try prepare(buffer, flags: 0, of: nil, isCached: false)
        }
    }

    private func prepare(
        _ text: UnsafeBufferPointer<UInt8>, flags: UInt32, of sql: StatementText?, isCached: Bool
    ) throws(SQLiteError) -> PreparedStatement {
        let (code, handle, consumed) = Calls.prepare(database, text, flags: flags, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, PreparedStatement.name(of: sql)) }
        guard let handle else {
            throw SQLiteError(
                .invalidStatement, "\(PreparedStatement.name(of: sql)): holds no statement")
        }
        let prepared = PreparedStatement(handle, of: self, sql, isCached: isCached)
        do throws(SQLiteError) {
            guard text.dropFirst(consumed).allSatisfy(Self.isBlank) else {
                throw SQLiteError(
                    .invalidStatement, "\(prepared.name): holds more than one statement")
            }
            if !prepared.isReadOnly { try checkWritable() }
        } catch {
            Calls.finalize(handle)
            throw error
        }
        return prepared
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte) || byte == UInt8(ascii: ";")
    }
}
