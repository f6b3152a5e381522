/// What `help` explains besides the commands.
enum HelpTopic: String, CaseIterable, Sendable {
    case exitCodes = "exit-codes"
    case formats
    case files
    case handbook
    case questions
    case scenarios
    case tour

    var summary: String {
        switch self {
        case .exitCodes: "what the exit status means"
        case .formats: "output for people, JSON and CSV"
        case .files: "the files of a store, and the environment"
        case .handbook: "ten tasks of support, step by step"
        case .questions: "which command answers which question"
        case .scenarios: "the steps that simulate plays"
        case .tour: "four questions, asked of an example store"
        }
    }

    func text(width: Int) -> String {
        switch self {
        case .exitCodes:
            Self.list(
                "The exit status of every command:",
                ExitStatus.meanings.map { ("\($0.status.rawValue)", $0.meaning) }, width: width)
                + "\n"
                + Self.paragraphs(
                    "An error is one line on standard error that begins with 'scenestore:'. A line "
                        + "that begins with 'hint:' may follow.", width: width)
        case .formats:
            Self.list(
                "Data goes to standard output, everything else to standard error.",
                [
                    (
                        "text",
                        "for people, the default: tables as wide as the terminal, times "
                            + "relative, sizes rounded. Without a terminal, nothing is cut. "
                            + "This format may change in any release"
                    ),
                    (
                        "--json",
                        "one JSON value on each line (RFC 8259), keys sorted, field names stable. Times "
                            + "are ISO 8601 in UTC, sizes are bytes, absent values are null, and "
                            + "NaN and the infinities are strings. 'sql' prints times as SQLite "
                            + "stores them"
                    ),
                    (
                        "--csv",
                        "tables as RFC 4180 with a heading line and LF line ends. Text that a "
                            + "spreadsheet would take for a formula gets an apostrophe in front"
                    ),
                ], width: width) + "\n"
                + Self.list(
                    "Stored values in JSON (show, sql, merge, export). If JSON has no type for a "
                        + "value, the value is written as an object with one key:",
                    [
                        ("$date", "a date: ISO 8601 in UTC; in exports seconds since 2001-01-01"),
                        ("$data", "bytes, in Base64"),
                        ("$url", "a URL"),
                        ("$uuid", "a UUID"),
                        ("$set", "a set, its elements in the order of their texts"),
                        ("$cbor", "a value of a newer version, in hexadecimal"),
                        ("$double", "in exports: the bits of NaN or an infinity"),
                        ("$dictionary", "a dictionary that would look like one of these"),
                        ("$redacted", "the type of what a private key or --redact leaves out"),
                    ], width: width) + "\n"
                + Self.paragraphs(
                    "Tables take --limit N, --sort COLUMN or --sort=-COLUMN, --columns NAMES and "
                        + "--wide, and those that list times --since DURATION; columns are named as "
                        + "in CSV.\n\n"
                        + "Every format shows control characters, bidirectional marks and zero-width "
                        + "characters as escapes: \\u{202E} for people and in CSV, \\u202e in "
                        + "JSON.\n\nColour: --color auto, always or never; NO_COLOR and TERM=dumb "
                        + "switch it off.", width: width)
        case .files:
            Self.list(
                "A store is a directory:",
                [
                    ("scenes.sqlite", "sessions and states, an SQLite 3 database"),
                    (
                        "scenes.sqlite-wal, -shm",
                        "the write-ahead log, while an app has the store open"
                    ),
                    ("owner.lock", "the lock, and which process has the store open"),
                    ("socket", "where a running app listens to other processes"),
                    ("backups/", "copies made before commands change the store"),
                    ("operations/", "records of what commands changed, for 'undo'"),
                    ("quarantine/", "damaged files and replaced stores, kept unchanged"),
                ], width: width) + "\n"
                + Self.paragraphs(
                    "Reading commands also read a copy, a backup and a store with an older schema. "
                        + "They show what can be salvaged of a damaged store, and what they know "
                        + "of a newer version's store. In each of these cases they print a "
                        + "warning. Other commands refuse a newer version's store if that version "
                        + "marked it so, and exit with 6.", width: width) + "\n"
                + Self.list(
                    "Environment:", Self.environment, width: width)
        case .handbook:
            ([Self.containers(width: width)]
                + Self.tasks.map { task in
                    Self.list(
                        task.title, task.steps.map { ($0.command, $0.explanation) }, width: width)
                }).joined(separator: "\n")
        case .questions:
            Self.list(
                "What people ask, and what to type (after 'scenestore'):",
                Self.answers.map { ($0.commands, $0.question) }, width: width)
        case .scenarios:
            ([Self.paragraphs(Self.scenarioIntroduction, width: width)]
                + Self.scenarioSteps.map { group in
                    Self.list(
                        group.heading, group.steps.map { ($0.usage, $0.meaning) }, width: width)
                }).joined(separator: "\n")
        case .tour:
            Self.paragraphs(
                "'help tour' plays the life of two windows of a notes app in a temporary folder: the "
                    + "second one crashes the app while it is restored. Then it runs four commands on "
                    + "that store, prints each with its answer, and removes the folder.",
                width: width)
        }
    }

