#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Kinds that are seldom found, out of the way of the others.
extension ValueEncoder {
    /// Appends what ``append(_:)`` leaves to this function; its node is counted.
    @inline(never)
    mutating func appendRare(_ value: Value, levels: Int) -> Bool {
        reserve(9)
        switch value {
        case .data(let data):
            return data.withUnsafeBytes { appendBytes($0) }
        case .date(let date):
            let seconds = date.timeIntervalSinceReferenceDate
            if let epoch = CBOR.epochSeconds(ofReferenceDate: seconds) {
                appendHead(CBOR.Major.tag, CBOR.Tag.epochDate)
                appendFloat(epoch)
            } else {
                appendHead(CBOR.Major.tag, CBOR.Tag.referenceDate)
                appendFloat(seconds)
            }
            return true
        case .url(let url):
            appendHead(CBOR.Major.tag, CBOR.Tag.uri)
            return appendText(url.absoluteString, limit: limits.valueBytes)
        case .uuid(let uuid):
            appendHead(CBOR.Major.tag, CBOR.Tag.uuid)
            return withUnsafeBytes(of: uuid.uuid) { appendBytes($0) }
        case .set(let elements):
            return appendSet(elements, levels: levels)
        case .opaque(let opaque):
            return appendOpaque(opaque, levels: levels)
        default:
            // The other kinds have been written by the caller.
            return true
        }
    }

    /// Writes the elements one after the other, then puts them into the order of their bytes.
    private mutating func appendSet(_ elements: Set<Value>, levels: Int) -> Bool {
        guard levels > 0 else {
            return fail(.depth)
        }
        let start = count
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(elements.count)
        for element in elements {
            let first = count
            guard append(element, levels: levels &- 1) else {
                return note(.element)
            }
            ranges.append(first..<count)
        }
        let written = UnsafeRawBufferPointer(start: base, count: count)
        ranges.sort { written[$0].lexicographicallyPrecedes(written[$1]) }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(count - start)
        var distinct = 0
        var previous: Range<Int>?
        for range in ranges {
            // An opaque element can have the bytes of one that this version understands.
            if let previous, written[previous].elementsEqual(written[range]) {
                continue
            }
            sorted.append(contentsOf: written[range])
            distinct += 1
            previous = range
        }
        count = start
        reserve(18 + sorted.count)
        appendHead(CBOR.Major.tag, CBOR.Tag.set)
        appendHead(CBOR.Major.array, UInt64(truncatingIfNeeded: distinct))
        sorted.withUnsafeBytes { appendRaw($0) }
        return count <= limits.sessionBytes || fail(.total)
    }

    /// Writes the bytes as they came, if they fit where they stand now.
    private mutating func appendOpaque(_ opaque: OpaqueValue, levels: Int) -> Bool {
        opaque.encoded.withUnsafeBytes { bytes in
            var skipper = ItemSkipper(bytes, nodes: nodesLeft &+ 1, levels: levels)
            switch skipper.skip() {
            case .end(let end) where end == bytes.count: break
            case .end, .malformed: return fail(.opaque)
            case .tooDeep: return fail(.depth)
            case .tooManyNodes: return fail(.nodes)
            }
            // The item's own node is counted already.
            nodesLeft = skipper.nodesLeft
            guard bytes.count <= limits.sessionBytes &- count else {
                return fail(.total)
            }
            reserve(bytes.count)
            appendRaw(bytes)
            return true
        }
    }
}
