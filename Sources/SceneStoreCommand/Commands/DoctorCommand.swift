import SceneStore
import SceneStoreExchange

extension Command {
    /// `doctor`.
    static let doctor = Command(
        CommandDescription(
            name: "doctor", group: .keepSafe,
            summary: "Look for anything wrong, and name the command that mends it",
            discussion: """
                Files and their permissions, the owner, the log, backups and quarantine, the \
                schema, every row, held and crashing sessions, the launches, limits, clocks; with \
                --manifest also what an update would do to the sessions. A line each: ✓ in order, \
                ! worth a look, ✗ wrong. Codes are stable; the documentation's page 'Doctor' \
                explains each.

                --fix does what the app would do when it is idle: copies the log of a process that \
                died, finishes an erasure, removes unfinished files, makes files private. Damage \
                is for 'repair'.
                """,
            options: [
                .manifest, .rename,
                .flag("fix", "Mend what can be mended without a choice"),
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("doctor", "Everything at a glance"),
                ExampleDescription(
                    "doctor --manifest Info.plist --json", "Before an update, for scripts"),
                ExampleDescription("doctor --fix --yes", "Does what an idle app would do"),
            ])
    ) { invocation, context in
        let manifest = try invocation.text("manifest").map { try context.readManifest($0) }
        let bar = Progress("doctor", invocation, context)
        defer { bar.finish() }
        var doctor = Doctor(
            context, at: context.storePath(invocation), manifest: manifest,
            renames: try invocation.renames(), telling: bar)
        var findings = try doctor.examine()
        bar.finish()
        if invocation.flag("fix") {
            let fixable = findings.filter { $0.code?.isFixable == true && $0.fix != nil }
            if invocation.flag("dry-run") {
                for finding in fixable {
                    try context.output.line(
                        "would mend \(finding.code?.code ?? ""): \(finding.message)")
                }
                if fixable.isEmpty {
                    try context.note("nothing that --fix mends")
                }
                return .done
            }
            if !fixable.isEmpty {
                try context.mend(fixable, invocation)
                findings = try doctor.examine()
                bar.finish()
            }
        }
        return try context.write(findings, invocation)
    }
}

extension CommandContext {
    /// Does what an idle owner would do.
    fileprivate func mend(_ fixable: [DoctorFinding], _ invocation: Invocation) throws {
        try confirm(
            "Open the store as its owner and mend \(NumberText.counted(fixable.count, "finding"))?",
            invocation)
        let store = try openEditor(invocation)
        do {
            if !invocation.flag("no-backup"), let backup = try store.backUp(before: "doctor") {
                try note("backup: \(backup.path, .dim)")
            }
            try store.removeLeftovers()
            try store.performAllIdleWork()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    fileprivate func write(
        _ findings: [DoctorFinding], _ invocation: Invocation
    ) throws -> ExitStatus {
        for finding in findings {
            if invocation.format == .json {
                try output.json(finding.json)
                continue
            }
            var line: TerminalText = "\(finding.mark.sign, finding.mark.style)"
            if let code = finding.code {
                line.append(" \(code.code, .bold)")
            }
            line.append(" \(finding.message)")
            if let session = finding.session {
                line.append(" (session \(session))")
            }
            try output.line(line)
            if let fix = finding.fix {
                try output.line("    \(fix, .dim)")
            }
        }
        let count = findings.count { $0.mark != .good }
        guard invocation.format == .text else {
            return count == 0 ? .done : .answeredNo
        }
        try note(
            count == 0
                ? "nothing to do" : "\(NumberText.counted(count, "finding"))")
        return count == 0 ? .done : .answeredNo
    }
}

extension DoctorFinding {
    /// The finding for programs.
    fileprivate var json: CanonicalJSON {
        [
            "code": .text(code?.code), "fix": .text(fix), "message": .string(message),
            "session": .text(session), "severity": .string(mark.rawValue),
        ]
    }
}

extension DoctorFinding.Mark {
    fileprivate var style: TerminalText.Style {
        switch self {
        case .good: .green
        case .attention: .yellow
        case .bad: .red
        }
    }
}
