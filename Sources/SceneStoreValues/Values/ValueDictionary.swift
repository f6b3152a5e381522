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

    /// How the pairs are kept.
    private enum Storage {
        case made(SortedPairs)
        case checked(CheckedPairs)
    }

    private var storage: Storage

    /// One key with its value, as it is kept: copying and destroying an array of structs costs
    /// half of what it costs for tuples.
    package struct Pair: Sendable {
        package var key: String
        package var value: Value
    }

    /// Makes an empty dictionary.
    public init() {
        self.init(sortedPairs: [])
    }

    /// Takes over pairs that are sorted and distinct already, as the decoder has checked.
    package init(sortedPairs: [Pair]) {
        storage = .made(SortedPairs(sortedPairs))
    }

    /// Takes over pairs that are made when they are asked for.
    init(checked: CheckedPairs) {
        storage = .checked(checked)
    }

    /// Makes a dictionary from a Swift dictionary.
    public init(_ dictionary: [String: Value]) {
        var pairs = dictionary.map { Pair(key: $0.key, value: $0.value) }
        pairs.sort { Self.precedes($0.key, $1.key) }
        self.init(sortedPairs: pairs)
    }

    /// The pairs, all of which are made.
    private var sorted: SortedPairs {
        switch storage {
        case .made(let pairs): pairs
        case .checked(let checked): checked.pairs
        }
    }

    /// The pairs as they came from a store, if nobody has changed any.
    var checked: CheckedPairs? {
        if case .checked(let checked) = storage { checked } else { nil }
    }

    /// Whether a value may be of a kind that this version does not know.
    var mayHoldOpaqueValues: Bool { checked?.mayHoldOpaqueValues ?? true }

    /// All pairs, sorted by `precedes`, keys distinct.
    package var pairs: [Pair] { sorted.all }

    /// How many pairs wait to be put among the others.
    package var recentCount: Int { sorted.recentCount }

    /// The value of a key; setting `nil` removes it.
    ///
    /// Setting `n` keys takes about `n` times the root of `n` steps in any order, and `n` in the
    /// stored order. Removing a key moves all keys after it.
    public subscript(key: String) -> Value? {
        get {
            switch storage {
            case .made(let pairs): pairs[key]
            case .checked(let checked): checked[key]
            }
        }
        set {
            var pairs = sorted
            // Nobody else may hold them while they change.
            storage = .made(SortedPairs([]))
            pairs[key] = newValue
            storage = .made(pairs)
        }
    }

    /// The keys, in stored order.
    public var keys: [String] {
        pairs.map(\.key)
    }

    /// Returns a copy with only the pairs for which the closure returns true.
    public func filter(_ isIncluded: (Element) -> Bool) -> ValueDictionary {
        ValueDictionary(sortedPairs: pairs.filter { isIncluded(($0.key, $0.value)) })
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
    public var endIndex: Int {
        switch storage {
        case .made(let pairs): pairs.count
        case .checked(let checked): checked.count
        }
    }

    /// The pair at a position.
    public subscript(position: Int) -> Element {
        let pair = sorted[position]
        return (pair.key, pair.value)
    }
}

extension ValueDictionary: Hashable {
    /// Compares keys and values as they would be stored.
    public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
        if let left = left.checked, let right = right.checked {
            return left === right || left.bytes == right.bytes
        }
        return left.count == right.count
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
