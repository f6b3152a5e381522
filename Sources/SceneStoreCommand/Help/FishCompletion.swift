/// The completion script for fish 3 or newer.
struct FishCompletion {
    let model: CompletionModel

    func script() -> String {
        var lines = [
            "# fish completion for scenestore; made by 'scenestore completions fish'",
            "",
            "# Prints the words of the command so far, then the number of words after them.",
            "function __scenestore_place",
            "    set -l skip",
            "    set -l ended",
            "    set -l command",
            "    set -l position 0",
            "    for word in (commandline -opc)[2..-1]",
            "        if test -n \"$skip\"",
            "            set skip",
            "        else if test -n \"$ended\"",
            "            set position (math $position + 1)",
            "        else if test \"$word\" = --",
            "            set ended 1",
            "        else if string match -q -- '-?*' $word",
            "            if contains -- $word \(words(model.valueOptions))",
            "                set skip 1",
            "            end",
            "        else if test -z \"$command\"",
            "            set command $word",
            "        else if contains -- \"$command\" \(words(model.parents))",
            "            set command \"$command $word\"",
            "        else",
            "            set position (math $position + 1)",
            "        end",
            "    end",
            "    echo \"$command:$position\"",
            "end",
            "",
            "# Whether a command stands on the line: its words, then the places that are meant.",
            "function __scenestore_at",
            "    set -l place (string split -r -m 1 : -- (__scenestore_place))",
            "    test \"$place[1]\" = \"$argv[1]\"",
            "    and begin",
            "        test (count $argv) -eq 1",
            "        or contains -- $place[2] $argv[2..-1]",
            "    end",
            "end",
            "",
            "function __scenestore_source",
            "    set -l line (commandline -opc)",
            "    set -l token (commandline -ct)",
            "    # The word without its quotes, of which the last may be open.",
            "    set -l word (string unescape -- $token; or string unescape -- $token\\\"",
            "        or string unescape -- $token\\')",
            "    $line[1] __complete $argv[1] -- $line[2..-1] \"$word\" 2>/dev/null",
            "end",
            "",
            "complete -c scenestore -f",
        ]
        lines += OptionDescription.everywhere.map { option($0, at: nil) }
        lines.append(
            "complete -c scenestore -n \(condition([], places: [])) -l version "
                + "-d 'Show the version'")
        lines += children(model.table.commands, of: [])
        for entry in model.table.visibleEntries {
            lines += children(entry.command.subcommands, of: entry.path)
            let description = entry.command.description
            lines += description.options.map { option($0, at: entry.path) }
            for (place, argument) in description.arguments.enumerated() {
                let places = argument.count.most > 1 ? [] : [place]
                if let action = action(argument.kind) {
                    lines.append(
                        "complete -c scenestore -n \(condition(entry.path, places: places)) \(action)"
                    )
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func children(_ commands: [Command], of path: [String]) -> [String] {
        commands.filter { !$0.description.isHidden }.map {
            "complete -c scenestore -n \(condition(path, places: [0])) -a \($0.name) "
                + "-d \(quote($0.description.summary))"
        }
    }

    private func option(_ option: OptionDescription, at path: [String]?) -> String {
        var line = "complete -c scenestore"
        if let path {
            line += " -n \(condition(path, places: []))"
        }
        line += " -l \(option.name)"
        if let letter = option.letter {
            line += " -s \(letter)"
        }
        if let value = option.value {
            line += " -r " + (action(value.kind) ?? "-f")
        }
        return line + " -d \(quote(option.help))"
    }

    private func action(_ kind: ValueKind) -> String? {
        switch CompletionModel.action(for: kind) {
        case .nothing: nil
        case .words(let words): "-f -a \(quote(words.joined(separator: " ")))"
        case .files: "-F"
        case .directories: "-f -a '(__fish_complete_directories)'"
        case .source(let name): "-f -a \(quote("(__scenestore_source \(name))"))"
        }
    }

    private func condition(_ path: [String], places: [Int]) -> String {
        let name = path.joined(separator: " ")
        let words = ["__scenestore_at", "\"\(name)\""] + places.map { "\($0)" }
        return quote(words.joined(separator: " "))
    }

    private func words(_ words: [String]) -> String {
        words.isEmpty ? "''" : words.map(quote).joined(separator: " ")
    }

    private func quote(_ text: String) -> String {
        CompletionModel.quoted(text, quote: "\\'")
    }
}
