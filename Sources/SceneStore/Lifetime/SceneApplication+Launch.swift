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
        try launching.launch(payloads)
    }

    /// The reason why this process was launched; nil before ``launch(_:)``.
    public var launchReason: LaunchReason? { launching.reason }

    /// Whether the launch's callbacks are being made.
    package var isLaunching: Bool { launching.isPerforming }

    /// Performs steps; answers the keys of the sessions that they connected, in their order: windows
    /// that belong to another one connect after it. `items` are the numbers in the inbox of what the
    /// event hands over.
    @discardableResult
    func carryOut(
        _ steps: [PlanStep], handing items: [Int64] = []
    ) throws(SceneStoreError) -> [Int64] {
        let performer = StepPerformer(application: self, items: items)
        var connected: [Int64] = []
        for step in steps where processState == .running {
            if let key = try performer.perform(step) {
                connected.append(key)
            }
        }
        return connected
    }

    /// Asks the engine about the store as it is now. The engine's copy ends with this call: a change of
    /// its machine would copy all scenes while there is one.
    func planning<Result: Sendable>(
        _ body: @Sendable (Engine, Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let engine = engine
        return try store.read { skeleton throws(SceneStoreError) in try body(engine, skeleton) }
    }

    /// Activates a session or makes one, as another process asks for it; answers the session that got
    /// a scene by it, nil when none did.
    package func connect(
        _ request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> SceneSession.ID? {
        try ending.requireNoTeardown()
        let key = try carryOut(
            planning { engine, skeleton throws(SceneStoreError) in
                try engine.activate(request, in: skeleton)
            }
        ).first
        return key.flatMap { live[$0]?.record.id }
    }

    func deliverDiscards(_ sessions: [SceneSession]) {
        tell(.didDiscard(sessions))
        delegate.application(self, didDiscardSceneSessions: sessions)
    }

    /// Whether the provider has a configuration for a role.
    func provides(_ role: SceneSessionRole) -> Bool {
        configurationProvider?.providesConfiguration(for: role) == true
    }
}
