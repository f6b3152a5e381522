import SceneStoreEngine

/// How a process ends cleanly (L-39).
extension SceneApplication {
    /// The process ends cleanly: what is in front leaves and is saved, every window is remembered,
    /// and the store is closed.
    ///
    /// Throws when something could not be written: the application is running still, with all its
    /// windows in the background, and this may be called again, once there is room on the disk,
    /// say. Windows with unsaved work are asked first, each once and in front order
    /// (``SceneDelegate/sceneShouldClose(_:)``): when one stays, nothing is closed and this throws
    /// ``SceneStoreError/Code/closingRefused``; when one asks its user,
    /// ``SceneStoreError/Code/closingPostponed``, and ``answerClosing(_:of:)`` goes on. During a
    /// logout nobody is asked. A state that can't be stored keeps nobody from quitting; ``diagnosticHandler`` is told.
    /// The same goes for the note that the process ended: while the store takes no write, the
    /// application goes on.
    public func quit() throws(SceneStoreError) {
        try quit(keepingWindows: true)
    }

    /// Ends the process cleanly, without its windows coming back, or whatever the disk says.
    ///
    /// Without `keepingWindows` all windows are parked, with their states: the next launch begins
    /// with a new one, and ``reopen(_:)->()`` or an activation gives each back. With
    /// `discardingUnsaved` it ends even while the store can't be written: what is held in
    /// memory is lost, and the next launch finds the windows as they were stored last. Returns the
    /// identifiers of the sessions of which something is lost; none without `discardingUnsaved`,
    /// which is ``quit()``.
    @discardableResult
    public func quit(
        keepingWindows: Bool = true, discardingUnsaved: Bool = false
    ) throws(SceneStoreError) -> [String] {
        try requireRunning()
        let lost = LostSessions()
        try event { [self] () throws(SceneStoreError) in
            guard processState == .running else {
                return
            }
            guard !desktop.isTearingDown else {
                lost.identifiers = try end(keepingWindows, discardingUnsaved)
                return
            }
            let quit = ClosingVotes.Purpose.quit(
                keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved)
            switch try ask(quit) {
            case .close: lost.identifiers = desktop.lost
            case .keep:
                throw SceneStoreError(
                    .closingRefused, "a window has unsaved work and stays; nothing was closed")
            case .later:
                throw SceneStoreError(
                    .closingPostponed,
                    "a window has unsaved work and asks its user; answerClosing goes on")
            }
        }
        return lost.identifiers
    }

    /// What an event that may come later answers.
    private final class LostSessions {
        var identifiers: [String] = []
    }

    func end(
        _ keepingWindows: Bool, _ discardingUnsaved: Bool
    ) throws(SceneStoreError) -> [String] {
        guard processState == .running else {
            return []
        }
        isQuitting = true
        let steps = engine.machine.quit()
        perform(steps)
        if steps.isEmpty, live.hasUnsavedStates {
            // An earlier attempt could not write them.
            states.commitStates()
        }
        saveChanges()
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            if store.refusal != nil {
                try store.writeHeld()
                states.forgetHeld()
            }
            try states.throwFailedWrite()
        }
        try write(orLose: discardingUnsaved) { () throws(SceneStoreError) in
            try store.launches.end(.quit, keepingWindows: keepingWindows)
        }
        settleIfStable(isEnding: true)
        return try close()
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

    /// Closes the store; answers of which sessions something is lost.
    private func close() throws(SceneStoreError) -> [String] {
        let lost = store.heldSessions
        processState = .ended
        feed.finish()
        stableTimer?.cancel()
        upkeepTimer?.cancel()
        defer {
            endHandler?()
        }
        try store.close()
        return lost
    }
}
