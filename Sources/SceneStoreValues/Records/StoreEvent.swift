/// One entry of the journal (S-42).
package struct StoreEvent: Sendable, Hashable {
    /// The kind of an event, in one word; an open set.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// The word itself.
        package let rawValue: String

        /// Makes a kind from its word.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The transaction that it belongs to.
    package var generation: Int64
    /// The launch in which it happened; 0 outside of any.
    package var launch: Int64
    /// Milliseconds since 1970.
    package var happenedAt: Int64
    /// The kind of the event.
    package var kind: Kind
    /// The session that it happened to.
    package var sessionIdentifier: SceneSession.ID?
    /// More, for people.
    package var detail: String?

    package init(
        generation: Int64, launch: Int64, happenedAt: Int64, kind: Kind,
        sessionIdentifier: SceneSession.ID? = nil, detail: String? = nil
    ) {
        self.generation = generation
        self.launch = launch
        self.happenedAt = happenedAt
        self.kind = kind
        self.sessionIdentifier = sessionIdentifier
        self.detail = detail
    }
}

extension StoreEvent.Kind {
    /// A state was saved.
    package static let save = Self(rawValue: "save")
    /// A state was forgotten because the app answered nil.
    package static let clear = Self(rawValue: "clear")
    /// A session was created.
    package static let create = Self(rawValue: "create")
    /// A session came to the front, left it, or became active.
    package static let mark = Self(rawValue: "mark")
    /// A session's userInfo, title, placement, conditions, storage or flags changed.
    package static let change = Self(rawValue: "change")
    /// A session was discarded.
    package static let discard = Self(rawValue: "discard")
    /// The app got the callback for a discard.
    package static let discardDelivered = Self(rawValue: "discard-delivered")
    /// A discarded session was reopened.
    package static let reopen = Self(rawValue: "reopen")
    /// A session was removed without a discard.
    package static let forget = Self(rawValue: "forget")
    /// An earlier state was made the current one.
    package static let checkout = Self(rawValue: "checkout")
    /// The container was reset.
    package static let reset = Self(rawValue: "reset")
    /// A process began or ended.
    package static let launch = Self(rawValue: "launch")
    /// A process ended.
    package static let end = Self(rawValue: "end")
    /// A session was blamed for the death of a process.
    package static let blame = Self(rawValue: "blame")
    /// A payload came in, was offered or acknowledged.
    package static let inbox = Self(rawValue: "inbox")
    /// An activity was saved or deleted.
    package static let activity = Self(rawValue: "activity")
    /// A row was set aside.
    package static let quarantine = Self(rawValue: "quarantine")
    /// Fewer sessions were found than recorded.
    package static let lost = Self(rawValue: "lost")
    /// Something was pruned.
    package static let prune = Self(rawValue: "prune")
    /// A process opened the store as its owner. The detail is the store's identity.
    ///
    /// The identity proves that the entry belongs to this store. So a file can be salvaged even if
    /// its row with the identity is lost.
    package static let open = Self(rawValue: "open")
    /// Sessions got the state that was saved last, in one launch. The detail has their numbers, as
    /// ``SessionRanges``; who reads the journal gets an entry for each of them.
    package static let restored = Self(rawValue: "restored")
    /// The store's identity once more, now and then among many entries, for the same purpose.
    package static let identity = Self(rawValue: "identity")
}

/// Something that pruning would remove, and why (S-52).
package struct PruneCandidate: Sendable, Hashable {
    /// What it is.
    package enum Subject: String, Sendable, Hashable {
        /// A discarded session that can no longer be reopened.
        case closedSession
        /// A tombstone of a discard that was delivered.
        case discard
        /// An old launch.
        case launch
    }

    /// What it is.
    package var subject: Subject
    /// The session, or the launch's number.
    package var name: String
    /// Why it goes.
    package var reason: String
    /// The row.
    package var id: Int64

    package init(
        subject: Subject, name: String, reason: String, id: Int64
    ) {
        self.subject = subject
        self.name = name
        self.reason = reason
        self.id = id
    }
}

/// The counts of what a store did since it was opened.
package struct StoreCounters: Sendable, Hashable {
    /// Transactions that committed.
    package var transactions = 0
    /// The transactions that are safe against a power cut, with one sync each.
    package var durableTransactions = 0
    /// States that were written.
    package var statesWritten = 0
    /// States that were equal to the stored one and cost nothing.
    package var statesUnchanged = 0
    /// Frames in the write-ahead log since the last checkpoint.
    package var frames = 0
    /// Checkpoints that were run.
    package var checkpoints = 0

    /// Makes counters that are zero.
    package init() {}
}

/// The record of one decision of the engine, which you can read afterwards (L-76).
///
/// ```swift
/// application.decisionHandler = { decision in
///     if decision.kind == .target {
///         log.append("\(decision.outcome): \(decision.reason)")
///     }
/// }
/// ```
public struct DecisionRecord: Hashable, Sendable {
    /// The kinds of decisions.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The reason why the process counts as launched.
        case launchReason = "launch-reason"
        /// The reason why a session connects at launch.
        case reconnect
        /// The reason why a session stays disconnected, or is held.
        case stay
        /// The reason why the provider was or was not asked.
        case provider
        /// A session's configuration, and the reason for it.
        case configuration
        /// The reason why state is or is not restored.
        case restoration
        /// The session that takes an event.
        case target
        /// The time and the way of a payload's delivery.
        case delivery
        /// The reason why a session is gone.
        case discard
    }

    /// The kind of the decision.
    public var kind: Kind
    /// The session it is about.
    public var sessionIdentifier: SceneSession.ID?
    /// A stable word for the outcome.
    public var outcome: String
    /// One line for people, free of private text.
    public var reason: String

    /// Makes a record.
    package init(
        _ kind: Kind, session: SceneSession.ID? = nil, outcome: String, reason: String
    ) {
        self.kind = kind
        sessionIdentifier = session
        self.outcome = outcome
        self.reason = reason
    }
}

extension DecisionRecord {
    /// The decision that an entry of the journal holds as `outcome: reason`; nil for any other entry,
    /// such as that of a discard, which holds its cause alone.
    package init?(_ event: StoreEvent) {
        self.init(event.kind, session: event.sessionIdentifier, event.detail)
    }

    /// The same of an entry's columns.
    package init?(_ kind: StoreEvent.Kind, session: SceneSession.ID?, _ detail: String?) {
        guard let kind = Kind(rawValue: kind.rawValue), let detail,
            let colon = detail.utf8.firstIndex(of: 0x3A),
            let outcome = String(detail.utf8[..<colon])
        else {
            return nil
        }
        self.init(
            kind, session: session, outcome: outcome,
            reason: String(detail.utf8[colon...].dropFirst(2)) ?? "")
    }
}

extension DecisionRecord {
    /// The app dealt with a payload itself.
    package static let handledPayload =
        DecisionRecord(.target, outcome: "handled", reason: "the app handled it itself")

    /// A session gets the state that was saved last.
    package static let lastState = DecisionRecord(
        .restoration, outcome: RestorationStatus.available.rawValue,
        reason: "the state that was saved last")

    /// What the journal's entry says.
    package var detail: String { "\(outcome): \(reason)" }

    /// The provider is not asked for what is remembered: for a session, or for all of a launch (L-03).
    package static func notAsked(session: SceneSession.ID? = nil) -> DecisionRecord {
        DecisionRecord(
            .provider, session: session, outcome: "not-asked",
            reason: "what is remembered has its configuration")
    }
}
