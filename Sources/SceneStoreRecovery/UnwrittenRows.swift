import SceneStoreStorage
import SceneStoreValues

/// The rows of a salvage that a store does not have yet, in the order in which they are written:
/// parents before children, each table by its numbers. After a kill they are what is left to do
///
struct UnwrittenRows {
    private let rows: CarvedRows
    private var tables = StoreTable.digested[...]
    private var table = RowTable()
    private var ids: ArraySlice<Int64> = []
    /// The numbers of the rows of this table that the store has and that are not passed yet.
    private var written: ArraySlice<Int64> = []
    /// How many rows were given out or are written.
    private(set) var passed = 0

    /// The tables to which the last commit adds rows of its own.
    private static let growing: Set<StoreTable> = [.event, .quarantinedRow]

    init(_ rows: CarvedRows) {
        self.rows = rows
    }

    /// Whether ``next(in:)`` has answered nil.
    private(set) var isAtEnd = false

    /// The next one; nil when the store has all of them.
    mutating func next(in db: Database) throws(SceneStoreError) -> CarvedRow? {
        while true {
            while let id = ids.popFirst() {
                passed += 1
                if !isWritten(id), let row = table[id] {
                    return row
                }
            }
            guard let next = tables.popFirst() else {
                isAtEnd = true
                return nil
            }
            table = rows[next]
            ids = table.ids.sorted()[...]
            written = try db.numbers(next.description.numbers, binding()).sorted()[...]
            if written == ids {
                passed += ids.count
                ids = []
            }
            guard Self.growing.contains(next) || written.allSatisfy({ table.contains($0) }) else {
                throw SceneStoreError(
                    .internalError, "the draft has rows that the damaged store has not")
            }
        }
    }

    /// Whether the store has a row; the numbers come in their order.
    private mutating func isWritten(_ id: Int64) -> Bool {
        while let next = written.first, next < id {
            written.removeFirst()
        }
        return written.first == id
    }
}
