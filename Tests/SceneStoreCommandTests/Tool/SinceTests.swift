import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("--since")
struct SinceTests {
    @Test("log --since shows what happened since then", arguments: ["--json", "--csv", "--wide"])
    func log(_ format: String) throws {
        let fixture = try EditedFixture()
        let all = fixture.run("log", format).output
        #expect(fixture.run("log", format, "--since", "400d").output == all)
        let newest = fixture.run("log", format, "--since", "150s").lines.count
        #expect(newest > 0 && newest < fixture.run("log", format).lines.count)
    }

    @Test(
        "an empty table that the options emptied says so",
        arguments: [
            ["operations", "--since", "1s"], ["history", "letter", "--since", "1s"],
            ["sessions", "--limit", "0"], ["log", "--since", "1s"],
        ])
    func emptied(_ line: [String]) throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        fixture.clock.advance(.seconds(3_600))
        var world = ToolWorld()
        world.clock = fixture.clock
        let run = world.run(line + ["--store", fixture.path])
        #expect(run.errors == "--since and --limit leave no row\n")
    }

    @Test(
        "commands whose rows are of no time refuse --since",
        arguments: [
            ["find", "letter"], ["size"], ["sql", "SELECT 1"],
        ])
    func timeless(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let run = ToolWorld().run(line + ["--since", "400d", "--store", fixture.path])
        #expect(run.status == .usage)
    }
}
