/// A property list that a build preprocesses: lines such as `#if`, `#include` and `#define`.
enum PreprocessedList {
    /// The list without such lines and without the branches that an iPhone doesn't get.
    static func bytes(of file: [UInt8]) -> [UInt8] {
        guard !file.starts(with: "bplist".utf8), hasDirective(file) else {
            return file
        }
        var conditions = ConditionalCode()
        var result: [UInt8] = []
        for line in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let code = line.drop(while: isBlank)
            if code.first == UInt8(ascii: "#") {
                let text = String(decoding: code.dropFirst(), as: UTF8.self)
                let rest = text.drop { $0 == " " }
                let word = rest.prefix { $0.isLetter }
                if conditions.take(word, rest.dropFirst(word.count)) || others.contains(word) {
                    result.append(UInt8(ascii: "\n"))
                    continue
                }
            }
            if conditions.isLive {
                result += line
            }
            // The lines keep their numbers.
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    /// The directives that decide nothing here.
    private static let others: Set<Substring> = [
        "include", "import", "define", "undef", "pragma", "warning", "error", "line",
    ]

    private static func hasDirective(_ file: [UInt8]) -> Bool {
        file.indices.contains {
            file[$0] == UInt8(ascii: "#")
                && file[..<$0].last { !isBlank($0) } ?? UInt8(ascii: "\n") == UInt8(ascii: "\n")
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
