import Foundation
import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand

/// What holds for every command, whatever it does.
@Suite(
    "conventions of all commands",
    .enabled(if: CommandProcess.path != nil, "the command is not built beside the tests"))
struct ConventionTests {
    private static let entries = CommandTable(commands: AllCommands.commands).visibleEntries

    /// The first example of each command that prints to its end.
    static let lines: [ExampleTests.HelpExample] = {
        var commands: Set<String> = []
        return ExampleTests.HelpExample.all.filter {
            !$0.line.contains(">") && !$0.line.contains("watch")
                && commands.insert($0.command).inserted
        }
    }()

    @Test("a reader that went away ends every command in silence", arguments: lines)
    func closedPipe(example: ExampleTests.HelpExample) throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let outcome = try workspace.run(example.line, isClosed: true)
        #expect([0, example.status].contains(outcome.status), "\(outcome.errors)")
        #expect(!outcome.errors.contains("cannot write"))
        #expect(!outcome.errors.lowercased().contains("pipe"))
    }

    @Test("| head takes what it wants and nobody complains")
    func head() throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let outcome = try workspace.run(
            "{ scenestore log --json; echo \"exit $?\" >&2; } | head -n 1")
        #expect(outcome.output.hasPrefix("{"))
        #expect(outcome.errors == "exit 0\n")
    }

    // MARK: - Writing

    private static func takes(_ option: String) -> [CommandTable.Entry] {
        entries.filter { entry in
            entry.command.description.options.contains { $0.name == option }
        }
    }

    /// The example of a command that answers the question beforehand.
    private static func yes(_ entry: CommandTable.Entry) -> String? {
        entry.command.description.examples.map(\.commandLine).first { $0.contains(" --yes") }
    }

    @Test(
        "without --yes a command that writes names the loss, ends with 7 and changes nothing",
        arguments: takes("yes").map(\.name))
    func confirmation(name: String) throws {
        let entry = try #require(Self.entries.first { $0.name == name })
        let line = try #require(Self.yes(entry), "\(name) has no example with --yes")
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let before = workspace.files
        let command = "scenestore " + line.replacing(" --yes", with: "")
        let outcome = try workspace.run(command)
        #expect(workspace.files == before)
        if outcome.status == 0 {
            // Nothing was to be done, and it says so.
            #expect(!(outcome.output + outcome.errors).isEmpty)
            return
        }
        #expect(outcome.status == 7, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.errors.contains("not done without --yes: "))
        #expect(outcome.errors.contains("?"))
    }

    @Test(
        "--dry-run says what would happen and changes no byte",
        arguments: takes("dry-run").map(\.name))
    func dryRun(name: String) throws {
        let entry = try #require(Self.entries.first { $0.name == name })
        let line = try #require(Self.yes(entry), "\(name) has no example with --yes")
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let before = workspace.files
        let outcome = try workspace.run(
            "scenestore " + line.replacing(" --yes", with: " --dry-run"))
        #expect(workspace.files == before)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(!(outcome.output + outcome.errors).isEmpty)
    }

    // MARK: - Words

    @Test(
        "a mistyped command is guessed",
        arguments: entries.filter { $0.path.count == 1 }.map(\.name))
    func mistypedCommand(name: String) {
        var letters = Array(name)
        letters.swapAt(letters.count / 2 - 1, letters.count / 2)
        guard String(letters) != name else {
            return
        }
        let run = ToolWorld().run(String(letters))
        #expect(run.status == .usage)
        #expect(run.errors.contains("hint: did you mean \(name)?"), "\(run.errors)")
    }

    @Test("a mistyped option is guessed", arguments: entries.map(\.name))
    func mistypedOption(name: String) throws {
        let entry = try #require(Self.entries.first { $0.name == name })
        guard entry.command.run != nil else {
            return
        }
        for option in entry.command.description.allOptions {
            let wrong = option.name.replacing("e", with: "3", maxReplacements: 1) + "x"
            let run = ToolWorld().run(entry.path + ["--\(wrong)"])
            #expect(run.status == .usage)
            #expect(run.errors.hasPrefix("scenestore: "))
        }
        let run = ToolWorld().run(entry.path + ["--stroe", "x"])
        #expect(run.errors.contains("did you mean --store?"), "\(run.errors)")
    }

    @Test(
        "--help is everywhere, with an example and without a store", arguments: entries.map(\.name))
    func help(name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        for width in [40, 200] {
            var world = ToolWorld()
            world.terminal.width = width
            let run = world.run(words + ["--help"])
            #expect(run.status == .done)
            #expect(run.output.contains("\nExample"))
            #expect(run.output.contains("  scenestore \(words[0])"))
            #expect(run.errors.isEmpty)
        }
    }

    @Test("the answers to common questions are commands that run", arguments: HelpTopic.answers)
    func question(question: (question: String, commands: String)) throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let line = question.commands.replacing("SESSION@G", with: "@last@812 --yes")
            .replacing("reopen SESSION", with: "reopen 9C41 --yes")
            .replacing("SESSION", with: "@last").replacing("WINDOW", with: "@last")
            .replacing("-o FILE", with: "-o new.ndjson")
            .replacing("FILE URL", with: "aasa.json https://example.com/n/1")
            .replacing("FILE", with: "aasa.json")
        let outcome = try workspace.run("scenestore \(line)")
        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
        #expect(!(outcome.output + outcome.errors).isEmpty)
    }

    // MARK: - Terminals

    /// Commands that print tables.
    private static let tables: [[String]] = [
        ["sessions", "--all"], ["log"], ["log", "--graph"], ["history", "@last"],
        ["size"], ["size", "--by", "session"], ["size", "--by", "key"],
        ["sql", "SELECT * FROM sessions"], ["sql", "SELECT * FROM events"],
    ]

    @Test("tables fit terminals of 40 and of 200 columns", arguments: [40, 80, 200])
    func widths(width: Int) throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        for words in Self.tables {
            var world = ToolWorld()
            world.terminal.width = width
            world.terminal.isOutputTerminal = true
            let run = world.run(words + ["--store", workspace.path + "/container"])
            #expect(run.status == .done, "\(words) \(run.errors)")
            for line in run.lines {
                #expect(DisplayWidth.columns(of: line) <= width, "\(words): \(line)")
            }
        }
    }

    @Test(
        "on a real terminal colour is shown, and not with NO_COLOR, TERM=dumb or --color never",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func colour() throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let path = CommandProcess.path ?? ""
        for words in ["sessions", "info", "doctor", "log"] {
            func isColored(_ options: String, _ environment: [String: String]) throws -> Bool {
                let command = "script -qec \"'\(path)' \(words) \(options)\" /dev/null </dev/null"
                // A pager has escape sequences of its own.
                let outcome = try workspace.run(
                    command, environment: environment.merging(["PAGER": "cat"]) { old, _ in old })
                #expect(outcome.output.count > 20, "\(words) \(outcome)")
                return outcome.output.contains("\u{1B}[")
            }
            #expect(try isColored("", ["TERM": "xterm"]), "\(words)")
            #expect(try !isColored("", ["TERM": "xterm", "NO_COLOR": "1"]))
            #expect(try !isColored("", ["TERM": "dumb"]))
            #expect(try !isColored("--color never", ["TERM": "xterm"]))
            #expect(try isColored("--color always", ["TERM": "dumb"]))
        }
    }

    // MARK: - Ctrl-C

    @Test("Ctrl-C in the middle of an export leaves no file and ends with 130")
    func interruptedExport() throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let before = workspace.files
        for moment in 1...2 {
            var world = ToolWorld()
            let countdown = Countdown()
            world.isInterrupted = { countdown.isOver(after: moment - 1) }
            let run = world.run(
                "export", "-o", workspace.path + "/half.ndjson", "--store",
                workspace.path + "/container")
            #expect(run.status == .interrupted)
            #expect(run.errors.isEmpty)
            #expect(workspace.files == before)
        }
    }

    @Test(
        "a real Ctrl-C ends a process that its reader keeps waiting, and one that watches",
        .timeLimit(.minutes(10)))
    func signals() throws {
        let workspace = try ExampleWorkspace.copy()
        defer { workspace.remove() }
        let words = [
            // More than a pipe takes, and nobody reads on.
            [
                "sql",
                "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c",
            ],
            ["watch"],
        ]
        for words in words {
            let process = Process()
            process.executableURL = CommandProcess.path.map { URL(filePath: $0) }
            process.arguments = words + (words[0] == "sql" ? ["--csv"] : [])
            process.environment = ["SCENESTORE": workspace.path + "/container"]
                .merging(CommandProcess.inherited) { $1 }
            let (output, errors) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            // It is at work as soon as it says something.
            let handle =
                words[0] == "sql" ? output.fileHandleForReading : errors.fileHandleForReading
            #expect(try handle.read(upToCount: 1)?.count == 1)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit, "\(words)")
            #expect(process.terminationStatus == 130, "\(words)")
        }
    }
}
