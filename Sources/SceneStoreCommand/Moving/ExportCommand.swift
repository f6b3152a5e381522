import SceneStore
import SceneStoreExchange

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
                neither can be imported. Content of private sessions and values of private keys are \
                never written.

                Launches, the journal and what the last launch declared stay behind. After an \
                import, 'plan' needs --manifest until the app has run once.
                """,
            options: [
                .output("The file; else standard output", endings: ["json", "ndjson"]), .force,
                .value(
                    "session", "SESSION", .session, "Only this session", isRepeatable: true),
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
        let bytes = try context.withStore(invocation) { store in
            let names = try words.map { try context.session($0, in: store).identifier }
            return try store.export(
                redacting: redaction,
                sessions: words.isEmpty ? nil : names.map { SceneSession.ID($0) })
        }
        try context.deliver(bytes, invocation)
        return .done
    }
}
