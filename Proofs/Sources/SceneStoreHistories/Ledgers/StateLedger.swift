import SceneStore
import SceneStoreTesting

/// Each state that was acknowledged is the current one, in the history, pinned, or discarded on
/// purpose; it is given back unless a rule forbids it, and what is kept from the app stays.
struct StateLedger {
    /// The sessions by their names, as the player gave them.
    var identifiers: [String: SceneSession.ID] = [:]
    var sessions: [String: Session] = [:]
    private(set) var acknowledgedCount = 0
    var connected: Set<String> = []
    var manifest = HistoryManifest.names[0]
    /// The names that the app says it has under others now.
    var renames: [String: String] = [:]
    var version = 1
    private var isThrowing = false
    private(set) var choices = HistoryChoices()
    /// Whether the app's guard refuses the states of other versions.
    var isSameVersion = false
    var isRefusing = false
    var startedAt: Int64 = 0
    /// Whether the process before lived long enough; nil when that is not certain.
    var wasStable: Bool? = false
    var diedWithin = false
    var hasEndedCleanly = false
    /// Whether the clock was set since the process before began.
    var hasJumped = false
    /// Whether a process died at a call, perhaps between making a session and telling the app.
    var mayHaveUnseen = false
    var findings: [String] = []

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func begin(_ choices: HistoryChoices, _ manifest: String) {
        self.choices = choices
        isSameVersion = choices.isSameVersion
        self.manifest = manifest
    }

    /// Whether nothing is judged of a session.
    func isSteady(_ name: String) -> Bool {
        guard let session = sessions[name] else {
            return false
        }
        return session.blame == .none && !session.isHeldByHand && !session.isGone
            && !session.isUnsure
    }

    mutating func count(_ outcome: StepOutcome, _ before: Before, isRefusing: Bool) {
        let earlier = sessions
        let isRefusing = isRefusing || outcome.isCut
        hasJumped = hasJumped || outcome.hasJumped
        read(outcome, isRefusing: isRefusing)
        if outcome.isLaunch {
            judge(at: before.now)
        }
        noteStable(outcome, before, isRefusing: isRefusing)
        for callback in outcome.callbacks {
            count(callback, outcome, isRefusing: isRefusing)
        }
        checkReports(outcome)
        end(outcome, isRefusing: isRefusing)
        if outcome.isCut {
            doubt(since: earlier)
        }
        if outcome.hasLostPower {
            losePower()
        }
        self.isRefusing = isRefusing && !outcome.isCut
    }

    /// The power went. States that were saved in mode full are there; what an autosave wrote, that a
    /// session was made or reopened, and what was judged since need not be (S-20).
    private mutating func losePower() {
        // The last that is on the disk may be that a session was being restored, which blames it however
        // long ago that was (L-52).
        hasJumped = true
        for name in sessions.keys {
            guard var session = sessions[name] else {
                continue
            }
            session.acknowledged.removeAll(where: session.unsynced.contains)
            session.uncertain.formUnion(session.unsynced)
            session.unsynced = []
            session.isUnsure =
                session.isUnsure || session.isUnsettled || session.acknowledged.isEmpty
            session.pinned = []
            session.blame = .blamed
            session.wasOffered = true
            session.hasForgotten = false
            session.deaths = nil
            session.mayDiffer = session.mayDiffer || session.adopting != nil
            sessions[name] = session
        }
    }

    /// Damage may take the current state, so that one before it is the last that is left.
    mutating func expectEarlierStates() {
        for (name, session) in sessions {
            sessions[name]?.uncertain.formUnion(session.doubtful)
        }
    }

    /// A process died at a call of the disk: what was judged or pinned in the step may not be there,
    /// and whoever was connected may have been restoring.
    private mutating func doubt(since earlier: [String: Session]) {
        mayHaveUnseen = true
        for (name, session) in sessions {
            let pinned = earlier[name]?.pinned ?? []
            sessions[name]?.pinned = session.pinned.filter(pinned.contains)
            sessions[name]?.blame = .blamed
            sessions[name]?.wasOffered = true
            sessions[name]?.hasForgotten = false
            sessions[name]?.deaths = nil
            if session.adopting != nil {
                sessions[name]?.mayDiffer = true
            }
        }
    }

