import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

enum RepairCommand {
    /// `repair`.
    static let command = Command(
        CommandDescription(
            name: "repair", group: .keepSafe,
            summary: "Repair a damaged store",
            discussion: """
                Builds a new store from every row whose checksum is right, and checks it before it \
                takes the old one's place. The old store is kept in quarantine/, with a list of \
                what was lost; 'undo' puts it back. If no row is left, the newest sound backup of \
                the container takes its place. A sound store is not touched.

                Names each window that came back, with its last state, an earlier one and its time, \
                or none. 'checkout --lost' gives the app the earlier ones. The new store has an \
                identity of its own, so that no row of the old file passes for one of it; its journal \
                names the old identity.

                If SQLite can't open the file any more, use 'salvage', which reads its bytes.
                """,
            options: [.wait, .dryRun, .yes, .json],
            examples: [
                ExampleDescription("repair --dry-run", "What is wrong"),
                ExampleDescription("repair --yes", "Repairs the store"),
            ])
    ) { invocation, context in
        let path = context.storePath(invocation)
        let bar = Progress("repair", invocation, context)
        defer { bar.finish() }
        try context.finishInterrupted(invocation)
        let findings = try context.findings(at: path, telling: bar)
        bar.finish()
        if invocation.format == .text {
            for line in Diagnostic.foundLines(findings) {
                try context.note(line)
            }
        }
        let isSound = !findings.contains { $0.severity >= .warning }
        if invocation.flag("dry-run") {
            // A log that isn't the store's is left out of a repair, and would be read here.
            if !isSound, !findings.contains(where: { $0.code == .foreignLog }),
                let found = StorePlace(path).salvageable()
            {
                try context.note("from the file alone: \(found.windows)")
            }
            try context.say(
                "repair", isSound ? "nothing to repair" : "would rebuild the store",
                isDone: false, [("sound", .boolean(isSound))], invocation)
            return .done
        }
        var change: StoreChange?
        if !isSound {
            try context.refuseUnwritable(invocation)
            try context.confirm(
                "Repair the store? What can't be read stays in the old file only.", invocation)
            var begun = try StoreChange(reason: "repair", path: path, in: nil)
            try context.begin(&begun)
            change = begun
        }
        let report = try context.replacing(change) {
            try SceneSessionStore.repair(
                at: .container(path: path),
                options: context.editorOptions(invocation, telling: bar))
        }
        bar.finish()
        let status: ExitStatus = report.remaining.isEmpty ? .done : .damaged
        if let backup = report.backup {
            if var change {
                change.setAside = report.setAside.map { "quarantine/\($0).sqlite" }
                try context.endChange(change, invocation)
            }
            try context.say(
                "repair", "nothing of the store was left; the newest backup took its place",
                [("backup", .string(backup))], invocation)
            return status
        }
        guard let salvage = report.salvage else {
            if let change {
                try context.withdraw(change)
            }
            try context.say(
                "repair", "nothing to repair", isDone: false, [("sound", true)], invocation)
            return .done
        }
        let old = "quarantine/\(report.setAside ?? "").sqlite"
        let isLogAlone = findings.contains { $0.code.rawValue == "orphanedWAL" }
        let failure = try context.outputFailure {
            try context.write(salvage, of: path, invocation)
            if invocation.format == .text {
                try context.note(
                    isLogAlone
                        ? "the write-ahead log of the missing store: \(old)-wal"
                        : "the old store: \(old)")
            }
        }
        if var change {
            // Without its file, the old store is nothing that could be put back.
            change.setAside = report.setAside == nil || isLogAlone ? nil : old
            try context.endChange(change, invocation)
        }
        if let failure {
            throw failure
        }
        return status
    }
}

