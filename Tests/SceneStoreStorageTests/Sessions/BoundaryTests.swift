import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

/// Bounds with the last value that is within and the first that is not, and rules about one of two.
@Suite("At the bounds")
struct BoundaryTests {
    private static let day: Int64 = 86_400_000

    /// A store whose session was parked in a launch, `launches` quit launches and `days` ago.
    private func expired(
        launches: Int, after time: Int64, _ cause: ParkedCause = .noEntry
    ) throws -> [String] {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let key = try store.add("A").key
        _ = try store.add("B")
        var judgement = LaunchJudgement()
        judgement.parked = [(key, cause)]
        let context = LaunchContext(bootIdentifier: "boot", processIdentifier: 42)
        _ = try store.launches.begin(context, .launch, judgement)
        try store.launches.end(.quit)
        for number in 1..<max(launches, 1) {
            // So that no reading of the clock is too far ahead of the others.
            clock.advance(number == 1 ? time - Self.day : 1)
            try store.launch()
            try store.launches.end(.quit)
        }
        clock.now = 1_767_225_600_000 + time
        return try store.read { db throws(SceneStoreError) in
            try db.expired(
                try db.parkedRecords(), stablePeriod: 10_000, previousWasStable: false
            ).map(\.identifier)
        }
    }

    @Test("L-18 a parked session expires after 30 days and three stable launches, not before")
    func parking() throws {
        let days = 30 * Self.day
        #expect(try expired(launches: 3, after: days) == ["A"])
        #expect(try expired(launches: 4, after: days + 1) == ["A"])
        #expect(try expired(launches: 3, after: days - 1) == [])
        #expect(try expired(launches: 2, after: days) == [])
    }

    @Test("L-18 so does one that was displaced, or that a quit did not keep")
    func displaced() throws {
        let days = 30 * Self.day
        #expect(try expired(launches: 3, after: days, .displaced) == ["A"])
        #expect(try expired(launches: 3, after: days - 1, .displaced) == [])
        #expect(try expired(launches: 3, after: days, .notKept) == ["A"])
        #expect(try expired(launches: 2, after: days, .notKept) == [])
    }

