/// A word of a scenario, its quotes removed.
struct ScenarioWord: Hashable {
    var text: String
    /// The character at which it begins, from 1.
    var column: Int
}

/// Splits a scenario into lines and lines into words.
///
/// 1. The bytes are valid UTF-8 before the first line is asked for.
/// 2. Each byte is looked at a fixed number of times; columns are counted on from word to word.
/// 3. A blank is a space or a tab; LF ends a line, a CR before it or at the end of the text is
///    dropped.
/// 4. `"` opens and closes a quotation anywhere in a word; within it `\"` and `\\` stand for `"`
///    and `\`, any other backslash for itself. `#` at the start of a word begins a comment.
struct ScenarioLexer {
    private let file: String
    private let bytes: [UInt8]
    private var position: Int
    /// The number of the line that ``nextLine(into:)`` read last, from 1.
    private(set) var line = 0
    /// The column after that line's last word.
    private(set) var endColumn = 1

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    init(_ bytes: [UInt8], file: String) throws(ScenarioError) {
        guard bytes.count <= Scenario.maximumBytes else {
            throw ScenarioError(
                file: file, line: 1, column: 1,
                message: "the scenario is larger than \(Scenario.maximumBytes >> 20) MiB")
        }
        self.file = file
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        try checkEncoding()
    }

    private func checkEncoding() throws(ScenarioError) {
        guard String(validating: bytes, as: UTF8.self) == nil else {
            return
        }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var valid = 0
        while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
            valid += scalar.count
        }
        let before = bytes[..<valid]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? position
        throw ScenarioError(
            file: file,
            line: before.count { $0 == 0x0A } + 1,
            column: 1 + characters(in: min(start, valid)..<valid),
            message: "the text is not UTF-8")
    }

    /// Reads the words of the next line; false when there is none. A line without words is a
    /// line.
    mutating func nextLine(into words: inout [ScenarioWord]) throws(ScenarioError) -> Bool {
        words.removeAll(keepingCapacity: true)
        guard position < bytes.count else {
            return false
        }
        line += 1
        var end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
        let next = end + 1
        if end > position, bytes[end - 1] == 0x0D {
            end -= 1
        }
        var column = 1
        var anchor = position
        var index = position
        while true {
            while index < end, Self.isBlank(bytes[index]) {
                index += 1
            }
            guard index < end, bytes[index] != UInt8(ascii: "#") else {
                break
            }
            column += characters(in: anchor..<index)
            anchor = index
            words.append(
                ScenarioWord(text: try word(at: &index, end: end, column: column), column: column))
            endColumn = column + characters(in: anchor..<index)
        }
        position = next
        return true
    }

    /// Reads the word at an index and moves the index behind it.
    private func word(
        at index: inout Int, end: Int, column: Int
    ) throws(ScenarioError) -> String {
        let start = index
        while index < end, !Self.isBlank(bytes[index]), bytes[index] != Self.quote {
            index += 1
        }
        guard index < end, bytes[index] == Self.quote else {
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
        var content = Array(bytes[start..<index])
        while index < end, !Self.isBlank(bytes[index]) {
            if bytes[index] == Self.quote {
                try readQuotation(at: &index, end: end, column: column, start, into: &content)
            } else {
                content.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Reads a quotation from its opening to behind its closing quote.
    private func readQuotation(
        at index: inout Int, end: Int, column: Int, _ start: Int, into content: inout [UInt8]
    ) throws(ScenarioError) {
        let opening = index
        index += 1
        while index < end {
            let byte = bytes[index]
            index += 1
            if byte == Self.quote {
                return
            }
            if byte == Self.backslash, index < end,
                bytes[index] == Self.quote || bytes[index] == Self.backslash
            {
                content.append(bytes[index])
                index += 1
            } else {
                content.append(byte)
            }
        }
        throw ScenarioError(
            file: file, line: line, column: column + characters(in: start..<opening),
            message: "this quotation is not closed; end it with \" in the same line")
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    /// How many characters a reader sees in a stretch.
    private func characters(in range: Range<Int>) -> Int {
        let stretch = bytes[range]
        if stretch.allSatisfy({ $0 < 0x80 }) {
            return stretch.count
        }
        return String(decoding: stretch, as: UTF8.self).count
    }
}
