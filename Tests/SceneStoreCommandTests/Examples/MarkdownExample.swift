import Foundation
import Testing

/// An example in a page of the documentation: a fenced block.
///
/// In a block of the language `console` a line that begins with `$ ` is a command, and what follows
/// is what it prints; a line `…` stands for any lines, and `…` within one for any text. `# exit N` at
/// a command's end says how it ends. A block of the language `sh` is a script that must succeed.
struct MarkdownExample: CustomTestStringConvertible {
    /// A command with what it prints, or a whole script.
    struct Step {
        var command: String
        var status: Int32 = 0
        /// nil when nothing is shown.
        var output: [String]?
    }

    var page: String
    var line: Int
    var language: String
    var text: [String]

    var testDescription: String { "\(page):\(line)" }

    /// All fenced blocks of a page.
    static func all(in page: String) throws -> [MarkdownExample] {
        var examples: [MarkdownExample] = []
        var current: MarkdownExample?
        let lines = try RepositoryFile.text(page).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if let example = current {
                    examples.append(example)
                    current = nil
                } else {
                    current = MarkdownExample(
                        page: page, line: index + 1, language: String(line.dropFirst(3)), text: [])
                }
            } else {
                current?.text.append(String(line))
            }
        }
        return examples
    }

    /// What is run, in order.
    var steps: [Step] {
        guard language == "console" else {
            return [Step(command: "set -e\n" + text.joined(separator: "\n"))]
        }
        var steps: [Step] = []
        for line in text {
            guard line.hasPrefix("$ ") else {
                if !steps.isEmpty {
                    steps[steps.count - 1].output = (steps[steps.count - 1].output ?? []) + [line]
                }
                continue
            }
            var step = Step(command: String(line.dropFirst(2)))
            if let range = step.command.range(of: "# exit ", options: .backwards) {
                step.status = Int32(step.command[range.upperBound...]) ?? -1
                step.command = String(step.command[..<range.lowerBound])
            }
            steps.append(step)
        }
        return steps
    }

    /// Whether printed lines are those that are shown.
    static func matches(_ printed: [String], shown: [String]) -> Bool {
        guard let first = shown.first else {
            return printed.isEmpty
        }
        let rest = Array(shown.dropFirst())
        if first.trimmingCharacters(in: .whitespaces) == "…" {
            return (0...printed.count).contains {
                matches(Array(printed.dropFirst($0)), shown: rest)
            }
        }
        guard let line = printed.first, matches(line, shown: first) else {
            return false
        }
        return matches(Array(printed.dropFirst()), shown: rest)
    }

    /// Whether one line is as shown; `…` within it stands for any text.
    private static func matches(_ line: String, shown: String) -> Bool {
        let parts = shown.components(separatedBy: "…")
        guard parts.count > 1 else {
            return line == shown
        }
        guard line.hasPrefix(parts[0]) else {
            return false
        }
        var rest = line.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.range(of: part) else {
                return false
            }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(parts[parts.count - 1])
    }
}
