/// Values by string keys, held in the order in which they are stored.
///
/// The order is that of deterministic CBOR (RFC 8949, section 4.2.1): shorter keys first, keys of
/// one length by their bytes. Equal contents are therefore equal bytes in every process, which a
/// `Dictionary` cannot promise. Keys are compared by their UTF-8.
public struct ValueDictionary: Sendable {
    /// One key with its value.
    public typealias Element = (key: String, value: Value)

    /// Sorted by `precedes`, keys distinct.
    package private(set) var pairs: [Pair]

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

    /// Makes an empty dictionary.
    public init() {
        pairs = []
    }

    /// Takes over pairs that are sorted and distinct already, as the decoder has checked.
    package init(sortedPairs: [Pair]) {
        pairs = sortedPairs
    }

    /// Makes a dictionary of a Swift one.
    public init(_ dictionary: [String: Value]) {
        pairs = dictionary.map { Pair(key: $0.key, value: $0.value) }
        pairs.sort { Self.precedes($0.key, $1.key) }
    }

    /// The value of a key; setting `nil` removes it.
    public subscript(key: String) -> Value? {
        get {
            let index = lowerBound(of: key)
            guard index < pairs.count, pairs[index].key.hasSameBytes(as: key) else {
                return nil
            }
            return pairs[index].value
        }
        set {
            let index = lowerBound(of: key)
            let isPresent = index < pairs.count && pairs[index].key.hasSameBytes(as: key)
            switch (newValue, isPresent) {
            case (let value?, true): pairs[index].value = value
            case (let value?, false): pairs.insert(Pair(key: key, value: value), at: index)
            case (nil, true): pairs.remove(at: index)
            case (nil, false): break
            }
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

    /// The first index whose key does not come before `key`.
    private func lowerBound(of key: String) -> Int {
        // Dictionaries are most often built in order: look at the end first.
        if let last = pairs.last, Self.precedes(last.key, key) {
            return pairs.count
        }
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(pairs[middle].key, key) {
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
    public var endIndex: Int { pairs.count }

    /// The pair at a position.
    public subscript(position: Int) -> Element {
        (pairs[position].key, pairs[position].value)
    }
}

extension ValueDictionary: Hashable {
    /// Compares keys and values as they would be stored.
    public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
        left.pairs.elementsEqual(right.pairs) {
            $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value
        }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(pairs.count)
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
