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

/// A fault that is put into a store with SQL, and what verification says to it.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    var name: String
    /// SQL, or for what no SQL can do: the bytes of a text in a table's own pages, and others.
    var sql = ""
    var bytes: (table: String, from: [UInt8], to: [UInt8])?
    var code: Diagnostic.Code

    var testDescription: String { name }

    static let all: [PlantedFault] = [
        PlantedFault(
            name: "a bad checksum",
            sql: "UPDATE session SET recency = recency + 1 WHERE id = 1 OR identifier = 'plain'",
            code: .damagedRow),
        PlantedFault(
            name: "a damaged payload",
            sql:
                "UPDATE state SET payload = zeroblob(length(payload)) WHERE id = (SELECT max(id) FROM state)",
            code: .damagedRow),
        PlantedFault(
            name: "a text that is none",
            bytes: ("state", Array("com.example.everything".utf8), [0xFF]), code: .wrongType),
        PlantedFault(
            name: "two sessions of one identifier",
            bytes: ("session", Array("closed".utf8), Array("hidden".utf8)), code: .duplicateRow),
        PlantedFault(
            name: "two values of one key",
            bytes: ("scene_storage", Array("date".utf8), Array("$odd".utf8)),
            code: .duplicateRow),
        PlantedFault(
            name: "a missing configuration",
            sql: "PRAGMA foreign_keys = OFF; DELETE FROM configuration WHERE name = 'Editor'",
            code: .brokenReference),
        PlantedFault(
            name: "missing conditions", sql: "PRAGMA foreign_keys = OFF; DELETE FROM conditions",
            code: .brokenReference),
        PlantedFault(
            name: "a value without its session",
            sql: "UPDATE session_value SET id = 99999 << 8 | 1 WHERE id & 255 = 1",
            code: .brokenReference),
        PlantedFault(
            name: "storage without its session",
            sql: "PRAGMA foreign_keys = OFF; UPDATE scene_storage SET session_id = 99999",
            code: .brokenReference),
        PlantedFault(
            name: "a tombstone without its configuration",
            sql: "PRAGMA foreign_keys = OFF; UPDATE discard SET configuration_id = 99999",
            code: .brokenReference),
        PlantedFault(
            name: "an exception without its launch",
            sql: "PRAGMA foreign_keys = OFF; DELETE FROM launch", code: .brokenReference),
        PlantedFault(
            name: "a state of the future",
            sql: "UPDATE state SET generation = 1 << 40 WHERE id = (SELECT max(id) FROM state)",
            code: .impossibleClock),
        PlantedFault(
            name: "a tombstone of the future", sql: "UPDATE discard SET generation = 1 << 40",
            code: .impossibleClock),
        PlantedFault(
            name: "a launch of the future", sql: "UPDATE launch SET generation = 1 << 40",
            code: .impossibleClock),
        PlantedFault(
            name: "an entry of the future", sql: "UPDATE event SET serial = 1 << 40 WHERE id = 2",
            code: .impossibleClock),
        PlantedFault(
            name: "a missing state",
            sql:
                "DELETE FROM state WHERE id = (SELECT state_id FROM session WHERE identifier = 'plain')",
            code: .brokenReference),
        PlantedFault(
            name: "a state of another session",
            sql: """
                UPDATE session SET state_id = (SELECT state_id FROM session WHERE identifier = 'rich')
                WHERE identifier = 'plain'
                """,
            code: .twoCurrentStates),
        PlantedFault(
            name: "two states of one generation",
            sql:
                "UPDATE state SET generation = 5 WHERE id >> 8 = (SELECT id FROM session WHERE identifier = 'rich')",
            code: .twoCurrentStates),
        PlantedFault(
            name: "an open session with a tombstone",
            sql: "UPDATE discard SET id = (SELECT id FROM session WHERE identifier = 'plain')",
            code: .openAndDiscarded),
        PlantedFault(
            name: "a state without its session",
            sql: "UPDATE state SET id = 99999 << 8 WHERE id = (SELECT max(id) FROM state)",
            code: .brokenReference),
        PlantedFault(
            name: "a generation of the future",
            sql: "UPDATE session SET recency = 1 << 40 WHERE identifier = 'plain'",
            code: .impossibleClock),
        PlantedFault(
            name: "a time in no calendar",
            sql: "UPDATE session SET created_at = 1 << 62 WHERE identifier = 'plain'",
            code: .impossibleClock),
        PlantedFault(
            name: "a wrong count", sql: "UPDATE configuration SET open_sessions = 70",
            code: .countMismatch),
        PlantedFault(
            name: "a session that vanished",
            sql: "DELETE FROM scene_storage; DELETE FROM session WHERE identifier = 'hidden'",
            code: .lostSessions),
        PlantedFault(
            name: "a row that vanished", sql: "DELETE FROM session_value", code: .digestMismatch),
    ]
}

