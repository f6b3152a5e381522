import SceneStoreSQLite
import SceneStoreValues

extension Int64: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.integer(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Bool: ColumnContent {
    package static var kind: ColumnKind { .integer }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.boolean(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension String: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.text(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension IdentifierText: ColumnContent {
    package static var kind: ColumnKind { .text }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        guard let text = IdentifierText(try row.textBytes(at: index)) else {
            throw SQLiteError(.invalidText, "an identifier is not UTF-8")
        }
        self = text
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, text)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Array: ColumnContent where Element == UInt8 {
    package static var kind: ColumnKind { .blob }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = try row.blobCopy(at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
        try statement.bind(index, copying: self)
    }

    package func seal(_ sealer: RowSealer) {
        sealer.add(self)
    }
}

extension Optional: ColumnContent where Wrapped: ColumnContent {
    package static var kind: ColumnKind {
        Wrapped.kind == .integer ? .optionalInteger : .optionalText
    }

    package init(_ row: borrowing Statement, at index: Int32) throws(SQLiteError) {
        self = row.isNull(at: index) ? nil : try Wrapped(row, at: index)
    }

    package func bind(_ statement: borrowing Statement, at index: Int32) throws(SQLiteError) {
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
}
