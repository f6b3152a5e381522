import SceneStore
import SceneStoreFileFaults
import SceneStoreTesting

/// What befalls a device, as the seed has it; a scenario has no words for it.
enum Misfortune {
    /// The power goes between two steps.
    case powerCut(seed: UInt64)
    /// The power goes within a step, before a call of the disk, counted from 1.
    case powerCutAt(UInt64, seed: UInt64)
    /// The process is killed within a step, before a call of the disk.
    case killAt(UInt64)
    /// A call to the system fails within a step, counted from 1.
    case failing(SystemFault.Kind, UInt64)
    /// The clock is set, by milliseconds.
    case clockJump(Int64)
    /// Another process wants the container.
    case rival
    /// There is no memory for a commit from here on, or there is again.
    case memory(isShort: Bool)

    var text: String {
        switch self {
        case .powerCut(let seed): "# the power goes (\(seed))"
        case .powerCutAt(let call, let seed): "# the power goes at call \(call) (\(seed)) of:"
        case .killAt(let call): "# the process is killed at call \(call) of:"
        case .failing(let kind, let call): "# call \(call) fails (\(kind)) in:"
        case .clockJump(let milliseconds): "# the clock is set by \(milliseconds) ms"
        case .rival: "# another process wants the container"
        case .memory(true): "# commits fail for lack of memory"
        case .memory(false): "# there is memory again"
        }
    }

    /// Whether it takes the place of a step.
    var isStep: Bool {
        switch self {
        case .powerCutAt, .killAt, .failing: false
        case .powerCut, .clockJump, .rival, .memory: true
        }
    }
}

extension SocketFault {
    var text: String {
        "# on the socket, call \(first) to \(first + times - 1) of \(call) fails (\(effect), \(error)) in:"
    }
}

/// Mixes misfortunes into the steps of a history.
struct MixedMaker {
    private(set) var maker: HistoryMaker
    private var random: SeededRandom
    /// Decides whether a process outlives the one that it handed payloads to.
    private var starts: SeededRandom
    /// Draws what befalls calls to the system; nil where there are none.
    private var calls: SeededRandom?
    /// Draws what befalls calls on the socket, so that the other draws stay what they were.
    private var sockets: SeededRandom

    init(seed: UInt64, number: UInt64, hasSystemCalls: Bool) {
        calls = hasSystemCalls ? SeededRandom(seed, number, 79) : nil
        maker = HistoryMaker(seed: seed, number: number, isMixed: true)
        random = SeededRandom(seed, number, 18)
        starts = SeededRandom(seed, number, 78)
        sockets = SeededRandom(seed, number, 80)
    }

    mutating func setUp() -> [String] { maker.setUp() }

    mutating func step(_ player: ScenarioPlayer, _ ledger: HistoryLedger) -> HistoryStep {
        if ledger.isOwedRecovery {
            return HistoryStep("recover")
        }
        if !player.isRunning, let step = takingOver(player) {
            return step
        }
        if random.oneIn(9), let misfortune = between(ledger) {
            var step = HistoryStep(misfortune.text)
            step.misfortune = misfortune
            return step
        }
        var step = maker.step(player, ledger)
        if !ledger.isRefusing, random.oneIn(8), Self.mayBeCut.contains(step.words[0]) {
            let call = 1 + UInt64(random.below(random.oneIn(2) ? 12 : 60))
            step.misfortune =
                maker.policy.isDurable && random.oneIn(2)
                ? .powerCutAt(call, seed: random.next() >> 40) : .killAt(call)
        } else if !ledger.isRefusing, step.words[0] == "start", starts.oneIn(2) {
            step.misfortune = .killAt(1 + UInt64(starts.below(16)))
        }
        step = atSystemCall(step, ledger)
        step.socketFault = socketFault(of: step, isRunning: player.isRunning)
        return step
    }

    /// What befalls the socket in a step: a second start, or a launch that begins to listen.
    private mutating func socketFault(of step: HistoryStep, isRunning: Bool) -> SocketFault? {
        let call: SocketFault.Call
        if step.words[0] == "start", isRunning {
            guard calls != nil, !sockets.oneIn(3) else {
                return nil
            }
            let places = SocketFault.Call.allCases.filter { $0 != .listen }
            call = places[sockets.below(places.count)]
        } else if step.isLaunch {
            guard calls != nil, sockets.oneIn(16) else {
                return nil
            }
            call = .listen
        } else {
            return nil
        }
        let effects = SocketFault.effects(on: call)
        let effect = effects[sockets.below(effects.count)]
        let errors = SocketFault.errors(of: call, effect)
        return SocketFault(
            call, effect, first: 1 + UInt64(sockets.below(2)),
            times: 1 + UInt64(sockets.below(3)), error: errors[sockets.below(errors.count)])
    }

    /// The step as it is on real files, where a step makes more calls, and each of them can fail.
    private mutating func atSystemCall(
        _ step: HistoryStep, _ ledger: HistoryLedger
    ) -> HistoryStep {
        guard calls != nil else {
            return step
        }
        var step = step
        let bounds = [12, 60, 400]
        let bound = bounds[calls?.below(bounds.count) ?? 0]
        let call = 1 + UInt64(calls?.below(bound) ?? 0)
        switch step.misfortune {
        case .killAt: step.misfortune = .killAt(call)
        case .powerCutAt(_, let seed): step.misfortune = .powerCutAt(call, seed: seed)
        case nil
        where !ledger.isRefusing && calls?.oneIn(6) == true
            && Self.mayBeCut.contains(step.words[0]):
            let kinds = SystemFault.Kind.allCases
            step.misfortune = .failing(kinds[calls?.below(kinds.count) ?? 0], call)
        default: break
        }
        return step
    }

    /// The process that handed payloads to one that died owns the container next, as a rule.
    private mutating func takingOver(_ player: ScenarioPlayer) -> HistoryStep? {
        let payloads = player.unanswered.map(\.payload)
        guard !payloads.isEmpty, !starts.oneIn(4) else {
            return nil
        }
        var step = HistoryStep(
            "launch" + payloads.flatMap(\.marks).map { " url=\($0)" }.joined(),
            payloads: payloads, isLaunch: true)
        step.bringsUnanswered = true
        return step
    }

    private mutating func between(_ ledger: HistoryLedger) -> Misfortune? {
        switch random.below(5) {
        case 0, 1: maker.policy.isDurable ? .powerCut(seed: random.next() >> 40) : nil
        case 2: .clockJump(Int64(random.below(7_200_000)) - 3_600_000)
        case 3: .rival
        default: nil
        }
    }

    /// The steps that may be cut short: the books know what they may leave.
    private static let mayBeCut: Set<String> = [
        "launch", "background", "foreground", "quit", "close", "new-scene", "change", "wait",
        "evict",
        "open-url", "start", "shortcut", "push", "continue", "arrive", "activate", "acknowledge",
        "reopen",
    ]
}
