/// Makes stored or foreign text harmless for the channel that it is written to (R-40, S-72).
///
/// 1. What a terminal would obey or a reader could not see never leaves raw: C0, DEL and C1
///    controls, escape sequences, bidirectional and zero-width controls, line and paragraph
///    separators, fillers, tags and noncharacters. Each becomes something visible.
/// 2. Bytes that are not UTF-8 become visible too.
/// 3. Every function is linear in its input and keeps no state between calls.
///
/// A backslash stays as it is in text for people, so that paths and patterns stay readable; JSON
/// is the channel that loses nothing.
package enum TextEscaping {
    /// Where text is going.
    package enum Channel: Sendable, CaseIterable {
        /// A terminal, or a file that ends on one: `\n`, `\u{202E}`, `\xFF`.
        case terminal
        /// Text, or a quoted attribute value, in HTML and in SVG alike.
        case markup
        /// The inside of a quoted CSV field; ``TextEscaping/appendCSVField(_:to:)`` makes whole fields.
        case csv
        /// The inside of a JSON string.
        case json
    }

    /// Text as it may stand on a terminal, in one line.
    package static func terminal(_ text: String) -> String {
        escaped(text, for: .terminal)
    }

    /// Appends text, escaped for a channel.
    package static func append(_ text: String, for channel: Channel, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(utf8: $0, for: channel, to: &output) }
    }

    /// Appends bytes that should be UTF-8, escaped for a channel.
    ///
    /// A byte that is not part of a well-formed sequence becomes `\xNN`; in JSON, whose strings
    /// cannot hold it, U+FFFD.
    package static func append(
        utf8 bytes: UnsafeBufferPointer<UInt8>, for channel: Channel, to output: inout [UInt8]
    ) {
        var runStart = 0
        var index = 0
        // Before the one at hand, for joiners between pictographs.
        var previous: UInt32 = 0
        while index < bytes.count {
            let byte = bytes[index]
            guard !isPlain(byte, for: channel) else {
                index += 1
                previous = 0
                continue
            }
            let decoded = decodeScalar(bytes, at: index)
            if let decoded, decoded.scalar >= 0x80 {
                let isShown =
                    !isHidden(decoded.scalar)
                    || decoded.scalar == joiner && isPictograph(previous)
                        && joinsPictograph(bytes, at: index + decoded.length)
                previous = decoded.scalar
                if isShown {
                    index += decoded.length
                    continue
                }
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[runStart..<index]))
            if let decoded {
                appendEscape(of: decoded.scalar, for: channel, to: &output)
                index += decoded.length
            } else {
                appendEscape(ofInvalid: byte, for: channel, to: &output)
                index += 1
            }
            runStart = index
            previous = 0
        }
        output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[runStart..<index]))
    }

    package static func escaped(_ text: String, for channel: Channel) -> String {
        var bytes: [UInt8] = []
        append(text, for: channel, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TextEscaping {
    /// Whether a scalar acts on a display or hides on it, instead of being shown.
    ///
    /// All of the categories Cc, Zl and Zp, of Cf all but the visible signs, and the fillers,
    /// tags, supplementary variation selectors and noncharacters. The variation selectors
    /// U+FE00 to U+FE0F pass: emoji need them.
    package static func isHidden(_ scalar: UInt32) -> Bool {
        if scalar < 0xA0 {
            return scalar < 0x20 || scalar >= 0x7F
        }
        switch scalar {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E: return true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: return true
        case 0x3164, 0xFEFF, 0xFFA0, 0xFDD0...0xFDEF, 0xFFF0...0xFFFB: return true
        case 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: return true
        case 0xE0000...0xE0FFF: return true
        default: return scalar & 0xFFFE == 0xFFFE
        }
    }

    /// The zero-width joiner: hidden, except between two pictographs, which it makes one.
    private static let joiner: UInt32 = 0x200D

    /// Whether a scalar is a pictograph, or what ends one: a skin tone, variation selector 16.
    private static func isPictograph(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2190...0x21FF, 0x2300...0x23FF, 0x2600...0x27BF, 0x2B00...0x2BFF, 0xFE0F,
            0x1F000...0x1FAFF:
            true
        default: false
        }
    }

    private static func joinsPictograph(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> Bool {
        guard index < bytes.count, let next = decodeScalar(bytes, at: index) else {
            return false
        }
        return next.scalar != 0xFE0F && isPictograph(next.scalar)
    }

    /// The scalar that begins at an index and its length in bytes; nil when no well-formed
    /// sequence (Unicode 16, table 3-7) stands there.
    package static func decodeScalar(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: UInt32, length: Int)? {
        let lead = bytes[index]
        let length: Int
        let least: UInt32
        var scalar: UInt32
        switch lead {
        case 0x00..<0x80: return (UInt32(lead), 1)
        case 0xC2...0xDF: (length, least, scalar) = (2, 0x80, UInt32(lead & 0x1F))
        case 0xE0...0xEF: (length, least, scalar) = (3, 0x800, UInt32(lead & 0x0F))
        case 0xF0...0xF4: (length, least, scalar) = (4, 0x10000, UInt32(lead & 0x07))
        default: return nil
        }
        guard bytes.count - index >= length else {
            return nil
        }
        for offset in 1..<length {
            let byte = bytes[index + offset]
            guard byte & 0xC0 == 0x80 else {
                return nil
            }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        guard scalar >= least, scalar <= 0x10FFFF, scalar & 0xFFFF_F800 != 0xD800 else {
            return nil
        }
        return (scalar, length)
    }

    private static func appendEscape(
        of scalar: UInt32, for channel: Channel, to output: inout [UInt8]
    ) {
        switch (channel, scalar) {
        case (.json, 0x08): output.append(contentsOf: #"\b"#.utf8)
        case (.json, 0x0C): output.append(contentsOf: #"\f"#.utf8)
        case (.json, 0x22): output.append(contentsOf: #"\""#.utf8)
        case (.json, 0x5C): output.append(contentsOf: #"\\"#.utf8)
        case (.markup, 0x09), (.markup, 0x0A), (.markup, 0x20..<0x7F):
            output.append(contentsOf: "&#".utf8)
            output.append(contentsOf: String(scalar).utf8)
            output.append(0x3B)
        case (.csv, 0x22): output.append(contentsOf: "\"\"".utf8)
        case (_, 0x09): output.append(contentsOf: #"\t"#.utf8)
        case (_, 0x0A): output.append(contentsOf: #"\n"#.utf8)
        case (_, 0x0D): output.append(contentsOf: #"\r"#.utf8)
        case (.json, 0x10000...):
            appendUTF16Escape(0xD7C0 + (scalar >> 10), to: &output)
            appendUTF16Escape(0xDC00 | (scalar & 0x3FF), to: &output)
        case (.json, _): appendUTF16Escape(scalar, to: &output)
        default:
            output.append(contentsOf: #"\u{"#.utf8)
            output.append(contentsOf: String(scalar, radix: 16, uppercase: true).utf8)
            output.append(0x7D)
        }
    }

    private static func appendEscape(
        ofInvalid byte: UInt8, for channel: Channel, to output: inout [UInt8]
    ) {
        guard channel != .json else {
            return output.append(contentsOf: [0xEF, 0xBF, 0xBD])
        }
        output.append(contentsOf: #"\x"#.utf8)
        output.append(contentsOf: String(byte, radix: 16, uppercase: true).utf8)
    }

    private static func appendUTF16Escape(_ unit: UInt32, to output: inout [UInt8]) {
        output.append(contentsOf: #"\u"#.utf8)
        output.append(contentsOf: String(unit, digits: 4, radix: 16).utf8)
    }

    /// Whether an ASCII byte can be copied as it is.
    @inline(__always)
    private static func isPlain(_ byte: UInt8, for channel: Channel) -> Bool {
        guard byte >= 0x20, byte < 0x7F else {
            return false
        }
        return switch (channel, byte) {
        case (.json, 0x22), (.json, 0x5C), (.csv, 0x22), (.markup, 0x22), (.markup, 0x26),
            (.markup, 0x27), (.markup, 0x3C), (.markup, 0x3E), (.markup, 0x60):
            false
        default: true
        }
    }
}
