import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Knowing what happened")
struct JournalTests {
    @Test("S-40 the ledger of a launch adds up, with a row for exceptions only")
    func ledger() throws {
        let store = try SceneSessionStore.memory()
        #expect(failure { try store.launches.record(LaunchLedger()) } == .noLaunch)
        try store.launch()
        let ledger = LaunchLedger(
            counts: [
                .restored: 5, .held: 1, .lost: 2, .withheld: 3, .discarded: 4, .evicted: 6,
                .declined: 7, .parked: 8, .stale: 9,
            ],
            exceptions: [
                .init(sessionIdentifier: "A", outcome: .held, reason: "died three times"),
                .init(sessionIdentifier: "B", outcome: .lost, reason: "checksum"),
            ])
        #expect(Set(ledger.counts.keys) == Set(LaunchOutcome.allCases))
        #expect(ledger.expected == ledger.counts.values.reduce(0, +))
        try store.launches.record(LaunchLedger(counts: [.restored: 1]))
        try store.launches.record(ledger)
        #expect(try store.launches.records().first?.ledger == ledger)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-42 every commit is in the journal, and nothing else")
    func events() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let record = try store.add("A")
        try store.save(record, activity(1))
        // Unchanged, refused and empty calls are no commit.
        try store.save(record, activity(1))
        #expect(failure { _ = try store.add("A") } == .duplicateSession)
        try store.marks.apply([])
        try store.values.setTitle("t", key: record.key)
        let entries = try store.journal.events(limit: .max).reversed().filter { $0.kind != .open }
        #expect(entries.map(\.kind) == [.launch, .create, .save, .change])
        #expect(entries.map { $0.sessionIdentifier?.rawValue } == [nil, "A", "A", "A"])
        let generations = entries.map(\.generation)
        #expect(generations == generations.sorted())
        #expect(Set(generations).count == 4)
    }

