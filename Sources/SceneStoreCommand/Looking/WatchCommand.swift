import SceneStore
import SceneStoreValues
import SceneStoreExchange

enum WatchCommand {
    /// `watch`.
    static let command = Command(
        CommandDescription(
            name: "watch", group: .look,
            summary: "Follow a running app: print a line for each change it stores",
            discussion: """
                Looks at the files a few times a second and reads them only when they have \
                changed. Nothing is written, and the app never waits.

                Prints what happens from now on. --until KIND exits with 0 at the first event of \
                that kind: save, create, mark, discard, launch and so on. --until KIND:TEXT waits \
                for an event of the kind whose outcome begins with TEXT, such as mark:background. \
                --timeout exits with 8, Ctrl-C with 130.
                """,
            options: [
                .value(
                    "until", "EVENT", .text, "Exit with 0 at this event: KIND or KIND:OUTCOME"),
                .value("timeout", "DURATION", .duration, "Exit with 8 after this long"),
                .value("session", "SESSION", .session, "Only events of this session"),
                .json, .csv,
            ],
            examples: [
                ExampleDescription(
                    "watch --timeout 1s", "The changes of one second", exits: .timeLimit),
                ExampleDescription(
                    "watch --until save --timeout 1s", "In CI: did the app save?",
                    exits: .timeLimit),
            ])
    ) { invocation, context in
        try Watcher(invocation, context).run()
    }
}

/// Follows a store that another process writes.
private final class Watcher {
    private let invocation: Invocation
    private let context: CommandContext
    private let path: String
    private let until: (kind: String, outcome: String?)?
    private var table: WatchLines
    private var session: String?
    private var seen: StoreGlance?
    private var generation: Int64 = 0
    private var fruitlessLooks = 0
    /// Whether a newer version writes the store, of which this one tells what it knows (S-05).
    private var isNewer = false

