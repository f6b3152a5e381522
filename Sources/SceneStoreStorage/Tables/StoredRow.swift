import SceneStoreSQLite
import SceneStoreValues

/// A row with a checksum over all its other columns.
///
/// `visit` is the one place that lists a table's columns. Reading, binding, sealing and the SQL
/// all go through it.
package protocol StoredRow: Sendable {
    static var table: StoreTable { get }
    static var description: TableDescription { get }
    /// Whether the table has a payload, as its last column.
    static var hasPayload: Bool { get }
    /// How a table without an epoch of its own is joined to the one that has it.
    static var owner: RowOwner? { get }
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
    mutating func visit<Visitor: ColumnVisitor & ~Copyable>(
        _ column: inout Visitor
    ) throws(Visitor.Failure)
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

/// The table whose epoch is that of another one's rows, and how they are joined.
package struct RowOwner: Sendable {
    package let table: StaticString
    package let condition: StaticString
}

extension StoredRow {
    package static var hasPayload: Bool { false }
    package static var owner: RowOwner? { nil }
    package var payloadHash: Int64? { nil }
    package var isOpenSession: Bool { false }

    /// Makes a row; what the closure leaves out is blank.
    package init(_ fill: (inout Self) -> Void) {
        self = .blank
        fill(&self)
    }

    /// Reads a row of which a statement names the columns in the order of the table.
    package init(_ row: borrowing Statement) throws(SQLiteError) {
        self = .blank
        var reader = ColumnReader(row)
        try visit(&reader)
        checksum = try row.integer(at: reader.index)
    }

    /// Binds all columns but the payload, in the order of the table's INSERT; answers the place of
    /// the payload.
    @discardableResult
    package mutating func bindInsert(
        _ statement: borrowing Statement
    ) throws(SQLiteError) -> Int32 {
        var binder = ColumnBinder(statement)
        try visit(&binder)
        try statement.bind(binder.index, checksum)
        return binder.index + 1
    }

    /// Binds what an UPDATE sets; answers the place of the payload, or else of the row's number.
    mutating func bindUpdate(
        _ update: TableUpdate, _ statement: borrowing Statement
    ) throws(SQLiteError) -> Int32 {
        var binder = ColumnBinder(statement, mask: update.mask)
        try visit(&binder)
        try statement.bind(binder.index, checksum)
        return binder.index + 1
    }

    /// Computes the checksum anew, after a column was changed.
    package mutating func seal(_ sealer: RowSealer) {
        sealer.begin()
        var visitor = ColumnSealer(sealer)
        visit(&visitor)
        checksum = sealer.end(Self.table)
    }

    /// The same row with its checksum.
    package consuming func sealed(_ sealer: RowSealer) -> Self {
        var row = self
        row.seal(sealer)
        return row
    }

    package func isWhole(_ sealer: RowSealer) -> Bool {
        checksum == sealed(sealer).checksum
    }
}

/// A SELECT whose rows are of one type.
package struct RowQuery<Row: StoredRow>: Sendable {
    package let text: StatementText
}

extension StoredRow {
    /// One row by its number.
    package static var byNumber: RowQuery<Self> { RowQuery(text: description.select) }

    /// See ``TableDescription/select(_:qualified:payload:extra:)``.
    package static func query(
        _ rest: StaticString, qualified: Bool = false, payload: Bool? = nil,
        extra: StaticString? = nil
    ) -> RowQuery<Self> {
        RowQuery(
            text: description.select(
                rest, qualified: qualified, payload: payload, extra: extra))
    }
}

// MARK: - Columns

/// Something that goes through the columns of a row.
package protocol ColumnVisitor: ~Copyable {
    associatedtype Failure: Error
    mutating func callAsFunction<Content: ColumnContent>(
        _ name: StaticString, _ value: inout Content, _ traits: ColumnTraits
    ) throws(Failure)
}

extension ColumnVisitor where Self: ~Copyable {
    package mutating func callAsFunction<Content: ColumnContent>(
        _ name: StaticString, _ value: inout Content
    ) throws(Failure) {
        // A literal of none, `[]`, costs generic calls in a debug build.
        try self(name, &value, ColumnTraits(rawValue: 0))
    }
}

/// What a column holds: how it is read, bound and sealed.
package protocol ColumnContent {
    static var kind: ColumnKind { get }
    init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError)
    func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError)
    func seal(_ sealer: RowSealer)
}

/// Lists the columns of a table.
struct ColumnLister: ColumnVisitor {
    var columns: [TableDescription.Column] = []

    mutating func callAsFunction<Content: ColumnContent>(
        _ name: StaticString, _: inout Content, _ traits: ColumnTraits
    ) {
        columns.append(
            TableDescription.Column(name: name, kind: Content.kind, traits: traits))
    }
}

/// Reads columns from a row, the first one first.
package struct ColumnReader: ColumnVisitor, ~Copyable {
    private let row: Statement
    package private(set) var index: Int32 = 0

    package init(_ row: borrowing Statement) {
        self.row = row.again()
    }

    package mutating func callAsFunction<Content: ColumnContent>(
        _: StaticString, _ value: inout Content, _: ColumnTraits
    ) throws(SQLiteError) {
        value = try Content(row, at: index)
        index += 1
    }
}

/// Binds columns to a statement, in their order, as far as a mask has them.
struct ColumnBinder: ColumnVisitor, ~Copyable {
    private let statement: Statement
    private var mask: UInt64
    private(set) var index: Int32

    init(_ statement: borrowing Statement, mask: UInt64 = .max) {
        self.statement = statement.again()
        self.mask = mask
        index = 1
    }

    mutating func callAsFunction<Content: ColumnContent>(
        _: StaticString, _ value: inout Content, _: ColumnTraits
    ) throws(SQLiteError) {
        if mask & 1 != 0 {
            try value.bind(statement, at: index)
            index += 1
        }
        mask >>= 1
    }
}

/// Gives columns to a sealer.
struct ColumnSealer: ColumnVisitor {
    private let sealer: RowSealer

    init(_ sealer: RowSealer) {
        self.sealer = sealer
    }

    mutating func callAsFunction<Content: ColumnContent>(
        _: StaticString, _ value: inout Content, _ traits: ColumnTraits
    ) {
        if !traits.contains(.unsealed) {
            value.seal(sealer)
        }
    }
}
