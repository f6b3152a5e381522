import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// What `reset --erase` leaves of what was stored: nothing (S-70).
@Suite("reset --erase")
struct ErasureTests {
    /// A run of so many bytes does not come twice by chance.
    private static let length = 12

    private static func runs(_ files: some Sequence<Data>) -> Set<Data> {
        var found: Set<Data> = []
        for file in files where file.count >= length {
            for start in 0...(file.count - length) {
                let run = file.subdata(in: start..<start + length)
                if Set(run).count > 3 { found.insert(run) }
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
                .urls([OpenURLContext(url: "notes://\(name)/secret")]),
                sessionIdentifier: nil, dedupe: nil)
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
        let stored = Self.runs(before.values)
        for word in ["Alpha owes 1", "Beta owes 1 ", "'s own title", "notes://Alph"] {
            #expect(stored.contains(Data(word.utf8)))
        }

        #expect(fixture.run("reset", "--erase", "--yes").status == .done)

        let harmless = Self.runs(blank.values)
        for (name, bytes) in fixture.files {
            let left = Self.runs([bytes]).intersection(stored).subtracting(harmless).count
            #expect(left == 0, "\(name)")
        }
        #expect(fixture.files.keys.sorted() == blank.keys.sorted())
    }
}
