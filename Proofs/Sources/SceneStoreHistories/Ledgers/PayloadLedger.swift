import SceneStore
import SceneStoreTesting

/// Each payload that was sent is delivered, waiting or set aside, exactly once; and one that killed
/// two processes is handed over no more (L-63, L-65). What a process that died may have shown is
/// said to be delivered again (L-77).
struct PayloadLedger {
    private(set) var sentCount = 0
    /// All that was sent.
    private var sent: Set<String> = []
    /// How often each was sent: two activities of one type may be on their way.
    private var times: [String: Int] = [:]
    /// What waits until the app acknowledges it.
    private var waiting: Set<String> = []
    /// What the app has acknowledged.
    private var done: Set<String> = []
    /// What arrived in a logout that lasts; nil without one.
    private var postponed: [String]?
    /// What a session was given last.
    private var given: [String: [String]] = [:]
    /// What was handed over together, when, and not acknowledged since; oldest first.
    private var begun: [(marks: [String], time: Int64)] = []
    /// How many processes died of a payload.
    private var deaths: [String: Int] = [:]
    private var findings: [String] = []

    /// Whether the process that runs was handed the link that kills.
    var hasDeadlyLink: Bool {
        given.values.contains { $0.contains { $0.hasPrefix(HistoryMaker.deadlyPrefix) } }
    }
    /// Whether there was one.
    var wasDeadly: Bool { sent.contains { $0.hasPrefix(HistoryMaker.deadlyPrefix) } }

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func count(
        _ outcome: StepOutcome, _ before: Before, _ choices: HistoryChoices, isRefusing: Bool,
        privates: Set<String>, secluded: Set<String>
    ) {
        sentCount += outcome.marks.count
        sent.formUnion(outcome.marks)
        for mark in outcome.marks {
            times[mark, default: 0] += 1
        }
        if outcome.isLaunch {
            given = [:]
        }
        var delivered: [String: Int] = [:]
        var taken = postponed == nil ? [] : secluded
        for callback in outcome.callbacks {
            let marks = callback.payload?.marks ?? []
            for mark in marks {
                delivered[mark, default: 0] += 1
            }
            if let session = callback.session, !marks.isEmpty {
                given[session] = marks
                if privates.contains(session) {
                    taken.formUnion(outcome.marks.filter { marks.contains($0.shortMark) })
                }
            }
        }
        check(outcome, before, delivered)
        noteLogout(outcome)
        countDeaths(outcome, before, delivered, choices, isRefusing: isRefusing)
        if choices.persistsInbox, !outcome.wasRefused, !isRefusing {
            // What a process handed to one that died on the way may be with it still (L-77).
            if outcome.words.first != "start" || !outcome.hasDiedWithin {
                waiting.formUnion(outcome.marks)
            }
            // Of what arrives and a private window takes, nothing is on the disk (S-70).
            waiting.subtract(taken)
            done.formUnion(taken)
        } else if outcome.isLaunch, !choices.persistsInbox {
            // What waits when the inbox is turned off is handed over once, and waits no longer.
            waiting.subtract(before.waiting)
            if outcome.isSound, !isRefusing, !outcome.diagnostics.contains("payloadSetAside") {
                done.formUnion(before.waiting)
            }
        }
        if outcome.words.first == "acknowledge", outcome.words.count > 1 {
            acknowledge(given[outcome.words[1]] ?? [], isRefusing: isRefusing)
        }
        if outcome.hasLostPower {
            // An acknowledgement need not be on the disk: the payload may wait again (S-20).
            done = []
        }
        if isRefusing {
            // Nothing of it need be on the disk.
            waiting.subtract(outcome.marks)
            if outcome.hasDied {
                waiting = waiting.intersection(before.waiting + before.aside)
            }
        }
    }

    /// A notification's callback doesn't show when it was sent: any of its name may be done.
    private mutating func acknowledge(_ marks: [String], isRefusing: Bool) {
        for mark in marks {
            let named = waiting.filter { $0.shortMark == mark }
            waiting.subtract(named)
            if named.count == 1, named.contains(mark), !isRefusing {
                done.formUnion(named)
            }
            begun.removeAll { $0.marks.contains(mark) }
        }
    }

