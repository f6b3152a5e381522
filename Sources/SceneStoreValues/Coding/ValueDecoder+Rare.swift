#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tags, and items that are kept whole.
extension ValueDecoder {
    /// What a tag and its content are.
    private enum Tagged {
        case value(Value)
        /// A set of so many elements, which follow.
        case set(UInt64)
        /// Nothing that this version knows: the item is kept whole.
        case unknown
        case refused
    }

    /// Checks what stands behind a tag.
    @inline(never)
    mutating func passTagged(_ tag: UInt64, _ start: Int, _ levels: Int, _ owed: Int) -> Bool {
        switch tagged(tag, from: start) {
        case .value: true
        case .set(let count): passElements(count, isSet: true, levels, owed)
        case .unknown: passOpaque(from: start, levels)
        case .refused: false
        }
    }

    /// Makes the item at the offset, which has a tag or is kept whole.
    @inline(never)
    mutating func rareValue() -> Value {
        let start = offset
        if bytes[start] >> 5 == CBOR.Major.tag {
            switch tagged(head(), from: start) {
            case .value(let value): return value
            case .set(let count): return .set(Set(elements(Int(truncatingIfNeeded: count))))
            case .unknown, .refused: break
            }
        }
        _ = passOpaque(from: start, .max)
        return .opaque(OpaqueValue(encoded: Array(bytes[start..<offset])))
    }

    /// Reads what stands behind a tag, whose head begins at `start`.
    private mutating func tagged(_ tag: UInt64, from start: Int) -> Tagged {
        guard offset < count else {
            return .unknown
        }
        let major = bytes[offset] >> 5
        let info = bytes[offset] & 0x1f
        let isFloat = major == CBOR.Major.simple && 25...27 ~= info
        let isKnown =
            switch tag {
            case CBOR.Tag.set: major == CBOR.Major.array
            case CBOR.Tag.uuid: major == CBOR.Major.bytes && info != 31
            case CBOR.Tag.uri: major == CBOR.Major.text && info != 31
            case CBOR.Tag.epochDate: isFloat || major <= CBOR.Major.negative && info < 28
            case CBOR.Tag.referenceDate: isFloat
            default: false
            }
        guard isKnown else {
            return .unknown
        }
        offset &+= 1
        guard let argument = tag == CBOR.Tag.set ? length(info) : argument(info) else {
            return .refused
        }
        let content: Tagged
        var isCanonical = info < 24 || CBOR.isShortest(argument, info)
        switch tag {
        case CBOR.Tag.set: content = .set(argument)
        case CBOR.Tag.uuid, CBOR.Tag.uri:
            let isURL = tag == CBOR.Tag.uri
            let first = offset
            guard take(argument, limit: isURL ? limits.valueBytes : .max, .valueBytes) else {
                return .refused
            }
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[first..<offset])
            guard let value = isURL ? Self.url(bytes) : Self.uuid(bytes) else {
                return .unknown
            }
            content = .value(value)
        default:
            // Whole numbers of seconds are understood as well, but not written.
            let whole = Int64(exactly: argument).map { major == CBOR.Major.unsigned ? $0 : ~$0 }
            let seconds =
                isFloat ? CBOR.float(info, argument) : whole.flatMap { Double(exactly: $0) }
            let isEpoch = tag == CBOR.Tag.epochDate
            guard let seconds, !isEpoch || seconds.isFinite else {
                return .unknown
            }
            let reference = isEpoch ? seconds - CBOR.secondsToReferenceDate : seconds
            let epoch = CBOR.epochSeconds(ofReferenceDate: reference)
            content = .value(.date(Date(timeIntervalSinceReferenceDate: reference)))
            isCanonical =
                isFloat && CBOR.isShortest(seconds, info)
                && epoch?.bitPattern == (isEpoch ? seconds.bitPattern : nil)
        }
        let tagInfo = bytes[start] & 0x1f
        guard isCanonical, tagInfo < 24 || CBOR.isShortest(tag, tagInfo) else {
            _ = fail(.notCanonical)
            return .refused
        }
        return content
    }

    private static func uuid(_ bytes: UnsafeRawBufferPointer) -> Value? {
        bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : nil
    }

    /// A URL; none for a text that the system's parser would repair, which is kept as it is.
    private static func url(_ bytes: UnsafeRawBufferPointer) -> Value? {
        guard let text = String(checking: bytes), let url = URL(string: text),
            url.absoluteString.hasSameBytes(as: text)
        else {
            return nil
        }
        return .url(url)
    }

    // MARK: - Kept whole

    /// Checks an item that is kept whole, from its start.
    @inline(never)
    mutating func passOpaque(from start: Int, _ levels: Int) -> Bool {
        offset = start
        holdsOpaqueValues = true
        // The item's own node is counted already.
        nodesLeft &+= 1
        return passWellFormed(levels)
    }

    /// Checks that an item is well-formed (RFC 8949, appendix C) whatever it means: lengths may be
    /// indefinite, and keys and tags count as nodes too.
    mutating func passWellFormed(_ levels: Int) -> Bool {
        // A chain of tags is no level.
        while true {
            guard offset < count, bytes[offset] != CBOR.Byte.break else {
                return fail(offset < count ? .malformed : .truncated)
            }
            let major = bytes[offset] >> 5
            let info = bytes[offset] & 0x1f
            offset &+= 1
            nodesLeft &-= 1
            guard nodesLeft >= 0 else {
                return fail(.nodes)
            }
            if info == 31 {
                return passIndefinite(major, levels)
            }
            guard let argument = argument(info) else {
                return false
            }
            switch major {
            case CBOR.Major.bytes, CBOR.Major.text:
                return take(argument, limit: .max, .valueBytes)
            case CBOR.Major.array, CBOR.Major.map:
                // Each item needs a byte at least, and an empty container is a level too.
                guard argument <= UInt64(count &- offset) else {
                    return fail(.truncated)
                }
                guard levels > 0 else {
                    return fail(.depth)
                }
                for _ in 0..<(major == CBOR.Major.map ? argument &* 2 : argument) {
                    guard passWellFormed(levels &- 1) else {
                        return false
                    }
                }
                return true
            case CBOR.Major.tag:
                continue
            default:
                // One value, one way to write it: below 32 in the first byte alone.
                return major != CBOR.Major.simple || info != 24 || argument >= 32
                    || fail(.malformed)
            }
        }
    }

    /// Checks what stands before a break: items, pairs, or the chunks of a text or of data.
    private mutating func passIndefinite(_ major: UInt8, _ levels: Int) -> Bool {
        guard CBOR.Major.bytes...CBOR.Major.map ~= major else {
            return fail(.malformed)
        }
        guard levels > 0 else {
            return fail(.depth)
        }
        var isPair = true
        while offset < count, bytes[offset] != CBOR.Byte.break {
            let isChunk = bytes[offset] >> 5 == major && bytes[offset] & 0x1f != 31
            guard isChunk || major >= CBOR.Major.array || fail(.malformed),
                passWellFormed(levels &- 1)
            else {
                return false
            }
            isPair.toggle()
        }
        guard offset < count, isPair || major != CBOR.Major.map else {
            return fail(offset < count ? .malformed : .truncated)
        }
        offset &+= 1
        return true
    }
}
