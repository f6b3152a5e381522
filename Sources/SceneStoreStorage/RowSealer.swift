import SceneStoreSQLite
import SceneStoreValues

/// The tables, each with the number that goes into its rows' checksums.
package enum StoreTable: UInt64, CaseIterable, Sendable {
    case store = 1
    case migration = 2
    case configuration = 3
    case conditions = 4
    case session = 5
    case saveContext = 6
    case state = 7
    case sessionValue = 8
    case sceneStorage = 9
    case discard = 10
    case launch = 11
    case launchException = 12
    case event = 13
    case inbox = 14
    case savedActivity = 15
    case quarantinedRow = 16

    /// The name in SQL.
    package var name: String {
        switch self {
        case .store: "store"
        case .migration: "migration"
        case .configuration: "configuration"
        case .conditions: "conditions"
        case .session: "session"
        case .saveContext: "save_context"
        case .state: "state"
        case .sessionValue: "session_value"
        case .sceneStorage: "scene_storage"
        case .discard: "discard"
        case .launch: "launch"
        case .launchException: "launch_exception"
        case .event: "event"
        case .inbox: "inbox"
        case .savedActivity: "saved_activity"
        case .quarantinedRow: "quarantined_row"
        }
    }
}

/// A row with a checksum over all its other columns.
package protocol StoredRow: Sendable {
    static var table: StoreTable { get }
    /// What the row says of itself.
    var checksum: Int64 { get set }
    /// Reads the columns in the order of the queries, which is that of the table. A payload, if
    /// the table has one, is the column after the last.
    init(_ row: borrowing Statement) throws(SQLiteError)
    /// Gives all columns but the checksum and the payload, in their order.
    func feed(_ sealer: RowSealer)
    /// Binds all columns but the payload in the order of the table's INSERT.
    func bind(_ statement: borrowing Statement) throws(SQLiteError)
}

extension StoredRow {
    /// Computes the checksum anew, after a column was changed.
    package mutating func seal(_ sealer: RowSealer) {
        checksum = sealer.checksum(of: self)
    }

    /// Whether the row is what was written.
    package func isWhole(_ sealer: RowSealer) -> Bool {
        checksum == sealer.checksum(of: self)
    }
}

/// Computes the checksums of rows: XXH64 over the columns, seeded by the store's UUID and
/// the table.
///
/// Numbers are eight bytes, the least significant first; texts are their length and their UTF-8;
/// a column that may be NULL has a mark before it. One buffer serves all rows.
///
/// Behind what was given there is always room for ``slack`` bytes, more than the numbers of any row
/// take: only a text or a blob has to look whether it fits.
package final class RowSealer {
    private static let slack = 1_024
    private var base: UnsafeMutableRawPointer
    private var capacity = 2 * slack
    private var count = 0
    private let seeds: [UInt64]

    package init(uuid: [UInt8]) {
        base = .allocate(byteCount: capacity, alignment: 8)
        var seeds: [UInt64] = [0]
        for table in StoreTable.allCases {
            seeds.append(ContentHash.hash(uuid, seed: table.rawValue))
        }
        self.seeds = seeds
    }

    deinit {
        base.deallocate()
    }

    /// The checksum that a row ought to have.
    package func checksum<Row: StoredRow>(of row: Row) -> Int64 {
        count = 0
        row.feed(self)
        let seed = seeds[Int(Row.table.rawValue)]
        return Int64(
            bitPattern: ContentHash.hash(
                UnsafeRawBufferPointer(start: base, count: count), seed: seed))
    }

    @inline(__always)
    package func add(_ number: Int64) {
        assert(count &+ 8 <= capacity)
        base.storeBytes(of: number.littleEndian, toByteOffset: count, as: Int64.self)
        count &+= 8
    }

    @inline(__always)
    package func add(_ flag: Bool) {
        add(flag ? 1 : 0 as Int64)
    }

    @inline(__always)
    package func add(_ number: Int64?) {
        add(number == nil ? 0 : 1 as Int64)
        add(number ?? 0)
    }

    package func add(_ text: String) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            add(UnsafeRawBufferPointer($0))
        }
        if isDone == nil {
            add(Array(text.utf8))
        }
    }

    @inline(__always)
    package func add(_ identifier: IdentifierText) {
        identifier.withBytes { add($0) }
    }

    package func add(_ text: String?) {
        add(text == nil ? 0 : 1 as Int64)
        if let text {
            add(text)
        }
    }

    package func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { add($0) }
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        add(Int64(bytes.count))
        if count &+ bytes.count &+ Self.slack > capacity {
            grow(bytes.count)
        }
        if let start = bytes.baseAddress {
            (base + count).copyMemory(from: start, byteCount: bytes.count)
        }
        count &+= bytes.count
    }

    private func grow(_ extra: Int) {
        capacity = max(capacity * 2, count + extra + Self.slack)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }
}