extension CommandContext {
    /// What is wrong with a store, also with one that does not open.
    fileprivate func findings(
        at path: String, telling bar: Progress
    ) throws -> [Diagnostic] {
        do {
            let store = try openStore(at: path, telling: bar)
            defer { try? store.close() }
            let foreign = store.openingDiagnostics.filter { $0.code == .foreignLog }
            return try foreign + store.verify(.full).findings
        } catch let error as CommandError where error.status == .damaged {
            return [Diagnostic(.init("notAStore"), .error, error.message)]
        } catch let error as SceneStoreError where error.code == .olderSchema {
            guard let damage = try damageOfOlder(at: path) else {
                throw error
            }
            return [Diagnostic(.init("damaged"), .error, damage)]
        } catch let error as SceneStoreError {
            guard
                [.corrupt, .schemaTampered, .notAStore, .damagedRow, .orphanedWAL].contains(
                    error.code)
            else {
                throw error
            }
            return [
                Diagnostic(Diagnostic.Code(error.code.rawValue), .error, error.message)
            ]
        }
    }

    /// The ledger of a salvage, with the windows as they are called and what they have in the store
    /// that it made.
    func write(
        _ report: SalvageReport, of path: String, _ invocation: Invocation
    ) throws {
        // What it says is known also where the store that was made can't be read.
        let made = try? openStore(at: path)
        defer { try? made?.close() }
        guard invocation.format == .text else {
            let sessions = try SalvagedSession.all(of: report, in: made, limit: 1_000)
            var ledger = report.json.objectValue ?? CanonicalJSON.Object()
            ledger["sessions"] = .array(sessions.map(\.json))
            return try output.json(.object(ledger))
        }
        try output.line(
            "\(report.windows); \(NumberText.grouped(report.closedSessions)) recently closed")
        let words: [(SalvageReport.Outcome, String)] = [
            (.fewerStates, "of these with fewer earlier states"), (.honored, "stay discarded"),
            (.lost, "lost"),
        ]
        for (outcome, text) in words {
            if let count = report.counts[outcome], count > 0 {
                try output.line("  \(NumberText.grouped(count)) \(text)")
            }
        }
        for session in try SalvagedSession.all(
            of: report, in: made, limit: CauseGroup<SalvagedSession>.few)
        {
            let isWhole = session.outcome == .restored
            let word = session.hasLast ? "restored" : session.outcome.rawValue
            try output.line(
                "\(word, isWhole ? .green : .yellow)  \(titled(session.identifier, session.name))  \(session.text)"
            )
        }
        if report.counts[.olderState] ?? 0 > 0 {
            try note(
                "the app doesn't get an earlier state by itself: \(advice("checkout --lost", at: path)) gives it to the windows"
            )
        }
        if report.counts[.restored] ?? 0 > CauseGroup<SalvagedSession>.few {
            try note("\(advice("sessions", at: path)) lists those that are as they were")
        }
        if report.missesRows {
            let tables =
                report.missingFrom.isEmpty
                ? "a table"
                : (report.missingFrom.count == 1 ? "the table " : "the tables ")
                    + report.missingFrom.listed(with: "and")
            try output.line("\("lost", .yellow)  rows of \(tables) could not be read")
        }
        if report.damagedRows > 0 {
            let rows = NumberText.counted(report.damagedRows, "row")
            try note(
                "\(rows) \(report.damagedRows == 1 ? "fails its checksum" : "fail their checksums")"
            )
        }
    }
}

/// What became of a session in a salvage.
private struct SalvagedSession {
    let identifier: String
    let outcome: SalvageReport.Outcome
    let reason: String
    let name: SessionName?
    /// When the state that it has now was saved; nil unless it is back with one.
    let savedAt: Int64?

