import SceneStore
import SceneStoreTesting

/// Short stories of what was added later: undeclared types, panels, a store that is moved, and windows
/// that are left behind.
extension HistoryMaker {
    /// A window answers with a type that nobody declared: strict mode keeps the state before (L-34).
    mutating func undeclaring(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.restoring("true"), .launch] + Beat.window + [
            .running("background *"), .running("foreground ", 0),
            Beat(isRunning: true) { maker, _ in
                let step = maker.newState(maker.subjects[0])
                return step.isUndeclared ? step : maker.undeclaredState(maker.subjects[0])
            },
            .running(later.oneIn(2) ? "background *" : "quit"),
            Beat(isRunning: nil) { _, player in HistoryStep(player.isRunning ? "kill" : "wait 1s")
            },
            .launch,
        ]
    }

    /// A panel is there beside a window: it takes the links that it prefers and no others, and is
    /// never all that comes back (L-11, L-78).
    mutating func presenting(_ player: ScenarioPlayer) -> [Beat] {
        let linking = { (prefix: String) in
            Beat(isRunning: true) { maker, _ in maker.link(prefix) }
        }
        let rest: [Beat] =
            switch later.below(policy.handsOver ? 6 : 4) {
            case 0: [.running("activate ", 1), linking("app://1/")]
            case 1:
                [.running("background *"), .running("foreground ", 1), .running("kill"), .launch]
            case 2:
                [
                    Beat(isRunning: true) { maker, _ in
                        HistoryStep("delegate session=\(maker.subjects[1]) prefers=\"^app://8\"")
                    },
                    .running("activate ", 0), linking("app://8/"),
                ]
            case 3: [.running("close ", 0), linking("app://1/")]
            default:
                // Both are active; the panel is the one that the user is at.
                [
                    .running("activate ", 0), .running("activate ", 1), announcing(nil),
                    arriving(fails: later.oneIn(3)),
                ]
            }
        return start(player) + [.away("delegate provider=none"), .launch] + Beat.window + [
            .running("new-scene role=\(HistoryManifest.panelRole)"),
            Beat(isRunning: true) { maker, player in
                let panel = player.scenes.map(\.name).last { maker.panels.contains($0) }
                guard let panel else {
                    return nil
                }
                maker.subjects.append(panel)
                return maker.newState(panel)
            },
        ] + rest
    }

    /// Somebody moves the store away and puts it back, and the app goes on meanwhile (L-17).
    mutating func moving(_ player: ScenarioPlayer) -> [Beat] {
        let meanwhile: [Beat] =
            switch later.below(4) {
            case 0: [.running("close ", 1)]
            case 1: Beat.window
            case 2: [Beat(isRunning: true) { maker, _ in maker.link("app://1/") }]
            default: []
            }
        return start(player) + [.launch] + Beat.window + Beat.window + [
            .running("background *"), .running("foreground ", 0), .running("fail save=moved"),
            Beat(isRunning: true) { maker, _ in maker.newState(maker.subjects[0]) },
        ] + meanwhile + [
            .running("background *"), .running("recover"),
            .running(later.oneIn(2) ? "quit" : "kill"), .launch,
        ]
    }

    /// A process that leaves the remembered windows alone makes one of its own, and connects one of the
    /// others before it, or none; at the end both are reopened (L-48).
    mutating func leaving(_ player: ScenarioPlayer) -> [Beat] {
        let touching: [Beat] = leaves.oneIn(2) ? [.running("activate ", 0)] : []
        let behavior = ["none", "none", "fresh", "safe"][leaves.below(4)]
        let reopening = Beat(isRunning: true) { maker, _ in
            HistoryStep("reopen " + maker.subjects.prefix(2).joined(separator: " "))
        }
        let back: [Beat] = leaves.oneIn(2) ? [reopening] : []
        return start(player) + [.launch] + Beat.window + Beat.window + [
            .running("kill"), .away("policy launch=\(behavior)"), .launch,
        ] + touching + Beat.window + [
            .running(leaves.oneIn(2) ? "quit" : "kill"), .away("policy launch=restore"), .launch,
        ] + back
    }
}

extension HistoryStep {
    /// Whether a window answers with a type that nobody declared from here on.
    var isUndeclared: Bool {
        words.first == "state" && words[2].hasPrefix(HistoryManifest.undeclaredPrefix)
    }
}