    /// Questions with the commands that answer them, in the order in which to try them.
    static let answers: [(question: String, commands: String)] = [
        ("Why did a window not come back?", "why WINDOW"),
        ("Which windows exist, and which come back?", "sessions --all"),
        ("What would the next launch do with each window, and why?", "plan"),
        ("What happened to one window, and what did SceneStore decide?", "log SESSION"),
        ("Which closed windows can be reopened?", "sessions --state discarded"),
        ("Bring a closed window back, at the app's next launch", "reopen SESSION"),
        ("Which earlier states does a window have?", "history SESSION"),
        ("Go back to an earlier state", "checkout SESSION@G"),
        ("Take back what the last command changed", "undo"),
        ("Is anything wrong, and what fixes it?", "doctor"),
        ("For support: everything at once, without text that people wrote", "support -o FILE.zip"),
        ("For support: no content, keys and types only", "export --redact values -o FILE"),
        ("For support: only sessions and times", "export --redact all -o FILE"),
        ("In CI: is the Info.plist right? (exit 1: findings)", "manifest lint Info.plist"),
        ("In CI: what does an update do to a store's sessions?", "doctor --manifest Info.plist"),
        ("In CI: is the association file right?", "link lint FILE"),
        ("In CI: does a link get to the app?", "link match --aasa FILE URL"),
    ]

    /// The variables that change what the command does.
    static let environment: [(String, String)] = [
        ("SCENESTORE", "the store, if --store is missing; without both, the current directory"),
        ("NO_COLOR", "any value switches colour off"),
        ("PAGER", "what shows long output on a terminal; empty or 'cat' for none"),
        ("TERM", "'dumb' means no colour and no progress bar"),
        ("COLUMNS", "the width of tables and help"),
    ]

    private static func list(
        _ heading: String, _ rows: [(String, String)], width: Int
    ) -> String {
        let column = (rows.map { DisplayWidth.columns(of: $0.0) }.max() ?? 0) + 2
        let help = HelpText(table: CommandTable(commands: []), width: width)
        let lines =
            DisplayWidth.wrapped(heading, to: width) + [""]
            + rows.flatMap { help.entry($0.0, $0.1, column: column) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// How to get a container; its command lines are never wrapped.
    private static func containers(width: Int) -> String {
        ([containerHeading + "\n"]
            + containerPlaces.map { place in
                paragraphs(place.explanation, width: width)
                    + (place.lines.isEmpty ? "" : "\n")
                    + place.lines.map { "  \($0)\n" }.joined()
            }).joined(separator: "\n")
    }

    private static func paragraphs(_ text: String, width: Int) -> String {
        DisplayWidth.wrapped(text, to: width).joined(separator: "\n") + "\n"
    }
}
