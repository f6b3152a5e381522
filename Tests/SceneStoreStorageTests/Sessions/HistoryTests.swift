import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers

@Suite("History")
struct HistoryTests {
    static let day: Int64 = 86_400_000
    static let hour: Int64 = 3_600_000

    @Test("S-50 discarded sessions can be had back, with identifier, state and place")
    func reopen() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A", front: true)
        try store.save(record, activity(1))
        try store.values.setUserInfo(["k": 1], key: record.key)
        try store.values.setStorage(["s": .integer(2)], key: record.key)
        try store.values.setTitle("t", key: record.key)
        let placement = ScenePlacement(x: 1, y: 2, width: 3, height: 4)
        try store.values.setPlacement(PlacementMemory(placement), key: record.key)
        try store.discard([record.key], cause: .user, deliveredNow: false)
        try store.close()
        store = try container.open()
        #expect(try store.openRecords().isEmpty)
        #expect(try store.record(identifier: "A")?.isOpen == false)
        let closed = try #require(try store.discards.recentlyClosed().first)
        #expect(closed.record.identifier == "A")
        #expect(closed.cause == .user)
        #expect(closed.closedAt == container.clock.now)
        let again = try store.discards.reopen(identifier: "A")
        #expect(again.key == record.key)
        let session = try store.session(for: again)
        #expect(session.stateRestorationActivity == activity(1))
        #expect(session.userInfo == ["k": 1])
        #expect(session.title == "t")
        #expect(session.placement == placement)
        #expect(try store.values.storageValues(key: again.key) == ["s": .integer(2)])
        // It is no longer to be discarded.
        #expect(try store.discards.pending().isEmpty)
        #expect(try store.discards.recentlyClosed().isEmpty)
        #expect(failure { _ = try store.discards.reopen(identifier: "A") } == .noSuchSession)
        #expect(try store.openCount() == 1)
    }

    @Test("S-51 S-23 judging a history compares no times, unless a clock went back")
    func judgingIsLinear() {
        var policy = HistoryPolicy()
        (policy.recent, policy.hours, policy.days) = (100, 72, 72)
        func entry(_ slot: Int, _ time: Int64) -> HistoryPolicy.Entry {
            (slot, time, 0, 1)
        }
        // A state a day, then one an hour, then one a second.
        var ages: [Int64] = (0..<69).map { Int64(71 - $0) * Self.day }
        ages += (0..<60).map { Int64(60 - $0) * Self.hour }
        ages += (0..<99).map { Int64(99 - $0) * 1_000 }
        let now = 100 * Self.day
        var entries: [HistoryPolicy.Entry] = []
        for (slot, age) in ages.enumerated() {
            entries.append(entry(slot, now - age))
        }
        func judge() -> (compared: Int, dropped: [Int]) {
            var dropped: [Int] = []
            let compared = entries.withUnsafeBufferPointer {
                policy.judge($0, newest: entry(255, now), now: now) { slot, _ in
                    dropped.append(slot)
                }
            }
            return (compared, dropped)
        }
        let (compared, dropped) = judge()
        #expect(compared == 0)
        // Those of the same hour or day as a later one.
        #expect(dropped.count < 5 && dropped.allSatisfy { $0 > 60 }, "\(dropped)")
        // The clock stood months before, once: the hours after it are looked up.
        entries[200] = entry(200, now - 80 * Self.day)
        #expect(judge().compared > 0)
        #expect(judge().dropped == dropped)
    }

    @Test("L-83 S-50 reopening fills the limit of open sessions and exceeds it by none")
    func reopenLimit() throws {
        let store = try SceneSessionStore.memory { $0.limits.sessions = 2 }
        let a = try store.add("A")
        _ = try store.add("B")
        #expect(failure { _ = try store.add("C") } == .limitExceeded)
        try store.discard([a.key], cause: .user, deliveredNow: true)
        let c = try store.add("C")
        #expect(failure { _ = try store.discards.reopen(identifier: "A") } == .limitExceeded)
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["A"])
        try store.discard([c.key], cause: .user, deliveredNow: true)
        #expect(try store.discards.reopen(identifier: "A").identifier == "A")
        #expect(try store.openCount() == 2)
        // Nothing is left of its discard, and it can be closed and had back again.
        let tombstones = try store.read { reader throws(SceneStoreError) in
            try reader.tombstones().map(\.identifier)
        }
        #expect(tombstones == ["C"])
        try store.discard([a.key], cause: .user, deliveredNow: true)
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["A", "C"])
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-50 for 14 days and at most 25, the newest first")
    func bounds() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        for number in 0..<30 {
            let record = try store.add("session-\(number)")
            try store.discard([record.key], cause: .user, deliveredNow: true)
        }
        var closed = try store.discards.recentlyClosed().map(\.record.identifier)
        #expect(closed == (5..<30).reversed().map { "session-\($0)" })
        #expect(
            failure { _ = try store.discards.reopen(identifier: "session-4") } == .noSuchSession)
        clock.advance(14 * Self.day)
        #expect(try store.discards.recentlyClosed().count == 25)
        clock.advance(1)
        closed = try store.discards.recentlyClosed().map(\.record.identifier)
        // What was closed last stays until something is closed after it.
        #expect(closed == ["session-29"])
    }

    @Test("S-50 the windows that were closed last stay however old they are, all of them")
    func newestGroup() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let keys = try ["A", "B", "C"].map { try store.add($0).key }
        try store.discard(keys, cause: .user, deliveredNow: true)
        clock.advance(100 * Self.day)
        #expect(try store.upkeep.pruningPlan().isEmpty)
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["A", "B", "C"])
        let next = try store.add("D")
        try store.discard([next.key], cause: .user, deliveredNow: true)
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["D"])
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(try store.record(identifier: "A") == nil)
    }

    @Test("S-50 the bounds are settable, and zero keeps nothing")
    func settable() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock) {
            $0.closedCapacity = 2
            $0.closedDays = 1
        }
        for name in ["A", "B", "C"] {
            let record = try store.add(name)
            try store.discard([record.key], cause: .user, deliveredNow: true)
        }
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["C", "B"])
        clock.advance(Self.day + 1)
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["C"])
        let none = try SceneSessionStore.memory { $0.closedCapacity = 0 }
        let record = try none.add("A")
        try none.save(record, activity(1))
        try none.discard([record.key], cause: .user, deliveredNow: false)
        #expect(try none.record(identifier: "A") == nil)
        #expect(try none.discards.pending().map(\.identifier) == ["A"])
        #expect(try none.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(none.takeDiagnostics().isEmpty)
    }

    @Test("S-50 a class of privacy shortens it to zero", arguments: PrivacyClass.allCases)
    func privacy(_ privacy: PrivacyClass) throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        try store.marks.setPrivacy(privacy, key: record.key)
        try store.discard([record.key], cause: .user, deliveredNow: false)
        #expect(try store.discards.recentlyClosed().isEmpty == (privacy != .standard))
        #expect(try store.discards.pending().map(\.identifier) == ["A"])
    }

    @Test("S-51 a save keeps the previous state, the last ten distinct ones in all")
    func lastTen() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        for number in 0..<25 {
            try store.save(record, activity(number))
        }
        let history = try store.history.versions(key: record.key)
        #expect(history.count == 10)
        #expect(history.map(\.isCurrent) == [true] + [Bool](repeating: false, count: 9))
        for (index, version) in history.enumerated() {
            #expect(
                try store.history.state(key: record.key, generation: version.generation)
                    == activity(24 - index))
            #expect(version.activityType == "com.example.edit")
            #expect(version.context.appVersion == "1")
        }
        #expect(try store.history.state(key: record.key, generation: 1) == nil)
    }

    @Test("S-51 equal content is stored once")
    func storedOnce() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        for number in [1, 2, 1, 2, 3, 1] {
            #expect(try store.save(record, activity(number)))
        }
        let history = try store.history.versions(key: record.key)
        let states = try history.map {
            try store.history.state(key: record.key, generation: $0.generation)
        }
        #expect(states == [activity(1), activity(3), activity(2)])
        #expect(try store.restorationActivity(key: record.key) == activity(1))
    }

    @Test("S-51 older states are thinned to one an hour, then one a day, then none")
    func thinning() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let record = try store.add("A")
        let start = clock.now
        // Every ten minutes for twenty days.
        let step = 10 * 60_000 as Int64
        let count = Int(20 * Self.day / step)
        for number in 0..<count {
            clock.now = start + Int64(number) * step
            try store.save(record, activity(number), at: clock.now, durability: .normal)
        }
        let now = clock.now
        let ages = try store.history.versions(key: record.key).map { now - $0.context.savedAt }
        #expect(ages.prefix(10).elementsEqual((0..<10).map { Int64($0) * step }))
        let hourly = ages.dropFirst(10).filter { $0 < 24 * Self.hour }
        #expect(hourly.count >= 21 && hourly.count <= 24, "\(hourly.count)")
        let daily = ages.dropFirst(10 + hourly.count)
        #expect(daily.count >= 12 && daily.count <= 14, "\(daily.count)")
        #expect(ages.allSatisfy { $0 <= 15 * Self.day })
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-51 the history is bounded in bytes, and the current state is never what goes")
    func bytes() throws {
        let store = try SceneSessionStore.memory { $0.history.bytes = 10_000 }
        let record = try store.add("A")
        for number in 0..<10 {
            try store.save(record, activity(number, bytes: 3_000))
        }
        #expect(try store.history.versions(key: record.key).count == 3)
        let large = activity(99, bytes: 50_000)
        try store.save(record, large)
        #expect(try store.history.versions(key: record.key).count == 1)
        #expect(try store.restorationActivity(key: record.key) == large)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-51 an earlier state is checked out, and saving goes on from there")
    func checkout() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        for number in 1...3 {
            try store.save(record, activity(number))
        }
        let versions = try store.history.versions(key: record.key)
        try store.history.checkout(key: record.key, generation: versions[2].generation)
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        #expect(
            try store.history.versions(key: record.key).map(\.isCurrent) == [false, false, true])
        #expect(
            failure { try store.history.checkout(key: record.key, generation: 1) } == .noSuchState)
        try store.close()
        store = try container.open()
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        #expect(try !store.save(record, activity(1)))
        #expect(try store.save(record, activity(4)))
        #expect(try store.history.versions(key: record.key).count == 4)
    }

    @Test("S-51 a state that the app forgets stays in the history")
    func cleared() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        try store.save(record, activity(1))
        #expect(try store.save(record, nil))
        #expect(try !store.save(record, nil))
        #expect(try store.restorationActivity(key: record.key) == nil)
        #expect(try store.record(key: record.key)?.hasState == false)
        #expect(try store.history.versions(key: record.key).map(\.isCurrent) == [false])
    }

    @Test("S-52 pruning says what and why, and never touches what is open, pinned or held")
    func pruning() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock) {
            $0.launchCapacity = 2
            $0.discardCapacity = 1
        }
        for _ in 0..<4 {
            try store.launch()
        }
        let open = try store.add("open")
        let held = try store.add("held")
        try store.marks.setHeld(true, key: held.key)
        // The one that was closed last never goes by its age, so it is not the pinned one.
        for name in ["A", "pinned", "B", "last"] {
            let record = try store.add(name)
            if name == "pinned" {
                try store.marks.setPinned(true, key: record.key)
            }
            try store.discard([record.key], cause: .user, deliveredNow: true)
            try store.discards.mark([record.key], .delivered)
        }
        clock.advance(20 * Self.day)
        let plan = try store.upkeep.pruningPlan()
        #expect(plan.filter { $0.subject == .closedSession }.map(\.name) == ["B", "A"])
        #expect(plan.filter { $0.subject == .launch }.map(\.name) == ["1", "2"])
        #expect(plan.allSatisfy { !$0.reason.isEmpty })
        #expect(try store.record(identifier: "A") != nil, "a plan removes nothing")
        while try store.upkeep.perform(budgetMilliseconds: 100) {}
        #expect(try store.record(identifier: "A") == nil)
        #expect(try store.discards.reopen(identifier: "pinned").isPinned)
        #expect(try store.record(key: open.key) != nil)
        #expect(try store.record(key: held.key) != nil)
        #expect(try store.launches.records().map(\.number) == [4, 3])
        #expect(try store.upkeep.pruningPlan().isEmpty)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-52 a flood of sessions up to the limit evicts none in regular use")
    func flood() throws {
        let store = try SceneSessionStore.memory { $0.limits.sessions = 50 }
        let record = try store.add("regular")
        for number in 0..<49 {
            _ = try store.add("junk-\(number)")
        }
        #expect(failure { _ = try store.add("one too many") } == .limitExceeded)
        #expect(try store.record(key: record.key)?.isOpen == true)
        #expect(try store.openCount() == 50)
    }
}
