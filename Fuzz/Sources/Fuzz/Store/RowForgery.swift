import SceneStore
import SceneStoreSQLite

/// Changes rows of a store and seals them anew: what stands in the file then passes every
/// checksum, and is nonsense.
struct RowForgery {
    private let connection: Connection
    private let uuid: [UInt8]
    private let epoch: Int64

    init?(_ container: String) {
        do {
            connection = try Connection(
                path: container + "/" + ContainerName.store, options: Connection.Options(.scratch))
            guard let row = try Self.storeRow(connection) else {
                return nil
            }
            uuid = row.uuid
            epoch = row.containerEpoch
        } catch {
            return nil
        }
    }

    func forge(_ input: inout FuzzInput) {
        // What SQLite refuses, a forger would have to leave as well; the rest counts.
        try? connection.execute(
            script: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; BEGIN",
            named: "forgery")
        while !input.isEmpty {
            try? change(&input)
        }
        try? seal()
        try? connection.execute(script: "COMMIT", named: "forgery")
        try? connection.close()
    }

    // MARK: - Changing

    private static let numbers: [Int64] = [
        .min, .min + 1, -1, 0, 1, 2, 255, 256, 1 << 31, 1 << 32, 1 << 53, 1 << 55, 1 << 56,
        .max - 1, .max,
    ]

    /// One change: a table, a row, a column and a value.
    private func change(_ input: inout FuzzInput) throws(SQLiteError) {
        guard let table = StoreTable.allCases.chosen(by: UInt64(input.byte())) else {
            return
        }
        let row = Int64(input.byte() & 7)
        let column = input.byte()
        let kind = input.byte() & 7
        let id = try integer("SELECT rowid FROM \(table.name) LIMIT 1 OFFSET \(row)")
        guard let id, let name = try columns(of: table).chosen(by: UInt64(column)) else {
            return
        }
        if kind == 7 {
            try run("DELETE FROM \(table.name) WHERE rowid = \(id)") { _ in }
            return
        }
        let change = "UPDATE \(table.name) SET \(name) = ? WHERE rowid = \(id)"
        switch kind {
        case 0:
            let number = Int64(Int8(bitPattern: input.byte()))
            try run(change) { statement throws(SQLiteError) in try statement.bind(1, number) }
        case 1:
            let number = Int64(bitPattern: input.number(bytes: 8))
            try run(change) { statement throws(SQLiteError) in try statement.bind(1, number) }
        case 2, 3:
            let number = Self.numbers.chosen(by: UInt64(input.byte())) ?? 0
            try run(change) { statement throws(SQLiteError) in try statement.bind(1, number) }
        case 4:
            let text = String(decoding: input.bytes(Int(input.byte())), as: UTF8.self)
            try run(change) { statement throws(SQLiteError) in try statement.bind(1, text) }
        case 5:
            let bytes = input.bytes(Int(input.byte()))
            try bytes.withUnsafeBufferPointer { bytes throws(SQLiteError) in
                try run(change) { statement throws(SQLiteError) in
                    try statement.bind(1, UnsafeRawBufferPointer(bytes))
                }
            }
            try sealPayload(table, id)
        default:
            try run(change) { statement throws(SQLiteError) in try statement.bindNull(1) }
        }
    }

    private func columns(of table: StoreTable) throws(SQLiteError) -> [String] {
        var names: [String] = []
        try connection.withStatement(text: "SELECT * FROM \(table.name)") {
            statement throws(SQLiteError) in
            for index in 0..<statement.columnCount {
                if let name = statement.columnName(at: index), name != "checksum" {
                    names.append(name)
                }
            }
        }
        return names
    }

    /// A payload's hash fits its bytes again.
    private func sealPayload(_ table: StoreTable, _ id: Int64) throws(SQLiteError) {
        guard try columns(of: table).contains("content_hash") else {
            return
        }
        let text = "SELECT payload FROM \(table.name) WHERE rowid = \(id)"
        let hash = try connection.withStatement(text: text) {
            statement throws(SQLiteError) -> Int64 in
            guard try statement.step() else {
                return 0
            }
            return Database.hash(try statement.blob(at: 0))
        }
        try run("UPDATE \(table.name) SET content_hash = \(hash) WHERE rowid = \(id)") { _ in }
    }

    // MARK: - Sealing

    private func seal() throws(SQLiteError) {
        let sealer = RowSealer(uuid: uuid)
        var changed: Int64 = 0
        for table in StoreTable.digested where table != .quarantinedRow {
            changed &+= try seal(table.rowType, sealer)
        }
        try sealStore(changed, sealer)
    }

    /// Seals a table; answers by how much the sum of its checksums changed.
    private func seal<Row: StoredRow>(
        _: Row.Type, _ sealer: RowSealer
    ) throws(SQLiteError) -> Int64 {
        var sealed: [(id: Int64, checksum: Int64)] = []
        var changed: Int64 = 0
        try connection.withStatement(Row.scan.text) { statement throws(SQLiteError) in
            try statement.bind(1, Int64.min)
            try statement.bind(2, epoch)
            while try statement.step() {
                // A row of a wrong type stays damaged, as it is.
                guard let row = try? Row(statement) else {
                    continue
                }
                let checksum = row.sealed(sealer).checksum
                if checksum != row.checksum {
                    sealed.append((try statement.integer(at: 0), checksum))
                    changed &+= checksum &- row.checksum
                }
            }
        }
        for (id, checksum) in sealed {
            try run("UPDATE \(Row.table.name) SET checksum = ? WHERE rowid = ?") {
                statement throws(SQLiteError) in
                try statement.bind(1, checksum)
                try statement.bind(2, id)
            }
        }
        return changed
    }

    private func sealStore(_ changed: Int64, _ sealer: RowSealer) throws(SQLiteError) {
        guard var row = try Self.storeRow(connection) else {
            return
        }
        // Rows keep the identity that they were sealed with, whatever the store calls itself.
        let own = RowSealer(uuid: row.uuid)
        row.rowDigest &+= changed
        row.openDigest = try openDigest()
        row = row.sealed(own)
        try run("UPDATE store SET row_digest = ?, open_digest = ?, checksum = ?") {
            statement throws(SQLiteError) in
            try statement.bind(1, row.rowDigest)
            try statement.bind(2, row.openDigest)
            try statement.bind(3, row.checksum)
        }
    }

    private static func storeRow(_ connection: Connection) throws(SQLiteError) -> StoreRow? {
        try connection.withStatement(StoreRow.byNumber.text) {
            statement throws(SQLiteError) -> StoreRow? in
            try statement.bind(1, 1 as Int64)
            return try statement.step() ? try StoreRow(statement) : nil
        }
    }

    private func openDigest() throws(SQLiteError) -> Int64 {
        var sum: Int64 = 0
        try connection.withStatement(
            text: "SELECT checksum FROM session WHERE is_open = 1 AND epoch = \(epoch)"
        ) { statement throws(SQLiteError) in
            while try statement.step() {
                sum &+= try statement.integer(at: 0)
            }
        }
        return sum
    }

    // MARK: - SQL

    private func run(
        _ text: String, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try connection.withStatement(text: text) { statement throws(SQLiteError) in
            try bind(statement)
            _ = try statement.step()
        }
    }

    private func integer(_ text: String) throws(SQLiteError) -> Int64? {
        try connection.withStatement(text: text) { statement throws(SQLiteError) -> Int64? in
            try statement.step() ? try statement.integer(at: 0) : nil
        }
    }
}
