import SceneStoreSQLite
import SceneStoreValues

/// A row with a checksum over all its other columns.
///
/// `visit` is the one place that lists a table's columns. Reading, binding, sealing and the SQL
/// all go through it.
package protocol StoredRow: Sendable {
    static var description: TableDescription { get }
    /// Whether the table has a payload, as its last column.
    static var hasPayload: Bool { get }
    /// How a table without an epoch of its own is joined to the one that has it.
    static var join: StaticString? { get }
    /// The row's number.
    var id: Int64 { get }
    /// What the row says of itself.
    var checksum: Int64 { get set }
    /// The hash of the payload, in tables that have one.
    var payloadHash: Int64? { get }
    /// Whether it is a session that is open: those have a digest of their own.
    var isOpenSession: Bool { get }
    /// A row of nothing, to be filled.
    static var blank: Self { get }
    init(_ row: borrowing Statement) throws(SQLiteError)
    /// Goes through all columns but the checksum and the payload, in their order.
    mutating func visit(_ column: inout ColumnPass)
    /// Whether the row is what was written.
    func isWhole(_ sealer: RowSealer) -> Bool
}

/// A row that is followed by a payload.
package protocol PayloadRow: StoredRow {
    var contentHash: Int64 { get }
}

extension PayloadRow {
    package static var hasPayload: Bool { true }
    package var payloadHash: Int64? { contentHash }
}

extension StoredRow {
    package static var table: StoreTable { description.table }
    package static var hasPayload: Bool { false }
    package static var join: StaticString? { nil }
    package var payloadHash: Int64? { nil }
    package var isOpenSession: Bool { false }

    /// Reads a row of which a statement names the columns in the order of the table.
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        self = .blank
        var pass = ColumnPass(nil, row.again(), isReading: true)
        visit(&pass)
        checksum = try row.integer(at: try pass.end())
    }

    /// Seals the row and binds all columns but the payload, in the order of the table's INSERT, or
    /// what an UPDATE sets; answers the place of what follows: the payload, or else an UPDATE's row
    /// number.
    @discardableResult
    package mutating func write(
        to statement: borrowing Statement, _ sealer: RowSealer, mask: UInt64 = .max
    ) throws(SQLiteError) -> Int32 {
        var pass = ColumnPass(sealer, statement.again(), mask: mask)
        visit(&pass)
        checksum = sealer.end(Self.table)
        let index = try pass.end() + 1
        try statement.bind(index, checksum)
        return index + 1
    }

    /// The same row with its checksum, as its columns are now.
    package consuming func sealed(_ sealer: RowSealer) -> Self {
        var row = self
        var pass = ColumnPass(sealer, nil, mask: 0)
        row.visit(&pass)
        row.checksum = sealer.end(Self.table)
        return row
    }

    package func isWhole(_ sealer: RowSealer) -> Bool {
        checksum == sealed(sealer).checksum
    }

    /// One row by its number.
    package static var byNumber: RowQuery<Self> { RowQuery(text: description.select) }

    /// See ``TableDescription/select(_:qualified:payload:extra:)``.
    package static func query(
        _ rest: StaticString, qualified: Bool = false, payload: Bool? = nil,
        extra: StaticString? = nil
    ) -> RowQuery<Self> {
        RowQuery(
            text: description.select([rest], qualified: qualified, payload: payload, extra: extra))
    }
}

/// A SELECT whose rows are of one type.
package struct RowQuery<Row: StoredRow>: Sendable {
    package let text: StatementText
}

// MARK: - Columns

/// Goes through the columns of a row, the first one first: lists, reads, seals or writes them.
///
/// One type for all of it, and not a generic visitor, so that what a table lists is compiled once.
package struct ColumnPass: ~Copyable {
    /// What the columns are given to for the checksum.
    private let sealer: RowSealer?
    /// What they are read from or bound to; none lists them.
    private let statement: Statement?
    private let isReading: Bool
    /// Those that are listed, read or bound, a bit for each.
    private var mask: UInt64
    private var index: Int32 = 0
    private var failure: SQLiteError?
    private(set) var columns: [TableDescription.Column] = []

    package init(
        _ sealer: RowSealer? = nil, _ statement: consuming Statement? = nil,
        isReading: Bool = false, mask: UInt64 = .max
    ) {
        self.sealer = sealer
        self.statement = statement
        self.isReading = isReading
        self.mask = mask
        sealer?.begin()
    }

    /// A literal of no traits, `[]`, would cost generic calls in a debug build.
    @inline(__always)
    package mutating func callAsFunction<Content: ColumnContent>(
        _ name: StaticString, _ value: inout Content,
        _ traits: ColumnTraits = ColumnTraits(rawValue: 0)
    ) {
        if let sealer, !traits.contains(.unsealed) {
            value.seal(sealer)
        }
        if mask & 1 != 0 {
            take(name, &value, traits)
        }
        mask >>= 1
    }

    @inline(never)
    private mutating func take<Content: ColumnContent>(
        _ name: StaticString, _ value: inout Content, _ traits: ColumnTraits
    ) {
        guard failure == nil else {
            return
        }
        do throws(SQLiteError) {
            switch statement {
            case nil:
                columns.append(
                    TableDescription.Column(name: name, kind: Content.kind, traits: traits))
            case .some(let statement):
                if isReading {
                    value = try Content(statement, at: index)
                } else {
                    try value.bind(statement, at: index + 1)
                }
            }
            index += 1
        } catch {
            failure = error
        }
    }

    /// The number of columns that were read or bound, or the first failure.
    package func end() throws(SQLiteError) -> Int32 {
        if let failure {
            throw failure
        }
        return index
    }
}

/// What a column holds: how it is read, bound and sealed.
package protocol ColumnContent {
    static var kind: ColumnKind { get }
    init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError)
    func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError)
    func seal(_ sealer: RowSealer)
}

extension Int64: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.integer(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Bool: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.boolean(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension String: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.text(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension IdentifierText: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        guard let text = IdentifierText(try row.textBytes(at: index)) else {
            throw SQLiteError(.invalidText, "an identifier is not UTF-8")
        }
        self = text
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, text)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Array: ColumnContent where Element == UInt8 {
    package static var kind: ColumnKind { .blob }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.blobCopy(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, copying: self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Optional: ColumnContent where Wrapped: ColumnContent {
    package static var kind: ColumnKind {
        Wrapped.kind == .integer ? .optionalInteger : .optionalText
    }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = row.isNull(at: index) ? nil : try Wrapped(row, at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        if let value = self {
            try value.bind(statement, at: index)
        } else {
            try statement.bindNull(index)
        }
    }

    /// A mark stands before it; an absent number is a zero behind the mark, an absent text nothing.
    package func seal(_ sealer: RowSealer) {
        sealer.add(self != nil)
        if let value = self {
            value.seal(sealer)
        } else if Wrapped.kind == .integer {
            sealer.add(0 as Int64)
        }
    }
}
