import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand

@Suite("progress")
struct ToolProgressTests {
    private static func words(_ line: String...) throws -> Invocation {
        let table = CommandTable(commands: AllCommands.commands)
        guard case .run(_, let invocation) = try CommandLineParser(table: table).parse(line) else {
            throw CommandError.usage("no command")
        }
        return invocation
    }

    /// A world whose standard error is a terminal, and what is written there.
    private static func world(_ isTerminal: Bool = true) -> (ToolWorld, CapturedBytes) {
        var world = ToolWorld()
        world.terminal.isErrorTerminal = isTerminal
        world.terminal.errorWidth = 80
        return (world, CapturedBytes())
    }

    @Test("nothing before half a second, then count, rate and time left, then nothing")
    func picture() throws {
        let (world, errors) = Self.world()
        let bar = Progress(
            "doctor", try Self.words("doctor"), world.context(CapturedBytes(), errors))
        func tell(_ done: Int) -> Bool {
            bar.observer(WorkProgress("checking", .rows, done: done, total: 1_000))
        }
        world.clock.advance(.milliseconds(499))
        #expect(tell(100))
        #expect(errors.bytes.isEmpty)
        world.clock.advance(.milliseconds(1_501))
        #expect(tell(500))
        let picture = "doctor [###############---------------]  50 %  500 rows  333/s  2 s left"
        #expect(errors.text == "\r\(picture)\u{1B}[K")
        // The next picture comes a tenth of a second later at the earliest.
        world.clock.advance(.milliseconds(50))
        #expect(tell(600))
        #expect(errors.text.count { $0 == "\r" } == 1)
        world.clock.advance(.milliseconds(50))
        #expect(tell(700))
        #expect(errors.text.count { $0 == "\r" } == 2)
        // The end removes it, once.
        #expect(tell(1_000))
        #expect(errors.text.hasSuffix("\r\u{1B}[K"))
        bar.finish()
        #expect(errors.text.count { $0 == "\r" } == 3)
    }

    @Test(
        "nothing for programs, and nothing where standard error is no terminal",
        arguments: [(["doctor"], false), (["doctor", "--json"], true), (["log", "--csv"], true)])
    func silence(words: [String], isTerminal: Bool) throws {
        let (world, errors) = Self.world(isTerminal)
        let table = CommandTable(commands: AllCommands.commands)
        guard case .run(_, let invocation) = try CommandLineParser(table: table).parse(words) else {
            Issue.record("no command")
            return
        }
        let bar = Progress("x", invocation, world.context(CapturedBytes(), errors))
        world.clock.advance(.seconds(5))
        #expect(bar.observer(WorkProgress("checking", .rows, done: 5, total: 10)))
        try bar.update(WorkProgress("checking", .rows, done: 6, total: 10), fraction: 0.6)
        bar.finish()
        #expect(errors.bytes.isEmpty)
    }

    @Test("a stage has a rate of its own, the work one time left; new work begins anew")
    func stages() throws {
        let (world, errors) = Self.world()
        let bar = Progress(
            "import", try Self.words("import", "x"), world.context(CapturedBytes(), errors))
        func last(_ progress: WorkProgress, after: Duration) -> String {
            world.clock.advance(after)
            _ = bar.observer(progress)
            return errors.text.split(separator: "\r").last.map(String.init) ?? ""
        }
        let check = WorkProgress("checking", .bytes, done: 1 << 20, total: 2 << 20, share: 0...0.5)
        #expect(last(check, after: .seconds(2)).contains("  25 %  1.0 MiB  6 s left"))
        var write = WorkProgress("writing", .bytes, done: 0, total: 2 << 20, share: 0.5...1)
        #expect(last(write, after: .seconds(2)).contains("  50 %  4 s left"))
        write.done = 1 << 20
        #expect(last(write, after: .seconds(2)).contains("  75 %  1.0 MiB  512 KiB/s  2 s left"))
        var other = WorkProgress("copying", .pages, done: 0, total: 100)
        #expect(last(other, after: .seconds(10)).contains("   0 %\u{1B}"))
        other.done = 50
        #expect(last(other, after: .seconds(10)).contains("  50 %  50 pages  5.0/s  10 s left"))
    }

    @Test("it fits its line at any width", arguments: [1, 10, 20, 40, 80, 200])
    func widths(width: Int) {
        for (done, total) in [
            (0, 0), (5, 0), (0, 10), (5, 10), (20, 10), (Int.max, Int.max), (1, Int.max),
        ] {
            for unit in [WorkProgress.Unit.rows, .bytes] {
                let progress = WorkProgress("x", unit, done: done, total: total)
                let line = ProgressLine(
                    label: "doctor", progress: progress, fraction: progress.fraction,
                    stageTime: .seconds(2), workTime: .seconds(3))
                #expect(DisplayWidth.columns(of: line.text(width: width)) <= max(1, width - 1))
            }
        }
    }

    @Test(
        "numbers that say nothing are left out",
        arguments: [
            (10, 100, 0.1, 0, "x [###---------------------------]  10 %  10 rows"),
            (10, 0, nil, 2, "x  10 rows  5.0/s"),
            (10, 10, .nan, 2, "x [------------------------------]   0 %  10 rows  5.0/s"),
            (1, 10, 1e-12, 3_600, "x [------------------------------]   0 %  1 rows  0.0/s"),
        ] as [(Int, Int, Double?, Int, String)])
    func oddNumbers(done: Int, total: Int, fraction: Double?, seconds: Int, text: String) {
        let line = ProgressLine(
            label: "x", progress: WorkProgress("x", .rows, done: done, total: total),
            fraction: fraction, stageTime: .seconds(seconds), workTime: .seconds(seconds))
        #expect(line.text(width: 120) == text)
    }

    @Test("what little is done says nothing of the time left")
    func early() {
        func text(_ fraction: Double) -> String {
            ProgressLine(
                label: "x", progress: WorkProgress("x", .rows, done: 1, total: 100),
                fraction: fraction, stageTime: .seconds(1), workTime: .seconds(1)
            ).text(width: 80)
        }
        #expect(!text(0.02).contains(" left"))
        #expect(text(0.05).hasSuffix("  19 s left"))
    }

    @Test("Ctrl-C ends the work and removes the bar")
    func interruption() throws {
        var (world, errors) = Self.world()
        world.isInterrupted = { true }
        let bar = Progress("x", try Self.words("doctor"), world.context(CapturedBytes(), errors))
        #expect(!bar.observer(WorkProgress("checking", .rows, done: 5, total: 10)))
        #expect(throws: Interrupted.self) {
            try bar.update(WorkProgress("checking", .rows, done: 5, total: 10), fraction: 0.5)
        }
        #expect(errors.bytes.isEmpty)
    }
}
