import Testing

import SceneStore
import SceneStoreTestContainers

@Suite("Many readers")
struct ReadingTests {
    @Test("R-09 reading a closed store changes no byte and makes no file")
    func closedStore() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.close()
        let before = container.contents
        let reader = try container.open(.reader)
        #expect(!reader.isOwner)
        #expect(try reader.openRecords().map(\.identifier) == ["A"])
        #expect(try reader.session(for: record).stateRestorationActivity == activity(1))
        #expect(container.contents == before)
        try reader.close()
        #expect(container.contents == before)
        #expect(container.folder.names == ["owner.lock", "scenes.sqlite"])
    }

    @Test("R-09 a store whose owner died is read with its log, and nothing is recovered in place")
    func deadStore() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        let copy = try container.snapshot()
        let before = copy.contents
        let reader = try copy.open(.reader)
        #expect(try reader.restorationActivity(key: record.key) == activity(1))
        try reader.close()
        #expect(copy.contents == before)
        #expect(copy.folder.names == before.keys.sorted())
    }

    @Test("R-09 S-31 a live store is read consistently, beside its owner, without a write")
    func liveStore() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        let reader = try container.open(.reader)
        #expect(try reader.restorationActivity(key: record.key) == activity(1))
        try store.save(record, activity(2))
        try store.values.setTitle("t", key: record.key)
        // The reader's next look sees what was committed since.
        #expect(try reader.session(for: record).title == "t")
        #expect(try reader.restorationActivity(key: record.key) == activity(2))
        #expect(reader.currentGeneration() == store.currentGeneration())
        let names = container.folder.names
        try reader.close()
        #expect(container.folder.names == names)
        #expect(try store.save(record, activity(3)))
    }

    @Test("S-31 a reader that holds a snapshot makes the owner wait for nothing")
    func slowReader() throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.busyTimeout = 0 }
        let record = try store.add("A")
        let reader = try container.open(.reader)
        try reader.database.withLock { db throws(SceneStoreError) in
            try db.read { _ throws(SceneStoreError) in
                let before = db.store.generation
                do {
                    try store.save(record, activity(1))
                    try store.log.checkpoint()
                } catch {
                    throw (error as? SceneStoreError) ?? Database.damagedStoreRow
                }
                // One state of the store, as long as the look lasts.
                #expect(try db.readStoreRow().generation == before)
            }
        }
        #expect(try reader.restorationActivity(key: record.key) == activity(1))
    }

    @Test("S-31 a reader writes nothing, whatever it is asked")
    func readerWrites() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        let reader = try container.open(.reader)
        #expect(failure { try reader.save(record, activity(1)) } == .readOnly)
        #expect(failure { _ = try reader.add("B") } == .readOnly)
        #expect(failure { try reader.values.setTitle("t", key: record.key) } == .readOnly)
        #expect(failure { try reader.reset() } == .readOnly)
        #expect(failure { _ = try reader.launch() } == .readOnly)
        #expect(
            failure { try reader.discard([record.key], cause: .user, deliveredNow: false) }
                == .readOnly)
        #expect(try !reader.log.tend(now: .max))
        #expect(try !reader.upkeep.perform(budgetMilliseconds: 10))
    }
}
