import SceneStore
import SceneStoreEngine
import SceneStoreExchange

enum WhyCommand {
    /// `why WINDOW`.
    static let command = Command(
        CommandDescription(
            name: "why", group: .ask,
            summary: "Explain one window: what the next launch does with it, and what happened",
            discussion: """
                Shows on one page what 'plan', 'doctor' and 'log' know of the window. First comes \
                whether the next launch connects it, and with which state. Then come what the last \
                launches did with it, what is wrong with it, and its last entries in the journal. \
                If a new version of the app launches next, pass its Info.plist with --manifest.
                """,
            arguments: [
                ArgumentDescription(
                    "WINDOW", .session,
                    "A title or a part of one, an identifier or its beginning, @last or @foreground"
                )
            ],
            options: [.manifest, .json],
            examples: [
                ExampleDescription("why @last", "Will it come back, and as it was?"),
                ExampleDescription("why 71C0 --json", "For scripts"),
            ])
    ) { invocation, context in
        let word = try invocation.requiredArgument("WINDOW")
        let manifest = try invocation.text("manifest").map { try context.readManifest($0) }
        var page: WhyPage?
        try context.withStore(invocation, saysFindings: false) { store in
            let record = try context.session(word, in: store)
            page = try WhyPage(
                record, in: store,
                manifest.map { try .updated(to: $0, in: store) } ?? .remembered(by: store),
                at: context.storePath(invocation))
        }
        guard var page else {
            return .internalError
        }
        let bar = Progress("why", invocation, context)
        defer { bar.finish() }
        var doctor = Doctor(
            context, at: context.storePath(invocation), manifest: manifest, renames: [:],
            telling: bar, session: page.record.identifier)
        page.findings = try doctor.examine().filter {
            $0.session == page.record.identifier || $0.mark == .bad && $0.session == nil
        }
        bar.finish()
        if invocation.format == .json {
            try context.output.json(page.json(context))
        } else {
            try page.write(context)
        }
        return .done
    }
}

/// Everything that explains one window.
private struct WhyPage {
    let record: SessionRecord
    let name: SessionName
    let state: SessionState
    let closed: ClosedSession?
    /// The windows that were closed with it.
    let closedWith: [ClosedSession]
    /// Until when it can be reopened.
    let limit: ReturnLimit?
    let verdict: LaunchPlan.Verdict
    let isOwned: Bool
    /// Where the store is.
    let path: String
    /// What became of it at the last launches, newest first.
    let past: [(launch: LaunchRecord, outcome: String, reason: String)]
    /// Its last entries in the journal, oldest first.
    let journal: [JournalEntry]
    /// Whether there are states that it could go back to.
    let hasHistory: Bool
    /// What the windows are called that were closed with it.
    let namesClosedWith: [String]
    /// Whether the last launch began with a window of its own.
    let hasBegunAnew: Bool
    /// Where it was.
    let places: StoredPlaces?
    var findings: [DoctorFinding] = []

    private static let shownLaunches = 5
    private static let shownEntries = 10

    init(
        _ record: SessionRecord, in store: SceneSessionStore, _ options: SceneApplicationOptions,
        at path: String
    ) throws {
        self.record = record
        self.path = path
        isOwned = try store.owner().isOwned
        name = try store.name(of: record)
        let allClosed = record.isOpen ? [] : try store.discards.recentlyClosed()
        let closed = allClosed.first { $0.record.key == record.key }
        self.closed = closed
        closedWith = allClosed.filter {
            $0.closing.group == closed?.closing.group && $0.record.key != record.key
        }
        namesClosedWith = try store.names(of: closedWith.map(\.record)).map(\.text)
        limit = try ReturnLimit.limits(of: allClosed, in: store)[record.key]
        let plan = try LaunchPlan(
            reading: store, options: options, isRunning: isOwned, isSparse: true)
        // Its bytes are read once, so that damage is known: 'doctor' tells of it, too.
        _ = try? store.restorationActivity(key: record.key)
        let lost = try LostStates(reading: store)
        verdict = try plan.outlook(for: record)
            .given(SessionLabel.labels(of: [record], in: store).first, record, lost)
            .found(record, in: store)
        state = SessionState(of: record, verdict, isOwned: isOwned)
        past = try Self.past(
            of: record, until: closed?.closedAt, isBlamed: plan.blamed == record.id,
            incompleteThrough: lost.launch, in: store)
        hasBegunAnew = try record.isOpen && store.hasBegunAnew()
        places = try StoredPlaces(record, in: store)
        hasHistory = try !store.history.versions(key: record.key).isEmpty
        let events = try store.journal.events(session: record.identifier, limit: Self.shownEntries)
        journal = Journal.ordered(events.reversed())
    }

