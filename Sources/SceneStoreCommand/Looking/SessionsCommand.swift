import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum SessionsCommand {
    /// `sessions`.
    static let command = Command(
        CommandDescription(
            name: "sessions", group: .look,
            summary: "List the sessions, and which the next launch connects",
            discussion: """
                A session is the stored record of one window. The list begins with the session \
                that was used last. A terminal gets 1 000 rows unless --limit or another option \
                chooses. A session without a title is listed by its configuration and \
                identifier.

                OUTCOME shows what the next launch does with the window: 'active', 'foreground' and \
                'background' open it, 'disconnected', 'held' and 'parked' do not. REASON says why. \
                Both assume that the app's Info.plist stays as it is; 'plan --manifest' shows what an update changes.

                STATE is 'connected' while the window is in the foreground of a running app, \
                'held' or 'parked' if the next launch won't open it by itself, and 'disconnected' \
                otherwise. The window of a 'discarded' session was closed; 'reopen' brings it \
                back.
                """,
            options: [
                .value(
                    "state", "STATE",
                    .choice([
                        "open", "connected", "disconnected", "held", "parked", "discarded",
                    ]),
                    "Only sessions in this state"),
                .flag(
                    "withheld",
                    "Only sessions whose state, or an earlier one, is declined, stale or withheld"),
                .value("role", "ROLE", .text, "Only sessions of this role"),
                .flag("all", "Include discarded sessions that can be reopened"),
                .json, .csv,
            ] + OptionDescription.table,
            columns: [
                "session", "title", "state", "configuration", "activity", "lastActive", "outcome",
                "restoration", "reason", "role", "reconnects", "order", "inFront", "crashes",
                "bytes", "saved", "created", "closed", "cause", "group",
            ],
            examples: [
                ExampleDescription("sessions", "What is open, and what comes back"),
                ExampleDescription(
                    "sessions --state held --json", "What is held, for scripts"),
                ExampleDescription(
                    "sessions --store /nowhere", "There is no store", exits: .noStore),
            ])
    ) { invocation, context in
        try context.withStore(invocation) { store in
            try SessionList(store, invocation, context).write()
        }
        return .done
    }
}

/// The sessions of a store as a table.
private struct SessionList {
    private let store: SceneSessionStore
    private let invocation: Invocation
    private let context: CommandContext
    private let plan: LaunchPlan
    private let lost: LostStates
    private let isOwned: Bool
    private let closed: [ClosedSession]
    private let closedByKey: [Int64: ClosedSession]
    /// How many sessions each closing closed, by its group.
    private let closings: [Int64: Int]

