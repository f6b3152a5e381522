import Testing

import SceneStore
import SceneStoreTestContainers

/// What the policy of a history keeps.
extension HistoryTests {
    @Test("S-51 the policy gives up the oldest first, and never the last recent ones")
    func policy() {
        let policy = HistoryPolicy()
        func entry(_ slot: Int, _ generation: Int64, _ time: Int64) -> HistoryPolicy.Entry {
            (slot, time, generation, 1)
        }
        // All within one hour: the tenth oldest makes room.
        let entries = (0..<10).map { entry($0, Int64($0), Int64($0)) }
        let placement = policy.placement(for: entry(0, 10, 10), among: entries, current: 9)
        #expect(placement.slot == 0 && placement.dropped.isEmpty)
        // Too few: a free slot.
        let few = policy.placement(
            for: entry(0, 10, 10), among: Array(entries.prefix(9)), current: 8)
        #expect(few.slot == 9 && few.dropped.isEmpty)
        // Clocks before 1970, far ahead and at the ends of time do not trap.
        for time in [Int64.min, -1, 0, .max] {
            let placement = policy.placement(
                for: entry(0, 99, time), among: entries, current: 9)
            #expect(!placement.dropped.contains(9))
        }
        #expect(policy.surplus(entries, current: 9, now: 10).isEmpty)
    }

    /// States of one byte each, oldest first, so long before the newest one.
    private static func entries(_ ages: [Int64], bytes: Int = 1) -> [HistoryPolicy.Entry] {
        ages.sorted(by: >).enumerated().map { place, age in
            (place, -age, Int64(place), bytes)
        }
    }

    private static func surplusAges(_ ages: [Int64], _ policy: HistoryPolicy) -> [Int64] {
        let entries = entries([0] + ages)
        return policy.surplus(entries, current: entries.count - 1, now: 0).map {
            -entries[$0].savedAt
        }
    }

    @Test("S-51 as many recent states, hours and days are kept as the policy says, and no more")
    func policyBounds() {
        var policy = HistoryPolicy.none
        policy.recent = 3
        #expect(Self.surplusAges([1, 2], policy).isEmpty)
        #expect(Self.surplusAges([1, 2, 3], policy) == [3])
        // One state an hour, for so many hours; the newest of each.
        policy.recent = 1
        policy.hours = 2
        let hour = HistoryPolicy.hour
        #expect(Self.surplusAges([hour / 2, hour / 2 + 1], policy) == [hour / 2 + 1])
        #expect(Self.surplusAges([2 * hour - 1], policy).isEmpty)
        #expect(Self.surplusAges([2 * hour], policy) == [2 * hour])
        // And one a day; an hour's state counts for its day.
        policy.hours = 0
        policy.days = 2
        let day = HistoryPolicy.day
        #expect(Self.surplusAges([day / 2, day + 1], policy).isEmpty)
        #expect(Self.surplusAges([day / 2, day / 2 + 1], policy) == [day / 2 + 1])
        #expect(Self.surplusAges([2 * day - 1], policy).isEmpty)
        #expect(Self.surplusAges([2 * day], policy) == [2 * day])
        // Never more than there are hours and days, whatever a clock says.
        policy.days = 1
        let entries = Self.entries([0, -day, -2 * day, -3 * day])
        #expect(policy.surplus(entries, current: 0, now: 0).count == 2)
    }

    @Test("S-51 all states together may be as large as the bound, and no byte larger")
    func policyBytes() {
        var policy = HistoryPolicy()
        policy.bytes = 30
        let entries = Self.entries([0, 1, 2], bytes: 10)
        #expect(policy.surplus(entries, current: 2, now: 0).isEmpty)
        policy.bytes = 29
        #expect(policy.surplus(entries, current: 2, now: 0) == [0])
        policy.bytes = 0
        #expect(policy.surplus(entries, current: 2, now: 0) == [0, 1])
    }

    @Test("S-51 an equal content is written over, but neither the current state nor a pinned one")
    func policyEqual() {
        let policy = HistoryPolicy()
        let entries = Self.entries([3, 2, 1])
        func placement(_ hash: Int64, current: Int?, pinned: [Int] = []) -> HistoryPolicy.Placement
        {
            policy.placement(
                for: (0, 0, hash, 1),
                among: entries, current: current, pinned: pinned)
        }
        #expect(placement(1, current: 2).slot == 1)
        #expect(placement(2, current: 2).slot == 3)
        #expect(placement(1, current: 2, pinned: [1]).slot == 3)
        // A pinned state is not given up either.
        var full = HistoryPolicy.none
        full.recent = 2
        let next: HistoryPolicy.Entry = (0, 0, 9, 1)
        #expect(full.placement(for: next, among: entries, current: 2).slot == 0)
        #expect(full.placement(for: next, among: entries, current: 2, pinned: [0]).slot == 1)
        #expect(full.placement(for: next, among: entries, current: 2, pinned: [0, 1]).slot == 3)
    }
}

extension HistoryPolicy {
    /// Where a new state goes, among entries in an array.
    fileprivate func placement(
        for entry: Entry, among entries: [Entry], current: Int?, pinned: [Int] = []
    ) -> Placement {
        entries.withUnsafeBufferPointer {
            placement(for: entry, among: $0, current: current, pinned: pinned)
        }
    }

    /// The slots that are no longer kept, oldest first; `current` is not among them.
    fileprivate func surplus(_ entries: [Entry], current: Int?, now: Int64) -> [Int] {
        guard let index = entries.lastIndex(where: { $0.slot == current }) ?? entries.indices.last
        else {
            return []
        }
        var others = entries
        let newest = others.remove(at: index)
        var givenUp: [Int] = []
        var tooLarge: [Int] = []
        _ = others.withUnsafeBufferPointer { others in
            judge(others, newest: newest, now: now) { slot, verdict in
                if verdict == .givenUp {
                    givenUp.append(slot)
                } else {
                    tooLarge.append(slot)
                }
            }
        }
        return givenUp.reversed() + tooLarge.reversed()
    }
}
