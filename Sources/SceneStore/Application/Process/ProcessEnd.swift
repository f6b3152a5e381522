import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// How a process ends: a quit, or the logout that comes before it (L-39, L-48).
///
/// 1. A quit that can't write what it has to leaves the application running, with all its windows in
///    the background; it may be tried again.
/// 2. During a logout a window that closes is saved and comes back, and no new one is made.
extension SceneApplication {
    /// Ends the process; nobody is asked any more.
    func end(keepingWindows: Bool, discardingUnsaved: Bool) throws(SceneStoreError) -> [String] {
        guard core.processState == .running else {
            return []
        }
        core.isQuitting = true
        let steps = core.engine.machine.quit()
        makeCallbacks(steps)
        if steps.isEmpty, core.live.hasUnsavedStates {
            // An earlier attempt could not write them.
            states.commitStates()
        }
        autosaving.save()
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            if store.refusal != nil {
                try store.writeRefused()
                states.failures.removeAll(where: \.isHeld)
            }
            try states.throwFailedWrite(always: true)
        }
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            let rules = core.engine.rules
            let isLeft: @Sendable (SessionRecord) -> Bool = { rules.parksAtQuit($0) }
            try store.launches.end(.quit, parking: keepingWindows ? nil : isLeft)
        }
        settling.settleIfStable(isEnding: true)
        events.finishPayloads()
        return closeStore()
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
                core.isQuitting = false
                // The end took the windows from the front, not the user.
                core.teardown?.front = Set(core.engine.machine.front)
                throw error
            }
        }
    }

    /// Closes the store; answers of which sessions something is lost. All else is stored by now: a log
    /// that can't be copied into the file stays beside it, and the next owner finds all in it.
    private func closeStore() -> [String] {
        let held = core.store.refusedSessions
        // What a store that was closed before could not even hold.
        let unsaved = core.live.unsavedSessions.map(\.rawValue)
        let lost = held + unsaved.filter { !held.contains($0) }
        core.processState = .ended
        core.feed.finish()
        settling.stop()
        upkeep.stop()
        core.attempt(try core.store.close())
        core.store.release(claim)
        endHandler?()
        return lost
    }

    static let tearingDown = SceneStoreError(
        .tearingDown, "the desktop's session ends; try again in the next launch")

    /// Throws ``SceneStoreError/Code/tearingDown`` during a logout.
    package func requireNoTeardown() throws(SceneStoreError) {
        guard !core.isTearingDown else {
            throw Self.tearingDown
        }
    }

    /// Windows close because the process is about to end.
    func leaveForEnd(_ keys: [Int64]) throws(SceneStoreError) {
        for key in core.engine.machine.stacked(Set(keys)) {
            core.votes.callOff(concerning: key)
            leave(key)
        }
        autosaving.save(asLeaving: true)
        try states.throwSaveFailure()
    }

    /// A window goes, and its session stays open. In front it is saved; in the background, where the
    /// system may take it away at any time, if it reported a change.
    func leave(_ key: Int64) {
        if core.engine.machine.phase(of: key) == .background, states.changes.isPending(key),
            let scene = core.live.scene(key)
        {
            states.collectState(of: scene)
            states.commitStates()
        }
        makeCallbacks(core.engine.machine.quit(key))
    }
}

/// How a process ends cleanly (L-39).
extension SceneApplication {
    /// Ends the process cleanly: saves the windows in front, remembers all, and closes the store.
    ///
    /// A window in the background is saved only if it reported a change
    /// (``Scene/setNeedsSave()``). Windows with unsaved work are asked first, each once and in front order
    /// (``SceneDelegate/sceneShouldClose(_:)``). If one stays, nothing is closed and this throws
    /// ``SceneStoreError/Code/closingRefused``. If one asks its user, it throws
    /// ``SceneStoreError/Code/closingPostponed``, and ``answerClosing(_:of:)`` continues. During a
    /// logout no window is asked.
    ///
    /// Throws if a change could not be written. Then the application still runs, with all its
    /// windows in the background, and you may call this again, for example once the disk has room.
    /// The application also continues if the store refuses only the note that the process ended. A
    /// state that can't be stored doesn't prevent the quit, and neither does a log that can't be
    /// copied into the store's file, because everything is stored in the log and the next launch
    /// reads it there. ``diagnosticHandler`` gets the error.
    public func quit() throws(SceneStoreError) {
        try quit(keepingWindows: true)
    }

