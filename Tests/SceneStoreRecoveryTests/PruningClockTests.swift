import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers

/// Clocks that jump, and what is kept only for a time.
@Suite("Pruning under wrong clocks")
struct PruningClockTests {
    private static let day = HistoryPolicy.day

    private func close(_ name: String, in store: SceneSessionStore) throws {
        let record = try store.add(name)
        try store.discard([record.key], cause: .user, deliveredNow: true)
        try store.discards.mark([record.key], .delivered)
    }

    private func closed(_ store: SceneSessionStore) throws -> [String] {
        try store.discards.recentlyClosed().map(\.record.identifier)
    }

    private func planned(_ store: SceneSessionStore, olderThan days: Int64) throws -> [String] {
        try store.upkeep.pruningPlan(olderThan: days * Self.day).map { "\($0.subject) \($0.name)" }
    }

    @Test("S-50 S-52 a clock that is far ahead once makes nothing expire")
    func farAhead() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        try close("A", in: store)
        try close("B", in: store)
        container.clock.advance(Self.day)
        try store.launch()
        container.clock.advance(5_000 * Self.day)
        // In a launch of its own, too, and for whoever asks by age.
        for _ in 0..<2 {
            #expect(try closed(store) == ["B", "A"])
            #expect(try store.upkeep.pruningPlan().isEmpty)
            #expect(try planned(store, olderThan: 7).isEmpty)
            while try store.upkeep.perform(budgetMilliseconds: 100) {}
            #expect(try store.record(identifier: "A") != nil)
            try store.launch()
        }
        container.clock.advance(-5_000 * Self.day)
        try store.launch()
        #expect(try closed(store) == ["B", "A"])
        container.clock.advance(14 * Self.day)
        #expect(try closed(store) == ["B"])
    }

    @Test("S-50 S-52 an opening under a wrong clock is no second reading of it")
    func farAheadAtOpening() throws {
        let container = TestContainer()
        var store = try container.open()
        try store.launch()
        try close("A", in: store)
        try close("B", in: store)
        try store.close()
        container.clock.advance(5_000 * Self.day)
        store = try container.open()
        try store.launch()
        #expect(try closed(store) == ["B", "A"])
        while try store.upkeep.perform(budgetMilliseconds: 100) {}
        #expect(try store.record(identifier: "A") != nil)
        try store.close()
        container.clock.advance(-5_000 * Self.day)
        store = try container.open()
        try store.launch()
        #expect(try closed(store) == ["B", "A"])
        // What the launch before wrote is one, in a process of its own, too.
        try store.close()
        container.clock.advance(20 * Self.day)
        store = try container.open()
        try store.launch()
        #expect(try closed(store) == ["B"])
    }

    @Test("S-50 after a long pause ages count from the second launch on")
    func longPause() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        try close("A", in: store)
        try close("B", in: store)
        container.clock.advance(60 * Self.day)
        try store.launch()
        #expect(try closed(store) == ["B", "A"])
        container.clock.advance(Self.day)
        try store.launch()
        #expect(try closed(store) == ["B"])
    }

    @Test("S-50 in a process that is up for months things expire as in any other")
    func longProcess() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        container.clock.advance(Self.day)
        try store.launch()
        for _ in 0..<4 {
            container.clock.advance(20 * Self.day)
            #expect(try closed(store).isEmpty)
        }
        try close("A", in: store)
        try close("B", in: store)
        #expect(try closed(store) == ["B", "A"])
        container.clock.advance(20 * Self.day)
        #expect(try closed(store) == ["B"])
    }

    @Test("S-50 on a device that boots in 1970 things expire once two launches knew the time")
    func bootsAtZero() throws {
        let container = TestContainer()
        let store = try container.open()
        let now = container.clock.now
        for day in Int64(0)..<3 {
            container.clock.advance(-container.clock.now)
            try store.launch(boot: "boot-\(day)")
            container.clock.advance(now + 10 * day * Self.day)
            if day == 0 {
                try close("A", in: store)
                try close("B", in: store)
            } else {
                // Something of this launch tells the time to the next one.
                _ = try store.add("C-\(day)")
            }
            #expect(try closed(store) == (day < 2 ? ["B", "A"] : ["B"]), "launch \(day)")
        }
    }

    @Test("S-52 a clock at either end of time is looked at without a trap")
    func extremes() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        try close("A", in: store)
        container.clock.advance(.min + 1)
        try store.launch()
        container.clock.advance(.max)
        container.clock.advance(.max - container.clock.now)
        #expect(try closed(store) == ["A"])
        #expect(try planned(store, olderThan: 7).isEmpty)
    }

    @Test("S-52 what came later than something that stays is not pruned by age, whatever it claims")
    func order() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        try close("A", in: store)
        // Somebody's clock began at 1970, for one launch and one window.
        let now = container.clock.now
        container.clock.advance(-now)
        try store.launch()
        try close("B", in: store)
        container.clock.advance(now + Self.day)
        try store.launch()
        try close("C", in: store)
        #expect(try planned(store, olderThan: 7).isEmpty)
        container.clock.advance(8 * Self.day)
        // The launches do not agree on what time it is, until one more says so.
        #expect(try planned(store, olderThan: 7).isEmpty)
        try store.launch()
        #expect(
            try planned(store, olderThan: 7) == [
                "closedSession B", "closedSession A", "launch 3", "launch 2", "launch 1",
            ])
        try store.upkeep.prune(olderThan: 7 * Self.day)
        #expect(try closed(store) == ["C"])
        #expect(try planned(store, olderThan: 7) == ["discard A", "discard B"])
    }

    @Test("S-52 a time of the future is as old as what came after it")
    func future() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        container.clock.advance(9_000 * Self.day)
        try close("A", in: store)
        container.clock.advance(-9_000 * Self.day)
        container.clock.advance(20 * Self.day)
        // It may have been closed just now.
        #expect(try planned(store, olderThan: 7).isEmpty)
        try store.launch()
        try close("B", in: store)
        container.clock.advance(8 * Self.day)
        #expect(
            try planned(store, olderThan: 7) == [
                "closedSession A", "launch 1",
            ])
    }
}
