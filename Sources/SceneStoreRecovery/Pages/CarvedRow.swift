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

    /// The value of a column that is asked for in every row.
    subscript(_ column: KnownColumn) -> ColumnValue {
        get {
            let place = column.place(in: table)
            return place < values.count ? values[place] : .null
        }
        set {
            let place = column.place(in: table)
            if place < values.count {
                values[place] = newValue
            }
        }
    }

    /// Sets a column; a row that has the value stays shared with its copies.
    mutating func set(_ column: KnownColumn, _ value: ColumnValue) {
        if self[column] != value {
            self[column] = value
        }
    }

    /// A column that is a number and never NULL.
    package func number(_ name: String) -> Int64 {
        self[name].integer ?? 0
    }

    /// The same of a column that is asked for in every row.
    func number(_ column: KnownColumn) -> Int64 {
        let place = column.place(in: table)
        guard place < values.count, case .integer(let number) = values[place] else {
            return 0
        }
        return number
    }

    /// The identifier of the session that the row is of.
    var identifier: String { self[.identifier].text ?? "" }
    /// The same, compared by its bytes.
    var identifierText: IdentifierText { IdentifierText(identifier) }

    /// Whether this version of a row is better than another version of the same row.
    func isBetter(than other: CarvedRow) -> Bool {
        if isWhole != other.isWhole {
            return isWhole
        }
        if KnownColumn.generation.isIn(table) {
            let (mine, others) = (number(.generation), other.number(.generation))
            if mine != others {
                return mine > others
            }
        }
        return rank != other.rank ? rank < other.rank : sequence > other.sequence
    }
}

/// A column that a recovery asks for in every row, with its place in each table: to look for the
/// name each time took a tenth of a recovery.
struct KnownColumn: Sendable {
    /// By the numbers of the tables.
    private let places: [Int]

    private init(_ name: String) {
        places = ([.store] + StoreTable.allCases).map { $0.description.index(name) ?? .max }
    }

    /// Its place among a row's values; behind all of them where the table doesn't have it.
    func place(in table: StoreTable) -> Int {
        places[Int(table.rawValue)]
    }

    func isIn(_ table: StoreTable) -> Bool {
        place(in: table) < .max
    }

    static let epoch = KnownColumn("epoch")
    static let generation = KnownColumn("generation")
    static let identifier = KnownColumn("identifier")
    static let isOpen = KnownColumn("is_open")
    static let configurationID = KnownColumn("configuration_id")
    static let conditionsID = KnownColumn("conditions_id")
    static let contextID = KnownColumn("context_id")
    static let stateID = KnownColumn("state_id")
    static let stateChecksum = KnownColumn("state_checksum")
    static let savedAt = KnownColumn("saved_at")
    static let valueHash = KnownColumn("value_hash")
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

    /// Makes room for the sessions and states of so many pages, which may be holes.
    mutating func reserveCapacity(pages: Int) {
        for table in [StoreTable.session, .state] {
            self[table].reserveCapacity(min(8 * pages, 1 << 20))
        }
    }

    package subscript(_ table: StoreTable) -> RowTable {
        get { tables[Int(table.rawValue)] }
        // In its place: a copy of a table for each of its rows would make the work quadratic.
        _modify { yield &tables[Int(table.rawValue)] }
    }

    /// Visits a column that is a number, in every row of the tables that have it.
    func forEach(_ column: KnownColumn, _ body: (Int64) -> Void) {
        for table in StoreTable.allCases where column.isIn(table) {
            self[table].lookAtEach { $0[column].integer.map(body) }
        }
    }

    package mutating func insert(_ row: CarvedRow) {
        tables[Int(row.table.rawValue)].insert(row) { known in
            let rank = min(known.rank, row.rank)
            if row.isBetter(than: known) {
                known = row
            }
            known.rank = rank
        }
    }
}
