import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What people read when something is wrong, and whether they can do anything with it.
@Suite("words of errors")
struct ErrorWordingTests {
    @Test("L-52 of a session that somebody held by hand it is not said that processes died")
    func heldByHand() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let store = "\(folder)/container"
        for (name, text) in [("first", "launch\nbackground *\nquit\n"), ("second", "launch\n")] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).scenario"))
        }
        #expect(
            ToolWorld().run("simulate", "\(folder)/first.scenario", "--store", store).status
                == .done)
        #expect(ToolWorld().run("hold", "@last", "--yes", "--store", store).status == .done)
        let run = ToolWorld().run(
            "simulate", "\(folder)/second.scenario", "--store", store, "--json")
        #expect(run.output.contains("sessionHeld"), "\(run.output)")
        #expect(run.output.contains("somebody held it by hand"))
        #expect(!run.output.contains("processes that restored it died"))
    }
}
