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

    @Test(
        "L-39 to L-43, L-50 to L-53 and all others: the same callbacks in processes that are killed",
        arguments: files)
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
