import SceneStore
import SceneStoreExchange

enum DoctorCommand {
    /// `doctor`.
    static let command = Command(
        CommandDescription(
            name: "doctor", group: .keepSafe,
            summary: "Look for anything wrong, and name the command that fixes it",
            discussion: """
                Checks files and their permissions, the owner, the write-ahead log, backups and \
                quarantine, the schema, every row, held and crashing sessions, launches, limits and clocks; \
                with --manifest also what an update would do to the sessions. Each line begins \
                with ✓ (in order), ! (worth a look) or ✗ (wrong). Codes are stable; the \
                documentation's page 'Doctor' explains each.

                Several findings that one command fixes are printed as one entry, with their \
                number. --json prints each finding.

                --fix makes files and folders private, copies the write-ahead log of a process \
                that died, finishes an erasure and removes unfinished files. It doesn't repair \
                damage; 'repair' does. The exit status is 5 if there is damage, and 1 if there are \
                only other findings.
                """,
            options: [
                .manifest, .rename,
                .flag("fix", "Fix findings that need no decision"),
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("doctor", "Everything at a glance"),
                ExampleDescription(
                    "doctor --manifest Info.plist --json", "Before an update, for scripts"),
                ExampleDescription("doctor --fix --yes", "Fixes findings that need no decision"),
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
            if fixable.isEmpty {
                try context.note("nothing that --fix fixes")
            } else if invocation.flag("dry-run") {
                for finding in fixable {
                    let code = finding.code?.code ?? ""
                    try context.say(
                        "fix", "would fix \(code): \(finding.message)", isDone: false,
                        [("code", .string(code)), ("message", .string(finding.message))],
                        invocation)
                }
                return .done
            } else {
                try DoctorRepair(context, invocation).fix(fixable)
                findings = try doctor.examine()
                bar.finish()
            }
        }
        return try context.write(findings, invocation)
    }
}

extension CommandContext {
    fileprivate func write(
        _ findings: [DoctorFinding], _ invocation: Invocation
    ) throws -> ExitStatus {
        if invocation.format == .json {
            for finding in findings {
                try output.json(finding.json)
            }
        } else {
            for group in DoctorFinding.groups(of: findings) {
                try write(group)
            }
        }
        let left = findings.filter { $0.mark != .good }
        let statuses = left.compactMap { $0.mark == .bad ? $0.code?.status : .answeredNo }
        let status = statuses.max { $0.rawValue < $1.rawValue } ?? .done
        guard invocation.format == .text else {
            return status
        }
        try note("\(summary(of: findings, left, invocation))")
        return status
    }

    private func summary(
        of findings: [DoctorFinding], _ left: [DoctorFinding], _ invocation: Invocation
    ) -> String {
        let earlier = findings.count { $0.code == .withheldStates }
        guard left.isEmpty else {
            let count = NumberText.counted(left.count, "finding")
            return invocation.flag("fix") ? "\(count) left, which --fix doesn't change" : count
        }
        return earlier == 0
            ? "nothing to do"
            : "nothing wrong now; \(NumberText.counted(earlier, "earlier state")) can be brought back"
    }

    /// A line for a finding, or for a cause with the first of its findings; then what to do.
    private func write(_ group: CauseGroup<DoctorFinding>) throws {
        let first = group.first
        var line: TerminalText = "\(first.mark.sign, first.mark.style)"
        if let code = first.code {
            line.append(" \(code.code, .bold)")
        }
        if group.count == 1 {
            try output.prose("\(line) \(first.text)", indent: 4)
        } else {
            try output.line("\(line) \(NumberText.counted(group.count, "finding"))")
            for finding in group.shown {
                try output.prose("    \(finding.text)", indent: 6)
            }
            if let rest = group.rest(listedBy: "--json") {
                try output.line("    \(rest)")
            }
        }
        if let fix = group.count == 1 ? first.fix : first.remedy {
            try output.prose("    \(fix, .dim)", indent: 6)
        }
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