    /// What arrives is handed over at once, and so is all that waited, at a launch; and nothing else.
    private mutating func check(
        _ outcome: StepOutcome, _ before: Before, _ delivered: [String: Int]
    ) {
        var expected: [String: Int] = [:]
        let isOver = outcome.words.first == "end-teardown"
        let due =
            outcome.isLaunch
            ? outcome.marks + before.waiting
            : postponed.map { isOver ? $0 : [] } ?? outcome.marks
        // A notification that is tapped again is another payload of the same name.
        for mark in due {
            expected[mark.shortMark, default: 0] += 1
        }
        if isOver, outcome.callbacks.contains(where: { $0.payload?.isRedelivered == true }) {
            findings.append("what arrived in a logout is delivered as if it had been seen")
        }
        for (mark, times) in delivered.sorted(by: { $0.key < $1.key })
        where times > expected[mark] ?? 0 {
            findings.append("\(mark) was delivered \(times) times by '\(outcome.text)'")
        }
        if outcome.bringsUnanswered {
            for payload in outcome.callbacks.compactMap(\.payload) where !payload.isRedelivered {
                for mark in payload.marks where outcome.marks.contains(mark) {
                    findings.append("\(mark) may have been seen, and nobody is told so")
                }
            }
        }
        guard outcome.isSound, !outcome.wasRefused,
            !outcome.diagnostics.contains("payloadSetAside")
        else {
            return
        }
        for (mark, times) in expected.sorted(by: { $0.key < $1.key })
        where delivered[mark] ?? 0 < times {
            findings.append("\(mark) was not delivered by '\(outcome.text)'")
        }
    }

    /// What arrives in a logout waits until it is called off, or for the next launch (L-48).
    private mutating func noteLogout(_ outcome: StepOutcome) {
        switch outcome.words.first {
        case "teardown": postponed = []
        case "end-teardown": postponed = nil
        default: postponed? += outcome.marks
        }
        if outcome.exit != nil || outcome.isLaunch {
            postponed = nil
        }
    }

    /// A process that dies within ten seconds of a delivery counts against it.
    private mutating func countDeaths(
        _ outcome: StepOutcome, _ before: Before, _ delivered: [String: Int],
        _ choices: HistoryChoices, isRefusing: Bool
    ) {
        guard choices.persistsInbox, !isRefusing, !outcome.hasJumped else {
            begun = []
            deaths = [:]
            return
        }
        if outcome.isLaunch {
            begun = []
            for mark in delivered.keys.sorted() where deaths[mark] ?? 0 >= 2 {
                findings.append("\(mark) killed two processes, and is handed over again")
            }
        }
        if let last = begun.last, outcome.now - last.time >= 10_000 {
            begun = []
        }
        var together: [String: [String]] = [:]
        for callback in outcome.callbacks {
            if let session = callback.session, let marks = callback.payload?.marks {
                together[session, default: []] += marks
            }
        }
        // Of several at once nobody but the library knows which began last, nor which of the
        // notifications of one name this is.
        for marks in together.values where !marks.isEmpty {
            let isKnown = together.count == 1 && !marks.contains { $0.hasPrefix("n") }
            begun.append((isKnown ? marks : ["?", "?"], outcome.now))
        }
        guard let exit = outcome.exit else {
            return
        }
        let mayHaveBegunMore =
            outcome.isLaunch && outcome.marks.count + before.waiting.count > 1
        if exit != .quit, let last = begun.last, last.marks.count == 1, !mayHaveBegunMore {
            deaths[last.marks[0], default: 0] += 1
        }
        begun = []
    }

    /// What waits is in the inbox, once, and nothing that was never sent or is done.
    func look(_ items: [InboxItem]) -> [String] {
        var counts: [String: Int] = [:]
        for mark in items.flatMap({ $0.payload.marks }) {
            counts[mark, default: 0] += 1
        }
        var found: [String] = []
        for mark in waiting.sorted()
        where !(1...max(times[mark] ?? 1, 1)).contains(counts[mark] ?? 0) {
            found.append("\(mark) is in the inbox \(counts[mark] ?? 0) times")
        }
        // Of two activities of one type, a callback doesn't show which one the app acknowledged.
        for mark in counts.keys.sorted()
        where !sent.contains(mark) || done.contains(mark) && times[mark] == 1 {
            found.append("\(mark) is in the inbox, and \(sent.contains(mark) ? "done" : "unknown")")
        }
        return found
    }
}

extension String {
    /// A mark without the time at which it was sent: what a callback shows of it.
    var shortMark: String { split(separator: "@").first.map(String.init) ?? self }
}

extension Payload {
    /// What tells a payload from all others of a history.
    var marks: [String] {
        switch self {
        case .urls(let contexts): contexts.map(\.url)
        case .activity(let activity, _): [activity.activityType]
        case .shortcut(let item): [item.type]
        case .notification(let response):
            [
                response.identifier
                    + (response.date.map { "@\(Int($0.timeIntervalSince1970))" } ?? "")
            ]
        }
    }

    /// What the conditions of sessions are compared with.
    var target: String? {
        switch self {
        case .urls(let contexts): contexts.first?.url
        case .activity(let activity, _): activity.targetContentIdentifier
        case .shortcut, .notification: nil
        }
    }
}

extension TranscriptPayload {
    var marks: [String] {
        urls + activities + [shortcut, notification].compactMap { $0 }
    }
}
