import SceneStoreFormats
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RouteParameterType where Value == String {
    /// Text of up to 1 024 bytes, decoded once.
    public static var string: Self {
        .string(length: 0...1_024)
    }

    /// Returns a type for text whose length in bytes is in a range.
    public static func string(length: ClosedRange<Int>) -> Self {
        Self(
            "text of \(length.lowerBound) to \(length.upperBound) bytes",
            maximumBytes: length.upperBound,
            parse: { length.contains($0.utf8.count) ? .success($0) : .failure(.outOfRange) },
            print: { length.contains($0.utf8.count) ? $0 : nil })
    }
}

extension RouteParameterType where Value: FixedWidthInteger {
    /// A decimal number: digits, for signed types perhaps with a minus sign in front.
    fileprivate static func decimal(_ name: String, _ range: ClosedRange<Value>) -> Self {
        Self(
            name,
            parse: { text in
                let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
                let signs = text.utf8.count - digits.count
                guard !digits.isEmpty, digits.allSatisfy(URLByte.isDigit),
                    signs == 0 || (signs == 1 && Value.isSigned)
                else {
                    return .failure(.malformed)
                }
                guard let value = Value(text), range.contains(value) else {
                    return .failure(.outOfRange)
                }
                return .success(value)
            },
            print: { range.contains($0) ? String($0) : nil })
    }
}

extension RouteParameterType where Value == Int {
    /// A signed integer.
    public static var integer: Self {
        .decimal("integer", .min ... .max)
    }

    /// Returns a type for a signed integer within a range.
    public static func integer(in range: ClosedRange<Int>) -> Self {
        .decimal("integer in \(range)", range)
    }

    /// Returns a type for a signed integer that has a least value.
    public static func integer(in range: PartialRangeFrom<Int>) -> Self {
        .decimal("integer from \(range.lowerBound) on", range.lowerBound ... .max)
    }
}

extension RouteParameterType where Value == UInt {
    /// An unsigned integer.
    public static var unsigned: Self {
        .decimal("unsigned integer", .min ... .max)
    }

    /// Returns a type for an unsigned integer within a range.
    public static func unsigned(in range: ClosedRange<UInt>) -> Self {
        .decimal("unsigned integer in \(range)", range)
    }

    /// Returns a type for an unsigned integer within a range; values below zero don't count.
    ///
    /// The compiler infers `Int` for a range of literals in a ``Route``, which uses this function.
    public static func unsigned(in range: ClosedRange<Int>) -> Self {
        .unsigned(in: UInt(clamping: range.lowerBound)...UInt(clamping: range.upperBound))
    }
}

extension RouteParameterType where Value == Double {
    /// A finite number: digits with an optional fraction and exponent.
    public static var number: Self {
        .number(in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude, "number")
    }

    /// Returns a type for a number within a range.
    public static func number(in range: ClosedRange<Double>) -> Self {
        .number(in: range, "number in \(range)")
    }

    private static func number(in range: ClosedRange<Double>, _ name: String) -> Self {
        Self(
            name,
            parse: { text in
                guard isDecimal(text), let value = Double(text) else {
                    return .failure(.malformed)
                }
                return range.contains(value) ? .success(value) : .failure(.outOfRange)
            },
            print: { range.contains($0) ? "\($0)" : nil })
    }

    /// JSON's numbers; `Double` itself also takes hexadecimal, infinity and NaN.
    private static func isDecimal(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func digits() -> Bool {
            let count = rest.prefix(while: URLByte.isDigit).count
            rest = rest.dropFirst(count)
            return count > 0
        }
        func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else {
                return false
            }
            rest = rest.dropFirst()
            return true
        }
        _ = take(UInt8(ascii: "-"))
        guard digits(), !take(UInt8(ascii: ".")) || digits() else {
            return false
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard digits() else {
                return false
            }
        }
        return rest.isEmpty
    }
}

extension RouteParameterType where Value == Bool {
    /// `true` or `false`, `1` or `0`.
    public static var boolean: Self {
        Self(
            "true or false", texts: ["true", "false", "1", "0"],
            parse: {
                switch $0 {
                case "true", "1": .success(true)
                case "false", "0": .success(false)
                default: .failure(.malformed)
                }
            },
            print: { $0 ? "true" : "false" })
    }
}

extension RouteParameterType where Value == UUID {
    /// A UUID in its form of 36 characters.
    public static var uuid: Self {
        Self(
            "UUID",
            parse: {
                guard $0.utf8.count == 36, let value = UUID(uuidString: $0) else {
                    return .failure(.malformed)
                }
                return .success(value)
            },
            print: { $0.uuidString })
    }
}

extension RouteParameterType where Value == Date {
    /// A point in time (RFC 3339), such as `2026-05-01T12:30:00Z`, or a day.
    ///
    /// A day begins at midnight UTC. Years 1 to 9999; no leap seconds.
    public static var date: Self {
        Self(
            "date",
            parse: {
                ISO8601.date(of: $0, profile: .internet).map(Result.success)
                    ?? .failure(.malformed)
            },
            print: { date in
                let text = ISO8601.text(of: date, precision: .exact)
                return ISO8601.date(of: text, profile: .internet) == date ? text : nil
            })
    }
}
