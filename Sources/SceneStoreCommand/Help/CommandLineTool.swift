import SceneStore
import SceneStoreExchange
import SceneStoreFormats

/// The command line from its words to its exit status.
struct CommandLineTool: Sendable {
    /// The version of the product, as `--version` prints it.
    static let version = "1.0.0"

    let table: CommandTable
    var completionSources: [CompletionSource] = []

    /// Runs the process: its words, its streams, its status.
    static func main(_ tool: CommandLineTool) -> Never {
        Platform.ignoreRefusedWrites()
        Platform.catchInterruption()
        let words = Array(CommandLine.arguments.dropFirst())
        let environment = Environment { Platform.environmentValue($0) }
        let terminal = Terminal.current(
            environment: environment, color: colorChoice(in: words))
        let pager = tool.pages(words, terminal) ? Pager(environment: environment) : nil
        let context = CommandContext(
            output: Output(isColored: terminal.isOutputColored, width: terminal.width) {
                Platform.write($0, to: Platform.standardOutput)
            },
            errorOutput: Output(isColored: terminal.isErrorColored, width: terminal.errorWidth) {
                bytes in
                // Words that nobody hears must not end the work.
                let written = Platform.write(bytes, to: Platform.standardError)
                return .success((try? written.get()) ?? bytes.count)
            },
            terminal: terminal, environment: environment, clock: .system,
            currentDirectory: Platform.currentDirectory,
            readLine: { () throws(Interrupted) in try readAnswer() },
            isInterrupted: { Platform.interruption.load(ordering: .relaxed) },
            table: tool.table, completionSources: tool.completionSources)
        let status = tool.run(words, context)
        pager?.finish()
        Platform.endAsSignaled()
        Platform.leave(status)
    }

    /// Whether the output of a command line is paged: of a command that reads and ends by itself, on
    /// a terminal.
    func pages(_ words: [String], _ terminal: Terminal) -> Bool {
        let command: Command? =
            switch try? CommandLineParser(table: table).parse(words) {
            case .run(let command, _): command
            case .help(let path): path.last
            default: nil
            }
        guard terminal.isOutputTerminal, !words.contains("--no-pager"), let command else {
            return false
        }
        let waits = ["yes", "until", "output"]
        return !command.description.isHidden
            && !command.description.options.contains { waits.contains($0.name) }
    }

    /// Runs one command line. Nothing escapes: every error becomes a line and a status.
    func run(_ words: [String], _ context: CommandContext) -> ExitStatus {
        do {
            let status = try perform(words, context)
            try context.output.flush()
            try context.errorOutput.flush()
            return status
        } catch {
            return report(error, context)
        }
    }

    private func perform(_ words: [String], _ context: CommandContext) throws -> ExitStatus {
        switch try CommandLineParser(table: table).parse(words) {
        case .run(let command, let invocation):
            guard let run = command.run else {
                throw CommandError(.internalError, "\(command.name) does nothing")
            }
            PrivateFolder.sweep()
            // Programs get UTC.
            let isLocal =
                invocation.flag("local")
                || context.terminal.isOutputTerminal && invocation.format == .text
            do {
                return try TimeText.$zone.withValue(isLocal ? context.clock.zone : nil) {
                    try context.withUnpacked(invocation.text("store")) {
                        try run(invocation, $0)
                    }
                }
            } catch let error as SceneStoreError
                where error.code == .owned && invocation.duration("wait") != nil
            {
                // It has waited already.
                throw CommandError(error).map {
                    CommandError($0.status, $0.message, hint: "quit the app, or wait longer")
                } ?? error
            }
        case .help(let path):
            let help = HelpText(table: table, width: context.terminal.textWidth)
            try context.output.write(verbatim: help.command(path: path))
            return .done
        case .greeting:
            let help = HelpText(table: table, width: context.terminal.textWidth)
            try context.output.write(verbatim: help.greeting())
            return .done
        case .version(let invocation):
            try writeVersion(invocation, context)
            return .done
        }
    }

    private func writeVersion(_ invocation: Invocation, _ context: CommandContext) throws {
        let (schema, sqlite) = (StoreSummary.currentSchemaVersion, StoreSummary.sqliteVersion)
        guard invocation.format == .json else {
            return try context.output.write(
                verbatim: "scenestore \(Self.version)\nschema \(schema)\nSQLite \(sqlite)\n")
        }
        try context.output.json([
            "schema": .count(schema), "sqlite": .string(sqlite), "version": .string(Self.version),
        ])
    }

    /// Says what went wrong, after what was printed so far.
    private func report(_ error: any Error, _ context: CommandContext) -> ExitStatus {
        guard let failure = CommandError(error) else {
            if error as? OutputError == .interrupted {
                // The reader takes nothing: what is left goes nowhere.
                return .interrupted
            }
            if error is Interrupted || (error as? SceneStoreError)?.code == .cancelled {
                // What is complete so far goes out; a reader that went away changes nothing.
                try? context.output.flush()
                try? context.errorOutput.flush()
                return .interrupted
            }
            return .done
        }
        do {
            if !(error is OutputError) {
                try context.output.flush()
            }
            try context.errorOutput.prose("\("scenestore:", .red) \(failure.message)")
            if let hint = failure.hint {
                try context.errorOutput.prose("hint: \(hint)")
            }
            try context.errorOutput.flush()
        } catch {
            // Nobody can be told; the status still says it.
            return failure.status
        }
        return failure.status
    }

    /// `--color` is needed before the line is parsed, for the parser's own errors.
    static func colorChoice(in words: [String]) -> Terminal.ColorChoice {
        var choice = Terminal.ColorChoice.auto
        let options = Array(words.prefix { $0 != "--" })
        for (index, word) in options.enumerated() {
            if word.hasPrefix("--color=") {
                choice = Terminal.ColorChoice(rawValue: String(word.dropFirst(8))) ?? choice
            } else if word == "--color", index + 1 < options.count {
                choice = Terminal.ColorChoice(rawValue: options[index + 1]) ?? choice
            }
        }
        return choice
    }

    /// One line of standard input, at most 1 KiB of it.
    private static func readAnswer() throws(Interrupted) -> String? {
        var line: [UInt8] = []
        while line.count < 1_024 {
            switch Platform.read(Platform.standardInput, limit: 1) {
            case .success(let bytes):
                guard let byte = bytes.first else {
                    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
                }
                guard byte != 0x0A else {
                    return String(decoding: line, as: UTF8.self)
                }
                line.append(byte)
            case .failure(.interrupted): throw Interrupted()
            case .failure: return nil
            }
        }
        return String(decoding: line, as: UTF8.self)
    }
}
