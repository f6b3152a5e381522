import SceneStore
import SceneStoreExchange

extension Command {
    /// `import F`.
    static let importing = Command(
        CommandDescription(
            name: "import", group: .keepSafe,
            summary: "Bring an export back in: all of it, or nothing",
            discussion: """
                Everything is checked before anything is written. Identifiers that are taken are \
                refused unless --merge says what to do: keep the one in the store, replace it, \
                take the newest, or renumber the imported one. Discards and payloads that the store \
                has already are left out, and no session that is open is discarded.
                """,
            arguments: [
                ArgumentDescription("FILE", .file(endings: ["json", "ndjson"]), "An export, or -")
            ],
            options: [
                .value(
                    "merge", "HOW", .choice(ImportMerge.allCases.map(\.rawValue)),
                    "What to do with identifiers that are taken", default: "refuse")
            ] + OptionDescription.writing,
            examples: [
                ExampleDescription("import other.ndjson --dry-run", "What would come in"),
                ExampleDescription(
                    "import other.ndjson --merge newest --yes", "Merges two stores' sessions"),
            ])
    ) { invocation, context in
        let file = try invocation.requiredArgument("FILE")
        let bytes = try context.readFile(file, limit: 256 << 20)
        let merge = ImportMerge(rawValue: invocation.text("merge") ?? "refuse") ?? .refuse
        return try context.editPresent(invocation, reason: "import") { store in
            let report = try store.checkImport(bytes, merge: merge)
            guard report.refused == 0 else {
                try context.say(report.refusals)
                throw CommandError(
                    .answeredNo,
                    "\(NumberText.counted(report.refused, "line")) refused; nothing was written",
                    hint: report.taken > 0
                        ? "--merge says what to do with identifiers that are taken" : nil)
            }
            return report
        } show: { report in
            try context.output.line("would import \(report.text)")
        } question: { report in
            report.replaced > 0
                ? "Import \(report.text)? \(NumberText.counted(report.replaced, "session")) of the store would be replaced."
                : "Import \(report.text)?"
        } act: { store, _ in
            let report = try store.importing(bytes, merge: merge)
            try context.output.line("imported \(report.text)")
            for (old, new) in report.renumbered.sorted(by: { $0.key < $1.key }) {
                try context.output.line("  \(old) is now \(new)")
            }
        }
    }
}

extension CommandContext {
    /// Changes a store that is there, and says so where there is none: an import makes no store.
    fileprivate func editPresent<Plan: Equatable>(
        _ invocation: Invocation, reason: String,
        plan: (SceneSessionStore) throws -> Plan, show: (Plan) throws -> Void,
        question: (Plan) throws -> TerminalText?,
        act: (SceneSessionStore, Plan) throws -> Void
    ) throws -> ExitStatus {
        do {
            return try edit(
                invocation, reason: reason, plan: plan, show: show, question: question, act: act)
        } catch let error as CommandError
            where error.status == .noStore && error.hint == ExitStatus.noStore.hint
        {
            throw CommandError(
                .noStore, "\(error.message), and an import makes none",
                hint: "let the app make it at its first launch, or name another with --store PATH")
        }
    }
}

extension ImportReport {
    /// What comes in, in words.
    var text: TerminalText {
        var text: TerminalText =
            "\(NumberText.counted(sessions, "session")) with \(NumberText.counted(states, "state"))"
        if others > 0 {
            text.append(", \(NumberText.counted(others, "other entry", "other entries"))")
        }
        if kept > 0 {
            text.append(", \(NumberText.grouped(kept)) left out")
        }
        return text
    }
}
