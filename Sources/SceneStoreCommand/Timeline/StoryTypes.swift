import SceneStore
import SceneStoreExchange

/// What pictures tell apart. The order is that of the legend.
enum MarkKind: String, CaseIterable, Sendable {
    case create
    case restore
    case link
    case save
    case discard
    case crash
    case blame
    case withheld
    case other

    /// What the legend says.
    var title: String {
        switch self {
        case .create: "created"
        case .restore: "restored"
        case .link: "link or activity"
        case .save: "saved"
        case .discard: "discarded"
        case .crash: "process died"
        case .blame: "blamed for it"
        case .withheld: "not restored"
        case .other: "other"
        }
    }

    /// The heading of its column in tables.
    var heading: String {
        switch self {
        case .create: "Created"
        case .restore: "Restored"
        case .link: "Links"
        case .save: "Saves"
        case .discard: "Discards"
        case .crash: "Deaths"
        case .blame: "Blamed"
        case .withheld: "Not restored"
        case .other: "Other"
        }
    }

    /// Which kind is drawn where several share a place: the greatest.
    var weight: Int {
        switch self {
        case .crash: 9
        case .blame: 8
        case .withheld: 7
        case .discard: 6
        case .link: 5
        case .create: 4
        case .restore: 3
        case .save: 2
        case .other: 1
        }
    }
}

/// How much of it there was, by kind.
struct MarkCounts: Sendable, Hashable {
    private(set) var byKind: [MarkKind: Int] = [:]

    subscript(kind: MarkKind) -> Int {
        byKind[kind] ?? 0
    }

    var total: Int { byKind.values.reduce(0, &+) }

    /// The kind to draw.
    var heaviest: MarkKind? {
        byKind.keys.max { $0.weight < $1.weight }
    }

    mutating func add(_ kind: MarkKind, _ count: Int = 1) {
        byKind[kind] = self[kind] &+ count
    }

    mutating func add(_ other: MarkCounts) {
        for (kind, count) in other.byKind {
            add(kind, count)
        }
    }
}

/// One thing that happened, in the order of the journal.
struct StoryMark: Sendable {
    /// Its place in the journal.
    var order: Int
    var kind: MarkKind
    var launch: Int64
    /// The session's number in the story; nil for the process.
    var session: Int?
    /// Milliseconds since 1970.
    var time: Int64
    /// More, for people, as the journal has it.
    var words: String
    /// The same as pages and pictures show it.
    var note: String { StoreStory.bounded(words) }
}

/// A scene that comes forward, goes back, connects or ends.
struct StoryTurn: Sendable {
    enum Phase: Int, Sendable {
        case away
        case connected
        case front
    }

    var order: Int
    var session: Int
    var phase: Phase
    var time: Int64
    var launch: Int64
}

/// A state that the history still holds.
struct StoryState: Sendable, Hashable {
    var time: Int64
    var bytes: Int
    var isCurrent = false
}

/// One session.
struct StorySession: Sendable {
    /// Where it stands; the words are those of ``SessionState``.
    enum Status: String, Sendable {
        case connected
        case disconnected
        case held
        case parked
        case discarded
        /// Only the journal knows it.
        case forgotten

        init(_ state: SessionState) {
            self =
                switch state {
                case .connected: .connected
                case .disconnected: .disconnected
                case .held: .held
                case .parked: .parked
                case .discarded: .discarded
                }
        }

        var isOpen: Bool { self != .discarded && self != .forgotten }
    }

    var identifier: String
    /// Its title as it is stored; nil when it has none, or redaction or privacy hides it.
    var title: String?
    /// What it is called without a title.
    var fallback: String
    /// What people know it by, as pages and pictures show it.
    var name: String { StoreStory.bounded(title ?? fallback) }
    var configuration: String?
    var activityType: String?
    var status: Status
    var createdAt: Int64?
    var lastActiveAt: Int64?
    /// Its states, oldest first; empty for private sessions, too.
    var states: [StoryState] = []
    /// The bytes of the one that the next launch gives, which need not be the newest.
    var bytes: Int? { states.first(where: \.isCurrent)?.bytes }
    var isPrivate = false
    /// Places in the journal between which it existed.
    var birth = 0
    var death: Int?
    /// The place of the last thing that happened to it.
    var lastOrder = 0
}

/// One launch.
struct StoryLaunch: Sendable {
    var number: Int64
    var reason: LaunchReason
    var startedAt: Int64
    var endedAt: Int64?
    var ending: LaunchEnding
    var appVersion: String?
    var expected: Int?
    var restored: Int
    /// The last time that anything happened in it.
    var lastAt: Int64
    /// The place in the journal of that.
    var lastOrder: Int?
    /// Places in the journal of its first and last entry; nil when the journal has none.
    var orders: ClosedRange<Int>?
}
