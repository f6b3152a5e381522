import SceneStoreEngine

/// Windows that are to be closed, or a process that is to end, while windows with unsaved work are
/// asked (L-47).
///
/// A window that asks its user holds up what waits for it and nothing else. What fails calls
/// everything off that waits.
final class WindowClosing {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    private var votes = ClosingVotes()
    /// The sessions of which the end lost something.
    private(set) var lost: [String] = []

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// Asks the windows that have unsaved work, and does what is asked for when all agree.
    func ask(_ purpose: ClosingVotes.Purpose) throws(SceneStoreError) -> ClosingAnswer {
        let asked =
            switch purpose {
            case .windows(let keys): application.engine.machine.stacked(Set(keys))
            case .quit: application.engine.machine.all
            }
        let unsaved = asked.filter { key in
            guard let scene = application.live.scene(key) else {
                return false
            }
            return scene.delegate?.sceneHasUnsavedWork(scene) ?? false
        }
        let request = votes.begin(purpose, asking: unsaved)
        return try goOn()[request] ?? .later
    }

    /// A window's user has answered: goes on with everything that waited for it, and answers for all
    /// of that.
    func take(_ answer: ClosingAnswer, of key: Int64) throws(SceneStoreError) -> ClosingAnswer {
        let waiting = votes.requests(waitingFor: key)
        votes.take(answer, of: key)
        let ended = try goOn()
        guard application.processState == .running else {
            return .close
        }
        let answers = waiting.map { ended[$0] ?? .later }
        return answers.first { $0 == .later } ?? answers.first { $0 == .keep } ?? answers.first
            ?? .keep
    }

    /// A window is gone: nothing waits for its answer any more.
    func noteGone(_ key: Int64) {
        votes.take(.keep, of: key)
    }

    /// Nobody is asked any more.
    func callOff() {
        votes = ClosingVotes()
    }

    /// Asks and closes until everything that is left waits for an answer: what has come to its end.
    private func goOn() throws(SceneStoreError) -> [Int: ClosingAnswer] {
        var ended: [Int: ClosingAnswer] = [:]
        while application.processState == .running {
            switch votes.next() {
            case .ask(let key):
                let answer = application.live.scene(key).flatMap {
                    $0.delegate?.sceneShouldClose($0)
                }
                votes.take(answer ?? .close, of: key)
            case .calledOff(let request): ended[request] = .keep
            case .proceed(let purpose, let request):
                do throws(SceneStoreError) {
                    try proceed(purpose)
                } catch {
                    votes.callOff()
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
        case .windows(let keys)
        where application.options.closingLastWindow == .quits && areLast(Set(keys)):
            lost = try application.ending.end(true, false)
        case .windows(let keys):
            var open: [SceneSession.ID] = []
            for key in keys {
                if let record = try application.store.record(key: key), record.isOpen {
                    open.append(record.id)
                    // A quit that waits for it has nothing more to ask.
                    votes.take(.close, of: key)
                }
            }
            try WindowRemoval(application: application).discard(open, cause: .user)
        case .quit(let keepingWindows, let discardingUnsaved):
            lost = try application.ending.end(keepingWindows, discardingUnsaved)
        }
    }

    /// Whether some windows are all that the app has (L-39).
    private func areLast(_ keys: Set<Int64>) -> Bool {
        let rules = application.engine.rules
        let windows = application.engine.machine.members.filter {
            rules.isOfApplication($0.value.role)
        }
        return !windows.isEmpty && windows.keys.allSatisfy(keys.contains)
    }
}
