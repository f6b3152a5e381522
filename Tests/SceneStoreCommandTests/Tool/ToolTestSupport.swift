import SceneStore
import SceneStoreMigrations
import Synchronization

@testable import SceneStoreCommand

/// What one command line did.
struct ToolRun {
    let status: ExitStatus
    let output: String
    let errors: String

    /// Whether `doctor` found no damage.
    var isSound: Bool { output.contains("every page, row and reference is in order") }
}

/// Collects what a command writes.
final class CapturedBytes: Sendable {
    private let taken = Mutex<[UInt8]>([])
    private let hear: @Sendable (String) -> Void

    init(hear: @escaping @Sendable (String) -> Void = { _ in }) {
        self.hear = hear
    }

    var bytes: [UInt8] { taken.withLock { $0 } }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func output(isColored: Bool = false) -> Output {
        Output(isColored: isColored) { [self] chunk in
            let copy = Array(chunk)
            taken.withLock { $0 += copy }
            hear(String(decoding: copy, as: UTF8.self))
            return .success(chunk.count)
        }
    }
}

/// Counts how often it was asked.
final class Countdown: Sendable {
    private let asked = Atomic<Int>(0)

    /// Whether it was asked more often than a number of times.
    func isOver(after times: Int) -> Bool {
        asked.add(1, ordering: .relaxed).newValue > times
    }
}

/// A clock that tests move.
final class ManualClock: Sendable {
    private let milliseconds: Atomic<Int64>

    /// Begins at 2026-01-01T00:00:00Z.
    init(_ start: Int64 = 1_767_225_600_000) {
        milliseconds = Atomic(start)
    }

    func advance(_ duration: Duration) {
        milliseconds.add(Int64(duration / .milliseconds(1)), ordering: .relaxed)
    }

    /// Called at each sleep, before the time moves: what the rest of the world does meanwhile.
    let whileAsleep = Mutex<(@Sendable () -> Void)?>(nil)

    var clock: CommandClock {
        CommandClock(
            now: { self.milliseconds.load(ordering: .relaxed) },
            uptime: { .milliseconds(self.milliseconds.load(ordering: .relaxed)) },
            sleep: { duration in
                self.whileAsleep.withLock { $0 }?()
                self.advance(duration)
            })
    }
}

/// The world that a command is run in.
struct ToolWorld {
    var commands = AllCommands.commands
    var sources: [CompletionSource] = []
    var terminal = Terminal()
    var environment: [String: String] = [:]
    var clock = ManualClock()
    var zone = TimeText.Zone { _ in 0 }
    var answers: [String] = []
    /// What happens while a question stands.
    var whenAsked: () -> Void = {}
    /// What happens when something was said on standard error.
    var whenNoted: @Sendable (String) -> Void = { _ in }
    var isInterrupted: @Sendable () -> Bool = { false }
    /// What a library of a later version has more.
    var migrations: [SchemaMigration] = []
    /// What every volume has room for.
    var room: VolumeRoom?

    func context(_ output: CapturedBytes, _ errors: CapturedBytes) -> CommandContext {
        var answers = answers[...]
        var clock = clock.clock
        clock.zone = zone
        var context = CommandContext(
            output: output.output(isColored: terminal.isOutputColored),
            errorOutput: errors.output(isColored: terminal.isErrorColored),
            terminal: terminal, environment: Environment(environment), clock: clock,
            currentDirectory: "/home/ada",
            readLine: { [whenAsked] () throws(Interrupted) in
                whenAsked()
                return answers.popFirst()
            },
            isInterrupted: isInterrupted,
            table: CommandTable(commands: commands), completionSources: sources)
        context.volumeRoom = { [room] in room ?? VolumeRoom(of: $0) }
        return context
    }

    func run(_ words: String...) -> ToolRun {
        run(words)
    }

    func run(_ words: [String]) -> ToolRun {
        let output = CapturedBytes()
        let errors = CapturedBytes(hear: whenNoted)
        let context = context(output, errors)
        let status = SchemaMigration.$made.withValue(migrations) {
            CommandLineTool(table: context.table).run(words, context)
        }
        return ToolRun(status: status, output: output.text, errors: errors.text)
    }
}

