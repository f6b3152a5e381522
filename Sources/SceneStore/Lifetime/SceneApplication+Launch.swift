import SceneStoreEngine

extension SceneApplication {
    /// Launches the app: connects the remembered sessions that come back, or makes a first one.
    ///
    /// Calls the application delegate and delivers discards first. `payloads` are the payloads that
    /// launched the process; ``SceneApplicationOptions/delivery`` tells how they arrive.
    /// Everything is decided, and written in one transaction, before the first callback.
    ///
    /// Throws if the store refuses to record the launch or the app was already launched,
    /// ``SceneStoreError/Code/storeInUse`` if another application uses the store, and
    /// ``SceneStoreError/Code/noConfiguration`` if nothing is remembered and no window can be made.
    public func launch(_ payloads: [Payload] = []) throws(SceneStoreError) {
        guard processState == .notLaunched else {
            throw SceneStoreError(.invalidState, "an application launches once")
        }
        try store.claim(claim)
        defer {
            if processState == .notLaunched {
                store.release(claim)
            }
        }
        let (payloads, handled) = nameTargets(of: payloads)
        // A store that can't be written takes no window away (L-17).
        store.holdRefusedWrites()
        var (plan, failure, items) = try begin(payloads)
        processState = .running
        launchReason = plan.reason
        events.begin()
        isLaunching = true
        defer {
            isLaunching = false
            events.finish()
        }
        decide(.launchReason, plan.reason.rawValue, plan.reasonText)
        for _ in 0..<handled {
            decide(.handledPayload)
        }
        if scheduler == nil {
            report(.noScheduler)
        }
        // An app that never looks at the store itself has to hear of it, too (S-41).
        store.openingDiagnostics.forEach(report)
        if let failure {
            report(failure)
        }
        if options.lifecycle == .application {
            preScene.launch(payloads)
            return
        }
        engine.machine = LifecycleMachine(lastRecency: store.currentGeneration())
        settling.hasCrashCounts = plan.hasCrashCounts
        blamed = plan.rules.blamed
        plan.number(arrived: items)
        inbox.take(plan.payloads)
        if plan.rules.behavior != .restore {
            tolerating { () throws(SceneStoreError) in try lastWindows.keep() }
        }
        lastWindows.noteBehind(plan.behind)
        store.expect(plan.connecting.map(\.key))
        live.reserve(plan.connecting.count)
        engine.machine.reserve(plan.connecting.count)
        defer {
            store.expect([])
        }
        var unmet: [Int] = []
        for step in plan.steps where processState == .running {
            // One session that can't be read keeps no other from coming back.
            tolerating(step.sessionIdentifier) { () throws(SceneStoreError) in
                do throws(SceneStoreError) {
                    try carryOut(step, of: plan)
                } catch {
                    unmet += step.newConnection?.payloads ?? []
                    throw error
                }
            }
        }
        for place in unmet where processState == .running {
            handOver(plan.payloads[place])
        }
        guard processState == .running else {
            return
        }
        // The windows are there: now the journal may be asked.
        book.close(plan)
        tolerating { () throws(SceneStoreError) in try noteUse() }
        settling.startPeriod()
    }

    /// Notes who counts as used from now on though only the launch made it active (L-52).
    private func noteUse() throws(SceneStoreError) {
        let engine = engine
        let used = try store.asking { skeleton throws(SceneStoreError) in
            try engine.overtaken(in: skeleton)
        }
        try store.marks.apply(used.map { MarkChange(key: $0, becameActive: true) })
    }

    /// Asks the app where what launched the process, and what waits in the inbox, is to go (L-79).
    /// Answers what launched the process and is to be handed over, and how many the app has dealt with
    /// itself.
    private func nameTargets(of payloads: [Payload]) -> (payloads: [Payload], handled: Int) {
        guard options.lifecycle == .scene else {
            return (payloads, 0)
        }
        var named = payloads.map { ($0, delegate.application(self, targetFor: $0)) }
        let rest = named.filter { $0.1 != .handled }.map(\.0)
        for item in offeredItems() {
            let key = item.payload.deduplicationKey
            if let known = named.first(where: { key != nil && $0.0.deduplicationKey == key }) {
                // It arrives again: the app was asked about it.
                if known.1 == .handled {
                    engine.rules.handledItems.insert(item.id)
                }
                continue
            }
            let target = delegate.application(self, targetFor: item.payload)
            if target == .handled {
                engine.rules.handledItems.insert(item.id)
            } else {
                named.append((item.payload, target))
            }
        }
        engine.rules.namedTargets = named.compactMap { payload, target in
            target.map { (payload, $0) }
        }
        noteProvidedRoles(of: named.compactMap(\.1))
        return (rest, payloads.count - rest.count)
    }

