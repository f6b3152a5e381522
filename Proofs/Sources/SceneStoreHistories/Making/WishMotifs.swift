import SceneStore
import SceneStoreTesting

/// Short stories of what comes back because somebody wishes it, and of what never does.
extension HistoryMaker {
    mutating func wishing(_ player: ScenarioPlayer) -> [Beat] {
        switch wishes.below(9) {
        case 0 where policy.persistsInbox && !isMixed: callingOff(player)
        case 1 where policy.persistsInbox: turningOff(player)
        case 2: displacing(player)
        case 3: parking(player)
        case 4 where !hasExpired: expiring(player)
        case 5: closingLast(player)
        case 6: showing(player)
        case 7: beginningAnew(player)
        default: secluding(player)
        }
    }

    private mutating func aValue() -> String { "v\(wishes.below(3))" }
    private mutating func anEnd() -> Beat { .running(wishes.oneIn(2) ? "quit" : "kill") }

    private func linking(_ prefix: String) -> Beat {
        Beat(isRunning: true) { maker, _ in maker.link(prefix) }
    }

    /// A private window takes the links that it prefers and shows its value, and nothing of that is
    /// there once its process has ended (L-78, L-87, S-70).
    private mutating func secluding(_ player: ScenarioPlayer) -> [Beat] {
        let value = aValue()
        let between: [Beat] =
            switch wishes.below(5) {
            case 0: [.running("open-value \(value)")]
            case 1: [.running("open-value \(value) privacy=ephemeral")]
            case 2: [.running("background ", 1), .running("evict ", 1)]
            case 3: [.running("close ", 1)]
            default: []
            }
        let opening = wishes.oneIn(3) ? "new-scene" : "open-value \(value)"
        return start(player) + [.launch] + Beat.window + [
            .running("\(opening) privacy=ephemeral"), .front,
            Beat(isRunning: true) { maker, _ in
                HistoryStep("delegate session=\(maker.subjects[1]) prefers=\"^app://7\"")
            },
            .running("activate ", 0),
        ] + between + [linking("app://7/"), linking("app://1/"), anEnd(), .launch]
    }

    /// A logout begins, links arrive, and it is called off, or not (L-48). A private window may prefer
    /// one of them (S-70).
    private mutating func callingOff(_ player: ScenarioPlayer) -> [Beat] {
        let secluding: [Beat] = [
            .running("new-scene privacy=ephemeral"), .front,
            Beat(isRunning: true) { maker, _ in
                HistoryStep("delegate session=\(maker.subjects[2]) prefers=\"^app://7\"")
            },
        ]
        let isSecluded = wishes.oneIn(2)
        let arriving = (0...wishes.below(3)).map { _ in
            Beat(isRunning: true) { maker, _ in
                maker.wishes.oneIn(3) ? maker.push() : maker.link("app://\(maker.wishes.below(3))/")
            }
        }
        let end: [Beat] = wishes.oneIn(4) ? [] : [.running("end-teardown")]
        return start(player) + [.launch] + Beat.window + Beat.window
            + (isSecluded ? secluding : []) + [.running("teardown")] + arriving
            + (isSecluded ? [linking("app://7/")] : []) + end + [anEnd(), .launch]
    }

