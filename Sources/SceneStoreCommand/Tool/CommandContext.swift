/// What a command sees of the world; tests give another one.
struct CommandContext {
    /// Data.
    var output: Output
    /// Everything else.
    var errorOutput: Output
    var terminal: Terminal
    var environment: Environment
    let clock: CommandClock
    /// Absolute; relative paths begin here.
    let currentDirectory: String
    /// Reads a line of the person's answer, without its end; nil at the end of the input.
    var readLine: () throws(Interrupted) -> String?
    /// Whether Ctrl-C was pressed.
    let isInterrupted: @Sendable () -> Bool
    /// All commands, for help and completions.
    let table: CommandTable
    var completionSources: [CompletionSource]
    /// The store of an archive that the command line names.
    var unpacked: UnpackedStore?
    /// What the volume of a path has room for; nil if it doesn't say.
    var volumeRoom: @Sendable (String) -> VolumeRoom? = { VolumeRoom(of: $0) }

    /// Ends the command when Ctrl-C was pressed; long loops ask often.
    func checkInterruption() throws(Interrupted) {
        if isInterrupted() {
            throw Interrupted()
        }
    }

    /// Writes a line that is not data to standard error, after the data so far.
    func note(_ text: TerminalText) throws(OutputError) {
        try output.flush()
        try errorOutput.prose(text)
        try errorOutput.flush()
    }

    /// The store that the command is about: `--store`, else `$SCENESTORE`, else the current
    /// directory.
    func storePath(_ invocation: Invocation) -> String {
        storePath(given: invocation.text("store"))
    }

    /// The store that a path from the command line names, absolute; a link is followed.
    func storePath(given: String?) -> String {
        let variable = environment["SCENESTORE"].flatMap { $0.isEmpty ? nil : $0 }
        let path = StorePlace.followed(absolutePath(given ?? variable ?? "."))
        return unpacked.flatMap { $0.archive == path ? $0.path : nil } ?? path
    }

    /// A path from the command line, absolute.
    func absolutePath(_ path: String) -> String {
        if path.hasPrefix("/") || path == "-" {
            return path
        }
        if path == "." || path.isEmpty {
            return currentDirectory
        }
        return currentDirectory.hasSuffix("/")
            ? currentDirectory + path : currentDirectory + "/" + path
    }

    /// The bytes of an input file, `-` being standard input; a missing, unreadable or larger one
    /// is wrong usage.
    func readFile(_ path: String, limit: Int = 64 << 20) throws -> [UInt8] {
        try reading(path) { _, next in
            var bytes: [UInt8] = []
            while case let piece = try next(), !piece.isEmpty {
                bytes += piece
                guard bytes.count <= limit else {
                    throw CommandError.usage(
                        "\(path == "-" ? "standard input" : path.quotedPath) is larger than "
                            + "\(NumberText.bytes(Int64(limit)))")
                }
            }
            return bytes
        }
    }

    /// Opens an input file, `-` being standard input, and lets the body read it in pieces; a missing
    /// or unreadable one is wrong usage.
    ///
    /// - Parameter body: Is told whether the file is a regular one, and gets what returns the next
    ///   piece, which is empty at the end.
    func reading<Result>(
        _ path: String, _ body: (_ isRegular: Bool, _ next: () throws -> [UInt8]) throws -> Result
    ) throws -> Result {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path.quotedPath
        func failure(_ error: Platform.ReadFailure) -> any Error {
            guard case .failed(let reason) = error else {
                return Interrupted()
            }
            return CommandError.usage("cannot read \(name): \(reason)")
        }
        let descriptor: Int32
        switch isStandardInput ? .success(0) : Platform.open(absolutePath(path)) {
        case .success(let opened): descriptor = opened
        case .failure(let error): throw failure(error)
        }
        defer {
            if !isStandardInput {
                Platform.close(descriptor)
            }
        }
        if !isStandardInput {
            try waitForWriter(of: descriptor, name)
        }
        return try body(!isStandardInput && Platform.isRegular(descriptor)) {
            try checkInterruption()
            switch Platform.read(descriptor, limit: 64 << 10) {
            case .success(let piece): return piece
            case .failure(let error): throw failure(error)
            }
        }
    }

    /// Waits until somebody writes into a FIFO, ten seconds at most: one without a writer reads as an
    /// empty file.
    private func waitForWriter(of descriptor: Int32, _ name: String) throws {
        let start = clock.uptime()
        while Platform.waitsForWriter(descriptor) {
            try checkInterruption()
            guard clock.uptime() - start < .seconds(10) else {
                throw CommandError(.timeLimit, "no process writes into \(name)")
            }
            clock.sleep(.milliseconds(20))
        }
    }
}
