/// Help for people, made of the table.
struct HelpText {
    let table: CommandTable
    /// The columns that it may take.
    let width: Int

    /// What leads on from here.
    func greeting() -> String {
        [
            ("help tour", "ask four questions of an example store"),
            ("sessions -s DIR", "the windows of a store, and which come back"),
            ("why WINDOW -s DIR", "why one comes back or doesn't"),
            ("doctor -s DIR", "whether anything is wrong, and what fixes it"),
            ("help", "all commands; 'help handbook' has ten tasks"),
        ].flatMap { entry("scenestore \($0)", $1, column: 30) }.joined(separator: "\n") + "\n"
    }

    // MARK: - Overview

    /// All commands under their headings.
    func overview() -> String {
        var lines = wrapped("scenestore: which windows would come back, with what, and why")
        lines += [""]
        lines += usage(["scenestore COMMAND [ARGUMENT…] [--store PATH] [OPTION…]"])
        let entries = table.commands.filter { !$0.description.isHidden }
        let column = (entries.map { DisplayWidth.columns(of: $0.name) }.max() ?? 0) + 2
        for group in CommandGroup.allCases {
            let members = entries.filter { $0.description.group == group }
            guard !members.isEmpty else {
                continue
            }
            lines += ["", heading(group.rawValue)]
            for command in members {
                lines += entry(command.name, command.description.summary, column: column)
            }
        }
        lines += ["", "Options of every command"]
        lines += optionLines(OptionDescription.everywhere)
        lines += ["", "More"]
        for topic in HelpTopic.allCases {
            lines += entry("help \(topic.rawValue)", topic.summary, column: 18)
        }
        lines += entry("help COMMAND", "one command, with examples", column: 18)
        lines += entry("help CODE", "a code of an error or a finding, and what to do", column: 18)
        lines += entry(
            "--version", "the versions of scenestore and SQLite, and the schema", column: 18)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: - One command

    /// Everything about one command.
    func command(path: [Command]) -> String {
        guard let command = path.last else {
            return overview()
        }
        let description = command.description
        let names = path.map(\.name)
        var lines = usage(
            command.run == nil
                ? ["\((["scenestore"] + names).joined(separator: " ")) COMMAND"]
                : description.usageLines(path: names))
        lines += [""] + wrapped(description.summary + ".")
        if !description.discussion.isEmpty {
            lines += [""] + wrapped(description.discussion)
        }
        if !command.subcommands.isEmpty {
            lines += ["", "Commands"]
            let children = command.subcommands.filter { !$0.description.isHidden }
            let column = (children.map(\.name.count).max() ?? 0) + 2
            for child in children {
                lines += entry(child.name, child.description.summary, column: column)
            }
        }
        if !description.arguments.isEmpty {
            lines += ["", "Arguments"]
            let column = (description.arguments.map(\.usage.count).max() ?? 0) + 2
            for argument in description.arguments {
                lines += entry(
                    argument.usage, argument.help + Self.allowed(argument.kind), column: column)
            }
        }
        if command.run != nil {
            let own = description.options.filter { !$0.isOfTables }
            if !own.isEmpty {
                lines += ["", "Options"] + optionLines(own)
            }
            let choices = description.options.filter(\.isOfTables).map { "--\($0.name)" }
            let tables =
                choices.isEmpty
                ? ""
                : "Rows and columns: \(choices.listed(with: "and")); see 'scenestore help formats'. "
            lines += [""] + wrapped("\(tables)Options of every command: see 'scenestore help'.")
        }
        lines += ["", description.examples.count == 1 ? "Example" : "Examples"]
        let examples =
            description.examples.filter { $0.status == .done }
            + description.examples.filter { $0.status != .done }
        for example in examples {
            let status =
                example.status == .done ? "" : " (exit status \(example.status.rawValue))"
            lines.append("  scenestore \(example.commandLine)")
            lines += wrapped(example.explanation + status, indent: 6)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func usage(_ forms: [String]) -> [String] {
        var lines: [String] = []
        for form in forms {
            // Brackets stay whole: `[--key PATH]` is one word here.
            let whole = form.split(separator: " ").reduce(into: [String]()) { words, word in
                if let last = words.last, last.hasPrefix("["), !last.contains("]") {
                    words[words.count - 1] += "\u{0}" + word
                } else {
                    words.append(String(word))
                }
            }
            let first = lines.isEmpty ? "Usage: " : "       "
            let wrapped = DisplayWidth.wrapped(whole.joined(separator: " "), to: width - 11)
            for (index, line) in wrapped.enumerated() {
                let text = String(line.map { $0 == "\u{0}" ? " " : $0 })
                lines.append((index == 0 ? first : "           ") + text)
            }
        }
        return lines
    }

    // MARK: - Parts

    private func optionLines(_ options: [OptionDescription]) -> [String] {
        let left = options.map { option in
            (option.letter.map { "-\($0), " } ?? "    ") + option.usage
        }
        let column = min((left.map(\.count).max() ?? 0) + 2, 30)
        return zip(left, options).flatMap { left, option in
            entry(left, Self.explanation(of: option), column: column)
        }
    }

    /// An option's help with its choices and its default.
    static func explanation(of option: OptionDescription) -> String {
        var text = option.help
        if let value = option.value {
            text += allowed(value.kind)
            text += value.default.map { " (default \($0))" } ?? ""
        }
        return text + (option.isRepeatable ? "; may be repeated" : "")
    }

    private static func allowed(_ kind: ValueKind) -> String {
        if case .choice(let choices) = kind { ": \(choices.listed(with: "or"))" } else { "" }
    }

    /// A name and its explanation in two columns, or below each other where that is too narrow.
    func entry(_ name: String, _ text: String, column: Int) -> [String] {
        let room = width - 2 - column
        guard room >= 24, DisplayWidth.columns(of: name) + 2 <= column else {
            return ["  \(name)"] + wrapped(text, indent: 6)
        }
        let lines = DisplayWidth.wrapped(text, to: room)
        let blank = String(repeating: " ", count: column + 2)
        let padding = String(repeating: " ", count: column - DisplayWidth.columns(of: name))
        return lines.enumerated().map { index, line in
            index == 0 ? "  \(name)\(padding)\(line)" : blank + line
        }
    }

    private func wrapped(_ text: String, indent: Int = 0) -> [String] {
        DisplayWidth.wrapped(text, to: width - indent).map {
            $0.isEmpty ? "" : String(repeating: " ", count: indent) + $0
        }
    }

    private func heading(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
