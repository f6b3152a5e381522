import SceneStoreValues

extension TextEscaping {
    /// Text as it may stand between the tags or in a quoted attribute of HTML and SVG.
    package static func markup(_ text: String) -> String {
        escaped(text, for: .markup)
    }

    /// Appends text as one CSV field (RFC 4180), quoted where needed.
    ///
    /// What a spreadsheet would take for a formula (a first `=`, `+`, `-`, `@`, tab or line
    /// break, also behind blanks or in full width) gets an apostrophe in front. Line breaks
    /// become visible, so that a row is always a line.
    package static func appendCSVField(_ text: String, to output: inout [UInt8]) {
        let isFormula = looksLikeFormula(text)
        let isQuoted =
            isFormula || text.utf8.first == 0x20 || text.utf8.last == 0x20
            || text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x3B }
        if isQuoted {
            output.append(0x22)
        }
        if isFormula {
            output.append(0x27)
        }
        append(text, for: .csv, to: &output)
        if isQuoted {
            output.append(0x22)
        }
    }

    private static func looksLikeFormula(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", "\u{A0}": continue
            case "=", "+", "-", "@", "\t", "\r", "\n": return true
            case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
            default: return false
            }
        }
        return false
    }
}
