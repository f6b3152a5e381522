import SceneStoreValues

/// The rules for a link's bytes, in the order in which they are applied (R-32).
///
/// Length; each byte; the text behind the escapes; the scheme; the authority; the path. Each rule
/// reads the bytes once, none allocates, and the first broken one decides.
struct LinkByteCheck {
    private let bytes: URLBytes
    private let policy: LinkPolicy

    init(_ bytes: URLBytes, policy: LinkPolicy) {
        self.bytes = bytes
        self.policy = policy
    }

    /// The parts of a link that breaks no rule.
    func parts() throws(LinkRefusal) -> LinkParts {
        guard !bytes.isEmpty else {
            throw LinkRefusal(.empty, "the link is empty")
        }
        guard bytes.count <= policy.maximumBytes else {
            throw LinkRefusal(
                .tooLong, "the link has \(bytes.count) bytes, more than \(policy.maximumBytes)")
        }
        try checkBytes()
        try checkEscapedText()
        guard let parts = LinkParts(bytes) else {
            throw LinkRefusal(
                .missingScheme, "the link does not begin with a scheme and a colon", offset: 0)
        }
        try checkScheme(parts)
        try checkPlaces(parts)
        if parts.isScheme("https", bytes) {
            try checkDomain(parts)
        } else {
            try checkCustomAuthority(parts)
        }
        try checkSegments(parts.path)
        return parts
    }

    private func checkBytes() throws(LinkRefusal) {
        for offset in 0..<bytes.count {
            let byte = bytes[offset]
            if byte < 0x21 || byte > 0x7e {
                throw LinkRefusal(
                    .notPrintable, "a byte is not printable ASCII",
                    hint: "escape everything else as %XX", offset: offset)
            }
            if byte == UInt8(ascii: "\\") {
                throw LinkRefusal(.backslash, "a link may not contain a backslash", offset: offset)
            }
            if URLByte.isForbidden(byte) {
                throw LinkRefusal(
                    .forbiddenCharacter, "a character must be escaped", offset: offset)
            }
            if byte == UInt8(ascii: "%"), escape(at: offset) == nil {
                throw LinkRefusal(
                    .badPercentEscape, "a percent sign is not followed by two hexadecimal digits",
                    hint: "a percent sign itself is written %25", offset: offset)
            }
        }
    }

    fileprivate func escape(at offset: Int) -> UInt8? {
        guard offset + 2 < bytes.count, bytes[offset] == UInt8(ascii: "%"),
            let high = URLByte.hexadecimal(bytes[offset + 1]),
            let low = URLByte.hexadecimal(bytes[offset + 2])
        else {
            return nil
        }
        return high << 4 | low
    }

    /// Decodes run by run: a raw character is ASCII and can't continue an escaped one.
    private func checkEscapedText() throws(LinkRefusal) {
        var offset = 0
        while offset < bytes.count {
            guard bytes[offset] == UInt8(ascii: "%") else {
                offset += 1
                continue
            }
            let start = offset
            var run = EscapeRun(check: self, offset: offset)
            var parser = Unicode.UTF8.ForwardParser()
            scan: while true {
                switch parser.parseScalar(from: &run) {
                case .valid(let encoded):
                    if Self.isControl(Unicode.UTF8.decode(encoded)) {
                        throw LinkRefusal(
                            .encodedControlCharacter,
                            "an escape stands for a control character", offset: start)
                    }
                case .error:
                    throw LinkRefusal(
                        .encodedInvalidText, "the escapes are not UTF-8", offset: start)
                case .emptyInput:
                    break scan
                }
            }
            offset = run.offset
        }
    }

