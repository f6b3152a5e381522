/// The manual page in section 1, as roff with the man macros.
struct ManualPage {
    let table: CommandTable

    func roff() -> String {
        var lines = [
            ".TH SCENESTORE 1 \"\" \"scenestore \(CommandLineTool.version)\" \"User Commands\"",
            ".SH NAME",
            "scenestore \\- which windows would come back, with what, and why",
            ".SH SYNOPSIS",
            ".B scenestore",
            ".I COMMAND",
            "[\\fIARGUMENT\\fR...] [\\fB\\-\\-store\\fR \\fIPATH\\fR] [\\fIOPTION\\fR...]",
            ".SH DESCRIPTION",
        ]
        lines.append(
            text(
                "Reads and repairs the store in which an app keeps its scene sessions (windows) and "
                    + "their restoration state. Reading commands never write and never make the app "
                    + "wait; writing commands take the owner's lock, make a backup first, and ask.")
        )
        lines += paragraph(
            "A SESSION is an identifier, a unique prefix of at least 4 characters, a title or a "
                + "part of one, @last, or @foreground; id: and title: choose one meaning.")
        for group in CommandGroup.allCases {
            let entries = table.visibleEntries.filter {
                $0.command.description.group == group && $0.command.run != nil
            }
            if !entries.isEmpty {
                lines.append(".SH COMMANDS: \(text(group.rawValue.uppercased()))")
                lines += entries.flatMap(section)
            }
        }
        lines.append(".SH HANDBOOK")
        lines.append(".SS \(text(HelpTopic.containerHeading))")
        for place in HelpTopic.containerPlaces {
            lines += [".PP", text(place.explanation)]
            if !place.lines.isEmpty {
                lines += [".PP", ".nf"] + place.lines.map(text) + [".fi"]
            }
        }
        for task in HelpTopic.tasks {
            lines.append(".SS \(text(task.title))")
            for (command, explanation) in task.steps {
                lines += [".TP", ".B \(text("scenestore " + command))", text(explanation)]
            }
        }
        lines.append(".SH OPTIONS OF EVERY COMMAND")
        lines += OptionDescription.everywhere.flatMap(option)
        lines.append(".SH EXIT STATUS")
        for (status, meaning) in ExitStatus.meanings {
            lines += [".TP", ".B \(status.rawValue)", text(meaning)]
        }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in HelpTopic.environment {
            lines += [".TP", ".B \(text(name))", text(meaning)]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ entry: CommandTable.Entry) -> [String] {
        let description = entry.command.description
        var lines = [".SS \(text(entry.name))"]
        let usages = description.usageLines(path: entry.path)
        lines += usages.map { [".B \(text($0))"] }.joined(separator: [".br"])
        lines += paragraph(description.summary + ".")
        if !description.discussion.isEmpty {
            for part in description.discussion.split(separator: "\n") {
                lines += paragraph(String(part))
            }
        }
        for argument in description.arguments {
            lines += [".TP", ".I \(text(argument.usage))", text(argument.help)]
        }
        lines += description.options.flatMap(option)
        for example in description.examples {
            let status =
                example.status == .done ? "" : " (exit status \(example.status.rawValue))"
            lines += paragraph(example.explanation + status + ":")
            lines += [
                ".PP", ".RS 4", ".nf", text("scenestore \(example.commandLine)"), ".fi", ".RE",
            ]
        }
        return lines
    }

    private func option(_ option: OptionDescription) -> [String] {
        let forms = CompletionModel.forms(of: option).map { "\\fB\(text($0))\\fR" }
        let value = option.value.map { " \\fI\(text($0.name))\\fR" } ?? ""
        return [
            ".TP", forms.joined(separator: ", ") + value, text(HelpText.explanation(of: option)),
        ]
    }

    private func paragraph(_ content: String) -> [String] {
        [".PP", text(content)]
    }

    /// Text of the table as roff: nothing in it is a request or an escape.
    private func text(_ content: String) -> String {
        var result = ""
        for scalar in content.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\n": result += " "
            case "'" where result.isEmpty, "." where result.isEmpty:
                result += "\\&\(scalar)"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            default:
                if scalar.isASCII {
                    result.unicodeScalars.append(scalar)
                } else {
                    let hex = String(scalar.value, digits: 4, radix: 16, uppercase: true)
                    result += "\\[u\(hex)]"
                }
            }
        }
        return result
    }
}
