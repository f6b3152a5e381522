import SceneStore
import SceneStoreFileFaults
import SceneStoreTesting

/// A step of a history, as a scenario writes it, and what it means for the count.
struct HistoryStep {
    var text: String
    var payloads: [Payload] = []
    /// What tells each payload from all others.
    var marks: [String] = []
    var isLaunch = false
    /// What befalls the device within the step, or instead of one.
    var misfortune: Misfortune?
    /// What befalls calls on the socket within it, beside a misfortune.
    var socketFault: SocketFault?
    /// Whether the process died at a call of the disk within it.
    var wasCutShort = false
    /// Whether a call to the system failed within it.
    var hadFailure = false
    /// Whether it is the launch of a process that handed payloads to one that died (L-77).
    var bringsUnanswered = false

    /// The step as a history is printed, with what befalls the device as comments.
    var lines: [String] {
        guard misfortune?.isStep != true else {
            return [text]
        }
        return [misfortune?.text, socketFault?.text, text].compactMap(\.self)
    }

    /// What the books read: of a power cut between two steps, that the device starts again.
    var words: [String] {
        if case .powerCut = misfortune { return ["reboot"] }
        return text.split(separator: " ").map(String.init)
    }

    init(
        _ text: String, payloads: [Payload] = [], marks: [String]? = nil, isLaunch: Bool = false
    ) {
        self.text = text
        self.payloads = payloads
        self.marks = marks ?? payloads.flatMap(\.marks)
        self.isLaunch = isLaunch
    }
}

/// Makes histories: what users, systems and releases do to an app, in any order.
struct HistoryMaker {
    private var random: SeededRandom
    /// Draws what was added later, so that the histories of a seed stay what they were.
    var later: SeededRandom
    /// Draws when windows are left behind.
    var leaves: SeededRandom
    /// Draws what users ask for, or want back, and the choices of an app about that.
    var wishes: SeededRandom
    /// Draws what a second start of the app brings.
    private var starts: SeededRandom
    private(set) var policy = HistoryChoices()
    private var payloadCount = 0
    private var stateCount = 0
    private var version = 1
    private(set) var manifest = 0
    var isThrowing = false
    var isGuarding = true
    /// What follows of a motif.
    var motif: [Beat] = []
    /// The windows that the motif is about.
    var subjects: [String] = []
    /// What another device announced, and is not here yet.
    var handoffs: [Handoff] = []
    /// The sessions that are panels, as the books have them.
    private(set) var panels: Set<String> = []
    /// Whether more states were saved than a history keeps.
    var hasPushed = false
    /// Whether the time has passed after which what is left behind goes.
    var hasExpired = false
    /// Whether misfortunes are mixed in.
    let isMixed: Bool
    /// How many steps it has.
    private(set) var length: Int

    /// Makes the history of a number under a seed.
    init(seed: UInt64, number: UInt64, isMixed: Bool = false) {
        self.isMixed = isMixed
        random = SeededRandom(
            seed &* 0x9e37_79b9_7f4a_7c15 &+ number &* 0x2545_f491_4f6c_dd1d)
        length = 12 + Int(random.next() % 44)
        later = SeededRandom(seed, number, 19)
        leaves = SeededRandom(seed, number, 48)
        wishes = SeededRandom(seed, number, 46)
        starts = SeededRandom(seed, number, 77)
    }

    mutating func number(_ bound: Int) -> Int {
        Int(random.next() >> 33) % max(1, bound)
    }

    mutating func chance(_ oneIn: Int) -> Bool { number(oneIn) == 0 }

