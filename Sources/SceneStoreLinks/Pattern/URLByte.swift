/// The bytes of a link, or of a part of one.
package typealias URLBytes = UnsafeBufferPointer<UInt8>

/// What RFC 3986 says about single bytes.
package enum URLByte {
    /// The byte, an ASCII capital turned small.
    @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether it is an ASCII letter.
    package static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26
    }

    /// Whether it is an ASCII digit.
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    /// The value of a hexadecimal digit.
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) {
            return byte &- 0x30
        }
        let small = (byte | 0x20) &- 0x61
        return small < 6 ? small &+ 10 : nil
    }

    /// Whether it may stand in a scheme after the first letter.
    package static func isScheme(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == 0x2b || byte == 0x2d || byte == 0x2e
    }

    /// Whether it never needs a percent escape.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == 0x2d || byte == 0x2e || byte == 0x5f
            || byte == 0x7e
    }

    /// Whether it is printable ASCII that RFC 3986 allows nowhere in a URL.
    package static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x3c, 0x3e, 0x5e, 0x60, 0x7b, 0x7c, 0x7d: true
        default: false
        }
    }

    /// The length of the UTF-8 sequence that begins with a byte; one for what is no beginning.
    @inline(__always)
    static func sequenceLength(_ lead: UInt8) -> Int {
        if lead < 0xc0 {
            return 1
        }
        return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    }

    /// Whether the byte continues a UTF-8 sequence.
    static func isContinuation(_ byte: UInt8) -> Bool {
        byte & 0xc0 == 0x80
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A part of the bytes; what lies outside is left out.
    @inline(__always)
    package func part(_ range: Range<Int>) -> URLBytes {
        URLBytes(rebasing: self[range.clamped(to: 0..<count)])
    }

    /// The bytes as text; invalid UTF-8 is repaired, so this is for showing only.
    package var shown: String {
        String(decoding: self, as: UTF8.self)
    }

    /// Whether all bytes are ASCII.
    package var isASCII: Bool {
        allSatisfy { $0 < 0x80 }
    }

    /// Whether both are the same bytes.
    package func equals(_ text: String) -> Bool {
        elementsEqual(text.utf8)
    }
}

/// Percent escapes: decoded once, never twice.
package enum PercentCoding {
    /// The decoded bytes; an escape that is none stays as it is.
    package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let source = Array(bytes)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if source[index] == 0x25, index + 2 < source.count,
                let high = URLByte.hexadecimal(source[index + 1]),
                let low = URLByte.hexadecimal(source[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(source[index])
                index += 1
            }
        }
        return result
    }

    /// The decoded text, or `nil` when it isn't valid UTF-8.
    package static func decodedText(_ text: Substring.UTF8View) -> String? {
        String(validating: decoded(text), as: UTF8.self)
    }

    /// The text with everything but RFC 3986's unreserved characters escaped.
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if URLByte.isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Comparison without case: each scalar by its lower case when that is one scalar.
///
/// A scalar stays a scalar, so that `?` keeps matching exactly one.
package enum CaseFolding {
    /// The folded UTF-8.
    package static func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let source = Array(bytes)
        if source.allSatisfy({ $0 < 0x80 }) {
            return source.map(URLByte.lowercased)
        }
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        for scalar in String(decoding: source, as: UTF8.self).unicodeScalars {
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            let one = lower.count == 1 ? lower.first ?? scalar : scalar
            result += UTF8.encode(one).map { Array($0) } ?? []
        }
        return result
    }
}
