import SceneStore
import SceneStoreTesting

/// Counts what a history did, and says what is missing or there twice.
struct HistoryLedger {
    var findings: [String] = []
    var payloads = PayloadLedger()
    var states = StateLedger()
    var routes = RoutingLedger()
    private var handoffs = HandoffLedger()
    private var refusals = RefusalLedger()
    private var latest = LatestLedger()
    private var wishes = WishLedger()
    private(set) var moves = MovedLedger()
    private(set) var launches = 0
    private(set) var deaths = 0
    /// Whether writes are refused.
    private(set) var isRefusing = false
    /// Whether they are because there is no memory.
    private(set) var isShortOfMemory = false
    /// Whether a call failed, so that the app reopens its store next.
    private(set) var isOwedRecovery = false
    /// Whether one failed in the process that runs.
    private var hasMetFailure = false
    /// Whether a plan sees all that the launch will see: what the app's guard answers it can't know.
    var mayPlan: Bool { !states.isSameVersion }
    private var choices = HistoryChoices()
    /// How the app begins, as its last choice says.
    private var beginning = "restore"
    /// Whether the last process died; nil where that is not certain.
    private var lastDied: Bool? = false

    mutating func begin(_ choices: HistoryChoices, _ manifest: String) {
        self.choices = choices
        states.begin(choices, manifest)
        routes.begin(manifest)
        refusals.begin(choices)
        latest.begin(manifest)
        wishes.begin(choices)
    }

    /// The process that had no memory is gone.
    mutating func endShortage() {
        isShortOfMemory = false
        isRefusing = false
    }

    // MARK: Who is there

    private func names(
        _ player: ScenarioPlayer, _ fits: (SessionRecord) -> Bool
    ) -> [String] {
        let records =
            (try? player.read { (store) throws(SceneStoreError) in
                Array(try store.openRecords())
            }) ?? []
        return records.filter(fits).compactMap { player.knownName($0.id) }.sorted()
    }

    /// Without private ones: what becomes of them is not for chance to say.
    func open(_ player: ScenarioPlayer) -> [String] {
        names(player) { $0.privacy != .ephemeral }
    }

    func held(_ player: ScenarioPlayer) -> [String] { names(player, \.isHeldByHand) }

    func closed(_ player: ScenarioPlayer) -> [String] {
        let closed =
            (try? player.read { (store) throws(SceneStoreError) in
                try store.discards.recentlyClosed()
            })
            ?? []
        return closed.compactMap { player.knownName($0.record.id) }.sorted()
    }

    // MARK: Counting

