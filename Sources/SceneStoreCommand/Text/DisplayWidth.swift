/// How many columns of a terminal text takes, and cutting it to fit.
enum DisplayWidth {
    /// The columns of a text without controls.
    static func columns(of text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.count
        }
        var columns = 0
        for character in text {
            columns += self.columns(of: character)
        }
        return columns
    }

    /// The columns of one character: as many as its widest scalar.
    static func columns(of character: Character) -> Int {
        if character.isASCII {
            return 1
        }
        var widest = 0
        for scalar in character.unicodeScalars {
            // Variation selector 16 asks for the wide, coloured form.
            let width = scalar.value == 0xFE0F ? 2 : columns(of: scalar)
            widest = max(widest, width)
        }
        return widest
    }

    static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 {
            return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1
        }
        if isWide(value) {
            return 2
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// East Asian wide and full-width blocks (Unicode Standard Annex 11), by whole blocks, and
    /// the planes of ideographs and pictographs.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
            0x1AFF0...0x1B2FF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F5FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            // Marks stand among the wide blocks.
            !(0x302A...0x302D).contains(value) && !(0x3099...0x309A).contains(value)
        default: false
        }
    }

    /// Where a text that is too long loses its characters.
    enum Cut: Sendable {
        /// The end goes: titles, messages.
        case end
        /// The middle goes: paths, links, identifiers.
        case middle
    }

    /// A text of at most so many columns, with `…` where something is missing.
    static func truncated(_ text: String, to limit: Int, cut: Cut = .end) -> String {
        // A text of few bytes cannot be too wide: a column takes at least one.
        if text.utf8.count <= limit || columns(of: text) <= limit {
            return text
        }
        guard limit > 1 else {
            return limit == 1 ? "…" : ""
        }
        let tail = cut == .end ? 0 : (limit - 1) / 2
        let head = limit - 1 - tail
        var start = ""
        var used = 0
        for character in text {
            used += columns(of: character)
            guard used <= head else {
                break
            }
            start.append(character)
        }
        var end: [Character] = []
        used = 0
        for character in text.reversed() {
            used += columns(of: character)
            guard used <= tail else {
                break
            }
            end.append(character)
        }
        return start + "…" + String(end.reversed())
    }

    /// Breaks a text at blanks into lines of at most so many columns; a longer word stands alone.
    static func wrapped(_ text: String, to limit: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = ""
            var used = 0
            for word in paragraph.split(separator: " ") {
                let width = columns(of: word)
                if used > 0, used + 1 + width > limit {
                    lines.append(line)
                    line = ""
                    used = 0
                }
                if used > 0 {
                    line += " "
                    used += 1
                }
                line += word
                used += width
            }
            lines.append(line)
        }
        return lines
    }
}