    mutating func one<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(elements.count)]
    }

    /// The app and its choices.
    mutating func setUp() -> [String] {
        policy.theme = one(HistoryChoices.Theme.allCases) ?? .anything
        policy.persistsInbox = policy.theme == .deadlyLink || chance(2)
        policy.isWhenActive = chance(3)
        policy.isSameVersion = chance(policy.theme == .updates ? 2 : 5)
        policy.throwsRestoring =
            !policy.isSameVersion && chance(policy.theme == .states ? 2 : 5)
        manifest =
            policy.theme == .oneWindow || policy.theme != .rollbacks && chance(5) ? 1 : 0
        if policy.theme == .states {
            length += 60
        }
        var words = ["policy inbox=\(policy.persistsInbox ? "on" : "off")"]
        words.append("delivery=\(policy.isWhenActive ? "when-active" : "uikit")")
        policy.reconnection = one(["foreground", "all", "first:2"]) ?? "all"
        words.append("reconnect=\(policy.reconnection)")
        let durability = one(["full", "normal"]) ?? "full"
        policy.isDurable = durability == "full"
        words.append("durability=\(durability)")
        if chance(4) {
            words.append("hold-after=1")
        }
        policy.discardsOnForceQuit = later.oneIn(6)
        policy.answersNil = later.oneIn(3)
        policy.keepsNil = policy.answersNil && later.oneIn(2)
        words += policy.discardsOnForceQuit ? ["force-quit=discard"] : []
        words += policy.keepsNil ? ["nil-state=keep"] : []
        policy.handsOver = later.oneIn(3)
        policy.isUndeclared = later.oneIn(3)
        policy.isStrict = policy.isUndeclared && later.oneIn(2)
        policy.hasPanels = later.oneIn(2)
        words += policy.isStrict ? ["strict=on"] : []
        policy.quitsLast = wishes.oneIn(4)
        policy.reopensValues = wishes.oneIn(2)
        policy.remembersPrivate = wishes.oneIn(3)
        words += policy.quitsLast ? ["last-window=quits"] : []
        words += policy.reopensValues ? ["closed-value=reopen"] : []
        words += policy.remembersPrivate ? ["private=remember"] : []
        policy.hasTimers = !chance(4)
        policy.hearsFailures = chance(3)
        var lines =
            policy.remarks + ["manifest \(HistoryManifest.names[manifest])", "app version=1"]
        lines.append(words.joined(separator: " "))
        if policy.isSameVersion {
            lines.append("delegate restore=same-version")
        }
        return lines
    }

    /// The release that a history begins with.
    var firstManifest: String { HistoryManifest.names[manifest] }

    mutating func step(_ player: ScenarioPlayer, _ ledger: HistoryLedger) -> HistoryStep {
        panels = ledger.routes.panels
        if let step = nextOfMotif(player, ledger) ?? handingOver(player) {
            return step
        }
        if !chance(3), let step = themed(player, ledger) {
            return step
        }
        return player.isRunning ? running(player, ledger) : away(player, ledger)
    }

    // MARK: While the app does not run

    private mutating func away(_ player: ScenarioPlayer, _ ledger: HistoryLedger) -> HistoryStep {
        if policy.throwsRestoring, chance(3) {
            return newRestoring()
        }
        if policy.isSameVersion, chance(6) {
            return newGuard()
        }
        switch number(20) {
        case 0: return HistoryStep("wait \(1 + number(40))s")
        case 1: return HistoryStep("reboot")
        case 2: return newVersion()
        case 3: return newManifest()
        case 4:
            return HistoryStep(
                "policy launch=\(one(["restore", "restore", "fresh", "none", "safe"]) ?? "none")")
        case 5:
            if let session = one(ledger.open(player)) {
                return HistoryStep("close \(session)")
            }
        case 6:
            if let session = one(ledger.open(player)) {
                return HistoryStep("hold \(session)")
            }
        case 7:
            if let session = one(ledger.held(player)) {
                return HistoryStep("release \(session)")
            }
        case 8:
            if let session = one(ledger.open(player)) {
                return HistoryStep("crash restoring=\(session)")
            }
        case 9:
            if let moment = moment(ledger.open(player)) {
                return HistoryStep("kill during=\(moment)")
            }
        case 10 where chance(4) && ledger.isRefusing == false:
            return HistoryStep("fail save=diskFull")
        case 11:
            if let session = one(ledger.closed(player)) {
                return HistoryStep("reopen \(session)")
            }
        default: break
        }
        return launch()
    }

    private mutating func moment(_ sessions: [String]) -> String? {
        switch number(4) {
        case 0: "save"
        case 1: "discard"
        case 2: one(sessions).map { "connect:\($0)" }
        default: one(sessions).map { "restore:\($0)" }
        }
    }

    mutating func launch() -> HistoryStep {
        var text = "launch"
        var payloads: [Payload] = []
        for _ in 0..<(chance(3) ? 1 + number(2) : 0) {
            let url = newMark("app://\(number(3))/")
            text += " url=\(url)"
            payloads.append(.urls([OpenURLContext(url: url)]))
        }
        if chance(8) {
            let type = newMark("com.example.quick")
            text += " shortcut=\(type)"
            payloads.append(.shortcut(ShortcutItem(type: type)))
        }
        return HistoryStep(text, payloads: payloads, isLaunch: true)
    }

    mutating func newVersion() -> HistoryStep {
        version += 1
        return HistoryStep("update version=\(version)")
    }

    /// A release whose guard takes what every version saved, or one that doesn't any more.
    mutating func newGuard() -> HistoryStep {
        isGuarding.toggle()
        return HistoryStep("delegate restore=\(isGuarding ? "same-version" : "true")")
    }

    /// A release that can't read what was saved, or one that can again.
    mutating func newRestoring() -> HistoryStep {
        isThrowing.toggle()
        return HistoryStep("delegate restore=\(isThrowing ? "throws" : "true")")
    }

    mutating func newManifest(_ wanted: Int? = nil, rename: String? = nil) -> HistoryStep {
        manifest = wanted ?? number(HistoryManifest.names.count)
        let rename =
            rename.map { " rename=\($0)" }
            ?? (manifest == 3 && chance(2) ? " rename=Editor:Writer" : "")
        return HistoryStep("update manifest=\(HistoryManifest.names[manifest])\(rename)")
    }

    /// A link that the system hands over, or a process that was started beside the one that runs.
    mutating func link(_ prefix: String) -> HistoryStep {
        let isStart = starts.oneIn(3)
        let isOne = !isStart || prefix == Self.deadlyPrefix || starts.oneIn(2)
        let urls = (0..<(isOne ? 1 : 2)).map { _ in newMark(prefix) }
        return HistoryStep(
            isStart
                ? "start" + urls.map { " url=\($0)" }.joined() : "open-url \(urls[0])",
            payloads: urls.map { .urls([OpenURLContext(url: $0)]) })
    }

    mutating func push() -> HistoryStep {
        let id = "n\(number(3))"
        payloadCount += 1
        let (minute, second) = (10 + payloadCount / 50, 10 + payloadCount % 50)
        // 2026-02-01, at midnight.
        let time = 1_769_904_000 + minute * 60 + second
        return HistoryStep(
            "push \(id) date=2026-02-01T00:\(minute):\(second)Z",
            payloads: [.notification(NotificationResponse(identifier: id))],
            marks: ["\(id)@\(time)"])
    }

    mutating func newState(_ session: String) -> HistoryStep {
        stateCount += 1
        return policy.isUndeclared && later.oneIn(6)
            ? undeclaredState(session) : HistoryStep("state \(session) com.example.s\(stateCount)")
    }

    func undeclaredState(_ session: String) -> HistoryStep {
        HistoryStep("state \(session) \(HistoryManifest.undeclaredPrefix)\(stateCount)")
    }

    mutating func newMark(_ prefix: String) -> String {
        payloadCount += 1
        return "\(prefix)\(payloadCount)"
    }

    // MARK: While it runs

    private mutating func running(
        _ player: ScenarioPlayer, _ ledger: HistoryLedger
    ) -> HistoryStep {
        let scenes = player.scenes
        let front = scenes.filter { $0.state != .background }.map(\.name)
        let back = scenes.filter { $0.state == .background }.map(\.name)
        let open = ledger.open(player)
        switch number(42) {
        case 0, 1: return HistoryStep("new-scene")
        case 2:
            if let session = one(open) {
                return HistoryStep("activate \(session)")
            }
        case 3, 4, 5: return link("app://\(number(3))/")
        case 6:
            let type = newMark("com.example.quick")
            return HistoryStep(
                "shortcut \(type)", payloads: [.shortcut(ShortcutItem(type: type))])
        case 7:
            // The same identifiers again and again: a later tap is another payload.
            return push()
        case 8:
            let type = newMark("com.example.act")
            if let activity = try? UserActivity(activityType: type) {
                return HistoryStep("continue \(type)", payloads: [.activity(activity)])
            }
        case 9, 10, 11, 12:
            if let session = one(scenes.map(\.name)) {
                return newState(session)
            }
        case 13:
            if let session = one(scenes.map(\.name)) {
                if chance(3) {
                    return HistoryStep("state \(session) throws")
                } else if policy.answersNil {
                    return HistoryStep("state \(session) nil")
                }
            }
        case 14, 15:
            if let session = one(scenes.map(\.name)) {
                return HistoryStep("change \(session)")
            }
        case 16, 17:
            if let session = one(front) {
                return HistoryStep("background \(session)")
            }
        case 18: return HistoryStep("background *")
        case 19:
            if let session = one(back) {
                return HistoryStep("foreground \(session)")
            }
        case 20:
            if let session = one(back) {
                return HistoryStep("evict \(session)")
            }
        case 21, 22:
            if let session = one(open) {
                return HistoryStep("close \(session)")
            }
        case 23:
            if let session = one(ledger.closed(player)) {
                return HistoryStep("reopen \(session)")
            }
        case 24:
            if let session = one(scenes.map(\.name)), policy.persistsInbox {
                return HistoryStep("acknowledge \(session)")
            }
        case 25, 26: return HistoryStep("wait \(1 + number(15))s")
        case 27, 28: return HistoryStep("quit")
        case 29: return HistoryStep(policy.discardsOnForceQuit ? "force-quit" : "kill")
        case 30: return HistoryStep("crash")
        case 31: return HistoryStep("force-quit")
        case 32:
            return HistoryStep(
                ledger.isRefusing ? "recover" : "fail save=\(one(["diskFull", "readOnly"]) ?? "")")
        case 33:
            if ledger.isRefusing {
                return HistoryStep("recover")
            }
        case 34:
            if let moment = moment(open), chance(2) {
                return HistoryStep("kill during=\(moment)")
            }
        case 36, 37, 38: return HistoryStep("background *")
        case 39, 40:
            if !back.isEmpty {
                return HistoryStep("foreground *")
            }
        case 35:
            if let session = one(open) {
                return HistoryStep(
                    "delegate session=\(session) prefers=\"^app://\(number(3))\"")
            }
        default: break
        }
        return HistoryStep("wait 1s")
    }
}
