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

    @Test("Ctrl-C ends a scenario between two steps, with 130 and what was played so far")
    func interrupted() throws {
        let file = try scenario(
            "long", "launch\n" + String(repeating: "new-scene\n", count: 50) + "quit\n")
        let whole = simulate(file).output
        var world = ToolWorld()
        let countdown = Countdown()
        world.isInterrupted = { countdown.isOver(after: 10) }
        let run = world.run("simulate", file)
        #expect(run.status == .interrupted)
        #expect(run.errors.isEmpty)
        #expect(whole.hasPrefix(run.output) && !run.output.isEmpty && run.output != whole)
        // A store that goes on afterwards is whole.
        let store = "\(folder)/interrupted"
        let second = Countdown()
        world.isInterrupted = { second.isOver(after: 20) }
        #expect(world.run("simulate", file, "--store", store).status == .interrupted)
        #expect(ToolWorld().run("verify", "--full", "--store", store).status == .done)
    }

    @Test("A scenario on a store that is there goes on where that ends")
    func continuing() throws {
        let store = "\(folder)/container"
        let first = try scenario(
            "first", "launch\nwait 2h\nnew-scene\nnew-scene\nclose B\nwait 1h\nquit\n")
        let fresh = simulate(first, "--store", store)
        #expect(fresh.status == .done)
        #expect(fresh.output == simulate(first).output)
        let second = try scenario(
            "second",
            """
            expect-open A C
            expect-session B state=discarded
            launch
            expect-open A C
            new-scene
            expect-open A C D
            expect-diagnostic
            kill
            """)
        let run = simulate(second, "--store", store)
        #expect(run.status == .done, "\(run.output)\(run.errors)")
        // The same file once more, and in any number.
        for _ in 0..<2 {
            let again = simulate(first, "--store", store)
            #expect(again.status == .done)
            #expect(!again.output.contains("duplicateSession"))
        }
        let rows = try ToolWorld().run("log", "--json", "--store", store).objects()
        let times = rows.compactMap { $0.text("time") }
        #expect(times.count > 10)
        #expect(times == times.sorted())
    }
}
