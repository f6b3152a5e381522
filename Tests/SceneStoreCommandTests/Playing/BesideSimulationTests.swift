import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("simulate --beside application")
struct BesideSimulationTests {
    private func simulate(_ name: String, _ words: String...) -> ToolRun {
        ToolWorld().run(
            ["simulate", RepositoryFile.path("Examples/Scenarios/\(name).scenario")] + words
                + ["--beside", "application"])
    }

    @Test("L-66 the ten ways, without scenes and with them, a line for each step")
    func tenWays() throws {
        let run = simulate("pre-scene", "--json")
        #expect(run.status == .done)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(
            lines.first
                == #"{"line":9,"step":"launch","withScenes":["will","did","config:A","connect:A","#
                + #""fg:A","active:A"],"withoutScenes":["will","did","didBecomeActive"]}"#)
        let link = try #require(lines.first { $0.contains("launch url=") })
        #expect(link.contains(#""withoutScenes":["will","did","open","didBecomeActive"]"#))
        #expect(link.contains(#""connect:"#))
        #expect(!link.contains(#""url:"#))
        let warm = try #require(lines.first { $0.contains("\"open-url") })
        #expect(warm.contains(#""withoutScenes":["willEnterForeground","open","didBecomeActive"]"#))
        #expect(warm.contains(#""withScenes":["url:"#))
    }

    @Test(
        "L-66 the table has both columns, and a step that only windows take gives the other nothing"
    )
    func table() throws {
        let run = simulate("warm-link")
        #expect(run.status == .done)
        let head = try #require(run.output.split(separator: "\n").first)
        #expect(head.contains("Step") && head.contains("Without scenes"))
        #expect(head.contains("With scenes"))
        #expect(run.output.contains("new-scene"))
        #expect(!run.output.contains("expect "))
    }

    @Test("--beside plays on stores of its own and takes no option that names another")
    func exclusions() {
        for option in [["--keep"], ["--why"], ["--profile", "scene"], ["--processes"]] {
            let run = ToolWorld().run(
                [
                    "simulate", RepositoryFile.path("Examples/Scenarios/warm-link.scenario"),
                    "--beside", "application",
                ] + option)
            #expect(run.status == .usage)
            #expect(run.errors.contains("exclude each other"))
        }
    }
}
