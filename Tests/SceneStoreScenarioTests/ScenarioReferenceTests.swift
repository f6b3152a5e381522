import FoundationEssentials
import Testing

@testable import SceneStoreTesting

@Suite("The reference of scenarios")
struct ScenarioReferenceTests {
    @Test("the documentation has every step with its options", arguments: ScenarioGrammar.all)
    func page(_ step: ScenarioGrammar) throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = sources.appending(
            path: "Sources/SceneStoreTesting/Documentation.docc/ScenarioLanguage.md")
        let lines = String(decoding: try Data(contentsOf: page), as: UTF8.self)
            .split(separator: "\n")
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
