/// What is known about where the command's words come from and go to.
struct Terminal: Sendable {
    /// Whether a person can be asked.
    var isInputTerminal = false
    /// Whether standard output is a terminal.
    var isOutputTerminal = false
    /// Whether standard error is a terminal that can move its cursor.
    var isErrorTerminal = false
    /// Columns of the output; nil when it is no terminal and nobody said.
    var width: Int?
    /// Columns of standard error.
    var errorWidth: Int?
    /// Whether standard output shows colour.
    var isOutputColored = false
    /// Whether standard error shows colour.
    var isErrorColored = false

    /// When looks are written.
    enum ColorChoice: String, Sendable {
        case auto
        case always
        case never
    }

    /// Looks at the process's own streams.
    static func current(environment: Environment, color: ColorChoice) -> Terminal {
        let isDumb = environment["TERM"] == "dumb"
        var terminal = Terminal()
        terminal.isInputTerminal = Platform.isTerminal(Platform.standardInput)
        terminal.isOutputTerminal = Platform.isTerminal(Platform.standardOutput)
        terminal.isErrorTerminal = Platform.isTerminal(Platform.standardError) && !isDumb
        let asked = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        terminal.width = asked ?? Platform.columns(of: Platform.standardOutput)
        terminal.errorWidth = asked ?? Platform.columns(of: Platform.standardError)
        terminal.isOutputColored = isColored(
            color, isTerminal: terminal.isOutputTerminal, environment: environment)
        terminal.isErrorColored = isColored(
            color, isTerminal: terminal.isErrorTerminal, environment: environment)
        return terminal
    }

    /// `--color` decides; on `auto` a terminal shows colour unless `NO_COLOR` has a value
    /// (no-color.org) or `TERM` is `dumb`.
    static func isColored(
        _ choice: ColorChoice, isTerminal: Bool, environment: Environment
    ) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto:
            isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
                && environment["TERM"] != "dumb"
        }
    }

    /// The columns for running text: the terminal's, at most 100 so that it stays readable.
    var textWidth: Int {
        min(max(width ?? 80, 20), 100)
    }
}

/// The variables that the process was given, as a function so that tests can give others.
struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    init(_ values: [String: String]) {
        self.init { values[$0] }
    }

    subscript(name: String) -> String? {
        value(name)
    }
}

/// The time, as functions so that tests can stop it.
struct CommandClock: Sendable {
    /// Milliseconds since 1970.
    var now: @Sendable () -> Int64
    /// Since some moment; never goes back.
    var uptime: @Sendable () -> Duration
    /// Waits; Ctrl-C ends the wait.
    var sleep: @Sendable (Duration) -> Void
    /// Where the person is.
    var zone = TimeText.Zone { _ in 0 }

    /// The machine's.
    static let system = CommandClock(
        now: { Platform.millisecondsSince1970() }, uptime: { Platform.uptime() },
        sleep: { Platform.sleep($0) }, zone: TimeText.Zone { Platform.localOffset(at: $0) })
}
