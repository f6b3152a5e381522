import SceneStore
import SceneStoreTesting

/// What comes back because somebody wishes it, and what does not come back by itself.
///
/// 1. A value is shown by one window: the one that shows it, else one that a quit did not keep or, in an
///    app of one window, that another displaced, else the one that was closed, where the app wants that,
///    else a new one (L-18, L-87).
/// 2. What a quit did not keep comes back on request alone, also in an app of one window (L-16, L-18).
/// 3. What was left behind goes after two weeks and not before; what was left last stays (L-18, S-50).
///    In an app of one window, what was displaced goes after 30 days and three launches, but for the
///    window that comes back at the next launch that restores (L-18). What the app can't show is given up
///    after as long, and not before.
/// 4. Where closing the last window is quitting, the process ends by it (L-39).
/// 5. A private window does not come back, or empty, where the app wants it back (S-70).
struct WishLedger {
    private var choices = HistoryChoices()
    /// The value of each session that was opened for one.
    private var values: [String: String] = [:]
    /// The values that a window may show of which nobody knows.
    private var unknown: Set<String> = []
    /// What a quit did not keep.
    private var notKept: Set<String> = []
    /// What was left behind, in which launch and when.
    private var left: [String: (launch: Int, time: Int64)] = [:]
    /// What another session displaced, or a quit did not keep, in which launch, when, and after how many
    /// clean ends.
    private var displaced: [String: (launch: Int, time: Int64, quits: Int)] = [:]
    /// What the app can't show, in which launch it was parked, and when.
    private var unshown: [String: (launch: Int, time: Int64)] = [:]
    /// What the last launch that restored an app of one window brought back, while nothing else takes its
    /// place for good.
    private var lastRestored: Set<String> = []
    /// Whether a session was reopened: it may be one more that waits for its turn to come back.
    private var hasReopened = false
    private var launches = 0
    private var quits = 0
    /// Whether the clock was set, or a parking may not be on the disk, so that no time is certain.
    private var isUnsure = false
    /// The private windows of processes that have ended.
    private var past: Set<String> = []
    /// Whether the step was to quit by closing the last window.
    private(set) var isQuit = false
    private var findings: [String] = []

    /// How long what was left behind stays at least.
    private static let keeping: Int64 = 14 * 86_400_000
    /// How long what was displaced stays at least.
    private static let displacing: Int64 = 30 * 86_400_000

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func begin(_ choices: HistoryChoices) { self.choices = choices }

    mutating func count(
        _ outcome: StepOutcome, _ before: Before, isInDoubt: Bool, isOfManyWindows: Bool,
        privates: Set<String>, panels: Set<String>
    ) {
        let connected = outcome.callbacks.filter { $0.name == .connect }
        noteLeft(before)
        isUnsure = isUnsure || isInDoubt || outcome.hasJumped
        checkExpired(outcome, before, isOfManyWindows)
        if outcome.isLaunch {
            launches += 1
            checkPast(outcome, connected)
            noteRestored(outcome, isOfManyWindows, Set(connected.compactMap(\.session)))
        }
        let names = Set(connected.compactMap(\.session))
        if outcome.isLaunch {
            for name in names.intersection(notKept).sorted() {
                findings.append("a quit did not keep \(name), and it comes back by itself")
            }
        }
        let words = outcome.words
        let isCertain = outcome.wasRunning && outcome.isSound && !isInDoubt
        isQuit = false
        switch words.first {
        case "open-value":
            // What is asked for as private comes up in no other window.
            let isFit = { words.contains("privacy=ephemeral") ? privates.contains($0) : true }
            open(words[1], outcome, before, isCertain, isOfManyWindows, names, where: isFit)
        case "activate" where isCertain && notKept.contains(words[1]):
            if before.session(words[1])?.isSound == true, !names.contains(words[1]) {
                findings.append("a quit did not keep \(words[1]), and activating it is no way back")
            }
        case "close" where outcome.wasRunning && choices.quitsLast:
            isQuit = before.connected.subtracting(panels) == Set(words.dropFirst())
            if isQuit, isCertain, outcome.exit != .quit {
                findings.append("the last window was closed, and the app runs on")
            }
        case "reopen", "reopen-last-session":
            (hasReopened, lastRestored) = (true, [])
            notKept.subtract(words.dropFirst())
            checkReopened(outcome, before, isCertain, names)
        case "quit" where outcome.exit == .quit && words.contains("windows=park"):
            notKept.formUnion(
                before.open.filter { $0.parked == nil && $0.isSound }.compactMap(\.name))
            notKept.subtract(privates)
        default: break
        }
        notKept.subtract(names)
        if outcome.exit != nil {
            quits += outcome.exit == .quit ? 1 : 0
            past = privates
            privates.forEach { values[$0] = nil }
        }
        if isInDoubt {
            notKept = []
        }
    }

    /// Windows that were closed, left behind or not kept are reopened together.
    private mutating func checkReopened(
        _ outcome: StepOutcome, _ before: Before, _ isCertain: Bool, _ names: Set<String>
    ) {
        guard isCertain, !outcome.wasRefused else {
            return
        }
        let sound = Set((before.open + before.closed).filter(\.isSound).compactMap(\.name))
        let wanted = sound.intersection(outcome.words.dropFirst()).subtracting(before.connected)
        for name in wanted.subtracting(names).sorted() {
            findings.append("\(name) was reopened, and is not there")
        }
    }

    // MARK: Values

