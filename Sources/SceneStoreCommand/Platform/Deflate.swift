/// Compressed data (DEFLATE, RFC 1951). What is written has the fixed codes; whatever other tools
/// write is read.
enum Deflate {
    /// Lengths from 3 in steps of the symbols 257 to 285: where each begins, and its extra bits.
    private static let lengths =
        steps(
            from: 3,
            extra: [0, 0, 0, 0, 0, 0, 0, 0]
                + (1...5).flatMap { [$0, $0, $0, $0] }) + [(258, 0)]
    private static let distances = steps(
        from: 1,
        extra: [0, 0, 0, 0]
            + (1...13).flatMap { [$0, $0] })

    private static func steps(from start: Int, extra: [Int]) -> [(base: Int, extra: Int)] {
        var base = start
        return extra.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }

    private static let fixedLengths =
        [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
        + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8)

    // MARK: - Writing

    /// The code of each symbol, with its first bit lowest, and its length.
    private static func codes(_ lengths: [UInt8]) -> [(bits: UInt32, count: Int)] {
        var next = [UInt32](repeating: 0, count: 17)
        for length in 1...15 {
            let shorter = UInt32(lengths.count { Int($0) == length - 1 && $0 > 0 })
            next[length] = (next[length - 1] + shorter) << 1
        }
        return lengths.map { length in
            defer { next[Int(length)] += 1 }
            var bits: UInt32 = 0
            for place in 0..<UInt32(length) where next[Int(length)] >> place & 1 == 1 {
                bits |= 1 << (UInt32(length) - 1 - place)
            }
            return (bits, Int(length))
        }
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        private var pending: UInt64 = 0
        private var count = 0

        mutating func write(_ bits: UInt32, _ length: Int) {
            pending |= UInt64(bits) << UInt64(count)
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        mutating func finish() {
            write(0, (8 - count) & 7)
        }
    }

    private static let window = 32_768
    /// Earlier places that are compared with each place.
    private static let attempts = 16

    /// Compresses bytes into one block.
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        let codes = codes(fixedLengths)
        let distanceCodes = self.codes([UInt8](repeating: 5, count: 30))
        let symbols = (3...258).map { length in lengths.lastIndex { $0.base <= length } ?? 0 }
        var writer = BitWriter()
        writer.write(0b011, 3)
        var newest = [Int](repeating: -1, count: window)
        var before = [Int](repeating: -1, count: window)
        bytes.withUnsafeBufferPointer { input in
            func hash(_ place: Int) -> Int {
                let three =
                    UInt32(input[place]) << 16 | UInt32(input[place + 1]) << 8
                    | UInt32(input[place + 2])
                return Int((three &* 0x9E37_79B1) >> 17)
            }
            func match(at place: Int) -> (length: Int, distance: Int) {
                var best = (length: 0, distance: 0)
                var candidate = newest[hash(place)]
                let most = min(258, input.count - place)
                for _ in 0..<attempts where candidate >= 0 && place - candidate <= window {
                    var length = 0
                    while length < most, input[candidate + length] == input[place + length] {
                        length += 1
                    }
                    if length > best.length {
                        best = (length, place - candidate)
                    }
                    let earlier = before[candidate % window]
                    candidate = earlier < candidate ? earlier : -1
                }
                return best
            }
            var place = 0
            while place < input.count {
                let found =
                    place + 2 < input.count ? match(at: place) : (length: 0, distance: 0)
                let length = found.length >= 3 ? found.length : 1
                if length == 1 {
                    let code = codes[Int(input[place])]
                    writer.write(code.bits, code.count)
                } else {
                    let symbol = symbols[length - 3]
                    let code = codes[257 + symbol]
                    writer.write(code.bits, code.count)
                    writer.write(UInt32(length - lengths[symbol].base), lengths[symbol].extra)
                    let step = distances.lastIndex { $0.base <= found.distance } ?? 0
                    writer.write(distanceCodes[step].bits, 5)
                    writer.write(
                        UInt32(found.distance - distances[step].base), distances[step].extra)
                }
                for known in place..<min(place + length, max(place, input.count - 2)) {
                    let hash = hash(known)
                    before[known % window] = newest[hash]
                    newest[hash] = known
                }
                place += length
            }
        }
        writer.write(codes[256].bits, codes[256].count)
        writer.finish()
        return writer.bytes
    }

    // MARK: - Reading

    private struct Malformed: Error {}

    private struct BitReader {
        let bytes: ArraySlice<UInt8>
        private var place: Int
        private var pending: UInt32 = 0
        private var count = 0

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            place = bytes.startIndex
        }

