import SceneStoreStorage
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

/// Where a rule concerns one of several: two states, two marks, two payloads, two names.
@Suite("Two of everything")
struct TwoOfEverythingTests {
    @Test("S-21 of two states for one session in one save the last one counts, alone")
    func twoStates() throws {
        let store = try SceneSessionStore.memory()
        let (a, b) = (try store.add("A"), try store.add("B"))
        try store.save(
            [(a, 1), (b, 2), (a, 3)].map { StateToSave(key: $0.key, activity: activity($1)) },
            context: SaveContext(savedAt: 1))
        #expect(try store.restorationActivity(key: a.key) == activity(3))
        #expect(try store.restorationActivity(key: b.key) == activity(2))
        #expect(try store.history.versions(key: a.key).count == 1)
    }

    @Test("L-11 of several that became active in one call the last one is the most recent")
    func twoMarks() throws {
        let store = try SceneSessionStore.memory()
        let keys = try ["A", "B", "C"].map { try store.add($0).key }
        func order() throws -> [String] { try store.openRecords().map(\.identifier) }
        func mostRecent() throws -> String? {
            try store.read { skeleton throws(SceneStoreError) in
                try skeleton.mostRecentRecord(role: nil)?.identifier
            }
        }
        for (marks, expected) in [
            ([(0, true), (1, true)], ["B", "A", "C"]), ([(2, true), (0, true)], ["A", "C", "B"]),
            // What is said of it afterwards takes nothing back.
            ([(1, true), (1, false)], ["B", "A", "C"]),
            ([(2, false), (2, true)], ["C", "B", "A"]),
            ([(0, false), (1, false)], ["C", "B", "A"]),
            // Who was overtaken in one call is not taken for the latest in the next one.
            ([(0, true), (1, true)], ["B", "A", "C"]), ([(0, true)], ["A", "B", "C"]),
            // Nor is the latest passed over that is overtaken and comes back in one call.
            ([(2, true), (0, true)], ["A", "C", "B"]), ([(1, true), (0, true)], ["A", "B", "C"]),
            ([(2, true), (1, true), (0, true)], ["A", "B", "C"]),
            ([(2, false)], ["A", "B", "C"]), ([(1, true), (2, true)], ["C", "B", "A"]),
        ] {
            try store.marks.apply(
                marks.map { MarkChange(key: keys[$0], isFront: true, becameActive: $1) })
            #expect(try order() == expected)
            #expect(try mostRecent() == expected.first)
        }
        let records = try store.openRecords().map(\.recency)
        #expect(Set(records).count == 3)
        // Who is gone is not the most recent one.
        for gone in [2, 1] {
            try store.discard([keys[gone]], cause: .user, deliveredNow: true)
            #expect(try mostRecent() == (gone == 2 ? "B" : "A"))
        }
    }

    @Test("L-65 S-70 of an acknowledged payload nothing stays on the disk, and it may come again")
    func acknowledged() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        let payload = Payload.urls([OpenURLContext(url: "app://a-long-and-private-link")])
        let first = try store.inbox.keep(payload, dedupe: "k")
        try store.inbox.acknowledge([first])
        // Within the launch it is the same one; in a later launch it is another.
        #expect(try store.inbox.keep(payload, dedupe: "k") == first)
        #expect(try store.inbox.pending().isEmpty)
        try store.close()
        let lengths = try RawDatabase(container.folder.file()).value(
            "SELECT sum(length(payload)) FROM inbox")
        #expect(lengths == "0")
        store = try container.open()
        try store.launch()
        let second = try store.inbox.keep(payload, dedupe: "k")
        #expect(second != first)
        #expect(try store.inbox.pending().map(\.id) == [second])
    }

    @Test("L-85 saved activities whose names Swift calls equal are two")
    func equalNames() throws {
        let store = try SceneSessionStore.memory()
        let names = ["caf\u{e9}", "cafe\u{301}"]
        #expect(names[0] == names[1])
        for (number, name) in names.enumerated() {
            var saved = activity(number)
            saved.persistentIdentifier = name
            try store.saveActivity(saved)
        }
        #expect(try store.savedActivities().map { $0.userInfo["number"] } == [0, 1])
        try store.deleteSavedActivities(persistentIdentifiers: [names[0]])
        #expect(try store.savedActivities().map { $0.userInfo["number"] } == [1])
    }

    @Test("S-42 of a transaction with more entries than the journal holds the last ones stay")
    func surplus() throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.journalCapacity = 4 }
        _ = try store.add("A")
        try store.write(.normal) { transaction throws(SceneStoreError) in
            for number in 0..<9 {
                transaction.note(.change, "A", "\(number)")
            }
        }
        #expect(try store.journal.events().compactMap(\.detail) == ["8", "7", "6", "5"])
        #expect(try store.verify(.full).findings.isEmpty)
    }
}
