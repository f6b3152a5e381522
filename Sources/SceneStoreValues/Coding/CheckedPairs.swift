import Synchronization

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
            var decoder = ValueDecoder(stored, at: place.lowerBound)
            return decoder.openMap()
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
                var decoder = ValueDecoder(stored, at: place.lowerBound)
                return decoder.pairs(decoder.openMap())
            }
            return entries.map { entry in
                ValueDictionary.Pair(
                    key: String(unchecked: UnsafeRawBufferPointer(rebasing: stored[entry.key])),
                    value: entry.made ?? Self.value(at: entry.value, in: stored))
            }
        }
    }

    private static func value(at offset: Int, in stored: UnsafeRawBufferPointer) -> Value {
        var decoder = ValueDecoder(stored, at: offset)
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
        var decoder = ValueDecoder(stored, at: place.lowerBound)
        var entries: [Entry] = []
        let count = decoder.openMap()
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let key = decoder.skipKey()
            entries.append(Entry(key: key, value: decoder.offset))
            decoder.skip()
        }
        return entries
    }
}
