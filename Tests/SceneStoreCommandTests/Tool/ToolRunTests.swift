import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand

@Suite("running a command")
struct ToolRunTests {
    struct Surprise: Error {
        let secret = "canary"
    }

    /// A command that ends with an error after it printed something.
    func world(throwing error: any Error & Sendable) -> ToolWorld {
        ToolWorld(commands: [
            Command(CommandDescription(name: "fail", group: .look, summary: "Fail")) { _, context in
                try context.output.line("first")
                throw error
            }
        ])
    }

    @Test(
        "the store's errors have their exit status",
        arguments: [
            ("busy", 4), ("notAStore", 3), ("missing", 3), ("corrupt", 5),
            ("newerSchema", 6),
            ("permission", 2), ("limitExceeded", 2), ("somethingNew", 2), ("noSuchSession", 3),
            ("forked", 70),
        ] as [(String, Int32)])
    func statuses(code: String, status: Int32) {
        let error = SceneStoreError(.init(code), "what\u{1B}[2J is wrong")
        let run = world(throwing: error).run("fail")
        #expect(run.status.rawValue == status)
        #expect(run.output == "first\n")
        #expect(run.errors.hasPrefix("scenestore: \(code): what\\u{1B}[2J is wrong\n"))
        #expect(ExitStatus.meanings.contains { $0.status == run.status })
    }

    @Test("R-41 an unknown error shows its type and nothing that it holds")
    func unknownError() {
        let run = world(throwing: Surprise()).run("fail")
        #expect(run.status == .internalError)
        #expect(run.errors.hasPrefix("scenestore: internal error: Surprise\nhint: "))
        #expect(!run.errors.contains("canary"))
    }

    @Test("Ctrl-C ends with 130 and without a word, a reader that went away with 0")
    func silentEnds() {
        let interrupted = world(throwing: Interrupted()).run("fail")
        #expect(interrupted.status == .interrupted)
        #expect(interrupted.output == "first\n")
        #expect(interrupted.errors.isEmpty)
        let closed = world(throwing: OutputError.closed).run("fail")
        #expect(closed.status == .done)
        #expect(closed.errors.isEmpty)
    }

    @Test("output that cannot be written is said")
    func failedOutput() {
        let run = world(throwing: OutputError.failed("no space left on device")).run("fail")
        #expect(run.status == .usage)
        #expect(run.errors == "scenestore: cannot write the output: no space left on device\n")
    }

    @Test("errors are coloured on a terminal only")
    func coloredErrors() {
        var world = ToolWorld()
        world.terminal.isErrorColored = true
        #expect(world.run("nope").errors.hasPrefix("\u{1B}[31mscenestore:\u{1B}[0m there is no"))
    }

    // MARK: - Confirmation

    @Test(
        "L-43 elsewhere than on a terminal a writing command needs --yes and names the loss",
        arguments: [(false, false), (true, false), (false, true)])
    func needsYes(isInput: Bool, isError: Bool) {
        var world = ToolWorld(commands: SampleCommands.all)
        world.terminal.isInputTerminal = isInput
        world.terminal.isErrorTerminal = isError
        world.answers = ["y"]
        let refused = world.run("discard", "a", "b")
        #expect(refused.status == .needsConfirmation)
        #expect(refused.output.isEmpty)
        #expect(
            refused.errors == """
                scenestore: not done without --yes: Discard 2 sessions?
                hint: add --yes, or look first with --dry-run

                """)
        let done = world.run("discard", "-y", "a")
        #expect(done.status == .done)
        #expect(done.output == "discarded 1\n")
    }

    @Test(
        "L-43 on a terminal only y and yes are yes",
        arguments: [
            ("y", true), ("YES", true), ("", false), ("no", false), ("yep", false), (nil, false),
        ]
            as [(String?, Bool)])
    func answers(answer: String?, isDone: Bool) {
        var world = ToolWorld(commands: SampleCommands.all)
        world.terminal.isInputTerminal = true
        world.terminal.isErrorTerminal = true
        world.answers = answer.map { [$0] } ?? []
        let run = world.run("discard", "a")
        #expect(run.status == (isDone ? .done : .answeredNo))
        #expect(run.errors.hasPrefix("Discard 1 session? [y/N] "))
        #expect(run.errors.contains("nothing was changed") == !isDone)
    }

    // MARK: - Version, paths, files

    @Test("version, for people and for scripts")
    func version() {
        let world = ToolWorld()
        let version = CommandLineTool.version
        let (schema, sqlite) = (StoreSummary.currentSchemaVersion, StoreSummary.sqliteVersion)
        #expect(
            world.run("--version").output
                == "scenestore \(version)\nschema \(schema)\nSQLite \(sqlite)\n")
        #expect(
            world.run("--version", "--json").output
                == "{\"schema\":\(schema),\"sqlite\":\"\(sqlite)\",\"version\":\"\(version)\"}\n")
        #expect(world.run("--version", "more").status == .usage)
    }

    @Test("the store is --store, else SCENESTORE, else the current directory")
    func storePath() throws {
        func path(_ words: [String], _ environment: [String: String]) throws -> String {
            let parser = CommandLineParser(table: CommandTable(commands: SampleCommands.all))
            guard case .run(_, let invocation) = try parser.parse(words) else {
                return ""
            }
            var world = ToolWorld()
            world.environment = environment
            return world.context(CapturedBytes(), CapturedBytes()).storePath(invocation)
        }
        #expect(try path(["sessions"], [:]) == "/home/ada")
        #expect(try path(["sessions"], ["SCENESTORE": ""]) == "/home/ada")
        #expect(try path(["sessions"], ["SCENESTORE": "/var/s"]) == "/var/s")
        #expect(try path(["sessions", "-s", "x/y"], ["SCENESTORE": "/var/s"]) == "/home/ada/x/y")
    }

    @Test("a file that is missing, a directory or too large is wrong usage")
    func unreadableFiles() {
        let context = ToolWorld().context(CapturedBytes(), CapturedBytes())
        for (path, limit) in [("/nowhere/x", 10), ("/tmp", 10), ("/dev/zero", 100_000)] {
            #expect {
                try context.readFile(path, limit: limit)
            } throws: { error in
                (error as? CommandError)?.status == .usage
            }
        }
        #expect(throws: Never.self) {
            try context.readFile("/dev/null")
        }
    }
}
