import Foundation
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// Programs that are not everywhere; tests that need a missing one are skipped.
enum Programs {
    static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Runs a program to its end.
    static func run(
        _ name: String, _ arguments: [String], input: String = ""
    ) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: find(name) ?? name)
        process.arguments = arguments
        let directory = URL(fileURLWithPath: try TemporaryDirectory.make())
        defer { TemporaryDirectory.remove(directory.path) }
        let files = ["in", "out", "err"].map { directory.appendingPathComponent($0) }
        try Data(input.utf8).write(to: files[0])
        try Data().write(to: files[1])
        try Data().write(to: files[2])
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        var environment = ProcessInfo.processInfo.environment
        environment["HOME"] = directory.path
        environment["TERM"] = "dumb"
        process.environment = environment
        try process.run()
        process.waitUntilExit()
        return (
            process.terminationStatus,
            String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
            String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
        )
    }
}

@Suite("completions")
struct ToolCompletionTests {
    static let model = CompletionModel(table: CommandTable(commands: SampleCommands.all))
    static let all = CompletionModel(table: CommandTable(commands: AllCommands.commands))

    @Test("bash accepts the script", .enabled(if: Programs.find("bash") != nil))
    func bashSyntax() throws {
        for model in [Self.model, Self.all] {
            let run = try Programs.run("bash", ["-n"], input: BashCompletion(model: model).script())
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
        }
    }

    @Test("zsh accepts the script", .enabled(if: Programs.find("zsh") != nil))
    func zshSyntax() throws {
        for model in [Self.model, Self.all] {
            let run = try Programs.run(
                "zsh", ["-f", "-n", "/dev/stdin"], input: ZshCompletion(model: model).script())
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
        }
    }

    @Test("fish accepts the script", .enabled(if: Programs.find("fish") != nil))
    func fishSyntax() throws {
        for model in [Self.model, Self.all] {
            let run = try Programs.run(
                "fish", ["--no-execute", "/dev/stdin"], input: FishCompletion(model: model).script()
            )
            #expect(run.status == 0)
            #expect(run.errors.isEmpty)
        }
    }

    /// What a line completes to, for bash and for fish.
    static let lines: [(words: [String], candidates: [String])] = [
        (["se"], ["sessions"]),
        (["manifest", ""], ["lint", "show"]),
        (["manifest", "l"], ["lint"]),
        (["--store", "/x", "man"], ["manifest"]),
        (["-s", "sessions", "compl"], ["completions"]),
        (["sessions", "--st"], ["--state", "--store"]),
        (["sessions", "--state", ""], ["connected", "discarded", "held", "open"]),
        (["sessions", "--state", "o"], ["open"]),
        (["sessions", "--launch", "l"], ["last"]),
        (["show", "--color", "n"], ["never"]),
        (["show", "abc"], ["abcd-1", "abcd-2"]),
        (["show", "--key", "k", "abc"], ["abcd-1", "abcd-2"]),
        (["discard", "one", "two", "abcd-2"], ["abcd-2"]),
        (["show", "done", "abc"], []),
        (["completions", "z"], ["zsh"]),
        (["show", "--key", "abc"], []),
    ]

    static let stub = """
        scenestore() { [[ "$1 $2 $3" == "__complete sessions --" ]] && \
        printf 'abcd-1\\tfirst\\nabcd-2\\tsecond\\nother\\tthird\\n' | grep "^${!#}"; }

        """

    @Test(
        "bash completes commands, options, values and sessions",
        .enabled(if: Programs.find("bash") != nil), arguments: lines)
    func bash(words: [String], candidates: [String]) throws {
        let line = words.joined(separator: " ")
        #expect(try Self.bashReplies(line, stub: Self.stub).sorted() == candidates)
    }

