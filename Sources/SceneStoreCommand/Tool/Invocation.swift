/// What the words of a command line say, checked against the command's description.
///
/// Asking for a name that the description does not have is a bug and traps.
struct Invocation: Sendable {
    /// The words that lead to the command.
    let path: [String]
    /// The command's row in the table.
    let description: CommandDescription
    private let options: [String: [String]]
    private let positions: [String: [String]]

    init(
        path: [String], description: CommandDescription,
        options: [String: [String]], arguments: [String: [String]]
    ) {
        self.path = path
        self.description = description
        self.options = options
        positions = arguments
    }

    /// Whether an option was given.
    func isGiven(_ option: String) -> Bool {
        checked(option)
        return options[option] != nil
    }

    /// Whether a flag was given.
    func flag(_ option: String) -> Bool {
        isGiven(option)
    }

    /// The last value of an option, else its default.
    func text(_ option: String) -> String? {
        let description = checked(option)
        return options[option]?.last ?? description.value?.default
    }

    /// All values of an option, in the order in which they were given.
    func texts(_ option: String) -> [String] {
        checked(option)
        return options[option] ?? []
    }

    /// The number that an option of kind `integer` has; nil for one of its words too.
    func integer(_ option: String) -> Int? {
        text(option).flatMap { Int($0) }
    }

    /// The time that an option of kind `duration` has.
    func duration(_ option: String) -> Duration? {
        text(option).flatMap { DurationText.parse($0) }
    }

    /// The word of an argument.
    func argument(_ name: String) -> String? {
        arguments(name).first
    }

    /// The word of an argument that cannot be missing.
    func requiredArgument(_ name: String) throws(CommandError) -> String {
        guard let word = argument(name) else {
            throw missing(name)
        }
        return word
    }

    /// The words of an argument.
    func arguments(_ name: String) -> [String] {
        precondition(
            description.arguments.contains { $0.name == name },
            "'\(description.name)' declares no argument \(name)")
        return positions[name] ?? []
    }

    /// How the command prints its data: by `--json`, `--csv`, or for people.
    var format: OutputFormat {
        if options["json"] != nil {
            .json
        } else if options["csv"] != nil {
            .csv
        } else {
            .text
        }
    }

    /// The error for an argument that is missing.
    func missing(_ name: String) -> CommandError {
        .usage(
            "\(path.joined(separator: " ")) needs \(name)",
            hint: "usage: \(description.usageLines(path: path).joined(separator: " | "))")
    }

    /// Whether the command has an option of a name.
    func declares(_ option: String) -> Bool {
        description.allOptions.contains { $0.name == option }
    }

    @discardableResult
    private func checked(_ option: String) -> OptionDescription {
        guard let description = description.allOptions.first(where: { $0.name == option }) else {
            preconditionFailure("'\(description.name)' declares no option --\(option)")
        }
        return description
    }
}

/// How data leaves a command.
enum OutputFormat: Sendable {
    /// For people.
    case text
    /// One JSON value a line.
    case json
    /// Comma-separated values with a heading line.
    case csv
}
