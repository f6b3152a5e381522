import SceneStore

extension Command {
    /// `repair`.
    static let repair = Command(
        CommandDescription(
            name: "repair", group: .keepSafe,
            summary: "Mend a damaged store, or isolate what cannot be mended",
            discussion: """
                A new store is built of every row that proves itself and is checked before it takes \
                the old one's place; the old one is set aside whole in quarantine/, with a ledger. \
                A sound store is not touched.
                """,
            options: [.wait, .dryRun, .yes, .json],
            examples: [
                ExampleDescription("repair --dry-run", "What is wrong"),
                ExampleDescription("repair --yes", "Mends the store"),
            ])
    ) { invocation, context in
        let path = context.storePath(invocation)
        let bar = Progress("repair", invocation, context)
        defer { bar.finish() }
        try context.finishInterrupted(invocation)
        let findings = try context.findings(at: path, telling: bar)
        bar.finish()
        for finding in findings where invocation.format == .text {
            try context.note(finding.line)
        }
        let isSound = !findings.contains { $0.severity >= .warning }
        if invocation.format == .json, isSound || invocation.flag("dry-run") {
            try context.output.json(["sound": .boolean(isSound)])
            return .done
        }
        if invocation.flag("dry-run") {
            try context.output.line(
                isSound ? "nothing to repair" : "would build the store anew")
            return .done
        }
        if !isSound {
            try context.confirm(
                "Repair the store? What cannot be read stays in the old file alone.", invocation)
        }
        let report = try SceneSessionStore.repair(
            at: .container(path: path), options: context.editorOptions(invocation, telling: bar))
        bar.finish()
        guard let salvage = report.salvage else {
            try context.output.line("nothing to repair")
            return .done
        }
        if invocation.format == .json {
            try context.output.json(salvage.json)
        } else {
            try context.write(salvage)
            try context.note("the old store: quarantine/\(report.setAside ?? "").sqlite")
        }
        return report.remaining.isEmpty ? .done : .damaged
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
            return try store.verify(.full).findings
        } catch let error as SceneStoreError {
            guard error.code == .corrupt || error.code == .schemaTampered else {
                throw error
            }
            return [
                Diagnostic(Diagnostic.Code(error.code.rawValue), .error, error.message)
            ]
        }
    }

    /// The ledger of a salvage for people.
    func write(_ report: SalvageReport) throws {
        let expected = report.expected.map { " of \(NumberText.grouped($0))" } ?? ""
        try output.line(
            "\(NumberText.grouped(report.openSessions))\(expected) open sessions, \(NumberText.grouped(report.closedSessions)) recently closed"
        )
        let words: [(SalvageReport.Outcome, String)] = [
            (.olderState, "with an older state"), (.withoutState, "without their state"),
            (.fromBackup, "as a backup has them"), (.honored, "stay discarded"), (.lost, "lost"),
        ]
        for (outcome, text) in words {
            if let count = report.counts[outcome], count > 0 {
                try output.line("  \(NumberText.grouped(count)) \(text)")
            }
        }
        for entry in report.entries {
            try output.line(
                "\(entry.outcome.rawValue, .yellow)  \(entry.sessionIdentifier)  \(entry.reason)")
        }
        if report.damagedRows > 0 {
            try note("\(NumberText.counted(report.damagedRows, "row")) fail their checksums")
        }
    }
}
