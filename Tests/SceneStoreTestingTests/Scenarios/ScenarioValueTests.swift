#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreTesting
import Testing

@Suite struct ScenarioValueTests {
    private func value(_ word: String) throws -> Value? {
        try step("store A \"k\(word)\"").values?.values.first.flatMap(\.value)
    }

    @Test(
        "values of every type are read",
        arguments: [
            ("=", nil), (":s=", .string("")), ("=a=b", .string("a=b")), (":s=3", .string("3")),
            ("=e\u{301}", .string("e\u{301}")),
            (":i=0", .integer(0)), (":i=+7", .integer(7)),
            (":i=9223372036854775807", .integer(.max)), (":i=-9223372036854775808", .integer(.min)),
            (":d=1", .double(1)), (":d=-0.0", .double(-0.0)), (":d=1e308", .double(1e308)),
            (":d=inf", .double(.infinity)), (":d=-inf", .double(-.infinity)),
            (":d=nan", .double(.nan)), (":d=5e-324", .double(.leastNonzeroMagnitude)),
            (":d=0x1.8p1", .double(3)),
            (":b=true", true), (":b=false", false),
            (":x=", .data(Data())), (":x=00fFA7", .data(Data([0, 0xFF, 0xA7]))),
            (":n=", .null), (":n=null", .null),
            (":t=1970-01-01T00:00:00Z", .date(Date(timeIntervalSince1970: 0))),
        ] as [(String, Value?)])
    func values(word: String, value expected: Value?) throws {
        #expect(try value(word) == expected)
    }

    @Test("URLs and UUIDs are read as they are written")
    func references() throws {
        let url = try #require(try value(":u=https://x.example/a%20b?q=1#f")?.urlValue)
        #expect(url.absoluteString == "https://x.example/a%20b?q=1#f")
        let uuid = try #require(
            try value(":uuid=e621e1f8-c36c-495a-93fc-0c247a3e6e5f")?.uuidValue)
        #expect(uuid.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    }

    static let wrongWords = [
        (":i=", "a whole number from -9223372036854775808 to 9223372036854775807"),
        (
            ":i=9223372036854775808",
            "a whole number from -9223372036854775808 to 9223372036854775807"
        ),
        (":i=1.0", "a whole number from -9223372036854775808 to 9223372036854775807"),
        (":i= 1", "a whole number from -9223372036854775808 to 9223372036854775807"),
        (":d=", "a number, nan, inf or -inf"), (":d=1,5", "a number, nan, inf or -inf"),
        (":d=1e400", "a number, nan, inf or -inf"), (":d= 1", "a number, nan, inf or -inf"),
        (":b=yes", "true or false"), (":b=True", "true or false"),
        (":x=0", "an even number of hexadecimal digits"),
        (":x=0g", "an even number of hexadecimal digits"),
        (":x=éé", "an even number of hexadecimal digits"),
        (":n=x", "empty or null"),
        (":u=", "a URL; write what is not ASCII percent-encoded"),
        (":u=https://bücher.example/", "a URL; write what is not ASCII percent-encoded"),
        (":u=https://x/a b", "a URL; write what is not ASCII percent-encoded"),
        (":u=https://x/%zz", "a URL; write what is not ASCII percent-encoded"),
        (":uuid=E621E1F8", "a UUID of 36 characters"),
        (":uuid=E621E1F8-C36C-495A-93FC-0C247A3E6E5F0", "a UUID of 36 characters"),
        (
            ":t=yesterday",
            "a date such as 2026-01-31T09:30:00.5Z (ISO 8601, with Z or an offset)"
        ),
    ]

    @Test("a value that is not of its type is an error that doesn't show it", arguments: wrongWords)
    func wrong(word: String, notation: String) {
        #expect(failure("store A \"k\(word)\"") == "s:1:9: the value of 'k' is not \(notation)")
    }

    @Test(
        "the last colon of a key is before the type",
        arguments: [
            ("a:b:i=1", "a:b", .integer(1)), ("a::s=1", "a:", .string("1")),
            ("i:i=1", "i", .integer(1)), ("ü.x:s=1", "ü.x", .string("1")),
        ] as [(String, String, Value)])
    func keys(word: String, key: String, value: Value) throws {
        let pair = try #require(try step("store A \(word)").values?.values.first)
        #expect(pair.key == key)
        #expect(pair.value == value)
        #expect(pair.column == 9)
    }

    @Test(
        "an unknown type and a missing key are errors",
        arguments: [
            ("k:q=1", "unknown type 'q'; a type is s, i, d, b, t, u, x, n or uuid"),
            ("k:=1", "unknown type ''; a type is s, i, d, b, t, u, x, n or uuid"),
            ("k:I=1", "unknown type 'I'; a type is s, i, d, b, t, u, x, n or uuid"),
            ("=1", "a key is missing before '='"), (":s=1", "a key is missing before '='"),
        ])
    func types(word: String, message: String) {
        #expect(failure("store A \(word)") == "s:1:9: \(message)")
    }

    static let written = [
        "k=text", "k:i=-3", "k:d=1.5", "k:d=nan", "k:d=-0.0", "k:b=true", "k:x=00ff", "k:n=",
        "k:u=https://x/", "k:uuid=E621E1F8-C36C-495A-93FC-0C247A3E6E5F",
        "k:t=2026-01-31T09:30:00.25Z",
    ]

    @Test("values are written as they are read", arguments: written)
    func text(word: String) throws {
        let pair = try #require(try step("store A \(word)").values?.values.first)
        #expect(ScenarioValue.text(key: pair.key, value: pair.value) == word)
    }

    @Test(
        "values that no step can write show as their kind",
        arguments: [
            (nil, "k is absent"), (.array([1, 2]), "k is an array of 2"),
            (.set([1]), "k is a set of 1"), (.dictionary([:]), "k is a dictionary of 0"),
        ] as [(Value?, String)])
    func kinds(value: Value?, text: String) {
        #expect(ScenarioValue.text(key: "k", value: value) == text)
    }

    @Test("R-40 values are escaped where they are shown")
    func escaping() {
        #expect(ScenarioValue.text(key: "a\u{1B}", value: "b\u{202E}") == #"a\u{1B}=b\u{202E}"#)
    }
}
