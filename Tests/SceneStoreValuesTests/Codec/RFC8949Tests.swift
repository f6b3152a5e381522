#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStore

/// The examples of RFC 8949: appendix A (values) and appendix F (what is not well-formed).
@Suite struct RFC8949Tests {
    struct Example: Sendable, CustomTestStringConvertible {
        var hex: String
        var value: Value
        /// Whether the deterministic form is this one.
        var isCanonical = true

        init(_ hex: String, _ value: Value, isCanonical: Bool = true) {
            self.hex = hex
            self.value = value
            self.isCanonical = isCanonical
        }

        var testDescription: String { hex }
    }

    static let oneTo25: Value = .array((1...25).map { .integer($0) })

    static let examples: [Example] = [
        Example("00", 0), Example("01", 1), Example("0a", 10), Example("17", 23),
        Example("1818", 24), Example("1819", 25), Example("1864", 100), Example("1903e8", 1000),
        Example("1a000f4240", 1_000_000), Example("1b000000e8d4a51000", 1_000_000_000_000),
        Example("1bffffffffffffffff", opaque("1bffffffffffffffff")),
        Example("c249010000000000000000", opaque("c249010000000000000000")),
        Example("3bffffffffffffffff", opaque("3bffffffffffffffff")),
        Example("c349010000000000000000", opaque("c349010000000000000000")),
        Example("20", -1), Example("29", -10), Example("3863", -100), Example("3903e7", -1000),
        Example("f90000", 0.0), Example("f98000", .double(-0.0)), Example("f93c00", 1.0),
        Example("fb3ff199999999999a", 1.1), Example("f93e00", 1.5), Example("f97bff", 65504.0),
        Example("fa47c35000", 100_000.0), Example("fa7f7fffff", 3.4028234663852886e+38),
        Example("fb7e37e43c8800759c", 1.0e+300), Example("f90001", 5.960464477539063e-8),
        Example("f90400", 0.00006103515625), Example("f9c400", -4.0),
        Example("fbc010666666666666", -4.1), Example("f97c00", .double(.infinity)),
        Example("f97e00", .double(.nan)), Example("f9fc00", .double(-.infinity)),
        Example("fa7f800000", .double(.infinity), isCanonical: false),
        Example("fa7fc00000", .double(.nan), isCanonical: false),
        Example("faff800000", .double(-.infinity), isCanonical: false),
        Example("fb7ff0000000000000", .double(.infinity), isCanonical: false),
        Example("fb7ff8000000000000", .double(.nan), isCanonical: false),
        Example("fbfff0000000000000", .double(-.infinity), isCanonical: false),
        Example("f4", false), Example("f5", true), Example("f6", nil),
        Example("f7", opaque("f7")), Example("f0", opaque("f0")), Example("f8ff", opaque("f8ff")),
        Example(
            "c074323031332d30332d32315432303a30343a30305a",
            opaque("c074323031332d30332d32315432303a30343a30305a")),
        Example(
            "c11a514b67b0", .date(Date(timeIntervalSince1970: 1_363_896_240)), isCanonical: false),
        Example(
            "c1fb41d452d9ec200000", .date(Date(timeIntervalSince1970: 1_363_896_240.5))),
        Example("d74401020304", opaque("d74401020304")),
        Example("d818456449455446", opaque("d818456449455446")),
        Example(
            "d82076687474703a2f2f7777772e6578616d706c652e636f6d", url("http://www.example.com")),
        Example("40", .data(Data())), Example("4401020304", .data(Data([1, 2, 3, 4]))),
        Example("60", ""), Example("6161", "a"), Example("6449455446", "IETF"),
        Example("62225c", "\"\\"), Example("62c3bc", "\u{fc}"), Example("63e6b0b4", "\u{6c34}"),
        Example("64f0908591", "\u{10151}"), Example("80", []), Example("83010203", [1, 2, 3]),
        Example("8301820203820405", [1, [2, 3], [4, 5]]),
        Example("98190102030405060708090a0b0c0d0e0f101112131415161718181819", oneTo25),
        Example("a0", [:]), Example("a201020304", opaque("a201020304")),
        Example("a26161016162820203", ["a": 1, "b": [2, 3]]),
        Example("826161a161626163", ["a", ["b": "c"]]),
        Example(
            "a56161614161626142616361436164614461656145",
            ["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"]),
        Example("5f42010243030405ff", .data(Data([1, 2, 3, 4, 5])), isCanonical: false),
        Example("7f657374726561646d696e67ff", "streaming", isCanonical: false),
        Example("9fff", [], isCanonical: false),
        Example("9f018202039f0405ffff", [1, [2, 3], [4, 5]], isCanonical: false),
        Example("9f01820203820405ff", [1, [2, 3], [4, 5]], isCanonical: false),
        Example("83018202039f0405ff", [1, [2, 3], [4, 5]], isCanonical: false),
        Example("83019f0203ff820405", [1, [2, 3], [4, 5]], isCanonical: false),
        Example(
            "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", oneTo25,
            isCanonical: false),
        Example("bf61610161629f0203ffff", ["a": 1, "b": [2, 3]], isCanonical: false),
        Example("826161bf61626163ff", ["a", ["b": "c"]], isCanonical: false),
        Example("bf6346756ef563416d7421ff", ["Fun": true, "Amt": -2], isCanonical: false),
    ]

