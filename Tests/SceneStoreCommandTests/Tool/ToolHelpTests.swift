import SceneStoreAdoption
import Testing

@testable import SceneStoreCommand

@Suite("help")
struct ToolHelpTests {
    func help(_ words: String..., width: Int) -> String {
        var world = ToolWorld(commands: SampleCommands.all)
        world.terminal.width = width
        return world.run(["help"] + words).output
    }

    @Test("the overview groups the commands")
    func overview() {
        #expect(
            help(width: 80) == """
                scenestore: which windows would come back, with what, and why

                Usage: scenestore COMMAND [ARGUMENT…] [--store PATH] [OPTION…]

                Look
                  sessions     List the sessions of a store
                  show         Show everything about one session

                Ask
                  manifest     Look at scene manifests
                  link         Match links

                Keep safe
                  discard      Discard sessions

                Make
                  completions  Print the completion script for a shell
                  help         Explain the commands, or one command, topic or code

                Options of every command
                  -s, --store PATH  A container, its scenes.sqlite, or a ZIP of either; else
                                    $SCENESTORE, else here
                      --color WHEN  Colour the output: auto, always or never (default auto)
                      --local       Show times in local time, as on a terminal; else in UTC
                      --no-pager    Don't page long output on a terminal; else PAGER, or less
                  -h, --help        Show help, with examples

                More
                  help exit-codes   what the exit status means
                  help formats      output for people, JSON and CSV
                  help files        the files of a store, and the environment
                  help handbook     ten tasks of support, step by step
                  help questions    which command answers which question
                  help scenarios    the steps that simulate plays
                  help tour         four questions, asked of an example store
                  help COMMAND      one command, with examples
                  help CODE         a code of an error or a finding, and what to do
                  --version         the versions of scenestore and SQLite, and the schema

                """)
    }

    @Test("a command's help at 80 columns")
    func command() {
        #expect(
            help("sessions", width: 80) == """
                Usage: scenestore sessions [--state STATE] [--role ROLE]… [--launch N|last]
                           [--limit N] [--older-than DURATION] [--all] [--json] [--csv]

                List the sessions of a store.

                Sessions that the next launch connects are marked.

                Options
                      --state STATE          Only sessions in this state: open, connected,
                                             discarded or held
                  -r, --role ROLE            Only this role; may be repeated
                      --launch N|last        Of one launch (default last)
                      --limit N              At most this many
                      --older-than DURATION  Only older ones
                  -a, --all                  Discarded ones too
                      --json                 Print one JSON value a line, keys sorted
                      --csv                  Print the table as CSV

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore sessions --state held
                      What is held
                  scenestore sessions --store /nowhere
                      There is no store (exit status 3)

                """)
    }

    @Test("a command's help at 40 columns")
    func narrow() {
        #expect(
            help("show", width: 40) == """
                Usage: scenestore show SESSION
                           [--key PATH] [--output FILE]

                Show everything about one session.

                Arguments
                  SESSION  The session

                Options
                      --key PATH
                      Only this key path
                  -o, --output FILE
                      Write a file

                Options of every command: see
                'scenestore help'.

                Example
                  scenestore show @last
                      The newest one

                """)
    }

    @Test("a word that leads to commands lists them")
    func parent() {
        #expect(
            help("manifest", width: 80) == """
                Usage: scenestore manifest COMMAND

                Look at scene manifests.

                Commands
                  show  Show what was read
                  lint  Find mistakes

                Example
                  scenestore manifest lint Info.plist
                      Finds mistakes

                """)
        #expect(
            help("manifest", "lint", width: 80).hasPrefix("Usage: scenestore manifest lint FILE…\n")
        )
    }

    @Test("no line of any help is wider than the terminal", arguments: [40, 60, 80, 200])
    func widths(width: Int) {
        let table = CommandTable(commands: AllCommands.commands)
        let text = HelpText(table: table, width: width)
        var pages = [text.overview()] + HelpTopic.allCases.map { $0.text(width: width) }
        for entry in table.visibleEntries {
            guard let path = try? table.path(entry.path) else {
                Issue.record("no path to \(entry.name)")
                continue
            }
            pages.append(text.command(path: path))
        }
        // Examples stay whole, to be copied; so does a word without a blank.
        let whole = Set(HelpTopic.containerPlaces.flatMap(\.lines).map { "  " + $0 })
        for line in pages.joined().split(separator: "\n")
        where !line.hasPrefix("  scenestore ") && line.contains(" ")
            && !whole.contains(String(line))
        {
            #expect(DisplayWidth.columns(of: line) <= width, "\(line)")
        }
    }

    @Test("topics are explained, mistyped ones suggested")
    func topics() {
        let world = ToolWorld()
        #expect(world.run("help", "exit-codes").output.contains("\n  130  interrupted by Ctrl-C\n"))
        #expect(world.run("help", "formats").output.contains("--json"))
        for kind in ["date", "data", "url", "uuid", "set", "cbor", "dictionary", "redacted"] {
            #expect(world.run("help", "formats").output.contains("\n  $\(kind) "), "\(kind)")
        }
        #expect(world.run("help", "files").output.contains("SCENESTORE"))
        #expect(world.run("help", "questions").output.contains("reopen SESSION"))
        let mistyped = world.run("help", "exit-code")
        #expect(mistyped.status == .usage)
        #expect(mistyped.errors.contains("hint: did you mean exit-codes?"))
        #expect(world.run("help", "nothing-like-it").status == .usage)
    }

    @Test("help CODE prints the cause and what to do, in the words of the documentation's page")
    func codes() {
        #expect(
            help("diskFull", width: 80) == """
                diskFull: an error

                There is no room, a quota is used up, or a file has the length that 'ulimit -f'
                allows ('SIGXFSZ' ends a process that doesn't ignore it).

                What to do: Tell the user. SceneApplication.performIdleWork(budgetMilliseconds:)
                tries again.

                """)
        #expect(
            help("ss009", width: 80) == """
                SS009: An older version wrote the store

                Its schema is older. The app's next launch migrates it, with a backup first.

                What to do: Nothing. 'doctor --fix' migrates it now, which can't be undone.

                """)
        let world = ToolWorld()
        #expect(world.run("help", "AD003").output.hasPrefix("AD003: a link that starts the app"))
        // An error and a diagnostic of one name are both explained.
        #expect(world.run("help", "--json", "damagedRow").lines.count == 2)
        #expect(world.run("help", "SS099").errors.contains("no command, topic or code 'SS099'"))
        #expect(world.run("help", "diskFul").errors.contains("did you mean diskFull?"))
    }

    @Test("every code has a help of its own, without marks of Markdown")
    func everyCode() {
        #expect(CodeExplanation.all.count > 200)
        for explanation in CodeExplanation.all {
            let code = explanation.code
            #expect(HelpTopic(rawValue: code) == nil)
            #expect(!AllCommands.commands.contains { $0.name == code })
            #expect(CodeExplanation.named(code).contains(explanation))
            for text in [explanation.cause, explanation.advice] {
                #expect(text.hasSuffix(".") || text.hasSuffix(")"), "\(code): \(text)")
                #expect(!text.contains { "`<>|*".contains($0) }, "\(code): \(text)")
            }
        }
    }

    @Test("each code of adopt has the cause and the repair of its own kind of loss")
    func adoptCodes() {
        let codes = CodeExplanation.all.filter { $0.kind == .adopt }
        #expect(codes.map(\.code) == FindingCode.allCases.map(\.rawValue))
        #expect(codes.map(\.title) == FindingCode.allCases.map(\.title))
        #expect(Set(codes.map(\.cause)).count == codes.count)
        for code in codes {
            // Neither an example nor the page's other paragraphs.
            #expect(!code.cause.contains(".scenario"))
            #expect(!(code.cause + code.advice).contains("```"))
        }
        let link = ToolWorld().run("help", "AD003").output
        #expect(link.contains("connectionOptions.urlContexts"))
        #expect(link.contains("What to do: Read"))
    }

    @Test("every command's help is also behind --help")
    func option() {
        for entry in CommandTable(commands: AllCommands.commands).visibleEntries {
            let world = ToolWorld()
            #expect(
                world.run(entry.path + ["--help"]).output == world.run(["help"] + entry.path).output
            )
        }
    }

    @Test("help --json has a line for every command, with its options, and completions a script")
    func json() throws {
        let all = try ToolWorld().run("help", "--json").objects()
        let table = CommandTable(commands: AllCommands.commands)
        #expect(
            all.compactMap { $0.text("command") }
                == table.visibleEntries.map { $0.path.joined(separator: " ") })
        let one = try ToolWorld().run("help", "manifest", "lint", "--json").objects()
        #expect(one.compactMap { $0.text("command") } == ["manifest lint"])
        let script = try #require(
            try ToolWorld().run("completions", "fish", "--json").objects().first)
        #expect(script.text("script") == ToolWorld().run("completions", "fish").output)
        #expect(script.text("shell") == "fish")
    }
}