    init(
        _ store: SceneSessionStore, _ invocation: Invocation, _ context: CommandContext
    ) throws {
        self.store = store
        self.invocation = invocation
        self.context = context
        isOwned = try store.owner().isOwned
        lost = try LostStates(reading: store)
        plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: isOwned, isSparse: true)
        let wantsClosed = invocation.flag("all") || invocation.text("state") == "discarded"
        closed = wantsClosed ? try store.discards.recentlyClosed() : []
        closedByKey = Dictionary(
            closed.map { ($0.record.key, $0) }, uniquingKeysWith: { first, _ in first })
        closings = Dictionary(closed.map { ($0.closing.group, 1) }, uniquingKeysWith: +)
    }

    private static let columns: [TableColumn] = [
        TableColumn("session", "Session", priority: 2, cut: .middle),
        TableColumn("title", "Title", priority: 0, minimumWidth: 16),
        TableColumn("state", "State", priority: 2),
        TableColumn("configuration", "Configuration", priority: 5, minimumWidth: 8),
        TableColumn("activity", "Activity", priority: 6, minimumWidth: 8),
        TableColumn("lastActive", "Last active", priority: 3),
        TableColumn("outcome", "Outcome", priority: 1),
        TableColumn("restoration", "Restoration", priority: 4),
        TableColumn("reason", "Reason", priority: 0, minimumWidth: 30),
        TableColumn("role", "Role", isForPrograms: true),
        TableColumn("reconnects", "Reconnects", isForPrograms: true),
        TableColumn("order", "Order", isForPrograms: true),
        TableColumn("inFront", "In front", isForPrograms: true),
        TableColumn("crashes", "Crashes", isForPrograms: true),
        TableColumn("bytes", "Bytes", isForPrograms: true),
        TableColumn("saved", "Saved", isForPrograms: true),
        TableColumn("created", "Created", isForPrograms: true),
        TableColumn("closed", "Closed", isForPrograms: true),
        TableColumn("cause", "Cause", isForPrograms: true),
        TableColumn("group", "Group", isForPrograms: true),
    ]

    func write() throws {
        let isForPeople = invocation.format == .text
        var table = try TableWriter(Self.columns, invocation, context)
        let isShort =
            isForPeople && (context.terminal.width != nil || context.terminal.isOutputTerminal)
        let leading = isShort ? [] : try appendLeading(&table)
        guard !table.isFull else {
            return try finish(&table)
        }
        if isShort, isUnfiltered, closed.isEmpty, table.leadingLimit == nil,
            invocation.text("sort") == nil
        {
            var first = try store.leadingRecords(Self.shownCount + 1)
            if first.count <= Self.shownCount {
                // Those that were never active are found by no index.
                first = Array(try store.openRecords().prefix(Self.shownCount + 1))
            }
            if first.count > Self.shownCount {
                let shown = Array(first.prefix(Self.shownCount))
                try append(shown, shortLength: SessionArgument.shortLength(of: shown), &table)
                try finish(&table)
                return try context.note(
                    "\("the \(NumberText.grouped(shown.count)) windows used last; --limit N shows more", .dim)"
                )
            }
        }
        let open = try store.openRecords().filter { !leading.contains($0.key) && isWanted($0) }
        let records = open + closed.map(\.record).filter(isWanted)
        let length = isShort ? SessionArgument.shortLength(of: records) : Int.max
        try append(records, shortLength: length, &table)
        try finish(&table)
    }

    private func finish(_ table: inout TableWriter) throws {
        try table.finish(
            empty: invocation.text("state") == "discarded"
                ? "no sessions; what was closed last, 25 times, can be reopened for 14 days"
                : "no sessions")
        if invocation.format == .text, try store.hasBegunAnew() {
            try context.note(
                "\("OUTCOME and REASON assume a launch that restores, but \(SceneSessionStore.begunAnew)", .dim)"
            )
        }
    }

    /// Writes the first rows, found by index; answers whose they are. Of a store that nobody writes
    /// the rest can be read later; of another one the first rows are all or nothing.
    private func appendLeading(_ table: inout TableWriter) throws -> Set<Int64> {
        guard let count = table.leadingLimit ?? (isOwned ? nil : Self.leadingCount) else {
            return []
        }
        let first = try store.leadingRecords(count)
        guard !isOwned || (first.count == count && isUnfiltered) else {
            return []
        }
        try append(first.filter(isWanted), shortLength: Int.max, &table)
        try context.output.flush()
        return Set(first.map(\.key))
    }

    /// Whether every open session is wanted.
    private var isUnfiltered: Bool {
        invocation.text("state") == nil && invocation.text("role") == nil
            && !invocation.flag("withheld") && invocation.duration("since") == nil
    }

    private static let leadingCount = 32
    /// How many rows a terminal shows when nothing else is asked for.
    private static let shownCount = 1_000

    private func append(
        _ records: [SessionRecord], shortLength: Int, _ table: inout TableWriter
    ) throws {
        var start = 0
        while start < records.count, !table.isFull {
            let chunk = records[start..<min(records.count, start + 1_024)]
            for (record, label) in zip(chunk, try SessionLabel.labels(of: chunk, in: store)) {
                try table.append(cells(record, label, shortLength: shortLength))
            }
            start += chunk.count
        }
    }

    private func isWanted(_ record: SessionRecord) -> Bool {
        if let role = invocation.text("role"), !RoleName(role).names(record.configuration.role) {
            return false
        }
        let verdict = plan.outlook(for: record)
        if invocation.flag("withheld"), verdict.obstacle?.isOfState != true,
            !verdict.hasWithheldEarlier(record)
        {
            return false
        }
        let state = SessionState(of: record, verdict, isOwned: isOwned)
        return switch invocation.text("state") {
        case nil: true
        case "open": record.isOpen
        case let wanted: state.rawValue == wanted
        }
    }

    private func cells(
        _ record: SessionRecord, _ label: SessionLabel, shortLength: Int
    ) throws -> [TableCell] {
        let name = try store.name(of: record, label)
        let verdict = try plan.outlook(for: record).given(label, record, lost).found(
            record, in: store)
        let state = SessionState(of: record, verdict, isOwned: isOwned)
        let closed = closedByKey[record.key]
        var order: Int?
        if case .connects(let place, _) = verdict.fate {
            order = place
        }
        let identifier = record.identifier
        return [
            .custom(SessionArgument.shortened(identifier, to: shortLength), .string(identifier)),
            .custom(name.text, .text(name.title)),
            .text(state.rawValue, state.style),
            .text(record.configuration.name),
            .text(label.activityType),
            .time(record.lastActiveAt),
            .text(record.isOpen ? verdict.outcome : nil, verdict.connects ? .green : .dim),
            .text(record.isOpen ? verdict.restores : nil),
            .text(closed.map(reason) ?? reason(record, verdict)),
            .text(record.configuration.role.rawValue),
            .boolean(verdict.connects),
            order.map { .integer($0) } ?? .none,
            .boolean(record.isFront),
            .integer(record.crashCount),
            label.byteCount.map { .integer($0) } ?? .none,
            .time(record.savedAt),
            .time(record.createdAt),
            .time(closed?.closedAt),
            .text(closed?.cause.rawValue),
            closed.map { $0.closing.group }.flatMap { $0 > 0 ? .integer(Int(clamping: $0)) : nil }
                ?? .none,
        ]
    }

    /// What the next launch does with a session and why; of the withheld, what is withheld.
    private func reason(_ record: SessionRecord, _ verdict: LaunchPlan.Verdict) -> String {
        guard invocation.flag("withheld"), verdict.hasWithheldEarlier(record),
            let cause = record.flags.withheldReason?.text
        else {
            let privacy = record.privacy == .ephemeral ? "it is private" : nil
            // What is said first isn't cut off.
            return [privacy, verdict.remark, verdict.reason].compactMap(\.self)
                .joined(separator: "; ")
        }
        return "\(verdict.reason); an earlier state is withheld: \(cause)"
    }

    /// Why a session is gone, and with how many others in one action.
    private func reason(_ closed: ClosedSession) -> String {
        let count = closings[closed.closing.group, default: 1] - 1
        return "discarded: \(closed.cause.rawValue)"
            + (count == 0 ? "" : ", with \(count) \(count == 1 ? "other" : "others")")
    }
}
