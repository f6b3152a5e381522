/// One token of a source file.
struct Token {
    enum Kind: UInt8 {
        case word
        /// `@available`, `@interface`: the symbol is the word behind the `@`.
        case attribute
        /// `#available`, `#selector`: the symbol is the word behind the `#`.
        case directive
        /// Text; the symbol is its content when that is short and without interpolation.
        case string
        case number
        case mark
    }

    /// Marks of several characters; single ones are their ASCII code.
    enum Mark {
        static let arrow: UInt8 = 1
        static let equals: UInt8 = 2
        static let differs: UInt8 = 3
        static let coalesces: UInt8 = 4
        /// Any other operator that joins what stands left and right of it.
        static let other: UInt8 = 5
        /// The bracket that opens an interpolation; it closes with `)`.
        static let interpolation: UInt8 = 6
    }

    var kind: Kind
    /// For marks.
    var mark: UInt8 = 0
    var startsLine = false
    var symbol: Int32 = SymbolTable.unknown
    /// In UTF-16 units, the first one being 1.
    var column: Int32
    var line: Int32
    /// The index of the other bracket of a pair, or -1.
    var match: Int32 = -1
    /// The index of the innermost bracket around it, or -1.
    var parent: Int32 = -1

    func isWord(_ word: Word) -> Bool {
        kind == .word && symbol == word.id
    }

    func isMark(_ character: Unicode.Scalar) -> Bool {
        kind == .mark && mark == UInt8(truncatingIfNeeded: character.value)
    }

    func isMark(_ code: UInt8) -> Bool {
        kind == .mark && mark == code
    }

    var opens: Bool {
        kind == .mark
            && (mark == UInt8(ascii: "(") || mark == UInt8(ascii: "[") || mark == UInt8(ascii: "{")
                || mark == Mark.interpolation)
    }

    var closes: Bool {
        kind == .mark
            && (mark == UInt8(ascii: ")") || mark == UInt8(ascii: "]") || mark == UInt8(ascii: "}"))
    }
}

/// A comment that asks to leave findings out.
struct IgnoreComment: Hashable {
    /// The line that it stands on.
    var line: Int
    /// Whether the comment is alone on its line; then it is about the next line.
    var isAlone: Bool
    var codes: [String]

    static let mark = "scenestore:ignore"

    /// The codes that stand behind the mark.
    static func codes(behindMark text: Substring) -> [String] {
        text.prefix(1_000).split(whereSeparator: { " \t\r\n,*/-".contains($0) })
            .prefix { $0.count == 5 && $0.hasPrefix("AD") }.map(String.init)
    }
}

/// A file cut into tokens.
struct LexedSource {
    var tokens: [Token] = []
    var ignores: [IgnoreComment] = []
    /// Which of the triggers among ``Word`` occur, a bit each.
    var triggers: UInt64 = 0
    /// Whether a bound was met and the rest is missing.
    var isCut = false
}
