import SceneStore
import SceneStoreExchange

enum SizeCommand {
    /// `size`.
    static let command = Command(
        CommandDescription(
            name: "size", group: .look,
            summary: "Show what takes space, against the limits",
            discussion: """
                Shows the encoded size of what the app stored. The rest of the file is SQLite's \
                pages, indexes and free space, which 'compact' releases.

                A state may take 16 MiB, all states of a session 32 MiB; an app may set lower \
                limits.
                """,
            options: [
                .value(
                    "by", "WHAT", .choice(["session", "key", "type"]),
                    "By session, by key of what is stored, or by type of thing",
                    default: "type"),
                .json, .csv,
            ] + OptionDescription.tableWithoutTimes,
            columns: [
                "type", "count", "limit", "bytes", "share", "session", "title", "state",
                "stateBytes", "stateShare", "states", "historyBytes", "historyShare",
                "storageBytes", "totalBytes", "key", "largest", "largestShare",
            ],
            examples: [
                ExampleDescription("size", "By type: states, history, scene storage, journal"),
                ExampleDescription("size --by session --limit 5", "The five largest sessions"),
                ExampleDescription("size --by key --json", "Which keys grow, for scripts"),
            ])
    ) { invocation, context in
        try context.withStore(invocation) { store in
            let page = SizePage(store, invocation, context)
            switch invocation.text("by") {
            case "session": try page.writeSessions()
            case "key": try page.writeKeys()
            default: try page.writeTypes()
            }
        }
        return .done
    }
}

/// The tables of `size`.
private struct SizePage {
    private let store: SceneSessionStore
    private let invocation: Invocation
    private let context: CommandContext

    init(_ store: SceneSessionStore, _ invocation: Invocation, _ context: CommandContext) {
        self.store = store
        self.invocation = invocation
        self.context = context
    }

    // MARK: - By type

    func writeTypes() throws {
        let usage = try StoreUsage(of: store)
        var table = try TableWriter(
            [
                TableColumn("type", "Type", priority: 0),
                TableColumn("count", "Count", alignment: .trailing, priority: 2),
                TableColumn("limit", "At most", alignment: .trailing, priority: 3),
                TableColumn("bytes", "Size", alignment: .trailing, priority: 1),
                TableColumn("share", "Share", alignment: .trailing, priority: 4),
            ], invocation, context)
        let summary = try context.summary(of: store, invocation)
        let content = usage.kinds.reduce(0) { $0 &+ $1.bytes }
        var rows = usage.kinds.map { ($0.name, $0.count as Int?, $0.limit, $0.bytes) }
        rows.append(("free", nil, nil, usage.freeBytes))
        rows.append(
            ("rowsAndIndexes", nil, nil, max(usage.fileBytes - content - usage.freeBytes, 0)))
        // Beside the database: the log, backups and what was set aside.
        let main = summary.files.first { $0.name == "scenes.sqlite" }?.bytes ?? 0
        for file in summary.files where file.name != "scenes.sqlite" && file.bytes > 0 {
            // What of the log the file lacks was counted above, by what it holds.
            let counted = file.name == "scenes.sqlite-wal" ? max(usage.fileBytes - main, 0) : 0
            rows.append((file.name, file.count, nil, max(file.bytes - counted, 0)))
        }
        let total = rows.reduce(0) { $0 &+ $1.3 }
        for (name, count, most, bytes) in rows {
            try table.append([
                .custom(Self.words[name] ?? name, .string(name)),
                count.map { .integer($0) } ?? .none, most.map { .integer($0) } ?? .none,
                .bytes(bytes), Self.share(bytes, of: total),
            ])
        }
        try table.finish()
        if invocation.format == .text {
            try context.output.line("total \(NumberText.bytes(total))")
        }
    }

    private static let words = [
        "states": "current states", "history": "earlier states",
        "sessionValues": "titles, placements, userInfo", "sceneStorage": "scene storage",
        "savedActivities": "saved activities", "quarantinedRows": "rows set aside",
        "free": "free room in the file", "rowsAndIndexes": "rows, indexes and pages",
        "inbox": "waiting payloads", "conditions": "activation conditions",
    ]

    /// A share in per cent, one decimal.
    private static func share(_ bytes: Int64, of total: Int64) -> TableCell {
        guard total > 0 else {
            return .none
        }
        let tenths = Int64((Double(bytes) / Double(total) * 1_000).rounded())
        return .custom("\(tenths / 10).\(tenths % 10) %", .double(Double(tenths) / 10))
    }

    // MARK: - By session

    func writeSessions() throws {
        let usage = try StoreUsage(of: store)
        let isShort = invocation.format == .text && context.terminal.width != nil
        var table = try TableWriter(
            [
                TableColumn("session", "Session", priority: 2, cut: .middle),
                TableColumn("title", "Title", priority: 0, minimumWidth: 12),
                TableColumn("state", "State", priority: 4),
                TableColumn("stateBytes", "Saved", alignment: .trailing, priority: 2),
                TableColumn("stateShare", "of 16 MiB", alignment: .trailing, priority: 3),
                TableColumn("states", "States", alignment: .trailing, priority: 4),
                TableColumn("historyBytes", "All states", alignment: .trailing, priority: 2),
                TableColumn("historyShare", "of 32 MiB", alignment: .trailing, priority: 3),
                TableColumn("storageBytes", "Storage", alignment: .trailing, priority: 3),
                TableColumn("totalBytes", "Total", alignment: .trailing, priority: 0),
            ], invocation, context)
        let sorted = usage.sessions.sorted {
            ($0.totalBytes, $1.identifier) > ($1.totalBytes, $0.identifier)
        }
        let states = try SessionState.ofOpen(in: store)
        let records = try sorted.prefix(table.leadingLimit ?? .max).compactMap {
            try store.record(identifier: $0.identifier)
        }
        let names = Dictionary(
            zip(records.map(\.identifier), try store.names(of: records)),
            uniquingKeysWith: { first, _ in first })
        for session in sorted {
            try table.append([
                .custom(
                    SessionArgument.shortened(session.identifier, to: isShort ? 13 : Int.max),
                    .string(session.identifier)),
                names[session.identifier].map { .custom($0.text, .text($0.title)) } ?? .none,
                .text((states[session.identifier] ?? .discarded).rawValue),
                .bytes(session.stateBytes),
                Self.share(session.stateBytes, of: Int64(StoreUsage.limits.sessionBytes)),
                .integer(session.states),
                .bytes(session.historyBytes),
                Self.share(session.historyBytes, of: Int64(StoreUsage.history.bytes)),
                .bytes(session.storageBytes), .bytes(session.totalBytes),
            ])
        }
        try table.finish(empty: "no sessions")
    }

    // MARK: - By key

    func writeKeys() throws {
        var table = try TableWriter(
            [
                TableColumn("key", "Key", priority: 0, minimumWidth: 12, cut: .middle),
                TableColumn("count", "Values", alignment: .trailing, priority: 2),
                TableColumn("bytes", "Size", alignment: .trailing, priority: 0),
                TableColumn("largest", "Largest", alignment: .trailing, priority: 1),
                TableColumn("largestShare", "of 16 MiB", alignment: .trailing, priority: 3),
            ], invocation, context)
        for key in try StoreUsage.keys(of: store, KeyPath.component) {
            try table.append([
                .text(key.path), .integer(key.count), .bytes(key.bytes), .bytes(key.largest),
                Self.share(key.largest, of: Int64(StoreUsage.limits.valueBytes)),
            ])
        }
        try table.finish(empty: "nothing is stored")
    }
}