    /// What became of a session at the last launches that expected it. Those that the journal no
    /// longer knows are left out, unless the ledger names the session.
    ///
    /// - Parameters:
    ///   - isBlamed: Whether the last process died while it restored the window: the next launch will
    ///     note that.
    ///   - salvaged: The last launch that the journal may lack entries of, because they were lost.
    private static func past(
        of record: SessionRecord, until end: Int64?, isBlamed: Bool,
        incompleteThrough salvaged: Int64, in store: SceneSessionStore
    ) throws -> [(launch: LaunchRecord, outcome: String, reason: String)] {
        var past: [(launch: LaunchRecord, outcome: String, reason: String)] = []
        let all = try store.journal.events(session: record.identifier, limit: 1_000)
        // Launches of one millisecond are told apart by the launch that closed it.
        let closing =
            end == nil ? nil : all.filter { $0.kind == .discard }.map(\.launch).max()
        let left =
            record.parkedCause == .leftBehind ? try store.discards.parking(of: record.key) : nil
        let parkings = parkings(all.reversed(), present: left?.launch)
        // The journal knows what launches restored by the row that an import replaced.
        let imported = all.filter { $0.kind == .imported }.map(\.launch).max() ?? .min
        let launches = try store.launches.records(limit: shownLaunches)
        let endings = launches.endings(isOwned: try store.owner().isOwned)
        let isOnlyWindow = try record.isOpen && StoreBasics(reading: store).openSessions == 1
        let lastClosing =
            isOnlyWindow ? try store.discards.recentlyClosed().map(\.closedAt).max() ?? .min : .max
        for launch in launches
        where launch.startedAt >= record.createdAt && launch.startedAt <= end ?? .max
            && launch.number <= closing ?? .max
        {
            if let entry = launch.ledger.exceptions.first(where: {
                $0.sessionIdentifier == record.id
            }) {
                past.append((launch, entry.outcome.rawValue, entry.reason))
                continue
            }
            let events = try store.journal.events(
                session: record.identifier, launch: launch.number, limit: 1_000)
            let isOfThatMoment = launch.startedAt == record.createdAt
            if isOfThatMoment, events.contains(where: { $0.kind == .create }) {
                // The launch that made it did not expect it.
                continue
            }
            let isKiller =
                endings[launch.number] == .died
                && (isBlamed && launch.number == launches.first?.number
                    || events.contains { $0.kind == .blame })
            // Of the only window it isn't known whether the user wanted to close it.
            let isOnly =
                isOnlyWindow && endings[launch.number] == .quit
                && lastClosing <= launch.endedAt ?? .min
            if let (outcome, reason) = outcome(
                events, diedThere: isKiller,
                isUnfinished: endings[launch.number] == .died && launch.expected == nil)
            {
                let isKept = isOnly && outcome == LaunchOutcome.restored.rawValue && reason.isEmpty
                past.append((launch, outcome, isKept ? onlyWindow : reason))
            } else if let parking = parkings.last(where: { $0.launches.contains(launch.number) }) {
                past.append((launch, LaunchOutcome.parked.rawValue, parking.cause.reason))
            } else if launch.number > max(imported, salvaged),
                launch.ledger.counts[.evicted, default: 0] > 0,
                try !store.journal.events(
                    session: nil, launch: launch.number, limit: 1
                ).isEmpty
            {
                past.append(
                    (
                        launch, LaunchOutcome.evicted.rawValue,
                        "it stayed open and was not shown; nobody closed it"
                    ))
            }
        }
        return past
    }

