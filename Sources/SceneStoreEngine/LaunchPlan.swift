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
    /// How the process begins.
    package let start: Start
    /// The sessions that are open now, most recently active first; for tools, empty in a launch.
    package var records: [SessionRecord] = []
    /// The session that the last process died restoring.
    package var blamed: SceneSession.ID?
    /// The discards that the app is told of, in their order.
    package var discards: [Discard] = []
    /// The sessions that connect, in their order.
    package var connecting: [SessionRecord] = []
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
    /// Whether a process died restoring a session that is open still.
    package var hasCrashCounts = false

    /// The rules of this launch, with who is blamed.
    package var rules: LaunchRules { engine.rules }
    package internal(set) var engine: Engine
    package var places: [Int64: Place] = [:]
    package var reasons: [Int64: String] = [:]
    var noted: Set<Int64> = []
    /// Those that this launch parks, and those that stay parked.
    var parked: [SessionRecord] = []
    /// The app's window that joins those that were in front.
    var joined: Int64?
    /// The session of each role that is active in the end: the last one that becomes active, else the
    /// first one in front (L-02). One that the launch makes is named by its order, below zero.
    package private(set) var active: [SceneSessionRole: Int64] = [:]

    /// Plans the launch of a process that arrived with payloads.
    package init(
        _ skeleton: some Skeleton, _ rules: LaunchRules, _ start: Start, payloads: [Payload] = []
    ) throws(SceneStoreError) {
        self.start = start
        var rules = rules
        rules.begin(after: start.previousEnd)
        engine = Engine(rules: rules)
        engine.rules.blamed = start.blamed
        engine.rules.previousWasStable = start.previousWasStable
        judgement.previousWasStable = start.previousWasStable
        judgement.keepsLastSession = rules.behavior != .restore
        guard !start.isEmpty else {
            makeFirstWindow("nothing is remembered")
            return
        }
        expected = try skeleton.openCount(role: nil)
        var exceptional = try skeleton.exceptionalRecords()
        expected -= exceptional.count { !$0.isRestorationEnabled }
        if start.previousWasStable {
            for record in exceptional where record.flags.contains(.offeredAgain) {
                engine.rules.offeredVersions[record.key] = try skeleton.offeredVersion(of: record)
            }
        }
        hasCrashCounts = start.blamed != nil || exceptional.contains { $0.crashCount > 0 }
        if let key = start.blamed, let record = try skeleton.record(key: key), record.isOpen {
            blame(record)
            // Its first death is counted by this launch.
            if !exceptional.contains(where: { $0.key == key }) {
                exceptional.append(record)
            }
        }
        // The beginning of the launch removes those that are not remembered.
        exceptional.removeAll { !$0.isRestorationEnabled }
        steps.append(.announceLaunch)
        if let before = start.rulesBefore {
            try adopt(before, skeleton)
        }
        try take(payloads, skeleton)
        try judge(skeleton, exceptional)
        try tellOfDiscards(skeleton)
        try connect(skeleton, exceptional)
        keepPayloads()
        noteKeptBack(exceptional)
    }

    /// Another session connects at once: what a launch falls back to when nothing can be read.
    package init(_ rules: LaunchRules, _ start: Start, payloads: [Payload]) {
        self.start = start
        engine = Engine(rules: rules)
        steps.append(.announceLaunch)
        self.payloads = payloads.map { PlannedPayload(payload: $0) }
        makeFirstWindow("what is remembered can't be read", handing: Array(payloads.indices))
    }

    mutating func decide(
        _ kind: DecisionRecord.Kind, _ session: SessionRecord? = nil, _ outcome: String,
        _ reason: String
    ) {
        steps.append(
            .decide(
                DecisionRecord(kind, session: session?.id, outcome: outcome, reason: reason)))
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
                .note(.discarded, session: discard.identifier, reason: discard.cause.rawValue))
        }
        steps.append(.tellOfDiscards(discards))
    }

    // MARK: - Connecting

    package func isThere(_ record: SessionRecord) -> Bool {
        guard record.isRestorationEnabled else {
            return false
        }
        switch places[record.key] {
        case .parked, .discarded: return false
        case .connects, nil: return rules.parked(record) == nil
        }
    }

    private mutating func connect(
        _ skeleton: some Skeleton, _ exceptional: [SessionRecord]
    ) throws(SceneStoreError) {
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
                    delivery.target.reason, handing: delivery.places, role: delivery.target.role,
                    presenting: delivery.target.value)
            }
        }
        if handsOver, rules.behavior == .restore {
            returning = try withAppWindow(returning, skeleton)
        }
        returning += try companions(returning, skeleton)
        guard rules.behavior == .restore else {
            returning.forEach { connect($0, .foreground, Self.isChild) }
            beginWithoutThem()
            if rules.afterCrash?.behavior != .restore {
                returnHeld(exceptional)
            }
            return
        }
        let first = connecting.isEmpty && newSessions.isEmpty ? returning.first?.key : nil
        if !hasAppWindow {
            joined = windowInFront(returning, first)
        }
        steps.reserveCapacity(steps.count + returning.count)
        for record in try engine.inFamilies(returning, skeleton) {
            let arrival: Arrival =
                record.key == first
                ? .active : record.isFront || joined == record.key ? .foreground : .background
            connect(record, arrival, reasons[record.key] ?? "")
        }
        if connecting.isEmpty, newSessions.isEmpty {
            makeFirstWindow(reasonOfFirstWindow(exceptional))
        } else if !hasAppWindow {
            makeFirstWindow("no window of the app is remembered")
        } else {
            steps.append(.connectIfNone(firstWindow()))
        }
        returnHeld(exceptional)
    }

    /// In an app of one scene, the window that is made stands in for a session that is held after
    /// deaths, and that comes back once it is offered again (L-52).
    private mutating func returnHeld(_ exceptional: [SessionRecord]) {
        guard !rules.supportsMultipleScenes, judgement.returning.isEmpty,
            newSessions.contains(where: { $0.role == rules.defaultRole })
        else {
            return
        }
        let held = exceptional.filter {
            $0.role == rules.defaultRole && !$0.isHeldByHand && rules.isHeld($0)
        }
        judgement.returning += held.min(by: SessionRecord.comesBefore).map { [$0.key] } ?? []
    }

    /// Why a launch that restores makes a window, where none comes back.
    private func reasonOfFirstWindow(_ exceptional: [SessionRecord]) -> String {
        noted.isEmpty
            ? exceptional.isEmpty ? "nothing is remembered" : "only parked sessions are left"
            : "only held sessions are left"
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
            judgement.behind.append(record.key)
        }
        self.places[record.key] = .connects(
            order: connecting.count + newSessions.count, arrival: arrival)
        noteFront(arrival, record.key, record.role)
        reasons[record.key] = reason
        if connecting.count == 1 {
            steps.append(.decide(.notAsked()))
        }
        var connection = connection(.remembered(record), arrival, handing: places)
        connection.planned = engine.judge(record).restoration
        steps.append(.connect(connection))
    }

    mutating func noteFront(_ arrival: Arrival, _ key: Int64, _ role: SceneSessionRole) {
        if arrival == .active || arrival == .foreground && active[role] == nil {
            active[role] = key
        }
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
        let found = try skeleton.mostRecentRecord(role: nil)
        guard let window = try engine.mostRecent(found, in: skeleton, where: fits) else {
            return front
        }
        joined = window.key
        reasons[window.key] = "it is the app's window that was active last"
        let group = try group(of: window, among: skeleton.openRecords().filter(fits), skeleton)
        return (front + group).sorted(by: SessionRecord.comesBefore)
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
