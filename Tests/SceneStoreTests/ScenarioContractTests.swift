import FoundationEssentials
import Testing

import SceneStore
@testable import SceneStoreTesting

/// The lifecycle contract as scenarios; each file's first line carries the statement's number.
@Suite("The lifecycle contract, played")
struct ScenarioContractTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Scenarios")

    static var files: [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted()
    }

    /// A quarter. ProcessScenarioTests compare two runs of others.
    static let playedTwice = Set(
        files.enumerated().filter { $0.offset.isMultiple(of: 4) }.map(\.element))

    @Test("there are scenarios to play")
    func scenariosExist() {
        #expect(Self.files.count > 30)
    }

    @Test(
        "every expectation of a scenario is met, and it prints the same bytes on every run",
        arguments: files)
    func plays(_ file: String) throws {
        var transcript: [String] = []
        let (isMet, failures) = try Self.play(file) { transcript.append($0.json) }
        #expect(isMet, "\(failures)")
        #expect(!transcript.isEmpty)
        guard Self.playedTwice.contains(file) else {
            return
        }
        var again: [String] = []
        _ = try Self.play(file) { again.append($0.json) }
        #expect(transcript == again)
    }

    static func play(
        _ file: String, line: @escaping (TranscriptLine) -> Void
    ) throws -> (isMet: Bool, failures: String) {
        let path = folder.appending(path: file).path(percentEncoded: false)
        let text = try Data(contentsOf: URL(filePath: path))
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        var failures = ""
        let player = try ScenarioPlayer(
            Scenario(text: Array(text), name: path), container: container,
            output: .init(line: line, failure: { failures += $0 }))
        return (try player.play(), failures)
    }
}
