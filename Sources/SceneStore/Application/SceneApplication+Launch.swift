import SceneStoreEngine

extension SceneApplication {
    /// Launches: tells the delegate, delivers discards, connects the remembered sessions that
    /// should come back, or makes a first one.
    ///
    /// Payloads are what launched the process; they ride on the connection of the session that
    /// takes them. Throws when the store refuses to note the launch, or when it is called twice.
    public func launch(_ payloads: [Payload] = []) throws(SceneStoreError) {
        guard processState == .notLaunched else {
            throw SceneStoreError(.invalidState, "an application launches once")
        }
        let start = try store.beginLaunch(
            LaunchContext(
                appVersion: options.appVersion, systemVersion: options.systemVersion,
                idiom: options.idiom, bootIdentifier: environment.bootIdentifier,
                processIdentifier: environment.processIdentifier))
        processState = .running
        launchReason = start.reason
        isPerforming = true
        isLaunching = true
        defer {
            isLaunching = false
            finishEvent()
        }
        decide(.launchReason, start.reason.rawValue, start.explanation)
        // An app that never looks at the store itself has to hear of it, too (S-41).
        store.openingDiagnostics.filter { Self.toldAtLaunch.contains($0.code) }.forEach(report)
        if options.lifecycle == .application {
            launchApplication(payloads)
            return
        }
        machine = LifecycleMachine(lastRecency: store.currentGeneration())
        tolerating { () throws(SceneStoreError) in
            hasCrashCounts = try store.hasCrashCounts()
        }
        if let blamed = start.blamed {
            report(
                Diagnostic(
                    .restorationCrashed, .warning,
                    "the previous process died while it restored this session",
                    fix: "its state is withheld until a launch stays up", sessionIdentifier: blamed)
            )
        }
        tell(.willFinishLaunching)
        _ = delegate.application(self, willFinishLaunchingWithOptions: LaunchOptions())
        tell(.didFinishLaunching)
        _ = delegate.application(self, didFinishLaunchingWithOptions: LaunchOptions())
        var expected = 0
        tolerating { () throws(SceneStoreError) in expected = try store.openCount(role: nil) }
        tolerating { () throws(SceneStoreError) in try discardWhatCannotBeShown() }
        tolerating { () throws(SceneStoreError) in
            expected += try deliverPendingDiscards()
        }
        tolerating { () throws(SceneStoreError) in try connectAtLaunch(payloads) }
        // The windows are there: now the journal may be asked.
        tolerating { () throws(SceneStoreError) in
            expected += try noteLosses(beforeLaunch: start.number)
        }
        closeLedger(expected: expected)
        startStablePeriod()
    }

    // MARK: The ledger

    /// What was found at the opening and every app is told.
    package static let toldAtLaunch: Set<Diagnostic.Code> = [.lostCommits, .lostSessions]

    /// Sessions that were lost since the launch before are of those that this one should have had
    /// (S-40, S-41); answers how many they are.
    private func noteLosses(beforeLaunch number: Int64) throws(SceneStoreError) -> Int {
        let losses = try store.losses(beforeLaunch: number)
        for entry in losses.entries {
            note(.lost, entry.sessionIdentifier, entry.reason)
        }
        if losses.unnamed > 0 {
            ledger.counts[.lost, default: 0] += losses.unnamed
        }
        return losses.entries.count + losses.unnamed
    }

    /// Notes what became of a session that the launch expected.
    package func note(_ outcome: LaunchOutcome, _ session: String, _ reason: String) {
        ledger.counts[outcome, default: 0] += 1
        if outcome != .restored {
            ledger.exceptions.append(
                .init(sessionIdentifier: session, outcome: outcome, reason: reason))
        }
    }

    /// What was neither connected nor held, discarded or withheld stays open without a scene.
    private func closeLedger(expected: Int) {
        let waiting = expected - ledger.expected
        if waiting > 0 {
            ledger.counts[.evicted, default: 0] += waiting
        }
        guard expected > 0 else {
            return
        }
        tolerating { () throws(SceneStoreError) in try store.recordLedger(ledger) }
    }

    // MARK: After an update

