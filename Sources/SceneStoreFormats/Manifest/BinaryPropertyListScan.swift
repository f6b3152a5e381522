import SceneStoreValues

/// Walks a binary property list as its reader would expand it: shared objects are counted as often
/// as they are referred to, and an object may not contain itself.
struct BinaryPropertyListScan {
    private let bytes: UnsafeRawBufferPointer
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let objectCount: Int
    /// Where the offsets begin, and the objects end.
    private let table: Int
    private let top: Int

    /// An array, set or dictionary that is being walked.
    private struct Frame {
        var object: Int
        /// Where its next reference stands.
        var next: Int
        /// References that were not followed.
        var missing: Int
        /// How many of them are keys: the first ones.
        var keys: Int
        /// The keys so far.
        var names: Set<[UInt8]> = []
    }

    /// What an object is, as far as the walk cares.
    private enum Object {
        case leaf(bytes: Int, text: Text?)
        case container(references: Int, start: Int, keys: Int)
    }

    /// Where a text stands.
    private struct Text {
        var place: Int
        var count: Int
        /// Bytes of each of its units: 1 for ASCII, 2 for UTF-16.
        var width: Int
    }

    /// Throws unless every reachable object lies inside the bytes and their expansion is bounded.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(SceneStoreError) {
        try BinaryPropertyListScan(bytes).walk()
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(SceneStoreError) {
        self.bytes = bytes
        // The magic number, one object, one offset and the trailer.
        guard bytes.count >= 8 + 1 + 1 + 32, bytes.starts(with: "bplist0".utf8) else {
            throw PropertyListScan.malformed("it is not a complete binary list of version 0")
        }
        let trailer = bytes.count - 32
        offsetWidth = Int(bytes[trailer + 6])
        referenceWidth = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
            let count = Self.number(bytes, trailer + 8, 8), count > 0,
            let top = Self.number(bytes, trailer + 16, 8), top < count,
            let table = Self.number(bytes, trailer + 24, 8), table > 8, table < trailer,
            count <= trailer, table + count * offsetWidth == trailer
        else {
            throw PropertyListScan.malformed("its trailer does not fit")
        }
        guard count <= PropertyListScan.maximumObjects else {
            throw PropertyListScan.tooLarge("more than \(PropertyListScan.maximumObjects) objects")
        }
        objectCount = count
        self.top = top
        self.table = table
    }

    private func walk() throws(SceneStoreError) {
        var isOpen = [Bool](repeating: false, count: objectCount)
        var open: [Frame] = []
        var objects = 0
        var expanded = 0
        var next: (index: Int, isKey: Bool)? = (top, false)
        while let (index, isKey) = next {
            objects += 1
            guard objects <= PropertyListScan.maximumObjects else {
                throw PropertyListScan.tooLarge(
                    "more than \(PropertyListScan.maximumObjects) values when expanded")
            }
            guard !isOpen[index] else {
                throw PropertyListScan.malformed("an object contains itself")
            }
            switch try object(index) {
            case .leaf(let count, let text):
                expanded += count
                guard expanded <= PropertyListScan.maximumExpandedBytes else {
                    throw PropertyListScan.tooLarge(
                        "more than \(PropertyListScan.maximumExpandedBytes) bytes when expanded")
                }
                if isKey {
                    try note(text, in: &open)
                }
            case .container(let references, let start, let keys):
                guard !isKey else {
                    throw PropertyListScan.malformed("a key is not text")
                }
                guard open.count < PropertyListScan.maximumDepth else {
                    throw PropertyListScan.tooDeep()
                }
                isOpen[index] = true
                open.append(Frame(object: index, next: start, missing: references, keys: keys))
            }
            next = nil
            while next == nil, var frame = open.popLast() {
                guard frame.missing > 0 else {
                    isOpen[frame.object] = false
                    continue
                }
                guard let reference = Self.number(bytes, frame.next, referenceWidth),
                    reference < objectCount
                else {
                    throw PropertyListScan.malformed("a reference leads nowhere")
                }
                next = (reference, frame.keys > 0)
                frame.next += referenceWidth
                frame.missing -= 1
                frame.keys -= 1
                open.append(frame)
            }
        }
    }