    /// What acts on a display or hides on it: controls, line and paragraph separators, bidirectional
    /// marks, embeddings, overrides and isolates, zero-width characters, a byte-order mark. The joiners
    /// pass: words of several scripts, and emoji, need them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200c, 0x200d: false
        default: TextEscaping.isHidden(scalar.value)
        }
    }

    private func checkScheme(_ parts: LinkParts) throws(LinkRefusal) {
        if parts.isScheme("http", bytes) {
            throw LinkRefusal(
                .insecureScheme, "http links are never universal links", hint: "use https")
        }
        let scheme = bytes.part(parts.scheme).shown.lowercased()
        if LinkPolicy.forbiddenSchemes.contains(scheme) {
            throw LinkRefusal(.forbiddenScheme, "links of the scheme \(scheme) never route")
        }
    }

    /// Brackets belong to an IP literal, and a fragment begins once.
    private func checkPlaces(_ parts: LinkParts) throws(LinkRefusal) {
        for offset in 0..<bytes.count {
            let byte = bytes[offset]
            let isBracket = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            let isSecondHash = byte == UInt8(ascii: "#") && parts.fragment?.contains(offset) == true
            if isSecondHash || (isBracket && parts.host?.contains(offset) != true) {
                throw LinkRefusal(
                    .forbiddenCharacter, "a character must be escaped", offset: offset)
            }
        }
    }

    private func checkDomain(_ parts: LinkParts) throws(LinkRefusal) {
        guard let range = parts.host, parts.userInfo != nil || !range.isEmpty else {
            throw LinkRefusal(.missingHost, "an https link needs a host")
        }
        guard parts.userInfo == nil else {
            throw LinkRefusal(
                .userInfo, "user information is not allowed before the host",
                hint: "the text before @ is not where the link leads")
        }
        let host = bytes.part(range)
        guard host.first != UInt8(ascii: "[") else {
            throw LinkRefusal(.addressLiteral, "the host is an IP address")
        }
        if let port = parts.port, !bytes.part(port).equals("443") {
            throw LinkRefusal(.port, "a universal link can have no port except 443")
        }
        guard !host.contains(UInt8(ascii: "%")) else {
            throw LinkRefusal(.encodedHost, "the host holds a percent escape")
        }
        try Self.checkName(host)
        let name = host.shown.lowercased()
        if name.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }),
            !policy.listedHosts.contains(where: { $0.lowercased() == name })
        {
            throw LinkRefusal(
                .internationalizedHost, "the host is an internationalised name that isn't listed",
                hint: "list the host in its xn-- spelling if it is yours")
        }
    }

    /// A host name after RFC 1123 that can't be taken for an address.
    static func checkName(_ host: URLBytes) throws(LinkRefusal) {
        if host.last == UInt8(ascii: ".") {
            throw LinkRefusal(.trailingDot, "the host ends with a dot")
        }
        let malformed = LinkRefusal(.malformedHost, "the host is not a domain name")
        guard !host.isEmpty, host.count <= 253 else {
            throw malformed
        }
        var last: Slice<URLBytes>?
        for label in host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
            guard !label.isEmpty, label.count <= 63, label.first != UInt8(ascii: "-"),
                label.last != UInt8(ascii: "-"),
                label.allSatisfy({
                    URLByte.isLetter($0) || URLByte.isDigit($0) || $0 == UInt8(ascii: "-")
                })
            else {
                throw malformed
            }
            last = label
        }
        // A browser takes a host whose last label is a number for an IPv4 address.
        if let last, Self.isNumber(last) {
            throw LinkRefusal(.addressLiteral, "the host is an IP address")
        }
    }

    private static func isNumber(_ label: Slice<URLBytes>) -> Bool {
        if label.allSatisfy(URLByte.isDigit) {
            return true
        }
        let start = label.prefix(2).map { URLByte.lowercased($0) }
        return start == [UInt8(ascii: "0"), UInt8(ascii: "x")]
            && label.dropFirst(2).allSatisfy { URLByte.hexadecimal($0) != nil }
    }

    private func checkCustomAuthority(_ parts: LinkParts) throws(LinkRefusal) {
        if parts.userInfo != nil, !policy.allowsUserInfo {
            throw LinkRefusal(.userInfo, "user information is not allowed before the host")
        }
        if let port = parts.port {
            guard policy.allowsPort, !port.isEmpty,
                port.allSatisfy({ URLByte.isDigit(bytes[$0]) })
            else {
                throw LinkRefusal(.port, "the link may not contain a port")
            }
        }
        if let host = parts.host {
            try checkSegments(host)
        }
    }

    private func checkSegments(_ range: Range<Int>) throws(LinkRefusal) {
        var dots = 0
        var others = 0
        var offset = range.lowerBound
        while offset <= range.upperBound {
            if offset == range.upperBound || bytes[offset] == UInt8(ascii: "/") {
                if others == 0, dots == 1 || dots == 2 {
                    throw LinkRefusal(
                        .dotSegment, "a segment of the path is . or ..", offset: offset)
                }
                dots = 0
                others = 0
                offset += 1
                continue
            }
            let escaped = escape(at: offset)
            let byte = escaped ?? bytes[offset]
            if escaped == UInt8(ascii: "/") || escaped == UInt8(ascii: "\\") {
                throw LinkRefusal(
                    .encodedSlash, "a segment of the path holds an escaped slash", offset: offset)
            }
            if byte == UInt8(ascii: ".") {
                dots += 1
            } else {
                others += 1
            }
            offset += escaped == nil ? 1 : 3
        }
    }
}

/// The decoded bytes of consecutive escapes.
private struct EscapeRun: IteratorProtocol {
    let check: LinkByteCheck
    var offset: Int

    mutating func next() -> UInt8? {
        guard let byte = check.escape(at: offset) else {
            return nil
        }
        offset += 3
        return byte
    }
}
