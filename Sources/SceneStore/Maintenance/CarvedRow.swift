/// A row that was found in the bytes of a file and bears its checksum.
struct CarvedRow: Sendable {
    /// How likely it is that the row was still there when the file was written last.
    enum Rank: UInt8, Comparable, Sendable {
        /// A tree leads to it.
        case reached
        /// No tree leads to it, and some tree is broken.
        case possible
        /// What an older transaction left: on a free page, below the log, between other cells.
        case old

        static func < (left: Rank, right: Rank) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Where its payload can be read again.
    struct Payload: Sendable {
        var source: Int
        var place: PagePlace
        var offset: Int
        var count: Int
    }

    var table: StoreTable
    var id: Int64
    /// The columns between the number and the checksum.
    var values: [ColumnValue]
    var checksum: Int64
    /// nil in tables without one, and when it is not what the row says.
    var payload: Payload?
    var rank: Rank
    /// Later ones were written later, as far as the place in a log tells.
    var sequence: Int

    var layout: TableDescription { table.description }

    /// Whether nothing of it is missing.
    var isWhole: Bool { payload != nil || !layout.hasPayload }

    /// A column's value.
    subscript(_ name: String) -> ColumnValue {
        get {
            layout.index(name).flatMap { values.indices.contains($0) ? values[$0] : nil } ?? .null
        }
        set {
            if let index = layout.index(name), values.indices.contains(index) {
                values[index] = newValue
            }
        }
    }

    /// A column that is a number and never NULL.
    func number(_ name: String) -> Int64 {
        self[name].integer ?? 0
    }

    /// Of two versions of one row, whether this one is to be had rather than the other.
    func isBetter(than other: CarvedRow) -> Bool {
        if isWhole != other.isWhole {
            return isWhole
        }
        if layout.index("generation") != nil {
            let (mine, others) = (number("generation"), other.number("generation"))
            if mine != others {
                return mine > others
            }
        }
        return rank != other.rank ? rank < other.rank : sequence > other.sequence
    }
}

/// A row that can be told by its shape and place, and fails its checksum.
struct DamagedRecord: Sendable {
    var table: StoreTable
    var id: Int64
    var reason: String
    /// All columns as they are, the number first.
    var columns: [ColumnValue]
}

/// The rows of one source, the best version of each.
struct CarvedRows: Sendable {
    private var tables: [[Int64: CarvedRow]] = Array(
        repeating: [:], count: StoreTable.allCases.count + 1)
    /// Rows in use that fail their checksum.
    var damaged: [DamagedRecord] = []
    /// Whole rows, versions counted once.
    var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// More damaged rows are counted nowhere: they tell nothing.
    static let damagedCapacity = 1_000

    subscript(_ table: StoreTable) -> [Int64: CarvedRow] {
        get { tables[Int(table.rawValue)] }
        set { tables[Int(table.rawValue)] = newValue }
    }

    mutating func insert(_ row: CarvedRow) {
        let table = Int(row.table.rawValue)
        guard var known = tables[table][row.id] else {
            tables[table][row.id] = row
            return
        }
        let rank = min(known.rank, row.rank)
        if row.isBetter(than: known) {
            known = row
        }
        known.rank = rank
        tables[table][row.id] = known
    }
}
