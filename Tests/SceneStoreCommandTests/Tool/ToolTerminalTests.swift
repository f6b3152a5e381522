import SceneStore
import Synchronization
import Testing

@testable import SceneStoreCommand

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("terminal")
struct ToolTerminalTests {
    @Test("running text is broken between words, and never in a command line that can be copied")
    func prose() {
        let text = TerminalText(
            "parked: the app supports one scene; 'scenestore reopen 9C41 --store notes' brings it back"
        )
        let broken = text.wrapped(to: 30, indent: 2).plain
        #expect(
            broken == """
                parked: the app supports one
                  scene; 'scenestore reopen 9C41 --store notes'
                  brings it back
                """)
        #expect(text.wrapped(to: 200, indent: 2).plain == text.plain)
        #expect(TerminalText("    a  b").wrapped(to: 9, indent: 4).plain == "    a  b")
    }

    @Test("S-44 times are local on a terminal and with --local, UTC elsewhere and for programs")
    func localTimes() throws {
        let fixture = try EditedFixture()
        func run(_ words: [String], isTerminal: Bool = false) -> String {
            var world = ToolWorld()
            world.clock = fixture.clock
            world.zone = TimeText.Zone { _ in 2 * 3_600_000 }
            world.terminal.isOutputTerminal = isTerminal
            return world.run(words + ["--store", fixture.path]).output
        }
        #expect(run(["log"]).contains("\n2026-01-01 00:0"))
        #expect(run(["log"]).hasPrefix("Time (UTC)  "))
        for local in [run(["log", "--local"]), run(["log"], isTerminal: true)] {
            #expect(local.contains("\n2026-01-01 02:0"), "\(local)")
            #expect(local.hasPrefix("Time   "))
        }
        for words in [["log", "--json"], ["log", "--csv"], ["report"]] {
            let text = run(words, isTerminal: true)
            #expect(text.contains("00:01:00") && !text.contains("02:01:00"), "\(words)")
        }
    }

    @Test("S-44 doctor and why tell times in a sentence where the person is, and a report in UTC")
    func localProse() throws {
        let fixture = try Fixture(OneTruthTests.savedSince)
        func run(_ words: [String], isTerminal: Bool) -> String {
            var world = ToolWorld()
            world.zone = TimeText.Zone { _ in 2 * 3_600_000 }
            world.terminal.isOutputTerminal = isTerminal
            return world.run(words + ["--store", fixture.path]).output
        }
        let (here, utc) = ("saved at 2026-01-01 02:00:20,", "saved at 2026-01-01T00:00:20.000Z,")
        for words in [["doctor"], ["why", "@last"]] {
            #expect(run(words, isTerminal: true).contains(here))
            #expect(run(words, isTerminal: false).contains(utc))
            #expect(run(words + ["--json"], isTerminal: true).contains(utc))
        }
        #expect(run(["report"], isTerminal: true).contains(utc))
    }

    @Test(
        "colour: --color decides, else the terminal, NO_COLOR and TERM",
        arguments: [
            (.auto, true, [:], true),
            (.auto, false, [:], false),
            (.auto, true, ["NO_COLOR": "1"], false),
            (.auto, true, ["NO_COLOR": ""], true),
            (.auto, true, ["TERM": "dumb"], false),
            (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
            (.never, true, [:], false),
        ] as [(Terminal.ColorChoice, Bool, [String: String], Bool)])
    func color(
        choice: Terminal.ColorChoice, isTerminal: Bool, variables: [String: String], expected: Bool
    ) {
        #expect(
            Terminal.isColored(choice, isTerminal: isTerminal, environment: Environment(variables))
                == expected)
    }

    @Test("--color is found before the line is parsed")
    func earlyColor() {
        #expect(CommandLineTool.colorChoice(in: ["x", "--color", "always"]) == .always)
        #expect(CommandLineTool.colorChoice(in: ["--color=never"]) == .never)
        #expect(CommandLineTool.colorChoice(in: ["--", "--color=never"]) == .auto)
        #expect(CommandLineTool.colorChoice(in: ["--color"]) == .auto)
        #expect(CommandLineTool.colorChoice(in: ["--color=mauve"]) == .auto)
    }

    @Test("COLUMNS gives the width when it is a number")
    func columns() {
        func width(_ value: String) -> Int? {
            Terminal.current(environment: Environment(["COLUMNS": value]), color: .auto).width
        }
        #expect(width("40") == 40)
        #expect(width("zero") == width("-3"))
    }

    @Test(
        "times are read with their units",
        arguments: [
            ("10s", 10_000), ("15m", 900_000), ("2h", 7_200_000), ("30d", 2_592_000_000),
            ("1w", 604_800_000),
            ("250ms", 250), ("0s", 0), ("5min", 300_000),
        ] as [(String, Int64)])
    func durations(text: String, milliseconds: Int64) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "10", "s", "-1s", "1.5h", "1 h", "10S", "١s", "99999999999999999999s",
            "999999999999999999d",
            "36526d", "1h30m",
        ])
    func badDurations(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "times are shown in two units",
        arguments: [
            (0, "0 ms"), (340, "340 ms"), (1_250, "1.2 s"), (59_999, "59 s"),
            (125_000, "2 min 5 s"),
            (120_000, "2 min"), (7_500_000, "2 h 5 min"), (180_000_000, "2 d 2 h"),
            (-1_500, "-1.5 s"),
        ] as [(Int64, String)])
    func durationTexts(milliseconds: Int64, text: String) {
        #expect(DurationText.describe(.milliseconds(milliseconds)) == text)
    }

    @Test(
        "points in time are relative to an injected now",
        arguments: [
            (0, "just now"), (-30_000, "30 s ago"), (-150_000, "2 min ago"),
            (-10_800_000, "3 h ago"),
            (-172_800_000, "2 d ago"), (120_000, "in 2 min"), (-8_640_000_000, "2025-09-23"),
            (Int64.min, "-292274999-05-17"),
        ] as [(Int64, String)])
    func relativeTimes(offset: Int64, text: String) {
        let now: Int64 = 1_767_225_600_000
        #expect(TimeText.relative(now &+ offset, to: now) == text)
    }

    @Test(
        "ISO 8601 holds for every clock",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_767_225_600_001, "2026-01-01T00:00:00.001Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (Int64.max, "+292278994-08-17T07:12:55.807Z"),
            (Int64.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func isoTimes(time: Int64, text: String) {
        #expect(TimeText.iso8601(time) == text)
    }

    @Test("ages for questions are never negative")
    func ages() {
        #expect(TimeText.age(0, at: 120_000) == "2 min")
        #expect(TimeText.age(5_000, at: 0) == "0 s")
        #expect(TimeText.age(.min, at: .max).hasSuffix(" d"))
    }

    @Test(
        "sizes and numbers for people",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"),
            (10_240, "10 KiB"),
            (1_048_575, "1.0 MiB"), (16 << 20, "16 MiB"), (Int64.max, "8.0 EiB"),
            (-2_048, "-2.0 KiB"),
        ] as [(Int64, String)])
    func sizes(count: Int64, text: String) {
        #expect(NumberText.bytes(count) == text)
    }

    @Test("digits stand in groups, nouns in their number")
    func counts() {
        #expect(NumberText.grouped(1_234_567) == "1 234 567")
        #expect(NumberText.grouped(-1_000) == "-1 000")
        #expect(NumberText.grouped(Int64.min) == "-9 223 372 036 854 775 808")
        #expect(NumberText.counted(1, "session") == "1 session")
        #expect(NumberText.counted(2, "entry", "entries") == "2 entries")
    }

    // MARK: - Output

    @Test("output goes on after partial writes")
    func partialWrites() throws {
        let taken = Mutex<[UInt8]>([])
        let output = Output { chunk in
            let part = Array(chunk.prefix(3))
            taken.withLock { $0 += part }
            return .success(part.count)
        }
        try output.line("hello world")
        #expect(taken.withLock { $0.isEmpty })
        try output.flush()
        #expect(String(decoding: taken.withLock { $0 }, as: UTF8.self) == "hello world\n")
    }

    @Test("a reader that went away is an error of its own")
    func closedPipe() throws {
        Platform.ignoreRefusedWrites()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        Platform.close(ends[0])
        defer { Platform.close(ends[1]) }
        let target = ends[1]
        let output = Output { Platform.write($0, to: target) }
        try output.write(verbatim: "x")
        #expect(throws: OutputError.closed) {
            try output.flush()
        }
        // What could not be written is gone: the farewell does not fail again.
        try output.flush()
    }
}