    /// An update turns the inbox off while something waits in it, and a later one turns it on (L-65).
    private mutating func turningOff(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.launch] + Beat.window + [
            linking("app://1/"), anEnd(), .away("policy inbox=off"),
            Beat(isRunning: false) { maker, _ in maker.newVersion() }, .launch, anEnd(), .launch,
            anEnd(), .away("policy inbox=on"), .launch,
        ]
    }

    /// An app of one window begins anew, once or twice, and restores again (L-16); perhaps an update
    /// allows several windows for a while.
    private mutating func displacing(_ player: ScenarioPlayer) -> [Beat] {
        let behavior = wishes.oneIn(3) ? "safe" : "fresh"
        let isUpdated = wishes.oneIn(2)
        return start(player, .release(1)) + [
            .launch, .front, .running("background *"), .running("quit"),
            .away("policy launch=\(behavior)"), .launch, .front, anEnd(),
        ] + (wishes.oneIn(3) ? [.launch, anEnd()] : []) + (isUpdated ? [.release(0)] : []) + [
            .away("policy launch=restore"), .launch,
        ] + (isUpdated ? Beat.window + [.running("quit"), .release(1), .launch] : [])
    }

    /// An app of one window begins anew each time, and restores what crashed (L-14, L-16).
    private mutating func beginningAnew(_ player: ScenarioPlayer) -> [Beat] {
        start(player, .release(1)) + [
            .launch, .front, .running("quit"), .away("policy launch=crash:restore,fresh"), .launch,
            .front, .running("background *"), .running("kill"), .launch, anEnd(), .launch, anEnd(),
            .away("policy launch=restore"), .launch,
        ]
    }

    /// A quit keeps no window; one of them is asked for by its value, activated or reopened (L-18).
    private mutating func parking(_ player: ScenarioPlayer) -> [Beat] {
        let value = aValue()
        let (isOne, behavior) = (wishes.oneIn(2), wishes.oneIn(3) ? "none" : "restore")
        let making: [Beat] = isOne ? [.front] : [.running("open-value \(value)"), .front]
        let asking: [Beat] =
            switch wishes.below(isOne ? 2 : 4) {
            case 0: [.launch, .running("activate ", 0)]
            case 1: [.away("reopen ", 0), .launch]
            default: [.launch, .running("open-value \(value)")]
            }
        return start(player, .release(isOne ? 1 : 0)) + [.launch] + making + [
            .running("quit windows=park"), .away("policy launch=\(behavior)"),
        ] + asking + [anEnd(), .away("policy launch=restore"), .launch]
    }

    /// What two processes left behind goes after two weeks, but for what the later one left (L-18).
    private mutating func expiring(_ player: ScenarioPlayer) -> [Beat] {
        hasExpired = true
        guard !wishes.oneIn(3) else {
            return expiringDisplaced(player)
        }
        let days = wishes.oneIn(4) ? 13 : 15
        let update: [Beat] = wishes.oneIn(3) ? [.release(1), .away("policy launch=restore")] : []
        return start(player) + [.launch] + Beat.window + [
            .running("background *"), .running("quit"), .away("policy launch=fresh"), .launch,
            .running("quit"), .launch, .running("quit"), .away("wait \(days)d"),
        ] + update + [
            .launch, anEnd(), .away("policy launch=restore"), .launch,
        ]
    }

    /// In an app of one window, what processes that began anew displaced goes after 30 days (L-18).
    private mutating func expiringDisplaced(_ player: ScenarioPlayer) -> [Beat] {
        let waiting = Beat.away("wait \(wishes.oneIn(4) ? 14 : 16)d")
        return start(player, .release(1)) + [
            .launch, .running("quit"), .away("policy launch=fresh"), .launch, .running("quit"),
            .launch, .running("quit"), .launch, .running("quit"), waiting, .launch,
            .running("quit"), waiting, .launch, anEnd(), .launch, anEnd(),
            .away("policy launch=restore"), .launch,
        ]
    }

    /// The only window is closed (L-39).
    private mutating func closingLast(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.away("policy launch=fresh"), .launch, .front, .running("close ", 0)] + [
            Beat(isRunning: nil) { _, player in
                HistoryStep(player.isRunning ? "quit" : "wait 1s")
            },
            .away("policy launch=restore"), .launch,
        ]
    }

    /// A value is asked for whose window is there, or gone, or closed (L-87).
    private mutating func showing(_ player: ScenarioPlayer) -> [Beat] {
        let value = aValue()
        let between: [Beat] =
            switch wishes.below(4) {
            case 0: [.running("evict ", 1)]
            case 1: [anEnd(), .launch]
            default: [.running("close ", 1)]
            }
        return start(player) + [.launch] + Beat.window + [
            .running("open-value \(value)"), .front, .running("background ", 1),
        ] + between + [.running("open-value \(value)"), anEnd(), .launch]
    }
}
