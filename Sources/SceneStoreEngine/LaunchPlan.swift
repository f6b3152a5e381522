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
    package var blamed: SceneSession.ID?
    /// The discards that the app is told of, in their order.
    package var discards: [Discard] = []
    /// The sessions that connect, in their order.
    package var connecting: [SessionRecord] = []
    /// Those of them that don't come in front.
    package private(set) var behind: [Int64] = []
    /// The sessions that are made, in their order: one of each role at most.
    package var newSessions: [NewSession] = []
    /// Payloads of the inbox that are offered again.
    package var waitingPayloads = 0
    /// Which session takes the payload that launched the process, and why.
    package var target: EventTarget?
    /// What is performed, in its order.
    package var steps: [PlanStep] = []
    /// What is written before the first callback.
    package var judgement = LaunchJudgement()
    /// The payloads that connections name by their place: those of the inbox, then those that
    /// launched the process.
    package var payloads: [PlannedPayload] = []
    /// How many sessions this launch should have: those that are open, and the discards of others.
    package var expected = 0
    /// Whether the process before this one said farewell.
    var previousEndedCleanly = false
    /// Whether a process died restoring a session that is open still.
    package var hasCrashCounts = false

    /// The rules of this launch, with who is blamed.
    package var rules: LaunchRules { engine.rules }
    var engine: Engine
    package var places: [Int64: Fate] = [:]
    var reasons: [Int64: String] = [:]
    var noted: Set<Int64> = []
    /// Those that this launch parks, and those that stay parked.
    var parked: [SessionRecord] = []
    /// The app's window that joins those that were in front.
    var joined: Int64?
    /// The session of each role that is active in the end; without a key one that the launch makes.
    private var active: [(role: SceneSessionRole, key: Int64?)] = []

    /// Plans the launch of a process that arrived with payloads.
    package init(
        _ skeleton: some Skeleton, _ rules: LaunchRules, _ start: Start, payloads: [Payload] = []
    ) throws(SceneStoreError) {
        reason = start.reason
        reasonText = start.text
        number = start.number
        var rules = rules
        if start.previousDied, let afterCrash = rules.afterCrash {
            (rules.behavior, rules.makesWindow) = afterCrash
        }
        engine = Engine(rules: rules)
        engine.rules.blamed = start.blamed
        engine.rules.previousWasStable = start.previousWasStable
        judgement.previousWasStable = start.previousWasStable
        judgement.keepsLastSession = rules.behavior != .restore
        previousEndedCleanly = start.previousEndedCleanly
        guard !start.isEmpty else {
            makeFirstWindow("nothing is remembered")
            return
        }
        expected = try skeleton.openCount(role: nil)
        let exceptional = try skeleton.exceptionalRecords()
        expected -= exceptional.count { !$0.isRestorationEnabled }
        if start.previousWasStable {
            for record in exceptional where record.flags.contains(.offeredAgain) {
                engine.rules.offeredVersions[record.key] = try skeleton.offeredVersion(of: record)
            }
        }
        hasCrashCounts = start.blamed != nil || exceptional.contains { $0.crashCount > 0 }
        if let key = start.blamed {
            blame(try skeleton.record(key: key))
        }
        steps.append(.announceLaunch)
        if let before = start.rulesBefore {
            try adopt(before, skeleton)
        }
        try take(payloads, skeleton)
        try judge(skeleton, exceptional)
        try tellOfDiscards(skeleton)
        try connect(skeleton)
        keepPayloads()
        noteKeptBack(exceptional)
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
            "what is remembered can't be read", handing: Array(payloads.indices))
    }

    mutating func decide(
        _ kind: DecisionRecord.Kind, _ session: SessionRecord? = nil, _ outcome: String,
        _ reason: String
    ) {
        steps.append(
            .decide(
                DecisionRecord(
                    kind, session: session?.id, outcome: outcome, reason: reason)))
    }

    // MARK: - Discards

    /// Tells the app of discards before anything connects (L-10).
    mutating func tellOfDiscards(_ skeleton: some Skeleton) throws(SceneStoreError) {
        var pending: [Discard] = []
        for discard in try skeleton.pendingDiscards() {
            judgement.told.append(discard.key)
            pending.append(
                Discard(
                    identifier: discard.identifier, configuration: discard.configuration,
                    cause: discard.cause, isRedelivered: discard.isRedelivered,
                    reason: discard.isRedelivered
                        ? "a process died during its callback" : "the app was not told yet"))
        }
        judgement.told += judgement.expired.map(\.key)
        expected += pending.count + discards.count
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

    // MARK: - Connecting

    func isThere(_ record: SessionRecord) -> Bool {
        guard record.isRestorationEnabled else {
            return false
        }
        switch places[record.key] {
        case .parked, .discarded: return false
        case .connects, .stays, .held, .forgotten, nil: return rules.parked(record) == nil
        }
    }

    private mutating func connect(_ skeleton: some Skeleton) throws(SceneStoreError) {
        var returning = try returning(skeleton)
        for delivery in try deliveries(skeleton) {
            if let record = delivery.target.record {
                returning.removeAll {
                    $0.key == record.key || rules.isBarred($0, by: record.role)
                }
                connect(
                    record, .active, "it takes what launches the app: \(delivery.target.reason)",
                    handing: delivery.places)
            } else {
                makeFirstWindow(
                    delivery.target.reason, handing: delivery.places, role: delivery.target.role)
            }
        }
        if handsOver, rules.behavior == .restore {
            returning = try withAppWindow(returning, skeleton)
        }
        returning += try companions(returning, skeleton)
        guard rules.behavior == .restore else {
            returning.forEach { connect($0, .foreground, Self.isChild) }
            beginWithoutThem()
            return
        }
        let first = connecting.isEmpty && newSessions.isEmpty ? returning.first?.key : nil
        if !hasAppWindow {
            joined = windowInFront(returning, first)
        }
        places.reserveCapacity(places.count + returning.count)
        steps.reserveCapacity(steps.count + returning.count)
        connecting.reserveCapacity(connecting.count + returning.count)
        for record in try engine.inFamilies(returning, skeleton) {
            let arrival: Arrival =
                record.key == first
                ? .active : record.isFront || joined == record.key ? .foreground : .background
            connect(record, arrival, reasons[record.key] ?? "")
        }
        if connecting.isEmpty, newSessions.isEmpty {
            makeFirstWindow(
                noted.isEmpty ? "nothing is remembered" : "only held sessions are left")
        } else if !hasAppWindow {
            makeFirstWindow("no window of the app is remembered")
        } else {
            steps.append(.connectIfNone(firstWindow()))
        }
    }

    /// Nothing that is remembered comes back by itself (L-16).
    private mutating func beginWithoutThem() {
        let makesWindow =
            rules.makesWindow && !newSessions.contains { $0.role == rules.defaultRole }
        if rules.behavior == .fresh, makesWindow {
            makeFirstWindow("the launch begins with a new window")
        } else if !connecting.isEmpty, newSessions.isEmpty {
            steps.append(.connectIfNone(firstWindow()))
        }
    }

    private mutating func connect(
        _ record: SessionRecord, _ arrival: Arrival, _ reason: String,
        handing places: [Int] = []
    ) {
        connecting.append(record)
        if arrival == .background {
            behind.append(record.key)
        }
        self.places[record.key] = .connects(
            order: connecting.count + newSessions.count,
            arrival: settled(arrival, record.key, record.role))
        reasons[record.key] = reason
        if connecting.count == 1 {
            steps.append(.decide(.notAsked()))
        }
        var connection = connection(.remembered(record), arrival, handing: places)
        connection.planned = engine.decision(about: record)
        steps.append(.connect(connection))
    }

    /// How a session that connects ends: of a role the last one that becomes active stays so, else the
    /// first one in front (L-02). The launch makes a session without a key.
    mutating func settled(
        _ arrival: Arrival, _ key: Int64?, _ role: SceneSessionRole
    ) -> Arrival {
        guard arrival != .background else {
            return arrival
        }
        guard let index = active.firstIndex(where: { $0.role == role }) else {
            active.append((role, key))
            return .active
        }
        guard arrival == .active else {
            return arrival
        }
        let before = active[index].key
        active[index].key = key
        if let before, case .connects(let order, _)? = places[before] {
            places[before] = .connects(order: order, arrival: .foreground)
        } else if let made = newSessions.lastIndex(where: { $0.role == role }) {
            newSessions[made].arrival = .foreground
        }
        return .active
    }

    /// Adds the app's own window that was active last to those that connect, when none of them is
    /// one: a projector alone is never all that comes back.
    mutating func joining(
        _ front: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !connecting.isEmpty || !newSessions.isEmpty || !front.isEmpty, !hasAppWindow,
            !front.contains(where: { rules.isOfApplication($0.role) })
        else {
            return front
        }
        let fits = { [self] (record: SessionRecord) in
            rules.isOfApplication(record.role) && isThere(record)
                && !rules.isHeld(record)
        }
        var window = try skeleton.mostRecentRecord(role: nil)
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

    /// Of the app's windows that return the one that comes in front although it was not, because no
    /// other does: a projector may have been used last.
    private func windowInFront(_ returning: [SessionRecord], _ first: Int64?) -> Int64? {
        let own = returning.lazy.filter { rules.isOfApplication($0.role) }
        let isOneInFront = own.contains {
            $0.isFront || $0.key == first || $0.key == joined
        }
        return isOneInFront ? joined : own.first?.key
    }

    /// The same beside those that take what launches the app, which choose first (L-70).
    private mutating func withAppWindow(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let all = try joining(returning, skeleton)
        guard let window = all.first(where: { $0.key == joined }) else {
            return returning
        }
        decide(.reconnect, window, "most-recent", reasons[window.key] ?? "")
        let known = Set((connecting + all).map(\.key))
        return try all
            + withChildren([window], skeleton).filter { !known.contains($0.key) }
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
        /// Whether the last process said farewell, or is taken to do so.
        package var previousEndedCleanly = false
        /// Whether the last process died.
        package var previousDied = false
        /// What the last process declared, if it was stable and died: it may have left unwritten what
        /// sessions saved under (L-50).
        package var rulesBefore: LaunchRules?
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
            previousEndedCleanly = isRunning || previous.end == .clean
            previousDied = !isRunning && previous.end == .running
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

/// What a plan answers.
extension LaunchPlan {
    /// Every decision of the plan, in the order in which it is performed (L-76).
    package var decisions: [DecisionRecord] {
        steps.compactMap { step in
            switch step {
            case .decide(let decision): decision
            case .connect(let connection): connection.planned
            default: nil
            }
        }
    }

    /// Whether new sessions are all that there will be: nothing connects, nothing is held or parked.
    package var isBare: Bool {
        !newSessions.isEmpty && connecting.isEmpty && noted.isEmpty
    }

    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        let update = rules.update(of: record)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: places[record.key] ?? .stays, reason: reasons[record.key] ?? "",
            restoration: restoration,
            restorationReason: rules.decision(
                restoration, of: record, hasState: record.hasState
            ).reason,
            hasState: record.hasState,
            configuration: rules.configuration(of: record, .current), isReconfigured: false,
            isStale: record.isStale)
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
        let isParked = if case .parked = verdict.fate { true } else { false }
        guard places[record.key] == nil || isParked && rules.isHeld(record) else {
            return verdict
        }
        if !record.isOpen {
            verdict.fate = .discarded
            verdict.reason = "it was discarded"
        } else if !record.isRestorationEnabled {
            verdict.fate = .forgotten
            verdict.reason = "restoration is switched off for it, and the next launch forgets it"
        } else if rules.isHeld(record) {
            verdict.fate = .held
            verdict.reason = rules.heldReason(of: record)
        } else if let cause = rules.parked(record) {
            verdict.fate = .parked(cause)
            verdict.reason = cause.reason
        } else {
            verdict.reason = "\(rules.waitingReason); it connects when it is activated"
        }
        return verdict
    }
}

extension ParkedCause {
    /// Why a session stays parked that an earlier launch or a quit has parked.
    package var reason: String {
        switch self {
        case .oneWindow: "the app supports one scene, and another session was used last"
        case .noEntry: "the manifest has no configuration for its role"
        case .displaced: "the app supports one scene, and another session has its place"
        case .notKept: "the app quit without keeping its windows"
        case .leftBehind: "a process that began with a window of its own left it behind"
        }
    }
}

extension LaunchRules {
    /// Why a session that nothing keeps back does not connect by itself.
    package var waitingReason: String {
        guard behavior == .restore else {
            return "the launch brings no window back"
        }
        switch reconnection {
        case .first(let count): return "it is not among the \(count) that were active last"
        case .foreground, .all: return "it was not in front"
        }
    }
}

extension LaunchPlan {
    /// How far a scene comes forward.
    package typealias Arrival = LifecycleMachine.Arrival

    /// What becomes of a session.
    package enum Fate: Sendable, Hashable {
        /// It connects, in this place of the order, from 1.
        case connects(order: Int, arrival: Arrival)
        /// It stays open without a scene until it is activated.
        case stays
        /// It stays open, and takes no event either.
        case held
        /// It stays open, kept with its state, until the app can show it (L-18).
        case parked(ParkedCause)
        /// It was discarded.
        case discarded
        /// It was not to be remembered beyond the last process.
        case forgotten
    }

    /// What becomes of a session, and why.
    package struct Verdict: Sendable, Hashable {
        /// What becomes of it.
        package var fate: Fate
        /// Why.
        package var reason: String
        /// Whether its state is given to the app when it connects.
        package var restoration: RestorationStatus
        /// Why, or what is restored.
        package var restorationReason: String
        /// Whether a state was saved.
        package var hasState: Bool
        /// What it is shown with.
        package var configuration: SceneConfiguration
        /// Whether that is another configuration than the remembered one.
        package var isReconfigured: Bool
        /// Whether that configuration is not the one that the state was saved under.
        package var isStale: Bool

        /// Whether it connects at launch.
        package var connects: Bool {
            if case .connects = fate { true } else { false }
        }
    }

    /// A discard that the launch tells the app of.
    package struct Discard: Sendable, Hashable {
        package var identifier: SceneSession.ID
        package var configuration: SceneConfiguration
        package var cause: DiscardCause
        /// Whether a process died while it was being told.
        package var isRedelivered: Bool
        /// Why the session is gone.
        package var reason: String
    }

    /// A session that the launch makes.
    package struct NewSession: Sendable, Hashable {
        package var role: SceneSessionRole
        /// What the manifest has for it; the provider, if there is one, decides.
        package var configuration: SceneConfiguration?
        /// Its place in the order, from 1.
        package var order: Int
        /// How it ends.
        package var arrival = Arrival.active
        package var reason: String

        package init(
            role: SceneSessionRole, configuration: SceneConfiguration?, order: Int,
            arrival: Arrival = .active, reason: String
        ) {
            self.role = role
            self.configuration = configuration
            self.order = order
            self.arrival = arrival
            self.reason = reason
        }
    }

    /// A payload that a launch hands over.
    package struct PlannedPayload: Sendable {
        package var payload: Payload
        /// Its number in the inbox, once it has one.
        package var item: Int64?
        /// Whether an earlier process was offered it.
        package var wasOffered = false
        /// Whether it is an activity from another device, which is announced first (L-60).
        var isHandoff = false
        /// Whether it launched the process.
        package var isArriving = false
        /// Whether a private session takes it.
        var isPrivate = false
        /// Whether it is not handed over by itself any more.
        package var isSetAside = false

        /// How it reaches a scene when the launch is over.
        package var call: LifecycleMachine.PayloadCall {
            if isHandoff, case .activity(let activity, _) = payload {
                .arrived(activity)
            } else {
                .incoming(payload, isRedelivered: wasOffered)
            }
        }
    }
}
