import SceneStore

/// Draws a laid-out timeline with the signs of a terminal, a cell a unit of the layout.
struct TimelineText {
    let model: TimelineModel
    let layout: TimelineLayout
    let isUnicode: Bool

    /// The measures of a terminal of so many columns.
    static func metric(width: Int, withYears: Bool) -> TimelineLayout.Metric {
        TimelineLayout.Metric(
            text: .terminal, width: width, nameWidth: max(9, min(width / 4, 24)), laneHeight: 1,
            dateHeight: 1, numberHeight: 1, systemGap: 1, bandGap: 1, edge: 1, tail: 2,
            columnGap: { $0 == 0 ? 1 : 2 }, day: { ReportText.day($0, withYear: withYears) })
    }

    /// Whether the locale's characters are UTF-8; the first variable that is set decides.
    static func isUnicode(_ environment: Environment) -> Bool {
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].lazy
            .compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let name = locale.lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// A sign with its look.
    private struct Place {
        var sign: Character
        var style: TerminalText.Style?
    }

    /// The lines, one after the other.
    func lines() -> [TerminalText] {
        var grid = [[Place?]](
            repeating: [Place?](repeating: nil, count: layout.width), count: layout.height)
        func put(_ place: Place, _ x: Int, _ y: Int) {
            if grid.indices.contains(y), grid[y].indices.contains(x) {
                grid[y][x] = place
            }
        }
        for span in layout.spans {
            let place = Place(
                sign: sign(span.kind),
                style: span.kind == .front ? .cyan : .dim)
            for x in span.from..<max(span.to, span.from) {
                put(place, x, span.y)
            }
        }
        for mark in layout.marks {
            if let kind = model.cells[mark.cell].counts.heaviest {
                put(Place(sign: sign(kind), style: Self.style(kind)), mark.x, mark.y)
            }
        }
        var labels: [Int: [LayoutLabel]] = [:]
        for label in layout.labels {
            labels[label.box.y, default: []].append(label)
        }
        return grid.enumerated().map { y, row in line(row, labels[y] ?? []) }
    }

    /// A line: its labels in their places, between them the signs. No line ends with blanks.
    private func line(_ row: [Place?], _ labels: [LayoutLabel]) -> TerminalText {
        var line: TerminalText = ""
        var x = 0
        var blanks = 0
        func flush() {
            line.append(TerminalText(verbatim: String(repeating: " ", count: blanks)))
            blanks = 0
        }
        func advance(to end: Int) {
            while x < end, x < row.count {
                if let place = row[x] {
                    flush()
                    line.append(TerminalText(verbatim: String(place.sign), place.style))
                } else {
                    blanks += 1
                }
                x += 1
            }
        }
        for label in labels.sorted(by: { $0.box.x < $1.box.x }) {
            advance(to: label.box.x)
            flush()
            let text = isUnicode ? label.text : Self.ascii(label.text)
            line.append(TerminalText(text, Self.style(label.role)))
            x = label.box.right
        }
        advance(to: row.count)
        return line
    }

    private static func style(_ role: LayoutLabel.Role) -> TerminalText.Style? {
        switch role {
        case .date: .bold
        case .number: .dim
        default: nil
        }
    }

    /// The text without signs that another locale cannot show; of the same width.
    private static func ascii(_ text: String) -> String {
        var result = ""
        for character in text {
            if character.isASCII {
                result.append(character)
            } else {
                let sign: Character = character == "…" ? "~" : character == "–" ? "-" : "?"
                result += String(
                    repeating: String(sign), count: DisplayWidth.columns(of: character))
            }
        }
        return result
    }

    // MARK: - Signs

    private func sign(_ kind: TimelineModel.Span.Kind) -> Character {
        switch kind {
        case .remembered: isUnicode ? "┄" : "."
        case .connected: isUnicode ? "─" : "-"
        case .front: isUnicode ? "━" : "="
        }
    }

    func sign(_ kind: MarkKind) -> Character {
        switch kind {
        case .create: isUnicode ? "○" : "o"
        case .restore: isUnicode ? "▲" : "^"
        case .link: isUnicode ? "◆" : "@"
        case .save: isUnicode ? "●" : "*"
        case .discard: isUnicode ? "✕" : "x"
        case .crash: isUnicode ? "✸" : "!"
        case .blame: isUnicode ? "✶" : "%"
        case .withheld: isUnicode ? "⊘" : "#"
        case .other: isUnicode ? "╷" : "'"
        }
    }

    static func style(_ kind: MarkKind) -> TerminalText.Style? {
        switch kind {
        case .create: .bold
        case .restore: .green
        case .link: .yellow
        case .save: nil
        case .discard: .bold
        case .crash, .blame, .withheld: .red
        case .other: .dim
        }
    }

    /// What the signs mean, as many a line as fit; only those that stand in the picture.
    func legend() -> [TerminalText] {
        var entries: [(TerminalText, Int)] = []
        for kind in MarkKind.allCases
        where model.lanes.contains(where: { $0.counts[kind] > 0 }) {
            var entry = TerminalText(verbatim: String(sign(kind)), Self.style(kind))
            entry.append(" \(kind.title)")
            entries.append((entry, DisplayWidth.columns(of: kind.title) + 2))
        }
        for (kind, title) in [
            (TimelineModel.Span.Kind.front, "in front"), (.connected, "connected"),
            (.remembered, "remembered"),
        ] {
            var entry = TerminalText(
                verbatim: String(repeating: sign(kind), count: 2),
                kind == .front ? .cyan : .dim)
            entry.append(" \(title)")
            entries.append((entry, DisplayWidth.columns(of: title) + 3))
        }
        var lines: [TerminalText] = []
        var used = 0
        for (entry, width) in entries {
            if lines.isEmpty || used + 2 + width > layout.width {
                lines.append(entry)
                used = width
            } else {
                lines[lines.count - 1].append("  ")
                lines[lines.count - 1].append(entry)
                used += 2 + width
            }
        }
        return lines
    }
}
