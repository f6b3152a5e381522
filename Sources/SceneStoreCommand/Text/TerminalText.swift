import SceneStore

/// A line for people. What is interpolated is escaped, what is written in the source is not, so
/// stored text cannot reach a terminal raw by accident:
///
///     try context.output.line("title \(title, .bold)")
struct TerminalText: Sendable, ExpressibleByStringInterpolation {
    /// A look on terminals that show colour; elsewhere nothing.
    enum Style: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case cyan = "36"
    }

    /// A stretch of safe text.
    struct Piece: Sendable {
        let text: String
        let style: Style?
    }

    private(set) var pieces: [Piece]

    init(stringLiteral value: String) {
        pieces = value.isEmpty ? [] : [Piece(text: value, style: nil)]
    }

    init(stringInterpolation: Interpolation) {
        pieces = stringInterpolation.pieces
    }

    /// Makes a line of stored or foreign text.
    init(_ text: String, _ style: Style? = nil) {
        pieces = [Piece(text: TextEscaping.terminal(text), style: style)]
    }

    /// Makes a line of text that this command made itself and that holds nothing foreign.
    init(verbatim text: String, _ style: Style? = nil) {
        pieces = [Piece(text: text, style: style)]
    }

    /// The text without its looks.
    var plain: String {
        pieces.map(\.text).joined()
    }

    /// The text for a terminal that shows colour or does not.
    func rendered(colored: Bool) -> String {
        guard colored else {
            return plain
        }
        var result = ""
        for piece in pieces {
            if let style = piece.style, !piece.text.isEmpty {
                result += "\u{1B}[\(style.rawValue)m\(piece.text)\u{1B}[0m"
            } else {
                result += piece.text
            }
        }
        return result
    }

    /// The text broken at blanks into lines of at most so many columns; a longer word or a command line
    /// stands alone.
    ///
    /// - Parameter indent: The columns before each line but the first.
    func wrapped(to width: Int, indent: Int) -> TerminalText {
        var result = TerminalText("")
        var used = 0
        var blanks = 0
        // A command line that can be copied stays whole.
        var isCommand = false
        func append(_ text: String, _ style: Style?) {
            result.pieces.append(Piece(text: text, style: style))
        }
        for piece in pieces {
            for part in piece.text.split(separator: " ", omittingEmptySubsequences: false)
                .enumerated()
            {
                blanks += part.offset > 0 ? 1 : 0
                let columns = DisplayWidth.columns(of: part.element)
                guard columns > 0 else {
                    continue
                }
                if used > indent, blanks > 0, !isCommand, used + blanks + columns > width {
                    append("\n" + String(repeating: " ", count: indent), nil)
                    used = indent
                } else {
                    append(String(repeating: " ", count: blanks), piece.style)
                    used += blanks
                }
                blanks = 0
                append(String(part.element), piece.style)
                used += columns
                isCommand = part.element.hasPrefix("'scenestore") || isCommand
                isCommand = isCommand && !part.element.dropFirst().contains("'")
            }
        }
        return result
    }

    mutating func append(_ text: TerminalText) {
        pieces += text.pieces
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        init(literalCapacity: Int, interpolationCount: Int) {
            pieces.reserveCapacity(2 * interpolationCount + 1)
        }

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty {
                pieces.append(Piece(text: literal, style: nil))
            }
        }

        /// Stored or foreign text; escaped.
        mutating func appendInterpolation(_ text: some StringProtocol, _ style: Style? = nil) {
            pieces.append(Piece(text: TextEscaping.terminal(String(text)), style: style))
        }

        mutating func appendInterpolation(_ number: some BinaryInteger, _ style: Style? = nil) {
            pieces.append(Piece(text: String(number), style: style))
        }

        mutating func appendInterpolation(_ text: TerminalText) {
            pieces += text.pieces
        }
    }
}
