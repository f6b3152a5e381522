#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes values as deterministic CBOR (RFC 8949, section 4.2.1) into one buffer of its own.
///
/// Equal values give equal bytes in every process: shortest heads and floating point numbers,
/// definite lengths, keys in the order that ``ValueDictionary`` keeps, sets sorted by their
/// encoded elements. The buffer is kept between values, so that a second one allocates nothing.
/// What the ``Limits`` forbid is refused before it is written, with the key path; the reader
/// takes everything that this writes.
///
/// The appending functions answer `false` instead of throwing: the path is gathered while they
/// return, and the good case pays one test a node for it.
package struct CBORWriter: ~Copyable {
    package var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    package var count = 0
    var nodesLeft = 0
    package let limits: Limits
    package var failure: SceneStoreError?
    var failureSteps: [KeyPathText.Step] = []

    /// Makes a writer with an empty buffer.
    package init(limits: Limits = .standard) {
        self.limits = limits.clamped
        capacity = 4096
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deallocate()
    }

    /// A copy of what was written since ``begin()``.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(
                from: UnsafeRawBufferPointer(start: base, count: count))
            initialized = count
        }
    }

    /// Forgets what was written and counts nodes anew.
    package mutating func begin() {
        if capacity > 1 << 16 {
            // Made for a large value; the next one is mostly not.
            self = CBORWriter(limits: limits)
        }
        count = 0
        nodesLeft = limits.nodes
        failure = nil
        failureSteps = []
    }

    // MARK: - Values

    /// Appends a value; false when it is not allowed.
    package mutating func append(_ value: Value) -> Bool {
        append(value, levels: limits.depth)
    }

    /// Appends a dictionary; false when something in it is not allowed.
    package mutating func append(_ dictionary: ValueDictionary) -> Bool {
        takeNode() && append(dictionary, levels: limits.depth)
    }

    package mutating func append(_ value: Value, levels: Int) -> Bool {
        guard takeNode() else {
            return false
        }
        switch value {
        case .string(let text):
            return appendText(text, limit: limits.valueBytes)
        case .integer(let number):
            reserve(9)
            if number >= 0 {
                appendHead(CBOR.Major.unsigned, UInt64(bitPattern: number))
            } else {
                appendHead(CBOR.Major.negative, UInt64(bitPattern: ~number))
            }
            return true
        case .dictionary(let dictionary):
            return append(dictionary, levels: levels)
        case .array(let elements):
            return append(elements, levels: levels)
        case .boolean(let value):
            appendByte(value ? CBOR.Byte.true : CBOR.Byte.false)
            return true
        case .double(let number):
            appendFloat(number)
            return true
        case .null:
            appendByte(CBOR.Byte.null)
            return true
        default:
            return appendRare(value, levels: levels)
        }
    }

    private mutating func append(_ dictionary: ValueDictionary, levels: Int) -> Bool {
        guard levels > 0 else {
            return fail(.depth)
        }
        if let checked = dictionary.checked, appendStored(checked, levels: levels) {
            return true
        }
        let pairs = dictionary.pairs
        appendMapHead(pairs.count)
        return pairs.withUnsafeBufferPointer { pairs in
            var index = 0
            while index < pairs.count {
                guard appendText(pairs[index].key, limit: limits.keyBytes),
                    append(pairs[index].value, levels: levels &- 1)
                else {
                    return note(.key(pairs[index].key))
                }
                index &+= 1
            }
            return true
        }
    }

    /// Appends the bytes of a dictionary that nobody has changed, if they are within the limits here.
    private mutating func appendStored(_ checked: CheckedPairs, levels: Int) -> Bool {
        checked.bytes.withUnsafeBytes { bytes in
            var decoder = CBORReader(bytes, at: 0, limits: limits, nodes: nodesLeft &+ 1)
            guard bytes.count <= limits.sessionBytes &- count, decoder.passAll(levels: levels)
            else {
                return false
            }
            nodesLeft = decoder.nodesLeft
            reserve(bytes.count)
            appendRaw(bytes)
            return true
        }
    }

    private mutating func append(_ elements: [Value], levels: Int) -> Bool {
        guard levels > 0 else {
            return fail(.depth)
        }
        appendArrayHead(elements.count)
        return elements.withUnsafeBufferPointer { elements in
            var index = 0
            while index < elements.count {
                guard append(elements[index], levels: levels &- 1) else {
                    return note(.index(index))
                }
                index &+= 1
            }
            return true
        }
    }

    // MARK: - Pieces

    /// Appends the head of a map, for the codecs of the types that have fields.
    package mutating func appendMapHead(_ pairs: Int) {
        reserve(9)
        appendHead(CBOR.Major.map, UInt64(truncatingIfNeeded: pairs))
    }

    /// Appends the head of an array.
    package mutating func appendArrayHead(_ elements: Int) {
        reserve(9)
        appendHead(CBOR.Major.array, UInt64(truncatingIfNeeded: elements))
    }

    /// Appends an array, each element by a closure, for the codecs of the types that have fields.
    mutating func appendArray<Element>(
        _ elements: [Element], _ append: (inout Self, Element) -> Bool
    ) -> Bool {
        guard takeNode() else {
            return false
        }
        appendArrayHead(elements.count)
        for (index, element) in elements.enumerated() {
            guard append(&self, element) else {
                return note(.index(index))
            }
        }
        return true
    }

    /// Appends the key of a field.
    package mutating func appendKey(_ key: String) {
        var key = key
        key.withUTF8 { key in
            reserve(9 &+ key.count)
            appendHead(CBOR.Major.text, UInt64(truncatingIfNeeded: key.count))
            appendRaw(UnsafeRawBufferPointer(key))
        }
    }

    /// Appends text that is bounded like a key: a title, an identifier, a name.
    package mutating func appendName(_ name: String) -> Bool {
        takeNode() && appendText(name, limit: limits.keyBytes)
    }

    /// Appends a key and its value.
    mutating func appendPair(_ pair: ValueDictionary.Pair) -> Bool {
        appendText(pair.key, limit: limits.keyBytes) && append(pair.value) || note(.key(pair.key))
    }

    /// Appends text; false when it is longer than the limit.
    mutating func appendText(_ text: String, limit: Int) -> Bool {
        let length = text.utf8.count
        guard length <= limit else {
            return fail(limit == limits.keyBytes ? .key : .value)
        }
        guard length <= limits.sessionBytes &- count else {
            return fail(.total)
        }
        reserve(9 &+ length)
        appendHead(CBOR.Major.text, UInt64(truncatingIfNeeded: length))
        let copied: Void? = text.utf8.withContiguousStorageIfAvailable {
            appendRaw(UnsafeRawBufferPointer($0))
        }
        if copied == nil {
            // A string that is bridged from elsewhere.
            Array(text.utf8).withUnsafeBytes { appendRaw($0) }
        }
        return true
    }

    mutating func appendBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limits.valueBytes else {
            return fail(.value)
        }
        guard bytes.count <= limits.sessionBytes &- count else {
            return fail(.total)
        }
        reserve(9 &+ bytes.count)
        appendHead(CBOR.Major.bytes, UInt64(truncatingIfNeeded: bytes.count))
        appendRaw(bytes)
        return true
    }

    mutating func appendFloat(_ number: Double) {
        reserve(9)
        switch ShortestFloat(number) {
        case .half(let bits): store(CBOR.Byte.half, bits)
        case .single(let bits): store(CBOR.Byte.single, bits)
        case .double(let bits): store(CBOR.Byte.double, bits)
        }
    }

    @inline(__always)
    private mutating func appendByte(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count &+= 1
    }

    /// Appends a head in the shortest form; nine bytes have been reserved.
    @inline(__always)
    mutating func appendHead(_ major: UInt8, _ argument: UInt64) {
        if argument < 24 {
            base[count] = major << 5 | UInt8(truncatingIfNeeded: argument)
            count &+= 1
        } else {
            appendLongHead(major, argument)
        }
    }

    private mutating func appendLongHead(_ major: UInt8, _ argument: UInt64) {
        if argument <= 0xff {
            store(major << 5 | 24, UInt8(truncatingIfNeeded: argument))
        } else if argument <= 0xffff {
            store(major << 5 | 25, UInt16(truncatingIfNeeded: argument))
        } else if argument <= 0xffff_ffff {
            store(major << 5 | 26, UInt32(truncatingIfNeeded: argument))
        } else {
            store(major << 5 | 27, argument)
        }
    }

    /// Stores a byte at `count` and an integer behind it, and steps over both.
    @inline(__always)
    private mutating func store<Integer: FixedWidthInteger>(_ first: UInt8, _ integer: Integer) {
        base[count] = first
        UnsafeMutableRawPointer(base + (count &+ 1)).storeBytes(
            of: integer.bigEndian, as: Integer.self)
        count &+= 1 &+ MemoryLayout<Integer>.size
    }

    @inline(__always)
    mutating func appendRaw(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress {
            UnsafeMutableRawPointer(base + count).copyMemory(from: source, byteCount: bytes.count)
            count &+= bytes.count
        }
    }

    /// Makes room. Lengths are those of things in memory, so the sum can't overflow.
    @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity &- count < extra {
            grow(extra)
        }
    }

    @inline(never)
    private mutating func grow(_ extra: Int) {
        capacity = max(capacity &* 2, count &+ extra)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }
}

