import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting

/// Turns the entries of a journal into a story, one after the other.
struct StoryReader {
    private(set) var launches: [StoryLaunch] = []
    private(set) var sessions: [StorySession] = []
    private(set) var marks: [StoryMark] = []
    private(set) var turns: [StoryTurn] = []
    /// What the store still holds of a session, by its number in the story.
    private(set) var records: [Int: SessionRecord] = [:]

    private var sessionNumbers: [[UInt8]: Int] = [:]
    private var launchNumbers: [Int64: Int] = [:]
    private var phases: [Int: StoryTurn.Phase] = [:]
    /// How those come that the launch is about to connect.
    private var arriving: [Int: StoryTurn.Phase] = [:]
    private var born: Set<Int> = []
    /// A link that makes a window: it belongs to the session that is created next.
    private var waitingLink: (launch: Int64, order: Int, note: String)?
    private var entryTimes: [Int64] = []
    /// What is done while no process runs, such as closing a window from outside, carries the
    /// number of the last launch and is no part of its time.
    private var isRunning = false

    init(launches records: [LaunchRecord], isOwned: Bool) {
        let endings = records.endings(isOwned: isOwned)
        for record in records.sorted(by: { $0.number < $1.number }) {
            launchNumbers[record.number] = launches.count
            launches.append(
                StoryLaunch(
                    number: record.number, reason: record.reason, startedAt: record.startedAt,
                    endedAt: record.endedAt,
                    ending: endings[record.number] ?? .unknown,
                    appVersion: record.context.appVersion,
                    expected: record.expected,
                    restored: record.ledger.counts[.restored] ?? 0, lastAt: record.startedAt))
        }
    }

    /// The open sessions, as the next launch judges them.
    mutating func addSessions(_ all: [SessionRecord], _ plan: LaunchPlan, isOwned: Bool) {
        for record in all {
            let state = SessionState(of: record, plan.outlook(for: record), isOwned: isOwned)
            add(record, StorySession.Status(state))
        }
    }

    mutating func addClosed(_ closed: ClosedSession) {
        add(closed.record, .discarded)
    }

    private mutating func add(_ record: SessionRecord, _ status: StorySession.Status) {
        let index = sessions.count
        records[index] = record
        sessionNumbers[Array(record.identifier.utf8)] = index
        sessions.append(
            StorySession(
                identifier: record.identifier,
                fallback: SessionName(record, title: nil).fallback,
                configuration: record.configuration.name,
                status: status, createdAt: record.createdAt,
                lastActiveAt: record.lastActiveAt > 0 ? record.lastActiveAt : nil))
    }

    // MARK: - Entries

    mutating func read(_ entry: JournalEntry, order: Int) {
        let event = entry.event
        entryTimes.append(event.happenedAt)
        switch event.kind {
        case .launch: isRunning = true
        case .open, .end: isRunning = false
        default: break
        }
        if let number = launchNumbers[event.launch] {
            launches[number].orders = (launches[number].orders?.lowerBound ?? order)...order
            if isRunning || event.kind == .end {
                launches[number].lastAt = max(launches[number].lastAt, event.happenedAt)
                launches[number].lastOrder = order
            }
        }
        let session = event.sessionIdentifier.map { number(of: $0.rawValue, order: order) }
        if let session {
            sessions[session].lastOrder = order
        }
        if entry.isDecision {
            readDecision(entry, order, session)
        } else {
            readChange(entry, order, session)
        }
    }

    /// The number of a session; one that only the journal knows gets one.
    private mutating func number(of identifier: String, order: Int) -> Int {
        let key = Array(identifier.utf8)
        if let known = sessionNumbers[key] {
            return known
        }
        let index = sessions.count
        sessionNumbers[key] = index
        let short = SessionArgument.shortened(identifier, to: 8)
        sessions.append(
            StorySession(
                identifier: identifier, fallback: short, status: .forgotten, birth: order))
        born.insert(index)
        return index
    }

    /// What is known of a window that a launch planned to restore, if its process died before it wrote
    /// down what became of each.
    static let diedLaunching = "the process died while it launched, perhaps before this window"

    /// Whether a launch died before its ledger: what it decided was stored at its beginning, and
    /// perhaps not done.
    private func isUnfinished(_ launch: Int64) -> Bool {
        launchNumbers[launch].map {
            launches[$0].ending == .died && launches[$0].expected == nil
        } ?? false
    }