    /// Takes in what a step did.
    mutating func count(
        _ step: HistoryStep, _ lines: [TranscriptLine], _ before: Before, wasRunning: Bool,
        _ player: ScenarioPlayer
    ) {
        var outcome = StepOutcome(step, lines, wasRunning: wasRunning, player)
        if outcome.bringsUnanswered {
            outcome.leaveOut(before.waiting + before.aside)
        }
        if outcome.words.first == "fail" || outcome.isShortOfMemory == true {
            isRefusing = true
        } else if outcome.words.first == "recover" || outcome.isShortOfMemory == false {
            isRefusing = false
        }
        for word in outcome.words where outcome.words[0] == "policy" && word.hasPrefix("inbox=") {
            choices.persistsInbox = word == "inbox=on"
        }
        hasMetFailure = outcome.hadFailure || hasMetFailure && !outcome.isLaunch
        // A sync that failed may be met by a later write only.
        let isRefused =
            outcome.hadFailure
            || hasMetFailure && outcome.words.first != "recover" && outcome.refusals != (0, 0)
        isRefusing = isRefusing || isRefused
        isOwedRecovery = isRefused && outcome.isRunning
        isShortOfMemory = outcome.isShortOfMemory ?? isShortOfMemory
        noteBeginning(&outcome)
        moves.count(outcome, persistsInbox: choices.persistsInbox)
        launches += step.isLaunch ? 1 : 0
        deaths += outcome.hasDied ? 1 : 0
        let isHolding = isRefusing || before.isRefusing
        // Of what a step was doing when its process died at a call of the disk, all or nothing may
        // be there; and what is judged by the time is not certain once the clock was set.
        let isInDoubt = isHolding || outcome.isCut || outcome.hasLostPower
        let isUncertain = isInDoubt || outcome.hadFailure || outcome.hasSocketFault
        self.routes.noteKinds(outcome, before)
        let (privates, panels) = (self.routes.privates, self.routes.panels)
        wishes.count(
            outcome, before, isInDoubt: isUncertain,
            isOfManyWindows: HistoryManifest.isOfManyWindows(latest.manifest), privates: privates,
            panels: panels)
        if wishes.isQuit {
            // Closing the last window is quitting.
            outcome.words = ["quit"]
        }
        // Nothing of a private window is stored.
        let stored = outcome.without(privates)
        refusals.count(outcome, before, saved: states.newlyAnswered(stored))
        payloads.count(
            outcome, before, choices, isRefusing: isInDoubt, privates: privates,
            secluded: self.routes.secluded(outcome, before))
        let (routes, states) = (routes, states)
        handoffs.count(outcome) { target in
            isInDoubt ? nil : routes.window(of: target, before.open, states.isSteady)
        }
        self.routes.count(
            outcome, before, isRefusing: isInDoubt || outcome.hasJumped,
            isSteady: states.isSteady)
        for callback in outcome.callbacks {
            if let name = callback.session, self.states.identifiers[name] == nil {
                self.states.identifiers[name] = player.knownIdentifier(name)
            }
        }
        self.states.count(stored, before, isRefusing: isRefusing)
        let steady = self.states
        latest.count(
            outcome, before, reconnection: choices.reconnection, isInDoubt: isUncertain,
            apart: choices.remembersPrivate ? panels : panels.union(privates)
        ) { name in
            privates.contains(name)
                ? before.session(name)?.isPlain == true : steady.isSteady(name)
        }
        findings += wishes.takeFindings() + latest.takeFindings()
        findings += payloads.takeFindings() + self.routes.takeFindings()
        findings += self.states.takeFindings()
        findings += refusals.takeFindings() + handoffs.takeFindings()
        findings += look(outcome, player)
        if isRefused, !outcome.isRunning {
            // The next process meets no failure.
            isRefusing = false
        }
    }

    /// Notes how a launch begins: an app may choose one way for after a crash and one for all others.
    private mutating func noteBeginning(_ outcome: inout StepOutcome) {
        if outcome.words[0] == "policy" {
            beginning = outcome.words.value(of: "launch=") ?? beginning
        }
        let ways = beginning.split { $0 == ":" || $0 == "," }.map(String.init)
        if ways.count == 3 {
            outcome.isAnewByHabit = ways[1] == "restore"
            outcome.behavior = lastDied.map { $0 ? ways[1] : ways[2] } ?? ""
        } else {
            outcome.behavior = beginning
        }
        if outcome.hasLostPower || outcome.words[0] == "reboot" {
            lastDied = nil
        } else if let exit = outcome.exit {
            lastDied =
                outcome.hasDiedWithin || outcome.hadFailure || isRefusing
                ? nil : ![.quit, .forceQuit].contains(exit)
        }
    }

    /// Looks at the store between two steps.
    private mutating func look(_ outcome: StepOutcome, _ player: ScenarioPlayer) -> [String] {
        let isRunning = player.isRunning
        do throws(SceneStoreError) {
            let (states, payloads, moves) = (states, payloads, moves)
            let keeps = !isRefusing
            return try player.read { (store) throws(SceneStoreError) in
                var found =
                    try states.look(store) + moves.look(store, states.identifiers)
                if keeps, !isRunning {
                    found += payloads.look(try store.inbox.pending())
                }
                return found
            }
        } catch {
            // Before the first launch there is none.
            return error.code == .missing || launches == 0
                ? [] : ["the store can't be read: \(error.code.rawValue)"]
        }
    }
}
