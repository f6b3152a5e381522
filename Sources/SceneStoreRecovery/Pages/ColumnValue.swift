import SceneStoreStorage
import SceneStoreValues

/// A stored value of a record's column.
package enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// Whether a column of a kind may hold it.
    package func fits(_ kind: ColumnKind) -> Bool {
        switch (kind, self) {
        case (.integer, .integer), (.text, .text), (.blob, .blob): true
        case (.optionalInteger, .integer), (.optionalInteger, .null): true
        case (.optionalText, .text), (.optionalText, .null): true
        default: false
        }
    }

    package var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var text: String? {
        if case .text(let value) = self { value } else { nil }
    }

    package var blob: [UInt8]? {
        if case .blob(let value) = self { value } else { nil }
    }
}

extension RowSealer {
    /// The checksum of a row that is not yet one: its number and the columns behind it.
    package func checksum(
        _ table: TableDescription, id: Int64, _ values: [ColumnValue]
    ) -> Int64 {
        begin()
        if table.isKeySealed {
            add(id)
        }
        for (column, value) in zip(table.columns, values) {
            switch column.kind {
            case .integer: add(value.integer ?? 0)
            case .optionalInteger: add(value.integer)
            case .text: add(value.text ?? "")
            case .optionalText:
                add(value.text != nil)
                if let text = value.text {
                    add(text)
                }
            case .blob: add(value.blob ?? [])
            }
        }
        return end(table.table)
    }
}

/// A configuration's row and its record, which a salvage makes of one another.
extension ConfigurationRow {
    /// Reads the columns of a record, from its number to its checksum; nil if they don't fit.
    init?(columns: [ColumnValue]) {
        let own = Self.description.columns
        guard columns.count == own.count + 2, let id = columns.first?.integer,
            let checksum = columns.last?.integer,
            zip(columns.dropFirst(), own).allSatisfy({ $0.fits($1.kind) })
        else {
            return nil
        }
        self.init {
            $0.id = id
            $0.epoch = columns[1].integer ?? 0
            $0.role = columns[2].text ?? ""
            $0.name = columns[3].text
            $0.sceneClass = columns[4].text
            $0.delegateClass = columns[5].text
            $0.storyboard = columns[6].text
            $0.immersionStyle = columns[7].text
            $0.resolution = columns[8].integer ?? 0
            $0.openSessions = columns[9].integer ?? 0
            $0.checksum = checksum
        }
    }

    /// The columns between the number and the checksum.
    var recordValues: [ColumnValue] {
        let texts = [name, sceneClass, delegateClass, storyboard, immersionStyle]
        return [.integer(epoch), .text(role)] + texts.map { $0.map { .text($0) } ?? .null }
            + [.integer(resolution), .integer(openSessions)]
    }
}
