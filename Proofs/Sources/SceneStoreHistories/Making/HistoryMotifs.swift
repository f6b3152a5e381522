import SceneStore
import SceneStoreTesting

/// One step of a motif: what it needs is looked up when its turn comes.
struct Beat {
    /// Whether the app runs then; nil is either.
    var isRunning: Bool?
    /// Makes the step; nil gives the motif up.
    var make: (inout HistoryMaker, ScenarioPlayer) -> HistoryStep?

    /// A step that is the same whenever it comes.
    static func running(_ text: String) -> Beat {
        Beat(isRunning: true) { _, _ in HistoryStep(text) }
    }

    static func away(_ text: String) -> Beat {
        Beat(isRunning: false) { _, _ in HistoryStep(text) }
    }

    /// A step with one of the windows that the motif is about.
    static func running(_ text: String, _ subject: Int) -> Beat {
        named(text, subject, isRunning: true)
    }

    static func away(_ text: String, _ subject: Int) -> Beat {
        named(text, subject, isRunning: false)
    }

    private static func named(_ text: String, _ subject: Int, isRunning: Bool) -> Beat {
        Beat(isRunning: isRunning) { maker, _ in
            maker.subjects.indices.contains(subject)
                ? HistoryStep(text + maker.subjects[subject]) : nil
        }
    }

    /// The app is started, by nothing that arrives.
    static var launch: Beat {
        Beat(isRunning: false) { _, _ in HistoryStep("launch", isLaunch: true) }
    }

    /// A new window that the motif is about.
    static var window: [Beat] {
        [.running("new-scene"), front]
    }

    /// The motif is about the active window, which a new one is.
    static var front: Beat {
        Beat(isRunning: true) { maker, player in
            guard
                let scene = player.scenes.first(where: {
                    $0.state == .foregroundActive && !maker.panels.contains($0.name)
                })
            else {
                return nil
            }
            maker.subjects.append(scene.name)
            return maker.newState(scene.name)
        }
    }

    /// A release.
    static func release(_ manifest: Int, _ rename: String? = nil) -> Beat {
        Beat(isRunning: false) { maker, _ in maker.newManifest(manifest, rename: rename) }
    }

    static func restoring(_ answer: String) -> Beat {
        Beat(isRunning: nil) { maker, _ in
            maker.isThrowing = false
            maker.isGuarding = answer == "same-version"
            return HistoryStep("delegate restore=\(answer)")
        }
    }

    static func memory(isShort: Bool) -> Beat {
        Beat(isRunning: true) { _, _ in
            let misfortune = Misfortune.memory(isShort: isShort)
            var step = HistoryStep(misfortune.text)
            step.misfortune = misfortune
            return step
        }
    }
}

/// Short stories that chance tells too seldom: the generator mixes them in, between and with the
/// steps that it makes anyway.
extension HistoryMaker {
    /// The next step of a motif that has begun, or begins now.
    mutating func nextOfMotif(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep? {
        if motif.isEmpty {
            // The longest one has histories of its own.
            let isLong = policy.theme == .states && !hasPushed
            guard !ledger.isRefusing else {
                return nil
            }
            if chance(isLong ? 4 : 24) {
                hasPushed = hasPushed || isLong
                motif = isLong ? pushing(player) : newMotif(player)
            } else if let newer = newerMotif(player) {
                motif = newer
            } else {
                return nil
            }
            subjects = []
        }
        let beat = motif.removeFirst()
        guard beat.isRunning == nil || beat.isRunning == player.isRunning,
            let step = beat.make(&self, player)
        else {
            motif = []
            return nil
        }
        return step
    }

    /// The app that allows several windows is there, with all that it remembers.
    func start(_ player: ScenarioPlayer, _ manifest: Beat = .release(0)) -> [Beat] {
        (player.isRunning ? [.running("quit")] : []) + [manifest, .away("policy launch=restore")]
    }

    private mutating func newMotif(_ player: ScenarioPlayer) -> [Beat] {
        switch number(7) {
        case 0: confirming(player)
        case 1: takingOver(player)
        case 2: learning(player)
        case 3: settling(player)
        case 4: standingIn(player)
        case 5: holding(player)
        default: isMixed || !policy.hearsFailures ? holding(player) : quittingTwice(player)
        }
    }

    /// One of those that were added later; nil when it is not its turn.
    private mutating func newerMotif(_ player: ScenarioPlayer) -> [Beat]? {
        if policy.handsOver, later.oneIn(16) {
            return later.oneIn(3) ? handingTwo(player) : handing(player)
        }
        if policy.isUndeclared, later.oneIn(16) {
            return undeclaring(player)
        }
        if policy.hasPanels, later.oneIn(8) {
            return presenting(player)
        }
        if wishes.oneIn(12) {
            return wishing(player)
        }
        if isMixed {
            return nil
        }
        return later.oneIn(20) ? moving(player) : leaves.oneIn(24) ? leaving(player) : nil
    }

    /// A release stands by a state that an earlier one saved, for a guard that asks (L-51).
    private mutating func confirming(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.restoring("true"), .launch] + Beat.window + [
            .running("quit"), Beat(isRunning: false) { maker, _ in maker.newVersion() }, .launch,
            .running(chance(2) ? "background *" : "quit"),
            Beat(isRunning: nil) { _, player in HistoryStep(player.isRunning ? "quit" : "wait 1s")
            },
            .restoring("same-version"), .launch,
        ] + (policy.isSameVersion ? [] : [.running("quit"), .restoring("true")])
    }

