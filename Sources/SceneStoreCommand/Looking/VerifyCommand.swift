import SceneStore

enum VerifyCommand {
    /// `verify`.
    static let command = Command(
        CommandDescription(
            name: "verify", group: .keepSafe,
            summary: "Look for damage in a store",
            discussion: """
                Checks pages, the checksum of every row, references, counts and clocks. --full also \
                checks that indexes agree with their tables and that every stored value can be \
                read. Findings are grouped by cause; damage exits with 5. Nothing is changed, and a \
                running app doesn't wait.
                """,
            options: [.flag("full", "Check indexes and stored values as well"), .json],
            examples: [
                ExampleDescription("verify", "Prints whether the store is sound"),
                ExampleDescription("verify --full --json", "Findings for scripts"),
            ])
    ) { invocation, context in
        if let damage = try context.destroyedBeginning(invocation) {
            try context.output.line(damage)
            try context.note("'scenestore repair' builds a sound store of the rest")
            return .damaged
        }
        let report = try context.withStore(invocation, saysFindings: false, isStrict: true) {
            store in
            try store.verify(invocation.flag("full") ? .full : .standard)
        }
        if invocation.format == .json {
            for finding in report.findings {
                try context.output.json(finding.json)
            }
        } else {
            try context.writeByCause(report.findings)
        }
        guard report.isSound else {
            try context.note(
                "\(NumberText.counted(report.findings.count, "finding")); 'scenestore repair' builds a sound store of the rest"
            )
            return .damaged
        }
        if invocation.format == .text {
            try context.output.line("\("sound", .green)")
        }
        return .done
    }
}

extension CommandContext {
    /// What is to be said of a file that no longer looks like a store, but holds rows of one; nil
    /// when it opens, or is something else.
    func destroyedBeginning(_ invocation: Invocation) throws -> TerminalText? {
        let path = storePath(invocation)
        do {
            try openStore(at: path).close()
            return nil
        } catch let error as CommandError where error.status == .noStore {
            guard let report = try salvageable(at: path) else {
                return nil
            }
            let count = NumberText.counted(report.openSessions, "open session")
            return
                "\("error", .red): the file's first page is destroyed; \(count) can be salvaged"
        } catch is SceneStoreError {
            return nil
        }
    }

    /// Prints findings by their cause, the gravest first: one line a cause, then what it is about.
    fileprivate func writeByCause(_ findings: [Diagnostic]) throws {
        var order: [Diagnostic.Code] = []
        var groups: [Diagnostic.Code: [Diagnostic]] = [:]
        for finding in findings.sorted(by: { $0.severity > $1.severity }) {
            if groups[finding.code] == nil {
                order.append(finding.code)
            }
            groups[finding.code, default: []].append(finding)
        }
        for code in order {
            let group = groups[code] ?? []
            guard group.count > 1, let first = group.first else {
                try group.first.map { try output.line($0.line) }
                continue
            }
            try output.line(
                "\(first.severity.word, first.severity.style): \(code.rawValue, .bold), \(NumberText.counted(group.count, "finding"))"
            )
            for finding in group.prefix(Self.shownOfCause) {
                var line: TerminalText = "  \(finding.message)"
                if let session = finding.sessionIdentifier?.rawValue {
                    line.append(" (session \(session))")
                }
                try output.line(line)
            }
            if group.count > Self.shownOfCause {
                try output.line(
                    "  \("and \(NumberText.grouped(group.count - Self.shownOfCause)) more; --json lists all", .dim)"
                )
            }
        }
    }

    private static var shownOfCause: Int { 5 }
}
