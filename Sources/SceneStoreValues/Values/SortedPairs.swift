/// The pairs of a dictionary in memory, found by halving.
struct SortedPairs: Sendable {
    typealias Pair = ValueDictionary.Pair

    /// Sorted by `precedes`, keys distinct; behind `sortedCount` stand those that came into a large
    /// dictionary since it was sorted: few, so that one more moves little, and in their order too.
    private var stored: [Pair]
    private var sortedCount: Int

    /// Up to here a new pair is put among the others at once.
    private static let smallCount = 512

    /// Takes over pairs that are sorted and distinct.
    init(_ pairs: [Pair]) {
        stored = pairs
        sortedCount = pairs.count
    }

    var count: Int { stored.count }

    /// All pairs, sorted by `precedes`, keys distinct.
    var all: [Pair] {
        recentCount == 0 ? stored : merged()
    }

    private func merged() -> [Pair] {
        var all: [Pair] = []
        all.reserveCapacity(count)
        var next = 0
        for new in stored[sortedCount...] {
            let before = lowerBound(of: new.key)
            all += stored[next..<before]
            all.append(new)
            next = before
        }
        all += stored[next..<sortedCount]
        return all
    }

    /// How many pairs wait to be put among the others.
    package var recentCount: Int { stored.count - sortedCount }

    /// The value of a key; setting `nil` removes it.
    subscript(key: String) -> Value? {
        get {
            place(of: key).map { stored[$0].value }
        }
        set {
            if newValue == nil {
                sort()
            }
            let place = place(of: key)
            switch (newValue, place) {
            case (let value?, let place?): stored[place].value = value
            case (let value?, nil): insert(Pair(key: key, value: value))
            case (nil, let place?):
                stored.remove(at: place)
                sortedCount -= 1
            case (nil, nil): break
            }
        }
    }

    /// Where a key's pair is stored.
    private func place(of key: String) -> Int? {
        let index = lowerBound(of: key)
        if index < sortedCount, stored[index].key.hasSameBytes(as: key) {
            return index
        }
        guard recentCount > 0 else {
            return nil
        }
        let place = recentBound(of: key)
        return place < stored.count && stored[place].key.hasSameBytes(as: key) ? place : nil
    }

    /// Puts in a pair with a new key.
    private mutating func insert(_ pair: Pair) {
        let index = lowerBound(of: pair.key)
        guard recentCount > 0 || index < sortedCount && sortedCount >= Self.smallCount else {
            stored.insert(pair, at: index)
            sortedCount += 1
            return
        }
        stored.insert(pair, at: recentBound(of: pair.key))
        // Twice the root of all: then moving the recent ones costs as much as moving all now and then.
        if recentCount * recentCount > 4 * sortedCount {
            sort()
        }
    }

    /// Puts the recent pairs among the others.
    private mutating func sort() {
        if recentCount > 0 {
            stored = merged()
            sortedCount = stored.count
        }
    }

    /// The first index among the sorted pairs whose key does not come before `key`.
    private func lowerBound(of key: String) -> Int {
        // Dictionaries are most often built in order: look at the end first.
        if sortedCount > 0, ValueDictionary.precedes(stored[sortedCount - 1].key, key) {
            return sortedCount
        }
        return Self.bound(sortedCount) { ValueDictionary.precedes(stored[$0].key, key) }
    }

    /// The same among the recent pairs.
    private func recentBound(of key: String) -> Int {
        sortedCount
            + Self.bound(recentCount) {
                ValueDictionary.precedes(stored[sortedCount + $0].key, key)
            }
    }

    /// The first index that is not below, found by halving.
    @inline(__always)
    static func bound(_ count: Int, isBelow: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The pair at a position.
    subscript(position: Int) -> Pair {
        stored[recentCount == 0 ? position : place(at: position)]
    }

    /// Where the pair of a position is stored. The recent pair `i` comes after those sorted ones whose
    /// keys precede its own, and after `i` recent ones.
    private func place(at position: Int) -> Int {
        let rank = { [self] (recent: Int) in
            lowerBound(of: stored[sortedCount + recent].key) + recent
        }
        let recent = Self.bound(recentCount) { rank($0) < position }
        return recent < recentCount && rank(recent) == position
            ? sortedCount + recent : position - recent
    }
}