    /// What the step says by itself.
    private mutating func read(_ outcome: StepOutcome, isRefusing: Bool) {
        let words = outcome.words
        let name = words.count > 1 ? words[1] : ""
        switch words.first {
        case "state":
            sessions[name, default: Session()].throwsAnswer = words[2] == "throws"
            sessions[name]?.answersNil = words[2] == "nil"
            sessions[name]?.answer = ["throws", "nil"].contains(words[2]) ? nil : words[2]
        case "update" where name.hasPrefix("version="):
            version = Int(name.dropFirst(8)) ?? version
        case "update":
            manifest = String(name.dropFirst(9))
            if let rename = words.first(where: { $0.hasPrefix("rename=") }) {
                let names = rename.dropFirst(7).split(separator: ":").map(String.init)
                renames[names[0]] = names[1]
            }
        case "manifest": manifest = name
        case "delegate" where name.hasPrefix("restore="):
            isThrowing = name == "restore=throws"
            isSameVersion = name == "restore=same-version"
        case "reopen" where !outcome.wasRefused:
            sessions[name]?.isGone = false
            sessions[name]?.isUnsettled = true
            if isRefusing {
                sessions[name]?.isUnsure = true
            }
        case "hold": sessions[name]?.isHeldByHand = true
        // Who releases a session clears its count; a release that was refused does nothing.
        case "release" where !outcome.wasRefused:
            sessions[name]?.isHeldByHand = false
            sessions[name]?.deaths = 0
        case "change" where connected.contains(name) && sessions[name]?.answer != nil:
            sessions[name]?.isChanged = true
        case "close": close(name, outcome, isRefusing: isRefusing)
        case "force-quit" where choices.discardsOnForceQuit:
            for name in sessions.keys {
                sessions[name]?.isGone = true
                sessions[name]?.isUnsure = isRefusing
            }
        default: break
        }
    }

    /// Closing asks for a change that is not stored yet (L-46).
    private mutating func close(_ name: String, _ outcome: StepOutcome, isRefusing: Bool) {
        let wasAsked = outcome.callbacks.contains { $0.name == .save && $0.session == name }
        if let session = sessions[name], session.isChanged, session.answer != nil,
            connected.contains(name), outcome.isSound, !outcome.wasRefused, !wasAsked
        {
            findings.append("\(name) was closed with a change that nobody asked for")
        }
        sessions[name]?.isGone = true
        if isRefusing {
            sessions[name]?.isUnsure = true
        }
    }

    /// The sessions that a step asked, and that answered with a state that is not stored.
    func newlyAnswered(_ outcome: StepOutcome) -> [String] {
        outcome.callbacks.filter { $0.name == .update }.compactMap(\.session).filter { name in
            guard let session = sessions[name], let answer = session.answer, !refuses(answer) else {
                return false
            }
            return !session.acknowledged.contains(answer) && !session.held.contains(answer)
                && !session.uncertain.contains(answer)
        }
    }

    // MARK: Callbacks

    private mutating func count(
        _ callback: TranscriptCallback, _ outcome: StepOutcome, isRefusing: Bool
    ) {
        guard let name = callback.session else {
            for (name, cause) in callback.causes {
                // Whether one may expire is another book's.
                if ![.user, .app, .expired, .cannotDisplay].contains(cause) {
                    findings.append("\(name) was given up (\(cause.rawValue))")
                }
                sessions[name]?.isGone = true
            }
            return
        }
        switch callback.name {
        case .config: noteMade(name, callback)
        case .connect:
            sessions[name]?.connectedAt = outcome.now
            connect(name, callback, isRefusing: isRefusing)
        case .disconnect:
            connected.remove(name)
            sessions[name]?.isChanged = false
        case .save: save(name, outcome, isRefusing: isRefusing)
        case .restore: restore(name, callback, outcome)
        case .update: update(name, outcome)
        default: break
        }
    }

    private mutating func restore(
        _ name: String, _ callback: TranscriptCallback, _ outcome: StepOutcome
    ) {
        guard let session = sessions[name], let activity = callback.activity else {
            return
        }
        let fits =
            session.acknowledged.contains(activity) || session.uncertain.contains(activity)
            || session.held.contains(activity)
        if !fits {
            findings.append("\(name) is given \(activity), which it never saved")
        } else if session.hasForgotten {
            findings.append("\(name) is given \(activity), which it forgot")
        } else if let state = session.current, state != activity {
            findings.append("\(name) is given \(activity) instead of \(state)")
        }
        sessions[name]?.hasFailed = isThrowing
        if isThrowing, outcome.isSound {
            sessions[name]?.pin(activity)
        }
    }

    /// A scene is asked for its state; if it answers nil, the earlier states are forgotten.
    private mutating func save(_ name: String, _ outcome: StepOutcome, isRefusing: Bool) {
        sessions[name]?.isChanged = false
        guard var session = sessions[name], session.answersNil, !choices.keepsNil else {
            return
        }
        session.hasForgotten =
            outcome.isSound && !isRefusing && choices.isDurable && session.blame == .none
            && session.pinned.isEmpty
        session.uncertain.formUnion(session.acknowledged + session.held)
        session.acknowledged = []
        session.held = []
        session.unsynced = []
        sessions[name] = session
    }

    /// A scene has answered with its state.
    private mutating func update(_ name: String, _ outcome: StepOutcome) {
        guard var session = sessions[name], let answer = session.answer, !refuses(answer) else {
            return
        }
        if answer == session.current {
            // The window stands by it.
            session.pinned.removeAll { $0 == answer }
        }
        session.hasForgotten = false
        session.held.append(answer)
        session.version = version
        noteAdoption(&session, outcome)
        sessions[name] = session
    }

    /// Whether strict mode refuses an answer, so that the state before it stays (L-34).
    private func refuses(_ answer: String) -> Bool {
        choices.isStrict && answer.hasPrefix(HistoryManifest.undeclaredPrefix)
    }