    private mutating func readDecision(_ entry: JournalEntry, _ order: Int, _ session: Int?) {
        let event = entry.event
        let reason = entry.reason ?? ""
        switch event.kind.rawValue {
        case DecisionRecord.Kind.reconnect.rawValue:
            // Decided, not done: a process may die before it comes to this one. Other words mean
            // that it comes back behind the others.
            if let session {
                let isFront = entry.outcome == "foreground" || entry.outcome == "most-recent"
                arriving[session] = isFront ? .front : .connected
            }
        case DecisionRecord.Kind.restoration.rawValue where isUnfinished(event.launch):
            mark(.other, event, order, session, "died: \(Self.diedLaunching)")
        case DecisionRecord.Kind.restoration.rawValue:
            // What was not decided at the beginning was asked for, and comes back in front.
            if let session, phases[session, default: .away] == .away {
                turn(session, arriving[session] ?? .front, event, order)
            }
            let isRestored = [RestorationStatus.available.rawValue, LaunchPlan.Verdict.nothing]
                .contains(entry.outcome)
            mark(
                isRestored ? .restore : .withheld, event, order, session,
                isRestored ? reason : "state \(entry.outcome ?? ""): \(reason)")
        case DecisionRecord.Kind.target.rawValue:
            if session != nil {
                mark(.link, event, order, session, reason)
                if let session {
                    arriving[session] = .front
                    if phases[session, default: .away] == .connected {
                        turn(session, .front, event, order)
                    }
                }
            } else if entry.outcome == "new-session" {
                waitingLink = (event.launch, order, reason)
            }
        case DecisionRecord.Kind.stay.rawValue where entry.outcome == "held":
            mark(.other, event, order, session, "held: \(reason)")
        default: break
        }
    }

    private mutating func readChange(_ entry: JournalEntry, _ order: Int, _ session: Int?) {
        let event = entry.event
        switch event.kind {
        case .create:
            if let session {
                sessions[session].birth = order
                born.insert(session)
            }
            mark(.create, event, order, session, "")
            // A new window is in front; one that is not is noted to have left it.
            turn(session, .front, event, order)
            if let link = waitingLink, link.launch == event.launch {
                mark(.link, event, order, session, link.note)
            }
            waitingLink = nil
        case .save: mark(.save, event, order, session, size(of: entry.outcome))
        case .clear: mark(.other, event, order, session, JournalEntry.clearReason)
        case .mark:
            let isBack = entry.outcome == "background"
            turn(session, isBack ? .connected : .front, event, order)
        case .discard, .forget:
            let isDiscard = event.kind == .discard
            mark(isDiscard ? .discard : .other, event, order, session, entry.outcome ?? "")
            if let session {
                sessions[session].death = order
                // What the store no longer holds ended as the journal says.
                if records[session] == nil {
                    sessions[session].status = isDiscard ? .discarded : .forgotten
                }
                turn(session, .away, event, order)
            }
        case .reopen:
            mark(.other, event, order, session, "reopened")
            if let session {
                sessions[session].death = nil
            }
        case .blame: blame(event, order, session)
        case .launch, .end: endAll(event, order)
        case .checkout, .quarantine, .lost, .reset, .prune:
            mark(.other, event, order, session, "\(event.kind.rawValue) \(entry.outcome ?? "")")
        default: break
        }
    }

    /// The journal notes the size of a state behind its type, which may be hidden.
    private func size(of outcome: String?) -> String {
        guard let outcome, let comma = outcome.lastIndex(of: ",") else {
            return ""
        }
        return String(outcome[comma...].dropFirst(2))
    }

    /// Noted by the process that found it out, it belongs to the one that died.
    private mutating func blame(_ event: StoreEvent, _ order: Int, _ session: Int?) {
        let died = launches.last { $0.ending == .died && $0.number <= event.launch }
        var past = event
        if let died, let number = launchNumbers[died.number] {
            past.launch = died.number
            past.happenedAt = launches[number].lastAt
            mark(.blame, past, launches[number].lastOrder ?? order, session, "")
        } else {
            mark(.blame, event, order, session, event.detail ?? "")
        }
    }

    private mutating func endAll(_ event: StoreEvent, _ order: Int) {
        for (session, phase) in phases.sorted(by: { $0.key < $1.key }) where phase != .away {
            turn(session, .away, event, order)
        }
        phases.removeAll()
        arriving.removeAll()
    }

    // MARK: - Writing down

    private mutating func mark(
        _ kind: MarkKind, _ event: StoreEvent, _ order: Int, _ session: Int?, _ note: String
    ) {
        marks.append(
            StoryMark(
                order: order, kind: kind, launch: event.launch, session: session,
                time: event.happenedAt, words: note))
    }

    private mutating func turn(
        _ session: Int?, _ phase: StoryTurn.Phase, _ event: StoreEvent, _ order: Int
    ) {
        guard let session, phases[session, default: .away] != phase else {
            return
        }
        phases[session] = phase
        turns.append(
            StoryTurn(
                order: order, session: session, phase: phase, time: event.happenedAt,
                launch: event.launch))
    }

    /// Adds what no entry says: deaths of processes, and births that the journal has lost.
    mutating func finish() {
        for launch in launches where launch.ending == .died {
            marks.append(
                StoryMark(
                    order: launch.lastOrder ?? 0, kind: .crash, launch: launch.number,
                    session: nil, time: launch.lastAt, words: "ended without a word"))
        }
        for index in sessions.indices where !born.contains(index) {
            guard let created = sessions[index].createdAt else {
                continue
            }
            sessions[index].birth = entryTimes.firstIndex { $0 >= created } ?? entryTimes.count
        }
    }
}
