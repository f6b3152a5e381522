import SceneStore

/// Findings about files: a line each, with a stable code, the place and what to do.
struct LintTable {
    private let invocation: Invocation
    private let context: CommandContext
    private var table: TableWriter
    private var findings: [(file: String, finding: Diagnostic)] = []
    private var fileCount = 0
    private var hasUnreadable = false

    init(_ invocation: Invocation, _ context: CommandContext) throws {
        self.invocation = invocation
        self.context = context
        table = try TableWriter(Self.columns, format: invocation.format, context: context)
    }

    private static let columns = [
        TableColumn("file", ""), TableColumn("severity", ""), TableColumn("code", ""),
        TableColumn("path", ""), TableColumn("message", ""), TableColumn("fix", ""),
        TableColumn("session", ""),
    ]

    /// Takes over the findings of a file, the gravest first.
    mutating func add(_ findings: [Diagnostic], of file: String) {
        fileCount += 1
        let sorted = findings.enumerated().sorted {
            $0.element.severity == $1.element.severity
                ? $0.offset < $1.offset : $0.element.severity > $1.element.severity
        }
        self.findings += sorted.map { (file, $0.element) }
    }

    /// Takes over a file that can't be parsed at all.
    mutating func add(_ error: SceneStoreError, of file: String) {
        hasUnreadable = true
        add([Diagnostic(error)], of: file)
    }

    /// Writes everything; answers no when a finding is more than a note, and that the input can't
    /// be used when a file could not be parsed.
    mutating func finish() throws -> ExitStatus {
        let status: ExitStatus =
            hasUnreadable
            ? .usage
            : findings.contains { $0.finding.severity > .note } ? .answeredNo : .done
        guard invocation.format == .text else {
            for (file, finding) in findings {
                try table.append([
                    .text(file), .text(finding.severity.word), .text(finding.code.rawValue),
                    .text(finding.path), .text(finding.message), .text(finding.fix),
                    .text(finding.sessionIdentifier?.rawValue),
                ])
            }
            try table.finish()
            return status
        }
        for (file, finding) in findings {
            try write(finding, of: file)
        }
        try writeSummary()
        return status
    }

    /// A finding takes two lines: what is wrong, and what to do about it.
    private func write(_ finding: Diagnostic, of file: String) throws {
        var line: TerminalText = ""
        if fileCount > 1 {
            line.append("\(file): ")
        }
        let severity = finding.severity
        line.append("\(severity.word, severity.style) \(finding.code.rawValue, .bold)")
        if let path = finding.path {
            line.append(" at \(path)")
        }
        line.append(": \(finding.message)")
        if let session = finding.sessionIdentifier?.rawValue {
            line.append(" (session \(session))")
        }
        try context.output.line(line)
        if let fix = finding.fix {
            try context.output.line("  fix: \(fix)")
        }
    }

    private func writeSummary() throws {
        let counts = [Diagnostic.Severity.error, .warning, .note].compactMap { severity in
            let count = findings.count { $0.finding.severity == severity }
            return count == 0 ? nil : NumberText.counted(count, severity.word)
        }
        try context.note(
            counts.isEmpty ? "nothing found" : "\(counts.listed(with: "and"))")
    }
}

extension Diagnostic {
    /// An error as a finding, for a file that is not what it should be at all.
    init(_ error: SceneStoreError) {
        self.init(Code(error.code.rawValue), .error, error.message, path: error.path)
    }
}
