import SceneStore
import SceneStoreEngine
import SceneStoreExchange

/// What a store can tell of its past: launches, sessions and what happened to them. All pictures
/// and tables of a report are made of it, so they cannot disagree.
///
/// 1. What redaction or a session's privacy hides is never read into it.
/// 2. Text in it is as it is stored. Pages and pictures show it bounded, by ``bounded(_:)``, and
///    programs get all of it.
/// 3. `order` counts the entries of the journal, oldest first; times only name the moment.
struct StoreStory: Sendable {
    /// Oldest first.
    var launches: [StoryLaunch] = []
    var sessions: [StorySession] = []
    /// By order.
    var marks: [StoryMark] = []
    /// By order.
    var turns: [StoryTurn] = []
    /// Entries that the journal counted and no longer holds, or holds outside of any launch.
    var entryCount = 0
    var appIdentifier: String?
    var now: Int64 = 0
    var redaction = ExportRedaction.none
    /// What the next launch does, and what the doctor says; nil where nobody asks.
    var outlook: StoryOutlook?
    /// Names were read for so many sessions, the most recent ones.
    var namedSessions = 0

    /// Sessions whose names and states are read for pictures: what they show at most.
    static let nameLimit = 200
    /// Characters of a name that are shown.
    static let nameLength = 80

    init() {}

    /// Whether what it tells is not all of this year, so that days need their years.
    var hasSeveralYears: Bool {
        var (first, last) = (now, now)
        for time in launches.lazy.map(\.startedAt) {
            (first, last) = (min(first, time), max(last, time))
        }
        for session in sessions {
            for time in [session.createdAt, session.lastActiveAt] {
                (first, last) = (min(first, time ?? first), max(last, time ?? last))
            }
        }
        return ReportText.year(first) != ReportText.year(last)
    }

    /// Reads a store.
    ///
    /// - Parameters:
    ///   - summary: What is known of the store already.
    ///   - names: Of how many sessions the names and states are read, the most recent ones.
    init(
        reading store: SceneSessionStore, _ summary: StoreSummary? = nil,
        redaction: ExportRedaction, now: Int64, names: Int = Self.nameLimit,
        check: () throws -> Void = {}
    ) throws {
        self.now = now
        self.redaction = redaction
        let summary = try summary ?? StoreSummary(reading: store)
        appIdentifier = summary.basics.appIdentifier
        var reader = StoryReader(
            launches: try store.launches.records(limit: .max), isOwned: summary.isOwned)
        let plan = try LaunchPlan(
            reading: store, options: .remembered(by: store), isRunning: summary.isOwned,
            isSparse: true)
        reader.addSessions(
            Array(try store.openRecords()), plan, isOwned: summary.isOwned)
        for closed in try store.discards.recentlyClosed() {
            reader.addClosed(closed)
        }
        try check()
        let entries = Journal.ordered(try store.journal.events(limit: .max).reversed())
        entryCount = entries.count
        for (order, entry) in entries.enumerated() {
            if order.isMultiple(of: 4_096) {
                try check()
            }
            reader.read(entry, order: order)
        }
        reader.finish()
        launches = reader.launches
        sessions = reader.sessions
        marks = reader.marks.sorted { $0.order < $1.order }
        turns = reader.turns
        try readNames(names, store, reader.records, check)
    }

    /// Reads what people know sessions by, and the sizes of their states, of the most recent ones.
    private mutating func readNames(
        _ limit: Int, _ store: SceneSessionStore, _ records: [Int: SessionRecord],
        _ check: () throws -> Void
    ) throws {
        let recent = sessions.indices.sorted {
            (sessions[$0].lastOrder, sessions[$0].lastActiveAt ?? 0, $1)
                > (sessions[$1].lastOrder, sessions[$1].lastActiveAt ?? 0, $0)
        }.prefix(limit)
        namedSessions = recent.count
        for index in recent {
            guard let record = records[index] else {
                continue
            }
            try check()
            guard record.privacy == .standard else {
                sessions[index].isPrivate = true
                continue
            }
            sessions[index].states = try store.history.versions(key: record.key).reversed().map {
                StoryState(
                    time: $0.context.savedAt, bytes: $0.byteCount, isCurrent: $0.isCurrent)
            }
            guard redaction != .all else {
                continue
            }
            let label = try SessionLabel.labels(of: [record], in: store).first
            sessions[index].activityType = label?.activityType
            guard redaction == .none else {
                continue
            }
            sessions[index].title = try label.flatMap { try store.name(of: record, $0).title }
        }
    }

    /// The beginning of a text, escaped, so that what is measured is what is shown.
    static func bounded(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(nameLength)
        let isCut = start.endIndex != text.unicodeScalars.endIndex
        return TextEscaping.terminal(String(start)) + (isCut ? "…" : "")
    }
}
