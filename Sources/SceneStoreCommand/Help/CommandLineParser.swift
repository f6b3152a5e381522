/// Reads a command line by the table.
///
/// Options may stand anywhere, also before the command's name; `--` ends them. A value follows its
/// option as `--option=value`, `--option value`, `-o value` or `-ovalue`; flags with a letter may
/// be joined (`-ny`). A single dash is a word like any other.
struct CommandLineParser: Sendable {
    let table: CommandTable

    /// What a command line asks for.
    enum Request: Sendable {
        case run(Command, Invocation)
        /// Help for the command at a path; the overview for an empty one.
        case help([Command])
        case version(Invocation)
        /// No word at all.
        case greeting
    }

    func parse(_ words: [String]) throws(CommandError) -> Request {
        let (path, rest) = try splitPath(words)
        let wantsHelp = rest.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        guard let command = path.last else {
            if wantsHelp {
                return .help([])
            }
            if words.isEmpty {
                return .greeting
            }
            return try parseWithoutCommand(rest)
        }
        if wantsHelp {
            return .help(path)
        }
        guard command.run != nil else {
            let names = command.subcommands.map(\.name)
            throw .usage(
                "\(command.name) needs a command after it: \(names.listed(with: "or"))",
                hint: "'scenestore help \(command.name)' says more")
        }
        return .run(command, try parse(rest, path: path.map(\.name), command.description))
    }

    /// Takes the command's words out of the line; what is left keeps its order.
    private func splitPath(
        _ words: [String]
    ) throws(CommandError) -> (path: [Command], rest: [String]) {
        let options = table.optionsByName
        var path: [Command] = []
        var rest: [String] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "--" || (path.last.map { $0.subcommands.isEmpty } ?? false) {
                break
            }
            index += 1
            if word.hasPrefix("-"), word != "-" {
                rest.append(word)
                if takesNextWord(word, options), index < words.count {
                    rest.append(words[index])
                    index += 1
                }
            } else {
                path.append(try table.child(word, of: path))
            }
        }
        return (path, rest + words[index...])
    }

    /// Whether the word after an option belongs to it.
    private func takesNextWord(_ word: String, _ options: [String: OptionDescription]) -> Bool {
        if word.hasPrefix("--") {
            return options[String(word.dropFirst(2))]?.value != nil
        }
        // Of joined letters the first that has a value ends the word: `-nsPATH`, `-ns PATH`.
        let letters = word.dropFirst()
        let valueLetter = letters.firstIndex { letter in
            options.values.contains { $0.letter == letter && $0.value != nil }
        }
        return valueLetter.map { letters.index(after: $0) == letters.endIndex } ?? false
    }

    private func parseWithoutCommand(_ rest: [String]) throws(CommandError) -> Request {
        if rest.contains("--version") {
            return .version(try parse(rest, path: ["scenestore"], .version))
        }
        for word in rest where word.hasPrefix("--") && word != "--" {
            let name = String(word.dropFirst(2).prefix { $0 != "=" })
            if table.optionsByName[name] == nil {
                throw unknownOption("--\(name)", Array(table.optionsByName.keys).sorted(), nil)
            }
        }
        throw .usage(
            "the command is missing", hint: "'scenestore help' lists the commands")
    }

    // MARK: - One command

    private func parse(
        _ words: [String], path: [String], _ description: CommandDescription
    ) throws(CommandError) -> Invocation {
        var values: [String: [String]] = [:]
        var positions: [String] = []
        var index = 0
        let options = description.allOptions
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                positions += words[index...]
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                positions.append(word)
                continue
            }
            if word.hasPrefix("--") {
                // By scalars: a mark behind the = would make another character of it.
                let parts = word.unicodeScalars.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = parts.first.map { String($0) } ?? ""
                guard let option = options.first(where: { $0.name == name }) else {
                    throw unknownOption("--\(name)", options.map(\.name), path)
                }
                let inline = parts.count > 1 ? String(parts[1]) : nil
                let value = try self.value(of: option, inline, words, &index, options)
                values[option.name, default: []].append(value)
            } else {
                try parseLetters(word, words, &index, options, path, &values)
            }
        }
        if values["json"] != nil, values["csv"] != nil {
            throw .usage("--json and --csv exclude each other")
        }
        let arguments = try assign(positions, path: path, description)
        return Invocation(
            path: path, description: description, options: values, arguments: arguments)
    }

    private func parseLetters(
        _ word: String, _ words: [String], _ index: inout Int, _ options: [OptionDescription],
        _ path: [String], _ values: inout [String: [String]]
    ) throws(CommandError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.letter == letter }) else {
                throw unknownOption("-\(letter)", [], path)
            }
            guard option.value != nil else {
                values[option.name, default: []].append("")
                continue
            }
            let joined = letters.first == "=" ? letters.dropFirst() : letters
            let inline = letters.isEmpty ? nil : String(joined)
            let value = try self.value(of: option, inline, words, &index, options)
            values[option.name, default: []].append(value)
            return
        }
    }

    /// The value of an option that was just read, checked; empty for a flag.
    private func value(
        of option: OptionDescription, _ inline: String?, _ words: [String], _ index: inout Int,
        _ options: [OptionDescription]
    ) throws(CommandError) -> String {
        guard let description = option.value else {
            guard inline == nil else {
                throw .usage("--\(option.name) takes no value")
            }
            return ""
        }
        var value = inline
        if value == nil, index < words.count, !isOption(words[index], options) {
            value = words[index]
            index += 1
        }
        guard let value else {
            throw .usage("--\(option.name) needs a value: \(option.usage)")
        }
        try ValueCheck.check(value, of: description.kind, name: "--\(option.name)")
        return value
    }

    /// Whether a word is one of the options, so that it cannot be meant as a value.
    private func isOption(_ word: String, _ options: [OptionDescription]) -> Bool {
        guard word.hasPrefix("-"), word != "-" else {
            return false
        }
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        return word == "--"
            || options.contains {
                word.hasPrefix("--") ? $0.name == name : $0.letter.map { name == "\($0)" } ?? false
            }
    }

    /// Gives each argument its words, in order.
    private func assign(
        _ words: [String], path: [String], _ description: CommandDescription
    ) throws(CommandError) -> [String: [String]] {
        var result: [String: [String]] = [:]
        var left = words[...]
        var owed = description.arguments.reduce(0) { $0 + $1.count.least }
        for argument in description.arguments {
            owed -= argument.count.least
            let taken = left.prefix(min(argument.count.most, max(0, left.count - owed)))
            left = left.dropFirst(taken.count)
            guard taken.count >= argument.count.least else {
                throw Invocation(
                    path: path, description: description, options: [:], arguments: [:]
                ).missing(argument.name)
            }
            for word in taken {
                try ValueCheck.check(word, of: argument.kind, name: argument.name)
            }
            result[argument.name] = Array(taken)
        }
        if let extra = left.first {
            throw .usage(
                "\(path.joined(separator: " ")) does not take \(extra.quotedForError)",
                hint: "usage: "
                    + description.usageLines(path: path).joined(separator: " | "))
        }
        return result
    }

    private func unknownOption(
        _ option: String, _ names: [String], _ path: [String]?
    ) -> CommandError {
        let place = path.map { " of \($0.joined(separator: " "))" } ?? ""
        let help = (["scenestore", "help"] + (path ?? [])).joined(separator: " ")
        let name = String(option.drop { $0 == "-" })
        let nearest =
            Suggestion.nearest(to: name, among: names).map { "--\($0)" }
            ?? table.commands.first { $0.name == name }?.name
        return .usage(
            "there is no option \(option.quotedForError)\(place)",
            hint: nearest.map { "did you mean \($0)?" }
                ?? "'\(help)' lists the options; -- ends them")
    }
}

