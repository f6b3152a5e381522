import SceneStore

enum HelpCommand {
    /// `help [COMMAND]`: the overview, one command, a topic or a code; `--man` for the manual page.
    static let command = Command(
        CommandDescription(
            name: "help", group: .make,
            summary: "Explain the commands, or one command, topic or code",
            discussion:
                "Topics are \(HelpTopic.allCases.map(\.rawValue).listed(with: "and")). A code, such "
                + "as diskFull or SS008, is in every error and finding; its help is the cause, "
                + "and what to do.",
            arguments: [
                ArgumentDescription(
                    "COMMAND", .dynamic("commands"), "A command, a topic or a code",
                    count: .zeroOrMore)
            ],
            options: [.flag("man", "Print the manual page, as roff"), .json],
            examples: [
                ExampleDescription("help completions", "Explains one command"),
                ExampleDescription("help exit-codes", "Explains the exit status"),
                ExampleDescription("help SS008", "Explains a code, and what to do"),
                ExampleDescription("help tour", "Which questions there are, and their answers"),
                ExampleDescription(
                    "help --man > scenestore.1", "Makes the manual page for 'man ./scenestore.1'"),
            ])
    ) { invocation, context in
        if invocation.flag("man") {
            try context.output.write(verbatim: ManualPage(table: context.table).roff())
            return .done
        }
        let words = invocation.arguments("COMMAND")
        if invocation.format == .json {
            try writeJSON(words, context)
            return .done
        }
        let width = context.terminal.textWidth
        if words.count == 1, let topic = words.first.flatMap({ HelpTopic(rawValue: $0) }) {
            try topic == .tour
                ? Tour.play(context) : context.output.write(verbatim: topic.text(width: width))
            return .done
        }
        let explanations = explanations(words)
        if !explanations.isEmpty {
            try context.output.write(
                verbatim: explanations.map { $0.text(width: width) }.joined(separator: "\n"))
            return .done
        }
        let path = try commandPath(words, context.table)
        let help = HelpText(table: context.table, width: width)
        try context.output.write(verbatim: help.command(path: path))
        return .done
    }

    /// The meanings of a code, if the words are one.
    private static func explanations(_ words: [String]) -> [CodeExplanation] {
        words.count == 1 ? CodeExplanation.named(words[0]) : []
    }

    /// A line for each command that is meant, for the topic, or for each meaning of the code.
    private static func writeJSON(_ words: [String], _ context: CommandContext) throws {
        if words.count == 1, let topic = words.first.flatMap({ HelpTopic(rawValue: $0) }) {
            try context.output.json([
                "text": .string(topic.text(width: 80)), "topic": .string(topic.rawValue),
            ])
            return
        }
        let explanations = explanations(words)
        if !explanations.isEmpty {
            try explanations.forEach { try context.output.json($0.json) }
            return
        }
        let path = try commandPath(words, context.table)
        let commands = path.last.map { [$0] } ?? context.table.commands
        let prefix = path.dropLast().map(\.name)
        for command in commands where !command.description.isHidden {
            try write(command, prefix, context)
        }
    }

    private static func write(
        _ command: Command, _ prefix: [String], _ context: CommandContext
    ) throws {
        let path = prefix + [command.name]
        try context.output.json(command.description.json(path: path))
        for subcommand in command.subcommands {
            try write(subcommand, path, context)
        }
    }

    /// The command that words name; a mistyped first word may have meant a topic or a code.
    private static func commandPath(
        _ words: [String], _ table: CommandTable
    ) throws(CommandError) -> [Command] {
        var topics = HelpTopic.allCases.map(\.rawValue)
        let names = table.commands.map(\.name)
        // No command has a capital or a digit.
        if let first = words.first, first.contains(where: { $0.isUppercase || $0.isNumber }) {
            topics += CodeExplanation.all.map(\.code)
        }
        if let first = words.first, !names.contains(first),
            let topic = Suggestion.nearest(to: first, among: topics)
        {
            throw .usage(
                "there is no command, topic or code \(first.quotedForError)",
                hint: "did you mean \(topic)?")
        }
        return try table.path(words)
    }
}

extension CommandDescription {
    /// All of it for programs.
    fileprivate func json(path: [String]) -> CanonicalJSON {
        [
            "arguments": .array(
                arguments.map {
                    [
                        "help": .string($0.help), "least": .count($0.count.least),
                        "name": .string($0.name), "repeats": .boolean($0.count.most > 1),
                    ]
                }),
            "command": .string(path.joined(separator: " ")),
            "discussion": .string(discussion),
            "examples": .array(
                examples.map {
                    [
                        "command": .string("scenestore \($0.commandLine)"),
                        "exits": .count(Int($0.status.rawValue)), "text": .string($0.explanation),
                    ]
                }),
            "group": .string(group.rawValue),
            "options": .array(
                allOptions.map {
                    [
                        "default": .text($0.value?.default), "help": .string($0.help),
                        "letter": .text($0.letter.map { String($0) }), "name": .string($0.name),
                        "repeats": .boolean($0.isRepeatable), "value": .text($0.value?.name),
                    ]
                }),
            "summary": .string(summary),
        ]
    }
}
