/// A rectangle of a picture, in its units: pixels, or the cells of a terminal.
struct LayoutBox: Sendable, Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }
}

/// A text with its place.
struct LayoutLabel: Sendable, Hashable {
    enum Role: Sendable, Hashable {
        /// Of a lane, a row or a line.
        case name(Int)
        /// Of a band.
        case number(Int)
        case date(Int)
        /// Of a place on an axis.
        case tick
        /// A number beside a row.
        case value(Int)
    }

    var text: String
    var box: LayoutBox
    var role: Role
}

/// How wide text is, in a picture's units.
///
/// Which font shows a page is not known, so that of pictures is an upper bound that holds for the
/// widest of the usual system fonts; labels that do not overlap by it overlap in none.
struct TextMetric: Sendable {
    /// The width of a text.
    let width: @Sendable (String) -> Int
    /// The height of a line.
    let height: Int

    /// Cells of a terminal.
    static let terminal = TextMetric(width: { DisplayWidth.columns(of: $0) }, height: 1)

    /// A sans-serif font of so many pixels.
    static func sans(_ size: Int) -> TextMetric {
        TextMetric(
            width: { text in
                var hundredths = 0
                for character in text {
                    hundredths += Self.hundredths(character)
                }
                return (hundredths * size + 99) / 100
            },
            height: size + size / 3)
    }

    /// Hundredths of the font's size, rounded up over DejaVu Sans, the widest one.
    private static func hundredths(_ character: Character) -> Int {
        guard character.isASCII else {
            let columns = DisplayWidth.columns(of: character)
            // Signs that join with others, or that a font shows one by one.
            let parts = max(character.unicodeScalars.count, 1)
            return max(columns, 1) * 105 * min(parts, 4)
        }
        return switch character {
        case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", " ": 42
        case "f", "r", "t", "(", ")", "[", "]", "!", "-", "/", "\\": 46
        case "m", "w", "M", "W", "%", "@": 105
        case "A"..."Z", "&", "#", "+", "<", "=", ">", "~", "^": 86
        default: 66
        }
    }

    /// As much of a text as is so wide, with `…` where something is missing.
    func truncated(_ text: String, to limit: Int) -> String {
        if width(text) <= limit {
            return text
        }
        var result = ""
        for character in text {
            guard width(result + String(character) + "…") <= limit else {
                break
            }
            result.append(character)
        }
        return width(result + "…") <= limit ? result + "…" : ""
    }
}

/// Puts labels of one line beside each other: one that would touch the last one is left out.
struct LabelLine: Sendable {
    /// The least room between two.
    let gap: Int
    /// Where the line ends.
    let end: Int
    private(set) var labels: [LayoutLabel] = []

    init(gap: Int, end: Int) {
        self.gap = gap
        self.end = end
    }

    /// Adds a label that begins at a place, or not. Places never go back.
    @discardableResult
    mutating func add(
        _ text: String, at x: Int, y: Int, role: LayoutLabel.Role, metric: TextMetric
    ) -> Bool {
        let width = metric.width(text)
        let isFree = labels.last.map { $0.box.right + gap <= x } ?? true
        guard isFree, width > 0, x + width <= end else {
            return false
        }
        labels.append(
            LayoutLabel(
                text: text, box: LayoutBox(x: x, y: y, width: width, height: metric.height),
                role: role))
        return true
    }
}
