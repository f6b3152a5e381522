/// Command lines that a person is told to type.
extension CommandContext {
    /// A command line of this tool, in quotes, that is about a store wherever it is typed.
    ///
    /// A file by itself is changed by no command: there, what changes a store is said of a store that
    /// is made of the file.
    func advice(_ command: String, at path: String) -> String {
        let changes = [
            "doctor --fix", "repair", "prune", "release", "reopen", "checkout", "backup", "restore",
        ]
        guard changes.contains(where: { command.hasPrefix($0) }), StorePlace(path).isLooseFile
        else {
            return "'\(commandLine(command, at: path))'"
        }
        return "'scenestore restore \(quoted(path: path)) --to DIR' makes a store of it, and there "
            + "'scenestore \(command) --store DIR'"
    }

    /// What to do when there is no session of a name.
    func listingSessions(at path: String) -> String {
        "\(advice("sessions --all", at: path)) lists the sessions, \(advice("log", at: path)) "
            + "earlier ones"
    }

    /// The same without quotes, for programs.
    func commandLine(_ command: String, at path: String) -> String {
        let isFound = storePath(given: nil) == path
        return "scenestore \(command)\(isFound ? "" : " --store \(quoted(path: path))")"
    }

    /// A path as a shell takes it; of an archive, where somebody unpacks it.
    func quoted(path: String) -> String {
        guard let unpacked, path.hasPrefix(unpacked.folder) else {
            return Self.quoted(path)
        }
        let rest = String(path.dropFirst(unpacked.folder.count))
        return (unpacked.path == unpacked.folder ? "DIR" : ".") + Self.quoted(rest)
    }

    /// A name as a shell takes it, one word that runs nothing (S-72). Advice puts quotes around the
    /// command line, and somebody may paste those, too: so no quotes hold the name together.
    static func quoted(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "0"..."9", "A"..."Z", "a"..."z", "+", "-"..."/", ":", "_", "\u{80}"...: "\(scalar)"
            case "\n": "'\n'"
            case "\0": ""
            default: "\\\(scalar)"
            }
        }.joined()
    }
}
