import SceneStore

extension ScenarioStep {
    /// Which displays there are.
    package struct DisplaysStep: Hashable, Sendable {
        /// The displays, in the order in which they were written; without any, the host knows none.
        package var displays: [Display]

        init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
            displays = []
            while let word = arguments.nextWord() {
                guard let display = Display(geometry: word.text) else {
                    throw ScenarioStepError(
                        column: word.column,
                        message: "\(ScenarioQuotation.quoted(word.text)) is not a display; "
                            + "write NAME:WxH+X+Y, such as main:1920x1080+0+0")
                }
                displays.append(display)
            }
        }
    }
}

extension Display {
    /// Reads `NAME:WxH+X+Y`; coordinates may have a minus in place of the plus.
    init?(geometry text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else {
            return nil
        }
        var rest = text[text.index(after: colon)...]
        guard let width = Self.number(&rest), rest.popFirst() == "x",
            let height = Self.number(&rest),
            let x = Self.coordinate(&rest), let y = Self.coordinate(&rest), rest.isEmpty,
            width > 0, height > 0
        else {
            return nil
        }
        self.init(
            String(text[..<colon]), frame: Frame(x: x, y: y, width: width, height: height))
    }

    private static func number(_ text: inout Substring) -> Double? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text.dropFirst(digits.count)
        // No display has a million pixels.
        return digits.count < 7 ? Double(digits) : nil
    }

    private static func coordinate(_ text: inout Substring) -> Double? {
        guard let sign = text.popFirst(), sign == "+" || sign == "-", let value = number(&text)
        else {
            return nil
        }
        return sign == "-" ? -value : value
    }
}

extension ScenePlacement {
    /// `WxH+X+Y`, and `WxH` where the coordinates are not known, as scenarios write it.
    var geometry: String {
        func text(_ number: Double) -> String {
            Int(exactly: number).map(String.init) ?? String(number)
        }
        func coordinate(_ number: Double) -> String {
            number < 0 ? text(number) : "+" + text(number)
        }
        let size = "\(text(width))x\(text(height))"
        guard let x, let y else {
            return size
        }
        return size + coordinate(x) + coordinate(y)
    }
}
