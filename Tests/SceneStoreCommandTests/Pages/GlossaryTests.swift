import Foundation
import Testing

@testable import SceneStoreCommand

@Suite("the glossary")
struct GlossaryTests {
    private struct Entry {
        let word: String
        let synonyms: [String]
    }

    private func entries() throws -> [Entry] {
        try RepositoryFile.text("Sources/SceneStore/Documentation.docc/Glossary.md")
            .split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| word") }
            .map { row in
                let cells = row.dropFirst().dropLast().split(
                    separator: "|", omittingEmptySubsequences: false
                ).map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(cells.count == 3, "\(row)")
                return Entry(
                    word: cells[0],
                    synonyms: cells[2].split(separator: ",").map {
                        $0.trimmingCharacters(in: .whitespaces)
                    })
            }
    }

    /// Words of other tongues and times that have no entry.
    private static let never = [
        "mended", "reckon", "hinder", "to be had", "for want of", "but for", "nothing but",
    ]

    /// Everything that people read: pages, also those beside the README, the help of each command,
    /// and the libraries' comments and messages.
    private func texts() throws -> [(name: String, text: String)] {
        var texts = try RepositoryFile.pages().filter { $0.name != "Glossary.md" }
        for name in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] {
            texts.append((name, try RepositoryFile.text(name)))
        }
        for (name, text) in try RepositoryFile.libraries() {
            texts.append((name, commentsAndMessages(text)))
        }
        for command in AllCommands.commands {
            let help = ToolWorld().run(
                ["help"] + command.name.split(separator: " ").map(String.init))
            texts.append(("help \(command.name)", help.output))
        }
        return texts
    }

    /// The lines of a Swift file that are documentation or hold a string.
    private func commentsAndMessages(_ source: String) -> String {
        source.split(separator: "\n").filter { line in
            let code = line.drop { $0 == " " }
            return code.hasPrefix("///") || (!code.hasPrefix("//") && code.contains("\""))
        }.joined(separator: "\n")
    }

    /// The words that a text holds, as they stand there.
    private func found(_ words: [String], in text: String) -> [Substring] {
        let any = words.map(NSRegularExpression.escapedPattern(for:)).joined(separator: "|")
        var found: [Substring] = []
        var start = text.startIndex
        while let range = text.range(
            of: "(?i)\\b(\(any))\\b", options: .regularExpression, range: start..<text.endIndex)
        {
            found.append(text[range])
            start = range.upperBound
        }
        return found
    }

    @Test("no text uses another word for what the glossary names")
    func synonyms() throws {
        let forbidden = try entries().flatMap(\.synonyms) + Self.never
        #expect(forbidden.count > 50)
        let texts = try texts()
        #expect(texts.count > 60)
        for (name, text) in texts {
            for word in found(forbidden, in: text) {
                Issue.record("\(name) says \"\(word)\"")
            }
        }
    }

    @Test("each word has one entry, and none is another one's synonym")
    func words() throws {
        let entries = try entries()
        let words = entries.flatMap { $0.word.components(separatedBy: ", ") }
        #expect(words.count > 45)
        #expect(words.count == Set(words).count)
        #expect(Set(words).isDisjoint(with: entries.flatMap(\.synonyms)))
    }

    @Test("a library's comments and messages are read, and not the rest of its code")
    func reading() {
        let source = """
            /// Documentation.
            let blocked = 1  // code
                // An internal comment, "quoted".
                print("a message")
            """
        #expect(
            commentsAndMessages(source) == "/// Documentation.\n    print(\"a message\")")
    }

    @Test("what it forbids is found where it stands, and not within another word")
    func finding() {
        let words = ["mend", "mended", "event log"]
        #expect(found(words, in: "They mended it.") == ["mended"])
        #expect(found(words, in: "The Event log: mend it.") == ["Event log", "mend"])
        #expect(found(words, in: "amendment").isEmpty)
    }
}
