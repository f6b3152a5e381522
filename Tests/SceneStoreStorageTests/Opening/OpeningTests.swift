import SceneStoreMigrations
import Testing

import SceneStore
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Opening")
struct OpeningTests {
    /// What may stand at the store's name, and the cause that opening answers with.
    enum Obstacle: String, CaseIterable, CustomTestStringConvertible {
        case emptyFile, junk, text, folder, danglingLink, link, fifo, foreignDatabase
        case truncatedHeader, otherPageSize, otherEncoding

        var testDescription: String { rawValue }

        func put(at folder: TestFolder) throws {
            let manager = FileManager.default
            let path = folder.file()
            switch self {
            case .emptyFile: try folder.write(Data())
            case .junk:
                try folder.write(Data((0..<9_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))
            case .text: try folder.write(Data("not a database".utf8))
            case .folder:
                try manager.createDirectory(
                    atPath: path, withIntermediateDirectories: false, attributes: nil)
            case .danglingLink:
                try manager.createSymbolicLink(
                    atPath: path, withDestinationPath: folder.file("nowhere"))
            case .link:
                let target = folder.file("elsewhere")
                let raw = try RawDatabase(target)
                try raw.run("PRAGMA application_id = \(SchemaMigration.applicationID)")
                try raw.run("CREATE TABLE t (x)")
                try manager.createSymbolicLink(atPath: path, withDestinationPath: target)
            case .fifo: #expect(makeFIFO(path))
            case .foreignDatabase:
                let raw = try RawDatabase(path)
                try raw.run("CREATE TABLE t (x)")
            case .truncatedHeader: try folder.write(Data("SQLite format 3\0".utf8))
            case .otherPageSize: try database(path, "PRAGMA page_size = 8192")
            case .otherEncoding: try database(path, "PRAGMA encoding = 'UTF-16'")
            }
        }

        private func database(_ path: String, _ pragma: String) throws {
            let raw = try RawDatabase(path)
            try raw.run(pragma)
            try raw.run("PRAGMA application_id = \(SchemaMigration.applicationID)")
            try raw.run("CREATE TABLE t (x)")
        }
    }

    @Test("S-10 what is no store is notAStore, and stays as it is", arguments: Obstacle.allCases)
    func notAStore(_ obstacle: Obstacle) throws {
        let container = TestContainer(.fail)
        try container.folder.create()
        try obstacle.put(at: container.folder)
        let names = container.folder.names
        let bytes = obstacle == .fifo ? nil : container.folder.bytes()
        for access in [SceneSessionStore.Access.owner, .editor, .reader] {
            #expect(failure { _ = try container.open(access) } == .notAStore)
        }
        #expect(container.folder.names.filter { $0 != "owner.lock" } == names)
        if obstacle != .fifo {
            #expect(container.folder.bytes() == bytes)
        }
    }

    @Test("S-10 only an owner makes a store")
    func missing() throws {
        let container = TestContainer(.fail)
        #expect(failure { _ = try container.open(.reader) } == .missing)
        #expect(failure { _ = try container.open(.editor) } == .missing)
        #expect(!FileManager.default.fileExists(atPath: container.folder.path))
        try container.open().close()
        #expect(try container.open(.reader).openCount() == 0)
    }

    @Test("S-10 a creation that was killed halfway opens as a new store")
    func halfMade() throws {
        let container = TestContainer(.fail)
        try container.folder.create()
        // What is at the name before the schema is made: one page without a table.
        try container.folder.write(Data(EmptyStore.page))
        #expect(failure { _ = try container.open(.reader) } == .missing)
        let store = try container.open()
        #expect(try store.launch().reason == .first)
    }

    @Test("S-10 a path that runs through a file is notAStore or missing, never a crash")
    func badParents() throws {
        let folder = TestContainer(.fail).folder
        try folder.create()
        try folder.write(Data("x".utf8), "file")
        for path in [folder.file("file"), folder.file("file") + "/inner", ""] {
            #expect(
                failure { _ = try SceneSessionStore.open(at: .directory(path)) } != nil, "\(path)")
        }
    }

    @Test("S-10 a newer schema that says nothing is refused and untouched")
    func newerSchema() throws {
        let container = TestContainer(.fail)
        try container.open().close()
        try RawDatabase(container.folder.file()).run(
            "CREATE TABLE later (a); PRAGMA user_version = 99")
        let bytes = container.folder.bytes()
        for access in [SceneSessionStore.Access.owner, .editor, .reader] {
            #expect(failure { _ = try container.open(access) } == .newerSchema)
        }
        #expect(container.folder.bytes() == bytes)
    }

    @Test("S-10 a damaged row of the store itself is corrupt")
    func damagedStoreRow() throws {
        let container = TestContainer(.fail)
        try container.open().close()
        try RawDatabase(container.folder.file()).run("UPDATE store SET generation = 99")
        #expect(failure { _ = try container.open() } == .corrupt)
        try RawDatabase(container.folder.file()).run("DELETE FROM store")
        #expect(failure { _ = try container.open() } == .corrupt)
    }

