import SceneStoreValues

/// Reads JSON in one pass over its bytes. Containers that are still open stand on `stack`; nothing recurses.
struct CanonicalJSONReader {
    private let bytes: [UInt8]
    private let limits: CanonicalJSON.ReadingLimits
    /// Whether the text is a line of a file, so that the caller alone knows its number.
    private let isLine: Bool
    private var index = 0
    private var nodes = 0
    private var stack: [Frame] = []

    private struct Frame {
        var isObject: Bool
        var start: Int
        var elements: [CanonicalJSON] = []
        var members: [CanonicalJSON.Object.Member] = []
        var key = ""
    }

    init(bytes: [UInt8], limits: CanonicalJSON.ReadingLimits, isLine: Bool = false) {
        self.isLine = isLine
        self.bytes = bytes
        self.limits = limits
    }

    mutating func readDocument() throws(SceneStoreError) -> CanonicalJSON {
        guard bytes.count <= limits.bytes else {
            throw SceneStoreError(
                .limitExceeded, "the JSON text is larger than \(limits.bytes) bytes")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            index = 3
        }
        while true {
            guard var value = try beginValue() else {
                continue
            }
            var isWaiting = false
            while !isWaiting, !stack.isEmpty {
                if let closed = try attach(value) {
                    value = closed
                } else {
                    isWaiting = true
                }
            }
            if !isWaiting {
                skipBlanks()
                guard index == bytes.count else {
                    throw malformed("text after the end of the value")
                }
                return value
            }
        }
    }

    /// Reads a scalar or an empty container; nil when a container was opened instead, and the
    /// index stands before its first value.
    private mutating func beginValue() throws(SceneStoreError) -> CanonicalJSON? {
        skipBlanks()
        nodes += 1
        guard nodes <= limits.nodes else {
            throw failure(.limitExceeded, "more than \(limits.nodes) values")
        }
        switch current {
        case 0x7B: return try open(isObject: true)
        case 0x5B: return try open(isObject: false)
        case 0x22: return .string(try readString())
        case 0x74: return try readWord("true", .boolean(true))
        case 0x66: return try readWord("false", .boolean(false))
        case 0x6E: return try readWord("null", .null)
        case 0x2D: return try readNumber()
        case let byte? where byte >= 0x30 && byte <= 0x39: return try readNumber()
        case nil: throw malformed("the text ends where a value should be")
        default: throw malformed("this is not the beginning of a value")
        }
    }

    private mutating func open(isObject: Bool) throws(SceneStoreError) -> CanonicalJSON? {
        guard stack.count < limits.depth else {
            throw failure(.limitExceeded, "more than \(limits.depth) levels")
        }
        let start = index
        index += 1
        skipBlanks()
        if current == (isObject ? 0x7D : 0x5D) {
            index += 1
            return isObject ? .object(CanonicalJSON.Object()) : .array([])
        }
        stack.append(Frame(isObject: isObject, start: start))
        if isObject {
            try readKey()
        }
        return nil
    }

    /// Puts a finished value into the innermost open container. Answers that container when
    /// what follows closes it, and nil when another value follows.
    private mutating func attach(
        _ value: CanonicalJSON
    ) throws(SceneStoreError) -> CanonicalJSON? {
        guard let last = stack.indices.last else {
            return value
        }
        let isObject = stack[last].isObject
        if isObject {
            stack[last].members.append((stack[last].key, value))
        } else {
            stack[last].elements.append(value)
        }
        skipBlanks()
        switch current {
        case 0x2C:
            index += 1
            if isObject {
                skipBlanks()
                try readKey()
            }
            return nil
        case isObject ? 0x7D : 0x5D:
            index += 1
            let frame = stack.removeLast()
            guard isObject else {
                return .array(frame.elements)
            }
            guard let object = CanonicalJSON.Object(distinct: frame.members) else {
                throw failure(.duplicateKey, "two keys of this object are equal", at: frame.start)
            }
            return .object(object)
        default:
            throw malformed(isObject ? "expected , or }" : "expected , or ]")
        }
    }

    private mutating func readKey() throws(SceneStoreError) {
        guard current == 0x22, let last = stack.indices.last else {
            throw malformed("expected a key in quotes")
        }
        stack[last].key = try readString()
        skipBlanks()
        guard current == 0x3A else {
            throw malformed("expected : after the key")
        }
        index += 1
    }

