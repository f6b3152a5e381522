import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreValues

enum SQLCommand {
    /// `sql QUERY`.
    static let command = Command(
        CommandDescription(
            name: "sql", group: .look,
            summary: "Query the store in SQL, read-only",
            discussion: """
                The views 'sessions', 'activities', 'discards', 'launches' and 'events' are \
                stable: new columns come at the end. You can also read the tables, but they may \
                change with the schema. The view 'sessions' has the same 'title' and 'state' as \
                'scenestore sessions', 'launches' the same 'ending' as 'scenestore info'. Other \
                tools that read the file see less in these views. They see only the window's own \
                title. They see the state 'open' where this command works out connected, \
                disconnected, held or parked. If the last launch died, they see no ending for it.

                In 'launches', 'restored' counts the windows that came back. 'evicted' counts \
                those that stayed open without a scene and were neither held nor parked. Times in \
                the views are text in UTC, to the second.

                A column 'payload' is shown decoded, as JSON; decoded(BLOB) does the same within a \
                query, so that json_extract(decoded(payload), '$.info.text') reads a single value. \
                Other bytes are hexadecimal.

                QUERY is one SELECT, or one of the pragmas 'table_info(NAME)', 'table_xinfo', \
                'table_list' and 'index_list'. A statement that writes, attaches or sets something \
                is refused (exit 2).
                """,
            arguments: [
                ArgumentDescription(
                    "QUERY", .text, "One SELECT; - reads it from standard input; 'tables' lists all"
                )
            ],
            options: [
                .value(
                    "time-limit", "DURATION", .duration, "Give up after this long",
                    default: "1m"),
                .json, .csv,
            ] + OptionDescription.tableWithoutTimes,
            examples: [
                ExampleDescription(
                    "sql 'SELECT title, state FROM sessions'", "Each title, with its state"),
                ExampleDescription("sql tables", "The views and tables, with their columns"),
                ExampleDescription(
                    "sql \"SELECT decoded(payload) AS state FROM state\" --json",
                    "Every stored state, as JSON"),
                ExampleDescription(
                    "sql 'DELETE FROM session'", "Nothing can be written", exits: .usage),
            ])
    ) { invocation, context in
        let word = try invocation.requiredArgument("QUERY")
        let text =
            word == "-"
            ? String(decoding: try context.readFile(word, limit: 256 << 10), as: UTF8.self) : word
        let asked = StoreQuery(text, timeLimit: invocation.duration("time-limit")) {
            StoredBytes.json($0)
        }
        try context.withStore(invocation) { store in
            guard word != "tables" else {
                return try writeTables(store, invocation, context)
            }
            // Once more from what can be salvaged, if the store turns out to be damaged.
            var query = asked
            if text.lowercased().contains("sessions") {
                query.covers.append(try sessions(of: store))
            }
            if text.lowercased().contains("launches") {
                query.covers.append(try launches(of: store))
            }
            let answer = QueryAnswer(invocation, context)
            do {
                try query.ask(
                    store, isCancelled: context.isInterrupted,
                    columns: { names in answer.begin(names) }, row: { row in answer.append(row) })
            } catch let error as SceneStoreError where error.code == .queryCancelled {
                throw Interrupted()
            }
            try answer.finish()
        }
        return .done
    }

    /// The columns of 'sessions' that the file's view can't answer as the other commands do.
    private static func sessions(of store: SceneSessionStore) throws -> StoreQuery.Cover {
        let isOwned = try store.owner().isOwned
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
        // What can't be read is for the query to come upon.
        let record: @Sendable (String) -> SessionRecord? = { identifier in
            (try? store.record(identifier: identifier)) ?? nil
        }
        return StoreQuery.Cover(
            view: "sessions", key: "session",
            columns: [
                "title": { identifier in
                    record(identifier).flatMap { (try? store.name(of: $0))?.title }
                },
                "state": { identifier in
                    record(identifier).map {
                        SessionState(of: $0, plan.outlook(for: $0), isOwned: isOwned).rawValue
                    }
                },
            ])
    }

    /// How the launches ended, the last one, too: its row tells only once the next launch began.
    private static func launches(of store: SceneSessionStore) throws -> StoreQuery.Cover {
        let endings = try store.launches.records(limit: .max)
            .endings(isOwned: store.owner().isOwned)
        return StoreQuery.Cover(
            view: "launches", key: "launch",
            columns: ["ending": { Int64($0).flatMap { endings[$0]?.word } }])
    }

