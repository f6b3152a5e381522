import SceneStoreStorage
import SceneStoreValues

/// What a table's description tells of rows that are found without SQLite's help.
extension TableDescription {
    /// Whether a row's numbers can be counted on from: a forged row with a fitting checksum may
    /// hold any.
    package func isPlausible(id: Int64, _ values: [ColumnValue]) -> Bool {
        let key = table == .state || table == .sessionValue ? id >> 8 : id
        return (1...(1 << 54)).contains(key)
            && zip(columns, values).allSatisfy { column, value in
                guard column.traits.contains(.counter), let number = value.integer else {
                    return true
                }
                return (0...(1 << 54)).contains(number)
            }
    }

    /// The place of a column between the number and the checksum.
    package func index(_ name: String) -> Int? {
        var name = name
        // Asked for each column of each row of a salvage.
        let hash = name.withUTF8 { ContentHash.hash(UnsafeRawBufferPointer($0)) }
        return Self.nameHashes[Int(table.rawValue)].firstIndex(of: hash)
    }

    /// Hashes of the names of the columns, by the numbers of the tables.
    private static let nameHashes: [[UInt64]] = {
        var hashes = [[UInt64]](repeating: [], count: StoreTable.allCases.count + 1)
        for table in StoreTable.allCases {
            hashes[Int(table.rawValue)] = table.description.columns.map { column in
                column.name.withUTF8Buffer { ContentHash.hash(UnsafeRawBufferPointer($0)) }
            }
        }
        return hashes
    }()

    /// How many columns a record in the file has; the number comes first.
    package var recordColumns: Int { columns.count + (hasPayload ? 3 : 2) }

    /// The place of the checksum in a record; the payload follows it.
    var recordChecksum: Int { columns.count + 1 }

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