    @Test("S-10 a leftover log is recovered silently")
    func leftoverLog() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(7))
        let copy = try container.snapshot()
        #expect(copy.folder.names.contains("scenes.sqlite-wal"))
        let reopened = try copy.open()
        #expect(reopened.openingDiagnostics.isEmpty)
        #expect(try reopened.restorationActivity(key: record.key) == activity(7))
    }

    @Test("S-03 the changed text of an applied migration is an error that names it")
    func changedMigration() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.database.withLock { db throws(SceneStoreError) in
            let row = try db.rows(Queries.migrations) { _ in }[0]
            var changed = row
            changed.textChecksum += 1
            changed = changed.sealed(db.sealer)
            try db.connection.write { _ throws(SceneStoreError) in
                try db.connection.run(
                    text: "UPDATE migration SET text_checksum = \(changed.textChecksum), "
                        + "checksum = \(changed.checksum) WHERE number = 1")
            }
        }
        try store.close()
        do {
            _ = try container.open()
            Issue.record("opened")
        } catch {
            let error = try #require(error as? SceneStoreError)
            #expect(error.code == .changedMigration)
            #expect(error.path == "0001_schema")
        }
    }

    @Test("S-03 each applied migration is recorded with the checksum of its text")
    func recordedMigrations() throws {
        let store = try SceneSessionStore.memory()
        let rows = try store.database.withLock { db throws(SceneStoreError) in
            try db.rows(Queries.migrations) { _ in }
        }
        #expect(rows.map { Int($0.number) } == Array(1...SchemaMigration.all.count))
        #expect(rows.map(\.name) == SchemaMigration.all.map(\.name))
        #expect(rows.map(\.textChecksum) == SchemaMigration.all.map { Database.hash($0.text) })
    }

    @Test("S-03 the folder Migrations is the list that is compiled in")
    func migrationsFolder() throws {
        let here = #filePath.split(separator: "/").dropLast(4)
        let folder = "/" + here.joined(separator: "/") + "/Migrations"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == SchemaMigration.all.map { $0.name + ".sql" })
        for migration in SchemaMigration.all {
            let bytes = try Data(
                contentsOf: URL(fileURLWithPath: "\(folder)/\(migration.name).sql"))
            #expect(Array(bytes) == migration.text)
        }
    }

    @Test("S-05 a newer store that may be ignored in part opens, and keeps what it does not know")
    func ignorableFeatures() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.setFeatures(ignorable: 8, readOnly: 0, required: 0)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("ALTER TABLE session ADD COLUMN mood TEXT; UPDATE session SET mood = 'calm'")
        try raw.run("PRAGMA user_version = \(SchemaMigration.all.count + 1)")
        let newer = try container.open()
        #expect(newer.openingDiagnostics.map(\.code) == [.newerFeatures])
        try newer.save(record, activity(1))
        try newer.close()
        #expect(
            try RawDatabase(container.folder.file()).value("SELECT mood FROM session") == "calm")
    }

    @Test("S-05 a newer store may allow reading alone, or nothing")
    func otherFeatures() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.setFeatures(ignorable: 0, readOnly: 4, required: 0)
        try store.close()
        #expect(failure { _ = try container.open() } == .newerSchema)
        #expect(try container.open(.reader).openCount() == 0)
        let other = TestContainer(.fail)
        store = try other.open()
        try store.setFeatures(ignorable: 0, readOnly: 0, required: 1)
        try store.close()
        #expect(failure { _ = try other.open() } == .newerSchema)
        #expect(failure { _ = try other.open(.reader) } == .newerSchema)
        // A reader that takes what it knows is told nothing else than that.
        #expect(try other.open(.reader) { $0.lenience = [.newer] }.openCount() == 0)
        for access in [SceneSessionStore.Access.owner, .editor] {
            #expect(
                failure { _ = try other.open(access) { $0.lenience = [.newer] } } == .newerSchema)
        }
    }

    @Test("S-13 opening writes the owner's mark and nothing else, whatever the store holds")
    func quietOpening() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        for number in 0..<300 {
            let record = try store.add("session-\(number)")
            try store.save(record, activity(number))
        }
        try store.close()
        let before = try container.open(.reader).currentGeneration()
        let opened = try container.open()
        // The store's row and the journal's entry.
        #expect(opened.counters.frames <= 2)
        #expect(opened.currentGeneration() == before + 1)
        // Looking at one session reads a few pages, not the 300 states.
        var found: SessionRecord?
        let pages = try opened.pagesRead {
            found = try opened.mostRecentRecord()
        }
        #expect(found?.identifier == "session-299")
        #expect(pages < 20)
    }
}