    /// Judges each remembered configuration once (L-50), and the one-scene limit (L-12).
    private func discardWhatCannotBeShown() throws(SceneStoreError) {
        var gone: [Int64] = []
        for use in try store.configurationsInUse() {
            let update = rules.update(of: use.configuration, isRegistered: isRegistered)
            guard update != .current else {
                continue
            }
            for record in try store.records(configurationKey: use.key) {
                switch update {
                case .current: break
                case .replaced(let configuration):
                    decide(
                        .configuration, session: record.identifier, "renamed",
                        "the manifest has it under another name or class now")
                    try store.setConfiguration(configuration, key: record.key)
                case .stale(let configuration):
                    decide(
                        .configuration, session: record.identifier, "stale",
                        "its configuration is gone; the role's default is used")
                    try store.setConfiguration(configuration, key: record.key)
                    try store.setStale(true, key: record.key)
                    report(
                        Diagnostic(
                            .staleConfiguration, .warning,
                            "the remembered configuration is gone; the role's default is used"
                                + " and the state is kept",
                            fix: "name its successor in the rename map",
                            sessionIdentifier: record.identifier))
                case .cannotDisplay:
                    decide(
                        .discard, session: record.identifier, "cannot-display",
                        "the manifest has no configuration for its role")
                    gone.append(record.key)
                }
            }
        }
        gone += try surplusSessions(without: Set(gone))
        if !gone.isEmpty {
            // They are counted with the discards that the launch delivers.
            try store.discard(gone, cause: .cannotDisplay, deliveredNow: false)
        }
    }

    /// With one scene a role, all but the most recently active session of each role.
    private func surplusSessions(without gone: Set<Int64>) throws(SceneStoreError) -> [Int64] {
        guard !supportsMultipleScenes else {
            return []
        }
        var roles: Set<SceneSessionRole> = []
        for use in try store.configurationsInUse() {
            roles.insert(use.configuration.role)
        }
        // Sessions are only read when there is one too many.
        var hasOneTooMany = false
        for role in roles where try store.openCount(role: role) > 1 {
            hasOneTooMany = true
        }
        guard hasOneTooMany else {
            return []
        }
        let remaining = try store.openRecords().filter { !gone.contains($0.key) }
        let surplus = try rules.surplus(
            among: remaining, onceHeld: { () throws(SceneStoreError) in try store.onceHeld() })
        for record in surplus {
            decide(
                .discard, session: record.identifier, "cannot-display",
                "the app supports one scene; a more recently active one is kept")
        }
        return surplus.map(\.key)
    }

    package func isRegistered(_ className: String) -> Bool {
        registeredDelegates.isEmpty || delegateFactory(named: className) != nil
    }

    func delegateFactory(named className: String) -> ((SceneSession) -> any SceneDelegate)? {
        if let exact = registeredDelegates[className] {
            return exact
        }
        guard className.hasPrefix("$"), let last = className.split(separator: ".").last else {
            return nil
        }
        return registeredDelegates.first { $0.key.split(separator: ".").last == last }?.value
    }

    // MARK: Discards

    /// Tells the app of every discard that it has not heard of; answers how many of them were not
    /// open any more when the process began.
    private func deliverPendingDiscards() throws(SceneStoreError) -> Int {
        let pending = try store.pendingDiscards()
        guard !pending.isEmpty else {
            return 0
        }
        let keys = pending.map(\.key)
        for discard in pending {
            note(.discarded, discard.identifier, discard.cause.rawValue)
        }
        tolerating { () throws(SceneStoreError) in try store.markDiscardsOffered(keys) }
        deliverDiscards(
            pending.map { discard in
                var session = SceneSession(
                    persistentIdentifier: discard.identifier,
                    configuration: discard.configuration)
                session.discardCause = discard.cause
                session.isDiscardRedelivered = discard.isRedelivered
                return session
            })
        tolerating { () throws(SceneStoreError) in try store.markDiscardsDelivered(keys) }
        return pending.count { $0.cause != .cannotDisplay }
    }

    func deliverDiscards(_ sessions: [SceneSession]) {
        tell(.didDiscard(sessions))
        delegate.application(self, didDiscardSceneSessions: sessions)
    }

    // MARK: Connecting

    package func isHeld(_ record: SessionRecord) -> Bool { rules.isHeld(record) }

