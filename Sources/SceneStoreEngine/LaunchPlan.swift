import SceneStoreValues

/// What a launch does: decided before its first callback, performed by
/// ``SceneApplication/launch(_:)``, printed by `scenestore plan`.
///
/// It blames the session that the last process died restoring, forgets what was not to be
/// remembered, judges each configuration, parks what cannot be shown, tells of discards,
/// connects what comes back, else makes a first window. Where the app decides, the plan says what
/// happens unless it decides otherwise: whether its guard refuses a state, and what its provider
/// answers.
package struct LaunchPlan: Sendable {
    /// Why the process is started.
    package var reason: LaunchReason
    /// The reason in words.
    package var reasonText: String
    /// Counts launches of the container, from 1.
    package var number: Int64
    /// The sessions that are open now, most recently active first; for tools, empty in a launch.
    package var records: [SessionRecord] = []
    /// The session that the last process died restoring.
    package var blamed: String?
    /// The discards that the app is told of, in their order.
    package var discards: [Discard] = []
    /// The sessions that connect, in their order.
    package var connecting: [SessionRecord] = []
    /// The session that is made, if one is.
    package var newSession: NewSession?
    /// Payloads of the inbox that are offered again.
    package var waitingPayloads = 0
    /// Which session takes the payload that launched the process, and why.
    package var target: LinkTarget?
    /// What is performed, in its order.
    package var steps: [PlanStep] = []
    /// What is written before the first callback.
    package var judgement = LaunchJudgement()
    /// The payloads that connections name by their place: those of the inbox, then those that
    /// launched the process.
    package var payloads: [PlannedPayload] = []
    /// How many sessions this launch should have: those that are open, and the discards of others.
    package var expected = 0
    /// Whether a process died restoring a session that is open still.
    package var hasCrashCounts = false

    /// The rules of this launch, with who is blamed.
    package var rules: LaunchRules { engine.rules }
    private var engine: Engine
    private var places: [Int64: Fate] = [:]
    private var reasons: [Int64: String] = [:]
    private var noted: Set<Int64> = []
    /// The app's window that joins those that were in front.
    private var joined: Int64?

    /// Plans the launch of a process that arrived with payloads.
    package init(
        _ skeleton: some Skeleton, _ rules: LaunchRules, _ start: Start, payloads: [Payload] = []
    ) throws(SceneStoreError) {
        reason = start.reason
        reasonText = start.text
        number = start.number
        engine = Engine(rules: rules)
        engine.rules.blamed = start.blamed
        engine.rules.previousWasStable = start.previousWasStable
        judgement.previousWasStable = start.previousWasStable
        guard !start.isEmpty else {
            makeFirstWindow("nothing is remembered")
            return
        }
        expected = try skeleton.openCount(role: nil)
        let exceptional = try skeleton.exceptionalRecords()
        expected -= exceptional.count { !$0.isRestorationEnabled }
        hasCrashCounts = start.blamed != nil || exceptional.contains { $0.crashCount > 0 }
        if let key = start.blamed {
            blame(try skeleton.record(key: key))
        }
        steps.append(.announceLaunch)
        try judge(skeleton)
        try tellOfDiscards(skeleton)
        try take(payloads, skeleton)
        try connect(skeleton)
    }

    /// Another session connects at once: what a launch falls back to when nothing can be read.
    package init(_ rules: LaunchRules, _ start: Start, payloads: [Payload]) {
        reason = start.reason
        reasonText = start.text
        number = start.number
        engine = Engine(rules: rules)
        steps.append(.announceLaunch)
        self.payloads = payloads.map { PlannedPayload(payload: $0) }
        makeFirstWindow(
            "what is remembered can't be read", payloads, Array(payloads.indices))
    }

    private mutating func decide(
        _ kind: DecisionRecord.Kind, _ session: SessionRecord? = nil, _ outcome: String,
        _ reason: String
    ) {
        steps.append(
            .decide(
                DecisionRecord(
                    kind, session: session?.identifier, outcome: outcome, reason: reason)))
    }

    // MARK: - Judging

    private mutating func blame(_ record: SessionRecord?) {
        guard let record, record.isOpen else {
            return
        }
        blamed = record.identifier
        steps.append(
            .report(
                Diagnostic(
                    .restorationCrashed, .warning,
                    "the previous process died while it restored this session",
                    fix: "its state is withheld; a launch that stays up offers it again",
                    sessionIdentifier: record.identifier)))
    }

    /// Judges each remembered configuration once (L-50), and the one-scene limit (L-12). The answer
    /// is for this launch alone: what was remembered stays as it is.
    private mutating func judge(_ skeleton: some Skeleton) throws(SceneStoreError) {
        for use in try skeleton.configurationsInUse() {
            let update = rules.update(of: use.configuration)
            guard update != .current else {
                continue
            }
            for record in try skeleton.records(configurationKey: use.key)
            where record.isRestorationEnabled {
                judge(record, update)
            }
        }
        try judgeSurplus(skeleton)
    }

    private mutating func judge(
        _ record: SessionRecord, _ update: ConfigurationResolver.Update
    ) {
        switch update {
        case .current: break
        case .replaced:
            decide(
                .configuration, record, "renamed",
                "the manifest has it under another name or class now")
        case .stale:
            decide(
                .configuration, record, "stale",
                "its configuration is gone; the role's default is used")
            steps.append(
                .report(
                    Diagnostic(
                        .staleConfiguration, .warning,
                        "the remembered configuration is gone; the role's default is used"
                            + " and the state is kept",
                        fix: "name its successor in the rename map",
                        sessionIdentifier: record.identifier)))
        case .cannotDisplay:
            park(record, .noEntry, "the manifest has no configuration for its role")
        }
    }

    /// With one scene a role, all but one session of each role are parked.
    private mutating func judgeSurplus(_ skeleton: some Skeleton) throws(SceneStoreError) {
        guard !rules.supportsMultipleScenes else {
            return
        }
        // Sessions are only read when there is one too many.
        let roles = Set(try skeleton.configurationsInUse().map(\.configuration.role))
        var hasOneTooMany = false
        for role in roles where try skeleton.openCount(role: role) > 1 {
            hasOneTooMany = true
        }
        // One that is left may be parked still; there are few.
        let areFew = try skeleton.openCount(role: nil) <= 16
        guard hasOneTooMany || areFew else {
            return
        }
        let able = try skeleton.openRecords().filter {
            $0.isRestorationEnabled && places[$0.key] == nil && !rules.isHeld($0)
                && $0.parkedCause != .notKept
        }
        let kept = rules.returning(among: able)
        guard kept.count < able.count else {
            unpark(able)
            return
        }
        let onceHeld = try skeleton.onceHeld()
        for record in able where !kept.contains(record.key) {
            let isDisplaced =
                record.parkedCause == .displaced
                || onceHeld.contains(SceneSession.ID(record.identifier))
                || able.contains {
                    $0.flags.contains(.reopened) && kept.contains($0.key)
                        && $0.configuration.role == record.configuration.role
                }
            park(
                record, isDisplaced ? .displaced : .oneWindow,
                isDisplaced
                    ? "the app supports one scene, and another session has its place"
                    : "the app supports one scene; a more recently active one is kept")
        }
        unpark(able.filter { kept.contains($0.key) })
    }

    private mutating func park(_ record: SessionRecord, _ cause: ParkedCause, _ reason: String) {
        places[record.key] = .parked(cause)
        reasons[record.key] = reason
        guard record.parkedCause != cause else {
            return
        }
        judgement.parked.append((record.key, cause))
        decide(.stay, record, "parked", reason)
        guard cause != .displaced else {
            // It was displaced by what the user opened: nothing is to be done.
            return
        }
        steps.append(
            .report(
                Diagnostic(
                    .sessionParked, .warning, "the session is parked: \(reason)",
                    fix: "it is kept with its state, and comes back when the app can show it again",
                    sessionIdentifier: record.identifier)))
    }

    private mutating func unpark(_ records: [SessionRecord]) {
        for record in records where record.parkedCause != nil {
            judgement.parked.append((record.key, nil))
            engine.rules.unparked.insert(record.key)
        }
    }

    // MARK: - Discards

    /// Tells the app of discards before anything connects (L-10).
    private mutating func tellOfDiscards(_ skeleton: some Skeleton) throws(SceneStoreError) {
        var pending: [Discard] = []
        for discard in try skeleton.pendingDiscards() {
            judgement.told.append(discard.key)
            pending.append(
                Discard(
                    identifier: discard.identifier, configuration: discard.configuration,
                    cause: discard.cause, isRedelivered: discard.isRedelivered,
                    reason: discard.isRedelivered
                        ? "a process died while it was told of it" : "the app was not told yet"))
        }
        expected += pending.count
        discards = pending + discards
        guard !discards.isEmpty else {
            return
        }
        for discard in discards {
            steps.append(
                .note(
                    .discarded, session: discard.identifier, reason: discard.cause.rawValue))
        }
        steps.append(.tellOfDiscards(discards))
    }

    // MARK: - Payloads

    /// A process that died while it handed payloads over counts against the one whose delivery
    /// began last and has not ended (L-65); twice, and it is set aside.
    private mutating func judgeDeliveries(_ waiting: inout [InboxItem]) {
        let begun = waiting.indices.filter { waiting[$0].order > 0 }
        judgement.endedDeliveries = begun.map { waiting[$0].id }
        guard !judgement.previousWasStable,
            let last = begun.max(by: { waiting[$0].order < waiting[$1].order })
        else {
            return
        }
        judgement.blamedPayload = waiting[last].id
        waiting[last].deaths += 1
        if waiting[last].deaths == 2 {
            steps.append(
                .report(
                    Diagnostic(
                        .payloadSetAside, .warning,
                        "a payload is set aside: two processes died while they handed it over",
                        fix: "releasePayload offers it again, discardPayload removes it")))
        }
    }

    /// What an earlier process was offered and did not acknowledge, and what arrived now.
    private mutating func take(
        _ arrived: [Payload], _ skeleton: some Skeleton
    ) throws(SceneStoreError) {
        // Without an inbox nothing waits, unless the policy was another one before.
        var waiting = rules.readsInbox ? try skeleton.pendingInbox() : []
        judgeDeliveries(&waiting)
        waitingPayloads = waiting.count { !$0.isSetAside }
        payloads = waiting.map {
            PlannedPayload(
                payload: $0.payload, item: $0.id, wasOffered: $0.wasOffered,
                isSetAside: $0.isSetAside)
        }
        for payload in arrived {
            // A payload that waits already is the same one, as it arrived.
            if let key = payload.deduplicationKey,
                let place = payloads.firstIndex(where: {
                    $0.payload.deduplicationKey == key && $0.item != nil
                })
            {
                payloads[place].payload = payload
                continue
            }
            payloads.append(PlannedPayload(payload: payload, isArriving: true))
        }
        judgement.payloads = rules.persistsInbox ? payloads.filter(\.isArriving).map(\.payload) : []
    }

    /// The inbox took what launched the process, under these numbers.
    package mutating func number(arrived items: [Int64?]) {
        for (place, item) in zip(payloads.indices.filter { payloads[$0].isArriving }, items) {
            payloads[place].item = item
        }
    }

    /// The numbers of the inbox that a connection hands over.
    package func items(of connection: SceneConnection) -> [Int64] {
        connection.payloads.compactMap { payloads[$0].item }
    }

    // MARK: - Connecting

    private func isThere(_ record: SessionRecord) -> Bool {
        guard record.isRestorationEnabled else {
            return false
        }
        if case .parked = places[record.key] {
            return false
        }
        return rules.parked(record) == nil
    }

    private mutating func connect(_ skeleton: some Skeleton) throws(SceneStoreError) {
        var returning = try returning(skeleton)
        for delivery in try deliveries(skeleton) {
            let places = delivery.places
            let isRedelivered = places.contains { payloads[$0].wasOffered }
            let handed = places.map { payloads[$0].payload }
            if let record = delivery.target.record {
                returning.removeAll {
                    $0.key == record.key || rules.isBarred($0, by: record.configuration.role)
                }
                connect(
                    record, .active, "it takes what launches the app: \(delivery.target.reason)",
                    handed, places, isRedelivered)
            } else {
                makeFirstWindow(delivery.target.reason, handed, places, isRedelivered)
            }
        }
        for record in returning {
            let arrival: Arrival =
                connecting.isEmpty && newSession == nil
                ? .active : record.isFront || joined == record.key ? .foreground : .background
            connect(record, arrival, reasons[record.key] ?? "")
        }
        if connecting.isEmpty, newSession == nil {
            makeFirstWindow(
                noted.isEmpty ? "nothing is remembered" : "only held sessions are left")
        } else if newSession == nil,
            !connecting.contains(where: { rules.isOfApplication($0.configuration.role) })
        {
            makeFirstWindow("no window of the app is remembered")
        } else {
            steps.append(
                .connectIfNone(engine.connection(.new(rules.defaultRole), .active)))
        }
    }

    /// Payloads that are handed over together, and who takes them.
    private struct Delivery {
        var target: LinkTarget
        var places: [Int]
    }

    /// Each payload chooses its own session (L-65); those of one session are one delivery. The
    /// newest one's session comes last, and ends in front.
    private mutating func deliveries(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [Delivery] {
        var result: [Delivery] = []
        for (place, planned) in payloads.enumerated() where !planned.isSetAside {
            let (target, finding) = try engine.target(
                of: planned.payload, in: skeleton, isThere: isThere)
            if let finding {
                steps.append(.report(finding))
            }
            var delivery = Delivery(target: target, places: [])
            if let known = result.firstIndex(where: {
                $0.target.record?.key == target.record?.key
            }) {
                delivery.places = result.remove(at: known).places
            }
            delivery.places.append(place)
            result.append(delivery)
        }
        for delivery in result {
            let decision = delivery.target.decision
            decide(.target, delivery.target.record, decision.outcome, decision.reason)
        }
        target = result.last?.target
        return result
    }

    private mutating func connect(
        _ record: SessionRecord, _ arrival: Arrival, _ reason: String,
        _ handed: [Payload] = [], _ payloads: [Int] = [], _ isRedelivered: Bool = false
    ) {
        connecting.append(record)
        places[record.key] = .connects(
            order: connecting.count + (newSession == nil ? 0 : 1), arrival: arrival)
        reasons[record.key] = reason
        var connection = engine.connection(
            .remembered(record), arrival, handed, isRedelivered: isRedelivered)
        connection.payloads = payloads
        steps.append(.connect(connection))
    }

    /// Makes a window of the default role (L-01).
    private mutating func makeFirstWindow(
        _ reason: String, _ handed: [Payload] = [], _ payloads: [Int] = [],
        _ isRedelivered: Bool = false
    ) {
        newSession = NewSession(
            role: rules.defaultRole,
            configuration: rules.resolver.manifest?.defaultConfiguration(for: rules.defaultRole),
            order: connecting.count + 1, reason: reason)
        var connection = engine.connection(
            .new(rules.defaultRole), .active, handed, isRedelivered: isRedelivered)
        connection.payloads = payloads
        steps.append(.connect(connection))
    }

    /// Adds the app's own window that was active last to those that were in front, when none of
    /// them is one: a projector alone is never all that comes back.
    private mutating func joining(
        _ front: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !front.isEmpty,
            !front.contains(where: { rules.isOfApplication($0.configuration.role) }),
            payloads.isEmpty
        else {
            return front
        }
        let fits = { [self] (record: SessionRecord) in
            rules.isOfApplication(record.configuration.role) && isThere(record)
                && !rules.isHeld(record)
        }
        var window = try skeleton.mostRecentRecord()
        if let found = window, !fits(found) {
            window = try skeleton.openRecords().first(where: fits)
        }
        guard let window else {
            return front
        }
        joined = window.key
        reasons[window.key] = "it is the app's window that was active last"
        return (front + [window]).sorted(by: SessionRecord.comesBefore)
    }

    /// The remembered sessions that connect without being asked for, in their order (L-11).
    private mutating func returning(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let wasFront = "it was in front when the previous process ended"
        if rules.reconnectsAll {
            let able = noteHeld(try skeleton.openRecords().filter(isThere))
            for record in able {
                reasons[record.key] =
                    record.isFront ? wasFront : "every remembered session connects"
            }
            return able
        }
        let front = try joining(
            noteHeld(try skeleton.frontRecords().filter(isThere)), skeleton)
        for record in front {
            let reason = reasons[record.key] ?? wasFront
            decide(
                .reconnect, record, record.key == joined ? "most-recent" : "foreground", reason)
            reasons[record.key] = reason
        }
        guard front.isEmpty, payloads.isEmpty, let recent = try mostRecent(skeleton) else {
            return front
        }
        let reason = "nothing was in front; it was active last"
        decide(.reconnect, recent, "most-recent", reason)
        reasons[recent.key] = reason
        return [recent]
    }

    private mutating func mostRecent(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let recent = try skeleton.mostRecentRecord() else {
            return nil
        }
        if isThere(recent), !rules.isHeld(recent) {
            return recent
        }
        let open = try skeleton.openRecords().filter(isThere)
        guard let first = open.first, rules.isHeld(first) else {
            return open.first
        }
        return noteHeld(open).first
    }

    /// Tells of sessions that are held back, and answers the others. Their front marks stay: after
    /// a launch that stays up they are offered again (L-52), and come back by themselves.
    private mutating func noteHeld(_ candidates: [SessionRecord]) -> [SessionRecord] {
        for record in candidates where rules.isHeld(record) && noted.insert(record.key).inserted {
            steps.append(.note(.held, session: record.identifier, reason: "held"))
            decide(.stay, record, "held", rules.heldReason(of: record))
            steps.append(
                .report(
                    Diagnostic(
                        .sessionHeld, .warning,
                        record.isHeldByHand
                            ? "the session is held back: somebody held it by hand"
                            : "the session is held back: processes that restored it died",
                        fix: record.isHeldByHand
                            ? "it comes back on release"
                            : "it is offered again after a launch that stays up, or on release",
                        sessionIdentifier: record.identifier)))
        }
        return candidates.filter { !rules.isHeld($0) }
    }

    // MARK: - Asking

    /// Whether a new session is all that there will be: nothing connects, nothing is held or parked.
    package var isBare: Bool {
        newSession != nil && connecting.isEmpty && noted.isEmpty
            && !places.values.contains {
                if case .parked = $0 { true } else { false }
            }
    }

    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        let update = rules.update(of: record.configuration)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: places[record.key] ?? .stays, reason: reasons[record.key] ?? "",
            restoration: restoration,
            restorationReason: restoration.reason(hasState: record.hasState),
            configuration: record.configuration, isReconfigured: false, isStale: record.isStale)
        switch update {
        case .replaced(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
        case .stale(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
            verdict.isStale = true
        case .current, .cannotDisplay: break
        }
        guard places[record.key] == nil else {
            return verdict
        }
        if !record.isOpen {
            verdict.fate = .discarded
            verdict.reason = "it was discarded"
        } else if !record.isRestorationEnabled {
            verdict.fate = .forgotten
            verdict.reason = "restoration is switched off for it"
        } else if rules.isHeld(record) {
            verdict.fate = .held
            verdict.reason = rules.heldReason(of: record)
        } else if let cause = rules.parked(record) {
            verdict.fate = .parked(cause)
            verdict.reason = "it is parked: \(cause.rawValue)"
        } else {
            verdict.reason = "it was not in front; it connects when it is activated"
        }
        return verdict
    }
}

extension LaunchPlan {
    /// How a process begins.
    package struct Start: Sendable {
        package var reason: LaunchReason
        package var text: String
        /// Counts launches of the container, from 1.
        package var number: Int64
        /// The session that is blamed for the death of the last process.
        package var blamed: Int64?
        /// Whether the last process lived long enough, or ended cleanly (L-52).
        package var previousWasStable = false
        /// Whether nothing is remembered, whatever the store holds.
        package var isEmpty = false

        /// Judges how the last process ended.
        ///
        /// - Parameters:
        ///   - previous: The last process.
        ///   - asked: The reason to assume; nil judges.
        ///   - bootIdentifier: The machine's; nil when it is not known.
        ///   - isRunning: Whether the last process runs still. It is assumed to end cleanly.
        ///   - now: Milliseconds since 1970.
        ///   - stablePeriod: After how many milliseconds without a death a launch is stable.
        package init(
            after previous: PreviousProcess, asked: LaunchReason? = nil, bootIdentifier: String?,
            isRunning: Bool = false, now: Int64, stablePeriod: Int64
        ) {
            number = previous.number + 1
            previousWasStable =
                isRunning || previous.wasStable(now: now, stablePeriod: stablePeriod)
            if let asked {
                reason = asked
                text = "as asked"
                blamed = asked == .recover || asked == .restore ? previous.restoring : nil
                isEmpty = asked == .first
                return
            }
            blamed = isRunning ? nil : previous.restoring
            reason = previous.reason(bootIdentifier: bootIdentifier)
            if isRunning, reason != .first {
                reason = .launch
                text = "the app is running; this holds if it ends cleanly"
                return
            }
            text =
                switch reason {
                case .first: "the container never saw a launch, or was reset"
                case .launch: "the previous process ended cleanly"
                case .recover:
                    previous.end == .forceQuit
                        ? "the user ended the previous process" : "the previous process died"
                case .restore:
                    "the system was restarted since, or the store is from another machine"
                }
        }
    }
}
