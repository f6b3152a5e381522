#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Heads, texts, data, keys and numbers.
extension ValueDecoder {
    /// Reads an item whose head has an argument of its own, or no length.
    @inline(never)
    mutating func readLongItem(_ first: UInt8) -> Bool {
        let major = first >> 5
        let info = first & 0x1f
        let start = offset
        offset &+= 1
        if info == 31 {
            return refuseIndefinite(major, start)
        }
        guard let argument = readArgument(info) else {
            return false
        }
        if major == CBOR.Major.simple {
            return readFloat(info, argument, start)
        }
        if !Self.isShortest(argument, info), !isKeptWhole(major, argument) {
            return fail(.notCanonical)
        }
        return readItem(major, argument, start)
    }

    /// The argument behind a first byte.
    mutating func readArgument(_ info: UInt8) -> UInt64? {
        guard info < 28 else {
            _ = fail(.malformed)
            return nil
        }
        let width = 1 &<< Int(info &- 24)
        guard width <= bytes.count &- offset else {
            _ = fail(.truncated)
            return nil
        }
        defer { offset &+= width }
        return CBOR.argument(of: info, in: bytes, at: offset)
    }

    /// Whether an argument could not have been written with fewer bytes.
    static func isShortest(_ argument: UInt64, _ info: UInt8) -> Bool {
        switch info {
        case 24: argument >= 24
        case 25: argument > 0xff
        case 26: argument > 0xffff
        default: argument > 0xffff_ffff
        }
    }

    // MARK: - Texts and data

    /// Takes the bytes of a text or of data.
    @inline(__always)
    private mutating func take(_ length: UInt64, limit: Int, _ refusal: Refusal) -> Range<Int>? {
        guard length <= UInt64(truncatingIfNeeded: bytes.count &- offset) else {
            _ = fail(.truncated)
            return nil
        }
        let count = Int(truncatingIfNeeded: length)
        guard count <= limit else {
            _ = fail(refusal)
            return nil
        }
        let start = offset
        offset &+= count
        return Range(uncheckedBounds: (start, offset))
    }

    @inline(__always)
    mutating func readText(_ length: UInt64, limit: Int) -> String? {
        guard let range = take(length, limit: limit, .valueBytes) else {
            return nil
        }
        return makeText(range)
    }

    @inline(__always)
    private mutating func makeText(_ range: Range<Int>) -> String? {
        guard let text = String(checking: UnsafeRawBufferPointer(rebasing: bytes[range])) else {
            _ = fail(.invalidText)
            return nil
        }
        return text
    }

    @inline(never)
    mutating func readData(_ length: UInt64) -> Bool {
        guard let range = take(length, limit: limits.valueBytes, .valueBytes) else {
            return false
        }
        push(.data(Data(bytes[range])))
        return true
    }

    // MARK: - Keys

    /// Opens a map, or keeps it whole when its first key is not text.
    @inline(__always)
    mutating func openMap(_ argument: UInt64, _ start: Int) -> Bool {
        if argument > 0, isKeptWhole(CBOR.Major.map, argument) {
            return pushOpaque(from: start)
        }
        return open(.map, argument)
    }

    /// Reads the key of the next value of a map.
    @inline(__always)
    mutating func readKey(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
        owed &-= 1
        guard offset < bytes.count else {
            return fail(.truncated)
        }
        let first = bytes[offset]
        let length: UInt64
        if first & 0x1f < 24 {
            offset &+= 1
            length = UInt64(truncatingIfNeeded: first & 0x1f)
        } else {
            guard let long = readLongKeyHead(first) else {
                return false
            }
            length = long
        }
        guard first >> 5 == CBOR.Major.text else {
            return fail(.mixedKeys)
        }
        guard let range = take(length, limit: limits.keyBytes, .keyBytes) else {
            return false
        }
        let previous = frame.pointee.previous
        if keyCount > frame.pointee.firstKey, !bytes.precedes(previous, range) {
            return fail(
                previous.count == range.count && !bytes.precedes(range, previous)
                    ? .duplicate : .notCanonical)
        }
        frame.pointee.previous = range
        guard let key = makeText(range) else {
            return false
        }
        (keys + keyCount).initialize(to: key)
        keyCount &+= 1
        return true
    }

    /// The length of a key of 24 bytes or more.
    @inline(never)
    private mutating func readLongKeyHead(_ first: UInt8) -> UInt64? {
        offset &+= 1
        let info = first & 0x1f
        guard info != 31 else {
            _ = fail(.notCanonical)
            return nil
        }
        guard let length = readArgument(info) else {
            return nil
        }
        if !Self.isShortest(length, info) {
            _ = fail(.notCanonical)
            return nil
        }
        return length
    }

    /// Checks that a set's element comes after the one before it, as the encoder sorts them.
    @inline(never)
    mutating func checkElement(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
        if valueCount > frame.pointee.firstValue {
            let element = frame.pointee.elementStart..<offset
            let previous = frame.pointee.previous
            if !previous.isEmpty {
                guard bytes[previous].lexicographicallyPrecedes(bytes[element]) else {
                    return fail(
                        bytes[previous].elementsEqual(bytes[element]) ? .duplicate : .notCanonical)
                }
            }
            frame.pointee.previous = element
        }
        frame.pointee.elementStart = offset
        return true
    }

    // MARK: - Numbers and simple values

    /// Reads a Boolean, null, or a simple value that this version does not know.
    @inline(__always)
    mutating func readSimple(_ argument: UInt64, _ start: Int) -> Bool {
        switch argument {
        case 20: push(.boolean(false))
        case 21: push(.boolean(true))
        case 22: push(.null)
        default: return pushOpaque(from: start)
        }
        return true
    }

    /// Reads a floating point number, or a simple value of two bytes.
    mutating func readFloat(_ info: UInt8, _ argument: UInt64, _ start: Int) -> Bool {
        guard info > 24 else {
            return pushOpaque(from: start)
        }
        let number = Self.float(info, argument)
        if !Self.isShortest(number, info) {
            return fail(.notCanonical)
        }
        push(.double(number))
        return true
    }

    /// The number of a floating point item.
    package static func float(_ info: UInt8, _ argument: UInt64) -> Double {
        switch info {
        case 25: ShortestFloat.value(ofHalf: UInt16(truncatingIfNeeded: argument))
        case 26: ShortestFloat.value(ofSingle: UInt32(truncatingIfNeeded: argument))
        default: Double(bitPattern: argument)
        }
    }

    /// Whether a number could not have been written with fewer bytes.
    static func isShortest(_ number: Double, _ info: UInt8) -> Bool {
        guard let single = ShortestFloat.single(of: number) else {
            return info == 27
        }
        return info == (ShortestFloat.half(ofSingle: single) == nil ? 26 : 25)
    }
}