/// Checks a word against what it must be.
enum ValueCheck {
    static func check(_ word: String, of kind: ValueKind, name: String) throws(CommandError) {
        switch kind {
        case .choice(let choices):
            guard !choices.contains(word) else {
                return
            }
            throw .usage(
                "\(name) must be \(choices.listed(with: "or")), not \(word.quotedForError)",
                hint: Suggestion.nearest(to: word, among: choices).map { "did you mean \($0)?" })
        case .integer(let range, let words):
            guard !words.contains(word) else {
                return
            }
            guard let number = Int(word), range.contains(number) else {
                let least = range.lowerBound
                let bounds =
                    range.upperBound == Int.max
                    ? "from \(least)" : "\(least) to \(range.upperBound)"
                let others = words.isEmpty ? "" : " or \(words.listed(with: "or"))"
                throw .usage(
                    "\(name) must be a whole number \(bounds)\(others), not \(word.quotedForError)")
            }
        case .duration:
            guard DurationText.parse(word) != nil else {
                throw .usage(
                    "\(name) must be a time such as 10s, 15m, 2h or 30d, not \(word.quotedForError)"
                )
            }
        case .text, .file, .directory, .session, .dynamic:
            guard !word.utf8.contains(0) else {
                throw .usage("\(name) must not hold a NUL")
            }
        }
    }
}

extension [String] {
    /// `a`, `a or b`, `a, b or c`.
    func listed(with word: String) -> String {
        guard let last, count > 1 else {
            return first ?? ""
        }
        return dropLast().joined(separator: ", ") + " \(word) \(last)"
    }
}