/// Kinds that are seldom found, out of the way of the others.
extension CBORWriter {
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

    /// Writes the elements in the order of their bytes.
    private mutating func appendSet(_ elements: Set<Value>, levels: Int) -> Bool {
        guard levels > 0 else {
            return fail(.depth)
        }
        let start = count
        var size = 0
        var items: [[UInt8]] = []
        items.reserveCapacity(elements.count)
        for element in elements {
            count = start
            guard append(element, levels: levels &- 1) else {
                return note(.element)
            }
            items.append(Array(UnsafeBufferPointer(start: base + start, count: count &- start)))
            size &+= count &- start
            guard start &+ size <= limits.sessionBytes else {
                return fail(.total)
            }
        }
        count = start
        items.sort { $0.lexicographicallyPrecedes($1) }
        // An opaque element can have the bytes of one that this version understands.
        let distinct = items.indices.filter { $0 == 0 || items[$0] != items[$0 - 1] }
        reserve(18)
        appendHead(CBOR.Major.tag, CBOR.Tag.set)
        appendHead(CBOR.Major.array, UInt64(truncatingIfNeeded: distinct.count))
        for index in distinct {
            reserve(items[index].count)
            items[index].withUnsafeBytes { appendRaw($0) }
        }
        return count <= limits.sessionBytes || fail(.total)
    }

