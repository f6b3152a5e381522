import Foundation
import Testing

@testable import SceneStoreCommand

/// The lifecycle contract with real processes: each launch in one of its own, and kill is SIGKILL.
@Suite(
    "Scenarios in real processes",
    .enabled(if: CommandProcess.path != nil, "the executable was not built"))
struct ProcessScenarioTests {
    static let files = ["Tests/Scenarios", "Examples/Scenarios"].flatMap { folder in
        let path = "\(RepositoryFile.root)/\(folder)"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".scenario") }.sorted().map { "\(folder)/\($0)" }
    }

    /// What a process that ends by itself does differently from one that is ended.
    private static let ends = [
        "L-17", "L-39", "L-40", "L-41", "L-42", "L-43", "L-52-crash-loop", "L-52-death",
        "L-52-refused-after-crash",
    ]

    /// Those in which a process dies or forgets, and a sixth of all others; all with
    /// `SCENESTORE_LONG`.
    static let played = files.enumerated().filter { number, file in
        ProcessInfo.processInfo.environment["SCENESTORE_LONG"] != nil || number.isMultiple(of: 6)
            || ends.contains { file.contains($0) }
    }.map(\.element)

    @Test("there are scenarios of the contract and of the examples to play")
    func scenariosExist() {
        #expect(Self.files.count { $0.hasPrefix("Tests/") } > 100)
        #expect(Self.files.count { $0.hasPrefix("Examples/") } > 10)
        #expect(Self.played.count > 30)
    }

    @Test(
        "L-39 to L-43, L-52, a sixth of the rest: the same callbacks in processes that are killed",
        arguments: played)
    func same(_ file: String) throws {
        let path = "\(RepositoryFile.root)/\(file)"
        let alone = ToolWorld().run("simulate", "--json", "--why", path)
        #expect(alone.status == .done, "\(alone.errors)")
        let (status, output) = try CommandProcess.run(
            ["simulate", "--json", "--why", "--processes", path])
        #expect(status == 0)
        #expect(output == alone.output)
    }
}
