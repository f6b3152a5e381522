import SceneStoreExchange
import SceneStoreValues

/// Times as they are typed: `10s`, `15m`, `2h`, `30d`.
enum DurationText {
    /// The longest time that is accepted, about a hundred years.
    static let most = Duration.seconds(36_525 * 86_400)

    /// Reads a whole number with a unit (`ms`, `s`, `m`, `h`, `d`, `w`), or nil.
    static func parse(_ text: String) -> Duration? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        // Eighteen digits fit into Int64 with room for every unit to be checked below.
        guard !digits.isEmpty, digits.count <= 18, let number = Int64(String(digits) ?? "") else {
            return nil
        }
        let milliseconds: Int64
        switch String(text.utf8.dropFirst(digits.count)) {
        case "ms": milliseconds = 1
        case "s": milliseconds = 1_000
        case "m", "min": milliseconds = 60_000
        case "h": milliseconds = 3_600_000
        case "d": milliseconds = 86_400_000
        case "w": milliseconds = 604_800_000
        default: return nil
        }
        let (total, overflow) = number.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, .milliseconds(total) <= most else {
            return nil
        }
        return .milliseconds(total)
    }

    /// A time for people, in its two largest units: `340 ms`, `1.2 s`, `2 min 5 s`, `2 h 5 min`.
    static func describe(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        if seconds < 0 || milliseconds < 0 {
            return "-" + describe(.zero - duration)
        }
        switch seconds {
        case 0: return "\(milliseconds) ms"
        case 1..<10: return "\(seconds).\(milliseconds / 100) s"
        case 10..<60: return "\(seconds) s"
        case 60..<3_600: return pair(seconds / 60, "min", seconds % 60, "s")
        case 3_600..<86_400: return pair(seconds / 3_600, "h", seconds % 3_600 / 60, "min")
        default: return pair(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h")
        }
    }

    private static func pair(
        _ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String
    ) -> String {
        small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
    }
}

/// Points in time, given in milliseconds since 1970.
enum TimeText {
    /// Where a person reads times.
    struct Zone: Sendable {
        /// The milliseconds from UTC to the local time at a moment.
        var offset: @Sendable (Int64) -> Int64
    }

    /// The zone of times for people; nil shows UTC.
    @TaskLocal static var zone: Zone?

    /// What a column of moments is called.
    static var heading: String { zone == nil ? "Time (UTC)" : "Time" }

    private static func local(_ time: Int64) -> Int64 {
        time.addingReportingOverflow(zone?.offset(time) ?? 0).partialValue
    }

    /// How long ago something was: `just now`, `2 min ago`, `in 3 h`; beyond 60 days the date.
    static func relative(_ time: Int64, to now: Int64) -> String {
        let (difference, overflow) = now.subtractingReportingOverflow(time)
        guard !overflow, difference.magnitude <= 60 * 86_400_000 else {
            return date(time)
        }
        if difference.magnitude < 1_000 {
            return "just now"
        }
        let span = span(difference.magnitude)
        return difference > 0 ? "\(span) ago" : "in \(span)"
    }

    /// The same, after a day with the time itself: `2026-01-03 07:05:12 (3 d ago)`.
    static func dated(_ time: Int64, at now: Int64) -> String {
        let relative = relative(time, to: now)
        return relative.contains(" d ") ? "\(spoken(time)) (\(relative))" : relative
    }

    /// `2026-01-03 07:05:12`, where the person is.
    static func moment(_ time: Int64) -> String {
        let text = iso8601(local(time))
        return text.split(separator: ".").first.map {
            $0.split(separator: "T").joined(separator: " ")
        } ?? text
    }

    /// A time in a sentence: where the person is, else as programs get it.
    static func spoken(_ time: Int64) -> String {
        zone == nil ? iso8601(time) : moment(time)
    }

    /// How old something is, for questions: `2 min`; nothing is younger than `0 s`.
    static func age(_ time: Int64, at now: Int64) -> String {
        let (difference, overflow) = now.subtractingReportingOverflow(time)
        return span(overflow ? UInt64(Int64.max) : UInt64(max(0, difference)))
    }

    /// A time in its largest unit alone.
    private static func span(_ milliseconds: UInt64) -> String {
        let seconds = milliseconds / 1_000
        return switch seconds {
        case 0..<60: "\(seconds) s"
        case 60..<3_600: "\(seconds / 60) min"
        case 3_600..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// ISO 8601 in UTC with milliseconds: `2026-01-01T00:00:00.000Z`. Years beyond four digits
    /// carry a sign.
    static func iso8601(_ time: Int64) -> String {
        let day = floorDivided(time, by: 86_400_000)
        // Not `time - day * 86_400_000`: the first day that Int64 reaches begins before it.
        let remainder = time % 86_400_000
        let inDay = remainder < 0 ? remainder + 86_400_000 : remainder
        let (year, month, dayOfMonth) = ISO8601.civil(fromDays: day)
        let yearText =
            (0...9_999).contains(year)
            ? String(year, digits: 4) : (year < 0 ? "-" : "+") + String(abs(year), digits: 6)
        let clock = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1_000 % 60]
            .map { String($0, digits: 2) }.joined(separator: ":")
        let date = [month, dayOfMonth].map { String($0, digits: 2) }.joined(separator: "-")
        return "\(yearText)-\(date)T\(clock).\(String(inDay % 1_000, digits: 3))Z"
    }

    /// The day where the person is: `2026-01-01`.
    static func date(_ time: Int64) -> String {
        String(iso8601(local(time)).prefix { $0 != "T" })
    }

    private static func floorDivided(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}

/// Numbers for people.
enum NumberText {
    /// A number of bytes in units of 1 024: `512 B`, `1.5 KiB`, `12 MiB`.
    static func bytes(_ count: Int64) -> String {
        var value = Double(count)
        var unit = "B"
        for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] where abs(value) >= 1_023.95 {
            value /= 1_024
            unit = next
        }
        if unit == "B" {
            return "\(count) B"
        }
        if abs(value) < 9.95 {
            let tenths = (value * 10).rounded()
            return
                "\(Int64(tenths / 10)).\(Int64(abs(tenths).truncatingRemainder(dividingBy: 10))) \(unit)"
        }
        return "\(Int64(value.rounded())) \(unit)"
    }

    /// A number with its digits in groups of three: `1 234 567`.
    static func grouped(_ number: some BinaryInteger) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) {
                text += " "
            }
            text.append(digit)
        }
        return text
    }

    /// A count with its noun: `1 session`, `3 sessions`.
    static func counted(_ count: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? singular : plural ?? singular + "s")"
    }
}

extension LaunchEnding {
    /// How the launch ended, for people.
    var text: String {
        switch self {
        case .quit: "quit"
        case .forceQuit: "ended by the user"
        case .died: "died"
        case .running: "running"
        case .unknown: "no end known"
        }
    }
}