    @Test("R-30 the decoder reads the deterministic examples and no other", arguments: examples)
    func strict(example: Example) throws {
        if example.isCanonical {
            #expect(try ValueCodec.decode(bytes(example.hex)) == example.value)
        } else {
            #expect(
                thrown { try ValueCodec.decode(bytes(example.hex)) }?.code == .malformedValue)
        }
    }

    @Test(
        "L-82 the encoder writes the examples as RFC 8949 prints them",
        arguments: examples.filter(\.isCanonical))
    func encode(example: Example) throws {
        #expect(hex(try ValueCodec.encode(example.value)) == example.hex)
    }

    static let notWellFormed = [
        // The input ends in a head.
        "18", "19", "1a", "1b", "1901", "1a0102", "1b01020304050607", "38", "58", "78", "98",
        "9a01ff00", "b8", "d8", "f8", "f900", "fa0000", "fb000000",
        // Strings that are longer than what follows.
        "41", "61", "5affffffff00", "5bffffffffffffffff010203", "7affffffff00",
        "7b7fffffffffffffff010203",
        // Containers that are not closed.
        "81", "818181818181818181", "8200", "a1", "a20102", "a100", "a2000000", "c0",
        "5f4100", "7f6100", "9f", "9f0102", "bf", "bf01020102", "819f", "9f8000",
        "9f9f9f9f9fffffffff", "9f819f819f9fffffff",
        // Reserved additional information.
        "1c", "1d", "1e", "3c", "3d", "3e", "5c", "5d", "5e", "7c", "7d", "7e", "9c", "9d", "9e",
        "bc", "bd", "be", "dc", "dd", "de", "fc", "fd", "fe", "f800", "f801", "f818", "f81f",
        // Chunks of another type, or without a length.
        "5f00ff", "5f21ff", "5f6100ff", "5f80ff", "5fa0ff", "5fc000ff", "5fe0ff", "7f4100ff",
        "5f5f4100ffff", "7f7f6100ffff",
        // A break where none may be.
        "ff", "81ff", "8200ff", "a1ff", "a1ff00", "a100ff", "a20000ff", "9f81ff",
        "9f829f819f9fffffffff", "bf00ff", "bf000000ff", "1f", "3f", "df",
    ]

    @Test("R-30 what is not well-formed is refused", arguments: notWellFormed)
    func malformed(hex: String) {
        #expect(
            thrown { try ValueCodec.decode(bytes(hex)) }?.code == .malformedValue)
        // The same inside an unknown tag, where only the skipper looks.
        #expect(
            thrown { try ValueCodec.decode(bytes("d9 ffff" + hex)) }?.code
                == .malformedValue)
    }
}
