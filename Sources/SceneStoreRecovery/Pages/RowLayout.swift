import SceneStoreStorage
import SceneStoreValues

/// What a table's description tells of rows that are found without SQLite's help.
extension TableDescription {
    /// Whether a row's numbers can be counted on from: a forged row with a fitting checksum may
    /// hold any.
    package func isPlausible(id: Int64, _ values: [ColumnValue]) -> Bool {
        let key = table == .state || table == .sessionValue ? id >> 8 : id
        return (1...(1 << 54)).contains(key)
            && counters.allSatisfy { place in
                guard place < values.count, let number = values[place].integer else {
                    return true
                }
                return (0...(1 << 54)).contains(number)
            }
    }

    /// The tables whose records have this many columns.
    package static func candidates(columns: Int) -> [TableDescription] {
        byColumns.indices.contains(columns) ? byColumns[columns] : []
    }

    /// How many columns the widest table has.
    static let mostColumns = StoreTable.allCases.map(\.description.recordColumns).max() ?? 0

    private static let byColumns: [[TableDescription]] = {
        let layouts = StoreTable.allCases.map(\.description)
        return (0...mostColumns).map { count in
            layouts.filter { $0.recordColumns == count }
        }
    }()
}
