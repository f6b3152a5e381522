import SceneStore
import SceneStoreRecovery

enum VerifyCommand {
    /// `verify`.
    static let command = Command(
        CommandDescription(
            name: "verify", group: .keepSafe,
            summary: "Look for damage in a store",
            discussion: """
                Checks pages, indexes, the checksum of every row, references, counts and clocks. \
                --full also checks that every stored value can be read. Findings are grouped by \
                cause. If there is damage, the exit status is 5. Nothing is changed, and a running \
                app doesn't wait.
                """,
            options: [.flag("full", "Check stored values as well"), .json],
            examples: [
                ExampleDescription("verify", "Prints whether the store is sound"),
                ExampleDescription("verify --full --json", "Findings for scripts"),
            ])
    ) { invocation, context in
        let findings = try context.damage(invocation)
        if invocation.format == .json {
            for finding in findings {
                try context.output.json(finding.json)
            }
        } else {
            for line in Diagnostic.lines(byCause: findings, all: "--json") {
                try context.output.line(line)
            }
        }
        guard !findings.contains(where: { $0.severity >= .warning }) else {
            try context.note(
                "\(NumberText.counted(findings.count, "finding")); \(context.saving(invocation))")
            return .damaged
        }
        if invocation.format == .text {
            try context.output.line("\("sound", .green)")
        }
        return .done
    }
}

extension CommandContext {
    /// What saves the rest of a damaged store.
    fileprivate func saving(_ invocation: Invocation) -> TerminalText {
        let place = StorePlace(storePath(invocation))
        return place.isLooseFile
            ? "'scenestore salvage \(Self.quoted(place.path)) -o DIR' makes a sound store of the rest"
            : "\(advice("repair", at: place.path)) builds a sound store of the rest"
    }

    /// What is wrong with whatever is there; also with a store that does not open, of which some can
    /// be salvaged.
    fileprivate func damage(_ invocation: Invocation) throws -> [Diagnostic] {
        let bar = Progress("verify", invocation, self)
        defer { bar.finish() }
        let path = storePath(invocation)
        let found = try findStore(at: path, telling: bar)
        defer { found.close() }
        var findings: [Diagnostic]
        if let damage = found.damage {
            // What a newer version means by its rows is not known here.
            guard !found.isRefused else {
                throw damage
            }
            let count = NumberText.counted(Int(try found.store.openRecords().count), "open session")
            let isDestroyed = damage.code == .notAStore
            findings = [
                Diagnostic(
                    Diagnostic.Code(damage.code.rawValue), .error,
                    (isDestroyed ? "the file's first page is destroyed" : damage.message)
                        + "; \(count) can be salvaged")
            ]
        } else {
            findings = found.store.openingDiagnostics.filter { $0.code == .foreignLog }
            findings += try found.store.verify(invocation.flag("full") ? .full : .standard)
                .findings
            let place = StorePlace(path)
            if place.isLooseFile {
                do throws(SceneStoreError) {
                    try StoreBackup.checkSum(place.path)
                } catch {
                    findings.append(
                        Diagnostic(Diagnostic.Code(error.code.rawValue), .error, error.message))
                }
            }
        }
        bar.finish()
        for warning in found.warnings where found.damage == nil {
            try note("\("warning", .yellow): \(warning)")
        }
        return findings
    }
}

extension Diagnostic {
    /// Findings by their cause, the gravest first: one line a cause, then what it is about.
    ///
    /// - Parameter all: What lists all of them.
    static func lines(byCause findings: [Diagnostic], all: String) -> [TerminalText] {
        var lines: [TerminalText] = []
        let sorted = findings.sorted { $0.severity > $1.severity }
        for group in CauseGroup.groups(of: sorted, by: \.code) {
            let first = group.first
            guard group.count > 1 else {
                lines.append(first.line)
                continue
            }
            lines.append(
                "\(first.severity.word, first.severity.style): \(first.code.rawValue, .bold), \(NumberText.counted(group.count, "finding"))"
            )
            for finding in group.shown {
                var line: TerminalText = "  \(finding.message)"
                if let session = finding.sessionIdentifier?.rawValue {
                    line.append(" (session \(session))")
                }
                lines.append(line)
            }
            if let rest = group.rest(listedBy: all) {
                lines.append("  \(rest)")
            }
        }
        return lines
    }
}
