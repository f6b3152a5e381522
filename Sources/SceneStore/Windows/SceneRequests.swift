import SceneStoreEngine
import SceneStoreValues

/// Carries out what the app asks for: a window, its end, its state.
///
/// A request that a callback makes is a later event; its error goes to the request's handler, or is
/// reported. A request with a result can't wait within a callback, and is refused there.
struct SceneRequests {
    let application: SceneApplication

    /// Carries out a request in an event of its own.
    func perform(
        _ errorHandler: ((SceneStoreError) -> Void)?, session: SceneSession.ID?,
        _ work: @escaping () throws(SceneStoreError) -> Void
    ) {
        do throws(SceneStoreError) {
            try application.event { [application] () throws(SceneStoreError) in
                do throws(SceneStoreError) {
                    try application.requireRunning()
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
                application.report(error, session: session)
            }
        }
    }

    func activate(_ request: SceneSessionActivationRequest) throws(SceneStoreError) {
        guard application.options.lifecycle == .scene else {
            throw SceneStoreError(.invalidState, "an app without scenes has none to activate")
        }
        // In an app of one window, what a quit did not keep takes its place as if it was reopened (L-18).
        if !application.engine.rules.supportsMultipleScenes, !request.staysInBackground,
            let identifier = request.sessionIdentifier,
            try application.openRecord(identifier)?.parkedCause == .notKept
        {
            try WindowReopening(application: application).giveBack([identifier])
            guard request.userActivity != nil else {
                return
            }
        }
        let steps = try application.planning { engine, skeleton throws(SceneStoreError) in
            try engine.activate(request, in: skeleton)
        }
        if let closed = try closed(steps) {
            try WindowReopening(application: application).giveBack([closed])
            guard request.userActivity != nil else {
                return
            }
            var request = request
            request.sessionIdentifier = closed
            return try activate(request)
        }
        try application.carryOut(steps)
    }

    /// Opens a window for a value, or brings the one forward that shows it.
    func open(presenting value: Value, role: SceneSessionRole) throws(SceneStoreError) {
        let steps = try application.planning { engine, skeleton throws(SceneStoreError) in
            try engine.openWindow(presenting: value, role: role, in: skeleton)
        }
        if let closed = try closed(steps) {
            return try WindowReopening(application: application).giveBack([closed])
        }
        try application.carryOut(steps)
    }

    /// The session that is reopened instead of the new window that steps make for a value (L-87).
    private func closed(_ steps: [PlanStep]) throws(SceneStoreError) -> SceneSession.ID? {
        guard application.options.restoresClosedValue,
            let connection = steps.lazy.compactMap(\.newConnection).first,
            case .new(let role, let value?) = connection.subject, connection.privacy != .ephemeral
        else {
            return nil
        }
        return try application.store.discards.closed(presenting: value, role: role)
    }

    // MARK: Requests with a result

    /// Connects one of the sessions that wait (L-11), unless the launch brings none back.
    func connectNext() throws(SceneStoreError) -> Scene? {
        try requireNoCallback()
        guard application.options.lifecycle == .scene else {
            return nil
        }
        return try application.event(orLater: nil) { [application] () throws(SceneStoreError) in
            try application.ending.requireNoTeardown()
            while application.processState == .running {
                let (engine, touched) = (application.engine, application.live.keys)
                let next = try application.store.read { skeleton throws(SceneStoreError) in
                    try engine.connectNext(in: skeleton, besides: touched)
                }
                guard let next else {
                    return nil
                }
                // Whatever becomes of it, it has had its turn.
                application.live.note(next.record)
                application.tolerating(next.record.id) { () throws(SceneStoreError) in
                    try application.carryOut(next.steps)
                }
                if let scene = application.live.scene(next.record.key) {
                    return scene
                }
            }
            return nil
        }
    }

    /// Carries out an activation and answers the scene that it made or found.
    func open(_ request: SceneSessionActivationRequest) throws(SceneStoreError) -> Scene {
        try requireNoCallback()
        let known = Set(application.live.scenes.map(\.key))
        var failure: SceneStoreError?
        application.requestSceneSessionActivation(request) { failure = $0 }
        if let failure {
            throw failure
        }
        if let identifier = request.sessionIdentifier {
            return try connectedScene(identifier)
        }
        // Rows are numbered as they are made: the first new one is the one that was asked for.
        let made = application.live.scenes.first { !known.contains($0.key) }?.scene
        let role = application.engine.rules.role(of: request)
        guard
            let scene = made
                ?? application.connectedScenes.first(where: { $0.session.role == role })
        else {
            throw Self.closedMeanwhile
        }
        return scene
    }

    func connectedScene(_ identifier: SceneSession.ID) throws(SceneStoreError) -> Scene {
        guard let scene = application.scene(for: identifier) else {
            throw Self.closedMeanwhile
        }
        return scene
    }

    private static let closedMeanwhile = SceneStoreError(
        .invalidState, "the scene was closed while it was opened")

    func requireNoCallback() throws(SceneStoreError) {
        try application.requireRunning()
        guard !application.isPerforming else {
            throw SceneStoreError(
                .invalidState,
                "a callback can't wait for a request; use the synchronous call within it")
        }
    }
}
