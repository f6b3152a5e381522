/// Whether bytes are values as ``ValueEncoder`` writes them, found without making any.
///
/// Every check of ``ValueDecoder``'s strict mode is made, on every byte. A `false` gives no reason:
/// whoever needs one lets the decoder read the same bytes. URLs, sets, and what this version does
/// not know are left to the decoder here too.
///
/// It recurses, at most as deep as values may be nested: ``Limits/depth``, of which 64 is the most.
struct ValueCheck {
    private let bytes: UnsafeRawBufferPointer
    private let count: Int
    private let limits: Limits
    private(set) var offset: Int
    private(set) var nodesLeft: Int
    /// Whether an item was left to the decoder: only such ones can be of an unknown kind.
    private(set) var hasRareItems = false

    /// Checks from an offset; `limits` are ``Limits/clamped``, and the nodes are those still allowed.
    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0, limits: Limits, nodes: Int) {
        self.bytes = bytes
        count = bytes.count
        self.limits = limits
        self.offset = offset
        nodesLeft = nodes
    }

    /// Checks bytes that are one value and nothing else.
    mutating func passAll(levels: Int) -> Bool {
        nodesLeft &-= 1
        return count <= limits.sessionBytes && passItem(levels) && offset == count
    }

    private mutating func passItem(_ levels: Int) -> Bool {
        guard offset < count else {
            return false
        }
        let first = bytes[offset]
        let info = first & 0x1f
        let start = offset
        offset &+= 1
        var argument = UInt64(truncatingIfNeeded: info)
        if info >= 24 {
            guard let long = passArgument(first >> 5, info) else {
                return passRareItem(start, levels)
            }
            argument = long
        }
        switch first >> 5 {
        case CBOR.Major.text: return passText(argument, limit: limits.valueBytes)
        case CBOR.Major.unsigned, CBOR.Major.negative:
            return argument <= UInt64(Int64.max) || passRareItem(start, levels)
        case CBOR.Major.array: return passArray(argument, levels)
        case CBOR.Major.map: return passMap(argument, start, levels)
        case CBOR.Major.bytes: return pass(argument, limit: limits.valueBytes) != nil
        case CBOR.Major.simple where info >= 25 || 20...22 ~= info: return true
        case CBOR.Major.tag:
            guard let end = CheckedTag(bytes, at: start)?.end else {
                return passRareItem(start, levels)
            }
            offset = end
            return true
        default: return passRareItem(start, levels)
        }
    }

    /// The argument behind a first byte, if it could not be shorter; of a number with a fraction
    /// the bits.
    @inline(__always)
    private mutating func passArgument(_ major: UInt8, _ info: UInt8) -> UInt64? {
        // Lengths and numbers of one byte are common.
        guard info == 24, major != CBOR.Major.simple, offset < count, bytes[offset] >= 24 else {
            return passLongArgument(major, info)
        }
        offset &+= 1
        return UInt64(truncatingIfNeeded: bytes[offset &- 1])
    }

    @inline(never)
    private mutating func passLongArgument(_ major: UInt8, _ info: UInt8) -> UInt64? {
        let width = 1 &<< Int(info &- 24)
        guard info < 28, width <= count &- offset else {
            return nil
        }
        let argument = CBOR.argument(of: info, in: bytes, at: offset)
        offset &+= width
        if major == CBOR.Major.simple {
            return info > 24 && ValueDecoder.isShortest(ValueDecoder.float(info, argument), info)
                ? argument : nil
        }
        return ValueDecoder.isShortest(argument, info) ? argument : nil
    }

    /// Steps over the bytes of a text or of data, and tells where they begin.
    @inline(__always)
    private mutating func pass(_ length: UInt64, limit: Int) -> Int? {
        guard length <= UInt64(truncatingIfNeeded: min(limit, count &- offset)) else {
            return nil
        }
        let start = offset
        offset &+= Int(truncatingIfNeeded: length)
        return start
    }

    @inline(__always)
    private mutating func passText(_ length: UInt64, limit: Int) -> Bool {
        guard let start = pass(length, limit: limit) else {
            return false
        }
        return UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
    }

    private mutating func passArray(_ argument: UInt64, _ levels: Int) -> Bool {
        guard var missing = openContainer(argument, levels) else {
            return false
        }
        while missing > 0 {
            guard passItem(levels &- 1) else {
                return false
            }
            missing &-= 1
        }
        return true
    }

    private mutating func passMap(_ argument: UInt64, _ start: Int, _ levels: Int) -> Bool {
        if argument > 0, offset < count, bytes[offset] >> 5 != CBOR.Major.text {
            return passRareItem(start, levels)
        }
        guard var missing = openContainer(argument, levels) else {
            return false
        }
        var previous = offset..<offset
        var isFirst = true
        while missing > 0 {
            guard let key = passKey(), isFirst || bytes.precedes(previous, key),
                passItem(levels &- 1)
            else {
                return false
            }
            previous = key
            isFirst = false
            missing &-= 1
        }
        return true
    }

    /// Counts the values of a container; each needs a byte at least.
    @inline(__always)
    private mutating func openContainer(_ argument: UInt64, _ levels: Int) -> Int? {
        guard levels > 0, argument <= UInt64(truncatingIfNeeded: count &- offset) else {
            return nil
        }
        let count = Int(truncatingIfNeeded: argument)
        nodesLeft &-= count
        return nodesLeft >= 0 ? count : nil
    }

    @inline(__always)
    private mutating func passKey() -> Range<Int>? {
        guard offset < count, bytes[offset] >> 5 == CBOR.Major.text else {
            return nil
        }
        let info = bytes[offset] & 0x1f
        offset &+= 1
        var length = UInt64(truncatingIfNeeded: info)
        if info >= 24 {
            guard let long = passArgument(CBOR.Major.text, info) else {
                return nil
            }
            length = long
        }
        let start = offset
        return passText(length, limit: limits.keyBytes)
            ? Range(uncheckedBounds: (start, offset)) : nil
    }

    /// Has the decoder read an item.
    @inline(never)
    private mutating func passRareItem(_ start: Int, _ levels: Int) -> Bool {
        hasRareItems = true
        var decoder = ValueDecoder(
            bytes, itemAt: start, limits: limits, nodes: nodesLeft &+ 1, levels: levels)
        guard decoder.decodeItem() != nil else {
            return false
        }
        offset = decoder.offset
        nodesLeft = decoder.nodesLeft
        return true
    }
}

extension CBOR {
    /// The argument of one to eight bytes that a first byte announces, which are all there.
    @inline(__always)
    static func argument(
        of info: UInt8, in bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> UInt64 {
        switch info {
        case 24: UInt64(bytes[offset])
        case 25:
            UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        case 26:
            UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        default: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether one key comes before another in the stored order: by length, then by bytes.
    @inline(__always)
    func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        let count = left.upperBound &- left.lowerBound
        guard count == right.upperBound &- right.lowerBound else {
            return count < right.upperBound &- right.lowerBound
        }
        var index = 0
        while index < count {
            let one = self[left.lowerBound &+ index]
            let other = self[right.lowerBound &+ index]
            if one != other {
                return one < other
            }
            index &+= 1
        }
        return false
    }
}
