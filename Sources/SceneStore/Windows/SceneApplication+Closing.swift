import SceneStoreEngine

/// Closing windows, one or several in one action (L-36, L-47, L-48).
extension SceneApplication {
    /// Closes a window for the user: its session is discarded and comes back only by `reopen`.
    ///
    /// See ``closeWindows(of:)``.
    @discardableResult
    public func closeWindow(of identifier: SceneSession.ID) throws(SceneStoreError) -> ClosingAnswer
    {
        try closeWindows(of: [identifier])
    }

    /// Closes windows for the user in one action, as one group.
    ///
    /// ``reopen(sessions:)`` brings the group back with order, focus and placements. Windows with
    /// unsaved work are asked first, in front order (``SceneDelegate/sceneShouldClose(_:)``); if
    /// one stays, all stay. A window that is still asking its user is not asked again, and its
    /// decision counts for both calls. A change that is not stored yet is saved with the discard,
    /// for `reopen`. The discard is durable before the app gets its callback.
    ///
    /// During a logout closing is quitting: no window is asked, and the windows come back; see
    /// ``beginTeardown()``.
    ///
    /// - Returns: ``ClosingAnswer/close`` when they are closed, ``ClosingAnswer/keep`` when one of
    ///   them stays, ``ClosingAnswer/later`` when one asks its user first, and within a callback,
    ///   where it is done after the callback.
    /// - Throws: ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded,
    ///   and what the store throws; then none is closed.
    @discardableResult
    public func closeWindows(
        of sessions: [SceneSession.ID]
    ) throws(SceneStoreError) -> ClosingAnswer {
        try requireRunning()
        return try answered { [self] () throws(SceneStoreError) in
            var keys: [Int64] = []
            for session in sessions {
                guard let record = try openRecord(session) else {
                    throw Engine.unknownSession
                }
                keys.append(record.key)
            }
            guard !desktop.isTearingDown else {
                try leaveForGood(keys)
                return .close
            }
            return try ask(.windows(keys))
        }
    }

    /// Closes all connected windows for the user, in one action; see ``closeWindows(of:)``.
    @discardableResult
    public func closeAllWindows() throws(SceneStoreError) -> ClosingAnswer {
        try closeWindows(of: connectedScenes.map(\.session.id))
    }

    /// Closes all connected windows except one, in one action; see ``closeWindows(of:)``.
    @discardableResult
    public func closeOtherWindows(
        than session: SceneSession.ID
    ) throws(SceneStoreError) -> ClosingAnswer {
        try closeWindows(of: connectedScenes.map(\.session.id).filter { $0 != session })
    }

    /// Continues a closing or a quit that waited for a window that returned
    /// ``ClosingAnswer/later``.
    ///
    /// The next window is asked, or the windows are closed, or the process ends; with
    /// ``ClosingAnswer/keep`` nothing is closed. Everything that waits for the window continues:
    /// other windows that were to be closed with it, and then a quit. Returns and throws what
    /// closing or quitting does, and ``ClosingAnswer/later`` while another window is still asked.
    /// Does nothing, and returns ``ClosingAnswer/keep``, if nothing waits for that window, for
    /// example because it was disconnected meanwhile.
    @discardableResult
    public func answerClosing(
        _ answer: ClosingAnswer, of session: SceneSession.ID
    ) throws(SceneStoreError) -> ClosingAnswer {
        try requireRunning()
        return try answered { [self] () throws(SceneStoreError) in
            guard let key = live.scene(for: session)?.key else {
                return .keep
            }
            let waiting = desktop.votes.requests(waitingFor: key)
            desktop.votes.take(answer, of: key)
            let ended = try goOn()
            guard processState == .running else {
                return .close
            }
            let answers = waiting.map { ended[$0] ?? .later }
            return answers.first { $0 == .later } ?? answers.first { $0 == .keep } ?? answers.first
                ?? .keep
        }
    }

    // MARK: Asking

