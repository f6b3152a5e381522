import SceneStoreValues

/// A conversion between a parameter's text and a value.
///
/// Types are strict: the complete text counts, digits are ASCII, and text is never trimmed or
/// guessed.
///
/// ```swift
/// let seconds = RouteParameterType<Int>.custom(
///     "seconds", parse: { $0.hasSuffix("s") ? Int($0.dropLast()) : nil },
///     print: { "\($0)s" })
/// let moment = Route<Screen>(
///     "/at/:t", .path("t", seconds), open: Screen.videoAt(seconds:), print: \.seconds)
/// ```
///
/// ## Topics
/// ### Types
/// - ``string``
/// - ``string(length:)``
/// - ``integer``
/// - ``integer(in:)-(ClosedRange<Int>)``
/// - ``integer(in:)-(PartialRangeFrom<Int>)``
/// - ``unsigned``
/// - ``unsigned(in:)-(ClosedRange<UInt>)``
/// - ``unsigned(in:)-(ClosedRange<Int>)``
/// - ``number``
/// - ``number(in:)``
/// - ``boolean``
/// - ``uuid``
/// - ``date``
/// - ``custom(_:maximumBytes:parse:print:)``
public struct RouteParameterType<Value: Sendable>: Sendable {
    /// What is wrong with a text.
    package enum Problem: Error, Hashable, Sendable {
        /// The text is no value of the type.
        case malformed
        /// The value lies outside the allowed ones.
        case outOfRange
        /// The text is longer than allowed.
        case tooLong
    }

    /// The longest text of a number, a Boolean, a UUID, a date or an enumeration, in bytes.
    public static var maximumBytes: Int { 128 }

    /// The type's name in explanations, such as `integer in 0...86400`.
    public let name: String
    package let maximumBytes: Int
    private let parseText: @Sendable (String) -> Result<Value, Problem>
    private let printValue: @Sendable (Value) -> String?
    /// All texts that parse, when they are few enough to be listed.
    package let texts: [String]?

    package init(
        _ name: String, maximumBytes: Int = Self.maximumBytes, texts: [String]? = nil,
        parse: @escaping @Sendable (String) -> Result<Value, Problem>,
        print: @escaping @Sendable (Value) -> String?
    ) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.texts = texts
        parseText = parse
        printValue = print
    }

    /// Returns a type that the app defines.
    ///
    /// - Parameters:
    ///   - name: The type's name in explanations.
    ///   - maximumBytes: The longest text that is passed to `parse`.
    ///   - parse: Returns the value of a text, or `nil` if the text has no value. The text is any
    ///     text that a link can contain, decoded once.
    ///   - print: Returns the text of a value, or `nil` if it has none. Parsing the text must give
    ///       the value.
    public static func custom(
        _ name: String, maximumBytes: Int = 1_024,
        parse: @escaping @Sendable (String) -> Value?,
        print: @escaping @Sendable (Value) -> String?
    ) -> Self {
        Self(
            name, maximumBytes: maximumBytes,
            parse: { parse($0).map(Result.success) ?? .failure(.malformed) }, print: print)
    }

    package func parse(_ text: String) -> Result<Value, Problem> {
        text.utf8.count > maximumBytes ? .failure(.tooLong) : parseText(text)
    }

    package func print(_ value: Value) -> String? {
        printValue(value)
    }
}

extension RouteParameterType where Value: RawRepresentable, Value.RawValue == String {
    /// Returns a type for the values of an enumeration, by raw value.
    public static func oneOf(_ type: Value.Type = Value.self) -> Self {
        Self(
            "one of \(type)",
            parse: { Value(rawValue: $0).map(Result.success) ?? .failure(.outOfRange) },
            print: { $0.rawValue })
    }
}

extension RouteParameterType
where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// Returns a type for the values of an enumeration, by raw value; explanations list them.
    public static func oneOf(_ type: Value.Type = Value.self) -> Self {
        let texts = type.allCases.map(\.rawValue)
        return Self(
            "one of \(texts.prefix(20).joined(separator: ", "))", texts: texts,
            parse: { Value(rawValue: $0).map(Result.success) ?? .failure(.outOfRange) },
            print: { $0.rawValue })
    }
}

extension RouteParameterType where Value: RawRepresentable, Value.RawValue == Int {
    /// Returns a type for the values of an enumeration, by raw number.
    public static func oneOf(_ type: Value.Type = Value.self) -> Self {
        let integer = RouteParameterType<Int>.integer
        return Self(
            "one of \(type)",
            parse: { text in
                integer.parse(text).mapError { $0 == .malformed ? .malformed : .outOfRange }
                    .flatMap {
                        Value(rawValue: $0).map(Result.success) ?? .failure(.outOfRange)
                    }
            },
            print: { integer.print($0.rawValue) })
    }
}
