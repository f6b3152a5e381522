/// One row of the table of commands. Parsing, help, completions, suggestions and the manual page
/// are all made of it; a command says nothing twice.
///
/// ## Adding a command
/// One file in the folder of its topic, one line in `AllCommands.swift`:
///
/// ```swift
/// extension Command {
///     static let hold = Command(
///         CommandDescription(
///             name: "hold", group: .keepSafe,
///             summary: "Keep sessions open without connecting them",
///             arguments: [
///                 ArgumentDescription("SESSION", .session, "The sessions", count: .oneOrMore)
///             ],
///             options: OptionDescription.writing,
///             examples: [ExampleDescription("hold @last --yes", "Holds the newest session")])
///     ) { invocation, context in
///         let sessions = invocation.arguments("SESSION")
///         try context.confirm("Hold \(sessions.count) sessions?", invocation)
///         // … call the library …
///         try context.output.line("held \(sessions.count) sessions")
///         return .done
///     }
/// }
/// ```
///
/// Stored text goes out through interpolation (`line("title \(title)")` escapes it), through a
/// ``TableWriter`` or as `CanonicalJSON`; never through a plain `String` built before.
struct CommandDescription: Sendable {
    /// The word that calls it.
    var name: String
    /// The heading it stands under.
    var group: CommandGroup
    /// What it does, in a line: a verb first, no full stop.
    var summary: String
    /// More about it; a blank line separates paragraphs.
    var discussion: String = ""
    /// What follows the name, in order.
    var arguments: [ArgumentDescription] = []
    /// Its options; those that every command has are added.
    var options: [OptionDescription] = []
    /// The columns of its tables by their names in CSV, for completions.
    var columns: [String] = []
    /// How it is called, at least once.
    var examples: [ExampleDescription] = []
    /// What follows the name in the usage lines, when it takes more than one form.
    var forms: [String] = []
    /// Whether it is left out of help and completions.
    var isHidden = false
}

/// The headings of the overview.
enum CommandGroup: String, CaseIterable, Sendable {
    case look
    case ask
    case keepSafe = "keep safe"
    case make
}

/// What a word on the command line may be; decides how it is checked and how it is completed.
enum ValueKind: Sendable, Hashable {
    /// Any text.
    case text
    /// One of these words.
    case choice([String])
    /// A whole number in a range, or one of these words.
    case integer(ClosedRange<Int>, or: [String] = [])
    /// A time such as `10s`, `15m`, `2h` or `30d`.
    case duration
    /// A file; the endings are for completion only.
    case file(endings: [String] = [])
    /// A directory.
    case directory
    /// A session of the store: completed from the store.
    case session
    /// Something else that is completed by a ``CompletionSource`` of this name.
    case dynamic(String)
}

/// One word, or several, that follow a command's name.
struct ArgumentDescription: Sendable {
    /// How often it stands there.
    enum Count: Sendable {
        case one
        case optional
        case zeroOrMore
        case oneOrMore

        var least: Int { self == .one || self == .oneOrMore ? 1 : 0 }
        var most: Int { self == .one || self == .optional ? 1 : Int.max }
    }

    /// In capitals, as in the usage line.
    var name: String
    var kind: ValueKind
    var help: String
    var count: Count

    init(_ name: String, _ kind: ValueKind, _ help: String, count: Count = .one) {
        self.name = name
        self.kind = kind
        self.help = help
        self.count = count
    }

    /// As it stands in the usage line.
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .zeroOrMore: "[\(name)…]"
        case .oneOrMore: "\(name)…"
        }
    }
}

/// One option: a flag, or with a value.
struct OptionDescription: Sendable {
    /// What follows an option.
    struct Value: Sendable {
        /// In capitals, as in the usage line.
        var name: String
        var kind: ValueKind
        /// What counts when the option is not given.
        var `default`: String?
    }

    /// The name without dashes.
    var name: String
    /// The letter, if it has one.
    var letter: Character?
    var help: String
    /// nil for a flag.
    var value: Value?
    /// Whether it may be given several times; otherwise the last one counts.
    var isRepeatable = false

    /// A flag.
    static func flag(
        _ name: String, letter: Character? = nil, _ help: String
    ) -> OptionDescription {
        OptionDescription(name: name, letter: letter, help: help)
    }

    /// An option with a value.
    static func value(
        _ name: String, letter: Character? = nil, _ valueName: String, _ kind: ValueKind,
        _ help: String, default: String? = nil, isRepeatable: Bool = false
    ) -> OptionDescription {
        OptionDescription(
            name: name, letter: letter, help: help,
            value: Value(name: valueName, kind: kind, default: `default`),
            isRepeatable: isRepeatable)
    }

    /// As it stands in the usage line, without brackets.
    var usage: String {
        value.map { "--\(name) \($0.name)" } ?? "--\(name)"
    }
}

extension CommandDescription {
    /// What the tool does without a command.
    static let version = CommandDescription(
        name: "scenestore", group: .make, summary: "Print the version",
        options: [.flag("version", "Print the version of scenestore"), .json], isHidden: true)
}

extension OptionDescription {
    /// One JSON value a line instead of text for people.
    static let json = flag("json", "Print one JSON value a line, keys sorted")
    /// Tables as CSV.
    static let csv = flag("csv", "Print the table as CSV")
    /// Print the plan and change nothing.
    static let dryRun = flag("dry-run", letter: "n", "Print what would happen and change nothing")
    /// Answer the question beforehand.
    static let yes = flag("yes", letter: "y", "Do not ask")
    /// Wait for the owner.
    static let wait = value(
        "wait", "DURATION", .duration, "Wait this long for an app that holds the store")
    /// No backup first.
    static let noBackup = flag("no-backup", "Do not make a backup first")

    /// What every command takes that writes a store.
    static let writing: [OptionDescription] = [.wait, .noBackup, .dryRun, .yes]

    /// What every command takes, before or after its name.
    static let everywhere: [OptionDescription] = [
        value(
            "store", letter: "s", "PATH", .file(endings: ["sqlite", "zip"]),
            "A container, its scenes.sqlite, or a ZIP of either; else $SCENESTORE, else here"),
        value(
            "color", "WHEN", .choice(["auto", "always", "never"]), "Colour the output",
            default: "auto"),
        flag("local", "Show times in local time, as on a terminal; else in UTC"),
        flag("no-pager", "Don't page long output on a terminal; else PAGER, or less"),
        flag("help", letter: "h", "Show help, with examples"),
    ]
}

/// How a command is called, and what comes of it.
struct ExampleDescription: Sendable {
    /// The command line without `scenestore`.
    var commandLine: String
    /// What it does, in a line.
    var explanation: String
    /// What it exits with.
    var status: ExitStatus

    init(_ commandLine: String, _ explanation: String, exits status: ExitStatus = .done) {
        self.commandLine = commandLine
        self.explanation = explanation
        self.status = status
    }
}

extension CommandDescription {
    /// What can be typed after `scenestore`, one line a form, without the options of every
    /// command.
    func usageLines(path: [String]) -> [String] {
        let name = (["scenestore"] + path).joined(separator: " ")
        guard forms.isEmpty else {
            return forms.map { "\(name) \($0)" }
        }
        let words =
            arguments.map(\.usage)
            + options.filter { !$0.isOfTables }.map {
                "[\($0.usage)]\($0.isRepeatable ? "…" : "")"
            }
        return [([name] + words).joined(separator: " ")]
    }

    /// Its options and those of every command; its own win.
    var allOptions: [OptionDescription] {
        options
            + OptionDescription.everywhere.filter { general in
                !options.contains { $0.name == general.name }
            }
    }
}