    /// What bash puts in place of the part of a line that its word breaks leave to be completed.
    static func bashReplies(
        _ line: String, breaks: String = " \t\n\"'@><=;|&(:", stub: String = "",
        model: CompletionModel = Self.model
    ) throws -> [String] {
        let line = "scenestore \(line)"
        let script =
            BashCompletion(model: model).script() + stub
            + "COMP_WORDBREAKS=\(CompletionModel.quoted(breaks))\nCOMP_WORDS=(scenestore)\n"
            + "COMP_LINE=\(CompletionModel.quoted(line))\nCOMP_POINT=${#COMP_LINE}\n"
            + "_scenestore\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
        let run = try Programs.run("bash", ["--norc", "--noprofile"], input: script)
        #expect(run.errors.isEmpty)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test("bash completes a value behind =", .enabled(if: Programs.find("bash") != nil))
    func bashEquals() throws {
        for (line, breaks, expected) in [
            ("sessions --state=he", "=", "held"),
            ("sessions --state=", "=", "connected discarded held open"),
            ("sessions --state=he", ":", "--state=held"),
            ("link @l --color=n", "=@", "never"),
        ] {
            let replies = try Self.bashReplies(line, breaks: breaks)
            #expect(replies.sorted().joined(separator: " ") == expected)
        }
    }

    /// Answers as the command does: what fits the word at the cursor, without quotes, in any case.
    static let titles = ["Birthday party", "Birth: a letter", "Ida's $(echo run) `run`"]

    /// What a line with a part of a title completes to: as typed, and in bash.
    static let titleLines: [(line: String, words: [String], bash: [String])] = [
        ("show birthd", ["Birthday party"], ["Birthday\\ party"]),
        ("show Birthday\\ pa", ["Birthday party"], ["Birthday\\ party"]),
        ("show \"Birthday pa", ["Birthday party"], ["Birthday party"]),
        ("show 'Birthday pa", ["Birthday party"], ["Birthday party"]),
        ("show Birth:\\ a", ["Birth: a letter"], ["\\ a\\ letter"]),
        ("show \"Birth: a", ["Birth: a letter"], ["Birth: a letter"]),
        (
            "show Ida", ["Ida's $(echo run) `run`"],
            ["Ida\\'s\\ \\$\\(echo\\ run\\)\\ \\`run\\`"]
        ),
    ]

    @Test(
        "bash completes titles with blanks, quotes and colons, and runs nothing that they hold",
        .enabled(if: Programs.find("bash") != nil), arguments: titleLines)
    func bashTitles(line: String, words: [String], bash: [String]) throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = try Self.titleTool(in: folder)
        let tool = CompletionModel.quoted(path)
        let stub = "scenestore() { sh \(tool) \"$@\"; }\n"
        #expect(try Self.bashReplies(line, stub: stub) == bash)
    }

