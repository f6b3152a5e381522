import Synchronization

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

/// The pairs of a dictionary in memory, found by halving.
package struct SortedPairs: Sendable {
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
    package static func bound(_ count: Int, isBelow: (Int) -> Bool) -> Int {
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

/// The pairs of a dictionary as bytes that were checked in full, until somebody asks for them.
///
/// Each value is made when its key is asked for, and kept; nothing is made twice.
final class CheckedPairs: Sendable {
    private let stored: [UInt8]
    private let place: Range<Int>
    let count: Int
    /// Whether a value may be of a kind that is kept whole.
    let mayHoldOpaqueValues: Bool
    private let progress = Mutex(Progress.untouched)

    private enum Progress {
        case untouched
        /// Where each pair is, in stored order, and what was made.
        case indexed([Entry])
        case made(SortedPairs)
    }

    private struct Entry {
        let key: Range<Int>
        let value: Int
        var made: Value?
    }

    /// Takes over a map of text keys that stands at a place among bytes.
    init(_ stored: [UInt8], at place: Range<Int>, mayHoldOpaqueValues: Bool) {
        self.stored = stored
        self.place = place
        self.mayHoldOpaqueValues = mayHoldOpaqueValues
        count = stored.withUnsafeBytes { stored in
            var decoder = CBORReader(stored, at: place.lowerBound)
            return decoder.headCount()
        }
    }

    /// The map, as it is stored.
    var bytes: ArraySlice<UInt8> { stored[place] }

    /// All pairs.
    var pairs: SortedPairs {
        progress.withLock { progress in
            if case .made(let pairs) = progress {
                return pairs
            }
            let pairs = SortedPairs(makeAll(progress))
            progress = .made(pairs)
            return pairs
        }
    }

    private func makeAll(_ progress: Progress) -> [ValueDictionary.Pair] {
        stored.withUnsafeBytes { stored in
            guard case .indexed(let entries) = progress else {
                var decoder = CBORReader(stored, at: place.lowerBound)
                return decoder.pairs(decoder.headCount())
            }
            return entries.map { entry in
                ValueDictionary.Pair(
                    key: String(unchecked: UnsafeRawBufferPointer(rebasing: stored[entry.key])),
                    value: entry.made ?? Self.value(at: entry.value, in: stored))
            }
        }
    }

    private static func value(at offset: Int, in stored: UnsafeRawBufferPointer) -> Value {
        var decoder = CBORReader(stored, at: offset)
        return decoder.value()
    }

    /// The value of a key.
    subscript(key: String) -> Value? {
        progress.withLock { progress in
            if case .made(let pairs) = progress {
                return pairs[key]
            }
            return stored.withUnsafeBytes { stored in
                var entries = index(progress, stored)
                progress = .untouched
                defer { progress = .indexed(entries) }
                var key = key
                let found = key.withUTF8 { place(of: UnsafeRawBufferPointer($0), entries, stored) }
                guard let found else {
                    return nil
                }
                if let value = entries[found].made {
                    return value
                }
                let value = Self.value(at: entries[found].value, in: stored)
                entries[found].made = value
                return value
            }
        }
    }

    /// Where a key's entry is, found by halving.
    private func place(
        of key: UnsafeRawBufferPointer, _ entries: [Entry], _ stored: UnsafeRawBufferPointer
    ) -> Int? {
        let place = SortedPairs.bound(entries.count) { index in
            let other = entries[index].key
            return other.count == key.count
                ? stored[other].lexicographicallyPrecedes(key) : other.count < key.count
        }
        guard place < entries.count, entries[place].key.count == key.count,
            stored[entries[place].key].elementsEqual(key)
        else {
            return nil
        }
        return place
    }

    private func index(_ progress: Progress, _ stored: UnsafeRawBufferPointer) -> [Entry] {
        if case .indexed(let entries) = progress {
            return entries
        }
        var decoder = CBORReader(stored, at: place.lowerBound)
        var entries: [Entry] = []
        let count = decoder.headCount()
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let key = decoder.skipKey()
            entries.append(Entry(key: key, value: decoder.offset))
            decoder.skip()
        }
        return entries
    }
}
