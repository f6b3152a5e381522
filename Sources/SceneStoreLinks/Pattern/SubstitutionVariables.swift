/// What `$(name)` stands for in the patterns of an association file (K-08).
package struct SubstitutionVariables: Hashable, Sendable {
    private var values: [String: [String]] = [:]

    /// Defines a variable; a built-in one of the same name is hidden.
    package mutating func define(_ name: String, _ values: [String]) {
        self.values[name] = values
    }

    /// The values of a name, which is compared with case.
    package subscript(name: String) -> [String]? {
        values[name] ?? Self.builtIn[name]
    }

    /// Whether the system defines a name.
    package static func isBuiltIn(_ name: String) -> Bool {
        builtIn[name] != nil
    }

    /// The names that are defined.
    package var names: [String] {
        (Array(values.keys) + Self.builtIn.keys).sorted()
    }

    /// A reference that begins at the first byte: its name, and where the text goes on.
    package static func reference(at bytes: ArraySlice<UInt8>) -> (text: String, end: Int)? {
        let start = bytes.startIndex + 2
        guard bytes.starts(with: [UInt8(ascii: "$"), UInt8(ascii: "(")]),
            let close = bytes[start...].firstIndex(of: UInt8(ascii: ")"))
        else {
            return nil
        }
        return (String(decoding: bytes[start..<close], as: UTF8.self), close + 1)
    }

    private static let builtIn: [String: [String]] = {
        let upper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map(character)
        let lower = (UInt8(ascii: "a")...UInt8(ascii: "z")).map(character)
        let digit = (UInt8(ascii: "0")...UInt8(ascii: "9")).map(character)
        return [
            "upper": upper,
            "lower": lower,
            "alpha": upper + lower,
            "digit": digit,
            "alnum": upper + lower + digit,
            "xdigit": digit + upper.prefix(6) + lower.prefix(6),
            "region": ISOCodes.regions,
            "lang": ISOCodes.languages,
        ]
    }()

    private static func character(_ byte: UInt8) -> String {
        String(Unicode.Scalar(byte))
    }

    package init(
        values: [String: [String]] = [:]
    ) {
        self.values = values
    }
}
