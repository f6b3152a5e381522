import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Gives sessions their scenes: remembered ones with their states, as far as the rules allow, and
/// new ones.
extension SceneApplication {
    /// Gives a session its scene, and answers its key. The provider is asked for a new one alone
    /// (L-03). `items` is what it is handed, by the numbers in the inbox, once it is known whether it is
    /// private (S-70).
    func connect(
        _ connection: SceneConnection,
        _ items: (_ isPrivate: Bool) -> SceneConnection.Items = { _ in ([], []) }
    ) throws(SceneStoreError) -> Int64 {
        try requireNoTeardown()
        let key: Int64
        switch connection.subject {
        case .remembered(let record):
            key = try prepare(record, connection, items(record.privacy == .ephemeral))
        case .new(let role, let value): key = try make(role, value, connection, items)
        }
        inbox.note(connection)
        let isRestored = core.live.scene(key)?.session.hasStateToRestore ?? false
        if !connection.waiting.isEmpty {
            core.decide(
                .delivery, "when-active",
                "the policy hands it to the callbacks once the scene is active")
        }
        makeCallbacks(
            core.engine.machine.connect(
                key, role: connection.role, arrival: connection.arrival,
                recency: core.live[key]?.record.recency ?? 0, restores: isRestored,
                waiting: connection.waiting, owed: connection.owed))
        if case .new = connection.subject {
            // It was stored with its marks.
            core.live.removeMark(key)
        }
        states.writeMarks()
        return key
    }

    private func prepare(
        _ planned: SessionRecord, _ connection: SceneConnection, _ items: SceneConnection.Items
    ) throws(SceneStoreError) -> Int64 {
        // As it is stored now: the launch may have judged it since. Changed in its place, for a copy
        // of a session costs as much as a step of its connection.
        var stored = try stored(planned)
        let record = stored.record
        core.live.note(record)
        if record.privacy == .ephemeral {
            let own = core.engine.privateSessions[record.key] ?? (ActivationConditions(), nil)
            core.engine.privateSessions[record.key] = own
            stored.session.activationConditions = own.conditions
            stored.session.presentedValue = own.presentedValue
        }
        if stored.session.placement != nil {
            stored.session.placement = try places.place(stored.session, key: record.key)
        }
        // The guard may be what the process dies of (L-51).
        if connection.carriesPayload {
            core.attempt(try inbox.begin(items.carried), of: record.id)
        } else {
            settling.noteRestoring(record.key)
            core.attempt(try core.store.launches.setRestoring(key: record.key), of: record.id)
        }
        judge(&stored, connection.planned)
        settling.note(crashCount: record.crashCount)
        let isGiven = stored.session.restoration == .available && record.hasState
        let isSuspect = isGiven && record.crashCount > 0
        let isKeptBack = stored.session.withheldState?.isOfGivenState == false
        core.tolerating(record.id) { () throws(SceneStoreError) in
            try core.store.launches.noteConnection(
                of: record.key, isGiven: isGiven, isSuspect: isSuspect,
                // Of those that a launch planned it is known.
                isBehind: connection.arrival == .background && connection.planned == nil,
                willBeActive: connection.arrival == .active && !core.isLaunching)
            if isSuspect || record.crashCount > 0 && isKeptBack {
                settling.suspects.insert(record.key)
            }
        }
        let scene = attach(stored.session, key: record.key, connection, items)
        scene.savedUnder = stored.context
        if record.hasState, stored.session.restoration != .available,
            let reason = stored.session.withheldState
        {
            scene.awaitPlaceholder(reason)
        }
        return record.key
    }

    /// Judges a session that connects: what it is shown with, and whether it gets its state.
    private func judge(_ stored: inout RememberedSession, _ planned: RestorationStatus?) {
        let record = stored.record
        let judged = core.engine.judge(record)
        stored.session.launchReason = launchReason
        stored.session.isRemembered = true
        // Nil for the one that it was read with.
        if let configuration = judged.configuration {
            stored.session.configuration = configuration
        }
        stored.session.restoration = restorationStatus(judged.restoration, of: stored)
        let (identifier, restoration) = (stored.session.id, stored.session.restoration)
        if planned == nil {
            core.decide(.notAsked(session: identifier))
        }
        let hasState =
            if case .some = stored.session.stateRestorationActivity { true } else { false }
        func decision() -> DecisionRecord {
            core.engine.rules.decision(restoration, of: record, hasState: hasState)
        }
        let isStored = restoration == planned && hasState == record.hasState
        if !isStored || core.decisionHandler != nil || core.decisionRecorder != nil {
            core.decide(decision(), isStored: isStored)
        }
        if let withheld = withhold(record, stored.session) {
            stored.session.withheldState = withheld
        }
        if core.isLaunching {
            core.book.note(
                restoration.outcome, identifier,
                restoration == .withheld && stored.session.withheldState == .lost
                    ? "the state that was saved last is lost" : decision().reason)
        }
    }