    /// What this launch offers of the inbox; nothing while that can't be read, which the launch tells.
    private func offeredItems() -> [InboxItem] {
        let rules = engine.rules
        guard rules.readsInbox else {
            return []
        }
        do throws(SceneStoreError) {
            return try store.asking { skeleton throws(SceneStoreError) in
                try LaunchPlan.offered(skeleton, rules)
            }
        } catch {
            return []
        }
    }

    /// Hands over a payload of this launch for which the window that the app named could not be made.
    private func handOver(_ planned: LaunchPlan.PlannedPayload) {
        guard let named = engine.rules.namedTarget(of: planned.payload) else {
            return
        }
        tolerating { () throws(SceneStoreError) in
            try take(
                planned.call, identifier: planned.payload.activationIdentifier,
                insteadOf: named, handing: planned.item.map { [$0] } ?? [])
        }
    }

    /// Notes for which of the roles that the app named the provider has a configuration.
    func noteProvidedRoles(of targets: [PayloadTarget]) {
        for case .role(let role) in targets where provides(role) {
            engine.rules.providedRoles.insert(role)
        }
    }

    /// Whether a window of the same role was asked for at this launch and could not be made: another
    /// one can't be, either, and that was reported.
    private func hasNoConfiguration(for connection: SceneConnection, _ plan: LaunchPlan?) -> Bool {
        connection.configurationName == nil
            && plan?.newSessions.contains {
                $0.role == connection.role && $0.configuration == nil && !provides($0.role)
            } ?? false
    }

    private func provides(_ role: SceneSessionRole) -> Bool {
        configurationProvider?.providesConfiguration(for: role) == true
    }

    /// Throws when the app can show nothing at all: for no role of a window that is made there is an
    /// entry or a provider, and nothing is connected or kept (L-09).
    private func requireConfiguration(for plan: LaunchPlan) throws(SceneStoreError) {
        guard options.lifecycle == .scene, plan.isBare, let new = plan.newSessions.last,
            !plan.newSessions.contains(where: { $0.configuration != nil || provides($0.role) })
        else {
            return
        }
        throw SceneStoreError(
            .noConfiguration,
            "no manifest entry and no provider for the role; nothing connects",
            path: new.role.rawValue)
    }

    /// Decides what this launch does, and writes it. A store whose pages are damaged is salvaged at
    /// once, so that no window has to wait for the next launch (S-11).
    private func begin(
        _ payloads: [Payload]
    ) throws(SceneStoreError) -> (LaunchPlan, SceneStoreError?, [Int64?]) {
        do throws(SceneStoreError) {
            return try begin(payloads, mayBeEmpty: false)
        } catch {
            guard error.code == .corrupt else {
                throw error
            }
            try store.reopenDamaged()
            return try begin(payloads, mayBeEmpty: true)
        }
    }

    private func begin(
        _ payloads: [Payload], mayBeEmpty: Bool
    ) throws(SceneStoreError) -> (LaunchPlan, SceneStoreError?, [Int64?]) {
        let (plan, failure) = try planLaunch(payloads)
        if let failure, failure.code == .corrupt, !mayBeEmpty {
            throw failure
        }
        if !mayBeEmpty, store.isContradictory {
            throw SceneStoreError(.corrupt, "an index of the store is damaged")
        }
        try requireConfiguration(for: plan)
        let items = try store.launches.begin(
            LaunchContext(
                appVersion: options.appVersion, systemVersion: options.systemVersion,
                idiom: options.idiom, declared: options.declaration,
                bootIdentifier: environment.bootIdentifier,
                processIdentifier: environment.processIdentifier), plan.reason, plan.judgement)
        return (plan, failure, items)
    }

