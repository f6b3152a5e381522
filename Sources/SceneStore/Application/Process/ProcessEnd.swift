import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// How a process ends: a quit, or the logout that comes before it (L-39, L-48).
///
/// 1. A quit that can't write what it has to leaves the application running, with all its windows in
///    the background; it may be tried again.
/// 2. During a logout a window that closes is saved and comes back, and no new one is made.
final class ProcessEnd {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// Whether the process is ending: what windows do now is not what the user did.
    private(set) var isQuitting = false
    /// Whether the desktop's session ends.
    private(set) var isTearingDown = false

    init(_ application: SceneApplication) {
        self.application = application
    }

    // MARK: Quitting

    /// Ends the process, once the windows with unsaved work agree; answers of which sessions
    /// something is lost. During a logout nobody is asked.
    func quit(
        keepingWindows: Bool, discardingUnsaved: Bool
    ) throws(SceneStoreError) -> [String] {
        guard application.processState == .running else {
            return []
        }
        guard !isTearingDown else {
            return try end(keepingWindows, discardingUnsaved)
        }
        let quit = ClosingVotes.Purpose.quit(
            keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved)
        switch try application.closing.ask(quit) {
        case .close: return application.closing.lost
        case .keep:
            throw SceneStoreError(
                .closingRefused, "a window has unsaved work and stays; nothing was closed")
        case .later:
            throw SceneStoreError(
                .closingPostponed,
                "a window has unsaved work and asks its user; answerClosing goes on")
        }
    }

    /// Ends the process; nobody is asked any more.
    func end(
        _ keepingWindows: Bool, _ discardingUnsaved: Bool
    ) throws(SceneStoreError) -> [String] {
        guard application.processState == .running else {
            return []
        }
        isQuitting = true
        let (store, states) = (application.store, application.states)
        let steps = application.engine.machine.quit()
        application.perform(steps)
        if steps.isEmpty, application.live.hasUnsavedStates {
            // An earlier attempt could not write them.
            states.commitStates()
        }
        application.autosaving.save()
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            if store.refusal != nil {
                try store.writeHeld()
                states.forgetHeld()
            }
            try states.throwFailedWrite(always: true)
        }
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            let rules = application.engine.rules
            let isLeft: @Sendable (SessionRecord) -> Bool = { rules.parksAtQuit($0) }
            try store.launches.end(.quit, parking: keepingWindows ? nil : isLeft)
        }
        application.settling.settleIfStable(isEnding: true)
        return close()
    }

    /// Writes what the end needs; when it can't be written, and is not to be lost, the application
    /// goes on.
    private func write(
        orLose isLost: Bool, _ body: () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            try body()
        } catch {
            guard isLost else {
                isQuitting = false
                throw error
            }
        }
    }

    /// Closes the store; answers of which sessions something is lost. All else is stored by now: a log
    /// that can't be copied into the file stays beside it, and the next owner finds all in it.
    private func close() -> [String] {
        let lost = application.store.heldSessions
        application.processState = .ended
        application.feed.finish()
        application.settling.stop()
        application.upkeep.stop()
        application.tolerating { () throws(SceneStoreError) in try application.store.close() }
        application.store.release(application.claim)
        application.endHandler?()
        return lost
    }

    /// From now on no delegate is called, no timer fires and nothing is written.
    func abandon() {
        application.processState = .ended
        application.feed.finish()
        application.events.removeAll()
        application.live.dropAll()
        application.settling.stop()
        application.upkeep.stop()
        application.autosaving.stop()
        application.diagnosticHandler = nil
        application.decisionHandler = nil
        application.callbackHandler = nil
        application.connectionHandler = nil
        application.store.abandon()
    }

    // MARK: A logout

    static let tearingDown = SceneStoreError(
        .tearingDown, "the desktop's session ends; the next launch takes it")

    /// Throws ``SceneStoreError/Code/tearingDown`` during a logout.
    func requireNoTeardown() throws(SceneStoreError) {
        guard !isTearingDown else {
            throw Self.tearingDown
        }
    }

    func beginTeardown() {
        // What changed until now counts, places too.
        application.autosaving.save(asLeaving: true)
        application.writeMarks()
        isTearingDown = true
        application.closing.callOff()
    }

    func endTeardown() {
        guard isTearingDown else {
            return
        }
        isTearingDown = false
        application.perform(application.engine.machine.refocus())
        application.writeMarks()
        application.reception.handOverPostponed()
    }

    /// Windows close because the process is about to end.
    func leave(_ keys: [Int64]) throws(SceneStoreError) {
        let states = application.states
        for key in application.engine.machine.stacked(Set(keys)) {
            if application.engine.machine.phase(of: key) == .background,
                application.autosaving.isPending(key), let scene = application.live.scene(key)
            {
                states.collectState(of: scene)
                states.commitStates()
            }
            application.perform(application.engine.machine.quit(key))
        }
        application.autosaving.save(asLeaving: true)
        try states.throwSaveFailure()
    }
}