    /// Notes a key of the innermost dictionary. Of two equal ones a reader takes either.
    private func note(_ key: Text?, in open: inout [Frame]) throws(SceneStoreError) {
        guard let key, let frame = open.indices.last else {
            throw PropertyListScan.malformed("a key is not text")
        }
        let units = bytes[key.place..<key.place + key.count]
        // ASCII as UTF-16, so that both ways to write a key are one.
        let name = key.width == 2 ? Array(units) : units.flatMap { [0, $0] }
        guard open[frame].names.insert(name).inserted else {
            throw PropertyListScan.malformed("a key occurs twice in a dictionary")
        }
    }

    private func object(_ index: Int) throws(SceneStoreError) -> Object {
        guard var place = Self.number(bytes, table + index * offsetWidth, offsetWidth),
            place >= 8, place < table
        else {
            throw PropertyListScan.malformed("an object is outside")
        }
        let marker = bytes[place]
        let low = Int(marker & 0x0f)
        place += 1
        switch marker >> 4 {
        case 0x0 where marker == 0x00 || marker == 0x08 || marker == 0x09:
            return .leaf(bytes: 0, text: nil)
        case 0x1 where low <= 4:
            return try leaf(1 << low, at: place)
        case 0x2 where low == 2 || low == 3:
            return try leaf(1 << low, at: place)
        case 0x3 where low == 3:
            return try leaf(8, at: place)
        case 0x8:
            return try leaf(low + 1, at: place)
        case 0x4, 0x5, 0x6:
            let count = try length(low, &place)
            let width = marker >> 4 == 0x6 ? 2 : 1
            return try leaf(
                count * width, at: place, textWidth: marker >> 4 == 0x4 ? nil : width)
        case 0xa, 0xc, 0xd:
            let count = try length(low, &place)
            let isDictionary = marker >> 4 == 0xd
            let references = isDictionary ? count * 2 : count
            guard references * referenceWidth <= table - place else {
                throw PropertyListScan.malformed("a container is longer than the rest")
            }
            return .container(
                references: references, start: place, keys: isDictionary ? count : 0)
        default:
            throw PropertyListScan.malformed("an object is of an unknown kind")
        }
    }

    private func leaf(
        _ count: Int, at place: Int, textWidth: Int? = nil
    ) throws(SceneStoreError) -> Object {
        guard count <= table - place else {
            throw PropertyListScan.malformed("an object is longer than the rest")
        }
        return .leaf(
            bytes: count,
            text: textWidth.map { Text(place: place, count: count, width: $0) })
    }

    /// The length in a marker, or in the integer behind it; never more than the input has bytes.
    private func length(_ low: Int, _ place: inout Int) throws(SceneStoreError) -> Int {
        guard low == 0x0f else {
            return low
        }
        guard place < table, bytes[place] >> 4 == 0x1, bytes[place] & 0x0f <= 3 else {
            throw PropertyListScan.malformed("a length is not an integer")
        }
        let width = 1 << Int(bytes[place] & 0x0f)
        guard let count = Self.number(bytes, place + 1, width), place + 1 + width <= table,
            count <= bytes.count
        else {
            throw PropertyListScan.malformed("a length is greater than the rest")
        }
        place += 1 + width
        return count
    }

    /// A big-endian number of up to eight bytes; nil when it lies outside or is greater than any
    /// place in the input could be.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ width: Int) -> Int?
    {
        guard place >= 0, width <= bytes.count - place else {
            return nil
        }
        var number: UInt64 = 0
        for index in place..<(place + width) {
            number = number << 8 | UInt64(bytes[index])
        }
        return number <= UInt64(Int32.max) ? Int(number) : nil
    }
}
