import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// The launch of a process: what is decided and written before the first callback, and the steps
/// that follow (L-01, L-10, L-17).
///
/// 1. The plan is stored, in one transaction, before the app is called. Only where the app wants
///    payloads to go is asked before (L-79).
/// 2. A session that can't be read keeps no other from coming back; a store that can't be written
///    takes no window away.
extension SceneApplication {
    /// What a launch decided, and what it could not read.
    private struct Beginning {
        var plan: LaunchPlan
        /// Why the plan is that of an empty store.
        var failure: SceneStoreError?
        /// The numbers in the inbox of the payloads that launched the process.
        var items: [Int64?] = []
        /// Why the process was launched, and what the app has dealt with itself.
        var decisions: [DecisionRecord] = []
    }

    private func begin(with payloads: [Payload]) throws(SceneStoreError) {
        // A store that can't be written takes no window away (L-17).
        core.store.holdRefusedWrites()
        let (payloads, handled) = nameTargets(of: payloads)
        let beginning = try begin(payloads, handled: handled)
        core.processState = .running
        core.launchReason = beginning.plan.start.reason
        core.isPerforming = true
        core.isLaunching = true
        defer {
            core.isLaunching = false
            events.finish()
        }
        tell(of: beginning)
        guard core.options.lifecycle == .scene else {
            return launchBeforeScenes(payloads)
        }
        perform(beginning)
    }

    /// Tells why the process was launched, and what is wrong.
    private func tell(of beginning: Beginning) {
        beginning.decisions.forEach { core.decide($0, isStored: true) }
        if core.scheduler == nil {
            core.report(.noScheduler)
        }
        tellOfDeclaration()
        // An app that never looks at the store itself has to hear of it, too (S-41).
        core.store.openingDiagnostics.forEach(core.report)
        core.tellFindings()
        if let failure = beginning.failure {
            core.report(failure)
        }
    }

    /// Tells which declared names lead to no window, or to another one (L-07).
    private func tellOfDeclaration() {
        let rules = core.engine.rules
        if let name = rules.openingConfiguration, rules.opening == nil {
            core.report(
                Diagnostic(
                    .unresolvedConfiguration, .warning,
                    "no window '\(name)' is declared for the default role",
                    path: "openingConfiguration",
                    fix: "declare it, or correct the name; until then the role's default opens"))
        }
        guard let manifest = core.options.manifest, manifest.isDeclaredInCode else {
            return
        }
        var names: Set<String> = []
        for name in manifest.configurations.values.joined().compactMap(\.name).sorted()
        where !names.insert(name).inserted {
            core.report(
                Diagnostic(
                    .duplicateConfigurationName, .warning,
                    "two kinds of window have the name '\(name)'; the first one counts",
                    fix: "give each kind a name of its own"))
        }
    }

    // MARK: Deciding

    /// Decides what this launch does, and writes it. A store whose pages are damaged is salvaged at
    /// once, so that no window has to wait for the next launch (S-11).
    private func begin(_ payloads: [Payload], handled: Int) throws(SceneStoreError) -> Beginning {
        do throws(SceneStoreError) {
            return try begin(payloads, handled: handled, mayBeEmpty: false)
        } catch  where error.code == .corrupt {
            try core.store.reopenDamaged()
            return try begin(payloads, handled: handled, mayBeEmpty: true)
        }
    }

    private func begin(
        _ payloads: [Payload], handled: Int, mayBeEmpty: Bool
    ) throws(SceneStoreError) -> Beginning {
        var beginning = try plan(payloads)
        if let failure = beginning.failure, failure.code == .corrupt, !mayBeEmpty {
            throw failure
        }
        if !mayBeEmpty, core.store.isContradictory {
            throw SceneStoreError(.corrupt, "an index of the store is damaged")
        }
        try requireConfiguration(for: beginning.plan)
        let plan = beginning.plan
        beginning.decisions =
            [
                DecisionRecord(
                    .launchReason, outcome: plan.start.reason.rawValue, reason: plan.start.text)
            ] + Array(repeating: .handledPayload, count: handled)
        var judgement = plan.judgement
        let decisions = plan.decisions
        judgement.decisions = beginning.decisions + decisions.records
        judgement.restored = decisions.restored
        let (options, environment) = (core.options, core.environment)
        beginning.items = try core.store.launches.begin(
            LaunchContext(
                appVersion: options.appVersion, systemVersion: options.systemVersion,
                idiom: options.idiom, declared: options.declaration,
                bootIdentifier: environment.bootIdentifier,
                processIdentifier: environment.processIdentifier),
            plan.start.reason, judgement)
        return beginning
    }

    /// What this launch does. When what is remembered can't be read there is a window all the
    /// same, and the reason why it is an empty one.
    private func plan(_ payloads: [Payload]) throws(SceneStoreError) -> Beginning {
        let (rules, options) = (core.engine.rules, core.options)
        let (boot, now) = (core.environment.bootIdentifier, core.environment.now())
        let stablePeriod = options.stablePeriod
        settling.begin(at: now)
        let start = try core.store.read { skeleton throws(SceneStoreError) in
            let previous = try skeleton.previousProcess()
            var start = LaunchPlan.Start(
                after: previous, bootIdentifier: boot, now: now, stablePeriod: stablePeriod)
            try start.learnRules(of: previous, from: skeleton)
            return start
        }
        guard options.lifecycle == .scene else {
            return Beginning(plan: LaunchPlan(rules, start, payloads: []))
        }
        do throws(SceneStoreError) {
            return Beginning(
                plan: try core.store.read { skeleton throws(SceneStoreError) in
                    try LaunchPlan(skeleton, rules, start, payloads: payloads)
                })
        } catch {
            return Beginning(plan: LaunchPlan(rules, start, payloads: payloads), failure: error)
        }
    }

