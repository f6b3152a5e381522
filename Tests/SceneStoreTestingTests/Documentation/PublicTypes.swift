import FoundationEssentials

/// A public type of the libraries with the example in its doc comment.
struct PublicType {
    /// Its name with those of the types around it, such as `SceneSession.ID`.
    var name: String
    var file: String
    /// The lines of the block of code in its doc comment.
    var example: [String]?

    /// The names of the types around it, the nearest first.
    var ancestors: [String] {
        let parts = name.split(separator: ".")
        return parts.indices.dropFirst().reversed().map { parts[..<$0].joined(separator: ".") }
    }
}

/// The declarations of the libraries' sources, told apart by the indentation that the formatter
/// keeps.
struct PublicTypes {
    private(set) var types: [PublicType] = []
    /// The names that each type declares, by the type's name.
    private(set) var members: [String: Set<String>] = [:]
    /// Blocks of code in doc comments of anything else, by their places.
    private(set) var otherBlocks: [String] = []

    private struct Scope {
        var indent: Int
        var name: String
        var isPublic: Bool
    }

    private static let modifiers: Set<Substring> = [
        "public", "package", "private", "fileprivate", "internal", "open", "final", "indirect",
        "nonisolated", "static", "mutating", "weak", "lazy",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "enum", "class", "actor", "protocol", "extension",
    ]

    /// Reads the files of some targets.
    init(targets: [String]) throws {
        for target in targets {
            for file in SnippetTests.files(in: "Sources/" + target, ending: ".swift") {
                read(try SnippetTests.lines(file), file: file.lastPathComponent)
            }
        }
    }

    private mutating func read(_ lines: [String], file: String) {
        var scopes: [Scope] = []
        var comment: [Substring] = []
        for line in lines {
            let word = line.drop { $0 == " " }
            let indent = line.count - word.count
            if word.hasPrefix("///") {
                comment.append(word.dropFirst(3))
                continue
            }
            var words = word.split { " (<{:,=".contains($0) }[...]
            if word.hasPrefix("@"), !words.contains(where: Self.kinds.contains) {
                continue
            }
            let isPublic = words.prefix { Self.modifiers.contains($0) || $0.hasPrefix("@") }
                .contains("public")
            words = words.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
            if word.hasPrefix("}") || words.first.map(Self.kinds.contains) == true {
                scopes.removeAll { $0.indent >= indent }
            }
            let example = Self.example(in: comment)
            var isType = false
            if let kind = words.first, Self.kinds.contains(kind), words.count > 1 {
                let scope = Scope(
                    indent: indent, name: String(words.dropFirst()[words.startIndex + 1]),
                    isPublic: isPublic || kind == "extension")
                scopes.append(scope)
                isType = kind != "extension" && scopes.allSatisfy(\.isPublic)
                if isType {
                    let name = scopes.map(\.name).joined(separator: ".")
                    types.append(PublicType(name: name, file: file, example: example))
                }
            } else if let scope = scopes.last, indent == scope.indent + 4 {
                let owner = scopes.map(\.name).joined(separator: ".")
                members[owner, default: []].formUnion(Self.names(words))
            }
            if example != nil, !isType {
                otherBlocks.append("\(file): \(word)")
            }
            comment = []
        }
    }

    /// The names that a line declares inside a type.
    private static func names(_ words: ArraySlice<Substring>) -> [String] {
        switch words.first {
        case "case": words.dropFirst().map(String.init)
        case "let", "var", "func": words.dropFirst().prefix(1).map(String.init)
        default: []
        }
    }

    /// The lines of the first block of code in a comment.
    private static func example(in comment: [Substring]) -> [String]? {
        guard let start = comment.firstIndex(of: " ```swift") else {
            return nil
        }
        let rest = comment[(start + 1)...]
        let end = rest.firstIndex(of: " ```") ?? rest.endIndex
        return rest[..<end].map { String($0.dropFirst()) }
    }
}
