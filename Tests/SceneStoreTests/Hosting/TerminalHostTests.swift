import SceneStoreTesting
import Testing

import SceneStore

@Suite("A terminal as host")
struct TerminalHostTests {
    private func run(_ container: String, _ commands: [String]) throws -> [String] {
        let host = TerminalHost()
        var output: [String] = []
        host.write = { output.append($0) }
        try TerminalHost.run(container, commands, host)
        return output
    }

    @Test("L-03 pages come back after each kill, the front one on the screen")
    func pages() throws {
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        #expect(
            try run(container, ["#First", "one", "+", "#Second", "two", "@app://x"])
                == ["== untitled", "== untitled", "== Second", "two"])
        #expect(
            try run(container, ["-", "u"])
                == [
                    "== First", "one", "== Second", "two", "app://x", "== First", "one",
                    "== Second", "two", "app://x",
                ])
        #expect(try run(container, []) == ["== First", "one", "== Second", "two", "app://x"])
    }
}