    private func connectAtLaunch(_ arrived: [Payload]) throws(SceneStoreError) {
        let (payloads, isRedelivered) = takeInbox(arrived)
        var returning = try returningRecords(hasPayload: !payloads.isEmpty)
        if !payloads.isEmpty {
            let connection = ConnectionOptions(
                payloads: payloads, isRedelivered: isRedelivered)
            do throws(SceneStoreError) {
                switch try chooseSession(for: payloads[0]) {
                case .session(let record):
                    returning.removeAll {
                        $0.key == record.key || rules.isBarred($0, by: record.configuration.role)
                    }
                    try connectRemembered(record, arrival: .active, options: connection)
                case .newSession:
                    _ = try connectNew(
                        role: defaultRole, options: connection, arrival: .active)
                }
                notePayloadsInOptions(connection)
            } catch {
                report(error)
            }
        }
        for record in returning where processState == .running {
            let arrival: LifecycleMachine.Arrival =
                machine.members.isEmpty ? .active : record.isFront ? .inactive : .background
            // One session that can't be read keeps no other from coming back.
            tolerating(record.identifier) { () throws(SceneStoreError) in
                try connectRemembered(record, arrival: arrival)
            }
        }
        if machine.members.isEmpty, processState == .running {
            do throws(SceneStoreError) {
                _ = try connectNew(
                    role: defaultRole, options: ConnectionOptions(), arrival: .active)
            } catch {
                report(error)
            }
        }
    }

    /// The remembered sessions that connect without being asked for, in their order (L-11).
    private func returningRecords(hasPayload: Bool) throws(SceneStoreError) -> [SessionRecord] {
        if options.reconnection == .all {
            let open = try store.openRecords()
            noteHeld(open)
            return rules.connectable(open.filter { !isHeld($0) })
        }
        let wereFront = try store.frontRecords()
        noteHeld(wereFront)
        let front = rules.connectable(wereFront.filter { !isHeld($0) })
        if !front.isEmpty || hasPayload {
            for record in front {
                decide(
                    .reconnect, session: record.identifier, "foreground",
                    "it was in front when the previous process ended")
            }
            return front
        }
        guard let recent = try mostRecentReturning() else {
            return []
        }
        decide(
            .reconnect, session: recent.identifier, "most-recent",
            "nothing was in front; it was active last")
        return [recent]
    }

    private func mostRecentReturning() throws(SceneStoreError) -> SessionRecord? {
        guard let recent = try store.mostRecentRecord(role: nil) else {
            return nil
        }
        if !isHeld(recent) {
            return recent
        }
        let open = try store.openRecords()
        noteHeld(open)
        return open.first { !isHeld($0) }
    }

    /// Tells of sessions that are held back. Their front marks stay: after a launch that stays up
    /// they are offered again (L-52), and come back by themselves.
    private func noteHeld(_ candidates: some Sequence<SessionRecord>) {
        for record in candidates
        where isHeld(record)
            && !ledger.exceptions.contains(where: {
                $0.sessionIdentifier == record.identifier
            })
        {
            note(.held, record.identifier, "held")
            decide(
                .stay, session: record.identifier, "held",
                rules.heldReason(of: record))
            report(
                Diagnostic(
                    .sessionHeld, .warning,
                    record.isHeldByHand
                        ? "the session is held back: somebody held it by hand"
                        : "the session is held back: processes that restored it died",
                    fix: record.isHeldByHand
                        ? "it comes back on release"
                        : "it is offered again after a launch that stays up, or on release",
                    sessionIdentifier: record.identifier))
        }
    }

    // MARK: The stable period

    /// After some time without a death nobody is blamed any more (L-52).
    func startStablePeriod() {
        guard hasCrashCounts, let scheduler else {
            return
        }
        stableTimer = scheduler.schedule(after: options.stablePeriod) { [weak self] in
            guard let self, processState == .running, unsettled.isEmpty else {
                return
            }
            defer {
                letStoreGo()
            }
            do throws(SceneStoreError) {
                try store.clearCrashCounts()
                hasCrashCounts = false
            } catch {
                report(error)
            }
        }
    }
}

extension LaunchStart {
    /// The reason in words.
    package var explanation: String {
        switch reason {
        case .first: "the container never saw a launch"
        case .launch: "the previous process ended cleanly"
        case .recover:
            previousEnd == .forceQuit
                ? "the user ended the previous process" : "the previous process died"
        case .restore: "the system was restarted since"
        }
    }
}
