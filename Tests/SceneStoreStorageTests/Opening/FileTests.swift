import SceneStoreMigrations
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The file")
struct FileTests {
    @Test("S-01 the default place is the state folder, by bundle identifier and profile")
    func standardPlace() throws {
        func place(_ profile: String, _ variables: [String: String]) throws -> String {
            let location = try SceneSessionStore.Location.standard(
                bundleIdentifier: "com.example.app", profile: profile,
                environment: { variables[$0] })
            guard case .directory(let path) = location else {
                return "memory"
            }
            return path
        }
        let state = ["XDG_STATE_HOME": "/s", "HOME": "/h"]
        #expect(try place("default", state).hasPrefix("/s/com.example.app/"))
        #expect(try place("default", ["HOME": "/h"]).hasPrefix("/h/.local/state/com.example.app/"))
        // The XDG specification has relative paths ignored.
        #expect(
            try place("default", ["XDG_STATE_HOME": "s", "HOME": "/h"])
                .hasPrefix("/h/.local/state/"))
        let profiles = ["default", "Work", "work", "a/b", "a%2fb", "..", "a b", "ä", "a\u{308}"]
        let places = try profiles.map { try place($0, state).lowercased() }
        #expect(Set(places).count == profiles.count)
        #expect(places.allSatisfy { !$0.contains("..") })
        #expect(throws: SceneStoreError(.invalidLocation, "")) { try place("", state) }
    }

    @Test("S-01 directory 0700 and files 0600 under any umask, also the side files")
    func permissions() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        _ = try store.add("A")
        func permissions(_ path: String) throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
        }
        #expect(try permissions(container.folder.path) == 0o700)
        #expect(container.folder.names.contains("scenes.sqlite-wal"))
        for name in container.folder.names {
            #expect(try permissions(container.folder.file(name)) == 0o600, "\(name)")
        }
    }

    @Test("R-02 a first page that a power cut tore is read from the log")
    func tornFirstPage() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.save(try store.add("A"), activity(1))
        let torn = try container.snapshot()
        var bytes = try #require(torn.folder.bytes())
        bytes.replaceSubrange(0..<512, with: repeatElement(0x5a, count: 512))
        // Of the last page some bytes came out.
        bytes.append(Data(repeating: 0x5a, count: 48))
        try torn.folder.write(bytes)
        let lone = try torn.snapshot()
        #expect(try torn.open(.reader).openRecords().map(\.identifier) == ["A"])
        let again = try torn.open()
        #expect(try again.openRecords().map(\.identifier) == ["A"])
        #expect(try again.verify(.full).findings.isEmpty)
        // Of the header itself only the beginning came out.
        let half = try lone.snapshot()
        var beginning = try #require(container.folder.bytes())
        beginning.replaceSubrange(68..<512, with: repeatElement(0, count: 444))
        try half.folder.write(beginning)
        #expect(try half.open().openRecords().map(\.identifier) == ["A"])
        // Without its log the file proves nothing; the lock shows that it was a store.
        try FileManager.default.removeItem(atPath: lone.folder.file("scenes.sqlite-wal"))
        #expect(failure { _ = try lone.open() } == .corrupt)
    }

    @Test("R-02 also when nothing of it came out, and most pages came through")
    func lostFirstPage() throws {
        let container = TestContainer(.fail)
        let first = try container.open()
        _ = try first.add("A")
        try first.close()
        // The file grows, which the first page tells.
        let store = try container.open()
        for number in 0..<20 {
            let record = try store.add("B\(number)")
            let text = String(repeating: "x", count: 5_000)
            try store.save(
                record, UserActivity(activityType: "t", userInfo: ["text": .string(text)]))
        }
        let torn = try container.snapshot()
        var bytes = try #require(torn.folder.bytes())
        bytes.replaceSubrange(0..<4_096, with: repeatElement(0x5a, count: 4_096))
        try torn.folder.write(bytes)
        let again = try torn.open()
        #expect(try again.openRecords().count == 21)
        #expect(try again.verify(.full).findings.isEmpty)
    }

    @Test("S-10 junk over a store is damage, and nothing happens to it where a policy forbids it")
    func junkWithLog() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.save(try store.add("A"), activity(1))
        for count in [4_096 + 512, 5_000, 8_192, 20_000, 300_000] {
            let foreign = try container.snapshot()
            let junk = Data(
                (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
            try foreign.folder.write(junk)
            let log = foreign.folder.bytes("scenes.sqlite-wal")
            #expect(failure { _ = try foreign.open() } == .corrupt)
            #expect(failure { _ = try foreign.open(.reader) } == .corrupt)
            #expect(foreign.folder.bytes() == junk)
            #expect(foreign.folder.bytes("scenes.sqlite-wal") == log)
            #expect(!foreign.folder.names.contains("quarantine"))
        }
    }

    @Test("S-10 a file of another application stays one, whatever log lies beside it")
    func foreignFileWithLog() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.save(try store.add("A"), activity(1))
        let foreign = try container.snapshot()
        var bytes = try #require(foreign.folder.bytes())
        bytes[68] ^= 1
        try foreign.folder.write(bytes)
        #expect(failure { _ = try foreign.open() } == .notAStore)
        #expect(foreign.folder.bytes() == bytes)
    }

    @Test("S-01 a container that others may write is refused")
    func worldWritable() throws {
        let container = TestContainer(.fail)
        try container.folder.create()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: container.folder.path)
        #expect(failure { _ = try container.open() } == .permission)
    }

    @Test("S-01 a clean close leaves one file beside the lock")
    func cleanClose() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.close()
        #expect(container.folder.names == ["owner.lock", "scenes.sqlite"])
    }

    @Test("S-02 an ordinary SQLite file: application_id, user_version, STRICT tables")
    func ordinaryFile() throws {
        let container = TestContainer(.fail)
        try container.open().close()
        let raw = try RawDatabase(container.folder.file())
        #expect(try raw.value("PRAGMA application_id") == String(SchemaMigration.applicationID))
        #expect(
            try raw.value("PRAGMA user_version") == String(SchemaMigration.currentVersion))
        #expect(try raw.value("PRAGMA page_size") == "4096")
        #expect(try raw.value("PRAGMA integrity_check") == "ok")
        let loose = try raw.rows(
            "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 "
                + "AND name NOT LIKE 'sqlite_%'")
        #expect(loose.isEmpty)
        // payloads lie in rowid tables, so that they can be carved.
        #expect(
            try raw.value(
                "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND wr = 1") == "0")
    }

    @Test("S-02 the views show people what there is")
    func views() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.launch()
        let a = try store.add("A", front: true)
        let b = try store.add("B")
        try store.values.setTitle("Letter to Ida", key: a.key)
        try store.save(a, activity(1))
        try store.save(a, activity(2))
        try store.discard([b.key], cause: .user, deliveredNow: false)
        try store.launches.end(.quit)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.rows("SELECT session, title, state, in_front, activity, saved FROM sessions")
                == [
                    [
                        "A", "Letter to Ida", "open", "1", "com.example.edit",
                        "2026-01-01 00:00:00",
                    ],
                    ["B", "NULL", "discarded", "0", "NULL", "NULL"],
                ])
        #expect(
            try raw.rows("SELECT session, activity, current FROM activities")
                == [["A", "com.example.edit", "1"], ["A", "com.example.edit", "0"]])
        #expect(
            try raw.rows("SELECT session, cause, delivery, can_reopen FROM discards")
                == [["B", "user", "pending", "1"]])
        #expect(
            try raw.rows("SELECT launch, reason, ending, process FROM launches")
                == [["1", "first", "quit", "42"]])
        #expect(
            try raw.rows("SELECT event, session FROM events ORDER BY generation")
                == [
                    ["open", "NULL"], ["launch", "NULL"], ["create", "A"], ["create", "B"],
                    ["change", "A"],
                    ["save", "A"], ["save", "A"], ["discard", "B"], ["end", "NULL"],
                ])
    }

    @Test("S-14 a memory store has the same API and no file")
    func memory() throws {
        let store = try SceneSessionStore.memory()
        #expect(try store.launch().reason == .first)
        let record = try store.add("A")
        #expect(try store.save(record, activity(1)))
        #expect(try !store.save(record, activity(1)))
        try store.discard([record.key], cause: .user, deliveredNow: false)
        #expect(try store.discards.pending().map(\.identifier) == ["A"])
        #expect(try store.discards.reopen(identifier: "A").hasState)
        try store.reset()
        #expect(try store.openRecords().isEmpty)
        #expect(try !store.log.tend(now: .max))
        try store.close()
        #expect(failure { _ = try store.openRecords() } == .closed)
    }
}