    @Test("L-18 since when a session was parked goes with the end of its parking")
    func parkingEnds() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let key = try store.add("A").key
        let context = LaunchContext(bootIdentifier: "boot", processIdentifier: 42)
        func values() throws -> String {
            try RawDatabase(container.folder.file()).value("SELECT count(*) FROM session_value")
        }
        for (cause, count) in [(ParkedCause.noEntry, "1"), (nil, "0")] {
            var judgement = LaunchJudgement()
            judgement.parked = [(key, cause)]
            _ = try store.launches.begin(context, .launch, judgement)
            #expect(try store.discards.parkedRecords().count == Int(count))
            #expect(try values() == count)
        }
    }

    @Test("S-42 a journal that is opened with less room shows no entry more than it has room for")
    func smallerJournal() throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.journalCapacity = 9 }
        for number in 0..<9 {
            _ = try store.add("\(number)")
        }
        try store.close()
        for (capacity, count) in [(4, 4), (5, 5)] {
            let copy = try container.snapshot()
            let store = try copy.open(.reader) { $0.journalCapacity = capacity }
            #expect(try store.journal.events().count == count)
            try store.close()
        }
    }

    @Test("S-52 L-36 above their bound only tombstones go that the app knows and nobody needs")
    func tombstones() throws {
        for closedCount in [0, 25] {
            let store = try SceneSessionStore.memory {
                $0.discardCapacity = 1
                $0.closedCapacity = closedCount
            }
            var keys: [Int64] = []
            for name in ["A", "B", "C", "D"] {
                let record = try store.add(name)
                keys.append(record.key)
                try store.discard([record.key], cause: .user, deliveredNow: false)
            }
            // The second and the third were told.
            try store.discards.mark([keys[1], keys[2]], .delivered)
            let plan = try store.upkeep.pruningPlan().filter { $0.subject == .discard }
            #expect(plan.map(\.name) == (closedCount == 0 ? ["B", "C"] : []))
            let aged = try store.upkeep.pruningPlan(olderThan: -1).filter { $0.subject == .discard }
            #expect(aged.map(\.name) == (closedCount == 0 ? ["B", "C"] : []))
        }
    }

    @Test("S-52 neither a held nor a pinned closed session goes by age")
    func heldByAge() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        for name in ["plain", "held", "pinned"] {
            let key = try store.add(name).key
            try store.discard([key], cause: .user, deliveredNow: false)
            if name == "held" { try store.marks.setHeld(true, key: key) }
            if name == "pinned" { try store.marks.setPinned(true, key: key) }
        }
        clock.advance(2 * Self.day)
        let plan = try store.upkeep.pruningPlan(olderThan: Self.day)
        #expect(plan.map(\.name) == ["plain"])
        // Nor does a discard that the app does not know of.
        try store.forget([try #require(try store.record(identifier: "plain")).key])
        #expect(try store.upkeep.pruningPlan(olderThan: Self.day).isEmpty)
    }

    @Test("S-52 L-36 by age no tombstone goes that the app was not told of")
    func tombstonesByAge() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock) { $0.closedCapacity = 0 }
        var keys: [Int64] = []
        for name in ["A", "B"] {
            let record = try store.add(name)
            keys.append(record.key)
            try store.discard([record.key], cause: .user, deliveredNow: false)
        }
        try store.discards.mark([keys[0]], .delivered)
        clock.advance(2 * Self.day)
        let plan = try store.upkeep.pruningPlan(olderThan: Self.day)
        #expect(plan.filter { $0.subject == .discard }.map(\.name) == ["A"])
    }

    @Test("S-52 S-40 a launch that is pruned takes its ledger along, in idle time and by command")
    func ledgers() throws {
        for isIdle in [true, false] {
            let container = TestContainer(.fail)
            let store = try container.open { $0.launchCapacity = 2 }
            for name in ["A", "B", "C"] {
                try store.launch()
                try store.launches.record(
                    LaunchLedger(
                        counts: [.held: 1],
                        exceptions: [
                            .init(
                                sessionIdentifier: SceneSession.ID(name), outcome: .held,
                                reason: "crashes")
                        ]))
            }
            if isIdle {
                while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
            } else {
                try store.upkeep.prune(olderThan: nil)
            }
            #expect(try store.launches.records().map(\.number) == [3, 2])
            let raw = try RawDatabase(container.folder.file())
            #expect(
                try raw.rows("SELECT DISTINCT launch FROM launch_exception ORDER BY 1")
                    == [["2"], ["3"]])
            #expect(try store.verify(.full).isSound)
        }
    }

    @Test("S-20 L-65 L-85 a payload that is taken and a deletion are synced, the rest is not")
    func durability() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.launch()
        func synced(_ body: () throws -> Void) throws -> Int {
            let before = store.counters.durableTransactions
            try body()
            return store.counters.durableTransactions - before
        }
        for number in 1...2 {
            var saved = activity(number)
            saved.persistentIdentifier = "\(number)"
            #expect(try synced { try store.saveActivity(saved) } == 0)
            var id: Int64 = 0
            #expect(
                try synced {
                    id = try store.inbox.keep(
                        .activity(activity(number)), dedupe: "\(number)")
                } == 1)
            #expect(try synced { try store.inbox.acknowledge([id]) } == 0)
        }
        #expect(
            try synced { try store.deleteSavedActivities(persistentIdentifiers: ["1"]) } == 1)
        #expect(try store.savedActivities().map { $0.userInfo["number"] } == [2])
    }

    @Test("L-65 what is offered a second time was offered before, and the first time was not")
    func secondOffer() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let id = try store.inbox.keep(.activity(activity(1)), dedupe: "d")
        func wasOffered() throws -> [Bool] { try store.inbox.pending().map(\.wasOffered) }
        try store.inbox.markOffered([id])
        #expect(try wasOffered() == [false])
        try store.launch()
        #expect(try wasOffered() == [true])
        try store.inbox.markOffered([id])
        #expect(try wasOffered() == [true])
    }

    @Test("L-43 L-76 a reset starts with a first launch, and no decision outlives it")
    func reset() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        _ = try store.add("A")
        store.journal.append(
            DecisionRecord(.provider, session: "A", outcome: "not-asked", reason: "remembered"))
        try store.reset()
        #expect(try store.journal.events(session: "A").isEmpty)
        try store.close()
        store = try container.open()
        #expect(try store.journal.events(session: "A").isEmpty)
        #expect(try store.launch().reason == .first)
    }

    @Test("S-10 L-04 a second session of one identifier is refused, and one of other bytes is not")
    func identifiers() throws {
        let store = try SceneSessionStore.memory()
        _ = try store.add("caf\u{e9}")
        let code = failure { _ = try store.add("caf\u{e9}") }
        #expect(code == .duplicateSession)
        _ = try store.add("cafe\u{301}")
        #expect(try store.openCount() == 2)
    }

    @Test("L-07 L-50 configurations whose names Swift calls equal are two")
    func configurations() throws {
        let store = try SceneSessionStore.memory()
        let names = ["caf\u{e9}", "cafe\u{301}"]
        for name in names {
            let record = try store.add(
                "of \(name.utf8.count)",
                configuration: SceneConfiguration(name: name, role: .windowApplication))
            #expect(record.configuration.name.map { Array($0.utf8) } == Array(name.utf8))
        }
        for name in names {
            let record = try #require(try store.record(identifier: "of \(name.utf8.count)"))
            #expect(record.configuration.name.map { Array($0.utf8) } == Array(name.utf8))
        }
    }

    @Test("L-52 who is released has no deaths any more")
    func released() throws {
        let store = try SceneSessionStore.memory()
        let keys = try ["A", "B"].map { try store.add($0).key }
        for key in keys {
            try store.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.updateRow(try transaction.db.knownSession(key)) {
                    $0.crashCount = 2
                }
            }
        }
        try store.marks.setHeld(false, key: keys[0])
        #expect(try keys.map { try store.record(key: $0)?.crashCount } == [0, 2])
    }

    @Test("S-70 L-86 turning a session ephemeral removes its storage, and leaves the others'")
    func storage() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let keys = try ["A", "B"].map { try store.add($0).key }
        for key in keys {
            try store.values.setStorage(["k": .string("v"), "l": .string("w")], key: key)
        }
        try store.marks.setPrivacy(.ephemeral, key: keys[0])
        #expect(
            try RawDatabase(container.folder.file()).rows(
                "SELECT DISTINCT session_id FROM scene_storage") == [["\(keys[1])"]])
    }

    @Test(
        "L-70 L-11 of two sessions of one rank the earlier identifier comes first",
        arguments: [["A", "B"], ["B", "A"]])
    func ties(_ names: [String]) throws {
        let store = try SceneSessionStore.memory()
        let keys = try names.map { try store.add($0).key }
        try store.write(.normal) { transaction throws(SceneStoreError) in
            for key in keys {
                try transaction.updateRow(try transaction.db.knownSession(key)) {
                    $0.recency = 1_000
                }
            }
        }
        #expect(try store.mostRecentRecord()?.identifier == "A")
        #expect(try store.openRecords().map(\.identifier) == ["A", "B"])
    }

    @Test("S-33 L-76 decisions made while the container is let go are stored after that")
    func suspendedDecisions() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.launch()
        try store.suspend()
        store.journal.append(
            DecisionRecord(.provider, session: "A", outcome: "not-asked", reason: "remembered"))
        _ = try store.add("B")
        #expect(try store.journal.events(session: "A").map(\.detail) == ["not-asked: remembered"])
    }
}