    /// The launches in which a session was parked, as the journal noted it then: a reopening changes
    /// nothing of what they did.
    ///
    /// - Parameters:
    ///   - events: Those of the session, oldest first.
    ///   - present: The launch since which the session is left behind, whatever the journal has.
    private static func parkings(
        _ events: [StoreEvent], present: Int64?
    ) -> [(launches: ClosedRange<Int64>, cause: ParkedCause)] {
        var parkings: [(launches: ClosedRange<Int64>, cause: ParkedCause)] = []
        var begun: (launch: Int64, cause: ParkedCause)?
        for event in events {
            let cause = event.detail.flatMap {
                event.kind == .change && $0.hasPrefix("parked: ")
                    ? ParkedCause(rawValue: String($0.dropFirst(8))) : nil
            }
            guard cause != nil || event.kind == .reopen || event.detail == "no longer parked"
            else {
                continue
            }
            if let begun {
                parkings.append((begun.launch...max(begun.launch, event.launch), begun.cause))
            }
            begun = cause.map { (event.launch, $0) }
        }
        if let begun {
            parkings.append((begun.launch...(.max), begun.cause))
        }
        return present.map { parkings + [($0...(.max), .leftBehind)] } ?? parkings
    }

    /// Why the only window comes back, although its app ends when the last window is closed.
    private static let onlyWindow =
        "it was the only window when the app quit, which closes no window"

    /// What the journal says became of a session at a launch whose ledger doesn't name it: that of a
    /// process that died early was never written. Nil if the session got no scene.
    private static func outcome(
        _ events: [StoreEvent], diedThere: Bool, isUnfinished: Bool
    ) -> (outcome: String, reason: String)? {
        let restoration = events.filter { $0.kind.rawValue == "restoration" }
            .max { $0.generation < $1.generation }
            .flatMap { DecisionRecord($0) }
        let isWithheld = restoration?.outcome == RestorationStatus.withheld.rawValue
        if diedThere {
            return (
                "died",
                "the process died while it restored the window"
                    + (isWithheld ? ", without its state" : "")
            )
        }
        if isWithheld {
            return (LaunchOutcome.withheld.rawValue, restoration?.reason ?? "")
        }
        // Every decision of a launch is stored with its plan, before any window is there.
        if restoration != nil, isUnfinished {
            return ("died", StoryReader.diedLaunching)
        }
        let isThere = restoration != nil || events.contains { $0.kind == .create }
        let hadState = restoration?.reason != RestorationStatus.available.reason(hasState: false)
        return isThere
            ? (LaunchOutcome.restored.rawValue, hadState ? "" : "it had no state") : nil
    }

    private var answer: String {
        guard record.isOpen else {
            let count = NumberText.counted(closedWith.count, "other")
            return "it is discarded, so it does not come back: "
                + (closed.map { $0.cause.rawValue } ?? "no longer known")
                + (closedWith.isEmpty ? "" : ", with \(count)")
        }
        switch verdict.fate {
        case .connects(let order, let arrival):
            return "it connects as number \(order), \(arrival.rawValue): \(verdict.reason)"
        case .stays: return "it stays open and waits: \(verdict.reason)"
        case .held: return "it is held: \(verdict.reason)"
        case .parked: return "it is parked: \(verdict.reason)"
        case .discarded: return "it is discarded: \(verdict.reason)"
        case .forgotten: return "it is forgotten: \(verdict.reason)"
        }
    }

