/// Values by string keys, held in the order in which they are stored.
///
/// The order is that of deterministic CBOR (RFC 8949, section 4.2.1): shorter keys first, keys of
/// one length by their bytes. Equal contents are therefore equal bytes in every process, which a
/// `Dictionary` cannot promise. Keys are compared by their UTF-8.
public struct ValueDictionary: Sendable {
    /// One key with its value.
    public typealias Element = (key: String, value: Value)

    /// Sorted by `precedes`, keys distinct.
    private var sorted: [Pair]
    /// Pairs that came into a large dictionary since it was sorted: few, so that one more moves
    /// little. In their order too, and with keys that `sorted` doesn't have.
    private var recent: [Recent] = []

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

    /// A pair that is not yet among the sorted ones, and how many of those come before it.
    private struct Recent: Sendable {
        var pair: Pair
        var before: Int
    }

    /// Up to here a new pair is put among the others at once.
    private static let smallCount = 512

    /// Makes an empty dictionary.
    public init() {
        sorted = []
    }

    /// All pairs, sorted by `precedes`, keys distinct.
    package var pairs: [Pair] {
        guard !recent.isEmpty else {
            return sorted
        }
        var all: [Pair] = []
        all.reserveCapacity(count)
        var next = 0
        for new in recent {
            all += sorted[next..<new.before]
            all.append(new.pair)
            next = new.before
        }
        all += sorted[next...]
        return all
    }

    /// How many pairs wait to be put among the others.
    package var recentCount: Int { recent.count }

    /// Takes over pairs that are sorted and distinct already, as the decoder has checked.
    package init(sortedPairs: [Pair]) {
        sorted = sortedPairs
    }

    /// Makes a dictionary of a Swift one.
    public init(_ dictionary: [String: Value]) {
        sorted = dictionary.map { Pair(key: $0.key, value: $0.value) }
        sorted.sort { Self.precedes($0.key, $1.key) }
    }

    /// The value of a key; setting `nil` removes it.
    ///
    /// Setting `n` keys takes about `n` times the root of `n` steps in any order, and `n` in the
    /// stored order; removing one moves those behind it.
    public subscript(key: String) -> Value? {
        get {
            let index = lowerBound(of: key)
            if index < sorted.count, sorted[index].key.hasSameBytes(as: key) {
                return sorted[index].value
            }
            let place = recentBound(of: key)
            guard place < recent.count, recent[place].pair.key.hasSameBytes(as: key) else {
                return nil
            }
            return recent[place].pair.value
        }
        set {
            if newValue == nil {
                sort()
            }
            let index = lowerBound(of: key)
            let isPresent = index < sorted.count && sorted[index].key.hasSameBytes(as: key)
            switch (newValue, isPresent) {
            case (let value?, true): sorted[index].value = value
            case (let value?, false): insert(Pair(key: key, value: value), at: index)
            case (nil, true): sorted.remove(at: index)
            case (nil, false): break
            }
        }
    }

    /// Puts in a pair whose key is not among the sorted ones; it would stand at an index there.
    private mutating func insert(_ pair: Pair, at index: Int) {
        guard !recent.isEmpty || index < sorted.count && sorted.count >= Self.smallCount else {
            sorted.insert(pair, at: index)
            return
        }
        let place = recentBound(of: pair.key)
        if place < recent.count, recent[place].pair.key.hasSameBytes(as: pair.key) {
            recent[place].pair.value = pair.value
            return
        }
        recent.insert(Recent(pair: pair, before: index), at: place)
        // Twice the root of all: then moving the recent ones costs as much as moving all now and then.
        if recent.count * recent.count > 4 * sorted.count {
            sort()
        }
    }

    /// Puts the recent pairs among the others.
    private mutating func sort() {
        guard !recent.isEmpty else {
            return
        }
        sorted = pairs
        recent.removeAll(keepingCapacity: true)
    }

    /// The keys, in stored order.
    public var keys: [String] {
        pairs.map(\.key)
    }

    /// A copy with those keys only for which the closure answers true.
    public func filter(_ isIncluded: (Element) -> Bool) -> ValueDictionary {
        ValueDictionary(sortedPairs: pairs.filter { isIncluded(($0.key, $0.value)) })
    }

    /// The first index whose key does not come before `key`.
    private func lowerBound(of key: String) -> Int {
        // Dictionaries are most often built in order: look at the end first.
        if let last = sorted.last, Self.precedes(last.key, key) {
            return sorted.count
        }
        return Self.bound(sorted.count) { Self.precedes(sorted[$0].key, key) }
    }

    /// The same among the recent pairs.
    private func recentBound(of key: String) -> Int {
        Self.bound(recent.count) { Self.precedes(recent[$0].pair.key, key) }
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
    public var endIndex: Int { sorted.count + recent.count }

    /// The pair at a position.
    public subscript(position: Int) -> Element {
        // The recent pair `i` stands behind `before` sorted ones and `i` recent ones.
        let place =
            recent.isEmpty ? 0 : Self.bound(recent.count) { recent[$0].before + $0 < position }
        let pair =
            place < recent.count && recent[place].before + place == position
            ? recent[place].pair : sorted[position - place]
        return (pair.key, pair.value)
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
