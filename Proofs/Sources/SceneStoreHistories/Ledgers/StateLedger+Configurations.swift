import SceneStore
import SceneStoreTesting

/// What a session is made with, shown with and takes over, and whether it comes with its state (L-50).
extension StateLedger {
    /// The provider, or the manifest, named a configuration.
    mutating func noteMade(_ name: String, _ callback: TranscriptCallback) {
        let made = callback.configuration
        sessions[name, default: Session()].made = made
        sessions[name]?.isUnknown = made.map { !HistoryManifest.has($0, in: manifest) } ?? false
    }

    mutating func connect(
        _ name: String, _ callback: TranscriptCallback, isRefusing: Bool
    ) {
        connected.insert(name)
        var session = sessions[name] ?? Session()
        defer { sessions[name] = session }
        if isRefusing, session.shown == nil {
            session.isUnsure = true
        }
        session.shown = callback.configuration
        guard let made = session.made else {
            session.made = callback.configuration
            session.mayDiffer = mayHaveUnseen
            return
        }
        check(name, session, made, callback)
        guard let state = session.current else {
            return
        }
        if !callback.isRestored, mustRestore(session) {
            findings.append("\(name) connects without its state \(state)")
        }
        if callback.isRestored {
            session.pinned.removeAll { $0 == state }
        } else {
            session.pin(state)
        }
        session.wasRestored = callback.isRestored
        session.hasFailed = false
        if callback.isRestored, session.blame == .blamed {
            // A stable launch that didn't connect it may come before the one that offers it.
            session.wasOffered = true
        }
        if session.blame == .due {
            // What the process makes of it is judged when it ends.
            session.blame = .blamed
        }
    }

    /// Whether nothing that happened lets a state be withheld.
    private func mustRestore(_ session: Session) -> Bool {
        guard session.blame != .blamed, !session.isHeldByHand, !session.isUnsure,
            !session.mayDiffer, let made = session.made,
            session.shown == made || isRenamed(made, session)
        else {
            return false
        }
        return !isSameVersion || session.version == version
    }

    /// What a launch makes of the configuration that a session was made with: a name that is there
    /// stays, and one that was not known stays until it is; then come the renames of the app, one
    /// after the other, and last the release's own.
    private func judged(_ made: String, _ session: Session) -> String? {
        if session.isUnknown || HistoryManifest.has(made, in: manifest) {
            return made
        }
        return successor(of: made, session) ?? HistoryManifest.first(of: manifest)
    }

    /// What the app says that a name is called now, else the last name before it that is there.
    private func successor(of made: String, _ session: Session) -> String? {
        renamed(made) ?? session.former.first { HistoryManifest.has($0, in: manifest) }
    }

    /// What the app says that a name is called now.
    private func renamed(_ made: String) -> String? {
        var name = made
        for _ in renames {
            guard let next = renames[name] else {
                return nil
            }
            name = next
            if HistoryManifest.has(name, in: manifest) {
                return name
            }
        }
        return nil
    }

    private func isRenamed(_ made: String, _ session: Session) -> Bool {
        !session.isUnknown && !HistoryManifest.has(made, in: manifest)
            && session.shown == successor(of: made, session)
    }

    private mutating func check(
        _ name: String, _ session: Session, _ made: String, _ callback: TranscriptCallback
    ) {
        let (shown, judged) = (callback.configuration, judged(made, session))
        if shown != judged, !session.mayDiffer {
            findings.append(
                "\(name) was made with \(made), has to be shown with \(judged ?? "none"), and "
                    + "connects with \(shown ?? "none")")
        }
        // A name that is there has its class, also one that nobody knew before.
        if let shown, HistoryManifest.has(shown, in: manifest),
            callback.delegate != HistoryManifest.delegateClass(of: shown)
        {
            findings.append("\(name) connects with \(shown), and has no class of its scene")
        }
    }

    /// A session that saves under another configuration than its own takes that over, if the launch
    /// is stable. Whether what it shows instead of a state is saved depends on more than is known.
    func noteAdoption(_ session: inout Session, _ outcome: StepOutcome) {
        guard let made = session.made, let shown = session.shown else {
            return
        }
        let isOther = shown != made || session.isUnknown && HistoryManifest.has(shown, in: manifest)
        guard isOther else {
            return
        }
        if session.wasRestored == true, !isRefusing, outcome.isSound,
            outcome.words.first != "close"
        {
            session.adopting = shown
        } else {
            session.mayDiffer = true
        }
    }

    /// A call read the clock of a stable launch, or its process has ended.
    mutating func endAdoptions(isStable: Bool) {
        for name in sessions.keys {
            guard let adopting = sessions[name]?.adopting else {
                continue
            }
            if isStable {
                if let made = sessions[name]?.made, made != adopting {
                    sessions[name]?.former.removeAll { $0 == made }
                    sessions[name]?.former.insert(made, at: 0)
                }
                sessions[name]?.made = adopting
                sessions[name]?.isUnknown = false
                sessions[name]?.adopting = nil
            }
        }
    }

    /// What a process that died had taken over is the session's only if its launch was stable.
    mutating func judgeAdoptions() {
        for name in sessions.keys where sessions[name]?.adopting != nil {
            sessions[name]?.adopting = nil
            if wasStable != false {
                sessions[name]?.mayDiffer = true
            }
        }
    }
}
