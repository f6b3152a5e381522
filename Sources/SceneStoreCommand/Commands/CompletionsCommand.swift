import SceneStore
import SceneStoreExchange

enum CompletionsCommand {
    /// `completions SHELL`.
    static let command = Command(
        CommandDescription(
            name: "completions", group: .make,
            summary: "Print the completion script for a shell",
            discussion: """
                bash: add eval "$(scenestore completions bash)" to ~/.bashrc.
                zsh: save the script as _scenestore in a directory of $fpath.
                fish: save the script as ~/.config/fish/completions/scenestore.fish.
                """,
            arguments: [
                ArgumentDescription("SHELL", .choice(["bash", "zsh", "fish"]), "The shell")
            ],
            options: [.json],
            examples: [
                ExampleDescription("completions bash", "Prints the script for bash"),
                ExampleDescription(
                    "completions tcsh", "There is no script for other shells", exits: .usage),
            ])
    ) { invocation, context in
        let model = CompletionModel(table: context.table)
        let shell = try invocation.requiredArgument("SHELL")
        let script =
            switch shell {
            case "bash": BashCompletion(model: model).script()
            case "zsh": ZshCompletion(model: model).script()
            default: FishCompletion(model: model).script()
            }
        guard invocation.format == .text else {
            try context.output.json(["script": .string(script), "shell": .string(shell)])
            return .done
        }
        try context.output.write(verbatim: script)
        return .done
    }

    /// What the scripts call: `__complete NAME -- WORDS…`, without quotes, the word at the cursor
    /// last. Prints a candidate a line, its explanation behind a tab.
    static let complete = Command(
        CommandDescription(
            name: "__complete", group: .make, summary: "Complete a word for a shell",
            arguments: [
                ArgumentDescription("NAME", .text, "What is being completed"),
                ArgumentDescription("WORD", .text, "The line so far", count: .zeroOrMore),
            ],
            examples: [ExampleDescription("__complete sessions -- show 4", "For the scripts")],
            isHidden: true)
    ) { invocation, context in
        let name = try invocation.requiredArgument("NAME")
        let words = invocation.arguments("WORD")
        let request = CompletionRequest(
            prefix: currentWord(words), storePath: storePath(words, context), words: words)
        var candidates: [CompletionCandidate] = []
        switch name {
        case "commands": candidates = helpCandidates(words, context.table)
        case "columns": candidates = columnCandidates(request, context.table)
        // A closed session is neither, and a generation belongs to a name.
        case "sessions" where !words.contains("reopen") && !words.contains("checkout"):
            candidates = [
                CompletionCandidate(word: "@last", explanation: "active most recently"),
                CompletionCandidate(word: "@foreground", explanation: "in the foreground"),
            ]
        default: break
        }
        for source in context.completionSources where source.name == name {
            do {
                candidates += try source.candidates(request, context)
            } catch is Interrupted {
                throw Interrupted()
            } catch {
                // A store that cannot be read completes nothing; the command itself will say why.
                continue
            }
        }
        let typed = request.prefix.lowercased()
        for candidate in candidates where candidate.word.lowercased().hasPrefix(typed) {
            try context.output.line("\(candidate.word)\(verbatimTab)\(candidate.explanation)")
        }
        return .done
    }

    private static let verbatimTab = TerminalText(verbatim: "\t")

    /// The word at the cursor, without the option that it may be joined to.
    private static func currentWord(_ words: [String]) -> String {
        let word = words.last ?? ""
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
            return word
        }
        return String(word[word.index(after: equals)...])
    }

    /// The store that a line names, even when the line is not complete.
    private static func storePath(_ words: [String], _ context: CommandContext) -> String {
        var path: String?
        for (index, word) in words.enumerated() {
            if word == "--" {
                break
            }
            if word.hasPrefix("--store=") {
                path = String(word.dropFirst(8))
            } else if word == "--store" || word == "-s", index + 2 < words.count {
                path = words[index + 1]
            } else if word.hasPrefix("-s"), word.count > 2 {
                path = String(word.dropFirst(2))
            }
        }
        return context.storePath(given: path)
    }

    /// The columns of the command on the line, behind those that are named already, or behind the sign
    /// of a descending order.
    private static func columnCandidates(
        _ request: CompletionRequest, _ table: CommandTable
    ) -> [CompletionCandidate] {
        let valued = CompletionModel(table: table).valueOptions
        var names: [String] = []
        var skips = false
        for word in request.words.dropLast() {
            if !skips, !word.hasPrefix("-") {
                names.append(word)
            }
            skips = !skips && valued.contains(word)
        }
        let entry = table.visibleEntries.first {
            !$0.command.description.columns.isEmpty && names.starts(with: $0.path)
        }
        let named = request.prefix.split(separator: ",", omittingEmptySubsequences: false)
            .dropLast()
        let sign = request.prefix.hasPrefix("-") ? "-" : ""
        let head = sign + named.map { "\($0)," }.joined()
        return (entry?.command.description.columns ?? []).filter { column in
            !named.contains { $0 == column }
        }.map { CompletionCandidate(word: head + $0, explanation: "") }
    }

    /// The commands and topics that may follow `help`.
    private static func helpCandidates(
        _ words: [String], _ table: CommandTable
    ) -> [CompletionCandidate] {
        let typed = words.dropLast().filter { !$0.hasPrefix("-") }.drop { $0 == "help" }
        guard typed.isEmpty else {
            let parent = table.commands.first { $0.name == typed.first }
            return (typed.count == 1 ? parent?.subcommands ?? [] : []).map {
                CompletionCandidate(word: $0.name, explanation: $0.description.summary)
            }
        }
        return table.commands.filter { !$0.description.isHidden }.map {
            CompletionCandidate(word: $0.name, explanation: $0.description.summary)
        }
            + HelpTopic.allCases.map {
                CompletionCandidate(word: $0.rawValue, explanation: $0.summary)
            }
            // There are more than a screen of codes, so that one has to begin.
            + (words.last?.isEmpty == false ? CodeExplanation.all : []).map {
                CompletionCandidate(word: $0.code, explanation: $0.title ?? $0.kind.rawValue)
            }
    }
}