    /// A session as it is stored, with the state that its last scene could not save.
    private func stored(_ planned: SessionRecord) throws(SceneStoreError) -> RememberedSession {
        guard core.live[planned.key]?.unsaved != nil else {
            do throws(SceneStoreError) {
                var stored = try core.store.remembered(planned)
                if stored.session.withheldState == .lost {
                    // A salvage since the plan may have found no state at all.
                    stored.record = planned
                }
                return stored
            } catch  where error.code == .corrupt {
                // More than its row lies on a damaged page: its window comes back all the same. The
                // next opening salvages what it had.
                core.report(error, session: planned.id)
                return .withoutState(planned)
            }
        }
        states.commitStates()
        var stored = try core.store.remembered(planned)
        if let unsaved = core.live[planned.key]?.unsaved {
            stored.session.stateRestorationActivity =
                if case .encoded(let state) = unsaved.content {
                    try ValueCodec.decodeActivity(state.bytes).revealed
                } else { nil }
        }
        return stored
    }

    /// Makes a session; the provider is asked, once in the session's life.
    private func make(
        _ role: SceneSessionRole, _ presentedValue: Value?, _ connection: SceneConnection,
        _ items: (_ isPrivate: Bool) -> SceneConnection.Items
    ) throws(SceneStoreError) -> Int64 {
        let identifier = SceneSession.ID(core.environment.makeIdentifier())
        var session = SceneSession(
            persistentIdentifier: identifier,
            configuration: core.engine.rules.resolver.initial(for: role))
        session.launchReason = launchReason
        session.privacy = connection.privacy
        // Whether it is private is known once the provider has answered, at the latest.
        let mayBePrivate = core.engine.rules.isPrivate(nil) || connection.privacy == .ephemeral
        let known = mayBePrivate ? nil : items(false)
        session.configuration = try configure(session, connection, offering: known)
        // What isn't remembered leaves nothing of its content in a file (S-70).
        session.privacy =
            core.engine.rules.isRemembered(session.configuration)
            ? connection.privacy : .ephemeral
        if session.privacy == .standard, let name = session.configuration.name,
            core.options.redactedConfigurations.contains(name)
        {
            session.privacy = .redacted
        }
        let isRemembered = core.isRemembered(session.configuration, session.privacy)
        let isBehind = connection.arrival == .background
        let items = known ?? items(session.privacy == .ephemeral)
        let record = try core.store.insertSession(
            identifier: identifier.rawValue, configuration: session.configuration,
            formerNames: core.engine.rules.formerNames(of: session.configuration),
            isFront: !isBehind, becameActive: connection.arrival == .active,
            presentedValue: presentedValue,
            isRemembered: isRemembered, isBehind: isBehind, privacy: session.privacy)
        lastWindows.noteMade(record)
        session.presentedValue = presentedValue
        if session.privacy == .ephemeral {
            core.engine.privateSessions[record.key] = (ActivationConditions(), presentedValue)
        }
        session.restoration = isRemembered ? .available : .disabled
        core.live.note(record)
        core.attempt(try inbox.begin(items.carried))
        attach(session, key: record.key, connection, items)
        return record.key
    }

    /// Asks the provider and fills its answer in from the manifest (L-05 to L-09).
    private func configure(
        _ session: SceneSession, _ connection: SceneConnection,
        offering items: SceneConnection.Items?
    ) throws(SceneStoreError) -> SceneConfiguration {
        let role = session.role
        let resolved: SceneConfiguration
        if let name = connection.configurationName {
            core.decide(
                .provider, session: session.persistentIdentifier, "not-asked",
                "the configuration was named when the window was asked for")
            resolved = core.engine.rules.resolver.resolve(
                SceneConfiguration(name: name, role: role))
        } else if let configurationProvider,
            configurationProvider.providesConfiguration(for: role)
        {
            core.decide(
                .provider, session: session.persistentIdentifier, "asked",
                "the session is new")
            // It sees what is handed over, also what comes by callbacks (L-65).
            core.attempt(try inbox.begin(items.map { $0.carried + $0.awaited } ?? []))
            let answer = configurationProvider.application(
                self, configurationForConnecting: session, options: connection.options)
            core.tell(.configuration(session, answer: answer))
            guard answer.role == role else {
                throw SceneStoreError(
                    .roleMismatch,
                    "the provider returned a configuration of another role;"
                        + " return one of the session's own role")
            }
            resolved = core.engine.rules.resolver.resolve(answer)
        } else {
            let entry = core.engine.rules.resolver.manifest?.defaultConfiguration(for: role)
            core.decide(
                .provider, session: session.persistentIdentifier, "absent",
                entry == nil
                    ? "the app has no provider, and the manifest no configuration for the role"
                    : "the app has no provider; the manifest's first configuration is used")
            guard let entry else {
                throw SceneStoreError(
                    .noConfiguration,
                    "no manifest entry and no provider for the role; nothing connects",
                    path: role.rawValue)
            }
            resolved = entry
        }
        if resolved.resolution == .unresolved {
            core.report(
                .unresolved(
                    resolved, in: core.engine.rules.resolver.manifest,
                    of: session.persistentIdentifier))
        }
        return resolved
    }

