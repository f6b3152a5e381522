import SceneStore
import SceneStoreTesting

/// Activities that another device hands over: announced, and some time later here, or lost (L-62).
extension HistoryMaker {
    /// One that was announced, and is not here yet.
    struct Handoff {
        var type: String
        var target: String?
    }

    /// A step of that kind; nil when it is not its turn.
    mutating func handingOver(_ player: ScenarioPlayer) -> HistoryStep? {
        guard policy.handsOver, player.isRunning, later.oneIn(6) else {
            return nil
        }
        return handoffs.isEmpty || later.oneIn(2) ? announce() : arrive(fails: later.oneIn(4))
    }

    private mutating func announce() -> HistoryStep {
        let type = newMark("com.example.hand")
        // What the conditions of windows are compared with.
        let target = later.oneIn(2) ? newMark("app://\(later.below(3))/") : nil
        return announce(Handoff(type: type, target: target))
    }

    private mutating func announce(_ handoff: Handoff) -> HistoryStep {
        handoffs.append(handoff)
        return HistoryStep("continue \(handoff.words) handoff")
    }

    /// The data of one of them comes, or fails to: also what an earlier process announced.
    private mutating func arrive(fails: Bool) -> HistoryStep? {
        guard !handoffs.isEmpty else {
            return nil
        }
        let handoff = handoffs.remove(at: later.below(handoffs.count))
        guard !fails else {
            return HistoryStep("arrive \(handoff.words) fail")
        }
        guard var activity = try? UserActivity(activityType: handoff.type) else {
            return nil
        }
        activity.targetContentIdentifier = handoff.target
        return HistoryStep("arrive \(handoff.words)", payloads: [.activity(activity)])
    }

    /// One is announced, of which alone there is more to come.
    func announcing(_ target: String?) -> Beat {
        Beat(isRunning: true) { maker, _ in
            maker.handoffs = []
            return maker.announce(
                Handoff(type: maker.newMark("com.example.hand"), target: target))
        }
    }

    func arriving(fails: Bool) -> Beat {
        Beat(isRunning: true) { maker, _ in maker.arrive(fails: fails) }
    }

    // MARK: Short stories

    /// Of two windows one is told; before the data is there, something becomes of it. The process
    /// dies once it is, and the next one announces it anew if an inbox kept it.
    mutating func handing(_ player: ScenarioPlayer) -> [Beat] {
        let fails = later.oneIn(4)
        let between: [Beat] =
            switch later.below(5) {
            case 0: [.running("background ", 0), .running("evict ", 0)]
            case 1: [.running("close ", 0)]
            case 2: [.running("activate ", 1)]
            case 3: [.running("background *"), .running("foreground ", 1)]
            default: []
            }
        return start(player) + [.launch] + Beat.window + Beat.window + [
            Beat(isRunning: true) { maker, _ in
                HistoryStep("delegate session=\(maker.subjects[0]) prefers=\"^app://9\"")
            },
            announcing("app://9/hand"),
        ] + between + [arriving(fails: fails), .running(later.oneIn(3) ? "quit" : "kill"), .launch]
    }

    /// Two activities of one type are on their way to two windows, and one of them fails (L-62).
    mutating func handingTwo(_ player: ScenarioPlayer) -> [Beat] {
        let turns = later.oneIn(2) ? [0, 1] : [1, 0]
        let failing = later.below(2)
        let preferring = [0, 1].map { place in
            Beat(isRunning: true) { maker, _ in
                HistoryStep(
                    "delegate session=\(maker.subjects[place]) prefers=\"^app://\(8 + place)\"")
            }
        }
        let announcing = turns.map { place in
            Beat(isRunning: true) { maker, _ in
                let type = maker.handoffs.first?.type ?? maker.newMark("com.example.hand")
                return maker.announce(Handoff(type: type, target: "app://\(8 + place)/hand"))
            }
        }
        let arriving = [0, 1].map { place in
            Beat(isRunning: true) { maker, _ in
                maker.handoffs.sort { ($0.target ?? "") < ($1.target ?? "") }
                let last = maker.handoffs
                maker.handoffs = [last[0]]
                let step = maker.arrive(fails: place == failing)
                maker.handoffs = Array(last.dropFirst())
                return step
            }
        }
        let emptying = Beat(isRunning: true) { maker, _ in
            maker.handoffs = []
            return HistoryStep("wait 1s")
        }
        return start(player) + [.launch] + Beat.window + Beat.window + preferring + [emptying]
            + announcing + arriving
    }
}

extension HistoryMaker.Handoff {
    /// It as a step has it.
    fileprivate var words: String {
        type + (target.map { " target=\($0)" } ?? "")
    }
}
