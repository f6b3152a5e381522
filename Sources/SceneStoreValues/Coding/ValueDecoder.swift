#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads one value from CBOR that nobody vouches for.
///
/// Invariants:
/// 1. Nothing recurses: open containers are frames on a stack of at most ``Limits/depth``.
/// 2. Every item that an open container still lacks has a byte left to be read from, and has been
///    taken off ``Limits/nodes``, before memory for it is allocated. A length is compared with
///    what is left before anything is made of it.
/// 3. Finished values wait on one stack, keys on another, each in a slot that was made when its
///    container was opened, until the container is whole and takes them over in one move.
/// 4. What it understands, ``ValueEncoder`` writes as the very same bytes; another form of it is
///    refused. What this version does not understand is kept whole (``Value/opaque(_:)``).
package struct ValueDecoder: ~Copyable {
    /// A container that is not whole yet.
    package struct Frame {
        package enum Kind {
            case array, set, map
        }

        package var kind: Kind
        /// Elements or pairs that were not begun.
        package var missing: Int
        /// Where its values and keys begin on the stacks.
        package var firstValue: Int
        var firstKey: Int
        /// The bytes of the key, or of the set's element, before this one.
        package var previous: Range<Int> = 0..<0
        /// Where the element that is being read begins, for sets.
        var elementStart = 0
    }

    package let bytes: UnsafeRawBufferPointer
    package let limits: Limits
    /// Containers that may be open at once.
    package let levels: Int
    package var offset = 0
    var nodesLeft: Int
    /// Items that open containers of definite length still lack; each needs a byte.
    package var owed = 0
    package var failure: Refusal?

    /// What the stacks begin with, in one piece.
    private let block: UnsafeMutableRawPointer
    package var frames: UnsafeMutablePointer<Frame>
    package var depth = 0
    var frameCapacity = Block.frames
    package var values: UnsafeMutablePointer<Value>
    package var valueCount = 0
    var valueCapacity = Block.values
    package var keys: UnsafeMutablePointer<String>
    var keyCount = 0
    var keyCapacity = Block.keys

    /// How much the first block holds.
    package enum Block {
        package static let frames = 8
        package static let values = 32
        package static let keys = 32
        static let frameBytes = frames * MemoryLayout<Frame>.stride
        package static let valueBytes = values * MemoryLayout<Value>.stride
        package static let keyBytes = keys * MemoryLayout<String>.stride
    }

    /// Makes a decoder of bytes that outlive it.
    ///
    /// `extraLevels` is for the maps that a type's codec wraps around the app's values.
    package init(
        _ bytes: UnsafeRawBufferPointer, limits: Limits = .standard, extraLevels: Int = 0
    ) {
        self.bytes = bytes
        self.limits = limits.clamped
        levels = self.limits.depth + extraLevels
        nodesLeft = self.limits.nodes
        block = .allocate(
            byteCount: Block.frameBytes + Block.valueBytes + Block.keyBytes, alignment: 16)
        var place = block
        frames = place.bindMemory(to: Frame.self, capacity: Block.frames)
        place += Block.frameBytes
        values = place.bindMemory(to: Value.self, capacity: Block.values)
        place += Block.valueBytes
        keys = place.bindMemory(to: String.self, capacity: Block.keys)
    }

    /// Makes a decoder of one item among others, and of what is still allowed in it.
    init(
        _ bytes: UnsafeRawBufferPointer, itemAt start: Int, limits: Limits, nodes: Int, levels: Int
    ) {
        self.init(bytes, limits: limits, extraLevels: levels - limits.depth)
        offset = start
        nodesLeft = nodes
    }

    deinit {
        values.deinitialize(count: valueCount)
        keys.deinitialize(count: keyCount)
        if frameCapacity > Block.frames {
            frames.deallocate()
        }
        if valueCapacity > Block.values {
            values.deallocate()
        }
        if keyCapacity > Block.keys {
            keys.deallocate()
        }
        block.deallocate()
    }

    /// The value that the bytes hold, all of them.
    package mutating func decode() throws(SceneStoreError) -> Value {
        if bytes.count > limits.sessionBytes {
            failure = .total
        } else if readValue(), offset < bytes.count {
            failure = .trailing
        }
        if let failure {
            throw error(failure)
        }
        guard let value = takeValue() else {
            throw error(.malformed)
        }
        return value
    }

    /// The value of the item at the offset, which is behind it then; nil when it is refused.
    mutating func decodeItem() -> Value? {
        readValue() ? takeValue() : nil
    }

    private mutating func takeValue() -> Value? {
        guard valueCount == 1 else {
            return nil
        }
        valueCount = 0
        return values.move()
    }

    // MARK: - The loop

    /// Reads items until the outermost one is whole on the stack; false at a failure.
    private mutating func readValue() -> Bool {
        nodesLeft &-= 1
        repeat {
            guard offset < bytes.count else {
                return fail(.truncated)
            }
            let first = bytes[offset]
            let start = offset
            var argument = UInt64(truncatingIfNeeded: first & 0x1f)
            offset &+= 1
            if argument >= 24 {
                // Lengths and numbers of one byte are common, the rest is not.
                guard argument == 24, first >> 5 < CBOR.Major.tag, offset < bytes.count,
                    bytes[offset] >= 24
                else {
                    offset = start
                    guard readLongItem(first) else {
                        return false
                    }
                    continue
                }
                argument = UInt64(truncatingIfNeeded: bytes[offset])
                offset &+= 1
            }
            guard readItem(first >> 5, argument, start) else {
                return false
            }
        } while advance()
        return failure == nil
    }

    /// Reads what follows a head that has been read.
    @inline(__always)
    mutating func readItem(_ major: UInt8, _ argument: UInt64, _ start: Int) -> Bool {
        switch major {
        case CBOR.Major.text:
            guard let text = readText(argument, limit: limits.valueBytes) else {
                return false
            }
            push(.string(text))
            return true
        case CBOR.Major.unsigned:
            guard let number = Int64(exactly: argument) else {
                return pushOpaque(from: start)
            }
            push(.integer(number))
            return true
        case CBOR.Major.negative:
            guard let number = Int64(exactly: argument) else {
                return pushOpaque(from: start)
            }
            push(.integer(~number))
            return true
        case CBOR.Major.map:
            return openMap(argument, start)
        case CBOR.Major.array:
            return open(.array, argument)
        case CBOR.Major.simple:
            return readSimple(argument, start)
        case CBOR.Major.bytes:
            return readData(argument)
        default:
            return readTagged(argument, start)
        }
    }

    /// Goes to where the next value begins, closing the containers that are whole and reading the
    /// value's key. False when the outermost value is whole, or at a failure.
    @inline(__always)
    private mutating func advance() -> Bool {
        while depth > 0 {
            let frame = frames + (depth &- 1)
            if frame.pointee.kind == .set, !checkElement(frame) {
                return false
            }
            if frame.pointee.missing > 0 {
                frame.pointee.missing &-= 1
                owed &-= 1
                return frame.pointee.kind != .map || readKey(frame)
            }
            guard close(frame) else {
                return false
            }
        }
        return false
    }

    // MARK: - Containers

    /// Opens a container of definite length.
    @inline(__always)
    package mutating func open(_ kind: Frame.Kind, _ argument: UInt64) -> Bool {
        let left = bytes.count &- offset &- owed
        guard argument <= UInt64(truncatingIfNeeded: max(left, 0)) else {
            return fail(.truncated)
        }
        let count = Int(truncatingIfNeeded: argument)
        let items = kind == .map ? count &* 2 : count
        guard items <= left else {
            return fail(.truncated)
        }
        nodesLeft &-= count
        guard nodesLeft >= 0 else {
            return fail(.nodes)
        }
        owed &+= items
        return push(kind, missing: count)
    }

    /// Pushes a frame and makes room for what it will hold.
    package mutating func push(_ kind: Frame.Kind, missing: Int) -> Bool {
        guard depth < levels else {
            return fail(.depth)
        }
        if missing > valueCapacity &- valueCount {
            growValues(missing)
        }
        if kind == .map, missing > keyCapacity &- keyCount {
            growKeys(missing)
        }
        if depth == frameCapacity {
            growFrames()
        }
        (frames + depth).initialize(
            to: Frame(kind: kind, missing: missing, firstValue: valueCount, firstKey: keyCount))
        depth &+= 1
        return true
    }

    /// Puts a value into the slot that its container made for it.
    @inline(__always)
    package mutating func push(_ value: consuming Value) {
        (values + valueCount).initialize(to: value)
        valueCount &+= 1
    }

    // MARK: - Refusals

    @inline(never)
    package mutating func fail(_ refusal: Refusal) -> Bool {
        failure = refusal
        return false
    }
}