    func write(_ context: CommandContext) throws {
        let now = context.clock.now()
        let output = context.output
        try output.labelled("Window", "\(name.text, .bold)")
        try output.labelled("Session", "\(record.identifier), \(state.rawValue, state.style)")
        try output.labelled("Next launch", "\(answer)")
        if hasBegunAnew {
            try output.labelled(
                "", "\("assuming that it restores; \(SceneSessionStore.begunAnew)", .dim)")
        }
        if let text = context.privacyText(record, at: path) {
            try output.labelled("Private", "\(text)")
        }
        if record.isOpen {
            try output.labelled("Restoration", "\(verdict.restores): \(verdict.restorationReason)")
            if verdict.isReconfigured {
                try output.labelled(
                    "Configuration",
                    "\(verdict.configuration.name ?? "without a name"), in the place of \(record.configuration.name ?? "one without a name")"
                )
            }
        }
        if let closed {
            let launch = past.first { $0.launch.startedAt <= closed.closedAt }?.launch
            let version = launch?.context.appVersion.map { ", in app \($0)" } ?? ""
            try output.labelled("Closed", "\(TimeText.moment(closed.closedAt))\(version)")
        }
        if !closedWith.isEmpty {
            let names = namesClosedWith.prefix(Self.shownEntries)
            let rest = namesClosedWith.count - names.count
            try output.labelled(
                "Closed with",
                TerminalText(
                    (names + (rest > 0 ? ["\(NumberText.grouped(rest)) more"] : []))
                        .listed(with: "and")))
        }
        try output.labelled(
            "Last used",
            "\(TimeText.dated(record.lastActiveAt, at: now)), made \(TimeText.dated(record.createdAt, at: now))"
        )
        for (index, text) in (places?.lines(at: now) ?? []).enumerated() {
            try output.labelled(index == 0 ? "Placement" : "", "\(text)")
        }
        for (launch, outcome, reason) in past {
            let time =
                TimeText.dated(launch.startedAt, at: now)
                + (launch.context.appVersion.map { ", app \($0)" } ?? "")
            try output.labelled(
                "Launch \(launch.number)",
                "\(outcome)\(reason.isEmpty ? "" : ": \(reason)") (\(launch.reason.rawValue), \(time))"
            )
        }
        if findings.isEmpty {
            try output.labelled("Doctor", "\("nothing wrong with it", .green)")
        }
        for finding in DoctorFinding.examples(of: findings) {
            try output.labelled(
                "Doctor",
                "\(finding.code?.code ?? "", .bold) \(finding.message)\(finding.fix.flatMap { $0 == next(context) ? nil : "; \($0)" } ?? "")"
            )
        }
        if let next = next(context) {
            try output.labelled("Next", "\(next)")
        }
        guard !journal.isEmpty else {
            return
        }
        try output.line("")
        for entry in journal {
            var line: TerminalText = "\(entry.time, .dim)  \(entry.event.kind.rawValue)"
            if let outcome = entry.outcome {
                line.append("  \(outcome)")
            }
            if let reason = entry.reason {
                line.append(": \(reason)")
            }
            try output.prose(line, indent: 21)
        }
    }

    /// What to do next: nothing, unless the window or its state doesn't come back.
    private func next(_ context: CommandContext) -> String? {
        let states =
            !verdict.hasState && hasHistory
            ? context.advice("history \(CommandContext.quoted(record.identifier))", at: path)
                + " lists its earlier states" : nil
        return record.isOpen
            ? findings.lazy.compactMap(\.fix).first ?? states
            : reopening(context)
    }

    /// How a closed window comes back, those that were closed with it too, and until when.
    private func reopening(_ context: CommandContext) -> String {
        let others = closedWith.count < Self.shownEntries ? closedWith.map(\.record.identifier) : []
        let all = ([record.identifier] + others).map(CommandContext.quoted).joined(separator: " ")
        return context.advice("reopen \(all)", at: path)
            + (others.isEmpty ? " brings it back" : " brings back all that were closed at once")
            + (limit.map { ", \($0.text)" } ?? "")
    }

    func json(_ context: CommandContext) -> CanonicalJSON {
        [
            "next": .text(next(context)),
            "session": .string(record.identifier), "title": .text(name.title),
            "state": .string(state.rawValue),
            "closedWith": .array(closedWith.map { .string($0.record.identifier) }),
            "until": .time(limit?.time),
            "nextLaunch": [
                "reconnects": .boolean(verdict.connects), "text": .string(answer),
                "outcome": .text(record.isOpen ? verdict.outcome : nil),
                "configuration": .text(verdict.configuration.name),
                "reason": .string(closed.map { $0.cause.rawValue } ?? verdict.reason),
                "restoration": .text(record.isOpen ? verdict.restores : nil),
                "restorationReason": .text(record.isOpen ? verdict.restorationReason : nil),
            ],
            "launches": .array(
                past.map {
                    [
                        "appVersion": .text($0.launch.context.appVersion),
                        "launch": .integer($0.launch.number), "outcome": .string($0.outcome),
                        "reason": .string($0.reason), "started": .time($0.launch.startedAt),
                    ]
                }),
            "findings": .array(
                findings.map {
                    [
                        "code": .text($0.code?.code), "message": .string($0.message),
                        "fix": .text($0.fix),
                    ]
                }),
            "journal": .array(
                journal.map {
                    [
                        "event": .string($0.event.kind.rawValue), "outcome": .text($0.outcome),
                        "reason": .text($0.reason), "time": .time($0.event.happenedAt),
                    ]
                }),
        ]
    }
}