        mutating func read(_ length: Int) throws -> Int {
            while count < length {
                pending |= UInt32(try byte()) << UInt32(count)
                count += 8
            }
            defer {
                pending >>= UInt32(length)
                count -= length
            }
            return Int(pending & ((1 << UInt32(length)) - 1))
        }

        mutating func byte() throws -> UInt8 {
            guard place < bytes.endIndex else {
                throw Malformed()
            }
            defer { place += 1 }
            return bytes[place]
        }

        /// The rest of a byte stands for nothing before stored bytes.
        mutating func skipToByte() {
            pending = 0
            count = 0
        }
    }

    /// The codes of a block: how many there are of each length, and their symbols in order.
    private struct Codes {
        private var counts = [Int](repeating: 0, count: 16)
        private var symbols: [Int] = []

        init(_ lengths: [UInt8]) {
            for length in 1...15 {
                for (symbol, own) in lengths.enumerated() where Int(own) == length {
                    counts[length] += 1
                    symbols.append(symbol)
                }
            }
        }

        func next(_ reader: inout BitReader) throws -> Int {
            var (code, first, index) = (0, 0, 0)
            for length in 1...15 {
                code |= try reader.read(1)
                if code - first < counts[length] {
                    return symbols[index + code - first]
                }
                index += counts[length]
                first = (first + counts[length]) << 1
                code <<= 1
            }
            throw Malformed()
        }
    }

    /// Expands bytes; nil if they are malformed, or would become longer than a limit.
    static func expanded(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        var reader = BitReader(bytes)
        var output: [UInt8] = []
        do {
            var isLast = false
            while !isLast {
                isLast = try reader.read(1) == 1
                switch try reader.read(2) {
                case 0:
                    reader.skipToByte()
                    let length = try reader.read(16)
                    guard try reader.read(16) == ~length & 0xFFFF, output.count + length <= limit
                    else {
                        return nil
                    }
                    for _ in 0..<length {
                        output.append(UInt8(try reader.read(8)))
                    }
                case 1:
                    try expand(
                        &reader, Codes(fixedLengths), Codes([UInt8](repeating: 5, count: 30)),
                        into: &output, limit)
                case 2:
                    let (literals, distances) = try codes(&reader)
                    try expand(&reader, literals, distances, into: &output, limit)
                default: return nil
                }
            }
            return output
        } catch {
            return nil
        }
    }

    /// The codes of a block that brings its own.
    private static func codes(_ reader: inout BitReader) throws -> (Codes, Codes) {
        let literals = try reader.read(5) + 257
        let distances = try reader.read(5) + 1
        let count = try reader.read(4) + 4
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var own = [UInt8](repeating: 0, count: 19)
        for symbol in order.prefix(count) {
            own[symbol] = UInt8(try reader.read(3))
        }
        let codes = Codes(own)
        var lengths: [UInt8] = []
        while lengths.count < literals + distances {
            let symbol = try codes.next(&reader)
            switch symbol {
            case 16:
                guard let last = lengths.last else {
                    throw Malformed()
                }
                lengths += [UInt8](repeating: last, count: 3 + (try reader.read(2)))
            case 17: lengths += [UInt8](repeating: 0, count: 3 + (try reader.read(3)))
            case 18: lengths += [UInt8](repeating: 0, count: 11 + (try reader.read(7)))
            default: lengths.append(UInt8(symbol))
            }
        }
        guard lengths.count == literals + distances else {
            throw Malformed()
        }
        return (Codes(Array(lengths[..<literals])), Codes(Array(lengths[literals...])))
    }

    private static func expand(
        _ reader: inout BitReader, _ literals: Codes, _ far: Codes, into output: inout [UInt8],
        _ limit: Int
    ) throws {
        while true {
            let symbol = try literals.next(&reader)
            guard symbol != 256 else {
                return
            }
            guard symbol > 256 else {
                output.append(UInt8(symbol))
                guard output.count <= limit else {
                    throw Malformed()
                }
                continue
            }
            guard symbol - 257 < lengths.count else {
                throw Malformed()
            }
            let step = lengths[symbol - 257]
            let length = try step.base + reader.read(step.extra)
            let place = try far.next(&reader)
            guard place < distances.count else {
                throw Malformed()
            }
            let distance = try distances[place].base + reader.read(distances[place].extra)
            guard distance <= output.count, output.count + length <= limit else {
                throw Malformed()
            }
            for _ in 0..<length {
                output.append(output[output.count - distance])
            }
        }
    }
}
