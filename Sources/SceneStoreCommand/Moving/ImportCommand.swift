import SceneStore
import SceneStoreExchange

enum ImportCommand {
    /// `import F`.
    static let command = Command(
        CommandDescription(
            name: "import", group: .keepSafe,
            summary: "Import an export or a store, completely or not at all",
            discussion: """
                FILE is an export, or a store such as the copy that a sync tool made; the store is \
                only read.

                Checks everything before it writes anything. If the store already has a session, \
                the import is refused unless --conflict says what to do: keep the store's \
                session, replace it, take the newest, or give the imported one a new identifier. \
                Discards and payloads that the store already has are skipped, and no open session \
                is discarded.
                """,
            arguments: [
                ArgumentDescription(
                    "FILE", .file(endings: ["json", "ndjson", "sqlite"]), "An export, a store, or -"
                )
            ],
            options: [
                .value(
                    "conflict", "HOW", .choice(ImportMerge.allCases.map(\.rawValue)),
                    "What to do with sessions that the store has already", default: "refuse")
            ] + OptionDescription.writing + [.json],
            examples: [
                ExampleDescription("import other.ndjson --dry-run", "What would come in"),
                ExampleDescription(
                    "import other.ndjson --conflict newest --yes",
                    "Keeps the version of each session that was used last"),
            ])
    ) { invocation, context in
        let file = try invocation.requiredArgument("FILE")
        let text = try context.exportText(file)
        let merge = ImportMerge(rawValue: invocation.text("conflict") ?? "refuse") ?? .refuse
        var replaced: Set<String> = []
        return try context.editPresent(invocation, reason: "import") { store in
            let report = try store.checkImport(text, merge: merge)
            guard report.refused == 0 else {
                try context.say(report.refusals)
                let isConflict = report.refused == report.taken
                throw CommandError(
                    isConflict ? .answeredNo : .usage,
                    "\(NumberText.counted(report.refused, "line")) refused; nothing was written",
                    hint: isConflict
                        ? "--conflict tells what to do with sessions that the store has already"
                        : nil)
            }
            replaced = Set(
                try report.identifiers.filter { try store.record(identifier: $0) != nil })
            return report
        } show: { report in
            try context.say(
                "import", "would import \(report.text)", isDone: false, report.members, invocation)
            try context.list(report, replaced, invocation)
        } question: { report in
            guard !report.isEmpty else {
                try context.note(
                    report.newer == 0
                        ? "the store already has everything; nothing to do"
                        : "nothing to do\(report.leftOut)")
                try context.noteClosed(report, in: invocation)
                return nil
            }
            return report.replaced > 0
                ? "Import \(report.text)? \(NumberText.counted(report.replaced, "session")) of the store would be replaced."
                : "Import \(report.text)?"
        } act: { store, _ in
            let report = try store.importing(text, merge: merge)
            try context.say("import", "imported \(report.text)", report.members, invocation)
            try context.list(report, replaced, invocation)
            try context.noteClosed(report, in: invocation)
            for (old, new) in report.renumbered.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            where invocation.format == .text {
                try context.output.line("  \(old.rawValue) is now \(new.rawValue)")
            }
        }
    }
}

extension CommandContext {
    /// The export in a file, or of the store that the file is.
    fileprivate func exportText(_ file: String) throws -> ExportText {
        try reading(file) { isRegular, next in
            guard isRegular else {
                return try ExportText(copying: next)
            }
            let path = absolutePath(file)
            guard try next().starts(with: "SQLite format 3\0".utf8) else {
                return try ExportText(file: path)
            }
            let found = try findStore(at: path)
            defer { found.close() }
            if let damage = found.damage {
                throw CommandError(
                    ExitStatus(errorCode: damage.code.rawValue),
                    "\(file.quotedPath): \(damage.message)",
                    hint:
                        "'scenestore salvage \(quoted(path: path)) -o DIR' makes a store of it, which can be imported"
                )
            }
            return try ExportText.collecting { append in try found.store.export(append) }.text
        }
    }

    /// Lists the sessions that come in, and those that the store used later.
    fileprivate func list(
        _ report: ImportReport, _ replaced: Set<String>, _ invocation: Invocation
    ) throws {
        let taken = report.identifiers.map { (replaced.contains($0) ? "replaces" : "adds", $0) }
        for (word, identifier) in taken + report.newerIdentifiers.map({ ("leaves out", $0) })
        where invocation.format == .text {
            let title = terminal.isOutputTerminal ? report.titles[identifier] : nil
            try output.line("  \(word) \(identifier)\(title.map { "  \"\($0)\"" } ?? "")")
        }
    }

    /// Says which windows stay open that are closed in the import: it closes none.
    fileprivate func noteClosed(_ report: ImportReport, in invocation: Invocation) throws {
        guard !report.closed.isEmpty else {
            return
        }
        let path = storePath(invocation)
        let store = try openStore(at: path)
        defer { try? store.close() }
        let shown = report.closed.prefix(CauseGroup<String>.few)
        var names = try shown.map { try store.name(of: $0).map(spoken) ?? $0 }
        if shown.count < report.closed.count {
            names.append("\(NumberText.grouped(report.closed.count - shown.count)) more")
        }
        let words = shown.map(Self.quoted).joined(separator: " ")
        let discard = advice("discard \(words)", at: path)
        let them = shown.count == 1 ? "it" : "those that are named"
        try note(
            "closed in the import, and still open here: \(names.listed(with: "and")); \(discard) closes \(them) here, too"
        )
    }

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
                .noStore, "\(error.message); import needs an existing store",
                hint: "launch the app once, which makes it, or name another with --store PATH")
        }
    }
}

/// An import that brings sessions and nothing else can be undone beside later changes of others.
extension ImportReport: NamesSessions {
    /// None when the import is about more than some sessions of known identifiers.
    var sessionIdentifiers: [String] {
        others == 0 && identifiers.count == sessions ? identifiers : []
    }
}

extension ImportReport {
    /// Whether nothing comes in.
    var isEmpty: Bool { sessions == 0 && states == 0 && others == 0 && replaced == 0 }

    /// What comes in, for programs.
    var members: [CanonicalJSON.Object.Member] {
        [
            (
                "counts",
                [
                    "sessions": .count(sessions), "states": .count(states),
                    "others": .count(others), "leftOut": .count(kept),
                    "replaced": .count(replaced), "newer": .count(newer),
                ]
            ),
            ("closed", .array(closed.map { .string($0) })),
            (
                "renumbered",
                .object(
                    CanonicalJSON.Object(
                        renumbered.map { ($0.key.rawValue, .string($0.value.rawValue)) }))
            ),
            ("sessions", .array(identifiers.map { .string($0) })),
        ]
    }

    /// What comes in, in words.
    var text: TerminalText {
        var text: TerminalText =
            "\(NumberText.counted(sessions, "session")) with \(NumberText.counted(states, "state"))"
        if others > 0 {
            text.append(
                ", \(NumberText.counted(others, "other entry", "other entries")) (discards, payloads, saved activities)"
            )
        }
        text.append("\(leftOut)")
        return text
    }

    /// What doesn't come in, and why, in words.
    var leftOut: String {
        guard kept > 0 else {
            return ""
        }
        let text = "; \(NumberText.grouped(kept)) left out, "
        return switch newer {
        case 0: text + "which the store has already"
        case kept: text + "which the store used later"
        default:
            text + "of which the store has \(NumberText.grouped(kept - newer)) already, and used "
                + "\(NumberText.grouped(newer)) later"
        }
    }
}
