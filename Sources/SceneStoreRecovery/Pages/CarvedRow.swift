import SceneStoreStorage
import SceneStoreValues

/// A row that was found in the bytes of a file and bears its checksum.
package struct CarvedRow: Sendable {
    /// How likely it is that the row was still there when the file was written last.
    package enum Rank: UInt8, Comparable, Sendable {
        /// A tree leads to it.
        case reached
        /// No tree leads to it, and some tree is broken.
        case possible
        /// What an older transaction left: on a free page, below the log, between other cells.
        case old

        package static func < (left: Rank, right: Rank) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// Where its payload can be read again.
    package struct Payload: Sendable {
        package var source: Int
        package var place: PagePlace
        package var offset: Int
        package var count: Int
    }

    package var table: StoreTable
    package var id: Int64
    /// The columns between the number and the checksum.
    package var values: [ColumnValue]
    package var checksum: Int64
    /// nil in tables without one, and when it is not what the row says.
    package var payload: Payload?
    package var rank: Rank
    /// Later ones were written later, as far as the place in a log tells.
    package var sequence: Int

    package var layout: TableDescription { table.description }

    /// Whether nothing of it is missing.
    package var isWhole: Bool { payload != nil || !layout.hasPayload }

    /// A column's value.
    package subscript(_ name: String) -> ColumnValue {
        get {
            layout.index(name).flatMap { values.indices.contains($0) ? values[$0] : nil } ?? .null
        }
        set {
            if let index = layout.index(name), values.indices.contains(index) {
                values[index] = newValue
            }
        }
    }

    /// Sets a column; a row that has the value stays shared with its copies.
    mutating func set(_ name: String, _ value: ColumnValue) {
        if self[name] != value {
            self[name] = value
        }
    }

    /// A column that is a number and never NULL.
    package func number(_ name: String) -> Int64 {
        self[name].integer ?? 0
    }

    /// Whether this version of a row is better than another version of the same row.
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
package struct DamagedRecord: Sendable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String
    /// All columns as they are, the number first.
    package var columns: [ColumnValue]
}

/// The rows of one source, the best version of each.
package struct CarvedRows: Sendable {
    private var tables: [RowTable] = Array(
        repeating: RowTable(), count: StoreTable.allCases.count + 1)
    /// Rows in use that fail their checksum.
    package var damaged: [DamagedRecord] = []
    /// Whole rows, versions counted once.
    package var count: Int { tables.reduce(0) { $0 + $1.count } }

    /// More damaged rows are counted nowhere: they tell nothing.
    static let damagedCapacity = 1_000

    package subscript(_ table: StoreTable) -> RowTable {
        get { tables[Int(table.rawValue)] }
        // In its place: a copy of a table for each of its rows would make the work quadratic.
        _modify { yield &tables[Int(table.rawValue)] }
    }

    /// Visits a column that is a number, in every row of the tables that have it.
    func forEach(_ column: String, _ body: (Int64) -> Void) {
        for table in StoreTable.allCases {
            guard let index = table.description.index(column) else {
                continue
            }
            for row in self[table] where row.values.indices.contains(index) {
                row.values[index].integer.map(body)
            }
        }
    }

    package mutating func insert(_ row: CarvedRow) {
        Self.insert(row, into: &tables[Int(row.table.rawValue)][row.id])
    }

    private static func insert(_ row: CarvedRow, into known: inout CarvedRow?) {
        guard let rival = known else {
            known = row
            return
        }
        let rank = min(rival.rank, row.rank)
        if row.isBetter(than: rival) {
            known = row
        }
        known?.rank = rank
    }
}
