import Foundation
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

    @Test("R-40 S-72 a manifest that can't be read is named without its control characters")
    func manifestThatCannotBeRead() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        try Data("<plist>".utf8).write(to: URL(filePath: "\(folder)/\u{1B}[2J.plist"))
        for name in ["\u{1B}[2J.plist", "\u{1B}[2J-none.plist"] {
            let scenario = try Scenario(text: "manifest \(name)", name: "\(folder)/a.scenario")
            let error = try #require(throws: ScenarioError.self) {
                try ScenarioPlayer(
                    scenario, storage: .memory,
                    output: .init(line: { _ in }, failure: { _ in }))
            }
            #expect(error.line == 1)
            #expect(!error.message.utf8.contains(0x1B))
        }
    }

    @Test("R-65 a manifest that is a pipe or has no end is refused, not waited for")
    func endlessManifest() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        #expect(mkfifo("\(folder)/pipe.plist", 0o600) == 0)
        for path in ["\(folder)/pipe.plist", "/dev/zero"] {
            let scenario = try Scenario(text: "manifest \(path)", name: "a.scenario")
            #expect(throws: ScenarioError.self) {
                try ScenarioPlayer(
                    scenario, storage: .memory,
                    output: .init(line: { _ in }, failure: { _ in }))
            }
        }
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
