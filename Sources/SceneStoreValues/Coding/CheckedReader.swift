#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes values of bytes that ``ValueCheck`` has let pass, without checking them again.
///
/// It recurses, as deep as the check did.
struct CheckedReader: ~Copyable {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    /// The keys that were made last, to be found by their bytes: in arrays of records the same ones
    /// come again and again. There are none until an array of dictionaries is read.
    private var recentKeys: UnsafeMutablePointer<RecentKey>?

    private struct RecentKey {
        /// Slots; a power of two.
        static let slots = 16

        var start = 0
        var count = -1
        var key = ""
    }

    /// Reads from an offset where an item begins.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    deinit {
        recentKeys?.deinitialize(count: RecentKey.slots)
        recentKeys?.deallocate()
    }

    private struct Head {
        var major: UInt8
        var info: UInt8
        var argument: UInt64

        /// The argument as a length.
        var count: Int { Int(truncatingIfNeeded: argument) }
    }

    @inline(__always)
    private mutating func head() -> Head {
        let first = bytes[offset]
        let info = first & 0x1f
        offset &+= 1
        guard info >= 24 else {
            return Head(
                major: first >> 5, info: info, argument: UInt64(truncatingIfNeeded: info))
        }
        let argument = CBOR.argument(of: info, in: bytes, at: offset)
        offset &+= 1 &<< Int(info &- 24)
        return Head(major: first >> 5, info: info, argument: argument)
    }

    @inline(__always)
    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let start = offset
        offset &+= count
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    }

    // MARK: - Values

    /// Makes the item at the offset.
    mutating func value() -> Value {
        let start = offset
        let first = bytes[offset]
        guard first >> 5 != CBOR.Major.tag, first & 0x1f < 28 else {
            return rareItem(start)
        }
        let head = head()
        switch head.major {
        case CBOR.Major.text: return .string(String(unchecked: take(head.count)))
        case CBOR.Major.unsigned where head.argument <= UInt64(Int64.max):
            return .integer(Int64(truncatingIfNeeded: head.argument))
        case CBOR.Major.negative where head.argument <= UInt64(Int64.max):
            return .integer(~Int64(truncatingIfNeeded: head.argument))
        case CBOR.Major.map where head.argument == 0 || bytes[offset] >> 5 == CBOR.Major.text:
            return .dictionary(ValueDictionary(sortedPairs: pairs(head.count)))
        case CBOR.Major.array: return .array(elements(head.count))
        case CBOR.Major.bytes: return .data(Data(take(head.count)))
        case CBOR.Major.simple where head.info > 24:
            return .double(ValueDecoder.float(head.info, head.argument))
        case CBOR.Major.simple where head.info == 20: return .boolean(false)
        case CBOR.Major.simple where head.info == 21: return .boolean(true)
        case CBOR.Major.simple where head.info == 22: return .null
        default: return rareItem(start)
        }
    }

    /// Makes the item at the offset, or leaves it as bytes if it is a large dictionary.
    ///
    /// The end of the item is searched where it isn't given; the closure gives all bytes, to be kept.
    mutating func valueOnDemand(
        endingAt end: Int? = nil, mayHoldOpaqueValues: Bool, keeping stored: () -> [UInt8]
    ) -> Value {
        guard isAtDictionary else {
            return value()
        }
        let start = offset
        if let end {
            offset = end
        } else {
            skip()
        }
        guard CheckedPairs.isWorthwhile(offset &- start) else {
            offset = start
            return value()
        }
        return .dictionary(
            ValueDictionary(
                checked: CheckedPairs(
                    stored(), at: start..<offset, mayHoldOpaqueValues: mayHoldOpaqueValues)))
    }

    /// Whether a dictionary with keys is next.
    var isAtDictionary: Bool {
        let info = bytes[offset] & 0x1f
        let first = offset &+ 1 &+ (info < 24 ? 0 : 1 &<< Int(info &- 24))
        return bytes[offset] >> 5 == CBOR.Major.map && info < 28 && first < bytes.count
            && bytes[first] >> 5 == CBOR.Major.text
    }

    /// Makes an item that the check left to the decoder.
    @inline(never)
    private mutating func rareItem(_ start: Int) -> Value {
        if let tagged = CheckedTag(bytes, at: start) {
            offset = tagged.end
            return tagged.value
        }
        // Each node and each level takes a byte.
        var decoder = ValueDecoder(
            bytes, itemAt: start, limits: .standard, nodes: bytes.count, levels: bytes.count)
        let value = decoder.decodeItem()
        offset = decoder.offset
        // The check has read the very same item.
        return value ?? .null
    }

    private mutating func elements(_ count: Int) -> [Value] {
        if count > 1, bytes[offset] >> 5 == CBOR.Major.map, recentKeys == nil {
            let keys = UnsafeMutablePointer<RecentKey>.allocate(capacity: RecentKey.slots)
            keys.initialize(repeating: RecentKey(), count: RecentKey.slots)
            recentKeys = keys
        }
        var elements: [Value] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            elements.append(value())
        }
        return elements
    }

    // MARK: - Dictionaries

    /// The number of pairs of the map at the offset, which is behind its head then.
    mutating func openMap() -> Int {
        head().count
    }

    /// Makes the pairs that follow.
    mutating func pairs(_ count: Int) -> [ValueDictionary.Pair] {
        var pairs: [ValueDictionary.Pair] = []
        pairs.reserveCapacity(count)
        for _ in 0..<count {
            pairs.append(ValueDictionary.pair(key(), value()))
        }
        return pairs
    }

    @inline(__always)
    mutating func key() -> String {
        let text = take(head().count)
        guard let recentKeys else {
            return String(unchecked: text)
        }
        let start = offset &- text.count
        let slot = recentKeys + slot(of: text)
        if slot.pointee.count != text.count
            || !isSame(slot.pointee.start, start, count: text.count)
        {
            slot.pointee = RecentKey(
                start: start, count: text.count, key: String(unchecked: text))
        }
        return slot.pointee.key
    }

    /// Steps over a key; the place of its text.
    mutating func skipKey() -> Range<Int> {
        let count = head().count
        offset &+= count
        return Range(uncheckedBounds: (offset &- count, offset))
    }

    /// Where a key is looked for among the recent ones.
    @inline(__always)
    private func slot(of text: UnsafeRawBufferPointer) -> Int {
        guard !text.isEmpty else {
            return 0
        }
        let mixed = Int(text[0]) &+ Int(text[text.count &- 1]) &* 3
        return (mixed &+ text.count) & (RecentKey.slots &- 1)
    }

    /// Whether the bytes of a key stand at another place too; words may overlap.
    @inline(__always)
    private func isSame(_ start: Int, _ other: Int, count: Int) -> Bool {
        if count >= 8 {
            var index = 0
            while index &+ 8 < count {
                guard load(start &+ index, UInt64.self) == load(other &+ index, UInt64.self) else {
                    return false
                }
                index &+= 8
            }
            return load(start &+ count &- 8, UInt64.self) == load(other &+ count &- 8, UInt64.self)
        }
        if count >= 4 {
            return load(start, UInt32.self) == load(other, UInt32.self)
                && load(start &+ count &- 4, UInt32.self) == load(other &+ count &- 4, UInt32.self)
        }
        var index = 0
        while index < count {
            guard bytes[start &+ index] == bytes[other &+ index] else {
                return false
            }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private func load<Word: FixedWidthInteger>(_ offset: Int, _ type: Word.Type) -> Word {
        bytes.loadUnaligned(fromByteOffset: offset, as: type)
    }

    // MARK: - Stepping over

    /// Steps over the item at the offset.
    mutating func skip() {
        var missing = 1
        while missing > 0 {
            missing &-= 1
            let start = offset
            let first = bytes[start]
            var argument = Int(truncatingIfNeeded: first & 0x1f)
            offset &+= 1
            if argument >= 24 {
                guard argument < 28, first >> 5 != CBOR.Major.tag else {
                    _ = rareItem(start)
                    continue
                }
                argument = Int(
                    truncatingIfNeeded: CBOR.argument(of: first & 0x1f, in: bytes, at: offset))
                offset &+= 1 &<< Int(first & 0x1f &- 24)
            }
            switch first >> 5 {
            case CBOR.Major.text, CBOR.Major.bytes: offset &+= argument
            case CBOR.Major.array: missing &+= argument
            case CBOR.Major.map where argument == 0 || bytes[offset] >> 5 == CBOR.Major.text:
                missing &+= argument &* 2
            case CBOR.Major.map, CBOR.Major.tag: _ = rareItem(start)
            default: break
            }
        }
    }
}
