#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

extension ISO8601 {
    /// What a text may look like.
    package enum Profile: Sendable {
        /// Seconds may be missing, offsets may be `+0200` or `+02`, and a fraction has any length.
        case extended
        /// RFC 3339: years from 0001, with seconds, an offset of hours and minutes, and at most 60
        /// digits of a fraction; `t` and `z` may be small.
        case internet
    }

    /// Reads `2026-01-31`, midnight UTC, or `2026-01-31T09:30:00` with `Z` or an offset such as
    /// `+02:00`, `+0200` or `+02`. Seconds may be missing or have a fraction of any length.
    ///
    /// The years are 0000 to 9999 of the proleptic Gregorian calendar. Returns nil for everything
    /// else, also for days that don't exist, leap seconds and hour 24.
    package static func date(of text: String, profile: Profile = .extended) -> Date? {
        var reader = Reader(bytes: Array(text.utf8), isStrict: profile == .internet)
        guard let days = reader.days() else {
            return nil
        }
        guard !reader.isAtEnd else {
            return date(seconds: days * 86_400, fraction: 0)
        }
        guard let (seconds, fraction) = reader.time(), let offset = reader.offset(),
            reader.isAtEnd
        else {
            return nil
        }
        return date(seconds: days * 86_400 + seconds - offset, fraction: fraction)
    }

    private static func date(seconds: Int64, fraction: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset) + fraction)
    }

    /// Days since 1970 of a date: the inverse of ``civil(fromDays:)``.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private struct Reader {
        let bytes: [UInt8]
        /// Whether only RFC 3339 is accepted.
        let isStrict: Bool
        private var index = 0

        init(bytes: [UInt8], isStrict: Bool) {
            self.bytes = bytes
            self.isStrict = isStrict
        }

        var isAtEnd: Bool {
            index == bytes.count
        }

        /// `YYYY-MM-DD` as days since 1970.
        mutating func days() -> Int64? {
            guard let year = number(4), year > 0 || !isStrict, skip("-"), let month = number(2),
                skip("-"),
                let day = number(2), 1...12 ~= month, day >= 1
            else {
                return nil
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length: Int64 =
                switch month {
                case 2: isLeap ? 29 : 28
                case 4, 6, 9, 11: 30
                default: 31
                }
            return day <= length ? ISO8601.days(year: year, month: month, day: day) : nil
        }

        /// `THH:MM`, `THH:MM:SS` or that with a fraction, as seconds of the day.
        mutating func time() -> (seconds: Int64, fraction: Double)? {
            guard skip("T") || isStrict && skip("t"), let hour = number(2), skip(":"),
                let minute = number(2),
                hour <= 23, minute <= 59
            else {
                return nil
            }
            guard skip(":") else {
                guard !isStrict else {
                    return nil
                }
                return (hour * 3600 + minute * 60, 0)
            }
            guard let second = number(2), second <= 59 else {
                return nil
            }
            let seconds = hour * 3600 + minute * 60 + second
            guard skip(".") || !isStrict && skip(",") else {
                return (seconds, 0)
            }
            let start = index
            while index < bytes.count, digit(at: index) != nil {
                index += 1
            }
            let found = bytes[start..<index]
            // Elsewhere 40 are enough: a Double cannot tell more digits apart.
            let digits = isStrict ? found : found.prefix(40)
            guard !digits.isEmpty, digits.count <= 60,
                let fraction = Double("0." + String(decoding: digits, as: UTF8.self))
            else {
                return nil
            }
            return (seconds, fraction)
        }

        /// `Z` or an offset, as the seconds by which local time is ahead of UTC.
        mutating func offset() -> Int64? {
            if skip("Z") || isStrict && skip("z") {
                return 0
            }
            let isBehind = skip("-")
            guard isBehind || skip("+"), let hours = number(2), hours <= 23 else {
                return nil
            }
            var minutes: Int64 = 0
            if skip(":") || !isStrict && !isAtEnd {
                guard let number = number(2), number <= 59 else {
                    return nil
                }
                minutes = number
            } else if isStrict {
                return nil
            }
            let seconds = hours * 3600 + minutes * 60
            return isBehind ? -seconds : seconds
        }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard index < bytes.count, bytes[index] == UInt8(ascii: character) else {
                return false
            }
            index += 1
            return true
        }

        private mutating func number(_ width: Int) -> Int64? {
            var result: Int64 = 0
            for _ in 0..<width {
                guard let digit = digit(at: index) else {
                    return nil
                }
                result = result * 10 + digit
                index += 1
            }
            return result
        }

        private func digit(at index: Int) -> Int64? {
            guard index < bytes.count, bytes[index] >= 0x30, bytes[index] <= 0x39 else {
                return nil
            }
            return Int64(bytes[index] - 0x30)
        }
    }
}