    /// The sessions that came back as they were, unless there are more than a limit, and then the
    /// others, those with their last state first; each kind by its titles.
    ///
    /// - Parameter made: The store that the salvage made.
    static func all(
        of report: SalvageReport, in made: SceneSessionStore?, limit: Int
    ) throws -> [SalvagedSession] {
        func session(
            _ identifier: String, _ outcome: SalvageReport.Outcome, _ reason: String = ""
        ) -> SalvagedSession {
            // A row that can't be read is a finding that is left.
            let record = (try? made?.record(identifier: identifier)) ?? nil
            return SalvagedSession(
                identifier: identifier, outcome: outcome, reason: reason,
                name: (try? made?.name(of: identifier)) ?? nil,
                savedAt: record?.isOpen == true ? record?.savedAt : nil)
        }
        var restored: [SceneSession.ID] = []
        if let made, report.counts[.restored] ?? 0 <= limit {
            let others = Set(report.entries.map(\.sessionIdentifier))
            restored = try made.openRecords().map(\.id).filter { !others.contains($0) }
        }
        let whole = restored.prefix(limit).map { session($0.rawValue, .restored) }
        let others = report.entries.map {
            session($0.sessionIdentifier.rawValue, $0.outcome, $0.reason)
        }
        return [whole, others.filter(\.hasLast), others.filter { !$0.hasLast }].flatMap {
            $0.sorted { ($0.outcome.rawValue, $0.title) < ($1.outcome.rawValue, $1.title) }
        }
    }

    private var title: String { name?.text ?? "" }

    /// Whether it is back with its last state.
    var hasLast: Bool { outcome == .restored || outcome == .fewerStates }

    /// Which state it has now, and why that is not the last one.
    var text: String {
        let kind =
            switch outcome {
            case _ where hasLast: "its last state"
            case .fromBackup: "the backup's state"
            default: "an earlier state"
            }
        let state = savedAt.map { "\(kind), saved at \(TimeText.spoken($0))" }
        let words = [
            state, reason.isEmpty ? nil : reason,
            outcome == .withoutState ? "it comes back empty" : nil,
        ]
        return words.compactMap(\.self).joined(separator: "; ")
    }

    var json: CanonicalJSON {
        [
            "outcome": .string(outcome.rawValue), "reason": .string(reason),
            "saved": .time(savedAt), "session": .string(identifier),
        ]
    }
}

extension SalvageReport {
    /// How many windows come back, and with what: `3 of 3 open sessions: 2 as they were, 1 without
    /// its state`.
    var windows: String {
        let groups = [
            ([.restored, .fewerStates], "as they were"), ([.olderState], "with an older state"),
            ([.withoutState], "without their state"), ([.fromBackup], "as a backup has them"),
        ].compactMap { (outcomes: [Outcome], text) -> String? in
            let count = outcomes.reduce(0) { $0 + (counts[$1] ?? 0) }
            return count > 0 ? "\(NumberText.grouped(count)) \(text)" : nil
        }
        return NumberText.grouped(openSessions)
            + (expected.map { " of \(NumberText.grouped($0))" } ?? "") + " open sessions"
            + (groups.isEmpty ? "" : ": " + groups.joined(separator: ", "))
    }
}

extension Diagnostic {
    /// What a repair sets out to mend, the gravest first: one line a cause, then what it is about.
    fileprivate static func foundLines(_ findings: [Diagnostic]) -> [TerminalText] {
        var lines: [TerminalText] = []
        let sorted = findings.sorted { $0.severity > $1.severity }
        for group in CauseGroup.groups(of: sorted, by: \.code) {
            func text(_ finding: Diagnostic) -> TerminalText {
                let session = finding.sessionIdentifier.map { " (session \($0.rawValue))" } ?? ""
                return "\(finding.message)\(session)"
            }
            let style = group.first.severity.style
            guard group.count > 1 else {
                lines.append("\("found", style): \(text(group.first))")
                continue
            }
            lines.append(
                "\("found", style): \(group.first.code.rawValue, .bold), \(NumberText.grouped(group.count)) times"
            )
            lines += group.shown.map { "  \(text($0))" }
            if let rest = group.rest(listedBy: "doctor --full --json") {
                lines.append("  \(rest)")
            }
        }
        return lines
    }
}