    @Test(
        "fish completes titles with blanks, quotes and colons",
        .enabled(if: Programs.find("fish") != nil), arguments: titleLines)
    func fishTitles(line: String, words: [String], bash: [String]) throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = try Self.titleTool(in: folder)
        let tool = CompletionModel.quoted(path, quote: "\\'")
        let text = "scenestore \(line)".replacing("\\", with: "\\\\")
        let script =
            FishCompletion(model: Self.model).script()
            + "function scenestore; sh \(tool) $argv; end\n"
            + "complete -C \(CompletionModel.quoted(text, quote: "\\'"))\n"
        let run = try Programs.run("fish", ["--no-config", "/dev/stdin"], input: script)
        #expect(run.errors.isEmpty)
        let found = run.output.split(separator: "\n").map {
            String($0.prefix { $0 != "\t" })
        }
        #expect(found == words)
    }

    /// A script that answers `__complete sessions -- show WORD` with the titles that begin with WORD.
    private static func titleTool(in folder: String) throws -> String {
        let path = folder + "titles.sh"
        let list = titles.map { CompletionModel.quoted($0) }.joined(separator: " ")
        let text = """
            [ "$1 $2 $3 $4 $#" = "__complete sessions -- show 5" ] || exit 0
            low() { printf %s "$1" | tr A-Z a-z; }
            word=$(low "$5")
            for title in \(list); do
                case $(low "$title") in "$word"*) printf '%s\\tabout\\n' "$title" ;; esac
            done

            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "fish completes commands, options, values and sessions",
        .enabled(if: Programs.find("fish") != nil), arguments: lines)
    func fish(words: [String], candidates: [String]) throws {
        let line = (["scenestore"] + words).joined(separator: " ")
        let script =
            FishCompletion(model: Self.model).script() + """
                function scenestore
                    test "$argv[1..3]" = "__complete sessions --"
                    and printf 'abcd-1\\tfirst\\nabcd-2\\tsecond\\nother\\tthird\\n'
                end
                complete -C \(CompletionModel.quoted(line, quote: "\\'"))

                """
        let run = try Programs.run("fish", ["--no-config", "/dev/stdin"], input: script)
        #expect(run.errors.isEmpty)
        let found = run.output.split(separator: "\n").map {
            String($0.prefix { $0 != "\t" })
        }
        #expect(found.sorted() == candidates)
    }

    @Test("the hidden command answers with the sources' candidates that fit")
    func source() {
        var world = ToolWorld(commands: SampleCommands.all)
        world.environment = ["SCENESTORE": "/variable"]
        world.sources = [
            CompletionSource(name: "sessions") { request, _ in
                [
                    CompletionCandidate(word: "abcd", explanation: request.storePath),
                    CompletionCandidate(word: "efgh", explanation: "evil\u{1B}[2J"),
                ]
            }
        ]
        let run = world.run("__complete", "sessions", "--", "show", "")
        #expect(run.status == .done)
        #expect(
            run.output == "@last\tactive most recently\n@foreground\tin the foreground\n"
                + "abcd\t/variable\nefgh\tevil\\u{1B}[2J\n")
        for words in [["--store", "x"], ["--store=x"], ["-s", "x"], ["-sx"]] {
            let line = ["__complete", "sessions", "--"] + words + ["show", "--key=a"]
            #expect(world.run(line).output == "abcd\t/home/ada/x\n")
        }
    }

    @Test("names of columns complete one after the other, and behind the sign of --sort")
    func columns() throws {
        let world = ToolWorld()
        func words(_ line: String...) -> [Substring] {
            world.run(["__complete", "columns", "--"] + line).output.split(separator: "\n")
                .map { $0.prefix { $0 != "\t" } }
        }
        #expect(words("find", "x", "--columns", "s") == ["session", "state"])
        #expect(words("find", "x", "--columns", "session,st") == ["session,state"])
        #expect(words("-s", "log", "find", "--sort", "-t") == ["-title", "-text"])
        #expect(words("find", "--columns=state,title,w") == ["state,title,where"])
        #expect(words("manifest", "show", "--columns", "r") == ["role"])
        #expect(words("doctor", "--columns", "").isEmpty)
        for script in [
            BashCompletion(model: Self.all).script(), FishCompletion(model: Self.all).script(),
            ZshCompletion(model: Self.all).script(),
        ] {
            #expect(script.contains(script.contains("kind=") ? "kind='columns'" : "source columns"))
        }
        // As the command itself names them.
        for entry in Self.all.table.visibleEntries {
            let options = entry.command.description.options
            let names = entry.command.description.columns
            #expect(
                options.contains { $0.name == "columns" } == !names.isEmpty || entry.name == "sql")
            #expect(Set(names).count == names.count)
        }
        let fixture = try EditedFixture()
        for line in [
            ["sessions"], ["log"], ["timeline", "--json"], ["plan"], ["history", "letter"],
            ["find", "x"], ["operations"],
        ] {
            let names = Self.all.table.commands.first { $0.name == line[0] }?.description.columns
            let hint = fixture.run(line + ["--columns", "nothing"]).errors
            #expect(
                hint.contains("the columns are \((names ?? []).listed(with: "and"))\n"),
                "\(line): \(hint)")
        }
        let sizes = Self.all.table.commands.first { $0.name == "size" }?.description.columns ?? []
        for kind in ["session", "key", "type"] {
            let hint = fixture.run("size", "--by", kind, "--columns", "nothing").errors
            let names = hint.split(separator: " are ").last?.split { ", \n".contains($0) } ?? []
            #expect(names.count > 4)
            #expect(names.allSatisfy { $0 == "and" || sizes.contains(String($0)) }, "\(hint)")
        }
    }

    @Test(
        "bash completes names of columns without quoting their commas",
        .enabled(if: Programs.find("bash") != nil))
    func bashColumns() throws {
        let stub = """
            scenestore() { [[ "$1 $2 $3" == "__complete columns --" ]] && printf 'a,bc\\t\\n'; }

            """
        let line = "sessions --columns a,b"
        #expect(try Self.bashReplies(line, stub: stub, model: Self.all) == ["a,bc"])
    }

    @Test("a source that fails completes nothing, an unknown name neither")
    func failingSource() {
        var world = ToolWorld()
        world.sources = [
            CompletionSource(name: "sessions") { _, _ in throw CommandError(.damaged, "no") }
        ]
        let run = world.run("__complete", "sessions", "--", "show", "@l")
        #expect(run.status == .done)
        #expect(run.output == "@last\tactive most recently\n")
        #expect(run.errors.isEmpty)
        #expect(world.run("__complete", "nonsense", "--", "").output.isEmpty)
    }

    @Test("help completes commands and topics")
    func helpCandidates() {
        let world = ToolWorld(commands: SampleCommands.all)
        #expect(
            world.run("__complete", "commands", "--", "help", "exi").output
                == "exit-codes\twhat the exit status means\n")
        let codes = world.run("__complete", "commands", "--", "help", "ss00").output
        #expect(codes.split(separator: "\n").count == 9)
        #expect(codes.hasPrefix("SS001\tThe container is open to other users\n"))
        #expect(
            world.run("__complete", "commands", "--", "help", "manifest", "l").output
                == "lint\tFind mistakes\n")
    }

    @Test("the manual page names every command and option, and groff has no complaint")
    func manualPage() throws {
        let page = ManualPage(table: CommandTable(commands: SampleCommands.all)).roff()
        for entry in Self.model.table.visibleEntries where entry.command.run != nil {
            #expect(page.contains(".SS \(entry.name)\n"))
            for option in entry.command.description.options {
                let name = option.name.split(separator: "-").joined(separator: "\\-")
                #expect(page.contains("\\-\\-\(name)"))
            }
        }
        #expect(page.utf8.allSatisfy { $0 < 0x80 })
        guard Programs.find("groff") != nil else {
            return
        }
        let run = try Programs.run("groff", ["-man", "-Tutf8", "-ww", "-z"], input: page)
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
    }
}
