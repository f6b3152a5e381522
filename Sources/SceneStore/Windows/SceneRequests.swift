import SceneStoreEngine
import SceneStoreValues

/// Carries out what the app asks for: a window, its end, its state.
///
/// A request that a callback makes is a later event; its error goes to the request's handler, or is
/// reported. A request with a result can't wait within a callback, and is refused there.
extension SceneApplication {
    /// Carries out a request in an event of its own.
    private func performRequest(
        _ errorHandler: ((SceneStoreError) -> Void)?, session: SceneSession.ID?,
        call: String = #function, _ work: @escaping () throws(SceneStoreError) -> Void
    ) {
        do throws(SceneStoreError) {
            try events.perform { [self] () throws(SceneStoreError) in
                do throws(SceneStoreError) {
                    try requireRunning(call)
                    try work()
                } catch {
                    guard let errorHandler else {
                        throw error
                    }
                    errorHandler(error)
                }
            }
        } catch {
            // Without a handler, or the store could not be taken back for the event.
            if let errorHandler {
                errorHandler(error)
            } else {
                core.report(error, session: session)
            }
        }
    }

    /// Answers the scene that was made, came back, or stays where it is.
    @discardableResult
    package func activate(
        _ request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> Scene? {
        guard core.options.lifecycle == .scene else {
            throw SceneStoreError(.invalidState, "an app without scenes has none to activate")
        }
        let closed = try closed(for: request)
        let (steps, returning) = try core.planning {
            engine, skeleton throws(SceneStoreError) -> ([PlanStep], SceneSession.ID?) in
            let returning = try engine.givenBack(request, closed: closed, in: skeleton)
            let steps = returning == nil ? try engine.activate(request, in: skeleton) : []
            return (steps, steps.contains { $0.newConnection != nil } ? closed : returning)
        }
        guard let returning else {
            if let key = try carryOut(steps).first {
                return core.live.scene(key)
            }
            // One that has a scene only a decision names.
            for case .decide(let decision) in steps {
                return decision.sessionIdentifier.flatMap { scene(for: $0) }
            }
            return nil
        }
        let reopening = WindowReopening(application: self)
        guard !request.staysInBackground else {
            try requireNoTeardown()
            _ = try reopening.reopen([returning], inFront: false)
            core.decide(.target, session: returning, "reopened", WindowReopening.undone)
            var again = SceneSessionActivationRequest(
                session: returning, userActivity: request.userActivity)
            again.staysInBackground = true
            return try activate(again)
        }
        try reopening.giveBack([returning], request.userActivity)
        return scene(for: returning)
    }

    /// The session that is reopened instead of a new window for a request's value (L-87).
    private func closed(
        for request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> SceneSession.ID? {
        guard core.options.restoresClosedValue, !core.engine.rules.isPrivate(request),
            let value = request.presentedValue
        else {
            return nil
        }
        return try core.store.discards.closed(
            presenting: value, role: core.engine.rules.role(of: request))
    }

    /// The next one of those that wait (L-11). They are read again if anything but these connections has
    /// changed the store.
    private func takeNext() throws(SceneStoreError) -> SessionRecord? {
        let (store, engine) = (core.store, core.engine)
        guard engine.rules.behavior == .restore else {
            return nil
        }
        if waiting.generation == nil {
            waiting.keys = try store.openRecords().reversed().filter {
                $0.parkedCause != .leftBehind && core.live[$0.key] == nil
            }.map(\.key)
        }
        waiting.generation = nil
        var held: [Int64] = []
        defer { waiting.keys += held.reversed() }
        while let key = waiting.keys.popLast() {
            if core.live[key] == nil, let record = try store.record(key: key), record.isOpen {
                guard !engine.comesBack(record) else {
                    return record
                }
                held.append(key)
            }
        }
        return nil
    }

    private static let closedMeanwhile = SceneStoreError(
        .invalidState, "the scene was closed while it was opened")

    private func requireNoCallback(_ call: String = #function) throws(SceneStoreError) {
        try requireRunning(call)
        guard !core.isPerforming else {
            throw SceneStoreError(
                .invalidState,
                "\(call) can't wait within a callback; use requestSceneSessionActivation or "
                    + "requestWindow there")
        }
    }
}

extension SceneApplication {
    /// Activates a session or asks for a new scene.
    ///
    /// A connected session gets the activity by `scene(_:continue:)` alone; a disconnected or new
    /// one in its connection's options. The handler isn't called on success; it gets
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded and
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed.
    public func requestSceneSessionActivation(
        _ request: SceneSessionActivationRequest,
        errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        performRequest(errorHandler, session: request.sessionIdentifier) {
            [self] () throws(SceneStoreError) in try activate(request)
        }
    }

    /// Connects, in the background, the most recently used session that had no scene in this
    /// process.
    ///
    /// An app with very many windows brings back the first ones
    /// (``SceneApplicationOptions/Reconnection/first(_:)``), and one more in each idle moment. All
    /// sessions stay remembered, whenever the process ends. A session that the user activates earlier
    /// connects then, and isn't connected again.
    ///
    /// ```swift
    /// func mainLoopIsIdle() throws {
    ///     isLoading = try application.connectNextSession() != nil
    /// }
    /// ```
    ///
    /// Returns nil if none is left, and after a launch that brings no window back
    /// (``SceneApplicationOptions/LaunchBehavior``). Held and parked sessions, those that were left
    /// behind (L-48), and sessions whose scene was evicted or isn't to be restored, stay without a
    /// scene. If a session can't be read, ``diagnosticHandler`` gets the error, and the next one
    /// connects. Throws ``SceneStoreError/Code/invalidState`` within a callback, and
    /// ``SceneStoreError/Code/tearingDown`` during a logout.
    @discardableResult
    public func connectNextSession() throws(SceneStoreError) -> Scene? {
        try requireNoCallback()
        guard core.options.lifecycle == .scene else {
            return nil
        }
        // Asked before the event: what a stable launch writes at its beginning changes no order.
        let generation = core.isLetGo ? nil : core.store.currentGeneration()
        if waiting.generation != generation {
            waiting.generation = nil
        }
        return try event(orLater: nil) { [self] () throws(SceneStoreError) in
            try requireNoTeardown()
            while core.processState == .running, let record = try takeNext() {
                let steps = try core.planning { engine, skeleton throws(SceneStoreError) in
                    try engine.connectBehind(record, nil, in: skeleton)
                }
                // Whatever becomes of it, it has had its turn.
                core.live.note(record)
                core.tolerating(record.id) { () throws(SceneStoreError) in
                    try carryOut(steps)
                }
                waiting.generation = core.store.currentGeneration()
                if let scene = core.live.scene(record.key) {
                    return scene
                }
            }
            return nil
        }
    }

    /// Asks to remove a session for good; its discard has the cause app. During a logout the window
    /// is closed as by a quit, and comes back (``beginTeardown()``).
    ///
    /// The handler isn't called on success; it gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func requestSceneSessionDestruction(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        performRequest(errorHandler, session: identifier) {
            [self] () throws(SceneStoreError) in
            guard core.isTearingDown else {
                return try discard([identifier], cause: .app)
            }
            try leaveForEnd([core.openKey(identifier)])
        }
    }

