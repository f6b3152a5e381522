import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

enum ExportCommand {
    /// `export`.
    static let command = Command(
        CommandDescription(
            name: "export", group: .keepSafe,
            summary: "Write a store as JSON lines; the same state gives the same bytes",
            discussion: """
                Writes a line for each session with its states, then records of discards, waiting \
                payloads and saved activities; 'import' reads it back. --redact values keeps the \
                structure and types only, --redact all only sessions, configurations and times; \
                neither can be imported. The export never contains the content of private sessions \
                or the values of private keys.

                The command also checks the store. From a damaged store it exports everything that \
                it can still read, and the exit status is 5.

                The export leaves out launches, the journal, and what the last launch \
                declared. After an import, 'plan' needs --manifest until the app has run once.
                """,
            options: [
                .output("The file; else standard output", endings: ["json", "ndjson"]), .force,
                .value(
                    "session", "SESSION", .session, "Only this session", isRepeatable: true),
                .value(
                    "limit", "N", .integer(0...999_999_999),
                    "Of more open sessions only the N that were used last, and nothing else"),
                .redact, .json,
            ],
            examples: [
                ExampleDescription("export -o windows.ndjson", "Everything"),
                ExampleDescription(
                    "export --redact values -o support.ndjson",
                    "For support: keys and types, and nothing that people wrote"),
                ExampleDescription(
                    "export --redact values --session @last", "One session's shape, for a report"),
            ])
    ) { invocation, context in
        let redaction = invocation.redaction
        let words = invocation.texts("session")
        let (collected, status) = try context.withFound(invocation) { found in
            let store = found.store
            var names = try words.map { try context.session($0, in: store).identifier }
            let limit = invocation.integer("limit") ?? .max
            let isCut = try words.isEmpty && limit < store.openCount()
            if isCut {
                names = try store.openRecords().prefix(limit).map(\.identifier)
            }
            let (collected, findings) = try context.collect(invocation) { append in
                try store.export(
                    redacting: redaction,
                    sessions: words.isEmpty && !isCut ? nil : names.map { SceneSession.ID($0) },
                    append)
                // Whoever brings it in elsewhere takes it for what the store held.
                return found.isRefused
                    ? [] : try store.verify().findings.filter { $0.severity >= .warning }
            }
            guard !found.isRefused else {
                return (collected, ExitStatus.newerSchema)
            }
            // Commits that are out of reach are told anyway.
            if let damage = findings.first(where: { $0.code != .lostCommits }) {
                try context.note(
                    "\("warning", .yellow): the store is damaged (\(damage.message)), and the export has what is left of it; \(context.advice("doctor --full", at: context.storePath(invocation))) lists the damage"
                )
            }
            return (collected, findings.isEmpty && found.damage == nil ? .done : .damaged)
        }
        try context.finish(collected)
        return status
    }
}
