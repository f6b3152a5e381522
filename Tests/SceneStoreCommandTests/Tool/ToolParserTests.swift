import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("command line")
struct ToolParserTests {
    let world = ToolWorld(commands: SampleCommands.all)

    @Test(
        "options stand anywhere, in every form",
        arguments: [
            ("show abcd", "show | SESSION=abcd"),
            ("show abcd --key a.b", "show | SESSION=abcd | --key=a.b"),
            ("show --key=a.b abcd", "show | SESSION=abcd | --key=a.b"),
            ("--store /s show abcd", "show | SESSION=abcd | --store=/s"),
            ("-s /s show abcd", "show | SESSION=abcd | --store=/s"),
            ("-s/s show abcd", "show | SESSION=abcd | --store=/s"),
            ("show -s=/s abcd", "show | SESSION=abcd | --store=/s"),
            ("show --key= abcd", "show | SESSION=abcd | --key="),
            ("show --key a=b=c abcd", "show | SESSION=abcd | --key=a=b=c"),
            ("--key x show abcd", "show | SESSION=abcd | --key=x"),
            ("show -- --key", "show | SESSION=--key"),
            ("show -o f -- -x", "show | SESSION=-x | --output=f"),
            ("show - --output -", "show | SESSION=- | --output=-"),
            ("sessions -ar x -r y", "sessions | --role=x,y | --all="),
            ("sessions --role x --role=y", "sessions | --role=x,y"),
            ("sessions --state open --state held", "sessions | --state=open,held"),
            ("sessions --role -x", "sessions | --role=-x"),
            ("sessions --launch last --limit 100", "sessions | --launch=last | --limit=100"),
            ("manifest show f", "manifest show | FILE=f"),
            (
                "--color never manifest --store=x lint a b",
                "manifest lint | FILE=a,b | --store=x | --color=never"
            ),
            ("link a", "link | FIRST=a"),
            ("link a b c d", "link | FIRST=a | SECOND=b | REST=c,d"),
        ])
    func accepted(line: String, parsed: String) {
        let run = world.run(line.split(separator: " ").map(String.init))
        #expect(run.output == parsed + "\n")
        #expect(run.errors.isEmpty)
        #expect(run.status == .done)
    }

    @Test(
        "wrong usage is one line, then a hint, and exits 2",
        arguments: [
            ("shwo abcd", "there is no command 'shwo'", "did you mean show?"),
            ("sess", "there is no command 'sess'", "did you mean sessions?"),
            (
                "frobnicate", "there is no command 'frobnicate'",
                "'scenestore help' lists the commands"
            ),
            (
                "manifest", "manifest needs a command after it: show or lint",
                "'scenestore help manifest' says more"
            ),
            ("manifest sow f", "there is no command 'sow' of manifest", "did you mean show?"),
            (
                "show", "show needs SESSION",
                "usage: scenestore show SESSION [--key PATH] [--output FILE]"
            ),
            ("manifest lint", "manifest lint needs FILE", "usage: scenestore manifest lint FILE…"),
            (
                "show a b", "show does not take 'b'",
                "usage: scenestore show SESSION [--key PATH] [--output FILE]"
            ),
            ("show --kye x a", "there is no option '--kye' of show", "did you mean --key?"),
            (
                "show -x a", "there is no option '-x' of show",
                "'scenestore help show' lists the options; -- ends them"
            ),
            (
                "show --json a", "there is no option '--json' of show",
                "'scenestore help show' lists the options; -- ends them"
            ),
            ("show a --key", "--key needs a value: --key PATH", nil),
            ("show a --key --output f", "--key needs a value: --key PATH", nil),
            ("sessions --all=yes", "--all takes no value", nil),
            ("sessions --json --csv", "--json and --csv exclude each other", nil),
            (
                "sessions --state hold",
                "--state must be open, connected, discarded or held, not 'hold'",
                "did you mean held?"
            ),
            ("sessions --limit 0", "--limit must be a whole number 1 to 100, not '0'", nil),
            (
                "sessions --limit 99999999999999999999",
                "--limit must be a whole number 1 to 100, not '99999999999999999999'", nil
            ),
            ("sessions --launch x", "--launch must be a whole number from 1 or last, not 'x'", nil),
            (
                "sessions --older-than 3",
                "--older-than must be a time such as 10s, 15m, 2h or 30d, not '3'", nil
            ),
            ("--jsn", "there is no option '--jsn'", "did you mean --json?"),
            ("--store x", "the command is missing", "'scenestore help' lists the commands"),
        ] as [(String, String, String?)])
    func refused(line: String, message: String, hint: String?) {
        let run = world.run(line.split(separator: " ").map(String.init))
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(run.errors == "scenestore: \(message)\n" + (hint.map { "hint: \($0)\n" } ?? ""))
    }

