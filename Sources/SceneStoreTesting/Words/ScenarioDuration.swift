/// Durations as a scenario writes them.
enum ScenarioDuration {
    /// The longest duration, in milliseconds: a million days.
    static let longest: Int64 = 1_000_000 * 86_400_000

    /// Reads a whole number and a unit as milliseconds; nil when it is something else or too
    /// long.
    static func parse(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard let number = Int64(Substring(digits)) else {
            return nil
        }
        let unit: Int64
        switch String(text[digits.endIndex...]).keyword {
        case "ms": unit = 1
        case "s": unit = 1000
        case "m": unit = 60_000
        case "h": unit = 3_600_000
        case "d": unit = 86_400_000
        default: return nil
        }
        let (duration, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow || duration > longest ? nil : duration
    }
}
