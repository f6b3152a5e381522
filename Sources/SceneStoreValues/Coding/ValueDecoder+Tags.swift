#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tags, items that are kept whole, and indefinite lengths.
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
            guard !isStrict || isCanonical && tagIsShortest else {
                return fail(.notCanonical)
            }
            push(value)
            return true
        case .elements:
            guard !isStrict || tagIsShortest else {
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
            return isStrict ? fail(.notCanonical) : push(.set, missing: -1)
        }
        guard info >= 24 else {
            return open(.set, UInt64(info))
        }
        guard let count = readArgument(info) else {
            return false
        }
        if isStrict, !Self.isShortest(count, info) {
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

    // MARK: - Indefinite lengths

    /// Reads an item without a length, which only the lenient mode takes.
    mutating func readIndefinite(_ major: UInt8, _ start: Int) -> Bool {
        switch major {
        case CBOR.Major.map where isKeptWhole(major, 1):
            return pushOpaque(from: start)
        case CBOR.Major.bytes...CBOR.Major.map where isStrict:
            return fail(.notCanonical)
        case CBOR.Major.array:
            return push(.array, missing: -1)
        case CBOR.Major.map:
            return push(.map, missing: -1)
        case CBOR.Major.text:
            guard let text = readChunkedText(limit: limits.valueBytes, .valueBytes) else {
                return false
            }
            push(.string(text))
            return true
        case CBOR.Major.bytes:
            var data = Data()
            guard
                readChunks(
                    CBOR.Major.bytes, limit: limits.valueBytes, .valueBytes,
                    {
                        data += $0; return true
                    })
            else {
                return false
            }
            push(.data(data))
            return true
        default:
            return fail(.malformed)
        }
    }

    /// Goes to the next element of a container without a length: true when one follows, false at
    /// a failure, nil when a break ended the container.
    mutating func advanceIndefinite(_ frame: UnsafeMutablePointer<Frame>) -> Bool? {
        guard offset < bytes.count else {
            return fail(.truncated)
        }
        if bytes[offset] == CBOR.Byte.break {
            offset &+= 1
            return nil
        }
        nodesLeft &-= 1
        guard nodesLeft >= 0 else {
            return fail(.nodes)
        }
        if valueCapacity == valueCount {
            growValues(1)
        }
        guard frame.pointee.kind == .map else {
            return true
        }
        if keyCapacity == keyCount {
            growKeys(1)
        }
        // The key was not counted as owed.
        owed &+= 1
        return readKey(frame)
    }

    /// A text in chunks, each of which is text by itself.
    mutating func readChunkedText(limit: Int, _ refusal: Refusal) -> String? {
        var text = ""
        var isValid = true
        let isRead = readChunks(CBOR.Major.text, limit: limit, refusal) { chunk in
            guard let part = String(checking: UnsafeRawBufferPointer(rebasing: chunk)) else {
                isValid = false
                return false
            }
            text += part
            return true
        }
        guard isRead else {
            if !isValid {
                _ = fail(.invalidText)
            }
            return nil
        }
        return text
    }

    /// Hands out chunks until the break.
    private mutating func readChunks(
        _ major: UInt8, limit: Int, _ refusal: Refusal,
        _ body: (UnsafeRawBufferPointer.SubSequence) -> Bool
    ) -> Bool {
        var total = 0
        while true {
            guard offset < bytes.count else {
                return fail(.truncated)
            }
            let first = bytes[offset]
            offset &+= 1
            if first == CBOR.Byte.break {
                return true
            }
            let info = first & 0x1f
            guard first >> 5 == major, info != 31 else {
                return fail(.malformed)
            }
            var length = UInt64(info)
            if info >= 24 {
                guard let long = readArgument(info) else {
                    return false
                }
                length = long
            }
            guard length <= UInt64(bytes.count &- offset) else {
                return fail(.truncated)
            }
            total &+= Int(length)
            guard total <= limit else {
                return fail(refusal)
            }
            let end = offset &+ Int(length)
            guard body(bytes[offset..<end]) else {
                return fail(.invalidText)
            }
            offset = end
        }
    }
}