    /// A window for a value was asked for, and `names` connected.
    private mutating func open(
        _ value: String, _ outcome: StepOutcome, _ before: Before, _ isCertain: Bool,
        _ isOfManyWindows: Bool, _ names: Set<String>, where isFit: (String) -> Bool
    ) {
        guard isCertain, !outcome.wasRefused else {
            unknown.insert(value)
            return
        }
        let known = before.open.filter { $0.name.map { values[$0] == value && isFit($0) } == true }
        let isNew = names.count == 1 && names.allSatisfy { before.session($0) == nil }
        defer {
            if isNew {
                names.forEach { values[$0] = value }
            }
        }
        let gone = before.closed.filter { $0.name.map { values[$0] == value } == true }
        guard !unknown.contains(value), (known + gone).allSatisfy(\.isSound) else {
            return
        }
        let shown = Set(known.filter(\.isPlain).compactMap(\.name))
        let parked = Set(
            known.filter { $0.parked == .notKept || $0.parked == .displaced && !isOfManyWindows }
                .compactMap(\.name))
        let reopens = choices.reopensValues && !outcome.words.contains("privacy=ephemeral")
        let closed = Set(reopens ? gone.compactMap(\.name) : [])
        let isRight: Bool
        if !shown.isEmpty {
            isRight =
                names.isSubset(of: shown)
                && (!names.isEmpty || !shown.isDisjoint(with: before.connected))
        } else if known.count > parked.count {
            // Parked by what the release can show: it waits, and another may be made.
            return
        } else if !parked.isEmpty || !closed.isEmpty {
            isRight = names.count == 1 && names.isSubset(of: parked.isEmpty ? closed : parked)
        } else {
            isRight = isNew && before.closed.allSatisfy { !names.contains($0.name ?? "") }
        }
        if !isRight {
            let (those, these) = (shown.union(parked).union(closed).sorted(), names.sorted())
            findings.append(
                "\(value) is shown by \(these.joined(separator: ", ")), and "
                    + "\(those.joined(separator: ", ")) had it")
        }
    }

    // MARK: What was left behind

    private mutating func noteLeft(_ before: Before) {
        let names = Set(before.open.filter { $0.parked == .leftBehind }.compactMap(\.name))
        left = left.filter { names.contains($0.key) }
        for name in names where left[name] == nil {
            left[name] = (launches, before.now)
        }
        let hopeless = Set(
            before.open.filter { $0.parked?.isHopeless == true }.compactMap(\.name))
        unshown = unshown.filter { hopeless.contains($0.key) }
        for name in hopeless where unshown[name] == nil {
            unshown[name] = (launches, before.now)
        }
        let others = Set(
            before.open.filter { $0.parked == .displaced || $0.parked == .notKept }
                .compactMap(\.name))
        displaced = displaced.filter { others.contains($0.key) }
        for name in others where displaced[name] == nil {
            displaced[name] = (launches, before.now, quits)
        }
    }

    /// What begins anew once hides nothing for good; an app that does it by habit remembers no earlier
    /// window (L-14, L-16).
    private mutating func noteRestored(
        _ outcome: StepOutcome, _ isOfManyWindows: Bool, _ names: Set<String>
    ) {
        if isOfManyWindows || outcome.isAnewByHabit || !outcome.isSound {
            lastRestored = []
        } else if outcome.behavior == "restore" {
            lastRestored = names
        }
    }

    private mutating func checkExpired(
        _ outcome: StepOutcome, _ before: Before, _ isOfManyWindows: Bool
    ) {
        let causes = outcome.callbacks.flatMap(\.causes)
        for (name, cause) in causes
        where cause == .cannotDisplay && before.session(name) != nil {
            let isDue = unshown[name].map {
                isUnsure || launches >= $0.launch + 2 && before.now - $0.time >= Self.displacing
            }
            if isDue != true {
                findings.append("\(name) was given up, and the app could show it a month ago")
            }
        }
        guard !isUnsure else {
            return
        }
        let last = left.values.map(\.launch).max()
        let due = Set(
            left.filter {
                $0.value.launch != last && before.now - $0.value.time >= Self.keeping
            }.keys)
        let old = displaced.filter { before.now - $0.value.time >= Self.displacing }
        let gone = outcome.callbacks.flatMap { $0.causes.filter { $0.value == .expired }.keys }
        // What is gone already is told again where a process died telling it (L-37).
        for name in gone where before.session(name) != nil && !due.contains(name) {
            if old[name].map({ launches >= $0.launch + 2 }) != true {
                findings.append("\(name) expired, and it was not left behind two weeks ago")
            } else if lastRestored.contains(name) {
                findings.append("\(name) expired, and it was to come back")
            }
        }
        let staying = old.filter {
            quits >= $0.value.quits + 3 && before.session($0.key)?.isSound == true
        }
        let rest = Set(staying.keys).subtracting(gone).sorted()
        if outcome.isLaunch, outcome.isSound, !isOfManyWindows, !hasReopened, rest.count > 1 {
            let names = rest.joined(separator: ", ")
            findings.append("\(names) were displaced a month ago, and stay")
        }
        // In an app of one window it is parked for another cause.
        guard outcome.isLaunch, outcome.isSound, isOfManyWindows else {
            return
        }
        for name in due.subtracting(gone).sorted() where before.session(name)?.isSound == true {
            findings.append("\(name) was left behind two weeks ago, and stays")
        }
    }

    // MARK: Private windows

    private mutating func checkPast(_ outcome: StepOutcome, _ connected: [TranscriptCallback]) {
        for callback in connected {
            guard let name = callback.session, past.contains(name) else {
                continue
            }
            if !choices.remembersPrivate {
                findings.append("\(name) is private, and comes back")
            } else if callback.activity != nil {
                findings.append("\(name) is private, and comes back with its state")
            }
        }
    }
}
