import Foundation
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Input files that are FIFOs.
@Suite("Input from a FIFO")
struct PipeInputTests {
    private func world() -> ToolWorld {
        var world = ToolWorld()
        world.clock = ManualClock(0)
        return world
    }

    private func pipe(_ body: (String) throws -> Void) throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "pipe"
        try #require(mkfifo(path, 0o600) == 0)
        try body(path)
    }

    @Test("R-05 a FIFO without a writer ends in a time-out, not as an empty input")
    func silent() throws {
        try pipe { path in
            for words in [
                ["simulate", path], ["manifest", "lint", path], ["link", "lint", path],
            ] {
                let world = world()
                let run = world.run(words)
                #expect(run.status == .timeLimit, "\(words)")
                #expect(run.errors == "scenestore: no process writes into '\(path)'\n")
                #expect(world.clock.clock.uptime() == .seconds(10))
            }
        }
    }

    @Test("R-05 a FIFO whose writer comes later is read to its end")
    func late() throws {
        try pipe { path in
            let world = world()
            let clock = world.clock
            clock.whileAsleep.withLock { work in
                work = {
                    guard clock.clock.uptime() == .milliseconds(40),
                        let writer = FileHandle(forWritingAtPath: path)
                    else {
                        return
                    }
                    writer.write(Data("launch\nexpect-open A\n".utf8))
                    try? writer.close()
                }
            }
            let run = world.run("simulate", path)
            #expect(run.status == .done)
            #expect(run.output.contains("launch"))
        }
    }

    @Test("R-05 Ctrl-C ends the wait for a writer")
    func interrupted() throws {
        try pipe { path in
            var world = world()
            let clock = world.clock
            world.isInterrupted = { clock.clock.uptime() >= .milliseconds(60) }
            #expect(world.run("simulate", path).status == .interrupted)
        }
    }
}