    /// What the app could not restore or answer is told, and a type that is not declared, too (L-55,
    /// L-56, L-34).
    private mutating func checkReports(_ outcome: StepOutcome) {
        guard outcome.isSound else {
            return
        }
        for callback in outcome.callbacks {
            guard let name = callback.session else {
                continue
            }
            let found = outcome.findings[name] ?? []
            if callback.name == .restore, isThrowing, !found.contains("restoreFailed") {
                findings.append("\(name) could not restore its state, and nobody was told")
            }
            if callback.name == .save, sessions[name]?.throwsAnswer == true,
                !found.contains("saveFailed")
            {
                findings.append("\(name) could not answer its state, and nobody was told")
            }
            if callback.name == .update,
                sessions[name]?.answer?.hasPrefix(HistoryManifest.undeclaredPrefix) == true,
                !found.contains("undeclaredActivityType")
            {
                findings.append("the type of \(name)'s state is not declared, and nobody was told")
            }
        }
    }

    // MARK: After a step

    /// What became of the states that the step saved, and of its process.
    private mutating func end(_ outcome: StepOutcome, isRefusing: Bool) {
        let isHeld = isRefusing || self.isRefusing && outcome.words.first != "recover"
        for name in sessions.keys {
            guard var session = sessions[name], !session.held.isEmpty else {
                continue
            }
            if outcome.hasDied {
                session.uncertain.formUnion(session.held)
                session.held = []
            } else if !isHeld, outcome.isSound {
                // What is saved because another window got the focus is saved in mode normal.
                let syncing = ["background", "quit", "close"]
                acknowledge(&session, isSynced: syncing.contains(outcome.words[0]))
            }
            sessions[name] = session
        }
        guard let exit = outcome.exit else {
            return
        }
        // A farewell that can't be written is none.
        hasEndedCleanly = exit == .quit && !isRefusing
        diedWithin = outcome.hasDiedWithin
        if exit != .quit {
            die(outcome)
        }
        if outcome.hadFailure {
            // Whether the end was written before the call failed, or after it, nobody knows.
            hasJumped = true
            for name in sessions.keys where sessions[name]?.adopting != nil {
                sessions[name]?.mayDiffer = true
            }
        }
        endAdoptions(isStable: hasEndedCleanly)
        for name in sessions.keys {
            sessions[name]?.isChanged = false
        }
        connected = []
    }

    private mutating func acknowledge(_ session: inout Session, isSynced: Bool) {
        acknowledgedCount += session.held.count
        if isSynced {
            session.unsynced = []
            session.isUnsettled = false
        } else {
            session.unsynced.formUnion(session.held)
        }
        for state in session.held {
            session.acknowledged.removeAll { $0 == state }
            session.acknowledged.append(state)
        }
        session.doubtful += session.uncertain
        session.uncertain = []
        session.held = []
        // A state that is saved later is restored as usual.
        if session.blame == .blamed, session.wasRestored == false {
            session.blame = .due
        }
    }

    // MARK: What the store has

    /// Every session that was not given up is open, with every state that it saved.
    func look(_ store: SceneSessionStore) throws(SceneStoreError) -> [String] {
        var found: [String] = []
        for name in sessions.keys.sorted() {
            guard let session = sessions[name], !session.isGone, !session.isUnsure,
                session.shown != nil
            else {
                continue
            }
            found += try look(name, session, store)
        }
        return found
    }

    private func look(
        _ name: String, _ session: Session, _ store: SceneSessionStore
    ) throws(SceneStoreError) -> [String] {
        guard let identifier = identifiers[name],
            let record = try store.record(identifier: identifier.rawValue)
        else {
            return ["\(name) is no longer in the store"]
        }
        guard record.isOpen else {
            return ["\(name) is discarded, and nobody asked for it"]
        }
        if let deaths = session.deaths, record.crashCount > deaths {
            return ["\(name) counts \(record.crashCount) deaths, and had \(deaths)"]
        }
        guard !session.acknowledged.isEmpty else {
            return []
        }
        let history = try store.history.versions(key: record.key)
        let stored = Set(history.map(\.activityType))
        // States that are held in memory take places too; the file keeps the last acknowledged one
        // until they are written.
        let kept =
            HistoryPolicy().recent - session.uncertain.count - session.held.count
            - session.doubtful.count
        let least = session.held.isEmpty ? 1 : 0
        let missing =
            session.acknowledged.suffix(max(least, kept)).filter { !stored.contains($0) }
            + session.pinned.suffix(Self.pinCount).filter { !stored.contains($0) }
        guard missing.isEmpty else {
            return ["\(name) lost \(missing.joined(separator: ", "))"]
        }
        let current = history.first(where: \.isCurrent)?.activityType
        let expected = session.uncertain.union(session.held)
        if let current, current != session.acknowledged.last, !expected.contains(current) {
            return ["\(name) has \(current) instead of \(session.acknowledged.last ?? "")"]
        }
        return current == nil ? ["\(name) has no state, and saved one"] : []
    }

    /// How many states of a session are pinned at most (S-51).
    private static let pinCount = SessionPins.capacity
}
