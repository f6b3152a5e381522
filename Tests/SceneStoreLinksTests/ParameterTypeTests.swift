import Testing

import SceneStore
import SceneStoreLinks

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Parameter types")
struct ParameterTypeTests {
    /// What a type makes of texts; `nil` for those that it refuses.
    func values<Value: Equatable>(
        _ type: RouteParameterType<Value>, _ texts: [String]
    ) -> [Value?] {
        texts.map { try? type.parse($0).get() }
    }

    @Test("K-22 R-33 integers are whole texts of ASCII digits within their range")
    func integers() {
        #expect(
            values(
                .integer, ["0", "-0", "007", "-12", "9223372036854775807", "-9223372036854775808"])
                == [0, 0, 7, -12, .max, .min])
        #expect(
            values(
                .integer,
                [
                    "", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "--1", "١", "1_000",
                    "9223372036854775808", String(repeating: "0", count: 129),
                ])
                == Array(repeating: nil, count: 13))
        #expect(values(.integer(in: -1...1), ["-2", "-1", "1", "2"]) == [nil, -1, 1, nil])
        #expect(values(.integer(in: 5...), ["4", "5"]) == [nil, 5])
        #expect(
            values(.unsigned, ["0", "18446744073709551615", "-1", "18446744073709551616"])
                == [0, .max, nil, nil])
        #expect(values(.unsigned(in: 1...2), ["0", "2"]) == [nil, 2])
    }

    @Test("K-22 numbers are JSON's, finite and within their range")
    func numbers() {
        #expect(
            values(.number, ["0", "-0.5", "1.25e3", "1E-2", "00.5"]) == [0, -0.5, 1250, 0.01, 0.5])
        #expect(
            values(
                .number,
                ["", ".5", "5.", "1e", "inf", "nan", "0x1p3", "1e999", "+1", "1,5", " 1", "-"])
                == Array(repeating: nil, count: 12))
        #expect(values(.number(in: 0...1), ["0", "1", "1.0001", "-0.1"]) == [0, 1, nil, nil])
        #expect(RouteParameterType.number.print(.infinity) == nil)
        #expect(RouteParameterType.number.print(.nan) == nil)
    }

    @Test("K-22 Booleans and UUIDs have one spelling each")
    func booleansAndUUIDs() {
        #expect(
            values(.boolean, ["true", "false", "1", "0", "TRUE", "yes", ""])
                == [true, false, true, false, nil, nil, nil])
        let text = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        #expect(
            values(.uuid, [text, text.lowercased(), "{\(text)}", String(text.dropLast()), ""])
                == [UUID(uuidString: text), UUID(uuidString: text), nil, nil, nil])
    }

    @Test("K-22 dates are RFC 3339's, to the last bit")
    func dates() {
        #expect(
            values(
                .date,
                [
                    "1970-01-01", "2026-05-01T12:30:00Z", "2026-05-01T14:30:00.25+02:00",
                    "2000-02-29T23:59:59-00:30", "0001-01-01", "9999-12-31",
                ])
                == [
                    0, 1_777_638_600, 1_777_638_600.25, 951_870_599, -62_135_596_800,
                    253_402_214_400,
                ].map { Date(timeIntervalSince1970: $0) })
        #expect(
            values(
                .date,
                [
                    "", "2026", "2026-13-01", "2026-02-29", "1900-02-29", "2026-04-31",
                    "0000-01-01",
                    "2026-05-01T", "2026-05-01T24:00:00Z", "2026-05-01T12:60:00Z",
                    "2026-05-01T23:59:60Z", "2026-05-01T12:30:00", "2026-05-01 12:30:00Z",
                    "2026-05-01T12:30:00.Z", "2026-05-01T12:30:00+2:00", "2026-05-01T12:30:00Zx",
                    "-2026-05-01",
                ])
                == Array(repeating: nil, count: 17))
        let type = RouteParameterType.date
        #expect(type.print(Date(timeIntervalSince1970: 0.5)) == "1970-01-01T00:00:00.5Z")
        #expect(type.print(.distantFuture) == "4001-01-01T00:00:00Z")
        for interval in [.infinity, .nan, 1e15, -1e15, 1e-300] {
            #expect(type.print(Date(timeIntervalSinceReferenceDate: interval)) == nil)
        }
    }

    @Test("K-22 text is limited in bytes, and an enumeration to its raw values")
    func textsAndEnumerations() {
        #expect(values(.string(length: 1...4), ["", "é", "éé", "ééé"]) == [nil, "é", "éé", nil])
        #expect(RouteParameterType.string(length: 1...4).parse("ééé") == .failure(.tooLong))
        enum Level: Int { case low = -1, high = 10 }
        #expect(
            values(.oneOf(Level.self), ["-1", "10", "1", "x"]) == [.low, .high, nil, nil])
        #expect(RouteParameterType.oneOf(Level.self).parse("x") == .failure(.malformed))
        struct Tag: RawRepresentable, Equatable { var rawValue: String }
        #expect(values(.oneOf(Tag.self), ["any"]) == [Tag(rawValue: "any")])
        #expect(values(.oneOf(Screen.Tab.self), ["edit", "Edit"]) == [.edit, nil])
    }

    @Test("K-22 an app can bring a type of its own")
    func custom() throws {
        struct Color: Equatable { var hex: UInt32 }
        let type = RouteParameterType<Color>.custom(
            "color", maximumBytes: 6, parse: { UInt32($0, radix: 16).map(Color.init) },
            print: { String($0.hex, radix: 16) })
        #expect(values(type, ["ff0000", "x", "ff00000"]) == [Color(hex: 0xff0000), nil, nil])
        let router = try Router<Color>(schemes: ["paint"]) {
            Route("/:color", .path("color", type)) {
                $0
            } print: {
                $0
            }
        }
        #expect(try router.link(to: Color(hex: 0xabc)).text == "paint://abc")
    }
}