    /// The views for people first, then the tables, each with its columns.
    private static func writeTables(
        _ store: SceneSessionStore, _ invocation: Invocation, _ context: CommandContext
    ) throws {
        func text(_ value: StoreQuery.Value?) -> String {
            if case .text(let text)? = value { text } else { "" }
        }
        var found: [(name: String, type: String)] = []
        let tables = StoreQuery(
            "SELECT name, type FROM sqlite_schema WHERE type IN ('view', 'table') "
                + "AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
            decoding: { _ in nil })
        try tables.ask(
            store, isCancelled: context.isInterrupted, columns: { _ in true },
            row: { row in
                found.append((text(row.first), text(row.last)))
                return true
            })
        var table = try TableWriter(
            [
                TableColumn("name", "Name", priority: 0), TableColumn("type", "Type", priority: 1),
                TableColumn("columns", "Columns", priority: 0, minimumWidth: 20),
            ], invocation, context)
        for (name, type) in found {
            var columns: [String] = []
            let quoted = name.replacing("\"", with: "\"\"")
            let query = StoreQuery("SELECT * FROM \"\(quoted)\" LIMIT 0", decoding: { _ in nil })
            try query.ask(
                store, isCancelled: context.isInterrupted,
                columns: { names in
                    columns = names
                    return true
                }, row: { _ in true })
            try table.append([
                .text(name), .text(type),
                .custom(
                    columns.joined(separator: ", "), .array(columns.map { .string($0) })),
            ])
        }
        try table.finish()
    }
}

/// The rows that a query answers, as a table.
private final class QueryAnswer {
    private let invocation: Invocation
    private let context: CommandContext
    private var table: TableWriter?
    private var isPayload: [Bool] = []
    private var failure: (any Error)?

    init(_ invocation: Invocation, _ context: CommandContext) {
        self.invocation = invocation
        self.context = context
    }

    func begin(_ names: [String]) -> Bool {
        isPayload = names.map { $0 == "payload" }
        var used: Set<String> = []
        let columns = names.enumerated().map { index, name in
            // A key stands once in an object.
            var key = name
            var number = 1
            while !used.insert(key).inserted {
                number += 1
                key = "\(name)_\(number)"
            }
            return TableColumn(
                key, TextEscaping.terminal(name), priority: index, minimumWidth: 8)
        }
        return attempt {
            table = try TableWriter(columns, invocation, context)
        }
    }

    func append(_ row: [StoreQuery.Value]) -> Bool {
        attempt {
            try table?.append(zip(row, isPayload).map(cell))
        }
    }

    /// Writes the rest, or throws what went wrong on the way.
    func finish() throws {
        if let failure {
            throw failure
        }
        try table?.finish(empty: "no rows")
    }

    private func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func cell(_ value: StoreQuery.Value, isPayload: Bool) -> TableCell {
        switch value {
        case .null: return .none
        case .integer(let number): return .integer(number)
        case .real(let number): return .double(number)
        case .text(let text): return .text(text)
        case .blob(let bytes):
            if isPayload || SceneStoreValues.Value.isMarked(bytes),
                let json = StoredBytes.value(bytes)
            {
                return .custom(json.text, json)
            }
            return .text(Hexadecimal.text(bytes))
        }
    }
}

/// Stored bytes as JSON.
enum StoredBytes {
    /// The JSON of a blob, as UTF-8; nil when it is not in the stored format.
    static func json(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        do {
            var text: [UInt8] = []
            CanonicalJSON(stored: try ValueCodec.decode(Array(bytes))).append(to: &text)
            return text
        } catch {
            return nil
        }
    }

    /// The JSON of a payload, when it is a dictionary or an array. Nothing shorter is taken for
    /// encoded: text of a few letters could be read as such by chance. Of a redacted value the kind.
    static func value(_ bytes: [UInt8]) -> CanonicalJSON? {
        guard let first = bytes.first,
            (0x80...0xBF).contains(first) || SceneStoreValues.Value.isMarked(bytes)
        else {
            return nil
        }
        do {
            return CanonicalJSON(stored: try ValueCodec.decode(bytes))
        } catch {
            return nil
        }
    }
}
