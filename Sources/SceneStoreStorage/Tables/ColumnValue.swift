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
