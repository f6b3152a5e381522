import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// What `reset --erase` leaves of what was stored: nothing (S-70).
@Suite("reset --erase")
struct ErasureTests {
    /// Runs of twelve characters: all that was stored has texts. What lies between texts (headers of
    /// pages, lengths, checksums) comes twice by chance.
    private static let length = 12

    /// The lock's lines are the owner's numbers.
    private static func runs(_ files: [String: Data]) -> Set<Data> {
        var found: Set<Data> = []
        for (name, file) in files where name != "owner.lock" {
            var characters = 0
            for (index, byte) in file.enumerated() {
                characters = (0x20..<0x7F).contains(byte) ? characters + 1 : 0
                if characters >= length {
                    found.insert(file.subdata(in: index + 1 - length..<index + 1))
                }
            }
        }
        return found
    }

    /// A store that has something private wherever a store has anything.
    private static func fill(_ fixture: EditedFixture) throws {
        let store = try fixture.open(.owner)
        for name in ["Alpha", "Beta"] {
            let record = try store.insertSession(
                identifier: "\(name)-window",
                configuration: SceneConfiguration(
                    name: "\(name) sheet", role: .windowApplication), becameActive: true)
            for number in 0..<12 {
                fixture.clock.advance(.seconds(60))
                let activity = try UserActivity(
                    activityType: "com.example.\(name)",
                    title: "\(name) letter \(number) to the bank",
                    userInfo: ["text": .string("\(name) owes \(number) euros"), "n": 7])
                try store.save(
                    [StateToSave(key: record.key, activity: activity)],
                    context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
            }
            try store.values.setTitle("\(name)'s own title", key: record.key)
            _ = try store.inbox.keep(
                .urls([OpenURLContext(url: "notes://\(name)/secret")]), dedupe: nil)
            if name == "Beta" {
                try store.discard([record.key], cause: .user, deliveredNow: false)
            }
        }
        try store.close()
    }

    @Test("S-70 an erasure leaves no byte of what was stored, in no file")
    func leavesNothing() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("reset", "--erase", "--yes").status == .done)
        // The container's identity, and when each migration was applied.
        let blank = fixture.files
        try Self.fill(fixture)
        // Backups, operations, and a store that was set aside.
        #expect(fixture.run("backup").status == .done)
        #expect(fixture.run("hold", "Alpha", "--yes").status == .done)
        let backup = try #require(fixture.backups.first)
        let restored = fixture.run("restore", fixture.path + "/" + backup, "--yes")
        #expect(restored.status == .done, "\(restored.errors)")
        fixture.clock.advance(.seconds(86_400))
        let before = fixture.files
        #expect(before.keys.contains { $0.hasPrefix("quarantine/") })
        #expect(before.keys.contains { $0.hasPrefix("operations/") })
        #expect(fixture.backups.count > 1)
        let stored = Self.runs(before)
        for word in ["Alpha owes 1", "Beta owes 1 ", "'s own title", "notes://Alph"] {
            #expect(stored.contains(Data(word.utf8)))
        }

        #expect(fixture.run("reset", "--erase", "--yes").status == .done)

