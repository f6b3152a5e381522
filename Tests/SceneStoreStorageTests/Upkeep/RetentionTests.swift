import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers

@Suite("How long what was closed is kept")
struct RetentionTests {
    private static let year: Int64 = 366 * 86_400_000

    /// A store in which a session was closed a year ago.
    private func store(
        clock: TestClock, days: Int, count: Int = 25
    ) throws -> SceneSessionStore {
        let store = try SceneSessionStore.memory(clock: clock) {
            $0.closedDays = days
            $0.closedCapacity = count
        }
        let record = try store.add("A")
        try store.discard([record.key], cause: .user, deliveredNow: true)
        clock.advance(Self.year)
        return store
    }

    @Test(
        "S-50 however many days are asked for, they are no fewer",
        arguments: [Int.max, .max / 2, 106_751_991_168, 213_503_982_336, 1_000_000, 400])
    func manyDays(_ days: Int) throws {
        for time in [1_767_225_600_000, 0, -62_135_596_800_000, Int64.min, .max - Self.year] {
            let store = try store(clock: TestClock(time), days: days, count: .max)
            #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["A"])
            #expect(try store.upkeep.pruningPlan().isEmpty)
            while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
            #expect(try store.discards.reopen(identifier: "A").identifier == "A")
        }
    }

    @Test("S-50 what expires takes no closing's room, and has as much")
    func expired() throws {
        let store = try SceneSessionStore.memory { $0.closedCapacity = 2 }
        for (name, cause) in [
            ("A", DiscardCause.user), ("B", .user), ("C", .expired), ("D", .expired),
            ("E", .expired),
        ] {
            try store.discard([store.add(name).key], cause: cause, deliveredNow: true)
        }
        #expect(
            try store.discards.recentlyClosed().map(\.record.identifier) == ["E", "D", "B", "A"])
    }

    @Test("S-50 no day and fewer keep nothing", arguments: [0, -1, Int.min])
    func noDays(_ days: Int) throws {
        let store = try store(clock: TestClock(), days: days)
        #expect(try store.discards.recentlyClosed().isEmpty)
        #expect(
            try store.upkeep.pruningPlan().map(\.reason) == ["closed more than 0 days ago"])
    }

    @Test("S-52 what is pruned by age is never younger, however great the age and early the clock")
    func ages() throws {
        for time in [1_767_225_600_000, -62_135_596_800_000, Int64.min] {
            let store = try store(clock: TestClock(time), days: .max)
            #expect(try store.upkeep.pruningPlan(olderThan: .max).isEmpty)
        }
    }
}
