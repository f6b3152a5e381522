import FoundationEssentials
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("simulate")
final class SimulateCommandTests {
    private let folder: String

    init() throws {
        folder = try TemporaryDirectory.make()
    }

    deinit {
        TemporaryDirectory.remove(folder)
    }

    private func scenario(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name).scenario"
        let manifests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Scenarios")
        let manifest = manifests.appending(path: "many.plist").path(percentEncoded: false)
        try Data("manifest \"\(manifest)\"\ndelegate provider=Editor\n\(text)".utf8).write(
            to: URL(filePath: path))
        return path
    }

    private func simulate(_ file: String, _ words: String...) -> ToolRun {
        ToolWorld().run(["simulate", file] + words)
    }

    @Test("L-52 a refusal after a launch that died while it restored is in the transcript")
    func refusalAfterCrash() throws {
        let file = try scenario(
            "dead",
            """
            launch
            crash restoring=A
            launch
            close A
            close A
            expect-diagnostic requestDenied:A
            wipe
            delegate prefers=~c session=A
            expect-diagnostic missing:A
            """)
        let run = simulate(file)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains("requestDenied"))
    }
}