    /// A window saves under the name that a release gives its configuration, and a later release
    /// knows nothing of the old name; or that release does not stay (L-50).
    private mutating func takingOver(_ player: ScenarioPlayer) -> [Beat] {
        let end: [Beat] =
            switch number(3) {
            case 0: [.running("quit")]
            case 1:
                [
                    .running("background *"), .running("wait 12s"), .running("foreground *"),
                    .running("kill"),
                ]
            default: [.running("background *"), .running("kill")]
            }
        return start(player) + [.restoring("true"), .away("delegate provider=Editor"), .launch]
            + Beat.window + [
                .running("quit"), .away("delegate provider=none"),
                .release(3, "Editor:Writer"), .launch,
            ] + end + [chance(3) ? .release(0) : .release(3, "Editor:Nobody"), .launch]
    }

    /// A window is made with a name that a later release adds (L-50).
    private func learning(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.away("delegate provider=Writer"), .launch] + Beat.window + [
            .running("quit"), .away("delegate provider=none"), .release(3), .launch,
        ]
    }

    /// A window that a process died restoring lives through a launch, in which another one kills it
    /// later (L-52).
    private mutating func settling(_ player: ScenarioPlayer) -> [Beat] {
        let isRestored = chance(2)
        return start(player) + [.restoring("true"), .launch] + Beat.window + Beat.window + [
            .running("background *"), .running("evict ", 0), .running("foreground ", 1),
            .running("kill"), .away("crash restoring=", 1), .launch, .launch,
        ]
            + (isRestored
                ? [
                    Beat(isRunning: true) { maker, _ in maker.newState(maker.subjects[1]) },
                    .running("background ", 1), .running("foreground ", 1), .running("kill"),
                    .launch,
                ] : []) + [
                .running("wait 12s"),
                // What was in front comes back; it has to be gone to be restored.
                Beat(isRunning: true) { maker, player in
                    let scene = player.scenes.first { $0.name == maker.subjects[0] }
                    return scene.map { $0.state == .background } == true
                        ? HistoryStep("evict " + maker.subjects[0])
                        : HistoryStep("activate " + maker.subjects[1])
                },
                .running("activate ", 1),
                .running("kill during=restore:", 0), .running("activate ", 0), .launch,
            ]
    }

    /// More states follow a withheld one than a history keeps (L-52, L-55).
    private mutating func pushing(_ player: ScenarioPlayer) -> [Beat] {
        let withholding: [Beat] =
            chance(2)
            ? [.away("crash restoring=", 0), .launch, .launch] : [.restoring("throws"), .launch]
        let saving: [Beat] = [
            Beat(isRunning: true) { maker, _ in maker.newState(maker.subjects[0]) },
            .running("background ", 0), .running("foreground ", 0),
        ]
        return start(player) + [.restoring("true"), .launch] + Beat.window + [.running("quit")]
            + withholding + Array(repeating: saving, count: 12).joined()
            + [.running("quit"), .restoring("true"), .launch]
    }

    /// Another window stands in for one that is held, in an app of one window by now (L-12).
    private mutating func standingIn(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.launch] + Beat.window + Beat.window + [
            .running("activate ", 0), .running("activate ", 1), .running("quit"),
            .away("hold ", 1), .release(1), .launch,
            .running(chance(2) ? "quit" : "kill"), .away("release ", 1), .launch,
        ]
    }

    /// The disk is full, and the app goes on (L-17).
    private mutating func holding(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.launch] + Beat.window + [
            .running("background *"), .running("foreground ", 0),
            .running("fail save=\(chance(2) ? "diskFull" : "readOnly")"),
            Beat(isRunning: true) { maker, _ in maker.newState(maker.subjects[0]) },
            .running("background *"), .running("foreground ", 0), .running("recover"),
            .running(chance(2) ? "quit" : "kill"), .launch,
        ]
    }

    /// A quit that fails is tried again (L-39).
    private func quittingTwice(_ player: ScenarioPlayer) -> [Beat] {
        start(player) + [.launch] + Beat.window + [
            .memory(isShort: true), .running("quit"), .memory(isShort: false), .running("quit"),
            .launch,
        ]
    }
}
