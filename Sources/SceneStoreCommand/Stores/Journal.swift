import SceneStore
import SceneStoreExchange
import SceneStoreRecovery

/// The journal as a table.
struct Journal {
    private let entries: [JournalEntry]
    private let endings: [Int64: LaunchEnding]
    /// The app's version in each launch.
    private let versions: [Int64: String]
    private let store: SceneSessionStore
    private let invocation: Invocation
    private let context: CommandContext

    var isEmpty: Bool { entries.isEmpty }

    /// Reads the journal of a store, or what `--last` wants of it.
    ///
    /// - Parameters:
    ///   - session: The only session whose entries are wanted; nil for all.
    ///   - launch: The only launch whose entries are wanted; nil for all.
    init(
        of store: SceneSessionStore, session: String?, launch: Int64?, _ invocation: Invocation,
        _ context: CommandContext
    ) throws {
        let last = invocation.integer("last") ?? .max
        // An entry of another launch may be told with this one.
        let events = try store.journal.events(session: session, limit: launch == nil ? last : .max)
        entries = Self.ordered(events.reversed()).filter {
            launch == nil || $0.event.launch == launch
        }.suffix(last)
        let launches = try store.launches.records(limit: .max)
        endings = launches.endings(isOwned: try store.owner().isOwned)
        versions = Dictionary(
            launches.compactMap { launch in
                launch.context.appVersion.map { (launch.number, $0) }
            }, uniquingKeysWith: { first, _ in first })
        self.store = store
        self.invocation = invocation
        self.context = context
    }

    /// The entries of a journal, oldest first, in the order in which they are told: by transaction;
    /// within one first why, then what; a scene is saved after it left the front and before another
    /// becomes active.
    ///
    /// A process opens the store before its launch begins, so the entry of that still carries the
    /// number before; it is told with the launch that it led to, and after the blame of the process
    /// before it.
    static func ordered(_ events: [StoreEvent]) -> [JournalEntry] {
        var entries = events.map { JournalEntry($0) }.enumerated().sorted { left, right in
            guard left.element.event.generation == right.element.event.generation else {
                return left.element.event.generation < right.element.event.generation
            }
            return (left.element.rank, left.offset) < (right.element.rank, right.offset)
        }.map(\.element)
        entries = Self.deliveries(Self.joined(Self.imported(entries)))
        var next: Int64?
        for index in entries.indices.reversed() {
            switch entries[index].event.kind {
            case .launch: next = entries[index].event.launch
            case .open:
                if let next {
                    let open = entries.remove(at: index).inLaunch(next)
                    let blames = entries[index...].prefix { $0.event.kind == .blame }
                    entries.insert(open, at: blames.endIndex)
                }
                next = nil
            default: break
            }
        }
        return entries
    }

    /// The entries, the saves that came with an import told with no launch: those that the store had
    /// before are gone with the session that it replaced.
    private static func imported(_ entries: [JournalEntry]) -> [JournalEntry] {
        var imports: [SceneSession.ID: StoreEvent] = [:]
        for entry in entries where entry.event.kind == .imported {
            entry.event.sessionIdentifier.map { imports[$0] = entry.event }
        }
        return entries.map { entry in
            let event = entry.event
            guard event.kind == .save, let came = event.sessionIdentifier.flatMap({ imports[$0] }),
                event.generation <= came.generation || event.happenedAt < came.happenedAt
            else {
                return entry
            }
            return entry.inLaunch(0).because("it came with an import")
        }
    }

    /// The entries, those of payloads told with their window, as far as the launch that handed one over
    /// chose one window only, and those of deliveries that ended by a death with its number.
    private static func deliveries(_ entries: [JournalEntry]) -> [JournalEntry] {
        var targets: [Int64: Set<String>] = [:]
        var ended: Set<Int64> = []
        var began: [Int64: Int64] = [:]
        var endings: [Int64: Int] = [:]
        for entry in entries {
            let event = entry.event
            switch event.kind {
            case .end: ended.insert(event.launch)
            case .launch: began[event.generation] = event.launch
            case .inbox where event.detail == InboxItem.deliveryEnded:
                endings[event.generation, default: 0] += 1
            case _ where event.kind.rawValue == DecisionRecord.Kind.target.rawValue:
                if let session = event.sessionIdentifier {
                    targets[event.launch, default: []].insert(session.rawValue)
                }
            default: break
            }
        }
        let launches = Set(began.values)
        var deaths: [String?: Int] = [:]
        return entries.map { entry in
            let event = entry.event
            guard event.kind == .inbox else {
                return entry
            }
            // A launch ends what the process before it had begun.
            let isEnded = event.detail == InboxItem.deliveryEnded
            let launch = isEnded ? began[event.generation].map { $0 - 1 } : nil
            let chosen = targets[launch ?? event.launch] ?? []
            let session =
                event.sessionIdentifier?.rawValue ?? (chosen.count == 1 ? chosen.first : nil)
            guard let launch, launches.contains(launch), !ended.contains(launch),
                endings[event.generation] == 1
            else {
                return entry.delivered(to: session, nil)
            }
            deaths[session, default: 0] += 1
            return entry.delivered(
                to: session,
                (deaths[session] ?? 0) < 2
                    ? "a process died while it delivered the payload" : InboxItem.setAsideReason)
        }
    }