    /// Writes the bytes as they came, if they fit where they stand now.
    private mutating func appendOpaque(_ opaque: OpaqueValue, levels: Int) -> Bool {
        opaque.encoded.withUnsafeBytes { bytes in
            var decoder = CBORReader(bytes, at: 0, limits: limits, nodes: nodesLeft &+ 1)
            guard decoder.passWellFormed(levels), decoder.offset == bytes.count else {
                let failure = decoder.failure
                return fail(failure == .depth ? .depth : failure == .nodes ? .nodes : .opaque)
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

extension CBORWriter {
    /// Throws what the appending functions noticed, or that all of it together is too much.
    package mutating func finish(path: String) throws(SceneStoreError) {
        if failure == nil, count > limits.sessionBytes {
            _ = fail(.total)
        }
        guard var failure else {
            return
        }
        failure.path = KeyPathText.text(root: path, steps: failureSteps.reversed())
        throw failure
    }

    /// Counts one value more.
    @inline(__always)
    package mutating func takeNode() -> Bool {
        nodesLeft &-= 1
        return nodesLeft >= 0 || fail(.nodes)
    }

    /// Why a value is not written.
    package enum Refusal {
        case depth, nodes, value, key, total, opaque
    }

    /// Notes why the value is not written, and answers false.
    @inline(never)
    package mutating func fail(_ refusal: Refusal) -> Bool {
        let message =
            switch refusal {
            case .depth: "the value is nested deeper than \(limits.depth) levels; flatten it"
            case .nodes: "there are more than \(limits.nodes) values; save fewer"
            case .value: "the value is longer than \(limits.valueBytes) bytes; keep it in a file"
            case .key: "a key or name is longer than \(limits.keyBytes) bytes; shorten it"
            case .total: "the state is larger than \(limits.sessionBytes) bytes here; save less"
            case .opaque: "the kept value is not one well-formed item"
            }
        failure = SceneStoreError(refusal == .opaque ? .malformedValue : .limitExceeded, message)
        return false
    }

    /// Notes a step of the path on the way out of a failure.
    @inline(never)
    package mutating func note(_ step: KeyPathText.Step) -> Bool {
        failureSteps.append(step)
        return false
    }
}