/// Commands with every kind of argument and option, which print what they were given.
enum SampleCommands {
    static let all: [Command] = [
        sessions, show, manifest, link, discard, CompletionsCommand.command, HelpCommand.command,
        CompletionsCommand.complete,
    ]

    static let sessions = Command(
        CommandDescription(
            name: "sessions", group: .look, summary: "List the sessions of a store",
            discussion: "Sessions that the next launch connects are marked.",
            options: [
                .value(
                    "state", "STATE", .choice(["open", "connected", "discarded", "held"]),
                    "Only sessions in this state"),
                .value("role", letter: "r", "ROLE", .text, "Only this role", isRepeatable: true),
                .value(
                    "launch", "N|last", .integer(1...Int.max, or: ["last"]), "Of one launch",
                    default: "last"),
                .value("limit", "N", .integer(1...100), "At most this many"),
                .value("older-than", "DURATION", .duration, "Only older ones"),
                .flag("all", letter: "a", "Discarded ones too"),
                .json, .csv,
            ],
            examples: [
                ExampleDescription("sessions --state held", "What is held"),
                ExampleDescription(
                    "sessions --store /nowhere", "There is no store", exits: .noStore),
            ]), run: describe)

    static let show = Command(
        CommandDescription(
            name: "show", group: .look, summary: "Show everything about one session",
            arguments: [ArgumentDescription("SESSION", .session, "The session")],
            options: [
                .value("key", "PATH", .text, "Only this key path"),
                .value("output", letter: "o", "FILE", .file(endings: ["json"]), "Write a file"),
            ],
            examples: [ExampleDescription("show @last", "The newest one")]), run: describe)

    static let manifest = Command(
        CommandDescription(
            name: "manifest", group: .ask, summary: "Look at scene manifests",
            examples: [ExampleDescription("manifest lint Info.plist", "Finds mistakes")]),
        subcommands: [
            Command(
                CommandDescription(
                    name: "show", group: .ask, summary: "Show what was read",
                    arguments: [ArgumentDescription("FILE", .file(), "The manifest")],
                    examples: [ExampleDescription("manifest show Info.plist", "Shows it")]),
                run: describe),
            Command(
                CommandDescription(
                    name: "lint", group: .ask, summary: "Find mistakes",
                    arguments: [
                        ArgumentDescription("FILE", .file(), "The manifests", count: .oneOrMore)
                    ],
                    examples: [
                        ExampleDescription(
                            "manifest lint Info.plist", "Finds mistakes", exits: .answeredNo)
                    ]),
                run: describe),
        ])

    static let link = Command(
        CommandDescription(
            name: "link", group: .ask, summary: "Match links",
            arguments: [
                ArgumentDescription("FIRST", .text, "First"),
                ArgumentDescription("SECOND", .text, "Second", count: .optional),
                ArgumentDescription("REST", .text, "Rest", count: .zeroOrMore),
            ],
            examples: [ExampleDescription("link a", "Matches a")]), run: describe)

    static let discard = Command(
        CommandDescription(
            name: "discard", group: .keepSafe, summary: "Discard sessions",
            arguments: [
                ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
            ],
            options: OptionDescription.writing,
            examples: [ExampleDescription("discard @last --yes", "Discards the newest")])
    ) { invocation, context in
        let count = invocation.arguments("SESSION").count
        try context.confirm("Discard \(NumberText.counted(count, "session"))?", invocation)
        try context.output.line("discarded \(count)")
        return .done
    }

    /// One line a given word, so that parse tests compare text.
    private static let describe: Command.Run = { invocation, context in
        var parts = [invocation.path.joined(separator: " ")]
        for argument in invocation.description.arguments {
            let words = invocation.arguments(argument.name)
            parts += words.isEmpty ? [] : ["\(argument.name)=\(words.joined(separator: ","))"]
        }
        for option in invocation.description.allOptions where invocation.isGiven(option.name) {
            parts.append("--\(option.name)=\(invocation.texts(option.name).joined(separator: ","))")
        }
        try context.output.line("\(parts.joined(separator: " | "))")
        return .done
    }
}
