import SceneStoreCSQLite

/// A statement that SQLite has compiled. It is finalised by whoever holds it, never by itself: in
/// a forked child it must not be.
final class PreparedStatement {
    let handle: OpaquePointer
    let fault: FaultSeam?
    unowned let connection: Connection
    private let title: Title
    let isReadOnly: Bool
    let isCached: Bool
    @exclusivity(unchecked) var isInUse = false
    /// The connection's; rows are read into it.
    let integers: UnsafeMutablePointer<Int64>
    /// Names that were looked up, by the address of their text.
    private var names: [(name: UnsafePointer<UInt8>, index: Int32)] = []

    /// Where a statement's name comes from; our own texts are made a name only for an error.
    enum Title {
        case sql(StaticString)
        case word(String)
    }

    /// What errors call it: the text where it is ours, a word where it came from outside.
    var name: String { title.name }

    init(_ handle: OpaquePointer, of connection: Connection, title: Title, isCached: Bool) {
        self.handle = handle
        self.connection = connection
        self.fault = connection.fault
        self.integers = connection.integers
        self.title = title
        self.isCached = isCached
        self.isReadOnly = Calls.isReadOnly(statement: handle)
    }

    /// The index of a named parameter; each name is looked up in SQLite once.
    func index(of name: StaticString) throws(SQLiteError) -> Int32 {
        guard name.hasPointerRepresentation else { throw unknownParameter(name) }
        let key = name.utf8Start
        for known in names where known.name == key { return known.index }
        let index = Calls.parameterIndex(handle, name)
        guard index > 0 else { throw unknownParameter(name) }
        names.append((key, index))
        return index
    }

    private func unknownParameter(_ parameter: StaticString) -> SQLiteError {
        SQLiteError(.invalidStatement, "\(name): no parameter is called \(parameter)")
    }

    func failure(_ code: Int32) -> SQLiteError {
        connection.failure(code, name)
    }
}

extension PreparedStatement.Title {
    var name: String {
        switch self {
        case .sql(let sql): Self.beginning(of: sql)
        case .word(let word): word
        }
    }

    /// The beginning of one of our own texts, on one line.
    private static func beginning(of sql: StaticString) -> String {
        var words: [UInt8] = []
        for byte in UnsafeBufferPointer(start: sql.utf8Start, count: sql.utf8CodeUnitCount) {
            if words.count > 80 { break }
            let isSpace = byte == 0x20 || (0x09...0x0d).contains(byte)
            if isSpace, words.isEmpty || words.last == 0x20 { continue }
            words.append(isSpace ? 0x20 : byte)
        }
        return printable(words, limit: 80)
    }
}

/// Compiled statements, found by the address of their text, which for a static string is its
/// identity. A table with open addresses: the lookup stands on the path of every save.
struct StatementCache {
    private struct Slot {
        var key: UnsafePointer<UInt8>?
        var statement: PreparedStatement?
    }

    /// A power of two; at most half of them are taken.
    private var slots = [Slot](repeating: Slot(), count: 64)
    private var count = 0

    private static func start(of key: UnsafePointer<UInt8>, mask: Int) -> Int {
        let address = UInt(bitPattern: key)
        return Int(truncatingIfNeeded: (address ^ address >> 7) &* 0x9e37_79b1 >> 4) & mask
    }

    func statement(for sql: StaticString) -> PreparedStatement? {
        let key = sql.utf8Start
        let mask = slots.count - 1
        var index = Self.start(of: key, mask: mask)
        while let found = slots[index].key {
            if found == key { return slots[index].statement }
            index = (index + 1) & mask
        }
        return nil
    }

    mutating func insert(_ statement: PreparedStatement, for sql: StaticString) {
        if (count + 1) * 2 > slots.count { grow() }
        place(Slot(key: sql.utf8Start, statement: statement))
        count += 1
    }

    mutating func removeAll() -> [PreparedStatement] {
        let statements = slots.compactMap(\.statement)
        slots = [Slot](repeating: Slot(), count: 64)
        count = 0
        return statements
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.key != nil { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        guard let key = slot.key else { return }
        let mask = slots.count - 1
        var index = Self.start(of: key, mask: mask)
        while slots[index].key != nil { index = (index + 1) & mask }
        slots[index] = slot
    }
}