    /// Asks the windows that have unsaved work, and does what is asked for when all agree.
    func ask(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) -> ClosingAnswer {
        let asked: Set<Int64>
        switch purpose {
        case .windows(let keys): asked = Set(keys)
        case .quit: asked = Set(engine.machine.all)
        }
        let unsaved = engine.machine.all.filter { key in
            guard asked.contains(key), let scene = live.scene(key) else {
                return false
            }
            return scene.delegate?.sceneHasUnsavedWork(scene) ?? false
        }
        let request = desktop.votes.begin(purpose, asking: unsaved)
        return try goOn()[request] ?? .later
    }

    /// Asks and closes until everything that is left waits for an answer: what has come to its end.
    private func goOn() throws(SceneStoreError) -> [Int: ClosingAnswer] {
        var ended: [Int: ClosingAnswer] = [:]
        while processState == .running {
            switch desktop.votes.next() {
            case .ask(let key):
                let answer = live.scene(key).flatMap { $0.delegate?.sceneShouldClose($0) }
                desktop.votes.take(answer ?? .close, of: key)
            case .calledOff(let request): ended[request] = .keep
            case .proceed(let purpose, let request):
                do throws(SceneStoreError) {
                    try proceed(purpose)
                } catch {
                    desktop.votes.callOff()
                    throw error
                }
                ended[request] = .close
            case .rest: return ended
            }
        }
        return ended
    }

    private func proceed(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) {
        switch purpose {
        case .windows(let keys):
            var open: [SceneSession.ID] = []
            for key in keys {
                if let record = try store.record(key: key), record.isOpen {
                    open.append(record.id)
                    // A quit that waits for it has nothing more to ask.
                    desktop.votes.take(.close, of: key)
                }
            }
            try discard(open, cause: .user)
        case .quit(let keepingWindows, let discardingUnsaved):
            desktop.lost = try end(keepingWindows, discardingUnsaved)
        }
    }

    /// Performs an event that answers; one that has to wait for its turn answers later.
    private func answered(
        _ work: @escaping () throws(SceneStoreError) -> ClosingAnswer
    ) throws(SceneStoreError) -> ClosingAnswer {
        let result = ClosingResult()
        try event { () throws(SceneStoreError) in result.answer = try work() }
        return result.answer
    }

    /// What an event that may come later answers.
    private final class ClosingResult {
        var answer = ClosingAnswer.later
    }

    // MARK: Discarding

    package func discard(
        _ identifiers: [SceneSession.ID], cause: DiscardCause
    ) throws(SceneStoreError) {
        let engine = engine
        try carryOut(
            store.asking { skeleton throws(SceneStoreError) in
                try engine.discard(identifiers, cause: cause, in: skeleton)
            })
    }

    /// Discards sessions, durably, takes their scenes away and tells the app.
    package func discard(
        _ records: [SessionRecord], _ cause: DiscardCause, freeing freed: [SessionRecord] = []
    ) throws(SceneStoreError) {
        // The app is asked before anything is gone; whether it answers keeps no window open.
        let unsaved = records.compactMap { states.lastState(of: $0.key) }
        var sessions: [SceneSession] = []
        for record in records {
            var session = try store.session(for: record)
            session.discardCause = cause
            sessions.append(session)
        }
        do throws(SceneStoreError) {
            try store.discards.discard(
                records.map(\.key), cause: cause, saving: unsaved,
                values: records.compactMap { live[$0.key]?.unsavedValues },
                context: states.saveContext, freeing: freed.map(\.key))
        } catch {
            // The windows are there still, and so are their changes.
            for state in unsaved {
                noteChange(of: state.key)
            }
            throw error
        }
        for record in records {
            disconnectForGood(record.key)
        }
        deliverDiscards(sessions)
        // Told once more at worst.
        tolerating(records.first?.id) { () throws(SceneStoreError) in
            try store.discards.markDelivered(records.map(\.key))
        }
        perform(engine.machine.refocus())
        saveChanges(asLeaving: true)
        writeMarks()
    }
}
