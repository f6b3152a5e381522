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
        var items: [WrittenElement] = []
        items.reserveCapacity(elements.count)
        for element in elements {
            let first = count
            guard append(element, levels: levels &- 1) else {
                return note(.element)
            }
            items.append(WrittenElement(first..<count, of: base))
        }
        let written = UnsafePointer(base)
        items.sort { $0.precedes($1, in: written) }
        let sorted = [UInt8](unsafeUninitializedCapacity: count &- start) { buffer, length in
            guard let target = buffer.baseAddress else {
                return
            }
            for (index, item) in items.enumerated() {
                // An opaque element can have the bytes of one that this version understands.
                if index > 0, items[index &- 1].isEqual(to: item, in: written) {
                    items[index].isRepeated = true
                    continue
                }
                (target + length).update(from: written + item.start, count: item.count)
                length &+= item.count
            }
        }
        let distinct = items.count { !$0.isRepeated }
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
            var decoder = ValueDecoder(bytes, at: 0, limits: limits, nodes: nodesLeft &+ 1)
            guard decoder.passWellFormed(levels), decoder.offset == bytes.count else {
                return switch decoder.failure {
                case .depth: fail(.depth)
                case .nodes: fail(.nodes)
                default: fail(.opaque)
                }
            }
            nodesLeft = decoder.nodesLeft
            guard bytes.count <= limits.sessionBytes &- count else {
                return fail(.total)
            }
            reserve(bytes.count)
            appendRaw(bytes)
            return true
        }
    }
}

/// An element of a set where it was written, to be put into the order of the bytes.
private struct WrittenElement {
    let start: Int
    let count: Int
    /// Whether the same bytes stand before it.
    var isRepeated = false
    /// The first eight bytes, zeros behind a shorter element: most elements differ in them.
    private let head: UInt64

    init(_ range: Range<Int>, of base: UnsafeMutablePointer<UInt8>) {
        start = range.lowerBound
        count = range.count
        var head: UInt64 = 0
        for index in 0..<8 {
            head = head << 8 | (index < range.count ? UInt64(base[range.lowerBound + index]) : 0)
        }
        self.head = head
    }

    func precedes(_ other: Self, in bytes: UnsafePointer<UInt8>) -> Bool {
        guard head == other.head else {
            return head < other.head
        }
        let common = min(count, other.count)
        var index = 0
        while index < common {
            let (mine, theirs) = (bytes[start &+ index], bytes[other.start &+ index])
            guard mine == theirs else {
                return mine < theirs
            }
            index &+= 1
        }
        return count < other.count
    }

    func isEqual(to other: Self, in bytes: UnsafePointer<UInt8>) -> Bool {
        head == other.head && count == other.count && !precedes(other, in: bytes)
            && !other.precedes(self, in: bytes)
    }
}
