/// Dates by ISO 8601. `SceneStoreFormats` reads and writes their texts.
package enum ISO8601 {
    /// From 1970 to 2001, where a `Date` counts from.
    package static let referenceOffset: Int64 = 978_307_200

    /// The date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms").
    package static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
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
