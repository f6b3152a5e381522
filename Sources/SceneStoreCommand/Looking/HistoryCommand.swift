import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum HistoryCommand {
    /// `history SESSION`.
    static let command = Command(
        CommandDescription(
            name: "history", group: .look, summary: "List the states of a session over time",
            discussion: """
                Lists the newest state first. 'diff SESSION G1 G2' shows what changed between two \
                generations. 'checkout SESSION@G' goes back to one of them.
                """,
            arguments: [ArgumentDescription("SESSION", .session, "The session")],
            options: OptionDescription.table + [.json, .csv],
            columns: [
                "generation", "saved", "bytes", "activity", "appVersion", "systemVersion",
                "current", "withheld", "damaged",
            ],
            examples: [ExampleDescription("history @last", "The newest session's states")])
    ) { invocation, context in
        let word = try invocation.requiredArgument("SESSION")
        try context.withStore(invocation) { store in
            let record = try context.session(word, in: store)
            let verdict = try LaunchPlan(
                reading: store, options: .remembered(by: store),
                isRunning: store.owner().isOwned, isSparse: true
            ).outlook(for: record)
            var table = try TableWriter(
                [
                    TableColumn("generation", "Generation", alignment: .trailing, priority: 0),
                    TableColumn("saved", "Saved", priority: 1),
                    TableColumn("bytes", "Size", alignment: .trailing, priority: 2),
                    TableColumn("activity", "Activity", priority: 3, minimumWidth: 8),
                    TableColumn("appVersion", "App", priority: 4),
                    TableColumn("systemVersion", "System", priority: 5),
                    TableColumn("current", "Current", priority: 1),
                    TableColumn("withheld", "Withheld", priority: 2),
                    TableColumn("damaged", "Damaged", priority: 2),
                ], invocation, context)
            // No state is read that --limit leaves out.
            for version in try store.history.versions(key: record.key) where !table.isFull {
                // The current one, as 'sessions' says: whether the next launch gives it.
                let isGiven = version.isCurrent && verdict.restoration == .available
                let isWithheld =
                    version.isWithheld && !isGiven
                    || version.isCurrent && verdict.obstacle?.isOfState == true
                let isDamaged =
                    try store.history.state(key: record.key, generation: version.generation) == nil
                try table.append([
                    .integer(version.generation), .time(version.context.savedAt),
                    .bytes(version.byteCount), .text(version.activityType),
                    .text(version.context.appVersion), .text(version.context.systemVersion),
                    .boolean(version.isCurrent, version.isCurrent ? .green : nil),
                    .boolean(isWithheld, isWithheld ? .yellow : nil),
                    .boolean(isDamaged, isDamaged ? .red : nil),
                ])
            }
            try table.finish(empty: "the session has no states")
        }
        return .done
    }
}
