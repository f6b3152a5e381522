import SceneStoreEngine

extension SceneApplication {
    /// A session for an event: a remembered one, or one that is to be made.
    package enum Target {
        case session(SessionRecord)
        case newSession
    }

    /// Gives a remembered session a scene; the provider is not asked (L-03).
    func connectRemembered(
        _ record: SessionRecord, arrival: LifecycleMachine.Arrival,
        options connection: ConnectionOptions = ConnectionOptions()
    ) throws(SceneStoreError) {
        var session = try storedSession(record)
        session.launchReason = launchReason
        session.isRemembered = true
        session.restoration = try restorationStatus(of: record, session)
        decide(
            .provider, session: record.identifier, "not-asked",
            "the session is remembered with its configuration")
        explainRestoration(session)
        if isLaunching {
            note(session.restoration.outcome, record.identifier, session.restoration.rawValue)
        }
        records[record.key] = record
        unsettled.append(record.key)
        tolerating(record.identifier) { () throws(SceneStoreError) in
            try store.setRestoring(key: record.key)
        }
        attach(session, key: record.key, options: connection, arrival: arrival)
        perform(
            machine.connect(
                record.key, arrival: arrival, recency: record.recency,
                deferred: deferredPayload(of: connection)))
        writeMarks()
    }

    /// A session as it is stored, with the state that its last scene could not save.
    private func storedSession(_ record: SessionRecord) throws(SceneStoreError) -> SceneSession {
        if unsavedStates[record.key] != nil {
            commitStates()
        }
        var session = try store.session(for: record)
        if let unsaved = unsavedStates[record.key] {
            session.stateRestorationActivity = try unsaved.map {
                (state) throws(SceneStoreError) in
                try ValueCodec.decodeActivity(state.bytes).revealed
            }
        }
        return session
    }

    /// Makes a session and connects it; the provider is asked, once in the session's life.
    func connectNew(
        role: SceneSessionRole, options connection: ConnectionOptions,
        arrival: LifecycleMachine.Arrival, presentedValue: Value? = nil
    ) throws(SceneStoreError) -> Int64 {
        let identifier = environment.makeIdentifier()
        var session = SceneSession(
            persistentIdentifier: identifier, configuration: resolver.initial(for: role))
        session.launchReason = launchReason
        session.configuration = try configure(session, options: connection)
        let isRemembered =
            session.configuration.name.map { !options.unrememberedConfigurations.contains($0) }
            ?? true
        let record = try store.insertSession(
            identifier: identifier, configuration: session.configuration, userInfo: [:],
            isFront: arrival != .background, becameActive: arrival == .active,
            presentedValue: presentedValue)
        session.presentedValue = presentedValue
        records[record.key] = record
        if !isRemembered {
            try store.setRestorationEnabled(false, key: record.key)
            session.restoration = .disabled
        }
        attach(session, key: record.key, options: connection, arrival: arrival)
        perform(
            machine.connect(
                record.key, arrival: arrival, recency: record.recency,
                deferred: deferredPayload(of: connection)))
        pendingMarks[record.key] = nil
        writeMarks()
        return record.key
    }

    /// Asks the provider and fills its answer in from the manifest (L-05 to L-09).
    private func configure(
        _ session: SceneSession, options connection: ConnectionOptions
    ) throws(SceneStoreError) -> SceneConfiguration {
        let role = session.role
        let resolved: SceneConfiguration
        if let configurationProvider, configurationProvider.providesConfiguration(for: role) {
            decide(
                .provider, session: session.persistentIdentifier, "asked",
                "the session is new")
            let answer = configurationProvider.application(
                self, configurationForConnecting: session, options: connection)
            tell(.configuration(session, answer: answer))
            guard answer.role == role else {
                throw SceneStoreError(
                    .roleMismatch,
                    "the provider answered with a configuration of another role;"
                        + " answer with the session's own")
            }
            resolved = resolver.resolve(answer)
        } else {
            decide(
                .provider, session: session.persistentIdentifier, "absent",
                "the app has no provider; the manifest's first configuration is used")
            guard let entry = resolver.manifest?.defaultConfiguration(for: role) else {
                throw SceneStoreError(
                    .noConfiguration,
                    "no manifest entry and no provider for the role; nothing connects",
                    path: role.rawValue)
            }
            resolved = entry
        }
        if resolved.resolution == .unresolved {
            report(
                Diagnostic(
                    .unresolvedConfiguration, .warning,
                    "the manifest has no such configuration under the role",
                    path: role.rawValue,
                    fix: "add it to UISceneConfigurations, or correct the name",
                    sessionIdentifier: session.persistentIdentifier))
        }
        return resolved
    }

    private func attach(
        _ session: SceneSession, key: Int64, options connection: ConnectionOptions,
        arrival: LifecycleMachine.Arrival
    ) {
        arrivingOptions[key] = isDeferred(arrival) ? ConnectionOptions() : connection
        let made = session.configuration.delegateClassName.flatMap(delegateFactory(named:))
        let scene = Scene(
            application: self, session: session, key: key,
            delegate: made?(session)
                ?? delegate.application(self, sceneDelegateFor: session))
        (scene.delegate as? any SceneStorageOwner)?.scene = scene
        scenes[key] = scene
        liveKeys[session.persistentIdentifier] = key
    }

    // MARK: Restoring

    private func restorationStatus(
        of record: SessionRecord, _ session: SceneSession
    ) throws(SceneStoreError) -> RestorationStatus {
        let status = rules.restoration(of: record)
        guard status == .available else {
            return status
        }
        if record.hasState, let context = try store.saveContext(key: record.key),
            !delegate.application(self, shouldRestore: session, savedUnder: context)
        {
            return .declined
        }
        return .available
    }

    private func explainRestoration(_ session: SceneSession) {
        decide(
            .restoration, session: session.persistentIdentifier, session.restoration.rawValue,
            session.restoration.reason(hasState: session.stateRestorationActivity != nil))
    }

    // MARK: Settling

    /// The launch owes the scene no further callback.
    package func settle(_ key: Int64) {
        guard let scene = scenes[key] else {
            return
        }
        scene.awaitsCallbacks = false
        do throws(SceneStoreError) {
            try settleIfDone(scene)
        } catch {
            report(error)
        }
    }

    func settleIfDone(_ scene: Scene) throws(SceneStoreError) {
        guard !scene.awaitsCallbacks, scene.restorationExtensions == 0 else {
            return
        }
        try removeUnsettled(scene.key)
        if unsettled.isEmpty, !isLaunching, stableTimer.map({ !$0.isPending }) ?? true {
            startStablePeriod()
        }
    }

    func removeUnsettled(_ key: Int64) throws(SceneStoreError) {
        guard unsettled.contains(key) else {
            return
        }
        unsettled.removeAll { $0 == key }
        try store.setRestoring(key: unsettled.last)
    }

    func noteUnsettled(_ scene: Scene) throws(SceneStoreError) {
        guard !unsettled.contains(scene.key) else {
            return
        }
        try store.setRestoring(key: scene.key)
        unsettled.append(scene.key)
    }
}

extension RestorationStatus {
    /// How the ledger of a launch counts a session that connects.
    package var outcome: LaunchOutcome {
        switch self {
        case .available, .disabled: .restored
        case .stale, .withheld: .withheld
        case .held: .held
        case .declined: .declined
        }
    }
}