@Suite("Verification and repair")
struct VerificationTests {
    private func filled() throws -> TestContainer {
        let container = TestContainer()
        let store = try container.open()
        try store.fill(container.clock)
        try store.close()
        return container
    }

    private func plant(_ fault: PlantedFault, in container: TestContainer) throws {
        guard let (table, from, to) = fault.bytes else {
            return try container.sql(fault.sql)
        }
        let input = try SalvageInput(SalvageInput.File(path: container.store))
        let pages = try #require(input.carvers.first).tree.leaves.filter { $0.value == table }
        var file = try DamagedFile(container.store)
        for page in pages.keys {
            let start = Int(page - 1) * 4_096
            for offset in start..<start + 4_096 - from.count
            where file.bytes[offset..<offset + from.count].elementsEqual(from) {
                file.bytes.replaceSubrange(offset..<offset + to.count, with: to)
            }
        }
        try file.write()
    }

    @Test("S-61 a discard that waits for an open session's identifier is found and mended")
    func discardOfOpenSession() throws {
        let container = try filled()
        let store = try container.open(.editor)
        try store.using { db throws(SceneStoreError) in
            guard let row = try db.session(identifier: "plain") else {
                return
            }
            _ = try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.insert(
                    DiscardRow {
                        $0.id = transaction.nextID()
                        $0.epoch = db.store.containerEpoch
                        $0.identifier = "plain"
                        $0.configurationID = row.configurationID
                        $0.cause = "user"
                        $0.discardedAt = db.now
                        $0.generation = db.store.generation
                    })
            }
        }
        let found = try store.verify().findings
        #expect(found.map(\.code) == [.openAndDiscarded])
        #expect(found.first?.sessionIdentifier == "plain")
        try store.close()
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options())
        #expect(report.remaining.isEmpty)
        let mended = try container.open(.reader)
        #expect(try mended.record(identifier: "plain") != nil)
        #expect(try mended.discards.pending().map(\.identifier) == ["closed"])
    }

    @Test("S-61 whole rows that stand for nothing are noted")
    func undecodable() throws {
        let container = try filled()
        let store = try container.open(.editor)
        try store.using { db throws(SceneStoreError) in
            guard let row = try db.session(identifier: "plain") else {
                return
            }
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.put(.placement, [0xFF], of: row.id)
            }
        }
        let report = try store.verify(.full)
        #expect(report.findings.map(\.code) == [.undecodable])
        #expect(report.isSound)
        #expect(try store.verify(.standard).findings.isEmpty)
        try store.close()
        try container.sql("DELETE FROM save_context")
        let codes = try container.open(.reader).verify().findings.map(\.code)
        #expect(codes.contains(.brokenReference))
    }

    @Test(
        "S-61 a whole row that tells another thing than it holds is noted, and one that does not isn't"
    )
    func otherContents() throws {
        for fault in 0..<6 {
            let container = try filled()
            let store = try container.open(.editor)
            let bytes = try ValueCodec.encode(activity(1))
            try store.using { db throws(SceneStoreError) in
                guard let session = try db.session(identifier: "plain"),
                    let id = session.stateID, let current = try db.row(StateRow.self, id)
                else {
                    return
                }
                try db.write(.full) { transaction throws(SceneStoreError) in
                    var row = current
                    row.id = session.id << 8 | 99
                    row.generation -= 1
                    row.activityType = fault == 1 ? "com.example.other" : "com.example.edit"
                    row.byteCount = Int64(bytes.count) + (fault == 2 ? 1 : fault == 3 ? -1 : 0)
                    row.contentHash = Database.hash(bytes)
                    _ = try transaction.insert(row, payload: bytes)
                    let judgement = [UInt8](
                        repeating: 0, count: fault == 4 ? 15 : fault == 5 ? 17 : 16)
                    try transaction.put(.confirmation, judgement, of: session.id)
                }
            }
            let codes = try store.verify(.full).findings.map(\.code)
            #expect(codes == (fault == 0 ? [] : [.undecodable]), "\(fault)")
            #expect(try store.verify(.standard).findings.isEmpty)
        }
    }

    @Test(
        "S-61 a verification tells what it found, leaves what was found before, and finds it again")
    func twice() throws {
        let container = try filled()
        try container.sql("UPDATE session SET recency = recency + 1 WHERE identifier = 'plain'")
        let store = try container.open(.editor)
        _ = try store.openRecords().map(\.identifier)
        let first = try store.verify(.full).findings.map(\.code)
        _ = store.takeDiagnostics()
        #expect(first.contains(.damagedRow))
        #expect(Set(first).count == first.count)
        for _ in 0..<2 {
            #expect(try store.verify(.full).findings.map(\.code) == first)
            #expect(store.takeDiagnostics().isEmpty)
        }
    }

    @Test("S-61 a sound store has no finding, read or owned, and changes by it in no byte")
    func sound() throws {
        let container = try filled()
        let before = container.files
        let reader = try container.open(.reader)
        let report = try reader.verify(.full)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.isComplete)
        try reader.close()
        #expect(container.files == before)
        let owner = try container.open()
        #expect(try owner.verify(.full).findings.isEmpty)
        #expect(try owner.verify(.standard, budget: .seconds(60)).isComplete)
    }

    @Test("S-61 verification finds what is wrong", arguments: PlantedFault.all)
    func finds(_ fault: PlantedFault) throws {
        let container = try filled()
        try plant(fault, in: container)
        let reader = try container.open(.reader)
        let report = try reader.verify(.full)
        #expect(!report.isSound)
        #expect(report.findings.contains { $0.code == fault.code }, "\(report.findings)")
    }

    @Test(
        "S-61 a repair mends or isolates, and its second run changes no byte",
        arguments: PlantedFault.all)
    func repairs(_ fault: PlantedFault) throws {
        let container = try filled()
        try plant(fault, in: container)
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(!report.findings.isEmpty)
        #expect(report.remaining.isEmpty, "\(report.remaining)")
        #expect(report.setAside != nil)
        let before = container.files
        let second = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(second.findings.filter { $0.severity >= .warning }.isEmpty, "\(second.findings)")
        #expect(container.files == before)
        let store = try container.open()
        let names = Set(try store.openRecords().map(\.identifier))
        if fault.bytes?.table != "state" {
            #expect(names.isSuperset(of: ["rich"]))
        }
        #expect(names.isSubset(of: ["plain", "rich", "hidden"]))
    }

    @Test("S-61 page-level damage is found and repaired")
    func pages() throws {
        let container = TestContainer()
        _ = try SalvageFigureTests.make(container, sessions: 100)
        var file = try DamagedFile(container.store)
        // A page in the middle of the states.
        file.overwrite(page: file.pages / 2) { UInt8(truncatingIfNeeded: $0 &* 31) }
        try file.write()
        let reader = try container.open(.reader)
        let found = try reader.verify()
        #expect(found.findings.contains { $0.code == .pageDamage })
        try reader.close()
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(report.remaining.isEmpty)
        #expect(report.salvage?.openSessions == 100)
        #expect(try container.open().verify(.full).isSound)
    }

    @Test("S-61 a damaged row is isolated as it was found")
    func isolates() throws {
        let container = try filled()
        try container.sql("UPDATE session SET last_active_at = 4711 WHERE identifier = 'plain'")
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(report.salvage?.damagedRows == 1)
        let store = try container.open()
        let rows = try store.read { db throws(SceneStoreError) in
            try db.rows(QuarantinedRow.scan) {
                statement throws(SQLiteError) in
                try statement.bind(1, Int64.min)
                try statement.bind(2, db.store.containerEpoch)
            }
        }
        #expect(rows.map(\.tableName) == ["session"])
        #expect(rows.map(\.reason) == ["checksum"])
        #expect(try store.record(identifier: "plain") == nil)
    }

    @Test("R-21 what somebody else put into the schema goes with a repair")
    func tampered() throws {
        let container = try filled()
        try container.sql(
            "CREATE TRIGGER spy AFTER INSERT ON session BEGIN DELETE FROM state; END")
        #expect(failure { _ = try container.open() } == .schemaTampered)
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(report.findings.map(\.code.rawValue) == ["schemaTampered"])
        #expect(report.remaining.isEmpty)
        #expect(try container.open().openCount() == 3)
    }

    @Test("S-30 a store that an app owns is not repaired")
    func owned() throws {
        let container = TestContainer()
        let store = try container.open()
        #expect(
            failure {
                try SceneSessionStore.repair(
                    at: container.location, options: container.options(.editor))
            } == .owned)
        try store.close()
    }

    @Test("S-61 a verification within a budget says that it did not see everything")
    func budget() throws {
        let container = TestContainer()
        _ = try SalvageFigureTests.make(container, sessions: 100)
        let reader = try container.open(.reader)
        #expect(try !reader.verify(.full, budget: .zero).isComplete)
    }
}
