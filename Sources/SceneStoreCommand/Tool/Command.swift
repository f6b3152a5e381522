/// A command: its row in the table, and what it does.
struct Command: Sendable {
    /// What a command does with its parsed words. Throws ``CommandError``, `SceneStoreError` and
    /// what the output throws; the caller turns each into a line and a status.
    typealias Run = @Sendable (Invocation, CommandContext) throws -> ExitStatus

    let description: CommandDescription
    /// The commands below it, such as `show` of `manifest`; a command has these or does something
    /// itself.
    let subcommands: [Command]
    let run: Run?

    /// Makes a command that does something.
    init(_ description: CommandDescription, run: @escaping Run) {
        self.description = description
        self.run = run
        subcommands = []
    }

    /// Makes a word that only leads to other commands.
    init(_ description: CommandDescription, subcommands: [Command]) {
        self.description = description
        self.subcommands = subcommands
        run = nil
    }

    /// The word that calls it.
    var name: String { description.name }
}

/// The table of commands.
struct CommandTable: Sendable {
    /// The commands in the order in which the help shows them.
    let commands: [Command]

    /// A command with the words that lead to it.
    struct Entry: Sendable {
        let path: [String]
        let command: Command

        /// The words in one.
        var name: String { path.joined(separator: " ") }
    }

    /// Those that are shown, each parent before its children.
    var visibleEntries: [Entry] {
        var entries: [Entry] = []
        for command in commands where !command.description.isHidden {
            entries.append(Entry(path: [command.name], command: command))
            for child in command.subcommands where !child.description.isHidden {
                entries.append(Entry(path: [command.name, child.name], command: child))
            }
        }
        return entries
    }

    /// The commands that words lead to, one a word.
    func path(_ words: [String]) throws(CommandError) -> [Command] {
        var found: [Command] = []
        for word in words {
            found.append(try child(word, of: found))
        }
        return found
    }

    /// The command of a name below others.
    func child(_ name: String, of parents: [Command]) throws(CommandError) -> Command {
        let candidates = parents.last?.subcommands ?? commands
        if let command = candidates.first(where: { $0.name == name }) {
            return command
        }
        let names = candidates.filter { !$0.description.isHidden }.map(\.name)
        let place = parents.isEmpty ? "" : " of \(parents.map(\.name).joined(separator: " "))"
        let help = (["scenestore", "help"] + parents.map(\.name)).joined(separator: " ")
        let nearest =
            (parents.isEmpty ? Suggestion.synonyms[name] : nil)
            ?? Suggestion.nearest(to: name, among: names)
        let hint = nearest.map { "did you mean \($0)?" }
        throw .usage(
            "there is no command \(name.quotedForError)\(place)",
            hint: hint ?? "'\(help)' lists the commands")
    }

    /// All options of all commands by name, to know which take a value before the command is
    /// known.
    var optionsByName: [String: OptionDescription] {
        var options: [String: OptionDescription] = [:]
        for option in OptionDescription.everywhere {
            options[option.name] = option
        }
        for command in commands {
            for option in command.description.options
                + command.subcommands.flatMap(\.description.options)
            {
                options[option.name] = option
            }
        }
        return options
    }
}
