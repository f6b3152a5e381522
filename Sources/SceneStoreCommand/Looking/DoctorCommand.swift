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
                documentation's page 'Doctor' explains each. With ✓, a code names what can be brought \
                back, such as an earlier state: only its user knows whether it is missed, so it is no \
                finding, and the exit status doesn't count it.

                Several findings that one command fixes are printed as one entry, with their \
                number. --json prints each finding.

                --full also checks that every stored value can be read.

                --fix makes files and folders private, copies the write-ahead log of a process \
                that died, finishes an erasure, removes unfinished files, and brings the schema up \
                to date, which can't be undone; a backup with the old schema stays in backups/. It \
                doesn't repair damage; 'repair' does. The exit status is 5 if there is damage, and \
                1 if there are only other findings.

                --list prints a line for each store of a fleet: its gravest mark, its codes and \
                its path. A store that can't be read is one of the lines, and the others are \
                checked all the same.
                """,
            arguments: [
                ArgumentDescription(
                    "DIR", .directory, "With --list, the containers", count: .zeroOrMore)
            ],
            options: [
                .manifest, .rename,
                .flag("full", "Check every stored value, too"),
                .flag("fix", "Fix findings that need no decision"),
                .flag("list", "Check each DIR, and print a line for each"),
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("doctor", "Everything at a glance"),
                ExampleDescription(
                    "doctor --manifest Info.plist --json", "Before an update, for scripts"),
                ExampleDescription("doctor --full --json", "Every row and value, for scripts"),
                ExampleDescription("doctor --fix --yes", "Fixes findings that need no decision"),
                ExampleDescription(
                    "doctor --list ipad iphone --json", "A fleet, an object for each store"),
            ])
    ) { invocation, context in
        let manifest = try invocation.text("manifest").map { try context.readManifest($0) }
        let renames = try invocation.renames()
        guard renames.isEmpty || manifest != nil else {
            throw CommandError.usage("--rename needs --manifest")
        }
        let paths = invocation.arguments("DIR")
        guard invocation.flag("list") == !paths.isEmpty else {
            throw CommandError.usage("--list and DIR belong together")
        }
        guard !invocation.flag("list") || !invocation.flag("fix") else {
            throw CommandError.usage("--list changes nothing; --fix is about one store")
        }
        if invocation.flag("fix") {
            try context.refuseUnpacked()
        }
        let bar = Progress("doctor", invocation, context)
        defer { bar.finish() }
        guard paths.isEmpty else {
            return try paths.map { path in
                try context.writeLine(of: path, invocation) {
                    try context.withUnpacked(path) { context in
                        var doctor = Doctor(
                            context, at: context.storePath(given: path), manifest: manifest,
                            renames: renames, telling: bar, isFull: invocation.flag("full"))
                        return try doctor.examine()
                    }
                }
            }.max { $0.rawValue < $1.rawValue } ?? .done
        }
        var doctor = Doctor(
            context, at: context.storePath(invocation), manifest: manifest,
            renames: renames, telling: bar, isFull: invocation.flag("full"))
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
        let status = left.status
        guard invocation.format == .text else {
            return status
        }
        try note("\(summary(of: findings, left, invocation))")
        return status
    }

    /// Examines a store, and prints a line that says how it is.
    fileprivate func writeLine(
        of path: String, _ invocation: Invocation, examine: () throws -> [DoctorFinding]
    ) throws -> ExitStatus {
        try checkInterruption()
        var found: [DoctorFinding]
        var status: ExitStatus
        do {
            found = try examine().filter { $0.mark != .good }
            status = found.status
        } catch {
            guard let failure = CommandError(error) else {
                throw error
            }
            found = [DoctorFinding(mark: .bad, message: failure.message)]
            status = failure.status
        }
        let codes = Set(found.compactMap { $0.code?.code }).sorted()
        let worst = found.first { $0.mark == .bad } ?? found.first
        let mark = worst?.mark ?? .good
        if invocation.format == .json {
            try output.json([
                "path": .string(path), "severity": .string(mark.rawValue),
                "codes": .array(codes.map { .string($0) }), "count": .count(found.count),
                "message": .text(worst?.message), "status": .integer(Int64(status.rawValue)),
            ])
        } else {
            var line: TerminalText = "\(mark.sign, mark.style) \(path)"
            if let worst {
                line.append(
                    "  \(codes.joined(separator: " "), .bold)\(codes.isEmpty ? "" : "  ")\(worst.message, .dim)"
                )
            }
            try output.line(line)
            try output.flush()
        }
        return status
    }

    private func summary(
        of findings: [DoctorFinding], _ left: [DoctorFinding], _ invocation: Invocation
    ) -> String {
        let offers = findings.filter(\.isOffer)
        let earlier = offers.count { $0.generation != nil }
        guard left.isEmpty else {
            let count = NumberText.counted(left.count, "finding")
            return invocation.flag("fix") ? "\(count) left, which --fix doesn't change" : count
        }
        guard offers.count == earlier else {
            return "nothing wrong; \(NumberText.counted(offers.count, "window")) above "
                + "\(offers.count == 1 ? "is" : "are") not as usual"
        }
        return earlier == 0
            ? invocation.flag("fix") ? "nothing is left to do" : "nothing to do"
            : "nothing damaged; \(NumberText.counted(earlier, "earlier state")) above \(earlier == 1 ? "is" : "are") kept"
    }

    /// A line for a finding, or for a cause with the first of its findings; then what to do.
    private func write(_ group: CauseGroup<DoctorFinding>) throws {
        let first = group.first
        var line: TerminalText = "\(first.mark.sign, first.mark.style)"
        if let code = first.code {
            line.append(" \(code.code, .bold)")
        }
        if let cause = first.cause {
            line.append(" \(cause):")
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
        let fix =
            group.count == 1
            ? first.fix
            : first.generation == nil
                ? first.fix(of: group.all) : first.fix.map { "of the first: \($0)" }
        if let fix {
            try output.prose("    \(fix, .dim)", indent: 6)
        }
    }
}

extension [DoctorFinding] {
    /// What a command exits with that comes upon them; none of them is in order.
    fileprivate var status: ExitStatus {
        let statuses = compactMap { $0.mark == .bad ? $0.code?.status : .answeredNo }
        return statuses.max { $0.rawValue < $1.rawValue } ?? .done
    }
}

extension DoctorFinding {
    /// The finding for programs.
    fileprivate var json: CanonicalJSON {
        [
            "cause": .text(cause), "code": .text(code?.code), "fix": .text(fix),
            "message": .string(message),
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
