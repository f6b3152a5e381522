@testable import SceneStoreCommand

extension CommandTable {
    /// What is wrong with the table itself, one line a fault.
    func faults() -> [String] {
        var faults: [String] = []
        var takesValue: [String: Bool] = [:]
        var letters: [Character: String] = [:]
        for entry in visibleEntries {
            let description = entry.command.description
            if description.summary.isEmpty || description.summary.hasSuffix(".") {
                faults.append("\(entry.name): the summary is empty or ends with a full stop")
            }
            if description.examples.isEmpty {
                faults.append("\(entry.name): has no example")
            }
            for example in description.examples
            where !"\(example.commandLine) ".contains("\(entry.name) ") {
                faults.append("\(entry.name): an example calls something else")
            }
            if entry.command.run == nil, entry.command.subcommands.isEmpty {
                faults.append("\(entry.name): does nothing")
            }
            if Set(description.options.map(\.name)).count != description.options.count {
                faults.append("\(entry.name): an option stands there twice")
            }
            for argument in description.arguments.dropLast() where argument.count.most > 1 {
                faults.append("\(entry.name): only the last argument may repeat")
            }
            for option in description.allOptions {
                if takesValue.updateValue(option.value != nil, forKey: option.name)
                    == (option.value == nil)
                {
                    faults.append("--\(option.name): a flag here, with a value elsewhere")
                }
                if let letter = option.letter,
                    let other = letters.updateValue(option.name, forKey: letter),
                    other != option.name
                {
                    faults.append("-\(letter): both --\(other) and --\(option.name)")
                }
            }
        }
        if Set(visibleEntries.map(\.name)).count != visibleEntries.count {
            faults.append("two commands have one name")
        }
        return faults
    }
}
