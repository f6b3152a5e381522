import SceneStoreSQLite
import SceneStoreValues

extension Int64: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.integer(at: index)
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }

    package init?(_ value: ColumnValue) {
        guard let number = value.integer else {
            return nil
        }
        self = number
    }

    package var stored: ColumnValue { .integer(self) }
}

extension Bool: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.boolean(at: index)
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }

    package init?(_ value: ColumnValue) {
        guard let number = value.integer, 0...1 ~= number else {
            return nil
        }
        self = number == 1
    }

    package var stored: ColumnValue { .integer(self ? 1 : 0) }
}

extension String: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.text(at: index)
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }

    package init?(_ value: ColumnValue) {
        guard let text = value.text else {
            return nil
        }
        self = text
    }

    package var stored: ColumnValue { .text(self) }
}

extension IdentifierText: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        guard let text = IdentifierText(try row.textBytes(at: index)) else {
            throw SQLiteError(.invalidText, "an identifier is not UTF-8")
        }
        self = text
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        try statement.bind(index, text)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }

    package init?(_ value: ColumnValue) {
        guard let text = value.text else {
            return nil
        }
        self.init(text)
    }

    package var stored: ColumnValue { .text(text) }
}

extension Array: ColumnContent where Element == UInt8 {
    package static var kind: ColumnKind { .blob }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.blobCopy(at: index)
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        try statement.bind(index, copying: self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }

    package init?(_ value: ColumnValue) {
        guard let bytes = value.blob else {
            return nil
        }
        self = bytes
    }

    package var stored: ColumnValue { .blob(self) }
}

extension Optional: ColumnContent where Wrapped: ColumnContent {
    package static var kind: ColumnKind {
        Wrapped.kind == .integer ? .optionalInteger : .optionalText
    }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = row.isNull(at: index) ? nil : try Wrapped(row, at: index)
    }

    package func bind(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) {
        if let value = self {
            try value.bind(statement, at: index)
        } else {
            try statement.bindNull(index)
        }
    }

    /// A mark stands before it; an absent number is a zero behind the mark, an absent text nothing.
    package func seal(_ sealer: RowSealer) {
        sealer.add(self != nil)
        if let value = self {
            value.seal(sealer)
        } else if Wrapped.kind == .integer {
            sealer.add(0 as Int64)
        }
    }

    package init?(_ value: ColumnValue) {
        let content: Wrapped? = Wrapped(value)
        self = content
    }

    package var stored: ColumnValue { self?.stored ?? .null }
}

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
