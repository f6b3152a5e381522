/// One line of the report.
struct Measurement {
    /// What is measured; short enough for a table.
    var name: String
    var unit: Unit
    /// The library.
    var library: Summary
    /// The floor, where there is one.
    var floor: Summary?
    /// The library's part of the floor's.
    var ratio: Summary?
    var target: Target?
    /// What `--check` holds; nothing for times, which a busy machine changes.
    var gate: Gate?
    /// What else the reader has to know.
    var note: String?

    init(_ name: String, _ unit: Unit, _ library: Summary) {
        self.name = name
        self.unit = unit
        self.library = library
    }

    /// A number that every run finds again.
    init(_ name: String, _ unit: Unit, exactly value: Double, target: Target? = nil) {
        self.init(name, unit, Summary(exactly: value))
        self.target = target
        gate = target == nil ? nil : .target
    }

    /// The library against the floor, both measured in the same rounds.
    init(
        _ name: String, _ unit: Unit, _ library: [[Double]], floor: [[Double]],
        target: Double? = nil, note: String? = nil
    ) {
        self.init(name, unit, Summary(rounds: library))
        self.floor = Summary(rounds: floor)
        ratio = Summary(ratioOf: library, to: floor)
        self.target = target.map { .ratioAtMost($0) }
        self.note = note
    }

    /// The library against the floor, where both are numbers that every run finds again.
    init(
        _ name: String, _ unit: Unit, exactly library: Double, floor: Double,
        target: Double? = nil, gate: Gate? = nil
    ) {
        self.init(name, unit, Summary(exactly: library))
        self.floor = Summary(exactly: floor)
        ratio = Summary(exactly: library / max(floor, 1))
        self.target = target.map { .ratioAtMost($0) }
        self.gate = gate
    }

    /// What a number counts. Times are measured in nanoseconds and shown as the unit says.
    enum Unit: String {
        case nanoseconds = "ns"
        case microseconds = "µs"
        case milliseconds = "ms"
        case seconds = "s"
        case bytes = "bytes"
        case count = ""
        case instructions = "instructions"

        /// How many of what was measured make one of what is shown.
        var divisor: Double {
            switch self {
            case .microseconds: 1e3
            case .milliseconds: 1e6
            case .seconds: 1e9
            case .nanoseconds, .bytes, .count, .instructions: 1
            }
        }
    }

    /// What is to be reached.
    enum Target {
        /// The median of the ratios.
        case ratioAtMost(Double)
        /// The median, in the unit that is shown.
        case atMost(Double)
        case exactly(Double)

        var text: String {
            switch self {
            case .ratioAtMost(let value), .atMost(let value): "≤ \(Decimals.text(value))"
            case .exactly(let value): Decimals.text(value)
            }
        }
    }

    /// What a change may not make worse.
    enum Gate {
        /// The target itself.
        case target
        /// A ratio, where the target is not reached or leaves room.
        case ratioAtMost(Double)
        /// A number, in the unit that is shown.
        case atMost(Double)
    }

    /// Whether the gate holds; true without one.
    var isHeld: Bool {
        switch gate {
        case .target: isMet ?? true
        case .ratioAtMost(let value): ratio.map { $0.median <= value } ?? false
        case .atMost(let value): library.median / unit.divisor <= value
        case nil: true
        }
    }

    /// Whether the target is met; nil without one.
    var isMet: Bool? {
        switch target {
        case .ratioAtMost(let value): ratio.map { $0.median <= value } ?? false
        case .atMost(let value): library.median / unit.divisor <= value
        case .exactly(let value): library.low == value && library.high == value
        case nil: nil
        }
    }
}

/// Numbers as people read them, without Foundation's formatters.
enum Decimals {
    /// Three digits that count, or all of a whole number.
    static func text(_ value: Double) -> String {
        let size = value.magnitude
        guard size.isFinite, size < 1e15 else {
            return "?"
        }
        if size >= 100 || value == value.rounded() {
            return grouped(Int64(value.rounded()))
        }
        return fixed(value, size >= 10 ? 1 : 2)
    }

    /// A fixed number of decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = decimals == 1 ? 10.0 : 100.0
        let whole = Int64((value.magnitude * scale).rounded())
        let fraction = "\(whole % Int64(scale))"
        let padding = String(repeating: "0", count: decimals - fraction.count)
        return "\(value < 0 ? "-" : "")\(whole / Int64(scale)).\(padding)\(fraction)"
    }

    private static func grouped(_ value: Int64) -> String {
        var digits = "\(value.magnitude)"
        var text = ""
        while digits.count > 3 {
            text = " " + digits.suffix(3) + text
            digits.removeLast(3)
        }
        return (value < 0 ? "-" : "") + digits + text
    }
}