        let harmless = Self.runs(blank)
        for (name, bytes) in fixture.files {
            let left = Self.runs([name: bytes]).intersection(stored).subtracting(harmless).count
            #expect(left == 0, "\(name)")
        }
        #expect(fixture.files.keys.sorted() == blank.keys.sorted())
    }

    /// What may have become of a store's file.
    enum Ruin: CaseIterable {
        case tornFirstPage, overwrittenFirstPage, noDatabase, emptyFile, lostFile

        func ruin(_ fixture: EditedFixture) throws {
            let file = URL(filePath: fixture.path + "/scenes.sqlite")
            var bytes = try Data(contentsOf: file)
            switch self {
            case .tornFirstPage: bytes.replaceSubrange(512..<4_096, with: bytes[8_192..<11_776])
            case .overwrittenFirstPage:
                bytes.replaceSubrange(0..<4_096, with: Data(repeating: 0x5A, count: 4_096))
            case .noDatabase: bytes = Data("Alpha owes 1 euro, in a file of plain text".utf8)
            case .emptyFile: bytes = Data()
            case .lostFile:
                try FileManager.default.removeItem(at: file)
                let log = URL(filePath: fixture.path + "/scenes.sqlite-wal")
                return try bytes.write(to: log)
            }
            try bytes.write(to: file)
        }
    }

    @Test(
        "L-43 S-70 a damaged store that doesn't open is erased unread, with all that it held",
        arguments: Ruin.allCases)
    func damaged(_ ruin: Ruin) throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("reset", "--erase", "--yes").status == .done)
        let blank = fixture.files
        try Self.fill(fixture)
        #expect(fixture.run("backup").status == .done)
        #expect(fixture.run("hold", "Alpha", "--yes").status == .done)
        // A draft of a recovery, and a store that was set aside.
        try Data("Alpha owes 1 euro".utf8).write(
            to: URL(filePath: fixture.path + "/.scenestore.draft-ab.tmp"))
        try FileManager.default.createDirectory(
            atPath: fixture.path + "/quarantine", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data("Beta owes 1 euro".utf8).write(
            to: URL(filePath: fixture.path + "/quarantine/T-corrupt.sqlite"))
        fixture.clock.advance(.seconds(86_400))
        let sound = fixture.files
        try ruin.ruin(fixture)
        let before = fixture.files
        let stored = Self.runs(sound).union(Self.runs(before))
        let planned = fixture.run("reset", "--erase", "--dry-run")
        #expect(planned.status == .done, "\(planned.errors)")
        #expect(planned.output == "would erase the damaged store and 2 backups\n")
        #expect(planned.errors.contains("its loss is not listed"), "\(planned.errors)")
        #expect(fixture.run("reset", "--erase").status == .needsConfirmation)
        #expect(fixture.run("reset", "--yes").status != .done)
        #expect(fixture.files == before)

        let run = fixture.run("reset", "--erase", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output == "erased the damaged store and 2 backups\n")
        #expect(run.errors.contains("the store is damaged ("), "\(run.errors)")

        let harmless = Self.runs(blank)
        for (name, bytes) in fixture.files {
            let left = Self.runs([name: bytes]).intersection(stored).subtracting(harmless).count
            #expect(left == 0, "\(name)")
        }
        #expect(fixture.files.keys.sorted() == blank.keys.sorted())
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(fixture.run("sessions").output.isEmpty)
    }

    @Test(
        "S-10 L-43 a file that never was a store's is not erased, nor is another program's database"
    )
    func foreign() throws {
        let other = try EditedFixture()
        try other.sqlite("PRAGMA application_id = 77")
        let database = try #require(other.files["scenes.sqlite"])
        // Where an app was, and where none ever was.
        for (bytes, isOwn) in [(database, true), (Data("a diary".utf8), false)] {
            let fixture = try EditedFixture()
            try bytes.write(to: URL(filePath: fixture.path + "/scenes.sqlite"))
            if !isOwn {
                try FileManager.default.removeItem(atPath: fixture.path + "/owner.lock")
            }
            let before = fixture.files
            for more in [[], ["--dry-run"]] {
                let run = fixture.run(["reset", "--erase", "--yes"] + more)
                #expect(run.status != .done, "\(run.errors)")
            }
            #expect(fixture.files == before)
        }
    }

    @Test(
        "L-43 S-70 a store that opens, but whose pages are damaged, is erased with all that it held"
    )
    func damagedPages() throws {
        let fixture = try EditedFixture()
        try Self.fill(fixture)
        let file = URL(filePath: fixture.path + "/scenes.sqlite")
        var bytes = try Data(contentsOf: file)
        for start in stride(from: 4_096, to: bytes.count, by: 4_096)
        where bytes[start..<start + 4_096].range(of: Data("to the bank".utf8)) != nil {
            bytes.replaceSubrange(start..<start + 2_048, with: Data(repeating: 0x5A, count: 2_048))
        }
        try bytes.write(to: file)
        #expect(fixture.run("sessions").status != .noStore)
        let run = fixture.run("reset", "--erase", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.errors.contains("its loss is not listed"), "\(run.errors)")
        for (name, bytes) in fixture.files {
            for word in ["to the bank", "own title", "euros", "secret"] {
                #expect(bytes.range(of: Data(word.utf8)) == nil, "\(name)")
            }
        }
        #expect(fixture.run("doctor", "--full").isSound)
    }

    @Test("L-43 a damaged store that an app has open is not erased")
    func owned() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        try fixture.damage()
        func files() -> [String: Data] { fixture.files.filter { !$0.key.hasSuffix("-shm") } }
        let before = files()
        #expect(fixture.run("reset", "--erase", "--yes").status == .busy)
        #expect(files() == before)
        store.abandon()
    }
}
