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

    /// Everything that people read: pages, the README and the help of each command.
    private func texts() throws -> [(name: String, text: String)] {
        var texts = try RepositoryFile.pages().filter { $0.name != "Glossary.md" }
        texts.append(("README.md", try RepositoryFile.text("README.md")))
        for command in AllCommands.commands {
            let help = ToolWorld().run(
                ["help"] + command.name.split(separator: " ").map(String.init))
            texts.append(("help \(command.name)", help.output))
        }
        return texts
    }

    private func holds(_ text: String, _ word: String) -> Bool {
        let pattern = "(?i)\\b" + NSRegularExpression.escapedPattern(for: word) + "\\b"
        return text.range(of: pattern, options: .regularExpression) != nil
    }

    @Test("no text uses another word for what the glossary names")
    func synonyms() throws {
        let forbidden = try entries().flatMap(\.synonyms) + Self.never
        #expect(forbidden.count > 50)
        let texts = try texts()
        #expect(texts.count > 60)
        for (name, text) in texts {
            for word in forbidden where holds(text, word) {
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

    @Test("what it forbids is found where it stands, and not within another word")
    func finding() {
        #expect(holds("They mended it.", "mended"))
        #expect(holds("The Event log", "event log"))
        #expect(!holds("amendment", "mend"))
    }
}
