/// Finds the end of one CBOR data item whose meaning does not matter, and checks that it is
/// well-formed (RFC 8949, appendix C), indefinite lengths included.
///
/// Works without recursion, in time linear in the item, and in space bounded by the levels.
struct ItemSkipper {
    enum Answer: Equatable {
        /// Well-formed; the item ends before this offset.
        case end(Int)
        case malformed
        case tooDeep
        case tooManyNodes
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let levels: Int
    /// Items that may still be read; keys and tags count too.
    private(set) var nodesLeft: Int
    /// The open containers.
    private var open: [Level] = []

    private enum Level {
        /// Items that are still missing.
        case definite(Int)
        /// Open until a break; whether a key is wanted next, for maps.
        case array
        case map(wantsKey: Bool)
        /// Chunks of a byte or text string of this major type.
        case chunks(UInt8)
    }

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0, nodes: Int, levels: Int) {
        self.bytes = bytes
        self.offset = offset
        nodesLeft = nodes
        self.levels = levels
    }

    /// Reads one item.
    mutating func skip() -> Answer {
        repeat {
            guard offset < bytes.count else {
                return .malformed
            }
            let first = bytes[offset]
            offset += 1
            if first == CBOR.Byte.break {
                guard closeIndefinite() else {
                    return .malformed
                }
                completeItem()
                continue
            }
            if case .chunks(let major) = open.last, first >> 5 != major || first & 0x1f == 31 {
                return .malformed
            }
            nodesLeft -= 1
            guard nodesLeft >= 0 else {
                return .tooManyNodes
            }
            switch readItem(first) {
            case .leaf: completeItem()
            case .opened, .tagged: break
            case .malformed: return .malformed
            }
            guard open.count <= levels else {
                return .tooDeep
            }
        } while !open.isEmpty || isTagged
        return .end(offset)
    }

    /// Whether a tag still waits for its content.
    private var isTagged = false

    private enum Step {
        case leaf, opened, tagged, malformed
    }

    private mutating func readItem(_ first: UInt8) -> Step {
        let major = first >> 5
        let info = first & 0x1f
        isTagged = false
        if info == 31 {
            switch major {
            case CBOR.Major.bytes, CBOR.Major.text: open.append(.chunks(major))
            case CBOR.Major.array: open.append(.array)
            case CBOR.Major.map: open.append(.map(wantsKey: true))
            default: return .malformed
            }
            return .opened
        }
        guard let argument = readArgument(info) else {
            return .malformed
        }
        let left = bytes.count - offset
        switch major {
        case CBOR.Major.bytes, CBOR.Major.text:
            guard argument <= left else {
                return .malformed
            }
            offset += Int(argument)
            return .leaf
        case CBOR.Major.array, CBOR.Major.map:
            // Each item needs a byte at least.
            guard argument <= left else {
                return .malformed
            }
            let items = major == CBOR.Major.map ? Int(argument) * 2 : Int(argument)
            // An empty container is a level too.
            open.append(.definite(items))
            if items == 0 {
                guard open.count <= levels else {
                    return .opened
                }
                open.removeLast()
                return .leaf
            }
            return .opened
        case CBOR.Major.tag:
            isTagged = true
            return .tagged
        case CBOR.Major.simple:
            // One value, one way to write it: below 32 in the first byte alone.
            return info == 24 && argument < 32 ? .malformed : .leaf
        default:
            return .leaf
        }
    }

    private mutating func readArgument(_ info: UInt8) -> UInt64? {
        guard info >= 24 else {
            return UInt64(info)
        }
        guard info < 28 else {
            return nil
        }
        let width = 1 << Int(info - 24)
        guard width <= bytes.count - offset else {
            return nil
        }
        var argument: UInt64 = 0
        for index in offset..<(offset + width) {
            argument = argument << 8 | UInt64(bytes[index])
        }
        offset += width
        return argument
    }

    /// Ends the innermost container at a break, if it is one that a break may end.
    private mutating func closeIndefinite() -> Bool {
        guard !isTagged, let last = open.last else {
            return false
        }
        switch last {
        case .array, .chunks, .map(wantsKey: true):
            open.removeLast()
            return true
        case .definite, .map(wantsKey: false):
            return false
        }
    }

    /// Counts an item that is whole, and all containers that are whole by it.
    private mutating func completeItem() {
        while let last = open.popLast() {
            switch last {
            case .definite(let missing) where missing <= 1:
                continue
            case .definite(let missing):
                open.append(.definite(missing - 1))
            case .map(let wantsKey):
                open.append(.map(wantsKey: !wantsKey))
            case .array, .chunks:
                open.append(last)
            }
            return
        }
    }
}
