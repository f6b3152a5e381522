/// Command lines that a person is told to type.
extension CommandContext {
    /// A command line of this tool, in quotes, that is about a store wherever it is typed.
    func advice(_ command: String, at path: String) -> String {
        "'\(commandLine(command, at: path))'"
    }

    /// The same without quotes, for programs.
    func commandLine(_ command: String, at path: String) -> String {
        let isFound = storePath(given: nil) == path
        // Where somebody unpacks it.
        let shown = unpacked?.path == path ? "DIR" : Self.quoted(path)
        return "scenestore \(command)\(isFound ? "" : " --store \(shown)")"
    }

    /// A path as a shell takes it, in quotes that are not those of the command line.
    static func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || [0x2B, 0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
                || byte >= 0x80
        }
        return plain ? path : "\"\(path)\""
    }
}
