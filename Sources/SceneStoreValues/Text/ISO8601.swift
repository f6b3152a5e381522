#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as text by ISO 8601, the extended format alone, and by its profile RFC 3339.
///
/// Written by hand because the system's reader accepts what a scenario or a link must not, and
/// keeps milliseconds only.
package enum ISO8601 {
    /// How many digits of a fraction are written.
    package enum Precision: Sendable {
        /// As many as needed, nine at most.
        case nanoseconds
        /// All of them: the text reads back as exactly this date.
        case exact
    }

    /// From 1970 to 2001, where a `Date` counts from.
    package static let referenceOffset: Int64 = 978_307_200

    /// Writes a date in UTC.
    ///
    /// Dates beyond the years 0000 to 9999, and what is no point in time, are written as seconds
    /// since 1970.
    package static func text(of date: Date, precision: Precision = .nanoseconds) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        // 0000-01-01 to 9999-12-31T23:59:59.
        guard interval.isFinite, whole >= -63_145_526_400, whole <= 252_423_993_599 else {
            return "\(date.timeIntervalSince1970)"
        }
        var seconds = Int64(whole) + referenceOffset
        var fraction = ""
        switch precision {
        case .nanoseconds:
            let nanoseconds = Int64(((interval - whole) * 1e9).rounded())
            if nanoseconds == 1_000_000_000 {
                seconds += 1
            } else {
                fraction = String(nanoseconds, digits: 9)
                fraction.removeLast(fraction.utf8.reversed().prefix { $0 == 0x30 }.count)
            }
        case .exact: fraction = digits(of: interval - whole)
        }
        let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let time = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(fromDays: day)
        func two(_ number: Int64) -> String { String(number, digits: 2) }
        var result = "\(String(year, digits: 4))-\(two(month))-\(two(dayOfMonth))T"
        result += "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))"
        return result + (fraction.isEmpty ? "Z" : ".\(fraction)Z")
    }

    /// All digits of a fraction, 60 at most. Each step is exact, because a binary fraction loses a
    /// bit with every decimal digit.
    private static func digits(of fraction: Double) -> String {
        var rest = fraction
        var result = ""
        for _ in 0..<60 where rest > 0 {
            rest *= 10
            let digit = rest.rounded(.down)
            result += String(Int64(digit))
            rest -= digit
        }
        return result
    }

    /// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms").
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}

extension String {
    /// Makes the digits of a number, with zeros in front where there are fewer than asked for.
    package init<Number: BinaryInteger>(
        _ number: Number, digits: Int, radix: Int = 10, uppercase: Bool = false
    ) {
        let text = String(number, radix: radix, uppercase: uppercase)
        self = String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
    }
}
