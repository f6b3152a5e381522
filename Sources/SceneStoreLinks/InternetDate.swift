import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Dates as RFC 3339 writes them, to the last bit of a `Date`.
enum InternetDate {
    /// Seconds from 1970 to the moment that `Date` counts from.
    private static let reference: Int64 = 978_307_200

    /// `2026-05-01`, or `2026-05-01T12:30:00.25Z` with `Z` or an offset.
    static func parse(_ text: String) -> Date? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), year > 0, reader.take("-"),
            let month = reader.number(2), (1...12).contains(month), reader.take("-"),
            let day = reader.number(2), (1...length(of: month, year)).contains(day)
        else {
            return nil
        }
        var seconds = days(year, month, day) * 86_400
        if reader.isAtEnd {
            return Date(timeIntervalSinceReferenceDate: Double(seconds - reference))
        }
        guard reader.take("T") || reader.take("t"), let hour = reader.number(2), hour < 24,
            reader.take(":"), let minute = reader.number(2), minute < 60, reader.take(":"),
            let second = reader.number(2), second < 60
        else {
            return nil
        }
        seconds += hour * 3_600 + minute * 60 + second
        var fraction = 0.0
        if reader.take(".") {
            guard let digits = reader.digits(), digits.count <= 60,
                let value = Double("0." + digits)
            else {
                return nil
            }
            fraction = value
        }
        if !reader.take("Z"), !reader.take("z") {
            let isWest = reader.take("-")
            guard isWest || reader.take("+"), let hours = reader.number(2), hours < 24,
                reader.take(":"), let minutes = reader.number(2), minutes < 60
            else {
                return nil
            }
            seconds += (hours * 3_600 + minutes * 60) * (isWest ? 1 : -1)
        }
        guard reader.isAtEnd else {
            return nil
        }
        return Date(timeIntervalSinceReferenceDate: Double(seconds - reference) + fraction)
    }

    /// The text that parses to exactly this date, or `nil` when there is none.
    static func print(_ date: Date) -> String? {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let counted = Int64(exactly: whole), abs(counted) < 1 << 40 else {
            return nil
        }
        let seconds = counted + reference
        let day = Int64((Double(seconds) / 86_400).rounded(.down))
        let (year, month, dayOfMonth) = civil(day)
        guard (1...9_999).contains(year) else {
            return nil
        }
        let rest = seconds - day * 86_400
        var text =
            padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + "T"
            + padded(rest / 3_600, 2) + ":" + padded(rest / 60 % 60, 2) + ":"
            + padded(rest % 60, 2)
        var fraction = interval - whole
        if fraction > 0 {
            text += "."
            // Each step is exact: a binary fraction loses a bit with every decimal digit.
            for _ in 0..<60 where fraction > 0 {
                fraction *= 10
                let digit = fraction.rounded(.down)
                text += String(Int64(digit))
                fraction -= digit
            }
        }
        text += "Z"
        return parse(text) == date ? text : nil
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func length(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970 to a date of the Gregorian calendar; the year begins in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, UInt32(bytes[index]) == character.value else {
                return false
            }
            index += 1
            return true
        }

        mutating func digits() -> String? {
            let found = bytes[index...].prefix(while: URLByte.isDigit)
            index += found.count
            return found.isEmpty ? nil : String(decoding: found, as: UTF8.self)
        }

        mutating func number(_ count: Int) -> Int64? {
            let found = bytes[index...].prefix(count)
            guard found.count == count, found.allSatisfy(URLByte.isDigit) else {
                return nil
            }
            index += count
            return found.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
    }
}
