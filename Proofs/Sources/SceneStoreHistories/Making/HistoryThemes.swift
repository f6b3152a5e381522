import SceneStore
import SceneStoreTesting

/// What happens more often than chance would have it.
extension HistoryMaker {
    /// A step of the history's theme; nil when there is none just now.
    mutating func themed(_ player: ScenarioPlayer, _ ledger: HistoryLedger) -> HistoryStep? {
        switch policy.theme {
        case .anything: nil
        case .updates: player.isRunning ? working(player) : updating()
        case .rollbacks: player.isRunning ? trying(player) : rollingBack()
        case .crashes: player.isRunning ? working(player) : crashing(player, ledger)
        case .states: player.isRunning ? writing(player) : withholding(player, ledger)
        case .oneWindow: player.isRunning ? working(player) : holding(player, ledger)
        case .deadlyLink: deadly(player, ledger)
        case .payloads: player.isRunning ? receiving(player, ledger) : launch()
        }
    }

    /// A window is worked in, and the app is left in good order.
    private mutating func working(_ player: ScenarioPlayer) -> HistoryStep? {
        switch number(8) {
        case 0, 1: one(player.scenes.map(\.name)).map { newState($0) }
        case 2, 3: HistoryStep("background *")
        case 4: HistoryStep("quit")
        case 5: HistoryStep("foreground *")
        case 6: HistoryStep("kill")
        default: nil
        }
    }

    private mutating func updating() -> HistoryStep? {
        switch number(4) {
        case 0: newVersion()
        case 1: newManifest()
        case 2 where policy.isSameVersion && chance(3): newGuard()
        default: HistoryStep("launch", isLaunch: true)
        }
    }

    /// A release with other names is tried, and does not stay.
    private mutating func rollingBack() -> HistoryStep? {
        chance(2)
            ? newManifest(manifest == 3 ? 0 : 3) : HistoryStep("launch", isLaunch: true)
    }

    /// Under the release that is rolled back nothing is saved, as a rule.
    private mutating func trying(_ player: ScenarioPlayer) -> HistoryStep? {
        guard manifest == 3 else {
            return working(player)
        }
        return switch number(6) {
        case 0: working(player)
        case 1: HistoryStep("wait \(1 + number(15))s")
        case 2: HistoryStep("new-scene")
        default: HistoryStep("kill")
        }
    }

    /// A state is withheld at times, before many others follow.
    private mutating func withholding(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        if policy.throwsRestoring, chance(3) {
            return newRestoring()
        }
        if let session = one(ledger.open(player)), chance(5) {
            return HistoryStep("kill during=restore:\(session)")
        }
        return launch()
    }

    private mutating func crashing(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        guard let session = one(ledger.open(player)), chance(2) else {
            return HistoryStep("launch", isLaunch: true)
        }
        return chance(2)
            ? HistoryStep("crash restoring=\(session)")
            : HistoryStep("kill during=restore:\(session)")
    }

    /// One window saves state after state.
    private mutating func writing(_ player: ScenarioPlayer) -> HistoryStep? {
        guard let scene = player.scenes.first else {
            return nil
        }
        switch number(8) {
        case 0: return HistoryStep("quit")
        case 1, 2, 3: return newState(scene.name)
        default:
            return scene.state == .background
                ? HistoryStep("foreground \(scene.name)")
                : HistoryStep("background \(scene.name)")
        }
    }

    private mutating func holding(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        if let session = one(ledger.held(player)), chance(3) {
            return HistoryStep("release \(session)")
        }
        if let session = one(ledger.open(player)), chance(3) {
            return HistoryStep("hold \(session)")
        }
        return HistoryStep("launch", isLaunch: true)
    }

    /// The user tries again and again, at once or a while later.
    private mutating func deadly(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        guard player.isRunning else {
            return chance(3)
                ? HistoryStep("wait \(1 + number(20))s") : HistoryStep("launch", isLaunch: true)
        }
        guard ledger.payloads.hasDeadlyLink else {
            guard !ledger.payloads.wasDeadly, chance(3) else {
                return nil
            }
            return link(HistoryMaker.deadlyPrefix)
        }
        return HistoryStep("kill")
    }

    /// How the link that kills begins.
    static let deadlyPrefix = "app://deadly/"

    private mutating func receiving(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        switch number(8) {
        case 0: HistoryStep("new-scene")
        case 1:
            one(ledger.open(player)).map {
                HistoryStep("delegate session=\($0) prefers=\"^app://\(number(3))\"")
            }
        case 2, 3: link("app://\(number(3))/")
        case 4: push()
        case 5: HistoryStep("kill")
        default: nil
        }
    }
}
