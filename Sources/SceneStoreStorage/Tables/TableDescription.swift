import SceneStoreSQLite
import SceneStoreValues

/// What a table's SQL is made of. Made once for each table, by its row's `visit`.
///
/// A row begins with its number and ends with its checksum and, in some tables, its payload;
/// `columns` lists what lies between.
package final class TableDescription: Sendable {
    package struct Column: Sendable {
        package let name: StaticString
        package let kind: ColumnKind
        package let traits: ColumnTraits
    }

    package let table: StoreTable
    package let name: StaticString
    /// The name of the column that is the row's number.
    package let key: StaticString
    /// Whether the number goes into the checksum; the store's only row has none of its own.
    package let isKeySealed: Bool
    package let columns: [Column]
    /// The same behind the row's number.
    private let all: [Column]
    package let hasPayload: Bool

    /// One row by its number.
    package let select: StatementText
    package let insert: StatementText
    /// Everything in a row that can change.
    package let update: TableUpdate
    /// Everything in a row but its number.
    let replacement: TableUpdate
    package let delete: StatementText
    /// The numbers of all rows.
    package let numbers: StatementText

    package convenience init<Row: StoredRow>(
        _ table: StoreTable, _ name: StaticString, of blank: Row
    ) {
        var pass = ColumnPass()
        var row = blank
        row.visit(&pass)
        self.init(table, name, all: pass.columns, hasPayload: Row.hasPayload)
    }

    private init(_ table: StoreTable, _ name: StaticString, all: [Column], hasPayload: Bool) {
        let key = all[0]
        let columns = Array(all.dropFirst())
        self.table = table
        self.hasPayload = hasPayload
        self.name = name
        self.key = key.name
        isKeySealed = !key.traits.contains(.unsealed)
        self.columns = columns
        self.all = all
        let list = TableDescription.list(all, payload: hasPayload)
        let places = repeatElement(", ?" as StaticString, count: all.count + (hasPayload ? 1 : 0))
        select = StatementText(
            joining: ["SELECT "] + list + [" FROM ", name, " WHERE ", key.name, " = ?"])
        insert = StatementText(
            joining: ["INSERT INTO ", name, " ("] + list + [") VALUES (?"] + places + [")"])
        delete = StatementText(joining: ["DELETE FROM ", name, " WHERE ", key.name, " = ?"])
        numbers = StatementText(joining: ["SELECT ", key.name, " FROM ", name])
        update = TableUpdate(name, key: key.name, columns, payload: hasPayload) {
            !$0.traits.contains(.fixed)
        }
        replacement = TableUpdate(name, key: key.name, columns, payload: hasPayload) { _ in true }
    }

    /// The names of some columns, the checksum and the payload, with their table's if it is told.
    private static func list(
        _ columns: [Column], payload: Bool, of table: StaticString? = nil
    ) -> [StaticString] {
        var parts: [StaticString] = []
        for name in columns.map(\.name) + (payload ? ["checksum", "payload"] : ["checksum"]) {
            parts += parts.isEmpty ? [] : [", "]
            parts += table.map { [$0, "."] } ?? []
            parts.append(name)
        }
        return parts
    }

    /// Reads rows by a condition, or whatever follows the table's name. `qualified` for joins: each
    /// column is named with its table; `extra` is one more column.
    func select(
        _ rest: [StaticString], qualified: Bool = false, payload: Bool? = nil,
        extra: StaticString? = nil
    ) -> StatementText {
        let names = Self.list(all, payload: payload ?? hasPayload, of: qualified ? name : nil)
        let more: [StaticString] = extra.map { [", ", $0] } ?? []
        return StatementText(joining: ["SELECT "] + names + more + [" FROM ", name, " "] + rest)
    }

    /// Every row of an epoch behind a number, in their order.
    func scan(_ join: StaticString?) -> StatementText {
        let number: [StaticString] = [name, ".", key]
        return select(
            [join ?? "", " WHERE "] + number + [" > ? AND epoch = ? ORDER BY "] + number,
            qualified: join != nil)
    }

    /// Removes rows of containers that were reset, up to a number.
    var deleteOld: StatementText {
        StatementText(joining: [
            "DELETE FROM ", name, " WHERE ", key, " IN (SELECT ", key, " FROM ", name,
            " WHERE epoch <> ? LIMIT ?)",
        ])
    }

    /// Writes some columns of a row, and its checksum.
    package func update(_ names: [StaticString]) -> TableUpdate {
        TableUpdate(name, key: key, columns, payload: false) { column in
            names.contains { name in
                name.withUTF8Buffer { name in
                    column.name.withUTF8Buffer { $0.elementsEqual(name) }
                }
            }
        }
    }

    /// Writes what can change, if the row is still as the condition says.
    package func update(if condition: StaticString) -> TableUpdate {
        TableUpdate(name, key: key, columns, payload: hasPayload, condition) {
            !$0.traits.contains(.fixed)
        }
    }
}

/// An UPDATE of one row: its text, and which columns it binds, a bit for each.
package struct TableUpdate: Sendable {
    package let text: StatementText
    package let mask: UInt64

    fileprivate init(
        _ name: StaticString, key: StaticString, _ columns: [TableDescription.Column],
        payload: Bool, _ condition: StaticString? = nil,
        where isSet: (TableDescription.Column) -> Bool
    ) {
        var parts: [StaticString] = ["UPDATE ", name, " SET "]
        var mask: UInt64 = 0
        for (index, column) in columns.enumerated() where isSet(column) {
            parts += [column.name, " = ?, "]
            // The number is the first that is visited.
            mask |= 1 << UInt64(index + 1)
        }
        parts += payload ? ["checksum = ?, payload = ?"] : ["checksum = ?"]
        parts += [" WHERE ", key, " = ?"]
        if let condition {
            parts += [" AND ", condition]
        }
        text = StatementText(joining: parts)
        self.mask = mask
    }
}

/// What a column may hold.
package enum ColumnKind: Sendable {
    case integer
    case optionalInteger
    case text
    case optionalText
    case blob
}

/// What else is known of a column.
package struct ColumnTraits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// As every option set answers it. Asked for each column of each row: without this a debug
    /// build goes through several generic calls.
    package func contains(_ traits: ColumnTraits) -> Bool {
        rawValue & traits.rawValue == traits.rawValue
    }

    /// It stays what it was when the row was made.
    package static let fixed = ColumnTraits(rawValue: 1)
    /// It counts or names something, and stays far below the greatest number.
    package static let counter = ColumnTraits(rawValue: 2)
    /// It does not go into the checksum.
    static let unsealed = ColumnTraits(rawValue: 4)
}

/// The tables, each with the number that goes into its rows' checksums, parents before children.
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

    /// Those whose rows go into the digests, parents before children: all but the first two.
    package static let digested = Array(allCases.dropFirst(2))
}
