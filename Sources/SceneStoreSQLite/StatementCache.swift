import SceneStoreCSQLite

/// A statement that SQLite has compiled. It is finalised by whoever holds it, never by itself: in
/// a forked child it must not be.
final class PreparedStatement {
    let handle: OpaquePointer
    let fault: FaultSeam?
    unowned let connection: Connection
    /// The text where it is ours; nil for one from outside.
    private let sql: StatementText?
    let isReadOnly: Bool
    let isCached: Bool
    @exclusivity(unchecked) var isInUse = true
    /// How often it was taken since memory was given back.
    @exclusivity(unchecked) var uses: UInt32 = 1
    /// Whether it is kept however small the cache is.
    var isKept = false
    /// The connection's; rows are read into it.
    let integers: UnsafeMutablePointer<Int64>

    /// Where texts lie that are bound until the statement is given back: SQLite would take memory
    /// for each, and let go of it again. Made with the first text.
    private var texts: UnsafeMutableRawBufferPointer?
    /// How much of it is taken.
    var textBytes = 0

    /// What errors call it.
    var name: String { Self.name(of: sql) }

    init(
        _ handle: OpaquePointer, of connection: Connection, _ sql: StatementText?, isCached: Bool
    ) {
        self.handle = handle
        self.connection = connection
        self.fault = connection.fault
        self.integers = connection.integers
        self.sql = sql
        self.isCached = isCached
        self.isReadOnly = Calls.isReadOnly(statement: handle)
    }

    deinit {
        texts?.deallocate()
    }

    /// A copy of a text that stays where it is while the text is bound; nil for an empty one, and
    /// without room.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<CChar>? {
        let room = texts ?? makeRoom()
        guard let base = text.baseAddress, text.count <= room.count - textBytes,
            let place = room.baseAddress?.advanced(by: textBytes)
        else {
            return nil
        }
        textBytes += text.count
        place.copyMemory(from: base, byteCount: text.count)
        return UnsafeBufferPointer(
            start: place.bindMemory(to: CChar.self, capacity: text.count), count: text.count)
    }

    /// Room for texts of usual length, as many as there are parameters.
    private func makeRoom() -> UnsafeMutableRawBufferPointer {
        let count = min(Calls.parameterCount(handle) * 24, 2_048)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        texts = room
        return room
    }

    func failure(_ code: Int32) -> SQLiteError {
        connection.failure(code, name)
    }
}

extension PreparedStatement {
    /// The beginning of one of our own texts, on one line; a word for one from outside.
    static func name(of sql: StatementText?) -> String {
        guard let sql else { return "the statement" }
        var words: [UInt8] = []
        for byte in sql.bytes {
            if words.count > 80 { break }
            let isSpace = byte == 0x20 || (0x09...0x0d).contains(byte)
            if isSpace, words.isEmpty || words.last == 0x20 { continue }
            words.append(isSpace ? 0x20 : byte)
        }
        return printable(words, limit: 80)
    }
}

/// Compiled statements, found by the address of their text, which is its identity.
///
/// The table has open addresses, because every save looks statements up.
struct StatementCache {
    private struct Slot {
        /// The address of the text; 0 for a free place.
        var key: UInt = 0
        var statement: PreparedStatement?
    }

    /// A power of two; at most half of them are taken.
    private var slots = [Slot](repeating: Slot(), count: 64)
    private var count = 0
    /// How many there are at most, not counting those that are in use or kept.
    private let capacity: Int

    init(capacity: Int = .max) {
        self.capacity = capacity
    }

    private static func start(of address: UInt, mask: Int) -> Int {
        Int(truncatingIfNeeded: (address ^ address >> 7) &* 0x9e37_79b1 >> 4) & mask
    }

    func statement(for sql: StatementText) -> PreparedStatement? {
        let key = sql.address
        let mask = slots.count - 1
        var index = Self.start(of: key, mask: mask)
        while slots[index].key != 0 {
            if slots[index].key == key { return slots[index].statement }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Inserts one, and answers those that had to go for it, to be finalised: all that may go, so
    /// that neither a lookup nor an insertion has to know which was used last.
    mutating func insert(
        _ statement: PreparedStatement, for sql: StatementText
    ) -> [PreparedStatement] {
        let gone = count < capacity ? [] : remove { _ in true }
        if (count + 1) * 2 > slots.count { grow() }
        place(Slot(key: sql.address, statement: statement))
        count += 1
        return gone
    }

    /// Removes those that are neither in use nor kept and of which something is true, to be finalised.
    mutating func remove(where isRemoved: (PreparedStatement) -> Bool) -> [PreparedStatement] {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count)
        count = 0
        var gone: [PreparedStatement] = []
        for slot in old {
            guard let statement = slot.statement else { continue }
            if statement.isInUse || statement.isKept || !isRemoved(statement) {
                place(slot)
                count += 1
            } else {
                gone.append(statement)
            }
        }
        return gone
    }

    /// All of them.
    var statements: [PreparedStatement] { slots.compactMap(\.statement) }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.key != 0 { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Self.start(of: slot.key, mask: mask)
        while slots[index].key != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
