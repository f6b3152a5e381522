/// Cuts Swift or Objective-C into tokens, in one pass, without recursion.
///
/// It takes whatever bytes there are: what no compiler would accept gives some tokens or other,
/// and never more than the file has bytes.
struct Lexer {
    enum Language {
        case swift, objectiveC
    }

    /// A file of more bytes is not read.
    static let maximumBytes = 4 << 20

    private let bytes: [UInt8]
    private let language: Language
    private var place = 0
    private var line: Int32 = 1
    private var lineStart = 0
    /// The place whose column was counted last.
    private var measured: (lineStart: Int, place: Int, column: Int32) = (0, 0, 1)
    private var startsLine = true
    private var source = LexedSource()
    private var conditions = ConditionalCode()
    /// The strings around the place, each with its quotes and number signs, and the number of
    /// round brackets that are open in its interpolation.
    private var interpolations: [(hashes: Int, isMultiline: Bool, depth: Int)] = []

    init(_ bytes: [UInt8], _ language: Language) {
        self.bytes = bytes
        self.language = language
    }

    static func lex(
        _ bytes: [UInt8], _ language: Language, _ symbols: inout SymbolTable
    ) -> LexedSource {
        guard bytes.count <= maximumBytes else {
            return LexedSource(isCut: true)
        }
        var lexer = Lexer(bytes, language)
        lexer.source.tokens.reserveCapacity(bytes.count / 6)
        lexer.run(&symbols)
        return lexer.source
    }