    @discardableResult
    private func attach(
        _ session: SceneSession, key: Int64, _ connection: SceneConnection,
        _ items: SceneConnection.Items
    ) -> Scene {
        let made = session.configuration.delegateClassName.flatMap(delegateFactory(named:))
        let scene = Scene(
            application: self, session: session, key: key,
            delegate: made?(session)
                ?? delegate.application(self, sceneDelegateFor: session))
        (scene.delegate as? any SceneStorageOwner)?.scene = scene
        inbox.note(items.carried + items.awaited, takenBy: session.id)
        if connection.carriesPayload {
            scene.delivery = (core.environment.now(), items.carried)
            settling.watch(items.carried)
        }
        if !connection.waiting.isEmpty || !items.awaited.isEmpty {
            inbox.await(items.awaited, by: key)
        }
        scene.arriving = connection.riding.isEmpty ? nil : connection.riding
        core.live.connect(scene)
        return scene
    }

    // MARK: Restoring

    /// What becomes of a session's state, once the rules have judged it.
    private func restorationStatus(
        _ status: RestorationStatus, of stored: RememberedSession
    ) -> RestorationStatus {
        guard status == .available else {
            return status
        }
        // What was saved last is not in the file: an earlier state is nothing to go on from unasked.
        if stored.record.hasState, stored.session.withheldState == .lost,
            stored.session.stateRestorationActivity == nil
        {
            return .withheld
        }
        if let context = stored.context,
            !delegate.application(self, shouldRestore: stored.session, savedUnder: context)
        {
            return .declined
        }
        return .available
    }

    /// A state that is not given to `restore` is pinned: what the window shows instead is saved
    /// beside it, never over it (L-52). Answers why, unless it was kept from the app before.
    private func withhold(_ record: SessionRecord, _ session: SceneSession) -> WithheldReason? {
        guard record.hasState else {
            return nil
        }
        let reason: WithheldReason? =
            switch session.restoration {
            case .withheld: session.withheldState == .lost ? .lost : .crash
            case .stale: .stale
            case .declined: .declined
            // Held back after deaths, its state is withheld since the first of them.
            case .held: record.isStateWithheld ? nil : record.isHeldByHand ? .held : .crash
            case .available, .failed, .disabled: nil
            }
        guard let reason else {
            return nil
        }
        core.attempt(try core.store.history.withhold(key: record.key, reason), of: record.id)
        if reason == .crash, record.key != core.blamed {
            core.report(
                Diagnostic(
                    .stateWithheld, .warning,
                    "the session's state is withheld: a process died while it restored it",
                    fix:
                        "a launch that stays up offers it again; restoreWithheldState takes it back",
                    sessionIdentifier: record.id))
        }
        return reason
    }
}

extension Diagnostic {
    /// A window opens under a name that its role doesn't have (L-07).
    fileprivate static func unresolved(
        _ configuration: SceneConfiguration, in manifest: SceneManifest?,
        of session: SceneSession.ID
    ) -> Diagnostic {
        let name = configuration.name.map { "'\($0)'" } ?? "without a name"
        let isDeclared = manifest?.isDeclaredInCode == true
        var fix =
            isDeclared
            ? "declare it with .desktop(.window(…)), or correct the name"
            : "add it to UISceneConfigurations, or correct the name"
        if let other = configuration.name.flatMap({ manifest?.role(ofConfiguration: $0) }) {
            fix = "it is declared under the role \(other.rawValue); pass that role"
        }
        return Diagnostic(
            .unresolvedConfiguration, .warning,
            (isDeclared
                ? "no window \(name) is declared for the role"
                : "the manifest has no configuration \(name) under the role"),
            path: configuration.role.rawValue, fix: fix, sessionIdentifier: session)
    }
}

extension SceneSession {
    /// Whether it is remembered, and its state is handed to its window. Of the state only that it is
    /// there is asked: it would be copied otherwise.
    fileprivate var hasStateToRestore: Bool {
        guard isRemembered, restoration == .available, case .some = stateRestorationActivity else {
            return false
        }
        return true
    }
}
