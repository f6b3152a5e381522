import SceneStoreValues

/// Where the parts of a URL stand in its bytes (K-24).
///
/// A splitter after RFC 3986, section 3, and nothing else: it decodes, repairs and normalises
/// nothing. It allocates nothing and reads each byte a fixed number of times.
struct LinkParts: Hashable, Sendable {
    /// The scheme without its colon.
    var scheme: Range<Int>
    /// Everything between `//` and the path.
    var authority: Range<Int>?
    /// What stands before `@` in the authority.
    var userInfo: Range<Int>?
    /// The host; an IP literal with its brackets.
    var host: Range<Int>?
    /// The digits after the host's colon.
    var port: Range<Int>?
    /// The path, with its leading slash.
    var path: Range<Int>
    /// The query without `?`.
    var query: Range<Int>?
    /// The fragment without `#`.
    var fragment: Range<Int>?

    /// Splits, or fails when there is no scheme.
    init?(_ bytes: URLBytes) {
        guard let first = bytes.first, URLByte.isLetter(first) else {
            return nil
        }
        var index = 1
        while index < bytes.count, URLByte.isScheme(bytes[index]) {
            index += 1
        }
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            return nil
        }
        scheme = 0..<index
        index += 1
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "/"),
            bytes[index + 1] == UInt8(ascii: "/")
        {
            let start = index + 2
            index = start
            while index < bytes.count, !Self.endsAuthority(bytes[index]) {
                index += 1
            }
            authority = start..<index
        }
        let pathStart = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "?"),
            bytes[index] != UInt8(ascii: "#")
        {
            index += 1
        }
        path = pathStart..<index
        if index < bytes.count, bytes[index] == UInt8(ascii: "?") {
            let start = index + 1
            while index < bytes.count, bytes[index] != UInt8(ascii: "#") {
                index += 1
            }
            query = start..<index
        }
        if index < bytes.count {
            fragment = (index + 1)..<bytes.count
        }
        splitAuthority(bytes)
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private mutating func splitAuthority(_ bytes: URLBytes) {
        guard let authority else {
            return
        }
        var start = authority.lowerBound
        if let at = authority.last(where: { bytes[$0] == UInt8(ascii: "@") }) {
            userInfo = start..<at
            start = at + 1
        }
        var end = authority.upperBound
        var index = end
        while index > start {
            index -= 1
            let byte = bytes[index]
            if byte == UInt8(ascii: "]") {
                break
            }
            if byte == UInt8(ascii: ":") {
                port = (index + 1)..<end
                end = index
                break
            }
        }
        host = start..<end
    }

    /// Whether the scheme is this text, without case.
    func isScheme(_ text: StaticString, _ bytes: URLBytes) -> Bool {
        guard scheme.count == text.utf8CodeUnitCount else {
            return false
        }
        return text.withUTF8Buffer { wanted in
            scheme.allSatisfy { URLByte.lowercased(bytes[$0]) == wanted[$0 - scheme.lowerBound] }
        }
    }
}
