/// The completion script for zsh 5 or newer, to be placed in `$fpath` as `_scenestore`.
struct ZshCompletion {
    let model: CompletionModel

    func script() -> String {
        var lines = [
            "#compdef scenestore",
            "# zsh completion for scenestore; made by 'scenestore completions zsh'",
            "",
            "_scenestore_source() {",
            "    local -a lines candidates",
            "    local line",
            "    # Without the quotes of the line; the program sees what the shell would give it.",
            "    lines=(${(f)\"$(_call_program $1 $_scenestore_line[1] __complete $1 -- \\",
            "        ${(q)${(Q)_scenestore_line[2,_scenestore_place-1]}} ${(q)${(Q)PREFIX}} \\",
            "        2>/dev/null)\"})",
            "    for line in $lines; do",
            "        candidates+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\")",
            "    done",
            "    _describe -t $1 $1 candidates -M 'm:{a-zA-Z}={A-Za-z}'",
            "}",
            "",
        ]
        lines += group("_scenestore", title: "command", model.table.commands, path: [])
        for entry in model.table.visibleEntries {
            if entry.command.subcommands.isEmpty {
                lines += leaf(entry)
            } else {
                lines += group(
                    function(entry.path), title: "\(entry.name) command",
                    entry.command.subcommands, path: entry.path)
            }
        }
        lines += [
            "if [[ $funcstack[1] == _scenestore ]]; then",
            "    _scenestore \"$@\"",
            "else",
            "    compdef _scenestore scenestore",
            "fi",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The function of a word that other commands follow.
    private func group(
        _ name: String, title: String, _ commands: [Command], path: [String]
    ) -> [String] {
        let visible = commands.filter { !$0.description.isHidden }
        var lines = [
            "\(name)() {",
            "    local curcontext=\"$curcontext\" state line",
            "    typeset -A opt_args",
        ]
        if path.isEmpty {
            // Kept whole: below, `words` loses the options before the command.
            lines += [
                "    local -a _scenestore_line=(\"${words[@]}\")",
                "    local _scenestore_place=$CURRENT",
            ]
        }
        lines += ["    _arguments -C -s \\"]
        lines += OptionDescription.everywhere.flatMap { specifications(of: $0) }
        if path.isEmpty {
            lines.append("        \(quote("(- *)--version[Show the version]")) \\")
        }
        lines += [
            "        '1: :->command' \\",
            "        '*:: :->rest'",
            "    case $state in",
            "        command)",
            "            local -a commands",
            "            commands=(",
        ]
        for command in visible {
            let text = described(command.name) + ":" + command.description.summary
            lines.append("                \(quote(text))")
        }
        lines += [
            "            )",
            "            _describe -t commands \(quote(title)) commands",
            "            ;;",
            "        rest)",
            "            case $line[1] in",
        ]
        for command in visible {
            lines.append(
                "                \(quote(command.name))) \(function(path + [command.name])) ;;")
        }
        lines += ["            esac", "            ;;", "    esac", "}", ""]
        return lines
    }

    /// The function of a command that does something.
    private func leaf(_ entry: CommandTable.Entry) -> [String] {
        let description = entry.command.description
        var lines = ["\(function(entry.path))() {", "    _arguments -s \\"]
        lines += description.allOptions.flatMap { specifications(of: $0) }
        for argument in description.arguments {
            let place =
                switch argument.count {
                case .one: ""
                case .optional: ":"
                case .zeroOrMore, .oneOrMore: "*"
                }
            let prefix = place == "*" ? "*:" : ":\(place)"
            let message = described(argument.name)
            lines.append("        \(quote("\(prefix)\(message):\(action(argument.kind))")) \\")
        }
        lines[lines.count - 1].removeLast(2)
        return lines + ["}", ""]
    }

    /// `_arguments` specifications of an option, a line a form, each with a trailing backslash.
    private func specifications(of option: OptionDescription) -> [String] {
        let forms = CompletionModel.forms(of: option)
        return forms.map { form in
            var text = option.isRepeatable ? "*" : "(\(forms.joined(separator: " ")))"
            text += form
            if option.value != nil {
                text += form.hasPrefix("--") ? "=" : "+"
            }
            text += "[\(bracketed(HelpText.explanation(of: option)))]"
            if let value = option.value {
                text += ":\(described(value.name)):\(action(value.kind))"
            }
            return "        \(quote(text)) \\"
        }
    }

    private func action(_ kind: ValueKind) -> String {
        switch CompletionModel.action(for: kind) {
        case .nothing: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .directories: "_files -/"
        // The blank in front keeps _arguments from adding words of its own.
        case .source(let name): " _scenestore_source \(name)"
        }
    }

    private func function(_ path: [String]) -> String {
        (["_scenestore"] + path).joined(separator: "_")
    }

    /// Escapes what ends a part of a specification.
    private func described(_ text: String) -> String {
        text.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
    }

    private func bracketed(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "[" || character == "]" || character == "\\" || character == ":" {
                result.append("\\")
            }
            result.append(character)
        }
        return result
    }

    private func quote(_ text: String) -> String {
        CompletionModel.quoted(text)
    }
}
