#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

import SceneStore

/// Input that nobody vouches for.
@Suite struct CBORReaderTests {
    /// What the decoder promises for any bytes.
    static func check(_ input: [UInt8]) throws {
        do {
            let value = try ValueCodec.decode(input)
            // What it understands is what the encoder writes.
            #expect(try ValueCodec.encode(value) == input)
            // And what is made at once of the same bytes.
            let made = try atOnce(input)
            #expect(made == value)
            #expect(try ValueCodec.encode(made) == input)
        } catch {
            #expect(error.code == .malformedValue || error.code == .limitExceeded)
        }
        _ = thrown { try ValueCodec.decodeActivity(input) }
        _ = thrown { try ValueCodec.decodePayload(input) }
        _ = thrown { try ValueCodec.decodeConditions(input) }
        _ = thrown { try ValueCodec.decodePlacement(input) }
    }

    static let sample: Value = [
        "tabs": [["path": "/a/b", "line": 300, "scroll": 0.1], ["path": "水", "line": -1]],
        "when": .date(Date(timeIntervalSinceReferenceDate: 12.25)),
        "exact": .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        "page": url("https://example.com/"), "set": .set([1, "a", [2.5]]), "none": nil,
        "id": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "data": .data(Data(repeating: 7, count: 30)), "unknown": opaque("d9ffff820102"),
    ]

    @Test("R-30 random bytes never trap and keep the decoder's promises")
    func randomBytes() throws {
        var numbers = SeededRandom(0x5eed)
        // `Scripts/fuzz.sh` tries more, and longer ones.
        for _ in 0..<10_000 {
            var input: [UInt8] = []
            for _ in 0..<numbers.below(24) {
                input.append(UInt8(truncatingIfNeeded: numbers.next() >> 16))
            }
            try Self.check(input)
        }
    }

    @Test("R-30 R-25 damaged values never trap and keep the decoder's promises")
    func damagedValues() throws {
        var random = RandomValues(seed: 99)
        for _ in 0..<4_000 {
            var input = try ValueCodec.encode(random.value(depth: 3))
            for _ in 0...random.numbers.below(3) where !input.isEmpty {
                let place = random.numbers.below(input.count)
                switch random.numbers.below(3) {
                case 0: input[place] = UInt8(random.numbers.below(256))
                case 1: input.remove(at: place)
                default: input.insert(UInt8(random.numbers.below(256)), at: place)
                }
            }
            try Self.check(input)
        }
    }

    @Test("R-30 every truncation of a value is refused")
    func truncations() throws {
        let whole = try ValueCodec.encode(Self.sample)
        #expect(try ValueCodec.decode(whole) == Self.sample)
        for count in 0..<whole.count {
            let error = thrown { try ValueCodec.decode(Array(whole[..<count])) }
            #expect(error?.code == .malformedValue, "\(count) bytes")
        }
    }

    @Test(
        "R-30 huge lengths are refused before anything is allocated",
        arguments: [
            "9bffffffffffffffff", "9b7fffffffffffffff", "9affffffff", "bbffffffffffffffff",
            "bb7fffffffffffffff", "bb4000000000000000", "5bffffffffffffffff", "7b7fffffffffffffff",
            "d901029bffffffffffffffff", "a17bffffffffffffffff", "d8205bffffffffffffffff",
            "d8257bffffffffffffffff", "d8257bfffffffffffffff0", "d8207bffffffffffffffff",
            "5f5bffffffffffffffff", "7f7b7fffffffffffffff6161", "9b000000000fffffff00",
        ])
    func hugeLengths(hex: String) {
        #expect(
            thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
    }

    @Test("R-30 nested promises of elements cannot add up to more than the input")
    func nestedPromises() {
        // Each array promises all the bytes that are left: only the outermost can be right.
        var input: [UInt8] = []
        for level in 0..<60 {
            input +=
                [0x9a]
                + withUnsafeBytes(of: UInt32(1_000_000 - level * 5 - 5).bigEndian) {
                    Array($0)
                }
        }
        input += [UInt8](repeating: 0, count: 1_000_000 - input.count)
        #expect(thrown { try ValueCodec.decode(input) }?.code == .malformedValue)
    }

