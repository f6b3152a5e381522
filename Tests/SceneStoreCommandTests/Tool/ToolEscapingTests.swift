import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("R-40 escaping")
struct ToolEscapingTests {
    /// Signs of category Cf that are shown, not obeyed (Prepended_Concatenation_Mark).
    static let visibleFormatSigns: Set<UInt32> = [
        0x600, 0x601, 0x602, 0x603, 0x604, 0x605, 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD,
        0x110CD,
    ]

    /// All scalars, a bar behind each, and how many there are.
    private static let everyScalar: (text: [UInt8], count: Int) = {
        let scalars = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            text.append(scalar)
            text.append("|")
        }
        return (Array(String(text).utf8), scalars.count)
    }()

    /// Whether a scalar acts or hides, by what Unicode says of it.
    private static let actsOrHides: [Bool] = {
        var table = [Bool](repeating: false, count: 0x11_0000)
        for scalar in (UInt32(0)...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            table[Int(scalar.value)] =
                switch properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                case .format: !visibleFormatSigns.contains(scalar.value)
                default: properties.isNoncharacterCodePoint
                }
        }
        return table
    }()

    @Test(
        "R-40 no scalar that acts or hides leaves any channel raw",
        arguments: TextEscaping.Channel.allCases)
    func everyScalar(channel: TextEscaping.Channel) {
        let (input, count) = Self.everyScalar
        let actsOrHides = Self.actsOrHides
        var output: [UInt8] = []
        input.withUnsafeBufferPointer { TextEscaping.append(utf8: $0, for: channel, to: &output) }
        var leaks: [UInt32] = []
        var bars = 0
        for scalar in String(decoding: output, as: UTF8.self).unicodeScalars {
            if actsOrHides[Int(scalar.value)] {
                leaks.append(scalar.value)
            }
            bars += scalar == "|" ? 1 : 0
        }
        // The separators, and the bar among the scalars, show that nothing is lost.
        #expect(bars == count + 1)
        #expect(leaks.isEmpty)
    }

    @Test(
        "S-72 what is shown stays as it is",
        arguments: ["Grüße", "日本語", "e\u{301}", "❤️", "👩", "a\\b c"])
    func visibleTextIsUnchanged(text: String) {
        #expect(TextEscaping.terminal(text) == text)
    }

    @Test(
        "S-72 a terminal gets visible escapes",
        arguments: [
            ("\u{1B}[31mred\u{7}", #"\u{1B}[31mred\u{7}"#),
            ("a\nb\tc\rd", #"a\nb\tc\rd"#),
            ("safe\u{202E}gnp.exe", #"safe\u{202E}gnp.exe"#),
            ("x\u{9B}2J", #"x\u{9B}2J"#),
            ("zero\u{200B}width\u{FEFF}", #"zero\u{200B}width\u{FEFF}"#),
            ("tag\u{E0041}", #"tag\u{E0041}"#),
            ("\u{0}\u{7F}\u{2028}", #"\u{0}\u{7F}\u{2028}"#),
        ])
    func terminal(raw: String, shown: String) {
        #expect(TextEscaping.terminal(raw) == shown)
    }

    @Test(
        "R-40 bytes that are not UTF-8 become visible",
        arguments: [
            ([0x61, 0xFF, 0x62], #"a\xFFb"#),
            ([0xC0, 0xAF], #"\xC0\xAF"#),
            ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
            ([0xE2, 0x82], #"\xE2\x82"#),
            ([0xF4, 0x90, 0x80, 0x80], #"\xF4\x90\x80\x80"#),
            ([0xE2, 0x82, 0xAC], "€"),
        ] as [([UInt8], String)])
    func invalidBytes(bytes: [UInt8], shown: String) {
        var output: [UInt8] = []
        bytes.withUnsafeBufferPointer {
            TextEscaping.append(utf8: $0, for: .terminal, to: &output)
        }
        #expect(String(decoding: output, as: UTF8.self) == shown)
    }

    @Test("R-40 any bytes at all come out as UTF-8, in JSON too")
    func randomBytes() {
        var generator = SeededRandom(7)
        for _ in 0..<2_000 {
            let bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &generator) }
            for channel in TextEscaping.Channel.allCases {
                var output: [UInt8] = []
                bytes.withUnsafeBufferPointer {
                    TextEscaping.append(utf8: $0, for: channel, to: &output)
                }
                let text = String(validating: output, as: UTF8.self)
                #expect(
                    text?.unicodeScalars.allSatisfy { !TextEscaping.isHidden($0.value) } == true)
            }
        }
    }

    @Test("R-40 markup ends neither a tag nor an attribute, in HTML and in SVG")
    func markup() {
        let text = TextEscaping.markup("<b a=\"x\" c='y'>&`\u{1B}\u{202E}\n\u{FFFE}")
        #expect(
            text == "&#60;b a=&#34;x&#34; c=&#39;y&#39;&#62;&#38;&#96;"
                + #"\u{1B}\u{202E}&#10;\u{FFFE}"#)
    }

    @Test(
        "R-40 a CSV field is never a formula and always one line",
        arguments: [
            ("plain", "plain"),
            ("", ""),
            ("=1+1", "\"'=1+1\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\t=1", #""'\t=1""#),
            ("\r=1", #""'\r=1""#),
            ("  =1", "\"'  =1\""),
            ("＝1", "\"'＝1\""),
            ("a,b", "\"a,b\""),
            ("a;=1", "\"a;=1\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", #"two\nlines"#),
            (" padded", "\" padded\""),
        ])
    func csv(raw: String, field: String) {
        var bytes: [UInt8] = []
        TextEscaping.appendCSVField(raw, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == field)
    }

    private func escapedJSON(_ text: String) -> String {
        var bytes: [UInt8] = []
        TextEscaping.append(text, for: .json, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("R-40 JSON escapes as \\uXXXX, pairs beyond the basic plane")
    func json() {
        let text = escapedJSON("a\"\\/\u{8}\u{C}\n\r\t\u{1B}\u{7F}\u{9B}\u{202E}\u{E0041}é")
        #expect(
            text == #"a\"\\/\b\f\n\r\t\u001b\u007f\u009b\u202e\udb40\udc41é"#)
    }

    @Test("R-40 a megabyte takes linear time and keeps its length")
    func large() {
        let text = String(repeating: "abcdefghi\u{202E}", count: 100_000)
        #expect(TextEscaping.terminal(text).utf8.count == 100_000 * 17)
        #expect(escapedJSON(text).utf8.count == 100_000 * 15)
    }

    @Test("R-40 interpolated text is escaped, literal text is not")
    func interpolation() {
        let title = "evil\u{1B}[2J"
        let line: TerminalText = "title \(title, .bold): \(3)"
        #expect(line.plain == #"title evil\u{1B}[2J: 3"#)
        #expect(line.rendered(colored: true) == "title \u{1B}[1mevil\\u{1B}[2J\u{1B}[0m: 3")
    }
}
