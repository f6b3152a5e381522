#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

/// Dates as text by ISO 8601, the extended format alone, and by its profile RFC 3339.
///
/// Written by hand because the system's reader accepts what a scenario or a link must not, and
/// keeps milliseconds only.
extension ISO8601 {
    /// How many digits of a fraction are written.
    package enum Precision: Sendable {
        /// As many as needed, nine at most.
        case nanoseconds
        /// All of them: the text reads back as exactly this date, unless it is in the second before
        /// 2001-01-01T00:00:00Z, where dates lie closer together than fractions of a second do.
        case exact
    }

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
}