    private mutating func readWord(
        _ word: StaticString, _ value: CanonicalJSON
    ) throws(SceneStoreError) -> CanonicalJSON {
        let expected = word.withUTF8Buffer { Array($0) }
        guard bytes[index...].starts(with: expected) else {
            throw malformed("this is not the beginning of a value")
        }
        index += expected.count
        return value
    }

    private mutating func readNumber() throws(SceneStoreError) -> CanonicalJSON {
        let start = index
        if current == 0x2D {
            index += 1
        }
        let integerStart = index
        try skipDigits()
        if bytes[integerStart] == 0x30, index - integerStart > 1 {
            throw malformed("a number must not begin with 0", at: start)
        }
        var isInteger = true
        if current == 0x2E {
            isInteger = false
            index += 1
            try skipDigits()
        }
        if current == 0x65 || current == 0x45 {
            isInteger = false
            index += 1
            if current == 0x2B || current == 0x2D {
                index += 1
            }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        if isInteger, text != "-0", let value = Int64(text) {
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else {
            throw malformed("the number is too large", at: start)
        }
        return .double(value)
    }

    private mutating func skipDigits() throws(SceneStoreError) {
        let start = index
        while let byte = current, byte >= 0x30, byte <= 0x39 {
            index += 1
        }
        guard index > start else {
            throw malformed("expected a digit")
        }
    }

    private mutating func readString() throws(SceneStoreError) -> String {
        index += 1
        var content: [UInt8] = []
        var runStart = index
        while true {
            // Most of a text is strings: their plain bytes are passed without a step for each.
            index = plainEnd(index)
            guard let byte = current else {
                throw malformed("the text ends inside a string")
            }
            switch byte {
            case 0x22:
                content.append(contentsOf: bytes[runStart..<index])
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw malformed("the string is not UTF-8", at: runStart)
                }
                index += 1
                return text
            case 0x5C:
                content.append(contentsOf: bytes[runStart..<index])
                index += 1
                try readEscape(into: &content)
                runStart = index
            default:
                throw malformed("a raw control character in a string")
            }
        }
    }

    /// The first byte of a string from an index on that ends it, escapes something or may not
    /// stand in it; the end of the text when there is none.
    private func plainEnd(_ start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else {
                return start
            }
            var index = start
            while index < bytes.count, base[index] >= 0x20, base[index] != 0x22,
                base[index] != 0x5C
            {
                index += 1
            }
            return index
        }
    }

    private mutating func readEscape(into content: inout [UInt8]) throws(SceneStoreError) {
        let byte = current
        index += 1
        switch byte {
        case 0x22, 0x5C, 0x2F: content.append(byte ?? 0)
        case 0x62: content.append(0x08)
        case 0x66: content.append(0x0C)
        case 0x6E: content.append(0x0A)
        case 0x72: content.append(0x0D)
        case 0x74: content.append(0x09)
        case 0x75:
            let start = index - 2
            var value = try readHex()
            if value & 0xFC00 == 0xD800, current == 0x5C {
                index += 1
                guard current == 0x75 else {
                    throw malformed("half of a surrogate pair", at: start)
                }
                index += 1
                let low = try readHex()
                guard low & 0xFC00 == 0xDC00 else {
                    throw malformed("half of a surrogate pair", at: start)
                }
                value = 0x10000 + (value & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(value) else {
                throw malformed("half of a surrogate pair", at: start)
            }
            content.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
        default:
            throw malformed("this escape does not exist", at: index - 2)
        }
    }

    private mutating func readHex() throws(SceneStoreError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch current {
            case let byte? where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
            case let byte? where byte >= 0x41 && byte <= 0x46: digit = byte - 0x37
            case let byte? where byte >= 0x61 && byte <= 0x66: digit = byte - 0x57
            default: throw malformed(#"expected four hexadecimal digits after \u"#)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private var current: UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            index += 1
        }
    }

    private func malformed(_ reason: String, at place: Int? = nil) -> SceneStoreError {
        failure(.malformedJSON, reason, at: place)
    }

    private func failure(
        _ code: SceneStoreError.Code, _ reason: String, at place: Int? = nil
    ) -> SceneStoreError {
        let before = bytes[..<min(place ?? index, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let column = "column \(before.count - lineStart + 1)"
        return SceneStoreError(
            code, "\(isLine ? column : "line \(line), \(column)"): \(reason)")
    }
}
