import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Transactions")
struct TransactionTests {
    @Test("S-21 what one body writes is one commit")
    func oneCommit() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let old = SceneConfiguration(name: "old", role: .windowApplication)
        let new = SceneConfiguration(name: "new", role: .windowApplication)
        let first = try store.add("first", configuration: old)
        let second = try store.add("second", configuration: old)
        let before = store.counters
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.beginLaunch(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 1), reason: .first)
            _ = try transaction.intern(new)
            if let session = try transaction.db.session(second.key) {
                try transaction.updateRow(session) { $0.flags.insert(.stale) }
            }
            try transaction.discard([first.key], cause: .cannotDisplay, deliveredNow: false)
            try transaction.mark(discards: [first.key], .offered)
            try transaction.record(LaunchLedger(counts: [.discarded: 1], exceptions: []))
        }
        #expect(try store.launches.records().map(\.reason) == [.first])
        #expect(store.counters.transactions == before.transactions + 1)
        #expect(store.counters.durableTransactions == before.durableTransactions + 1)
        let found = try store.read { reader throws(SceneStoreError) in
            (try reader.openRecords().map(\.identifier), try reader.undeliveredDiscards().count)
        }
        #expect(found == (["second"], 1))
        #expect(try store.openRecords().first?.isStale == true)
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-21 nothing is left of a body that throws, in the file or in memory")
    func throwing() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        let generation = store.currentGeneration()
        for attempt in 0..<2 {
            #expect(
                failure {
                    try store.write(.full) { transaction throws(SceneStoreError) in
                        try transaction.discard([record.key], cause: .user, deliveredNow: true)
                        throw SceneStoreError(.cancelled, "attempt \(attempt)")
                    }
                } == .cancelled)
            #expect(try store.openRecords().map(\.identifier) == ["A"])
            #expect(try store.discards.pending().isEmpty)
            #expect(store.currentGeneration() == generation)
        }
        #expect(try store.journal.events(session: "A").map(\.kind) == [.create])
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-22 a body that changes nothing commits nothing")
    func nothing() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        let before = (store.currentGeneration(), store.counters.transactions)
        for _ in 0..<2 {
            let name = try store.write(.full) { transaction throws(SceneStoreError) in
                try transaction.mark(discards: [record.key], .offered)
                return try transaction.db.record(try transaction.db.knownSession(record.key).row)
                    .identifier
            }
            #expect(name == "A")
        }
        #expect((store.currentGeneration(), store.counters.transactions) == before)
        try store.save(record, activity(1))
        #expect(store.currentGeneration() == before.0 + 1)
    }

    @Test("R-62 a reader reads and can't write")
    func readOnly() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        _ = try store.add("A")
        let reader = try container.open(.reader)
        #expect(
            try reader.read { reader throws(SceneStoreError) in try reader.openRecords().count }
                == 1)
        #expect(failure { try reader.write(.normal) { _ in } } == .readOnly)
    }
}
