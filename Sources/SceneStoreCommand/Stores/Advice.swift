/// Command lines that a person is told to type.
extension CommandContext {
    /// A command line of this tool, in quotes, that is about a store wherever it is typed.
    func advice(_ command: String, at path: String) -> String {
        "'\(commandLine(command, at: path))'"
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
