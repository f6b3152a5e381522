import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("canonical JSON")
struct ToolJSONTests {
    @Test("keys are sorted by their bytes, blanks stand nowhere")
    func sortedKeys() {
        let value: CanonicalJSON = [
            "b": 1, "a": [nil, true, 1.0, "x"], "é": -0.0, "Z": [:], "aa": [],
        ]
        #expect(value.text == #"{"Z":{},"a":[null,true,1.0,"x"],"aa":[],"b":1,"é":-0.0}"#)
    }

    @Test("keys that only look equal are two, of equal ones the last counts")
    func equalKeys() {
        let object = CanonicalJSON.Object([("e\u{301}", 1), ("é", 2), ("k", 3), ("k", 4)])
        #expect(object.members.count == 3)
        #expect(object["k"] == 4)
        #expect(object["e\u{301}"] == 1)
        #expect(object["none"] == nil)
    }

    @Test("members are set and removed by key")
    func changingMembers() {
        var object = CanonicalJSON.Object([("b", 1)])
        object["a"] = 2
        object["b"] = nil
        object["none"] = nil
        #expect(CanonicalJSON.object(object).text == #"{"a":2}"#)
    }

    @Test(
        "numbers are the shortest text that reads back the same",
        arguments: [
            (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e16, "1e+16"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.nan, "\"NaN\""),
            (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
        ] as [(Double, String)])
    func doubles(value: Double, text: String) {
        #expect(CanonicalJSON.double(value).text == text)
    }

    @Test("S-63 random values come back equal, and their text is the same bytes")
    func roundTrip() throws {
        var generator = SeededRandom(11)
        for _ in 0..<500 {
            let value = Self.random(depth: 4, &generator)
            let text = value.text
            let back = try CanonicalJSON(parsing: text)
            #expect(back == value)
            #expect(back.text == text)
            #expect(text.unicodeScalars.allSatisfy { !TextEscaping.isHidden($0.value) })
        }
    }

    private static func random(depth: Int, _ generator: inout SeededRandom) -> CanonicalJSON {
        let kind = Int.random(in: 0...(depth == 0 ? 4 : 6), using: &generator)
        switch kind {
        case 0: return .null
        case 1: return .boolean(.random(using: &generator))
        case 2: return .integer(Int64(bitPattern: generator.next()))
        case 3:
            let value = Double(bitPattern: generator.next())
            return .double(value.isFinite ? value : 0.5)
        case 4: return .string(randomText(&generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    random(depth: depth - 1, &generator)
                })
        default:
            return .object(
                CanonicalJSON.Object(
                    (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                        (randomText(&generator), random(depth: depth - 1, &generator))
                    }))
        }
    }

    private static func randomText(_ generator: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let range: ClosedRange<UInt32> =
                Bool.random(using: &generator) ? 0...0xFF : 0...0x10FFFF
            text.unicodeScalars.append(
                Unicode.Scalar(UInt32.random(in: range, using: &generator)) ?? "?")
        }
        return text
    }

    @Test(
        "what RFC 8259 allows is read",
        arguments: [
            (" [ 1 , 2 ] ", "[1,2]"),
            ("\u{FEFF}{}", "{}"),
            (#""\u00e9\ud83d\ude00\/""#, "\"é😀/\""),
            ("-0", "-0.0"),
            ("1E2", "100.0"),
            ("9223372036854775807", "9223372036854775807"),
            ("9223372036854775808", "9.223372036854776e+18"),
            ("1e-400", "0.0"),
            (#"{"a":{"b":[[]]},"c":null}"#, #"{"a":{"b":[[]]},"c":null}"#),
            ("\"\u{7F}\"", #""\u007f""#),
        ])
    func accepted(text: String, canonical: String) throws {
        #expect(try CanonicalJSON(parsing: text).text == canonical)
    }

    @Test(
        "what RFC 8259 does not allow is refused",
        arguments: [
            "", " ", "[", "[1", "[1,", "[1,]", "[,]", "{", "{\"a\"", "{\"a\":", "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}", "{a:1}", "{1:1}", "]", "}", "[}", "{]", "[1}", "{\"a\":1]", "01", "-",
            "-01",
            "1.", ".5", "1e", "1e+", "+1", "1e400", "NaN", "Infinity", "tru", "nulll", "true false",
            "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\ud800\\n\"", "\"\\ud800\\u0041\"", "\"a\nb\"", "'a'", "/* */ 1", "1,2",
        ])
    func refused(text: String) {
        #expect(throws: SceneStoreError(.malformedJSON, "")) {
            try CanonicalJSON(parsing: text)
        }
    }

    @Test("invalid UTF-8 is refused in strings and outside")
    func invalidUTF8() {
        for bytes in [[0x22, 0xFF, 0x22], [0xFF], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]] {
            #expect(throws: SceneStoreError(.malformedJSON, "")) {
                try CanonicalJSON(parsing: bytes)
            }
        }
    }

    @Test("R-42 equal keys are refused, also when one is written with escapes")
    func duplicateKeys() {
        for text in [#"{"a":1,"a":2}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"[{"x":{"":1,"":1}}]"#] {
            #expect(throws: SceneStoreError(.duplicateKey, "")) {
                try CanonicalJSON(parsing: text)
            }
        }
    }

    @Test("R-42 64 levels are read, 65 are not, and a million end in an error at once")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try CanonicalJSON(parsing: nested(64))
        for depth in [65, 1_000_000] {
            #expect(throws: SceneStoreError(.limitExceeded, "")) {
                try CanonicalJSON(parsing: nested(depth))
            }
        }
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try CanonicalJSON(parsing: String(repeating: #"{"a":"#, count: 65))
        }
    }

    @Test("R-42 the numbers of bytes and values are bounded")
    func limits() {
        let limits = CanonicalJSON.ReadingLimits(bytes: 10, depth: 3, nodes: 3)
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try CanonicalJSON(parsing: "[1,2,3]", limits: limits)
        }
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try CanonicalJSON(parsing: "\"123456789\"", limits: limits)
        }
    }

    @Test("an error names line and column, never the text")
    func place() {
        do {
            _ = try CanonicalJSON(parsing: "{\n  \"secret\": nope\n}")
            Issue.record("accepted")
        } catch {
            #expect(error.message.contains("line 2, column 13"))
            #expect(!error.description.contains("secret"))
            #expect(!error.description.contains("nope"))
        }
    }

    @Test("random damage is an error or a value, never a trap")
    func damage() {
        let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00"],"b":{"c":null,"d":true}}"#.utf8)
        var generator = SeededRandom(3)
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                }
                if bytes.isEmpty {
                    bytes = [0x5B]
                }
            }
            accepted += (try? CanonicalJSON(parsing: bytes)) == nil ? 0 : 1
        }
        #expect(accepted > 0 && accepted < 20_000)
    }

    @Test("a record layout writes sorted keys whatever the order of the declaration")
    func recordLayout() {
        let layout = CanonicalJSON.RecordLayout(keys: ["b", "a", "c"])
        var bytes: [UInt8] = []
        layout.append(to: &bytes) { place, output in
            CanonicalJSON.integer(Int64(place)).append(to: &output)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1,"b":0,"c":2}"#)
        var empty: [UInt8] = []
        CanonicalJSON.RecordLayout(keys: []).append(to: &empty) { _, _ in }
        #expect(String(decoding: empty, as: UTF8.self) == "{}")
    }
}
