import SceneStoreCSQLite

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
        if Self.isASCII(bytes) {
            // Three times as fast as the validating initialiser, and identifiers are ASCII.
            return String(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SQLiteError(
                .invalidText, "\(prepared.name): column \(index) holds text that is not UTF-8")
        }
        return text
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        var bits: UInt64 = 0
        while offset + 8 <= bytes.count {
            bits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset += 8
        }
        while offset < bytes.count {
            bits |= UInt64(bytes[offset])
            offset += 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    /// Text, or nil for NULL.
    package func optionalText(at index: Int32) throws(SQLiteError) -> String? {
        isNull(at: index) ? nil : try text(at: index)
    }

    /// Lends the bytes of a blob, in SQLite's own memory, to a body.
    package func withBlob<Result, Failure: SQLiteErrorConvertible>(
        at index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lent: UnsafeRawBufferPointer
        do { lent = try blob(at: index) } catch { throw Failure(error) }
        return try body(lent)
    }

    /// Lends the bytes of a text without making a string or checking that it is UTF-8.
    package func withTextBytes<Result, Failure: SQLiteErrorConvertible>(
        at index: Int32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let lent: UnsafeRawBufferPointer
        do { lent = try textBytes(at: index) } catch { throw Failure(error) }
        return try body(lent)
    }

    /// A copy of a blob.
    package func blobCopy(at index: Int32) throws(SQLiteError) -> [UInt8] {
        try withBlob(at: index) { bytes throws(SQLiteError) in Array(bytes) }
    }

    // MARK: - Bytes

    func blob(at index: Int32) throws(SQLiteError) -> UnsafeRawBufferPointer {
        let type = Calls.columnType(handle, index)
        guard type == SQLITE_BLOB else { throw wrongType(at: index, type, "BLOB") }
        return try bytes(at: index)
    }

    /// The bytes of a text where SQLite keeps them, until the statement is stepped or reset.
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
