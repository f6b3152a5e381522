import FoundationEssentials

/// The public types of the libraries, and the examples in the doc comments of their sources.
///
/// Declarations are told apart by the indentation that the formatter keeps.
struct PublicTypes {
    struct PublicType {
        /// Its name with those of the types around it, such as `SceneSession.ID`.
        var name: String
        var file: String

        /// The names of the types around it, the nearest first.
        var outer: [String] {
            let parts = name.split(separator: ".")
            return parts.indices.dropFirst().reversed().map { parts[..<$0].joined(separator: ".") }
        }
    }

    private struct Scope {
        var indent: Int
        var name: String
        var isPublic: Bool
    }

    private(set) var types: [PublicType] = []
    /// The names that each type declares, by the type's name.
    private(set) var members: [String: Set<String>] = [:]
    /// The blocks of code by what they document, such as `SceneApplication.changes`.
    private(set) var examples: [String: [[String]]] = [:]
    /// Where code stands in a doc comment that is no block: only indented.
    private(set) var indentedCode: [String] = []

    private static let modifiers: Set<Substring> = [
        "public", "package", "private", "fileprivate", "internal", "open", "final", "indirect",
        "nonisolated", "nonsending", "static", "mutating", "consuming", "convenience", "weak",
        "lazy", "set",
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
            let text = line.drop { $0 == " " }
            let indent = line.count - text.count
            if text.hasPrefix("///") {
                comment.append(text.dropFirst(3))
                continue
            }
            let words = text.split { " (<{:,=)".contains($0) }
            if text.hasPrefix("@"), !words.contains(where: Self.kinds.contains) {
                continue
            }
            let declared = words.drop { Self.modifiers.contains($0) || $0.hasPrefix("@") }
            let isPublic = words[..<declared.startIndex].contains("public")
            let isType = declared.count > 1 && Self.kinds.contains(declared[declared.startIndex])
            if text.hasPrefix("}") || isType {
                scopes.removeAll { $0.indent >= indent }
            }
            let owner = scopes.map(\.name).joined(separator: ".")
            let names =
                isType
                ? [String(declared.dropFirst()[declared.startIndex + 1])]
                : Self.names(declared)
            let name = (owner.isEmpty ? "" : owner + ".") + (names.first ?? "")
            note(comment, of: name, isPublic ? file : nil)
            comment = []
            if isType {
                let isExtension = declared.first == "extension"
                scopes.append(
                    Scope(indent: indent, name: names[0], isPublic: isPublic || isExtension))
                if !isExtension, scopes.allSatisfy(\.isPublic) {
                    types.append(PublicType(name: name, file: file))
                }
            } else if indent == scopes.last.map({ $0.indent + 4 }) {
                members[owner, default: []].formUnion(names)
            }
        }
    }

    /// The names that a line declares that is no type's.
    private static func names(_ words: ArraySlice<Substring>) -> [String] {
        switch words.first {
        case "case": words.dropFirst().map(String.init)
        case "let", "var", "func": words.dropFirst().prefix(1).map(String.init)
        default: []
        }
    }

    /// Takes the code of a doc comment; `file` is that of a public declaration.
    private mutating func note(_ comment: [Substring], of name: String, _ file: String?) {
        var open: [String]?
        var previous: Substring = ""
        for line in comment {
            if let lines = open {
                open = line == " ```" ? nil : lines + [String(line.dropFirst())]
                if open == nil {
                    examples[name, default: []].append(lines)
                }
            } else if line == " ```swift" {
                open = []
            } else if let file, previous.isEmpty, line.hasPrefix("     ") {
                indentedCode.append("\(name), in \(file)")
            }
            previous = line
        }
    }
}
