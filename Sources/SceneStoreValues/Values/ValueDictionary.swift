/// Values by string keys, held in the order in which they are stored.
///
/// The order is that of deterministic CBOR (RFC 8949, section 4.2.1): shorter keys first, keys of
/// one length by their bytes. Equal contents are therefore equal bytes in every process, which a
/// `Dictionary` cannot promise. Keys are compared by their UTF-8.
///
/// ```swift
/// var userInfo: ValueDictionary = ["document": "notes", "line": 12]
/// userInfo["line"] = nil
/// let keys = userInfo.keys  // ["document"]
/// ```
public struct ValueDictionary: Sendable {
    /// One key with its value.
    public typealias Element = (key: String, value: Value)

    /// Sorted by `precedes`, keys distinct; behind `sortedCount` stand those that came into a large
    /// dictionary since it was sorted: few, so that one more moves little, and in their order too.
    private var stored: [Pair]
    private var sortedCount: Int

    /// One key with its value, as it is kept: copying and destroying an array of structs costs
    /// half of what it costs for tuples.
    package struct Pair: Sendable {
        package var key: String
        package var value: Value

        package init(key: String, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// Up to here a new pair is put among the others at once.
    private static let smallCount = 512

    /// Makes an empty dictionary.
    public init() {
        self.init(sortedPairs: [])
    }

    /// All pairs, sorted by `precedes`, keys distinct.
    package var pairs: [Pair] {
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

    /// Takes over pairs that are sorted and distinct already, as the decoder has checked.
    package init(sortedPairs: [Pair]) {
        stored = sortedPairs
        sortedCount = sortedPairs.count
    }

    /// Makes a dictionary of a Swift one.
    public init(_ dictionary: [String: Value]) {
        var pairs = dictionary.map { Pair(key: $0.key, value: $0.value) }
        pairs.sort { Self.precedes($0.key, $1.key) }
        self.init(sortedPairs: pairs)
    }

    /// The value of a key; setting `nil` removes it.
    ///
    /// Setting `n` keys takes about `n` times the root of `n` steps in any order, and `n` in the
    /// stored order; removing one moves those behind it.
    public subscript(key: String) -> Value? {
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

    /// The keys, in stored order.
    public var keys: [String] {
        pairs.map(\.key)
    }

    /// A copy with those keys only for which the closure answers true.
    public func filter(_ isIncluded: (Element) -> Bool) -> ValueDictionary {
        ValueDictionary(sortedPairs: pairs.filter { isIncluded(($0.key, $0.value)) })
    }

    /// The first index among the sorted pairs whose key does not come before `key`.
    private func lowerBound(of key: String) -> Int {
        // Dictionaries are most often built in order: look at the end first.
        if sortedCount > 0, Self.precedes(stored[sortedCount - 1].key, key) {
            return sortedCount
        }
        return Self.bound(sortedCount) { Self.precedes(stored[$0].key, key) }
    }

    /// The same among the recent pairs.
    private func recentBound(of key: String) -> Int {
        sortedCount
            + Self.bound(recentCount) { Self.precedes(stored[sortedCount + $0].key, key) }
    }

    /// The first index that is not below, found by halving.
    @inline(__always)
    private static func bound(_ count: Int, isBelow: (Int) -> Bool) -> Int {
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

    /// The stored order: by length in bytes, then by bytes.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        let leftCount = left.utf8.count
        let rightCount = right.utf8.count
        return leftCount == rightCount
            ? left.utf8.lexicographicallyPrecedes(right.utf8) : leftCount < rightCount
    }
}

extension ValueDictionary: RandomAccessCollection {
    /// The first position.
    public var startIndex: Int { 0 }
    /// One past the last position.
    public var endIndex: Int { stored.count }

    /// The pair at a position.
    public subscript(position: Int) -> Element {
        let pair = stored[recentCount == 0 ? position : place(at: position)]
        return (pair.key, pair.value)
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

extension ValueDictionary: Hashable {
    /// Compares keys and values as they would be stored.
    public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
        left.count == right.count
            && left.pairs.elementsEqual(right.pairs) {
                $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value
            }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for pair in pairs {
            hasher.combine(utf8: pair.key)
            hasher.combine(pair.value)
        }
    }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
    /// Makes a dictionary; of two equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (key, value) in elements {
            self[key] = value
        }
    }
}
