import SceneStoreCSQLite
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Bounds on what SQLite keeps in memory")
struct CacheBoundTests {
    let container = TestContainer(.fail)

    private func memory(of store: SceneSessionStore, _ counter: Int32) throws -> Int {
        try store.database.withLock { try $0.connection.status(counter) }
    }

    @Test("S-20 the page cache is as small as asked for, and as SQLite has it without the option")
    func pages() throws {
        let filling = try container.open()
        for number in 0..<100 {
            try filling.save(try filling.add("\(number)"), activity(number, bytes: 8_000))
        }
        try filling.close()
        for (asked, size) in [(nil, -2_000), (64, -64), (1, -32), (9_999_999, -1_048_576)] {
            let store = try container.open { $0.pageCacheKibibytes = asked }
            let inForce = try store.database.withLock {
                try $0.connection.pragma("PRAGMA cache_size")
            }
            #expect(inForce == Int64(size))
            #expect(try store.verify(.full).isSound)
            let used = try memory(of: store, SQLITE_DBSTATUS_CACHE_USED)
            #expect(size < -64 ? used > 500_000 : used < 120_000, "\(used) for \(size)")
            try store.close()
        }
    }

    @Test("R-23 a store that keeps few statements does all that one does that keeps them all")
    func statements() throws {
        var used: [Int] = []
        for asked in [nil, 0, 12] {
            let container = TestContainer(.fail)
            let store = try container.open { $0.statementCacheCapacity = asked }
            try store.launch()
            for name in ["A", "B", "C"] {
                let record = try store.add(name, front: true)
                for number in 0..<4 {
                    try store.save(record, activity(number))
                }
                try store.values.setTitle("title", key: record.key)
                #expect(try store.history.versions(key: record.key).count == 4)
            }
            let b = try #require(try store.record(identifier: "B"))
            try store.discard([b.key], cause: .user, deliveredNow: false)
            used.append(try memory(of: store, SQLITE_DBSTATUS_STMT_USED))
            while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
            #expect(try store.verify(.full).isSound)
            #expect(try store.openCount() == 2)
            try store.launches.end(.quit)
            try store.close()
        }
        #expect(used[1] < used[0] / 2, "\(used)")
        #expect(used[2] < used[0] / 2, "\(used)")
    }

    @Test("S-20 idle work gives back pages, and statements that were used at most once")
    func idle() throws {
        let store = try container.open()
        let records = try (0..<50).map { try store.add("\($0)") }
        for (number, record) in records.enumerated() {
            try store.save(record, activity(number, bytes: 8_000), durability: .normal)
        }
        func idle() throws -> (pages: Int, statements: Int) {
            while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
            return (
                try memory(of: store, SQLITE_DBSTATUS_CACHE_USED),
                try memory(of: store, SQLITE_DBSTATUS_STMT_USED)
            )
        }
        let filled = try memory(of: store, SQLITE_DBSTATUS_CACHE_USED)
        let first = try idle()
        #expect(first.pages < filled / 4, "\(first.pages) of \(filled)")
        // Those of saves were used often, and stay.
        let later = try idle()
        #expect(later.statements < first.statements)
        try store.save(records[0], activity(99), durability: .normal)
        #expect(try memory(of: store, SQLITE_DBSTATUS_STMT_USED) > later.statements)
        #expect(try store.verify(.full).isSound)
    }
}