    @Test("--help wins over everything that is wrong, but not behind --")
    func help() {
        for line in [
            ["show", "--help"], ["--help", "show"], ["show", "-h", "--nonsense", "a", "b"],
        ] {
            let run = world.run(line)
            #expect(run.status == .done)
            #expect(run.output.hasPrefix("Usage: scenestore show SESSION"))
        }
        #expect(world.run("show", "--", "--help").output == "show | SESSION=--help\n")
        #expect(world.run("--help").output == world.run("help").output)
        #expect(
            world.run("manifest", "--help").output.hasPrefix("Usage: scenestore manifest COMMAND"))
    }

    @Test("typed values come from what was given, else from the default")
    func typedValues() throws {
        let parser = CommandLineParser(table: CommandTable(commands: SampleCommands.all))
        guard
            case .run(_, let given) = try parser.parse(
                ["sessions", "--limit", "7", "--older-than", "2h", "--launch", "3", "--csv"]),
            case .run(_, let bare) = try parser.parse(["sessions"])
        else {
            Issue.record("not a run")
            return
        }
        #expect(given.integer("limit") == 7)
        #expect(given.integer("launch") == 3)
        #expect(given.duration("older-than") == .seconds(7_200))
        #expect(given.format == .csv)
        #expect(bare.integer("limit") == nil)
        #expect(bare.text("launch") == "last")
        #expect(bare.integer("launch") == nil)
        #expect(bare.text("color") == "auto")
        #expect(bare.format == .text)
        #expect(!bare.isGiven("launch"))
    }

    @Test("R-40 an error repeats a word escaped, shortened, and of a link the host alone (R-41)")
    func repeatedWords() {
        #expect(
            world.run("show", "a", "\u{1B}[2Jx").errors.hasPrefix(
                #"scenestore: show does not take '\u{1B}[2Jx'"#))
        let link = world.run("show", "a", "https://user:secret@example.com/token?key=secret")
        #expect(link.errors.hasPrefix("scenestore: show does not take 'https://example.com/…'"))
        #expect(!link.errors.contains("secret"))
        let long = world.run("show", "a", String(repeating: "x", count: 1_000_000))
        #expect(long.errors.utf8.count < 300)
    }

    @Test("random words are parsed or refused, never a trap")
    func randomWords() {
        let words = [
            "show", "sessions", "manifest", "lint", "--", "-", "--key", "--key=", "-s", "-sx",
            "--help",
            "--state", "open", "--=", "---", "-a", "-an", "", "=", "--json", "help", "link",
            "--version",
        ]
        var generator = SeededRandom(5)
        for _ in 0..<5_000 {
            let line = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? ""
            }
            let status = world.run(line).status
            #expect([.done, .usage].contains(status))
        }
    }

    @Test("the suggestion is the nearest word within a third of its letters, at most three")
    func suggestions() {
        let words = ["sessions", "show", "size", "sql", "simulate", "salvage"]
        #expect(Suggestion.nearest(to: "sesions", among: words) == "sessions")
        #expect(Suggestion.nearest(to: "SHWO", among: words) == "show")
        #expect(Suggestion.nearest(to: "simul", among: words) == "simulate")
        #expect(Suggestion.nearest(to: "sa", among: words) == nil)
        #expect(Suggestion.nearest(to: "reboot", among: words) == nil)
        #expect(Suggestion.nearest(to: "", among: words) == nil)
        #expect(Suggestion.nearest(to: String(repeating: "s", count: 100_000), among: words) == nil)
        let letters = { (text: String) in Array(text.unicodeScalars) }
        #expect(Suggestion.distance(letters("kitten"), letters("sitting"), atMost: 3) == 3)
        #expect(Suggestion.distance(letters("kitten"), letters("sitting"), atMost: 2) == nil)
        #expect(Suggestion.distance(letters("ab"), letters("ba"), atMost: 1) == 1)
        #expect(Suggestion.distance(letters(""), letters("ab"), atMost: 2) == 2)
    }

    @Test("the table of all commands has no fault")
    func table() {
        #expect(CommandTable(commands: AllCommands.commands).faults() == [])
        #expect(CommandTable(commands: SampleCommands.all).faults() == [])
    }

    @Test("faults of a table are found")
    func faults() {
        let broken = Command(
            CommandDescription(
                name: "show", group: .look, summary: "Ends with a stop.",
                options: [
                    .flag("key", letter: "s", "A flag that takes a value elsewhere"),
                    .flag("key", "Twice"),
                ],
                examples: [ExampleDescription("sessions", "Something else")]), subcommands: [])
        let faults = CommandTable(commands: [SampleCommands.show, broken]).faults()
        #expect(
            faults == [
                "show: the summary is empty or ends with a full stop",
                "show: an example calls something else", "show: does nothing",
                "show: an option stands there twice",
                "--key: a flag here, with a value elsewhere", "-s: both --store and --key",
                "-s: both --key and --store", "two commands have one name",
            ])
    }
}
