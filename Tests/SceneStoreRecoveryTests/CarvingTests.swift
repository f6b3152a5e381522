import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Carving")
struct CarvingTests {
    @Test("R-24 the loose checksum is that of the rows, for every table")
    func checksums() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        try store.close()
        try container.sql("UPDATE session SET recency = 1 WHERE identifier = 'hidden'")
        // Sets the damaged row aside, so that the last table holds a row as well.
        let editor = try container.open(.editor)
        _ = try editor.upkeep.verifyRows(budgetMilliseconds: 60_000)
        while try editor.upkeep.perform(budgetMilliseconds: 1_000) {}
        try editor.close()
        let input = try SalvageInput(SalvageInput.File(path: container.store))
        let source = try #require(input.sources.first)
        for table in StoreTable.allCases where table != .store {
            #expect(!source.rows[table].isEmpty, "no row of \(table.name) was found")
        }
        #expect(source.store != nil)
        #expect(source.rows.damaged.isEmpty)
        let salvage = try #require(Salvage(input))
        #expect(salvage.report.isComplete)
    }

    @Test("R-25 forged rows with a fitting checksum and mad numbers are no rows")
    func forged() throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("one")
        try store.save(record, activity(1))
        let uuid = try store.read { db in db.store.uuid }
        try store.close()
        let sealer = RowSealer(uuid: uuid)
        let columns: [String: [ColumnValue]] = [
            "session": [
                .text("mad"), .integer(1), .integer(1), .integer(1), .integer(0),
                .integer(.max), .null, .integer(.max),
            ] + Array(repeating: .integer(0), count: 14) + [
                .null, .null, .integer(.min), .integer(.max), .null, .integer(.max), .null,
            ],
            "event": [
                .integer(1), .integer(.max), .integer(.max), .integer(.max), .integer(.min),
                .text("create"), .null, .null,
            ],
        ]
        for (table, values) in columns {
            let layout = (table == "event" ? StoreTable.event : .session).description
            let sum = sealer.checksum(layout, id: .max, values)
            let texts = values.map { value in
                switch value {
                case .integer(let number): number == .min ? "-9223372036854775807-1" : "\(number)"
                case .text(let text): "'\(text)'"
                default: "NULL"
                }
            }
            try container.sql(
                "PRAGMA foreign_keys = OFF; INSERT INTO \(table) VALUES (\(Int64.max), "
                    + texts.joined(separator: ", ") + ", \(sum))")
        }
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.store, to: target, options: container.options())
        #expect(report.openSessions == 1)
        let copy = try SceneSessionStore.open(
            at: .directory(target), options: container.options())
        try copy.launch()
        _ = try copy.add("two")
        #expect(try copy.verify(.full).isSound)
    }

    @Test("R-24 the rows of the newest store in a file count, also where another one comes first")
    func twoStores() throws {
        func store(_ names: [String]) throws -> TestContainer {
            let container = TestContainer(seed: UInt64(names.count))
            let store = try container.open()
            for name in names {
                try store.save(try store.add(name), activity(1))
            }
            try store.close()
            return container
        }
        let (older, newer) = (try store(["older"]), try store(["one", "two", "three"]))
        let bytes = try [older, newer].map { try DamagedFile($0.store).bytes }
        for (first, second) in [(0, 1), (1, 0)] {
            let path = older.parent.file("both-\(first)")
            try DamagedFile(bytes: bytes[first] + bytes[second], path: path).write()
            let input = try SalvageInput(SalvageInput.File(path: path))
            let found = try #require(input.sources.first).rows[.session]
            #expect(Set(found.map { $0["identifier"].text }) == ["one", "two", "three"])
        }
    }

    @Test("R-24 an undamaged store salvages into an equal one")
    func whole() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        let expected = try store.export()
        let events = try store.journal.events().count
        try store.close()
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.store, to: target, options: container.options())
        #expect(report.isComplete)
        #expect(report.counts == [.restored: 3])
        let copy = try SceneSessionStore.open(
            at: .directory(target), options: container.options())
        #expect(try copy.export() == expected)
        #expect(try copy.journal.events().count >= events)
        #expect(try copy.verify(.full).isSound)
        #expect(
            failure {
                _ = try SceneSessionStore.salvage(
                    from: container.store, to: container.path, options: container.options())
            } == .invalidLocation)
    }

    @Test("R-24 rows in the log are found, and the later generation counts")
    func log() throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("only")
        for number in 0..<4 {
            try store.save(record, activity(number))
        }
        let expected = try store.export()
        store.abandon()
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.store, to: target, options: container.options())
        #expect(report.isComplete)
        let copy = try SceneSessionStore.open(
            at: .directory(target), options: container.options())
        #expect(try copy.export() == expected)
    }

    @Test("R-24 what is missing comes from a backup, what is gone does not")
    func backups() throws {
        let container = TestContainer()
        let truth = try SalvageFigureTests.make(container, sessions: 60)
        let store = try container.open()
        let backup = container.parent.file("backup.sqlite")
        try store.backUp(to: backup)
        let victims = Array(try store.openRecords().map(\.key).prefix(3))
        let gone = try victims.map { key in
            try #require(try store.record(key: key)?.identifier)
        }
        try store.forget(victims)
        try store.close()
        var file = try DamagedFile(container.store)
        var random = SeededRandom(11)
        for page in (1..<file.pages).shuffled(using: &random).prefix(file.pages / 4) {
            file.overwrite(page: page) { _ in 0 }
        }
        try file.write()
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.store, to: target, backups: [backup], options: container.options())
        #expect(report.backups == 1)
        let copy = try SceneSessionStore.open(
            at: .directory(target), options: container.options())
        let names = Set(try copy.openRecords().map(\.identifier))
        #expect(names.isDisjoint(with: gone))
        #expect(names.isSubset(of: Set(truth.numbers.keys)))
        for record in try copy.openRecords() {
            let number = try copy.restorationActivity(key: record.key)?.userInfo["number"]
            #expect(number != nil, "a state of \(record.identifier) is in the backup")
        }
        #expect(try copy.verify(.full).isSound)
    }

    @Test("R-24 of rows that an older transaction left no more come back than are missing")
    func oldRows() throws {
        for (recorded, expected) in [(1, ["A"]), (2, ["A"]), (3, ["A", "B", "C"])] {
            let container = TestContainer()
            let store = try container.open()
            for name in ["A", "B", "C"] {
                _ = try store.add(name)
            }
            // Two rows go without a word: their older versions lie in the log.
            try store.database.withLock { db throws(SceneStoreError) in
                try db.write(.full) { transaction throws(SceneStoreError) in
                    transaction.store.openCount = Int64(recorded)
                    transaction.note(.change, "A", "changed")
                    do throws(SQLiteError) {
                        try db.connection.run(
                            "DELETE FROM session WHERE identifier IN ('B', 'C')")
                    } catch {
                        throw SceneStoreError(error)
                    }
                }
            }
            store.abandon()
            let target = container.parent.file("salvaged")
            let report = try SceneSessionStore.salvage(
                from: container.store, to: target, options: container.options())
            #expect(report.expected == recorded)
            #expect(report.openSessions == expected.count)
            let copy = try SceneSessionStore.open(
                at: .directory(target), options: container.options())
            #expect(try copy.openRecords().map(\.identifier).sorted() == expected)
        }
    }

    @Test("R-24 the identity is found in the journal when the store's own row is lost")
    func identity() throws {
        let container = TestContainer()
        let truth = try SalvageFigureTests.make(container, sessions: 30)
        let input = try SalvageInput(SalvageInput.File(path: container.store))
        let page = try #require(
            input.carvers.first?.tree.leaves.first { $0.value == "store" }?.key)
        var file = try DamagedFile(container.store)
        file.overwrite(page: Int(page) - 1) { _ in 0 }
        try file.write()
        let target = container.parent.file("salvaged")
        let report = try SceneSessionStore.salvage(
            from: container.store, to: target, options: container.options())
        #expect(report.expected == nil)
        #expect(report.openSessions == truth.numbers.count)
    }

    @Test("S-62 R-28 a file that names many identities is read through a few times")
    func manyIdentities() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        try store.close()
        let layout = StoreTable.event.description
        var rows: [String] = []
        for number in 0..<200 as Range<Int64> {
            // Each bears the checksum of the identity that it names.
            let uuid = [UInt8](repeating: UInt8(number), count: 16)
            let kind = StoreEvent.Kind.identity.rawValue
            let name = HexText.text(uuid)
            let values: [ColumnValue] = [
                .integer(1), .integer(1), .integer(number), .integer(1), .integer(1), .text(kind),
                .null, .text(name),
            ]
            let sum = RowSealer(uuid: uuid).checksum(layout, id: 1_000 + number, values)
            rows.append(
                "(\(1_000 + number), 1, 1, \(number), 1, 1, '\(kind)', NULL, '\(name)', \(sum))")
        }
        try container.sql("INSERT INTO event VALUES \(rows.joined(separator: ", "))")
        let found = try SalvageInput(SalvageInput.File(path: container.store))
        let page = try #require(
            found.carvers.first?.tree.leaves.first { $0.value == "store" }?.key)
        var file = try DamagedFile(container.store)
        file.overwrite(page: Int(page) - 1) { _ in 0 }
        try file.write()
        var passes = 0
        _ = try SalvageInput(SalvageInput.File(path: container.store)) { done, _ in
            passes += done == 0 ? 1 : 0
            return true
        }
        // A pass says once or twice that it begins.
        #expect(passes < 50)
    }

    @Test("R-25 damaged and crafted bytes are carved in bounded time and never trap")
    func hostile() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        store.abandon()
        let main = try DamagedFile(container.store)
        let log = try DamagedFile(container.path + "/" + ContainerName.log)
        var random = SeededRandom(99)
        let folder = TemporaryFolder()
        for round in 0..<60 {
            var bytes = main.bytes
            var frames = log.bytes
            for _ in 0..<(1 << Int.random(in: 0..<10, using: &random)) {
                if Bool.random(using: &random), !frames.isEmpty {
                    frames[Int.random(in: 0..<frames.count, using: &random)] =
                        [0, 0xFF, 0x0D, 0x80].randomElement(using: &random) ?? 0
                } else {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                        UInt8.random(in: .min ... .max, using: &random)
                }
            }
            if round % 10 == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            let path = folder.file("scenes.sqlite")
            try DamagedFile(bytes: bytes, path: path).write()
            try DamagedFile(bytes: frames, path: path + "-wal").write()
            let input = try? SalvageInput(
                SalvageInput.File(path: path, logPath: path + "-wal"))
            if let input, let salvage = Salvage(input) {
                let names = salvage.rows[.session].compactMap {
                    $0["identifier"].text
                }
                #expect(Set(names).isSubset(of: ["plain", "rich", "closed", "hidden"]))
            }
        }
    }

    @Test("R-63 R-65 a saved state may hold bytes that look like a record that is its length alone")
    func lengthAlone() throws {
        let container = TestContainer()
        let store = try container.open()
        var state = activity(1)
        // A cell of three bytes: the length of its header, 3, in three bytes.
        let cell: [UInt8] = [0x03, 0x01, 0x80, 0x80, 0x03, 0x00]
        state.userInfo["data"] = .data(Data(Array(repeating: cell, count: 2_000).joined()))
        try store.save(try store.add("only"), state)
        try store.close()
        let report = try SceneSessionStore.salvage(
            from: container.store, to: container.parent.file("salvaged"),
            options: container.options())
        #expect(report.isComplete)
    }

    // Without a bound this takes hours.
    @Test(
        "R-25 cells that all claim one endless chain of pages cost no more than the file",
        .timeLimit(.minutes(10)))
    func chains() throws {
        // Every cell of every page claims 60 MiB that begin at page 2, whose chain is a ring.
        var bytes: [UInt8] = []
        for page in 0..<64 {
            var content = [UInt8](repeating: 0, count: 4_096)
            content[0] = page == 0 ? 0 : 0x0D
            content[3] = 2
            content[4] = 3
            content[2] = UInt8(page)
            var offset = 2_000
            while offset < 2_900 {
                // size 60 MiB, rowid 1, a header like a session's.
                let cell: [UInt8] = [0x9E, 0x80, 0x80, 0x00, 0x01, 0x12, 0x00, 0x0D]
                for (index, byte) in cell.enumerated() { content[offset + index] = byte }
                offset += 16
            }
            bytes += content
        }
        let folder = TemporaryFolder()
        let path = folder.file("crafted.sqlite")
        try DamagedFile(bytes: bytes, path: path).write()
        #expect(
            failure {
                _ = try SceneSessionStore.salvage(from: path, to: folder.file("out"))
            } == .notAStore)
    }
}
