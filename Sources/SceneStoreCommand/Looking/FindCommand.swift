import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreFormats

enum FindCommand {
    /// `find TEXT`. With --values, its time is linear in the sessions (S-31).
    static let command = Command(
        CommandDescription(
            name: "find", group: .look,
            summary: "Find windows by a text in their titles, types or states",
            discussion: """
                Searches titles, activity types, configurations and identifiers of open and \
                recently closed sessions, ignoring case. --values also searches the keys and \
                values of their states, userInfo and scene storage. WHERE is a key path for 'show \
                --key'. Private sessions and values are left out. The exit status is 1 if nothing \
                is found.
                """,
            arguments: [ArgumentDescription("TEXT", .text, "What to look for")],
            options: [.flag("values", "Search states, userInfo and scene storage as well")]
                + OptionDescription.tableWithoutTimes + [.json, .csv],
            columns: ["session", "title", "state", "where", "text"],
            examples: [
                ExampleDescription("find thesis", "Windows of that name or type"),
                ExampleDescription("find thesis --values --json", "States as well, for scripts"),
            ])
    ) { invocation, context in
        let wanted = try invocation.requiredArgument("TEXT").lowercased()
        guard !wanted.isEmpty else {
            throw CommandError.usage("find needs a text")
        }
        return try context.withStore(invocation) { store in
            var table = try TableWriter(
                [
                    TableColumn("session", "Session", priority: 1, cut: .middle),
                    TableColumn("title", "Title", priority: 0, minimumWidth: 8),
                    TableColumn("state", "State", priority: 2),
                    TableColumn("where", "Where", priority: 0, minimumWidth: 12, cut: .middle),
                    TableColumn("text", "Text", priority: 0, minimumWidth: 12),
                ], invocation, context)
            let isOwned = try store.owner().isOwned
            let plan = try LaunchPlan(
                reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
            let records =
                Array(try store.openRecords()) + (try store.discards.recentlyClosed().map(\.record))
            let isShort = invocation.format == .text && context.terminal.width != nil
            let length = isShort ? SessionArgument.shortLength(of: records) : Int.max
            var count = 0
            for record in records where !table.isFull || count == 0 {
                try context.checkInterruption()
                let search = try SessionSearch(
                    record, in: store, wanted, searchesValues: invocation.flag("values"))
                for match in search.matches {
                    count += 1
                    let state = SessionState(
                        of: record, plan.outlook(for: record), isOwned: isOwned)
                    try table.append([
                        .custom(
                            SessionArgument.shortened(record.identifier, to: length),
                            .string(record.identifier)),
                        .text(search.name.title), .text(state.rawValue, state.style),
                        .text(match.place), .text(match.text),
                    ])
                }
            }
            let earlier = count == 0 ? try SessionArgument.former(wanted, in: store) : []
            try table.finish(
                empty: !earlier.isEmpty
                    ? "nothing found; an earlier state of \(earlier.map(\.identifier).listed(with: "and")) has that title"
                    : invocation.flag("values")
                        ? "nothing found"
                        : "nothing found; --values also searches states, userInfo and scene storage"
            )
            return count == 0 ? .answeredNo : .done
        }
    }
}

/// Where a text is in a session.
private struct SessionSearch {
    let name: SessionName
    private(set) var matches: [(place: String, text: String)] = []
    private let wanted: String

    init(
        _ record: SessionRecord, in store: SceneSessionStore, _ wanted: String,
        searchesValues: Bool
    ) throws {
        self.wanted = wanted
        name = try store.name(of: record)
        look("session", record.identifier)
        look("configuration.name", record.configuration.name)
        guard record.privacy == .standard else {
            return
        }
        look("title", name.title)
        guard searchesValues else {
            look(
                "activity.type",
                try SessionLabel.labels(of: [record], in: store).first?.activityType)
            return
        }
        let session = try store.session(for: record)
        if let activity = session.stateRestorationActivity {
            look(into: .dictionary(activity.tree), at: "activity")
        }
        look(into: .dictionary(session.userInfo), at: "userInfo")
        let storage = try store.values.storageValues(key: record.key)
        look(into: .dictionary(ValueDictionary(storage)), at: "storage")
        if let value = session.presentedValue {
            look(into: value, at: "presentedValue")
        }
    }

    private mutating func look(_ place: String, _ text: String?) {
        if let text, text.lowercased().containsBytes(of: wanted) {
            matches.append((place, text))
        }
    }

    private mutating func look(into value: Value, at place: String) {
        switch value {
        case .string(let text): look(place, text)
        case .url(let url): look(place, url.absoluteString)
        case .uuid(let uuid): look(place, uuid.uuidString)
        case .integer(let number): look(place, String(number))
        case .array(let values):
            for (index, value) in values.enumerated() {
                look(into: value, at: "\(place)[\(index)]")
            }
        case .dictionary(let values):
            for key in values.keys {
                let path = place + KeyPath.component(key)
                if key.lowercased().containsBytes(of: wanted) {
                    matches.append((path, key))
                }
                if let value = values[key] {
                    look(into: value, at: path)
                }
            }
        // No path leads to what is in a set.
        case .set(let values):
            let texts = values.map { (CanonicalJSON(stored: $0).text, $0) }
            for (_, value) in texts.sorted(by: { $0.0 < $1.0 }) {
                look(into: value, at: place)
            }
        case .boolean(let flag): look(place, String(flag))
        case .double(let number): look(place, String(number))
        case .date(let date): look(place, ISO8601.text(of: date))
        case .opaque: look(place, value.unsignedValue.map { String($0) })
        case .null, .data: break
        }
    }
}
