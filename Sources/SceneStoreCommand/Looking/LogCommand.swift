import SceneStore

enum LogCommand {
    /// `log [SESSION]`.
    static let command = Command(
        CommandDescription(
            name: "log", group: .look,
            summary: "Show the journal: what happened, what was decided, and why",
            discussion: """
                Lists the oldest entry first. Every committed change is an entry, including each \
                save. Every decision is one, too: which session connects, which session takes a \
                link, why a state is not restored. A decision is listed where it was stored.

                CALL is the callback that an entry belongs to, by the short name that 'simulate' \
                uses; --json has the full name. For a launch, OUTCOME is its reason and how it \
                ended.

                The journal has a limited size: new entries overwrite the oldest ones. The exit \
                status is 1 if it has no entry of the launch that --launch names. The journal is \
                not SQLite's write-ahead log.
                """,
            arguments: [
                ArgumentDescription("SESSION", .session, "Only this session", count: .optional)
            ],
            options: [
                .value(
                    "launch", "N|last", .integer(1...Int.max, or: ["last"]),
                    "Only this launch, counted from 1"),
                .value("last", "N", .integer(0...999_999_999), "Only the newest N entries"),
                .flag("graph", "Draw a line for each session"),
                .json, .csv,
            ] + OptionDescription.table,
            columns: [
                "time", "launch", "event", "session", "title", "call", "outcome", "reason",
                "ending", "appVersion", "generation",
            ],
            examples: [
                ExampleDescription("log --launch last", "What the last launch did, and why"),
                ExampleDescription("log --last 20", "What happened last"),
                ExampleDescription("log @last --graph", "One session's life"),
            ])
    ) { invocation, context in
        try context.withStore(invocation) { store in
            var launch: Int64?
            if invocation.text("launch") == "last" {
                guard let last = try store.launches.records(limit: 1).first?.number else {
                    throw CommandError(.answeredNo, "the store has seen no launch")
                }
                launch = last
            } else {
                launch = invocation.integer("launch").map { Int64($0) }
            }
            let session = try invocation.argument("SESSION").map {
                try Journal.identifier($0, in: store)
            }
            let journal = try Journal(
                of: store, session: session, launch: launch, invocation, context)
            try journal.write()
            // The question for one launch has an answer only if the journal knows it.
            return launch != nil && journal.isEmpty ? .answeredNo : .done
        }
    }
}