    /// What this launch does. When what is remembered can't be read there is a window all the
    /// same, and the reason why it is an empty one.
    private func planLaunch(
        _ payloads: [Payload]
    ) throws(SceneStoreError) -> (LaunchPlan, SceneStoreError?) {
        let (rules, boot) = (engine.rules, environment.bootIdentifier)
        let (now, stablePeriod) = (environment.now(), options.stablePeriod)
        settling.begin(at: now)
        let start = try store.asking { skeleton throws(SceneStoreError) in
            try LaunchPlan.Start(
                from: skeleton, bootIdentifier: boot, now: now, stablePeriod: stablePeriod)
        }
        guard options.lifecycle == .scene else {
            return (LaunchPlan(rules, start, payloads: []), nil)
        }
        do throws(SceneStoreError) {
            let plan = try store.asking { skeleton throws(SceneStoreError) in
                try LaunchPlan(skeleton, rules, start, payloads: payloads)
            }
            return (plan, nil)
        } catch {
            return (LaunchPlan(rules, start, payloads: payloads), error)
        }
    }

    // MARK: Performing

    /// Performs steps; answers the key of the last session that a step connected. `items` are the
    /// numbers in the inbox of what the event hands over.
    @discardableResult
    func carryOut(
        _ steps: [PlanStep], handing items: [Int64] = []
    ) throws(SceneStoreError) -> Int64? {
        var connected: Int64?
        for step in steps where processState == .running {
            connected = try carryOut(step, handing: items) ?? connected
        }
        return connected
    }

    @discardableResult
    private func carryOut(
        _ step: PlanStep, of plan: LaunchPlan? = nil, handing items: [Int64] = []
    ) throws(SceneStoreError) -> Int64? {
        switch step {
        case .decide(let record): decide(record)
        case .report(let diagnostic): report(diagnostic)
        case .note(let outcome, let session, let reason): book.note(outcome, session, reason)
        case .announceLaunch:
            tell(.willFinishLaunching)
            _ = delegate.application(self, willFinishLaunchingWithOptions: LaunchOptions())
            tell(.didFinishLaunching)
            _ = delegate.application(self, didFinishLaunchingWithOptions: LaunchOptions())
        case .tellOfDiscards(let discards): try tellOfDiscards(discards, plan)
        case .connectIfNone(let connection):
            if engine.machine.members.isEmpty, !hasNoConfiguration(for: connection, plan) {
                return try connect(connection)
            }
        case .connect(let connection):
            let items = plan?.items(of: connection) ?? HandedItems(items, of: connection)
            let key: Int64
            if isLaunching, engine.machine.members.isEmpty {
                // Whoever should have come first could not be read.
                var first = connection
                first.arrival = .active
                key = try connect(first, items)
            } else {
                key = try connect(connection, items)
            }
            if !items.all.isEmpty {
                inbox.note(items.all, takenBy: live[key]?.record.id)
            }
            return key
        case .bringForward(let record, let call):
            tolerating { () throws(SceneStoreError) in try inbox.begin(items) }
            let wasActive = engine.machine.phase(of: record.key) == .active
            perform(engine.machine.bringForward(record.key, payload: call))
            if wasActive, let scene = live.scene(record.key) {
                live.mark(record.key) { $0.becameActive = true }
                // Who takes a payload is raised by it.
                if call == nil {
                    raiseHandler?(scene)
                }
            }
            writeMarks()
        case .discard(let records, let cause, let freed):
            try discard(records, cause, freeing: freed)
        }
        return nil
    }

    private func tellOfDiscards(
        _ discards: [LaunchPlan.Discard], _ plan: LaunchPlan?
    ) throws(SceneStoreError) {
        deliverDiscards(
            discards.map { discard in
                var session = SceneSession(
                    persistentIdentifier: discard.identifier,
                    configuration: discard.configuration)
                session.discardCause = discard.cause
                session.isDiscardRedelivered = discard.isRedelivered
                return session
            })
        if let judgement = plan?.judgement {
            try store.discards.markDelivered(judgement.told)
        }
    }

    func deliverDiscards(_ sessions: [SceneSession]) {
        tell(.didDiscard(sessions))
        delegate.application(self, didDiscardSceneSessions: sessions)
    }
}
