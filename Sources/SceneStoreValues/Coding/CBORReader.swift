#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads CBOR that nobody vouches for: first it checks all of it, then it makes values.
///
/// Invariants:
/// 1. ``check(extraLevels:)`` looks at every byte before ``value()`` makes anything. What makes
///    values, or steps over them, is only for bytes that have passed, and doesn't check them again.
/// 2. A length is compared with what is left, and values are taken off ``Limits/nodes``, before
///    anything is made of them. Every item that an open container still lacks has a byte left.
/// 3. It recurses no deeper than values may be nested: ``Limits/depth``, of which 64 is the most,
///    and the few maps that the types with fields wrap around them.
/// 4. What it understands, ``CBORWriter`` writes as the very same bytes; another form of it is
///    refused. What this version does not understand is kept whole (``Value/opaque(_:)``).
package struct CBORReader: ~Copyable {
    let bytes: UnsafeRawBufferPointer
    let count: Int
    let limits: Limits
    var offset: Int
    /// Values that may still follow.
    var nodesLeft: Int
    private(set) var failure: Refusal?
    /// Whether an item of a kind that this version does not know was found.
    var holdsOpaqueValues = false
    /// The keys that were made last, to be found by their bytes: in arrays of records the same ones
    /// come again and again. There are none until an array of dictionaries is read.
    private var recentKeys: UnsafeMutablePointer<RecentKey>?

    private struct RecentKey {
        /// Slots; a power of two.
        static let slots = 16

        var place = 0..<0
        var key = ""
    }

    /// Reads bytes that outlive the reader, and that ``check(extraLevels:)`` has to let pass.
    package init(_ bytes: UnsafeRawBufferPointer, limits: Limits = .standard) {
        let limits = limits.clamped
        self.init(bytes, at: 0, limits: limits, nodes: limits.nodes)
    }

    /// Reads from an offset where an item begins. What has passed a check needs no limits; others
    /// are ``Limits/clamped``.
    init(
        _ bytes: UnsafeRawBufferPointer, at offset: Int, limits: Limits = .standard,
        nodes: Int = Self.anyNumber
    ) {
        self.bytes = bytes
        count = bytes.count
        self.limits = limits
        self.offset = offset
        nodesLeft = nodes
    }

    deinit {
        recentKeys?.deinitialize(count: RecentKey.slots)
        recentKeys?.deallocate()
    }

    /// More nodes than any input has.
    private static let anyNumber = Int.max / 2

    // MARK: - Checking

    /// Checks that the bytes are one value and nothing else, which can be read from its start then.
    ///
    /// `extraLevels` is for the maps that a type's codec wraps around the app's values.
    package mutating func check(extraLevels: Int = 0) throws(SceneStoreError) {
        guard passAll(levels: limits.depth + extraLevels) else {
            throw error(failure ?? .malformed)
        }
        offset = 0
        nodesLeft = Self.anyNumber
    }

    /// Whether the bytes are one value and nothing else.
    mutating func passAll(levels: Int) -> Bool {
        nodesLeft &-= 1
        guard count <= limits.sessionBytes else {
            return fail(.total)
        }
        return passItem(levels, owed: 0) && (offset == count || fail(.trailing))
    }

    /// Checks the item at the offset. Open containers lack `owed` items behind it, each of at least
    /// a byte.
    mutating func passItem(_ levels: Int, owed: Int) -> Bool {
        guard offset < count else {
            return fail(.truncated)
        }
        let start = offset
        let first = bytes[start]
        var argument = UInt64(truncatingIfNeeded: first & 0x1f)
        offset &+= 1
        if argument >= 24 {
            // Lengths and numbers of one byte are common, the rest is not.
            guard argument == 24, first >> 5 < CBOR.Major.tag, offset < count, bytes[offset] >= 24
            else {
                return passLongItem(start, levels, owed)
            }
            argument = UInt64(truncatingIfNeeded: bytes[offset])
            offset &+= 1
        }
        return pass(first >> 5, argument, start, levels, owed)
    }

    /// Checks an item whose head has an argument of its own, or no length.
    @inline(never)
    private mutating func passLongItem(_ start: Int, _ levels: Int, _ owed: Int) -> Bool {
        let major = bytes[start] >> 5
        let info = bytes[start] & 0x1f
        if info == 31 {
            if major == CBOR.Major.map, isAtOtherKey {
                return passOpaque(from: start, levels)
            }
            return fail(CBOR.Major.bytes...CBOR.Major.map ~= major ? .notCanonical : .malformed)
        }
        guard let argument = argument(info) else {
            return false
        }
        if major == CBOR.Major.simple {
            if info == 24 {
                return passOpaque(from: start, levels)
            }
            return CBOR.isShortest(CBOR.float(info, argument), info) || fail(.notCanonical)
        }
        // What a tag makes of its form is judged with its content.
        guard
            CBOR.isShortest(argument, info) || major == CBOR.Major.tag
                || major == CBOR.Major.map && argument > 0 && isAtOtherKey
        else {
            return fail(.notCanonical)
        }
        return pass(major, argument, start, levels, owed)
    }

    /// Checks what follows a head.
    @inline(__always)
    private mutating func pass(
        _ major: UInt8, _ argument: UInt64, _ start: Int, _ levels: Int, _ owed: Int
    ) -> Bool {
        switch major {
        case CBOR.Major.text:
            let text = offset
            return take(argument, limit: limits.valueBytes, .valueBytes) && isText(from: text)
        case CBOR.Major.unsigned, CBOR.Major.negative:
            return argument <= UInt64(Int64.max) || passOpaque(from: start, levels)
        case CBOR.Major.map:
            guard argument == 0 || !isAtOtherKey else {
                return passOpaque(from: start, levels)
            }
            return passPairs(argument, levels, owed)
        case CBOR.Major.array:
            return passElements(argument, isSet: false, levels, owed)
        case CBOR.Major.simple:
            return 20...22 ~= argument || passOpaque(from: start, levels)
        case CBOR.Major.bytes:
            return take(argument, limit: limits.valueBytes, .valueBytes)
        default:
            return passTagged(argument, start, levels, owed)
        }
    }

    /// Counts what a container holds before any of it is read.
    @inline(__always)
    private mutating func open(_ argument: UInt64, items: Int, _ levels: Int, _ owed: Int) -> Bool {
        let left = count &- offset
        guard argument <= UInt64(truncatingIfNeeded: left),
            Int(truncatingIfNeeded: argument) &* items <= left &- owed
        else {
            return fail(.truncated)
        }
        nodesLeft &-= Int(truncatingIfNeeded: argument)
        guard nodesLeft >= 0 else {
            return fail(.nodes)
        }
        return levels > 0 || fail(.depth)
    }

    /// Checks the elements of an array, or of a set: in the order of their bytes.
    mutating func passElements(
        _ argument: UInt64, isSet: Bool, _ levels: Int, _ owed: Int
    ) -> Bool {
        guard open(argument, items: 1, levels, owed) else {
            return false
        }
        var missing = Int(truncatingIfNeeded: argument)
        var previous: Range<Int>?
        while missing > 0 {
            missing &-= 1
            let start = offset
            guard passItem(levels &- 1, owed: owed &+ missing) else {
                return false
            }
            if isSet {
                let element = start..<offset
                if let previous,
                    !(bytes.precedes(previous, element) ?? (previous.count < element.count))
                {
                    return failOrder(previous, element)
                }
                previous = element
            }
        }
        return true
    }

    private mutating func passPairs(_ argument: UInt64, _ levels: Int, _ owed: Int) -> Bool {
        guard open(argument, items: 2, levels, owed) else {
            return false
        }
        var missing = Int(truncatingIfNeeded: argument)
        var previous: Range<Int>?
        while missing > 0 {
            missing &-= 1
            guard passKey(after: &previous),
                passItem(levels &- 1, owed: owed &+ missing &* 2)
            else {
                return false
            }
        }
        return true
    }

    /// Checks a key, which comes after the one before it in the stored order.
    @inline(__always)
    private mutating func passKey(after previous: inout Range<Int>?) -> Bool {
        guard offset < count else {
            return fail(.truncated)
        }
        let first = bytes[offset]
        offset &+= 1
        guard let length = length(first & 0x1f) else {
            return false
        }
        guard first >> 5 == CBOR.Major.text else {
            return fail(.mixedKeys)
        }
        let start = offset
        guard take(length, limit: limits.keyBytes, .keyBytes) else {
            return false
        }
        let key = Range(uncheckedBounds: (start, offset))
        if let previous, !bytes.keyPrecedes(previous, key) {
            return failOrder(previous, key)
        }
        previous = key
        return isText(from: start)
    }

    /// Whether a map's first key is at the offset and is not text: such a map is kept whole.
    private var isAtOtherKey: Bool {
        offset < count && bytes[offset] >> 5 != CBOR.Major.text
            && bytes[offset] != CBOR.Byte.break
    }

    // MARK: - Pieces

    /// The argument that a first byte announces, of any form.
    @inline(__always)
    mutating func argument(_ info: UInt8) -> UInt64? {
        guard info >= 24 else {
            return UInt64(info)
        }
        let width = 1 &<< Int(info &- 24)
        guard info < 28, width <= count &- offset else {
            _ = fail(info < 28 ? .truncated : .malformed)
            return nil
        }
        offset &+= width
        return CBOR.argument(of: info, in: bytes, at: offset &- width)
    }

    /// The argument that a first byte announces, as the length of what has to be deterministic.
    @inline(__always)
    mutating func length(_ info: UInt8) -> UInt64? {
        info < 24 ? UInt64(truncatingIfNeeded: info) : longLength(info)
    }

    @inline(never)
    private mutating func longLength(_ info: UInt8) -> UInt64? {
        if info != 31 {
            guard let length = argument(info) else {
                return nil
            }
            if CBOR.isShortest(length, info) {
                return length
            }
        }
        _ = fail(.notCanonical)
        return nil
    }

    /// Steps over the bytes of a text or of data.
    @inline(__always)
    mutating func take(_ length: UInt64, limit: Int, _ refusal: Refusal) -> Bool {
        let left = count &- offset
        guard length <= UInt64(truncatingIfNeeded: min(limit, left)) else {
            return fail(length <= UInt64(truncatingIfNeeded: left) ? refusal : .truncated)
        }
        offset &+= Int(truncatingIfNeeded: length)
        return true
    }

    @inline(__always)
    private mutating func isText(from start: Int) -> Bool {
        UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: bytes[start..<offset]))
            || fail(.invalidText)
    }

    // MARK: - Refusals

    /// Why input is refused.
    enum Refusal {
        case truncated, malformed, notCanonical, trailing, duplicate, invalidText, mixedKeys
        case depth, nodes, valueBytes, keyBytes, total
    }

    @inline(never)
    mutating func fail(_ refusal: Refusal) -> Bool {
        failure = refusal
        return false
    }

    /// Refuses a key or an element that does not come after the one before it.
    @inline(never)
    private mutating func failOrder(_ previous: Range<Int>, _ next: Range<Int>) -> Bool {
        fail(bytes[previous].elementsEqual(bytes[next]) ? .duplicate : .notCanonical)
    }

    /// What is thrown for a refusal; places are named by their bytes, and no value is shown.
    private func error(_ refusal: Refusal) -> SceneStoreError {
        let message =
            switch refusal {
            case .truncated: "the value ends too early"
            case .malformed: "the value is not CBOR"
            case .notCanonical: "the value is not deterministic CBOR"
            case .trailing: "bytes follow the value"
            case .duplicate: "a key or element occurs twice"
            case .invalidText: "a text is not UTF-8"
            case .mixedKeys: "a map has keys that are text and others that are not"
            case .depth: "the value is nested deeper than \(limits.depth) levels"
            case .nodes: "the value holds more than \(limits.nodes) values"
            case .valueBytes: "a text or data is longer than \(limits.valueBytes) bytes"
            case .keyBytes: "a key is longer than \(limits.keyBytes) bytes"
            case .total: "the value takes \(count) bytes, the limit is \(limits.sessionBytes)"
            }
        let place = refusal == .total ? "" : ", at byte \(offset) of \(count)"
        let isLimit = [.depth, .nodes, .valueBytes, .keyBytes, .total].contains(refusal)
        return SceneStoreError(isLimit ? .limitExceeded : .malformedValue, message + place)
    }

    // MARK: - Making values

    /// The argument of the head at the offset, which is behind it then.
    @inline(__always)
    mutating func head() -> UInt64 {
        let info = bytes[offset] & 0x1f
        offset &+= 1
        guard info >= 24 else {
            return UInt64(truncatingIfNeeded: info)
        }
        let argument = CBOR.argument(of: info, in: bytes, at: offset)
        offset &+= 1 &<< Int(info &- 24)
        return argument
    }

    /// The argument of the head at the offset, as a length.
    @inline(__always)
    mutating func headCount() -> Int {
        Int(truncatingIfNeeded: head())
    }

    @inline(__always)
    private mutating func next(_ count: Int) -> UnsafeRawBufferPointer {
        let start = offset
        offset &+= count
        return UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
    }

    /// Makes the item at the offset.
    package mutating func value() -> Value {
        let start = offset
        let first = bytes[start]
        guard first >> 5 != CBOR.Major.tag, first & 0x1f < 28 else {
            return rareValue()
        }
        let argument = head()
        let count = Int(truncatingIfNeeded: argument)
        switch first >> 5 {
        case CBOR.Major.text: return .string(String(unchecked: next(count)))
        case CBOR.Major.unsigned where argument <= UInt64(Int64.max):
            return .integer(Int64(truncatingIfNeeded: argument))
        case CBOR.Major.negative where argument <= UInt64(Int64.max):
            return .integer(~Int64(truncatingIfNeeded: argument))
        case CBOR.Major.map where argument == 0 || bytes[offset] >> 5 == CBOR.Major.text:
            return .dictionary(ValueDictionary(sortedPairs: pairs(count)))
        case CBOR.Major.array: return .array(elements(count))
        case CBOR.Major.bytes: return .data(Data(next(count)))
        case CBOR.Major.simple where first >= CBOR.Byte.half:
            return .double(CBOR.float(first & 0x1f, argument))
        case CBOR.Major.simple where first == CBOR.Byte.false: return .boolean(false)
        case CBOR.Major.simple where first == CBOR.Byte.true: return .boolean(true)
        case CBOR.Major.simple where first == CBOR.Byte.null: return .null
        default:
            offset = start
            return rareValue()
        }
    }

    /// Makes the item at the offset, or leaves it as bytes if it is a large dictionary.
    ///
    /// The end of the item is searched where it isn't given; the closure gives all bytes, to be kept.
    mutating func valueOnDemand(endingAt end: Int? = nil, keeping stored: () -> [UInt8]) -> Value {
        guard isAtDictionary else {
            return value()
        }
        let start = offset
        if let end {
            offset = end
        } else {
            skip()
        }
        // Less is made as fast as it is put aside.
        guard offset &- start >= 96 else {
            offset = start
            return value()
        }
        return .dictionary(
            ValueDictionary(
                checked: CheckedPairs(
                    stored(), at: start..<offset, mayHoldOpaqueValues: holdsOpaqueValues)))
    }

    /// Whether a dictionary with keys is next.
    var isAtDictionary: Bool {
        let info = bytes[offset] & 0x1f
        let first = offset &+ 1 &+ (info < 24 ? 0 : 1 &<< Int(info &- 24))
        return bytes[offset] >> 5 == CBOR.Major.map && info < 28 && first < count
            && bytes[first] >> 5 == CBOR.Major.text
    }

    /// Makes the elements that follow.
    mutating func elements(_ count: Int) -> [Value] {
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

    /// Makes the pairs that follow.
    mutating func pairs(_ count: Int) -> [ValueDictionary.Pair] {
        var pairs: [ValueDictionary.Pair] = []
        pairs.reserveCapacity(count)
        for _ in 0..<count {
            pairs.append(ValueDictionary.Pair(key: key(), value: value()))
        }
        return pairs
    }

    @inline(__always)
    mutating func key() -> String {
        let text = next(headCount())
        guard let recentKeys else {
            return String(unchecked: text)
        }
        let slot = recentKeys + slot(of: text)
        let known = slot.pointee.place
        if known.count != text.count
            || !UnsafeRawBufferPointer(rebasing: bytes[known]).isEqual(to: text)
        {
            let place = Range(uncheckedBounds: (offset &- text.count, offset))
            slot.pointee = RecentKey(place: place, key: String(unchecked: text))
        }
        return slot.pointee.key
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

    // MARK: - Stepping over

    /// Steps over a key; the place of its text.
    mutating func skipKey() -> Range<Int> {
        let count = headCount()
        offset &+= count
        return Range(uncheckedBounds: (offset &- count, offset))
    }

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
                offset = start
                guard argument < 28 else {
                    _ = passItem(.max, owed: 0)
                    continue
                }
                argument = headCount()
            }
            switch first >> 5 {
            case CBOR.Major.text, CBOR.Major.bytes: offset &+= argument
            case CBOR.Major.array: missing &+= argument
            case CBOR.Major.map where argument == 0 || bytes[offset] >> 5 == CBOR.Major.text:
                missing &+= argument &* 2
            case CBOR.Major.map, CBOR.Major.tag:
                offset = start
                _ = passItem(.max, owed: 0)
            default: break
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether one key comes before another in the stored order: by length, then by bytes.
    @inline(__always)
    fileprivate func keyPrecedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        let count = left.upperBound &- left.lowerBound
        let other = right.upperBound &- right.lowerBound
        return count == other ? precedes(left, right) ?? false : count < other
    }

    /// Whether one range's bytes come before another's; nil where they are the same as far as both go.
    func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool? {
        let count = Swift.min(left.count, right.count)
        var index = 0
        while index &+ 8 <= count {
            let one = load(left.lowerBound &+ index, UInt64.self).bigEndian
            let other = load(right.lowerBound &+ index, UInt64.self).bigEndian
            if one != other {
                return one < other
            }
            index &+= 8
        }
        while index < count {
            let one = self[left.lowerBound &+ index]
            let other = self[right.lowerBound &+ index]
            if one != other {
                return one < other
            }
            index &+= 1
        }
        return nil
    }
}

/// Tags, and items that are kept whole.
extension CBORReader {
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
        guard UTF8Check.isValid(bytes) else {
            return nil
        }
        let text = String(unchecked: bytes)
        let url = URL(string: text)
        return url.flatMap { $0.absoluteString.hasSameBytes(as: text) ? .url($0) : nil }
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