    private mutating func run(_ symbols: inout SymbolTable) {
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                startsLine = true
                place += 1
                lineStart = place
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0, 0x0B, 0x0C:
                place += 1
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                lineComment()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                blockComment()
            case UInt8(ascii: "#"):
                numberSign(&symbols)
            case UInt8(ascii: "\""):
                string(hashes: 0, &symbols)
            case UInt8(ascii: "@"):
                attribute(&symbols)
            case UInt8(ascii: "'") where language == .objectiveC:
                characterLiteral()
            case UInt8(ascii: "`"):
                place += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number(&symbols)
            case _ where Self.isWordByte(byte):
                word(&symbols)
            case UInt8(ascii: "/") where language == .swift && isRegexStart():
                regex()
            default:
                mark(&symbols)
            }
        }
    }

    private func peek(_ distance: Int) -> UInt8 {
        place + distance < bytes.count ? bytes[place + distance] : 0
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            0x80...:
            true
        default: false
        }
    }

    private mutating func emit(
        _ kind: Token.Kind, mark: UInt8 = 0, symbol: Int32 = SymbolTable.unknown, at start: Int
    ) {
        guard conditions.isLive else {
            return
        }
        source.tokens.append(
            Token(
                kind: kind, mark: mark, startsLine: startsLine, symbol: symbol,
                column: column(of: start), line: line))
        startsLine = false
    }

    /// The column of a byte, in UTF-16 units.
    private mutating func column(of start: Int) -> Int32 {
        if measured.lineStart != lineStart || start < measured.place {
            measured = (lineStart, lineStart, 1)
        }
        while measured.place < start {
            // Of a character of four bytes there are two units, of any other one.
            let byte = bytes[measured.place]
            measured.column += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
            measured.place += 1
        }
        return measured.column
    }

    // MARK: - Words, numbers, marks

    private mutating func wordEnd(_ start: Int) -> Int {
        var end = start
        while end < bytes.count, Self.isWordByte(bytes[end]) {
            end += 1
        }
        return end
    }

    private mutating func word(_ symbols: inout SymbolTable) {
        let start = place
        place = wordEnd(start)
        let symbol = symbols.symbol(of: bytes[start..<place])
        noteTrigger(symbol)
        emit(.word, symbol: symbol, at: start)
    }

    private mutating func noteTrigger(_ symbol: Int32) {
        if symbol >= 0, symbol < Word.lastTrigger.id, conditions.isLive {
            source.triggers |= 1 << UInt64(symbol)
        }
    }

    private mutating func number(_ symbols: inout SymbolTable) {
        let start = place
        place = wordEnd(start)
        if peek(0) == UInt8(ascii: "."), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(peek(1)) {
            place = wordEnd(place + 1)
        }
        emit(.number, symbol: symbols.symbol(of: bytes[start..<place]), at: start)
    }

    private mutating func attribute(_ symbols: inout SymbolTable) {
        let start = place
        if peek(1) == UInt8(ascii: "\"") {
            place += 1
            string(hashes: 0, &symbols)
            return
        }
        let end = wordEnd(place + 1)
        guard end > place + 1 else {
            // `@[`, `@{`, `@(`: the bracket says it all.
            place += 1
            return
        }
        let symbol = symbols.symbol(of: bytes[(start + 1)..<end])
        place = end
        noteTrigger(symbol)
        emit(.attribute, symbol: symbol, at: start)
    }

    private mutating func mark(_ symbols: inout SymbolTable) {
        let start = place
        let byte = bytes[place]
        var code = byte
        var length = 1
        let next = peek(1)
        switch (byte, next) {
        case (UInt8(ascii: "-"), UInt8(ascii: ">")): (code, length) = (Token.Mark.arrow, 2)
        case (UInt8(ascii: "="), UInt8(ascii: "=")): (code, length) = (Token.Mark.equals, 2)
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): (code, length) = (Token.Mark.differs, 2)
        case (UInt8(ascii: "?"), UInt8(ascii: "?")): (code, length) = (Token.Mark.coalesces, 2)
        case (UInt8(ascii: "&"), UInt8(ascii: "&")), (UInt8(ascii: "|"), UInt8(ascii: "|")),
            (UInt8(ascii: "+"), UInt8(ascii: "=")), (UInt8(ascii: "-"), UInt8(ascii: "=")),
            (UInt8(ascii: "*"), UInt8(ascii: "=")), (UInt8(ascii: "|"), UInt8(ascii: "=")),
            (UInt8(ascii: "&"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: "=")),
            (UInt8(ascii: ">"), UInt8(ascii: "=")):
            (code, length) = (Token.Mark.other, 2)
        default: break
        }
        place += length
        if length == 2, code == Token.Mark.equals || code == Token.Mark.differs,
            peek(0) == UInt8(ascii: "=")
        {
            place += 1
        }
        emit(.mark, mark: code, at: start)
        if let last = interpolations.indices.last {
            if byte == UInt8(ascii: "(") {
                interpolations[last].depth += 1
            } else if byte == UInt8(ascii: ")") {
                interpolations[last].depth -= 1
                if interpolations[last].depth == 0 {
                    let string = interpolations.removeLast()
                    stringBody(
                        hashes: string.hashes, isMultiline: string.isMultiline, start: place,
                        hasInterpolation: true, &symbols)
                }
            }
        }
    }

    // MARK: - Comments and directives

    private mutating func lineComment() {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
            place += 1
        }
        readIgnore(start..<place)
    }

    private mutating func blockComment() {
        let start = place
        var depth = 0
        let firstLine = line
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"),
                depth == 0 || language == .swift
            {
                depth += 1
                place += 2
            } else if bytes[place] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                place += 2
                if depth == 0 {
                    break
                }
            } else {
                if bytes[place] == UInt8(ascii: "\n") {
                    line += 1
                    lineStart = place + 1
                }
                place += 1
            }
        }
        if line == firstLine {
            readIgnore(start..<place)
        }
    }

    /// `scenestore:ignore AD007 AD008 the reason`.
    private mutating func readIgnore(_ range: Range<Int>) {
        guard range.count > 20, range.count < 1_000, mentionsIgnore(range) else {
            return
        }
        let comment = String(decoding: bytes[range], as: UTF8.self)
        guard let found = comment.firstRange(of: IgnoreComment.mark) else {
            return
        }
        let codes = IgnoreComment.codes(behindMark: comment[found.upperBound...])
        source.ignores.append(IgnoreComment(line: Int(line), isAlone: startsLine, codes: codes))
    }

    /// Whether a comment may ask to leave something out; most have no colon in front of an `i`.
    private func mentionsIgnore(_ range: Range<Int>) -> Bool {
        range.dropLast(6).contains { place in
            bytes[place] == UInt8(ascii: ":") && bytes[place + 1] == UInt8(ascii: "i")
                && bytes[place + 2] == UInt8(ascii: "g")
        }
    }

    private mutating func numberSign(_ symbols: inout SymbolTable) {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") {
            hashes += 1
        }
        if language == .swift, peek(hashes) == UInt8(ascii: "\"") {
            place += hashes
            string(hashes: hashes, &symbols)
            return
        }
        if language == .swift, peek(hashes) == UInt8(ascii: "/") {
            place += hashes
            extendedRegex(hashes)
            return
        }
        let start = place
        var end = start + hashes
        while end < bytes.count,
            bytes[end] == UInt8(ascii: " ") || bytes[end] == UInt8(ascii: "\t")
        {
            end += 1
        }
        let wordStart = end
        end = wordEnd(end)
        let word = String(decoding: bytes[wordStart..<end], as: UTF8.self)
        let isDirective =
            startsLine
            && ["if", "ifdef", "ifndef", "elseif", "elif", "else", "endif"].contains(word)
        if isDirective || (language == .objectiveC && startsLine) {
            // The rest of the line belongs to it, with the lines that a backslash joins.
            var lineEnd = end
            while lineEnd < bytes.count {
                if bytes[lineEnd] == UInt8(ascii: "\n") {
                    var last = lineEnd - 1
                    if last >= end, bytes[last] == UInt8(ascii: "\r") {
                        last -= 1
                    }
                    guard last >= end, bytes[last] == UInt8(ascii: "\\") else {
                        break
                    }
                    line += 1
                }
                lineEnd += 1
            }
            if isDirective {
                let rest = String(decoding: bytes[end..<min(lineEnd, end + 500)], as: UTF8.self)
                _ = conditions.take(word[...], rest[...])
            }
            place = lineEnd
            return
        }
        guard !word.isEmpty else {
            place += hashes
            return
        }
        place = end
        emit(.directive, symbol: symbols.symbol(of: bytes[wordStart..<end]), at: start)
    }

    // MARK: - Text

    private mutating func characterLiteral() {
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "'"),
            bytes[place] != UInt8(ascii: "\n")
        {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
    }

    /// At the first quote.
    private mutating func string(hashes: Int, _ symbols: inout SymbolTable) {
        let isMultiline =
            language == .swift && peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"")
            && (hashes == 0 || !endsOnItsLine(hashes))
        place += isMultiline ? 3 : 1
        stringBody(
            hashes: hashes, isMultiline: isMultiline, start: place, hasInterpolation: false,
            &symbols)
    }

    /// Whether what begins with three quotes is a text of one line, as `#"""#` and `#"""x"#` are.
    private func endsOnItsLine(_ hashes: Int) -> Bool {
        var end = place + 2
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            if bytes[end] == UInt8(ascii: "\""), hasHashes(hashes, at: end + 1) {
                return true
            }
            end += 1
        }
        return false
    }

    /// From behind the first quote, or behind an interpolation, to the end or to the next
    /// interpolation.
    private mutating func stringBody(
        hashes: Int, isMultiline: Bool, start: Int, hasInterpolation: Bool,
        _ symbols: inout SymbolTable
    ) {
        let quote = UInt8(ascii: "\"")
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\\"), hasHashes(hashes, at: place + 1) {
                if language == .swift, peek(1 + hashes) == UInt8(ascii: "("),
                    interpolations.count < 64
                {
                    emit(.string, at: start)
                    let open = place
                    place += 2 + hashes
                    interpolations.append((hashes, isMultiline, 1))
                    emit(.mark, mark: Token.Mark.interpolation, at: open)
                    return
                }
                if peek(1 + hashes) == UInt8(ascii: "\n") {
                    line += 1
                }
                place += 2 + hashes
            } else if byte == quote, !isMultiline || (peek(1) == quote && peek(2) == quote),
                hasHashes(hashes, at: place + (isMultiline ? 3 : 1))
            {
                let content = start..<place
                place += (isMultiline ? 3 : 1) + hashes
                let isShort = !hasInterpolation && content.count <= 200
                emit(
                    .string,
                    symbol: isShort ? symbols.symbol(of: bytes[content]) : SymbolTable.unknown,
                    at: content.lowerBound)
                return
            } else if byte == UInt8(ascii: "\n") {
                guard isMultiline else {
                    // Without its closing quote; what is on the next line is code again.
                    emit(.string, at: start)
                    return
                }
                line += 1
                place += 1
                lineStart = place
            } else {
                place += 1
            }
        }
        place = bytes.count
    }

    private func hasHashes(_ count: Int, at start: Int) -> Bool {
        guard start + count <= bytes.count else {
            return false
        }
        return (0..<count).allSatisfy { bytes[start + $0] == UInt8(ascii: "#") }
    }

    // MARK: - Regular expressions

    private func isRegexStart() -> Bool {
        guard peek(1) != UInt8(ascii: " "), peek(1) != UInt8(ascii: "="), peek(1) != 0 else {
            return false
        }
        if let last = source.tokens.last, !startsLine {
            let isOperand =
                last.kind == .word || last.kind == .number || last.kind == .string || last.closes
            if isOperand && last.symbol != Word.return_.id && last.symbol != Word.in_.id {
                return false
            }
        }
        var end = place + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
            if bytes[end] == UInt8(ascii: "\\") {
                end += 1
            } else if bytes[end] == UInt8(ascii: "/") {
                return bytes[end - 1] != UInt8(ascii: " ")
            }
            end += 1
        }
        return false
    }

    private mutating func regex() {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "/") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        emit(.string, at: start)
    }

    private mutating func extendedRegex(_ hashes: Int) {
        let start = place
        place += 1
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "/"), hasHashes(hashes, at: place + 1) {
                place += 1 + hashes
                break
            }
            if bytes[place] == UInt8(ascii: "\n") {
                line += 1
            }
            place += 1
        }
        emit(.string, at: start)
    }
}
