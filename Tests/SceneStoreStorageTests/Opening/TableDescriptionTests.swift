import SceneStoreSQLite
import Testing

import SceneStore

@Suite("Table descriptions")
struct TableDescriptionTests {
    @Test("S-03 each table is described as the schema makes it", arguments: StoreTable.allCases)
    func schema(_ table: StoreTable) throws {
        let store = try SceneSessionStore.memory()
        let found = try store.read { db throws(SceneStoreError) -> [String] in
            try db.connection.withStatement(text: "PRAGMA table_info(\(table.name))") {
                statement throws(SceneStoreError) -> [String] in
                do throws(SQLiteError) {
                    var lines: [String] = []
                    while try statement.step() {
                        let isRequired = try statement.boolean(at: 3)
                        lines.append(
                            "\(try statement.text(at: 1)) \(try statement.text(at: 2))"
                                + (isRequired ? " NOT NULL" : ""))
                    }
                    return lines
                } catch {
                    throw SceneStoreError(error)
                }
            }
        }
        let description = table.description
        var expected = ["\(description.key) INTEGER"]
        for column in description.columns {
            let kind =
                switch column.kind {
                case .integer: "INTEGER NOT NULL"
                case .optionalInteger: "INTEGER"
                case .text: "TEXT NOT NULL"
                case .optionalText: "TEXT"
                case .blob: "BLOB NOT NULL"
                }
            expected.append("\(column.name) \(kind)")
        }
        expected.append("checksum INTEGER NOT NULL")
        if description.hasPayload {
            expected.append("payload BLOB NOT NULL")
        }
        #expect(found == expected)
    }

    @Test("S-03 two texts are never the same")
    func distinct() {
        var texts: [String] = []
        for table in StoreTable.allCases {
            let description = table.description
            texts += [
                description.select, description.insert, description.update.text,
                description.delete,
            ].map(\.description)
        }
        #expect(Set(texts).count == texts.count)
        #expect(
            StoreTable.conditions.description.update.text.description
                == "UPDATE conditions SET epoch = ?, content_hash = ?, checksum = ?, "
                + "payload = ? WHERE id = ?")
        #expect(
            SessionRow.stateUpdate.text.description
                == "UPDATE session SET state_id = ?, saved_at = ?, generation = ?, "
                + "state_checksum = ?, checksum = ? WHERE id = ?")
    }

    @Test("R-22 the skeleton is read and proved by hand as its description says")
    func skeleton() throws {
        let store = try SceneSessionStore.memory()
        try store.using { db throws(SceneStoreError) in
            for bits in 0..<128 {
                func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
                let number = Int64(bits + 2)
                var row = SessionRow.blank
                row.id = number * 1_000
                row.identifierText = IdentifierText("säßion \(bits)")
                row.epoch = 1
                row.configurationID = number * 3
                row.isOpen = has(0)
                row.isFront = has(1)
                row.recency = number * 5
                row.stateID = has(2) ? number * 7 : nil
                row.crashCount = number * 11
                row.flags = SessionFlags(
                    rawValue: (number << 14 | number << 7 | number) % (1 << 20))
                row.conditionsID = has(3) ? number * 13 : nil
                row.valueHash = has(4) ? -number : nil
                row.createdAt = number * 17
                row.lastActiveAt = number * 19
                row.savedAt = has(5) ? number * 23 : nil
                row.generation = number * 29
                row.stateChecksum = has(6) ? -number * 31 : nil
                row = row.sealed(db.sealer)
                #expect(row.isWhole(db.sealer))
                for change in [
                    \SessionRow.stateID, \.conditionsID, \.valueHash, \.savedAt, \.stateChecksum,
                ] {
                    var other = row
                    other[keyPath: change] = (row[keyPath: change] ?? 0) + 1
                    #expect(!other.isWhole(db.sealer))
                }
                let columns = "SELECT ?" + String(repeating: ", ?", count: 30)
                let read = try db.connection.withStatement(text: columns) {
                    statement throws(SceneStoreError) -> [SessionRow] in
                    do throws(SQLiteError) {
                        _ = try row.write(to: statement, db.sealer)
                        #expect(try statement.step())
                        let byHand = try SessionRow(statement)
                        var described = SessionRow.blank
                        var pass = ColumnPass(nil, statement.again(), isReading: true)
                        described.visit(&pass)
                        described.checksum = try statement.integer(at: try pass.end())
                        return [byHand, described]
                    } catch {
                        throw SceneStoreError(error)
                    }
                }
                for found in read {
                    #expect(String(describing: found) == String(describing: row))
                    #expect(found.isWhole(db.sealer))
                }
            }
        }
    }
}