    /// Ends the process cleanly, optionally without its windows coming back or despite a full disk.
    ///
    /// Without `keepingWindows`, all windows are parked with their states. The next launch begins
    /// with a new window, and ``reopen(_:)->()`` or an activation brings each one back. A window that
    /// is held back stays held.
    ///
    /// With `discardingUnsaved`, the process ends even while the store can't be written. The
    /// changes that are held in memory are lost, and the next launch finds the windows as they were
    /// stored last. Returns the identifiers of the sessions that lost something; without
    /// `discardingUnsaved`, which is ``quit()``, there are none.
    @discardableResult
    public func quit(
        keepingWindows: Bool = true, discardingUnsaved: Bool = false
    ) throws(SceneStoreError) -> [String] {
        if discardingUnsaved, !core.isPerforming, core.isLetGo || core.awaitsReading {
            do throws(SceneStoreError) {
                try events.perform {}
            } catch {
                // Nothing of this process is written into what it can't take back.
                core.store.abandon()
                core.isLetGo = false
                core.awaitsReading = false
            }
        }
        return try event(orLater: []) { [self] () throws(SceneStoreError) in
            guard !core.isTearingDown else {
                return try end(keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved)
            }
            guard core.processState == .running else {
                return []
            }
            try closing.require(
                .quit(keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved))
            return closing.lost
        }
    }

    /// What SIGKILL does to a process, for tests and simulations: from now on no delegate is
    /// called, no timer fires and nothing is written, also when a callback asked for it.
    package func abandon() {
        core.processState = .ended
        core.feed.finish()
        events.removeAll()
        core.live.waitingKeys.forEach { core.live.drop($0) }
        settling.stop()
        upkeep.stop()
        autosaving.stop()
        core.diagnosticHandler = nil
        core.decisionHandler = nil
        core.callbackHandler = nil
        core.diagnosticRecorder = nil
        core.decisionRecorder = nil
        stepHandler = nil
        core.store.abandon()
    }
}

/// A logout, a shutdown, a signal to end: the desktop closes the windows, not the user (L-48).
extension SceneApplication {
    /// Begins a logout: from here on a window that closes is saved and comes back at the next
    /// launch.
    ///
    /// Call it when the desktop announces that its session ends, or on `SIGTERM`, before the
    /// toolkit closes windows one by one. A window that closes gets `(inactive), bg`, its save
    /// chain and `disconnect`. It is not asked whether it may close, and no session is discarded.
    /// Changes that are not saved yet are saved. The front marks, the order and the placements
    /// stay. New windows are refused with ``SceneStoreError/Code/tearingDown``. Payloads wait in
    /// the inbox, or are refused without one. End the process with ``quit()``, or continue with
    /// ``endTeardown()``.
    public func beginTeardown() throws(SceneStoreError) {
        try requireRunning()
        guard !core.isTearingDown else {
            return
        }
        try event { [self] () throws(SceneStoreError) in
            // What changed until now counts, places too.
            autosaving.save(asLeaving: true)
            states.writeMarks()
            let machine = core.engine.machine
            core.teardown = (
                machine.all.compactMap(machine.newRecency).max() ?? 0, Set(machine.front)
            )
        }
    }

    /// Ends a logout that was called off: closing a window discards it again.
    ///
    /// Windows that were closed meanwhile are open and disconnected. Activate them, or leave them
    /// to the next launch.
    public func endTeardown() throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            guard let began = core.teardown else {
                return
            }
            core.teardown = nil
            makeCallbacks(core.engine.machine.refocus())
            // What the user did meanwhile counts after all.
            let machine = core.engine.machine
            for (key, _) in core.live.scenes {
                let isFront = machine.phase(of: key) != .background
                if isFront != began.front.contains(key) {
                    states.mark(key) { $0.isFront = isFront }
                }
                if machine.newRecency(of: key) ?? 0 > began.order {
                    states.mark(key) { $0.becameActive = true }
                }
            }
            states.writeMarks()
            for (key, placement) in places.takePostponed() {
                if let session = core.live.scene(key)?.session.id {
                    core.attempt(try setPlacement(placement, for: session), of: session)
                }
            }
            handOverPostponed()
            core.tolerating { () throws(SceneStoreError) in _ = try closing.goOn() }
        }
    }
}
