#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tags, and items that are kept whole.
extension ValueDecoder {
    /// The content of a tag, as far as one is understood.
    enum TagContent {
        /// It has another shape than the tag asks for.
        case notUnderstood
        case value(Value, isCanonical: Bool)
        /// An array behind a set's tag.
        case elements
        case refused(Refusal)
    }

    /// Reads what stands behind a tag.
    @inline(never)
    mutating func readTagged(_ tag: UInt64, _ start: Int) -> Bool {
        let content = offset
        let tagIsShortest = isShortestTag(tag, start)
        switch tagContent(tag) {
        case .notUnderstood:
            offset = content
            return pushOpaque(from: start)
        case .refused(let refusal):
            return fail(refusal)
        case .value(let value, let isCanonical):
            guard isCanonical, tagIsShortest else {
                return fail(.notCanonical)
            }
            push(value)
            return true
        case .elements:
            guard tagIsShortest else {
                return fail(.notCanonical)
            }
            return readElements()
        }
    }

    private func isShortestTag(_ tag: UInt64, _ start: Int) -> Bool {
        let info = bytes[start] & 0x1f
        return info < 24 || Self.isShortest(tag, info)
    }

    /// Reads the array behind a set's tag.
    private mutating func readElements() -> Bool {
        let info = bytes[offset] & 0x1f
        offset &+= 1
        if info == 31 {
            return fail(.notCanonical)
        }
        guard info >= 24 else {
            return open(.set, UInt64(info))
        }
        guard let count = readArgument(info) else {
            return false
        }
        if !Self.isShortest(count, info) {
            return fail(.notCanonical)
        }
        return open(.set, count)
    }

    /// Reads the content of a tag that this version knows; ``TagContent/notUnderstood`` for
    /// others and for content of another shape.
    private mutating func tagContent(_ tag: UInt64) -> TagContent {
        guard offset < bytes.count else {
            return .notUnderstood
        }
        let first = bytes[offset]
        switch tag {
        case CBOR.Tag.set:
            return first >> 5 == CBOR.Major.array ? .elements : .notUnderstood
        case CBOR.Tag.uuid, CBOR.Tag.uri:
            let major = tag == CBOR.Tag.uuid ? CBOR.Major.bytes : CBOR.Major.text
            return first >> 5 == major ? stringContent(tag, first) : .notUnderstood
        case CBOR.Tag.epochDate, CBOR.Tag.referenceDate:
            return dateContent(tag, first)
        default:
            return .notUnderstood
        }
    }

    /// A UUID's bytes or a URL's text, of definite length.
    private mutating func stringContent(_ tag: UInt64, _ first: UInt8) -> TagContent {
        let info = first & 0x1f
        guard info != 31 else {
            return .notUnderstood
        }
        offset &+= 1
        var length = UInt64(info)
        var isCanonical = true
        if info >= 24 {
            guard let long = readArgument(info) else {
                return .refused(failure ?? .malformed)
            }
            length = long
            isCanonical = Self.isShortest(length, info)
        }
        guard length <= UInt64(bytes.count &- offset) else {
            return .refused(.truncated)
        }
        let count = Int(length)
        let range = offset..<(offset &+ count)
        offset = range.upperBound
        if tag == CBOR.Tag.uuid {
            guard count == 16 else {
                return .notUnderstood
            }
            let uuid = bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: uuid_t.self)
            return .value(.uuid(UUID(uuid: uuid)), isCanonical: isCanonical)
        }
        guard count <= limits.valueBytes else {
            return .refused(.valueBytes)
        }
        // A text that the system's parser would repair is kept as it is and not taken for a URL.
        guard let text = String(checking: UnsafeRawBufferPointer(rebasing: bytes[range])),
            let url = URL(string: text), url.absoluteString.hasSameBytes(as: text)
        else {
            return .notUnderstood
        }
        return .value(.url(url), isCanonical: isCanonical)
    }

    /// The number of seconds behind a date's tag; whole numbers are understood as well, but not
    /// written.
    private mutating func dateContent(_ tag: UInt64, _ first: UInt8) -> TagContent {
        let major = first >> 5
        let info = first & 0x1f
        let isFloat = major == CBOR.Major.simple && (25...27).contains(info)
        let isInteger = major <= CBOR.Major.negative && tag == CBOR.Tag.epochDate && info < 28
        guard isFloat || isInteger else {
            return .notUnderstood
        }
        offset &+= 1
        var argument = UInt64(info)
        if info >= 24 {
            guard let long = readArgument(info) else {
                return .refused(failure ?? .malformed)
            }
            argument = long
        }
        guard isFloat else {
            guard let whole = Int64(exactly: argument),
                let seconds = Double(exactly: major == CBOR.Major.unsigned ? whole : ~whole)
            else {
                return .notUnderstood
            }
            let reference = seconds - CBOR.secondsToReferenceDate
            return .value(
                .date(Date(timeIntervalSinceReferenceDate: reference)), isCanonical: false)
        }
        let seconds = Self.float(info, argument)
        let isShortest = Self.isShortest(seconds, info)
        if tag == CBOR.Tag.referenceDate {
            return .value(
                .date(Date(timeIntervalSinceReferenceDate: seconds)),
                isCanonical: isShortest && CBOR.epochSeconds(ofReferenceDate: seconds) == nil)
        }
        guard seconds.isFinite else {
            return .notUnderstood
        }
        let reference = seconds - CBOR.secondsToReferenceDate
        return .value(
            .date(Date(timeIntervalSinceReferenceDate: reference)),
            isCanonical: isShortest
                && CBOR.epochSeconds(ofReferenceDate: reference)?.bitPattern == seconds.bitPattern)
    }

    // MARK: - Kept whole

    /// Whether an item is kept whole whatever its form: a tag that this version does not know, or
    /// a map whose first key (at the offset) is not text.
    func isKeptWhole(_ major: UInt8, _ argument: UInt64) -> Bool {
        switch major {
        case CBOR.Major.tag:
            // What a known tag makes of its form is judged with its content.
            return true
        case CBOR.Major.map:
            guard argument > 0, offset < bytes.count else {
                return false
            }
            return bytes[offset] >> 5 != CBOR.Major.text && bytes[offset] != CBOR.Byte.break
        default:
            return false
        }
    }

    /// Pushes the whole item that begins at an offset as its bytes.
    @inline(never)
    mutating func pushOpaque(from start: Int) -> Bool {
        // The item's own node is counted already.
        var skipper = ItemSkipper(
            bytes, from: start, nodes: nodesLeft &+ 1, levels: levels &- depth)
        switch skipper.skip() {
        case .malformed: return fail(.malformed)
        case .tooDeep: return fail(.depth)
        case .tooManyNodes: return fail(.nodes)
        case .end(let end):
            nodesLeft = skipper.nodesLeft
            offset = end
            push(.opaque(OpaqueValue(encoded: Array(bytes[start..<end]))))
            return true
        }
    }

    /// Refuses an item without a length, unless it is kept whole.
    mutating func refuseIndefinite(_ major: UInt8, _ start: Int) -> Bool {
        switch major {
        case CBOR.Major.map where isKeptWhole(major, 1): pushOpaque(from: start)
        case CBOR.Major.bytes...CBOR.Major.map: fail(.notCanonical)
        default: fail(.malformed)
        }
    }
}
