import Foundation
import Testing

@testable import SceneStoreCommand

@Suite("The picture of a terminal", .enabled(if: CommandProcess.path != nil))
struct SessionPictureTests {
    /// What a picture shows, without colours, lines and blanks.
    private static func letters(ofPicture text: String) -> String {
        var letters = ""
        var isTag = false
        for character in text.replacingOccurrences(of: "&#160;", with: " ") {
            switch character {
            case "<": isTag = true
            case ">": isTag = false
            default: letters += isTag || character.isWhitespace ? "" : String(character)
            }
        }
        return letters
    }

    @Test("it shows what the commands print")
    func isCurrent() throws {
        let picture = try RepositoryFile.text(
            "Sources/SceneStore/Documentation.docc/Resources/session.svg")
        let drawn = Self.letters(ofPicture: picture)
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let scenario = RepositoryFile.path("Examples/Scenarios/fortnight.scenario")
        _ = try workspace.run("scenestore simulate '\(scenario)' --store fortnight")
        for command in ["scenestore sessions", "scenestore why @last"] {
            let line = "\(command) --store fortnight"
            #expect(drawn.contains(line.filter { !$0.isWhitespace }))
            let outcome = try workspace.run("COLUMNS=100 \(line)")
            #expect(outcome.status == 0 && outcome.output.count > 200)
            for line in outcome.output.split(separator: "\n") {
                #expect(drawn.contains(line.filter { !$0.isWhitespace }), "\(line)")
            }
        }
    }
}
