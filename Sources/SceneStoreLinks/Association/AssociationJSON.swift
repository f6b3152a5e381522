import SceneStoreValues

/// A JSON value (RFC 8259) whose objects keep the order of their keys.
package enum AssociationJSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number as written; association files hold none that matter.
    case number(String)
    case string(String)
    case array([AssociationJSON])
    case object([Member])

    /// One key with its value.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: AssociationJSON
    }

    /// The value of a key, if this is an object that has it.
    package subscript(key: String) -> AssociationJSON? {
        guard case .object(let members) = self else {
            return nil
        }
        return members.first { $0.key.hasSameBytes(as: key) }?.value
    }

    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var arrayValue: [AssociationJSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var objectValue: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

/// Reads JSON within limits; whatever the bytes are, the answer is a value or a typed error.
///
/// Stricter than most readers: a key that stands twice in an object, a lone surrogate, invalid
/// UTF-8 and bytes behind the value are errors, because two readers would see two files.
struct AssociationJSONParser {
    /// The largest file that Apple's and Google's clients read.
    static let maximumBytes = 128 << 10
    /// Deeper than any association file; bounds the recursion.
    static let maximumDepth = 32

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The value of a whole text.
    static func parse(_ bytes: [UInt8]) throws(SceneStoreError) -> AssociationJSON {
        guard bytes.count <= maximumBytes else {
            throw SceneStoreError(
                .associationTooLarge,
                "the file has \(bytes.count) bytes, more than \(maximumBytes); clients ignore it")
        }
        var parser = Self(bytes)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
            parser.index = 3
        }
        parser.skipBlanks()
        let value = try parser.value()
        parser.skipBlanks()
        guard parser.index == bytes.count else {
            throw parser.failure("something follows the value")
        }
        return value
    }

    private func failure(_ what: String) -> SceneStoreError {
        SceneStoreError(.associationMalformed, "the file is not JSON: \(what) at byte \(index)")
    }

    private var next: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            index += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else {
            return false
        }
        index += 1
        return true
    }

    private mutating func value() throws(SceneStoreError) -> AssociationJSON {
        switch next {
        case UInt8(ascii: "{"):
            return .object(
                try nested { parser throws(SceneStoreError) in try parser.members() })
        case UInt8(ascii: "["):
            return .array(
                try nested { parser throws(SceneStoreError) in try parser.elements() })
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw failure("it ends early")
        default: return try number()
        }
    }

    private mutating func nested<Content>(
        _ content: (inout Self) throws(SceneStoreError) -> Content
    ) throws(SceneStoreError) -> Content {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw failure("more than \(Self.maximumDepth) levels")
        }
        index += 1
        skipBlanks()
        let result = try content(&self)
        depth -= 1
        return result
    }

    private mutating func members() throws(SceneStoreError) -> [AssociationJSON.Member] {
        var result: [AssociationJSON.Member] = []
        var seen: Set<[UInt8]> = []
        guard !take(UInt8(ascii: "}")) else {
            return result
        }
        while true {
            let start = index
            let key = try string()
            guard seen.insert(Array(key.utf8)).inserted else {
                index = start
                throw failure("a key stands twice in one object")
            }
            skipBlanks()
            guard take(UInt8(ascii: ":")) else {
                throw failure("no colon behind a key")
            }
            skipBlanks()
            result.append(AssociationJSON.Member(key: key, value: try value()))
            skipBlanks()
            if take(UInt8(ascii: "}")) {
                return result
            }
            guard take(UInt8(ascii: ",")) else {
                throw failure("no comma or brace behind a value")
            }
            skipBlanks()
        }
    }

    private mutating func elements() throws(SceneStoreError) -> [AssociationJSON] {
        var result: [AssociationJSON] = []
        guard !take(UInt8(ascii: "]")) else {
            return result
        }
        while true {
            result.append(try value())
            skipBlanks()
            if take(UInt8(ascii: "]")) {
                return result
            }
            guard take(UInt8(ascii: ",")) else {
                throw failure("no comma or bracket behind a value")
            }
            skipBlanks()
        }
    }

    private mutating func word(
        _ word: String, _ value: AssociationJSON
    ) throws(SceneStoreError) -> AssociationJSON {
        guard bytes[index...].starts(with: word.utf8) else {
            throw failure("an unknown word")
        }
        index += word.utf8.count
        return value
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = next, URLByte.isDigit(byte) {
            index += 1
        }
        return index > start
    }

    private mutating func number() throws(SceneStoreError) -> AssociationJSON {
        let start = index
        _ = take(UInt8(ascii: "-"))
        let leading = next
        let first = index
        guard digits(), leading != UInt8(ascii: "0") || index == first + 1 else {
            throw failure("an unknown character or a malformed number")
        }
        if take(UInt8(ascii: ".")), !digits() {
            throw failure("a malformed number")
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) {
                _ = take(UInt8(ascii: "-"))
            }
            guard digits() else {
                throw failure("a malformed number")
            }
        }
        return .number(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func string() throws(SceneStoreError) -> String {
        guard take(UInt8(ascii: "\"")) else {
            throw failure("a text was expected")
        }
        var text: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else {
                    throw failure("a text that is not UTF-8")
                }
                return result
            case UInt8(ascii: "\\"):
                text += try escape()
            case 0..<0x20:
                throw failure("a control character in a text")
            default:
                text.append(byte)
            }
        }
        throw failure("a text has no end")
    }

    private mutating func escape() throws(SceneStoreError) -> [UInt8] {
        let byte = next
        index += 1
        switch byte {
        case UInt8(ascii: "\""): return [0x22]
        case UInt8(ascii: "\\"): return [0x5c]
        case UInt8(ascii: "/"): return [0x2f]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): break
        default: throw failure("an unknown escape")
        }
        var code = try codeUnit()
        if code & 0xfc00 == 0xd800 {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw failure("half of a surrogate pair")
            }
            let low = try codeUnit()
            guard low & 0xfc00 == 0xdc00 else {
                throw failure("half of a surrogate pair")
            }
            code = 0x10000 + ((code & 0x3ff) << 10 | low & 0x3ff)
        }
        guard let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar) else {
            throw failure("half of a surrogate pair")
        }
        return Array(encoded)
    }

    private mutating func codeUnit() throws(SceneStoreError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = URLByte.hexadecimal(byte) else {
                throw failure("an escape without four hexadecimal digits")
            }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }
}

extension SceneStoreError.Code {
    /// An association file is larger than 128 KiB.
    public static let associationTooLarge = Self("associationTooLarge")
    /// An association file is not JSON, or not of a shape that can be read.
    public static let associationMalformed = Self("associationMalformed")
}
