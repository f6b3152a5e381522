/// The text of a source file in the form that the lexer reads: UTF-8 with lines that end with LF or
/// CR LF.
enum SourceText {
    /// The bytes of a file's text; those of a file that has that form already are the same.
    static func bytes(of file: [UInt8]) -> [UInt8] {
        var bytes = file
        if file.starts(with: [0xFF, 0xFE]) {
            bytes = utf16(file) { UInt16($0) | UInt16($1) << 8 }
        } else if file.starts(with: [0xFE, 0xFF]) {
            bytes = utf16(file) { UInt16($0) << 8 | UInt16($1) }
        }
        if file.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
        }
        guard bytes.contains(UInt8(ascii: "\r")) else {
            return bytes
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\r") {
            if index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n") {
                bytes[index] = UInt8(ascii: "\n")
            }
        }
        return bytes
    }

    /// UTF-16 behind its byte order mark, as UTF-8.
    private static func utf16(_ bytes: [UInt8], _ unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            unit(bytes[$0], bytes[$0 + 1])
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
