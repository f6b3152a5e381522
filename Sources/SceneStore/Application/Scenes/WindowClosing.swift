import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Windows that are to be closed or to give up their places, or a process that is to end, while windows
/// with unsaved work are asked (L-47).
///
/// A window that asks its user holds up what waits for it and nothing else. What fails calls
/// everything off that waits.
final class WindowClosing {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    private let core: ApplicationCore
    /// The sessions of which the end lost something.
    private(set) var lost: [String] = []

    init(_ application: SceneApplication) {
        self.application = application
        core = application.core
    }

    /// Asks the windows that have unsaved work, and does what is asked for when all agree.
    func ask(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) -> ClosingAnswer {
        let request = core.votes.begin(purpose)
        return try goOn().first { $0.request == request }?.answer ?? .later
    }

    /// Asks as ``ask(_:)`` does, and throws while a window stays or asks its user.
    func require(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) {
        switch try ask(purpose) {
        case .close: return
        case .keep:
            throw SceneStoreError(
                .closingRefused, "a window has unsaved work and stays; nothing was closed")
        case .later:
            throw SceneStoreError(
                .closingPostponed,
                "a window has unsaved work and asks its user; answerClosing goes on")
        }
    }

    /// A window's user has answered: goes on with everything that waited for it, and answers for all
    /// of that.
    func take(_ answer: ClosingAnswer, of key: Int64) throws(SceneStoreError) -> ClosingAnswer {
        let waiting = core.votes.requests(waitingFor: key)
        core.votes.take(answer, of: key)
        guard !core.isTearingDown else {
            // It counts if the logout is called off.
            return waiting.isEmpty ? .keep : .later
        }
        let ended = try goOn()
        guard core.processState == .running else {
            return .close
        }
        let answers = waiting.map { request in
            ended.first { $0.request == request }?.answer ?? .later
        }
        return [.later, .keep, .close].first(where: answers.contains) ?? .keep
    }

    /// Asks and closes until everything that is left waits for an answer: what has come to its end.
    func goOn() throws(SceneStoreError) -> [(request: Int, answer: ClosingAnswer)] {
        var ended: [(request: Int, answer: ClosingAnswer)] = []
        while core.processState == .running {
            switch core.votes.next(unsaved: unsaved) {
            case .ask(let key):
                let answer = core.live.scene(key).flatMap {
                    $0.delegate?.sceneShouldClose($0)
                }
                core.votes.take(answer ?? .close, of: key)
            case .calledOff(let request): ended.append((request, .keep))
            case .proceed(let purpose, let request):
                do throws(SceneStoreError) {
                    try proceed(purpose)
                } catch {
                    core.votes.callOff()
                    throw error
                }
                ended.append((request, .close))
            case .rest: return ended
            }
        }
        return ended
    }

    /// The windows with unsaved work that something concerns, in front order.
    func unsaved(_ purpose: ClosingVotes.Purpose) -> [Int64] {
        let asked =
            switch purpose {
            case .windows(let keys) where isQuit(keys): core.engine.machine.all
            case .windows(let keys), .places(let keys, _, _):
                core.engine.machine.stacked(Set(keys))
            case .quit: core.engine.machine.all
            }
        return asked.filter { key in
            core.live.scene(key).flatMap { $0.delegate?.sceneHasUnsavedWork($0) } ?? false
        }
    }

    private func proceed(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) {
        switch purpose {
        case .windows(let keys) where isQuit(keys):
            lost = try application.end(keepingWindows: true, discardingUnsaved: false)
        case .windows(let keys):
            var open: [SceneSession.ID] = []
            for key in keys {
                if let record = try core.store.record(key: key), record.isOpen {
                    open.append(record.id)
                    // A quit that waits for it has nothing more to ask.
                    core.votes.take(.close, of: key)
                }
            }
            try application.discard(open, cause: .user)
        case .quit(let keepingWindows, let discardingUnsaved):
            lost = try application.end(
                keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved)
        case .places(_, let sessions, let activity):
            try application.giveBack(agreed: sessions, activity)
        }
    }

    /// Whether closing some windows is quitting, because they are all that the app has (L-39).
    private func isQuit(_ keys: [Int64]) -> Bool {
        let rules = core.engine.rules
        let windows = core.engine.machine.members.lazy.filter {
            rules.isOfApplication($0.value.role)
        }
        return core.options.closingLastWindow == .quits && !windows.isEmpty
            && windows.allSatisfy { keys.contains($0.key) }
    }
}

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
    ///   them stays, ``ClosingAnswer/later`` when one asks its user first; also within a callback,
    ///   because the windows close after the callback.
    /// - Throws: ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded,
    ///   and what the store throws; then none is closed.
    @discardableResult
    public func closeWindows(
        of sessions: [SceneSession.ID]
    ) throws(SceneStoreError) -> ClosingAnswer {
        try event(orLater: .later) { [self] () throws(SceneStoreError) in
            let keys = try sessions.map { session throws(SceneStoreError) in
                try core.openKey(session)
            }
            guard !core.isTearingDown else {
                try leaveForEnd(keys)
                return .close
            }
            return try closing.ask(.windows(keys))
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

    /// Continues a closing, a quit or a reopening that waited for a window that returned
    /// ``ClosingAnswer/later``.
    ///
    /// The next window is asked, or the windows are closed, or the process ends; with
    /// ``ClosingAnswer/keep`` nothing is closed. Everything that waits for the window continues:
    /// other windows that were to be closed with it, and then a quit. Returns and throws as closing
    /// or quitting does. While another window is still asked, it returns ``ClosingAnswer/later``.
    /// Does nothing, and returns ``ClosingAnswer/keep``, if nothing waits for that window, for
    /// example because it was disconnected meanwhile.
    @discardableResult
    public func answerClosing(
        _ answer: ClosingAnswer, of session: SceneSession.ID
    ) throws(SceneStoreError) -> ClosingAnswer {
        try event(orLater: .later) { [self] () throws(SceneStoreError) in
            guard let key = core.live.scene(for: session)?.key else {
                return .keep
            }
            return try closing.take(answer, of: key)
        }
    }
}