    init(_ invocation: Invocation, _ context: CommandContext) throws {
        self.invocation = invocation
        self.context = context
        path = context.storePath(invocation)
        until = invocation.text("until").map { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts.first ?? ""), parts.count > 1 ? String(parts[1]) : nil)
        }
        if let until, until.kind.isEmpty {
            throw CommandError.usage("--until needs the kind of an event, such as save")
        }
        if let until, !Self.kinds.contains(until.kind) {
            let nearest = Suggestion.nearest(to: until.kind, among: Self.kinds)
            throw CommandError.usage(
                "there is no event \(until.kind.quotedForError)",
                hint: nearest.map { "did you mean \($0)?" }
                    ?? "the events are \(Self.kinds.listed(with: "and"))")
        }
        table = try WatchLines(invocation, context)
    }

    /// The kinds of events that a journal holds.
    static let kinds: [String] = {
        let kept: [StoreEvent.Kind] = [
            .save, .clear, .create, .mark, .change, .discard, .discardDelivered, .reopen, .forget,
            .checkout, .reset, .launch, .end, .blame, .inbox, .activity, .quarantine, .lost, .prune,
            .open,
        ]
        let decided = DecisionRecord.Kind.allCases.map(\.rawValue)
        return kept.map(\.rawValue).filter { !decided.contains($0) } + decided
    }()

    /// The time between two looks at the files.
    static let interval = Duration.milliseconds(200)
    /// Looks that a change of the files gets although it brought nothing: ten seconds.
    private static let patience = 50

    func run() throws -> ExitStatus {
        let start = context.clock.uptime()
        let timeout = invocation.duration("timeout")
        try begin()
        while true {
            try context.checkInterruption()
            if try look() {
                return .done
            }
            let elapsed = context.clock.uptime() - start
            if let timeout, elapsed >= timeout {
                return .timeLimit
            }
            let rest = timeout.map { $0 - elapsed } ?? Self.interval
            context.clock.sleep(min(Self.interval, rest))
        }
    }

    /// Notes where the store stands, so that only what is new is told.
    private func begin() throws {
        try context.refuseUnpacked()
        guard !StorePlace(path).isLooseFile else {
            throw CommandError.usage(
                "\(path.quotedPath) is a single file: no app writes it",
                hint:
                    "watch follows a container; \(context.advice("log", at: path)) shows what the file holds"
            )
        }
        let store = try openStore()
        defer { try? store.close() }
        generation = store.currentGeneration()
        session = try invocation.text("session").map {
            try Journal.identifier($0, in: store)
        }
        try context.note("\("watching", .dim) \(path)")
    }

    private func openStore() throws -> SceneSessionStore {
        do {
            return try context.openStore(at: path, readsNewer: isNewer)
        } catch let error as SceneStoreError where error.code == .newerSchema && !isNewer {
            isNewer = true
            try context.note(
                "\("warning", .yellow): a newer version wrote the store: only what this version knows is shown"
            )
            return try openStore()
        }
    }

    /// Tells what is new; true when the awaited event was among it.
    private func look() throws -> Bool {
        let glance: StoreGlance
        do {
            glance = try StoreGlance(at: .container(path: path))
        } catch {
            // The container is being made anew; the next look will tell.
            guard error.code == .missing else {
                throw error
            }
            return false
        }
        guard glance != seen else {
            return false
        }
        let found: (events: [StoreEvent], generation: Int64)
        var names: [SceneSession.ID: SessionName] = [:]
        do {
            let store = try openStore()
            defer { try? store.close() }
            found = try store.journal.commits(after: generation)
            if context.terminal.isOutputTerminal {
                for identifier in Set(found.events.compactMap(\.sessionIdentifier)) {
                    names[identifier] = try store.name(of: identifier.rawValue)
                }
            }
        } catch let error as SceneStoreError where Self.isPassing(error) {
            return false
        } catch let error as CommandError where error.status == .noStore {
            return false
        }
        // Only now: what could not be read is looked at again. So is, for a while, what brought
        // nothing: a commit is in the log before readers see it, by as long as its sync takes.
        fruitlessLooks = found.generation == generation ? fruitlessLooks + 1 : 0
        generation = found.generation
        if fruitlessLooks == 0 || fruitlessLooks > Self.patience {
            (seen, fruitlessLooks) = (glance, 0)
        }
        for entry in Journal.ordered(found.events.reversed())
        where session == nil || entry.event.sessionIdentifier?.rawValue == session {
            try table.write(entry, entry.event.sessionIdentifier.flatMap { names[$0] })
            if isAwaited(entry) {
                return true
            }
        }
        return false
    }

    private static func isPassing(_ error: SceneStoreError) -> Bool {
        [.busy, .ioError, .replaced, .orphanedWAL, .missing, .moved].contains(error.code)
    }

    private func isAwaited(_ entry: JournalEntry) -> Bool {
        guard let until, entry.event.kind.rawValue == until.kind else {
            return false
        }
        guard let outcome = until.outcome else {
            return true
        }
        return entry.outcome?.utf8.starts(with: outcome.utf8) == true
    }
}

/// A line an event, at once.
private struct WatchLines {
    private let invocation: Invocation
    private let context: CommandContext
    private var table: TableWriter?

    init(_ invocation: Invocation, _ context: CommandContext) throws {
        self.invocation = invocation
        self.context = context
        if invocation.format != .text {
            table = try TableWriter(
                ["time", "launch", "event", "session", "outcome", "reason", "generation"].map {
                    TableColumn($0, "")
                }, format: invocation.format, context: context)
            try context.output.flush()
        }
    }

    /// Writes a line; a person reads the window's name in it, and a program the identifier.
    mutating func write(_ entry: JournalEntry, _ name: SessionName?) throws {
        let event = entry.event
        if table != nil {
            try table?.append([
                .custom(entry.time, .string(TimeText.iso8601(event.happenedAt))),
                event.launch == 0 ? .none : .integer(event.launch),
                .text(event.kind.rawValue), .text(event.sessionIdentifier?.rawValue),
                .text(entry.outcome),
                .text(entry.reason), .integer(event.generation),
            ])
        } else {
            var line: TerminalText = "\(entry.time, .dim) \(event.kind.rawValue, .bold)"
            if let name {
                line.append(" \(name.quoted, .cyan)")
            } else if let session = event.sessionIdentifier?.rawValue {
                line.append(" \(SessionArgument.shortened(session, to: 8), .cyan)")
            }
            if let outcome = entry.outcome {
                line.append(" \(outcome)")
            }
            if let reason = entry.reason {
                line.append(": \(reason)")
            }
            try context.output.line(line)
        }
        // Whoever watches through a pipe wants each line when it comes.
        try context.output.flush()
    }
}
