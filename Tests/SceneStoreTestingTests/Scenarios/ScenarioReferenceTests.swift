import FoundationEssentials
import Testing

@testable import SceneStoreTesting

@Suite("The reference of scenarios")
struct ScenarioReferenceTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func page() throws -> [Substring] {
        let page = Self.root.appending(
            path: "Sources/SceneStoreTesting/Documentation.docc/ScenarioLanguage.md")
        return String(decoding: try Data(contentsOf: page), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The lines of the first block of a language.
    private func block(_ language: String) throws -> ArraySlice<Substring> {
        let lines = try page()
        let start = try #require(lines.firstIndex(of: "```\(language)"))
        let end = try #require(lines[(start + 1)...].firstIndex(of: "```"))
        return lines[(start + 1)..<end]
    }

    @Test("the documentation's example is met, and prints the line that is shown")
    func example() throws {
        let file = Self.root.appending(path: "Examples/Scenarios/example.scenario")
            .path(percentEncoded: false)
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        var failures = ""
        var transcript: [String] = []
        let text = try block("text").joined(separator: "\n")
        let player = try ScenarioPlayer(
            Scenario(text: Array(text.utf8), name: file), container: container,
            output: .init(line: { transcript.append($0.json) }, failure: { failures += $0 }))
        #expect(try player.play(), "\(failures)")
        let shown = try block("json").map(String.init)
        #expect(shown.count == 1 && transcript.contains(shown[0]))
    }

    @Test("the documentation has every step with its options", arguments: ScenarioGrammar.all)
    func steps(_ step: ScenarioGrammar) throws {
        let lines = try page()
        let rows = lines.filter { line in
            line.hasPrefix("| `")
                && ["`\(step.name) ", "`\(step.name)`", "`\(step.name)["].contains {
                    line.contains($0)
                }
        }
        #expect(!rows.isEmpty)
        for option in step.optionNames + (step.prefix.map { [$0 + "ROLE"] } ?? []) {
            #expect(rows.contains { $0.contains("\(option)=") }, "\(option)=")
        }
    }
}