    @Test(
        "R-30 ten thousand levels are refused without recursion",
        arguments: ["81", "a16161", "9f", "bf6161", "d9010281", "d9ffff81", "a100"])
    func deepNesting(step: String) {
        var input: [UInt8] = []
        for _ in 0..<10_000 {
            input += bytes(step)
        }
        for end in ["", "00", "80", "a0"] {
            let error = thrown { try ValueCodec.decode(input + bytes(end)) }
            #expect(
                error?.code == .limitExceeded
                    || error?.code == .malformedValue)
        }
    }

    @Test("R-30 a chain of ten thousand tags is one unknown value")
    func tagChain() throws {
        let input = [UInt8](repeating: 0xc6, count: 10_000) + [0x00]
        let value = try ValueCodec.decode(input)
        #expect(value == .opaque(OpaqueValue(encoded: input)))
        #expect(try ValueCodec.encode(value) == input)
    }

    @Test("R-30 trailing bytes are refused", arguments: ["0000", "a000", "6161ff"])
    func trailingBytes(hex: String) {
        #expect(
            thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
    }

    @Test(
        "R-30 duplicate keys are refused",
        arguments: [
            "a2616101616102", "a3616101616202616103", "bf616101616102ff", "a27f6161ff01616102",
        ])
    func duplicateKeys(hex: String) {
        #expect(
            thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
    }

    @Test(
        "R-30 what is not deterministic is refused",
        arguments: [
            "1800", "190017", "1a00000018", "1b00000000ffffffff", "3800", "7801 61", "580101",
            "980101", "b801616101", "a178016101", "a2616201616102", "a262616101616202",
            "fa3fc00000", "fb3ff8000000000000", "fb40f86a0000000000", "c100", "d80100", "d9000100",
            "d8258050", "da0000010280", "d901029f01ff",
        ])
    func notDeterministic(hex: String) {
        #expect(thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
    }

    @Test(
        "R-30 text that is not UTF-8 is refused, also in keys and chunks",
        arguments: [
            "61ff", "62c328", "63e28028", "64f0288cbc", "63eda080", "62c080", "64f4908080",
            "61c3", "a161ff01", "7f61c361bcff", "6a6162636465666768c328",
        ])
    func invalidText(hex: String) {
        #expect(
            thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
    }

    @Test("R-30 the UTF-8 check agrees with the standard library")
    func utf8Check() {
        var numbers = SeededRandom(3)
        let pieces: [[UInt8]] = [
            [0x41], Array("水".utf8), Array("𐅑".utf8), Array("é".utf8), [0xc3], [0xe2, 0x82],
            [0xf0, 0x9f, 0x98], [0x80], [0xed, 0xa0, 0x80], [0xff], Array("abcdefghij".utf8),
        ]
        for _ in 0..<20_000 {
            var text: [UInt8] = []
            for _ in 0..<numbers.below(6) {
                text += pieces[numbers.below(numbers.below(2) == 0 ? 4 : pieces.count)]
            }
            let isValid = text.withUnsafeBytes { UTF8Check.isValid($0) }
            #expect(isValid == (String(validating: text, as: UTF8.self) != nil))
        }
    }

    @Test(
        "R-30 unknown kinds survive a rewrite",
        arguments: [
            "f7", "e0", "f3", "f8ff", "1bffffffffffffffff", "3b8000000000000000", "c2420102",
            "d9ffff6161", "d9ffffd9fffe80", "c074", "d8187f6161ff", "a10102", "a2616201f6f6",
            "bf01029f03ffff", "d8256161", "d82541ff", "d82001", "c16161", "c1f97c00", "c1f6",
            "d9010201", "d90102a0", "da5353443101", "c0c0c0fb0000000000000000", "b90001f501",
        ])
    func unknownKinds(hex: String) throws {
        for (before, after) in [("", ""), ("81", ""), ("a16161", ""), ("82", "00")] {
            let input = bytes(before + hex + after)
            let value: Value
            do {
                value = try ValueCodec.decode(input)
            } catch {
                // A few of them are not well-formed or mix keys.
                continue
            }
            #expect(try ValueCodec.encode(value) == input)
            #expect(try ValueCodec.decode(ValueCodec.encode(value)) == value)
        }
    }

    @Test("R-30 unknown kinds are really kept, not refused")
    func unknownKindsAreOpaque() throws {
        for hex in ["f7", "f8ff", "c2420102", "d9ffff6161", "a10102", "d82541ff", "c1f97c00"] {
            guard case .opaque = try ValueCodec.decode(bytes(hex)) else {
                Issue.record("\(hex) was not kept")
                continue
            }
        }
    }

    @Test("R-30 a map with text keys and others is refused")
    func mixedKeys() {
        #expect(
            thrown { try ValueCodec.decode(bytes("a26161010102")) }?.code
                == .malformedValue)
    }

    @Test("R-30 limits of depth, nodes, bytes and keys hold when reading")
    func readingLimits() throws {
        func code(_ value: Value, _ change: (inout Limits) -> Void) throws -> SceneStoreError.Code?
        {
            var limits = Limits()
            change(&limits)
            let encoded = try ValueCodec.encode(value)
            return thrown { try ValueCodec.decode(encoded, limits: limits) }?.code
        }
        #expect(try code([[[]]]) { $0.depth = 3 } == nil)
        #expect(try code([[[]]]) { $0.depth = 2 } == .limitExceeded)
        #expect(try code(["a": ["b": [:]]]) { $0.depth = 2 } == .limitExceeded)
        #expect(try code([.set([.set([])])]) { $0.depth = 2 } == .limitExceeded)
        #expect(try code([opaque("d9ffff8180")]) { $0.depth = 2 } == .limitExceeded)
        #expect(try code([opaque("d9ffff8180")]) { $0.depth = 3 } == nil)
        #expect(try code([1, 2, 3]) { $0.nodes = 4 } == nil)
        #expect(try code([1, 2, 3]) { $0.nodes = 3 } == .limitExceeded)
        #expect(try code(["a": 1, "b": 2]) { $0.nodes = 3 } == nil)
        #expect(try code([opaque("d9ffff8101")]) { $0.nodes = 4 } == nil)
        #expect(try code([opaque("d9ffff8101")]) { $0.nodes = 3 } == .limitExceeded)
        #expect(try code("abcd") { $0.valueBytes = 4 } == nil)
        #expect(try code("abcde") { $0.valueBytes = 4 } == .limitExceeded)
        #expect(try code(.data(Data(count: 5))) { $0.valueBytes = 4 } == .limitExceeded)
        #expect(try code(["abcde": 1]) { $0.keyBytes = 4 } == .limitExceeded)
        #expect(try code(["abcd": 1]) { $0.keyBytes = 4 } == nil)
        #expect(try code([1, 2, 3]) { $0.sessionBytes = 3 } == .limitExceeded)
        #expect(try code([1, 2, 3]) { $0.sessionBytes = 4 } == nil)
    }

    @Test("R-30 nodes are limited before memory is allocated for them")
    func nodesBeforeAllocation() throws {
        var limits = Limits()
        limits.nodes = 1000
        let input = bytes("9a00f00000") + [UInt8](repeating: 0, count: 0xf0_0000)
        #expect(thrown { try ValueCodec.decode(input, limits: limits) }?.code == .limitExceeded)
    }

    #if canImport(Glibc)
        @Test(
            "R-30 memory stays below the input and 128 bytes a node",
            .enabled(
                if: dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil,
                "a sanitizer takes memory itself"))
        func memory() async {
            // Other tests take memory of their process meanwhile.
            await #expect(processExitsWith: .success) {
                let count = 400_000
                let head =
                    [UInt8(0x9a)] + withUnsafeBytes(of: UInt32(count).bigEndian) { Array($0) }
                let inputs: [(name: String, nodes: Int, bytes: [UInt8])] = [
                    ("integers", count, head + [UInt8](repeating: 0, count: count)),
                    ("empty arrays", count, head + [UInt8](repeating: 0x80, count: count)),
                    ("empty maps", count, head + [UInt8](repeating: 0xa0, count: count)),
                    (
                        "short texts", count,
                        head
                            + (0..<count).flatMap { _ in
                                bytes("70") + [UInt8](repeating: 97, count: 16)
                            }
                    ),
                    (
                        "arrays of one", count * 2,
                        head + (0..<count).flatMap { _ in [UInt8(0x81), 0] }
                    ),
                    (
                        "maps of one", count * 2,
                        head + (0..<count).flatMap { _ in [UInt8(0xa1), 0x61, 0x61, 0] }
                    ),
                ]
                for input in inputs {
                    let before = CBORReaderTests.residentBytes
                    let value = try ValueCodec.decode(input.bytes)
                    let taken = CBORReaderTests.residentBytes - before
                    #expect(
                        taken < input.bytes.count + 128 * input.nodes,
                        "\(input.name): \(taken / input.nodes) bytes a node")
                    #expect(value.arrayValue?.count == count)
                }
            }
        }

        /// The bytes of this process that are in memory.
        static var residentBytes: Int {
            guard let file = fopen("/proc/self/statm", "r") else {
                return 0
            }
            defer { fclose(file) }
            var text = [CChar](repeating: 0, count: 128)
            guard fgets(&text, Int32(text.count), file) != nil else {
                return 0
            }
            let line = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = line.split(separator: " ")
            return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
        }
    #endif
}
