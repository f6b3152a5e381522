extension Command {
    /// `help [COMMAND]`: the overview, one command, or a topic; `--man` for the manual page.
    static let help = Command(
        CommandDescription(
            name: "help", group: .make,
            summary: "Explain the commands, or one command or topic",
            discussion:
                "Topics are \(HelpTopic.allCases.map(\.rawValue).listed(with: "and")).",
            arguments: [
                ArgumentDescription(
                    "COMMAND", .dynamic("commands"), "A command or a topic", count: .zeroOrMore)
            ],
            options: [.flag("man", "Print the manual page, as roff")],
            examples: [
                ExampleDescription("help completions", "Explains one command"),
                ExampleDescription("help exit-codes", "Explains the exit status"),
                ExampleDescription(
                    "help --man > scenestore.1", "Makes the manual page for 'man ./scenestore.1'"),
            ])
    ) { invocation, context in
        if invocation.flag("man") {
            try context.output.write(verbatim: ManualPage(table: context.table).roff())
            return .done
        }
        let words = invocation.arguments("COMMAND")
        let width = context.terminal.textWidth
        if words.count == 1, let topic = words.first.flatMap({ HelpTopic(rawValue: $0) }) {
            try context.output.write(verbatim: topic.text(width: width))
            return .done
        }
        let path = try commandPath(words, context.table)
        let help = HelpText(table: context.table, width: width)
        try context.output.write(verbatim: help.command(path: path))
        return .done
    }

    /// The command that words name; a mistyped first word may have meant a topic.
    private static func commandPath(
        _ words: [String], _ table: CommandTable
    ) throws(CommandError) -> [Command] {
        let topics = HelpTopic.allCases.map(\.rawValue)
        let names = table.commands.map(\.name)
        if let first = words.first, !names.contains(first),
            let topic = Suggestion.nearest(to: first, among: topics)
        {
            throw .usage(
                "there is no command or topic \(first.quotedForError)",
                hint: "did you mean \(topic)?")
        }
        return try table.path(words)
    }
}
