import SceneStore
import SceneStoreTesting

/// What a step did, as the transcript tells it.
struct StepOutcome {
    var text: String
    var words: [String]
    var payloads: [Payload]
    var marks: [String]
    var isLaunch: Bool
    var wasRunning: Bool
    var isRunning: Bool
    /// How a launch begins; empty where nobody knows whether the last process died.
    var behavior = "restore"
    /// Whether the app always begins anew, and restores after a crash alone.
    var isAnewByHabit = false
    /// The virtual time after it, in milliseconds.
    var now: Int64
    var callbacks: [TranscriptCallback] = []
    var diagnostics: [String] = []
    /// How often it was told that writes are refused, and how often because a sync had failed before.
    var refusals = (disk: 0, sync: 0)
    /// The diagnostics that name a session, by its name.
    var findings: [String: Set<String>] = [:]
    var exit: TranscriptLine.Exit?
    /// Whether another process had handed its payloads to one that died.
    var bringsUnanswered = false
    /// Whether the step was cut short at a call of the disk.
    var isCut = false
    /// Whether a call to the system failed, and the process went on.
    var hadFailure = false
    /// Whether a call on the socket fails in it, so that one who asks may give up.
    var hasSocketFault = false
    /// Whether the power went.
    var hasLostPower = false
    /// Whether the clock was set.
    var hasJumped = false
    /// Whether there is no memory from here on, or there is again.
    var isShortOfMemory: Bool?

    init(
        _ step: HistoryStep, _ lines: [TranscriptLine], wasRunning: Bool,
        _ player: ScenarioPlayer
    ) {
        text = step.text
        words = step.words
        payloads = step.payloads
        marks = step.marks
        isLaunch = step.isLaunch
        hadFailure = step.hadFailure
        hasSocketFault = step.socketFault != nil
        bringsUnanswered = step.bringsUnanswered
        self.wasRunning = wasRunning
        isRunning = player.isRunning
        now = player.now
        for line in lines {
            switch line.event {
            case .callback(let callback): callbacks.append(callback)
            case .diagnostic(let diagnostic):
                diagnostics.append(diagnostic.code)
                if diagnostic.code == "writeRefused" {
                    let isPoisoned = diagnostic.message.hasSuffix(
                        "close the store and open it again")
                    refusals.disk += isPoisoned ? 0 : 1
                    refusals.sync += isPoisoned ? 1 : 0
                }
                if let session = diagnostic.session {
                    findings[session, default: []].insert(diagnostic.code)
                }
            case .exit(let how): exit = how
            case .launch: break
            }
        }
        switch step.misfortune {
        case .clockJump: hasJumped = true
        case .memory(let isShort): isShortOfMemory = isShort
        case .powerCut: hasLostPower = true
        case .powerCutAt: hasLostPower = step.wasCutShort
        default: break
        }
        if step.wasCutShort {
            isCut = true
            exit = .kill
        }
    }

    /// Leaves out what some sessions are called for.
    func without(_ sessions: Set<String>) -> StepOutcome {
        var outcome = self
        outcome.callbacks.removeAll { $0.session.map(sessions.contains) == true }
        return outcome
    }

    /// Leaves out what the inbox knows already of what another process brings: the inbox hands it
    /// over, or has set it aside (L-77).
    mutating func leaveOut(_ known: [String]) {
        payloads.removeAll { !Set($0.marks).isDisjoint(with: known) }
        marks.removeAll { known.contains($0) }
    }

    /// Whether a process ended without a farewell.
    var hasDied: Bool { exit.map { $0 != .quit } ?? false }
    /// Whether it died within a callback, and not because the step says so.
    var hasDiedWithin: Bool {
        hasDied && !["kill", "crash", "force-quit", "reboot"].contains(words.first)
    }
    /// Whether the step's process is there still, or ended in good order.
    var isSound: Bool { isRunning || exit == .quit }
    /// Whether the app was called by its host, which reads the clock first.
    var readsClock: Bool {
        let calls = [
            "activate", "new-scene", "background", "foreground", "evict", "open-url", "start",
            "shortcut",
            "push", "continue", "arrive",
        ]
        return wasRunning && words.first.map(calls.contains) == true && !callbacks.isEmpty
            && !wasRefused
    }
    /// Whether the engine refused what the step asked for.
    var wasRefused: Bool {
        let codes = [
            "multipleScenesNotSupported", "noConfiguration", "requestDenied", "invalidState",
            "roleMismatch", "noSuchSession", "diskFull",
            "readOnlyVolume", "ioError", "poisoned", "busy", "owned",
        ]
        return diagnostics.contains { code in
            codes.contains(code) || hasSocketFault && code == "outOfMemory"
        }
    }
}

/// What was so before a step.
struct Before {
    /// A session that is open.
    struct Open {
        var name: String?
        /// Whether it is not held, and nobody suspects it.
        var isSound: Bool
        /// Whether somebody held it by hand.
        var isHeldByHand: Bool
        var parked: ParkedCause?
        var isPrivate: Bool
        /// Whether nothing is judged of it: what was left behind is open as any other.
        var isPlain: Bool { isSound && (parked == nil || parked == .leftBehind) }

        init(_ record: SessionRecord, _ player: ScenarioPlayer) {
            name = player.knownName(record.id)
            isSound = !record.isHeldByHand && record.crashCount == 0
            isHeldByHand = record.isHeldByHand
            parked = record.parkedCause
            isPrivate = record.privacy == .ephemeral
        }
    }

    /// The payloads that wait and are not set aside, by what they are.
    var waiting: [String] = []
    /// The same with what the conditions of sessions are compared with.
    var targets: [String: String] = [:]
    /// Those that are set aside.
    var aside: [String] = []
    /// The sessions that are open, most recently active first.
    var open: [Open] = []
    /// Those that were closed and can be reopened.
    var closed: [Open] = []
    var connected: Set<String> = []
    var isRefusing = false
    /// Whether there is a store that can be read.
    var hasStore = false
    var now: Int64

    init(_ player: ScenarioPlayer, _ ledger: HistoryLedger) {
        connected = Set(player.scenes.map(\.name))
        isRefusing = ledger.isRefusing
        now = player.now
        let items =
            (try? player.read { (store) throws(SceneStoreError) in try store.inbox.pending() })
            ?? []
        waiting = items.filter { !$0.isSetAside }.flatMap { $0.payload.marks }
        aside = items.filter(\.isSetAside).flatMap { $0.payload.marks }
        for item in items {
            for mark in item.payload.marks {
                targets[mark] = item.payload.target
            }
        }
        let records = try? player.read { (store) throws(SceneStoreError) in
            Array(try store.openRecords())
        }
        hasStore = records != nil
        open = (records ?? []).map { Open($0, player) }
        let gone = try? player.read { (store) throws(SceneStoreError) in
            try store.discards.recentlyClosed()
        }
        closed = (gone ?? []).map { Open($0.record, player) }
    }

    /// The open session of a name.
    func session(_ name: String) -> Open? { open.first { $0.name == name } }
}