    /// The entries, with each discard told once: the journal notes why it was decided, and in the same
    /// transaction that it was made.
    private static func joined(_ entries: [JournalEntry]) -> [JournalEntry] {
        struct Closing: Hashable {
            var session: String?
            var generation: Int64

            init(_ event: StoreEvent) {
                session = event.sessionIdentifier?.rawValue
                generation = event.generation
            }
        }
        var reasons: [Closing: String] = [:]
        for entry in entries where entry.isDecision && entry.event.kind == .discard {
            reasons[Closing(entry.event)] = entry.reason
        }
        guard !reasons.isEmpty else {
            return entries
        }
        let made = Set(
            entries.filter { !$0.isDecision && $0.event.kind == .discard }.map {
                Closing($0.event)
            })
        return entries.compactMap { entry in
            guard entry.event.kind == .discard, made.contains(Closing(entry.event)),
                let reason = reasons[Closing(entry.event)]
            else {
                return entry
            }
            return entry.isDecision ? nil : entry.because(reason)
        }
    }

    /// The identifier that a person means; also of a session that only the journal still knows.
    static func identifier(_ word: String, in store: SceneSessionStore) throws -> String {
        do {
            return try SessionArgument(word).resolve(in: store).identifier
        } catch let error as CommandError where error.status == .noStore {
            let known = Set(
                try store.journal.events(limit: .max).compactMap(\.sessionIdentifier?.rawValue)
                    .filter {
                        $0.utf8.starts(with: word.utf8)
                    })
            guard let identifier = known.first, known.count == 1 else {
                throw error
            }
            return identifier
        }
    }

    func write() throws {
        let isGraph = invocation.flag("graph") && invocation.format == .text
        var columns = [
            TableColumn("time", TimeText.heading, priority: 1),
            TableColumn("launch", "Launch", alignment: .trailing, priority: 5),
            TableColumn("event", "Event", priority: 0),
            TableColumn("session", "Session", priority: 6, cut: .middle),
            TableColumn("title", "Title", priority: 2, minimumWidth: 12),
            TableColumn("call", "Call", priority: 4),
            TableColumn("outcome", "Outcome", priority: 1, minimumWidth: 8),
            TableColumn("reason", "Reason", priority: 2, minimumWidth: 16),
            TableColumn("ending", "Ending", isForPrograms: true),
            TableColumn("appVersion", "App", isForPrograms: true),
            TableColumn("generation", "Generation", alignment: .trailing, isForPrograms: true),
        ]
        if isGraph {
            columns.insert(TableColumn("graph", "Graph", priority: 0), at: 2)
        }
        var table = try TableWriter(columns, invocation, context)
        var graph = JournalGraph(entries)
        var names = SessionNames(store)
        let length = context.terminal.width == nil ? Int.max : 8
        for entry in entries where !table.isFull {
            let session = entry.event.sessionIdentifier?.rawValue
            let name = try session.flatMap { try names.name(of: $0) }
            let isLaunch = entry.event.kind == .launch
            let ending = isLaunch ? endings[entry.event.launch] : nil
            let version = isLaunch ? versions[entry.event.launch] : nil
            var cells: [TableCell] = [
                .moment(entry.time, entry.event.happenedAt),
                entry.event.launch == 0 ? .none : .integer(entry.event.launch),
                .text(entry.event.kind.rawValue, entry.isDecision ? .dim : .bold),
                session.map {
                    .custom(SessionArgument.shortened($0, to: length), .string($0))
                } ?? .none,
                // A window that is gone has no other name than its identifier.
                .custom(
                    name?.text ?? session.map { SessionArgument.shortened($0, to: 8) } ?? "",
                    .text(name?.title)),
                entry.call.map { .custom($0.rawValue, .string($0.swiftName(in: .scene))) } ?? .none,
                .custom(
                    [entry.outcome, ending?.text, version.map { "app \($0)" }].compactMap(\.self)
                        .joined(separator: ", "), .text(entry.outcome)),
                .text(entry.reason),
                .text(ending?.word), .text(version),
                .integer(entry.event.generation),
            ]
            if isGraph {
                cells.insert(.text(graph.next(entry), .cyan), at: 2)
            }
            try table.append(cells)
        }
        try table.finish(empty: "no entries")
    }
}

extension SceneSessionStore {
    /// Whether the last launch began with a window of its own, as far as what it left behind shows.
    func hasBegunAnew() throws -> Bool {
        guard let last = try launches.records(limit: 1).first else {
            return false
        }
        for row in try read({ db throws(SceneStoreError) in try db.exceptionalSessions() })
        where row.isOpen
            && (row.flags.parkedCause == .leftBehind
                // In an app of one window, the next launch brings it back instead.
                || row.flags.parkedCause == .displaced && row.flags.contains(.reopened))
        {
            if try discards.parking(of: row.id)?.launch == last.number {
                return true
            }
        }
        return false
    }

    /// What such a launch did, for people.
    static let begunAnew = "the last launch began with a window of its own"
}