    /// Asks to save a background scene again. In front, or without a scene, nothing happens.
    ///
    /// The handler is not called on success. It gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded, and the error of a state that could not be saved.
    public func requestSceneSessionRefresh(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        guard !states.refusesSave() else {
            scene(for: identifier).map { autosaving.note($0.key) }
            errorHandler?(
                SceneStoreError(
                    .invalidState,
                    "\(#function) was called while a window was asked for its state; call it later")
            )
            return
        }
        performRequest(errorHandler, session: identifier) {
            [self] () throws(SceneStoreError) in
            makeCallbacks(core.engine.machine.refresh(try core.openKey(identifier)))
            try states.throwSaveFailure()
        }
    }
}

extension SceneApplication {
    /// Activates a session or makes a new scene, and returns it.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded,
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed, and
    /// ``SceneStoreError/Code/invalidState`` within a callback, where nothing can wait for the result.
    @discardableResult
    public nonisolated(nonsending) func openScene(
        _ request: SceneSessionActivationRequest = .init()
    ) async throws(SceneStoreError) -> Scene {
        try opened(request)
    }

    /// The same for a device of tests, which waits for nothing.
    package func opened(
        _ request: SceneSessionActivationRequest, _ call: String = #function
    ) throws(SceneStoreError) -> Scene {
        try requireNoCallback(call)
        var made: Scene?
        var failure: SceneStoreError?
        performRequest({ failure = $0 }, session: request.sessionIdentifier) {
            [self] () throws(SceneStoreError) in made = try activate(request)
        }
        if let failure {
            throw failure
        }
        guard let scene = request.sessionIdentifier.flatMap({ self.scene(for: $0) }) ?? made else {
            throw Self.closedMeanwhile
        }
        return scene
    }
}

/// Windows that are opened for a value, such as a document's identifier (L-87).
extension SceneApplication {
    /// Brings forward the window that shows an equal value, or opens a new one for the value.
    ///
    /// Throws ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed,
    /// what encoding throws for a value that can't be stored, and, if a window comes back for the value
    /// in the place of another, what ``reopen(sessions:)`` throws.
    public func openWindow<Presented: Codable>(
        presenting value: Presented, role: SceneSessionRole = .windowApplication
    ) throws(SceneStoreError) {
        try requireRunning()
        var request = SceneSessionActivationRequest(role: role)
        request.presentedValue = try ValueCoder.encode(value)
        try event { [self, request] () throws(SceneStoreError) in
            try activate(request)
        }
    }
}

extension Scene {
    /// Remembers another value for the window, or none, in mode normal.
    ///
    /// Throws what encoding throws, ``SceneStoreError/Code/requestDenied`` for a session that was
    /// discarded, and ``SceneStoreError/Code/invalidState`` once the application is gone.
    public func setPresentedValue<Presented: Codable>(_ value: Presented?) throws(SceneStoreError) {
        let stored: Value? = if let value { try ValueCoder.encode(value) } else { nil }
        let application = try requireApplication()
        try application.change(session.persistentIdentifier) { (key) throws(SceneStoreError) in
            try application.store.values.setPresentedValue(stored, key: key)
            application.core.engine.privateSessions[key]?.presentedValue = stored
        } live: {
            $0.presentedValue = stored
        }
    }
}