    /// Throws when the app can show nothing at all: for no role of a window that is made there is an
    /// entry or a provider, and nothing is connected or kept (L-09).
    private func requireConfiguration(for plan: LaunchPlan) throws(SceneStoreError) {
        guard core.options.lifecycle == .scene, plan.isBare,
            let new = plan.newSessions.last,
            !plan.newSessions.contains(where: {
                $0.configuration != nil || provides($0.role)
            })
        else {
            return
        }
        throw SceneStoreError(
            .noConfiguration,
            "no manifest entry and no provider for the role; nothing connects",
            path: new.role.rawValue)
    }

    // MARK: Performing

    private func perform(_ beginning: Beginning) {
        var plan = beginning.plan
        let store = core.store
        core.engine.machine = LifecycleMachine(lastRecency: store.currentGeneration())
        settling.hasCrashCounts = plan.hasCrashCounts
        core.blamed = plan.rules.blamed
        core.engine.rules.behavior = plan.rules.behavior
        core.engine.rules.adopted = plan.rules.adopted
        plan.number(arrived: beginning.items)
        inbox.take(plan.payloads)
        if plan.rules.behavior != .restore {
            core.attempt(try lastWindows.keep())
        }
        store.expect(plan.connecting.map(\.key))
        core.live.reserve(plan.connecting.count)
        core.engine.machine.reserve(plan.connecting.count)
        defer {
            store.expect([])
        }
        carryOut(plan)
        guard core.processState == .running else {
            return
        }
        // The windows are there: now the journal may be asked.
        closeBook(plan)
        settling.startPeriod()
    }

    private func carryOut(_ plan: LaunchPlan) {
        let performer = StepPerformer(application: self, plan: plan)
        var unmet: [Int] = []
        for step in plan.steps where core.processState == .running {
            // One session that can't be read keeps no other from coming back.
            core.tolerating(step.sessionIdentifier) { () throws(SceneStoreError) in
                do throws(SceneStoreError) {
                    try performer.perform(step)
                } catch {
                    unmet += step.newConnection?.payloads ?? []
                    if case .connect(let connection) = step, connection.arrival == .active {
                        performer.lacksActive = true
                    }
                    throw error
                }
            }
        }
        for place in unmet where core.processState == .running {
            handOver(plan.payloads[place])
        }
    }

    /// Hands over a payload of this launch for which the window that the app named could not be made.
    private func handOver(_ planned: LaunchPlan.PlannedPayload) {
        guard let named = core.engine.rules.namedTarget(of: planned.payload) else {
            return
        }
        core.tolerating { () throws(SceneStoreError) in
            try hand(
                planned.call, identifier: planned.payload.activationIdentifier, to: named,
                isUnmet: true
            ) { [inbox] isPrivate in
                planned.item.map { [$0] } ?? (isPrivate ? [] : inbox.keep(planned.call))
            }
        }
    }

    /// Stores what became of the sessions that this launch should have had. Those that were lost
    /// since the launch before are among them (S-40, S-41). Stores, too, who counts as used from now on
    /// though only the launch made it active (L-52, L-70).
    private func closeBook(_ plan: LaunchPlan) {
        let store = core.store
        var expected = plan.expected
        core.tolerating { () throws(SceneStoreError) in
            let losses = try store.journal.losses(beforeLaunch: plan.start.number)
            for entry in losses.entries {
                core.book.note(.lost, entry.sessionIdentifier, entry.reason)
            }
            core.book.noteLost(unnamed: losses.unnamed)
            expected += losses.entries.count + losses.unnamed
        }
        core.book.close(expected: expected)
        var marks: [MarkChange] = []
        let now = core.environment.now()
        core.tolerating { () throws(SceneStoreError) in
            marks = try core.planning { engine, skeleton throws(SceneStoreError) in
                try engine.overtaken(in: skeleton, now: now).map {
                    MarkChange(key: $0, becameActive: true)
                }
            }
        }
        core.tolerating { () throws(SceneStoreError) in
            if expected > 0 {
                try store.launches.record(core.book, marks: marks)
            } else {
                try store.marks.apply(marks)
            }
        }
    }
}

extension SceneApplication {
    /// Launches the app: connects the remembered sessions that come back, or makes a first one.
    ///
    /// Calls the application delegate and delivers discards first. `payloads` are the payloads that
    /// launched the process; ``SceneApplicationOptions/delivery`` tells how they arrive. Those that the
    /// process was started with come first (<doc:OneInstance>).
    /// Everything is decided, and written in one transaction, before the first callback.
    ///
    /// Throws if the store refuses to record the launch or the app was already launched,
    /// ``SceneStoreError/Code/storeInUse`` if another application uses the store, and
    /// ``SceneStoreError/Code/noConfiguration`` if nothing is remembered and no window can be made.
    public func launch(_ payloads: [Payload] = []) throws(SceneStoreError) {
        guard core.processState == .notLaunched, !isBeginning else {
            throw SceneStoreError(
                .invalidState, "launch(_:) was called before; make another application")
        }
        try store.claim(claim)
        isBeginning = true
        defer {
            isBeginning = false
            if core.processState == .notLaunched {
                store.release(claim)
            }
        }
        do throws(SceneStoreError) {
            try begin(with: (startPayloads?() ?? []) + payloads)
        } catch {
            // Others that wait for this launch are not kept waiting.
            launchHandler?(error)
            throw error
        }
        launchHandler?(nil)
        (startPayloads, launchHandler) = (nil, nil)
    }

    /// The reason why this process was launched; nil before ``launch(_:)``.
    public var launchReason: LaunchReason? { core.launchReason }
}
