import SceneStoreValues

/// The outcomes of the sessions of a damaged store (S-11, S-40): the ledger of a salvage.
///
/// ```swift
/// let report = try SceneSessionStore.salvage(from: damaged, to: copies + "/rescued")
/// for entry in report.entries where entry.outcome == .lost {
///     lost.append(entry.sessionIdentifier)
/// }
/// ```
public struct SalvageReport: Sendable, Hashable {
    /// The outcomes of a session.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// It is back as it was.
        case restored
        /// It is back with a state that is not its last one.
        case olderState = "older-state"
        /// It is back, and its state is lost.
        case withoutState = "without-state"
        /// It is back with its last state, and earlier ones are lost or may be.
        case fewerStates = "fewer-states"
        /// It is back as a backup has it.
        case fromBackup = "from-backup"
        /// The session was discarded or forgotten, and stays so although an older row was found.
        case honored
        /// The session was recorded, but none of its data was found.
        case lost

        /// Whether something of the session is missing, or came from elsewhere.
        var isImperfect: Bool {
            switch self {
            case .restored, .honored: false
            case .olderState, .withoutState, .fewerStates, .fromBackup, .lost: true
            }
        }
    }

    /// One session that is not simply restored.
    public struct Entry: Sendable, Hashable {
        /// The session.
        public var sessionIdentifier: SceneSession.ID
        /// The session's outcome.
        public var outcome: Outcome
        /// The reason for the outcome.
        public var reason: String
    }

    /// Open sessions as the store recorded them; nil when that record is lost.
    public var expected: Int?
    /// Open sessions that are back.
    public var openSessions = 0
    /// Discarded sessions that can still be reopened.
    public var closedSessions = 0
    /// The number of sessions with each outcome; ``Outcome/lost`` may count more than are named.
    public var counts: [Outcome: Int] = [:]
    /// The sessions that are not simply restored, by identifier; no more than a thousand.
    public package(set) var entries: [Entry] = []
    /// Earlier states that are back, the current ones not counted.
    public var historyStates = 0
    /// The number of rows that fail their checksum; they are set aside in the new store.
    public var damagedRows = 0
    /// Whether rows other than those of open sessions are missing: earlier states, titles and
    /// places, closed sessions, the journal.
    public package(set) var missesRows = false
    /// The tables that rows are missing from, as far as that is known.
    public package(set) var missingFrom: [String] = []
    /// Commits after a damaged place in the write-ahead log; their rows were searched for all the
    /// same.
    public var commitsBehind = 0
    /// Commits that the last process had made durable and of which nothing was found.
    public var commitsLost = 0
    /// Backups that were read.
    public var backups = 0
    /// Whether the rows that were found match what the store recorded, so that nothing is lost.
    public var isComplete = false

    /// Makes an empty report.
    public init() {}

    static let entryCapacity = 1_000

    /// Counts an open session that came back as it was; those have no entries.
    mutating func addRestored() {
        counts[.restored, default: 0] += 1
    }

    package mutating func add(
        _ identifier: SceneSession.ID, _ outcome: Outcome, _ reason: String = ""
    ) {
        counts[outcome, default: 0] += 1
        if outcome != .restored, entries.count < Self.entryCapacity {
            entries.append(
                Entry(sessionIdentifier: identifier, outcome: outcome, reason: reason))
        }
    }
}

extension SalvageReport {
    /// The report as a file of the quarantine keeps it.
    package var json: CanonicalJSON {
        var members: [CanonicalJSON.Object.Member] = [
            ("backups", .integer(Int64(backups))),
            ("closedSessions", .integer(Int64(closedSessions))),
            ("commitsBehind", .integer(Int64(commitsBehind))),
            ("commitsLost", .integer(Int64(commitsLost))),
            ("complete", .boolean(isComplete)),
            ("damagedRows", .integer(Int64(damagedRows))),
            ("expected", expected.map { .integer(Int64($0)) } ?? .null),
            ("historyStates", .integer(Int64(historyStates))),
            ("missesRows", .boolean(missesRows)),
            ("missingFrom", .array(missingFrom.map { .string($0) })),
            ("openSessions", .integer(Int64(openSessions))),
        ]
        members.append(
            (
                "counts",
                .object(
                    CanonicalJSON.Object(
                        counts.map { ($0.key.rawValue, .integer(Int64($0.value))) }))
            ))
        members.append(
            (
                "sessions",
                .array(
                    entries.map {
                        [
                            "session": .string($0.sessionIdentifier.rawValue),
                            "outcome": .string($0.outcome.rawValue),
                            "reason": .string($0.reason),
                        ]
                    })
            ))
        return .object(CanonicalJSON.Object(members))
    }
}