    @Test("R-64 among many entries stands now and then whose the rows are")
    func identities() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        for number in 0..<600 {
            try store.values.setTitle("\(number)", key: record.key)
        }
        let entries = try store.journal.events(limit: .max).filter { $0.kind == .identity }
        #expect(entries.count == 2)
        let uuid = store.database.withLock { $0.store.uuid }
        #expect(entries.allSatisfy { $0.detail == HexText.text(uuid) })
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("R-64 S-42 and they displace nothing that just happened", arguments: [1, 2, 255, 256])
    func identitiesInSmallRing(_ capacity: Int) throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.journalCapacity = capacity }
        let record = try store.add("A")
        for number in 0..<600 {
            try store.values.setTitle("\(number)", key: record.key)
            let last = try #require(try store.journal.events(limit: 1).first)
            #expect(last.kind == .change && last.detail == "title", "\(number)")
        }
        #expect(try store.verify(.full).findings.isEmpty)
    }

    @Test("S-42 nothing of what was rolled back is in the journal")
    func rollback() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let record = try store.add("A")
        fault.arm(.commit, after: 1, code: FaultSwitch.full)
        #expect(failure { try store.save(record, activity(1)) } == .diskFull)
        fault.arm(.commit, after: 1, code: FaultSwitch.full)
        #expect(failure { try store.values.setTitle("never", key: record.key) } == .diskFull)
        fault.disarm()
        try store.save(record, activity(2))
        let entries = try store.journal.events(limit: .max).reversed().filter { $0.kind != .open }
        #expect(entries.map(\.kind) == [.create, .save])
        #expect(entries.last?.generation == store.currentGeneration())
    }

    @Test("S-42 the journal is asked by session and launch, newest first, and holds the saves")
    func queries() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let a = try store.add("A")
        try store.save(a, activity(1))
        try store.launch()
        let b = try store.add("B")
        try store.save(b, activity(2))
        try store.save(a, activity(3))
        #expect(
            try store.journal.events(session: "A").map(\.kind) == [.save, .save, .create])
        #expect(try store.journal.events(session: "A", launch: 2).map(\.kind) == [.save])
        #expect(
            try store.journal.events(launch: 1).map(\.kind) == [.save, .create, .launch])
        #expect(try store.journal.events(limit: 2).map(\.sessionIdentifier) == ["A", "B"])
    }

    @Test("S-42 S-31 a reader that follows a store hears each commit once, whenever it comes")
    func following() throws {
        let container = TestContainer(.fail)
        let owner = try container.open()
        let record = try owner.add("A")
        let reader = try container.open(.reader)
        defer { try? reader.close() }
        var generation = reader.currentGeneration()
        var told: [Int64] = []
        for number in 0..<5 {
            // Behind the back of the reader, which was opened before.
            try owner.values.setTitle("\(number)", key: record.key)
            for _ in 0..<2 {
                let found = try reader.journal.commits(after: generation)
                #expect(found.generation == owner.currentGeneration())
                told += found.events.map(\.generation)
                generation = found.generation
            }
        }
        #expect(told.count == 5)
        #expect(told == Array(Set(told)).sorted())
        // Where an older store was put in place everything is new.
        let all = try reader.journal.commits(after: 0).events
        #expect(all.count > 5)
        #expect(try reader.journal.commits(after: generation + 1).events == all)
        #expect(try reader.journal.commits(after: generation).events.isEmpty)
    }

    @Test("S-42 each save is told with the launch that it happened in")
    func launchesOfSaves() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        try store.save(record, activity(0))
        for number in 1...9 {
            try store.launch()
            try store.save(record, activity(number))
        }
        let saves = try store.journal.events(session: "A").filter { $0.kind == .save }
        #expect(saves.map(\.launch) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        for number in Int64(1)...9 {
            #expect(
                try store.journal.events(launch: number).map(\.kind) == [.save, .launch])
        }
    }

    @Test(
        "S-60 S-42 a row of the journal that cannot be read costs nothing but itself",
        arguments: ["1 = 1", "id % 2 = 0", "id = 3"], ["checksum", "epoch"])
    func unreadableRows(_ which: String, column: String) throws {
        let container = TestContainer(.fail)
        func open() throws -> SceneSessionStore {
            try container.open { $0.journalCapacity = 10 }
        }
        var store = try open()
        let record = try store.add("A")
        for number in 0..<20 {
            try store.values.setTitle("t\(number)", key: record.key)
        }
        try store.close()
        try RawDatabase(container.folder.file()).run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'event';
            PRAGMA writable_schema = RESET;
            UPDATE event SET \(column) = 'text' WHERE \(which);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'event'
            """)
        store = try open()
        for number in 0..<20 {
            try store.values.setTitle("u\(number)", key: record.key)
        }
        #expect(try store.session(for: record).title == "u19")
        let diagnostics = store.takeDiagnostics()
        #expect(!diagnostics.isEmpty)
        #expect(diagnostics.allSatisfy { $0.code == .damagedRow })
        // They are set aside in idle time, and everything adds up again.
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        _ = store.takeDiagnostics()
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
        for number in 0..<20 {
            try store.values.setTitle("v\(number)", key: record.key)
        }
        #expect(try store.journal.events().count == 10)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.rows("SELECT DISTINCT table_name, reason FROM quarantined_row ORDER BY 1")
                // Of a row without its checksum nobody knows what it took from the digest.
                == [["event", "type"]] + (column == "checksum" ? [["store", "digest"]] : []))
        #expect(try raw.value("SELECT count(*) FROM event") == "10")
        #expect(try raw.value("PRAGMA integrity_check") == "ok")
    }

    @Test("S-42 L-76 the sessions that a launch restores take one entry, and are told one by one")
    func restoredSessions() throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.journalCapacity = 10 }
        let records = try (1...30).map { try store.add("S\($0)") }
        var judgement = LaunchJudgement()
        judgement.restored = records.map(\.key).filter { $0 != records[4].key }.reversed()
        _ = try store.launches.begin(
            LaunchContext(bootIdentifier: "boot", processIdentifier: 1), .launch, judgement)
        try store.discard([records[9].key], cause: .user, deliveredNow: true)
        let told = try store.journal.events(limit: .max).filter {
            $0.kind.rawValue == "restoration"
        }
        #expect(told.count == 29)
        #expect(Set(told.compactMap(\.sessionIdentifier)).count == 29)
        #expect(told.allSatisfy { $0.detail == DecisionRecord.lastState.detail && $0.launch == 1 })
        for (name, count) in [("S1", 1), ("S5", 0), ("S10", 1), ("S30", 1)] {
            let events = try store.journal.events(session: name, launch: 1)
            #expect(events.count { $0.kind.rawValue == "restoration" } == count)
        }
        #expect(try store.journal.events(limit: 12).count == 12)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.value("SELECT detail FROM event WHERE kind = 'restored'")
                == SessionRanges(judgement.restored).text)
        #expect(try raw.value("SELECT count(*) FROM event") == "10")
    }

    @Test("S-42 L-48 numbers of sessions as a text, and a text that no store has written")
    func sessionRanges() {
        for (keys, text) in [
            ([], ""), ([7], "7"), ([3, 1, 2, 9, 2], "1-3,9"),
            ([Int64.max, 1, Int64.max - 1], "1,9223372036854775806-9223372036854775807"),
        ] as [([Int64], String)] {
            let sessions = SessionRanges(keys)
            #expect(sessions.text == text)
            #expect(SessionRanges(text).text == text)
            #expect(SessionRanges(text).keys == Set(keys).sorted())
            for key in [1, 2, 4, 7, 9, 10, .max] as [Int64] {
                #expect(sessions.contains(key) == keys.contains(key))
            }
        }
        for text in [
            "a", "1-", "-1", "3-1", "1,1", "2,1", "0", "1-9,9", "1-2-3", "1;2",
            "99999999999999999999", "1-9223372036854775807",
        ] {
            #expect(SessionRanges(text).keys.isEmpty, "\(text)")
        }
    }

    @Test("S-42 the journal is bounded: its rows are written over in turn")
    func ring() throws {
        let container = TestContainer(.fail)
        var store = try container.open { $0.journalCapacity = 10 }
        let record = try store.add("A")
        for number in 0..<35 {
            try store.values.setTitle("t\(number)", key: record.key)
        }
        #expect(try store.journal.events().count == 10)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
        try store.close()
        #expect(
            try RawDatabase(container.folder.file()).value("SELECT count(*) FROM event") == "10")
        // Another capacity later on.
        store = try container.open { $0.journalCapacity = 4 }
        for number in 0..<3 {
            try store.values.setTitle("u\(number)", key: record.key)
        }
        #expect(try store.journal.events().count == 4)
        #expect(try store.journal.events().first?.detail == "title")
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test(
        "S-42 of many entries that one commit writes each stands in its order",
        arguments: [127, 128, 135, 136, 300], [140, 10_000])
    func manyAtOnce(_ count: Int, capacity: Int) throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.journalCapacity = capacity }
        _ = try store.add("A")
        // The second time a small ring comes round to what the first one wrote.
        for first in [0, count] {
            try store.write(.normal) { transaction throws(SceneStoreError) in
                for number in first..<first + count {
                    transaction.note(.change, "A", "\(number)")
                }
            }
            let events = try store.journal.events(limit: 10_000).filter { $0.kind == .change }
            let all = (0..<first + count).suffix(events.count)
            #expect(events.reversed().compactMap(\.detail) == all.map { "\($0)" })
            // The store's own identity takes a place now and then.
            #expect(events.count >= min(first + count, capacity - 2))
        }
        #expect(try store.verify(.full).findings.isEmpty)
    }

    @Test(
        "S-40 what the launch before lost is found without reading the journal of a year",
        arguments: [0, 120, 124, 125, 126, 127, 128, 500])
    func lossesAreNear(since count: Int) throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        try store.write(.normal) { transaction throws(SceneStoreError) in
            for _ in 0..<5_000 {
                transaction.note(.change, "session", "an entry of last year")
            }
            transaction.noteLost(unnamed: 1)
        }
        let launch = try store.launch()
        try store.write(.normal) { transaction throws(SceneStoreError) in
            transaction.noteLost(unnamed: 3)
            transaction.note(.lost, "A", "damaged")
        }
        let next = try store.launch()
        try store.write(.normal) { transaction throws(SceneStoreError) in
            for _ in 0..<count {
                transaction.note(.change, "session", "an entry of this launch")
            }
        }
        try store.close()
        func pagesRead() throws -> Int {
            try store.database.withLock { try $0.connection.pagesRead }
        }
        store = try container.open()
        let before = try pagesRead()
        let losses = try store.journal.losses(beforeLaunch: next.number)
        // The newest entries, and where they don't suffice, one page for each halving.
        #expect(try pagesRead() - before <= (count < 120 ? 10 : 16))
        #expect(losses.unnamed == 3)
        #expect(losses.entries.map(\.sessionIdentifier) == ["A"])
        // The ring of another capacity is searched, and tells the same.
        try store.close()
        store = try container.open { $0.journalCapacity = 7_000 }
        #expect(try store.journal.losses(beforeLaunch: next.number) == losses)
        try store.close()
        store = try container.open { $0.journalCapacity = 1_000 }
        #expect(try store.journal.losses(beforeLaunch: next.number) == losses)
        #expect(try store.journal.losses(beforeLaunch: launch.number).unnamed == 1)
    }

    @Test("S-42 the newest entries are found without reading the journal of a year")
    func newestAreNear() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        // The ring is written over, so that the newest entries lie on both sides of its end.
        for count in [9_000, 950, 100] {
            try store.write(.normal) { transaction throws(SceneStoreError) in
                for number in 0..<count {
                    transaction.note(.change, "session", "entry \(number) of \(count)")
                }
            }
        }
        // An opening has entries of its own.
        func changes(_ events: [StoreEvent]) -> [String?] {
            events.filter { $0.kind == .change }.prefix(90).map(\.detail)
        }
        let all = changes(try store.journal.events(limit: .max))
        #expect(all.count == 90)
        try store.close()
        func pagesRead() throws -> Int {
            try store.database.withLock { try $0.connection.pagesRead }
        }
        store = try container.open()
        let before = try pagesRead()
        let newest = try store.journal.events(limit: 100)
        #expect(try pagesRead() - before <= 12)
        #expect(changes(newest) == all)
        #expect(try store.journal.events(limit: .max).count == 10_000)
        try store.close()
        // The ring of another capacity is sorted, and tells the same.
        store = try container.open { $0.journalCapacity = 7_000 }
        #expect(changes(try store.journal.events(limit: 100)) == all)
    }

    @Test("S-42 an entry lies in the place that its number gives", arguments: [1, 2, 7, 10])
    func ring(capacity: Int) {
        for count in 0...25 as ClosedRange<Int64> {
            let ring = JournalRing(count: count, capacity: capacity)
            let serials = Array(ring.oldest..<ring.newest + 1)
            #expect(serials.count == min(Int(count), capacity))
            let places = ring.places(from: ring.oldest, through: ring.newest)
                .flatMap { Array($0.first...$0.last) }
            #expect(places == serials.map { ($0 - 1) % Int64(capacity) + 1 })
            #expect(places.map { ring.serial(at: $0) } == serials)
        }
    }
}
