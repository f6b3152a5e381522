import SceneStore

extension CommandContext {
    /// Writes what a command makes to where `-o` says: a new file, whole and on the disk or not
    /// there at all, else standard output. Ctrl-C leaves no file.
    func deliver(_ bytes: [UInt8], _ invocation: Invocation) throws {
        guard let path = invocation.text("output"), path != "-" else {
            try checkInterruption()
            try output.write(bytes)
            return
        }
        let bar = Progress(invocation.path.joined(separator: " "), invocation, self)
        defer { bar.finish() }
        try SceneSessionStore.write(
            bytes, to: absolutePath(path), replacing: invocation.flag("force"),
            protecting: .container(path: storePath(invocation)), observer: bar.observer)
        bar.finish()
        try note("\(NumberText.bytes(Int64(bytes.count))) in \(path)")
    }
}
