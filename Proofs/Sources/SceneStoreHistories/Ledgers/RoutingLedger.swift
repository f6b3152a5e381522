import SceneStore
import SceneStoreTesting

/// Which window a payload reaches, worked out anew where the rules leave one answer (L-65, L-70): the
/// most recently active of the sessions that prefer its target, else the most recently active one.
struct RoutingLedger {
    /// How many payloads were followed to their window.
    private(set) var followedCount = 0
    /// The sessions of another role than the app's windows.
    private(set) var panels: Set<String> = []
    /// The private ones: these and panels take what they prefer alone (L-78).
    private(set) var privates: Set<String> = []
    /// The windows with which a launch of an app of one window began anew beside others (L-16).
    private var displacing: Set<String> = []
    /// What the targets that a session prefers begin with.
    private var preferred: [String: String] = [:]
    /// Sessions whose conditions may have been lost with a process.
    private var isUnsure = false
    private var manifest = HistoryManifest.names[0]
    /// The session that was active last, while that is certain.
    private var lastUsed: String?
    /// Those that were used, the last one first; what is not among them was used before.
    private var used: [String] = []
    private var findings: [String] = []

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func begin(_ manifest: String) {
        self.manifest = manifest
    }

    mutating func count(
        _ outcome: StepOutcome, _ before: Before, isRefusing: Bool, isSteady: (String) -> Bool
    ) {
        if isRefusing || outcome.isLaunch && outcome.behavior.isEmpty {
            isUnsure = true
            forgetUse()
        }
        if !isUnsure, outcome.isSound, !outcome.wasRefused {
            follow(outcome, before, isSteady)
        }
        if outcome.isLaunch, outcome.isSound {
            checkReturning(outcome, before, isSteady)
            checkWindow(outcome, before)
        }
        read(outcome, before, isSteady)
    }

    /// Notes which sessions are panels or private.
    mutating func noteKinds(_ outcome: StepOutcome, _ before: Before) {
        // One that a process was killed making is seen when it comes back.
        privates.formUnion(before.open.filter(\.isPrivate).compactMap(\.name))
        let isAsked = outcome.words.contains("role=\(HistoryManifest.panelRole)")
        for callback in outcome.callbacks where [.config, .connect].contains(callback.name) {
            guard let name = callback.session else {
                continue
            }
            if isAsked || callback.configuration == HistoryManifest.panel {
                panels.insert(name)
            }
            if outcome.words.contains("privacy=ephemeral"), before.session(name) == nil {
                privates.insert(name)
            }
        }
    }

    private func isApart(_ name: String) -> Bool {
        panels.contains(name) || privates.contains(name)
    }

    /// The window that a target belongs to, in a process that runs; nil where that is not certain.
    func window(
        of target: String?, _ open: [Before.Open], _ isSteady: (String) -> Bool
    ) -> String? {
        guard !isUnsure, HistoryManifest.isOfManyWindows(manifest) else {
            return nil
        }
        return best(for: target, open).flatMap { isSteady($0) ? $0 : nil }
    }

    /// What arrives and a private window prefers: nothing of it is on the disk (S-70).
    func secluded(_ outcome: StepOutcome, _ before: Before) -> Set<String> {
        let preferred = outcome.payloads.filter { payload in
            before.open.first { $0.name.map { prefers($0, payload.target) } == true }?.isPrivate
                == true
        }
        return Set(preferred.flatMap(\.marks))
    }

    /// Where each payload of a step went.
    private mutating func follow(
        _ outcome: StepOutcome, _ before: Before, _ isSteady: (String) -> Bool
    ) {
        // Whoever was told of an activity gets its data.
        guard HistoryManifest.isOfManyWindows(manifest), outcome.words.first != "arrive" else {
            return
        }
        var targets = outcome.isLaunch ? before.targets : [:]
        var marks = outcome.isLaunch ? before.waiting : []
        for payload in outcome.payloads {
            for mark in payload.marks {
                targets[mark] = payload.target
                marks.append(mark)
            }
        }
        for mark in marks.map(\.shortMark) where marks.count(where: { $0.shortMark == mark }) == 1 {
            let place = outcome.callbacks.first { $0.payload?.marks.contains(mark) == true }
            guard let session = place?.session else {
                continue
            }
            if isApart(session), !prefers(session, targets[mark]) {
                findings.append("\(mark) went to \(session), which is apart and doesn't prefer it")
            }
            if outcome.isLaunch, outcome.behavior == "fresh" || outcome.behavior == "safe" {
                if before.open.contains(where: { $0.name == session }) {
                    findings.append("\(mark) went to \(session) in a launch that begins anew")
                }
                continue
            }
            guard let wanted = best(for: targets[mark], before.open),
                privates.contains(wanted) || isSteady(wanted)
            else {
                continue
            }
            followedCount += 1
            if wanted != session {
                findings.append("\(mark) went to \(session), and \(wanted) is its window")
            }
        }
    }

    /// The session that takes a target; nil where something makes that uncertain.
    private func best(for target: String?, _ open: [Before.Open]) -> String? {
        let preferring = open.first { session in
            session.name.map { prefers($0, target) } == true
        }
        let windows = open.filter { session in
            session.name.map(isApart) != true && session.parked != .notKept
        }
        guard let first = preferring ?? windows.first, first.isPlain else {
            return nil
        }
        return first.name
    }

    private func prefers(_ session: String, _ target: String?) -> Bool {
        guard let prefix = preferred[session], let target else {
            return false
        }
        return target.hasPrefix(prefix)
    }

    /// A panel is never all that comes back (L-11).
    private mutating func checkWindow(_ outcome: StepOutcome, _ before: Before) {
        let connected = outcome.callbacks.filter { $0.name == .connect }.compactMap(\.session)
        if outcome.behavior == "restore", outcome.marks.isEmpty, before.waiting.isEmpty,
            !outcome.wasRefused, !connected.isEmpty, panels.isSuperset(of: connected)
        {
            findings.append("no window comes back beside \(connected.joined(separator: ", "))")
        }
    }

    /// In an app of one window the session that was used last is the one that returns (L-52c).
    private mutating func checkReturning(
        _ outcome: StepOutcome, _ before: Before, _ isSteady: (String) -> Bool
    ) {
        let connected = outcome.callbacks.filter { $0.name == .connect }.compactMap(\.session)
            .filter { !panels.contains($0) }
        guard !HistoryManifest.isOfManyWindows(manifest), outcome.behavior == "restore",
            outcome.marks.isEmpty, before.waiting.isEmpty, !connected.isEmpty
        else {
            return
        }
        if connected.count > 1 {
            findings.append("an app of one window has \(connected.joined(separator: ", "))")
        }
        guard let wanted = returning(before.open, isSteady) else {
            return
        }
        followedCount += 1
        if !connected.contains(wanted) {
            findings.append(
                "\(wanted) was used last, and \(connected.joined(separator: ", ")) came back")
        }
    }

    /// The session that was used last of those that nobody holds; nil where that is not certain.
    private func returning(_ open: [Before.Open], _ isSteady: (String) -> Bool) -> String? {
        for name in [lastUsed].compactMap(\.self) + used where !displacing.contains(name) {
            guard let session = open.first(where: { $0.name == name }), !session.isHeldByHand else {
                continue
            }
            // What a launch that began anew displaced comes back.
            let isOpen =
                session.isPlain
                || session.isSound && session.parked == .displaced && !displacing.isEmpty
            return isOpen && isSteady(name) ? name : nil
        }
        return nil
    }

    private mutating func forgetUse() {
        lastUsed = nil
        used = []
    }

    private mutating func read(
        _ outcome: StepOutcome, _ before: Before, _ isSteady: (String) -> Bool
    ) {
        let words = outcome.words
        switch words.first {
        case "manifest": manifest = words[1]
        case "update" where words[1].hasPrefix("manifest="):
            manifest = String(words[1].dropFirst(9))
        case "delegate" where words.count > 2 && words[1].hasPrefix("session="):
            let prefix = words[2].dropFirst("prefers=\"^".count).dropLast()
            preferred[String(words[1].dropFirst(8))] = String(prefix)
            if outcome.wasRefused {
                isUnsure = true
            }
        case "reopen":
            forgetUse()
            displacing.subtract(words.dropFirst())
        // It counts as displaced if another has its place (L-18).
        case "release" where !displacing.isEmpty: forgetUse()
        default: break
        }
        if outcome.isLaunch {
            noteDisplacing(outcome, before, isSteady)
        }
        for callback in outcome.callbacks where callback.name == .active {
            guard let session = callback.session, !isApart(session) else {
                if callback.session.map(privates.contains) == true {
                    // It may come back, where the app wants that.
                    forgetUse()
                }
                continue
            }
            // A link at a launch changes no order (L-11).
            let isLinked = outcome.isLaunch && !outcome.marks.isEmpty
            lastUsed =
                isLinked && HistoryManifest.isOfManyWindows(manifest) ? nil : session
            noteUse(session, isLaunch: outcome.isLaunch)
        }
        if outcome.hasDiedWithin {
            forgetUse()
        }
        if outcome.exit != nil {
            // The process knew it, and no store.
            privates.forEach { preferred[$0] = nil }
        }
    }

    private mutating func noteDisplacing(
        _ outcome: StepOutcome, _ before: Before, _ isSteady: (String) -> Bool
    ) {
        guard !HistoryManifest.isOfManyWindows(manifest) else {
            displacing = []
            return
        }
        let windows = before.open.filter { $0.name.map(isApart) != true }
        // An app that always begins anew has the window back that crashed (L-14), and a window that
        // stands in for one that is held after deaths gives its place back (L-52).
        let isTaken =
            ["fresh", "safe"].contains(outcome.behavior)
            ? !outcome.isAnewByHabit && !windows.isEmpty
            : outcome.behavior == "restore"
                && windows.contains { $0.name.map(isSteady) != true && !$0.isHeldByHand }
        guard isTaken else {
            return
        }
        for callback in outcome.callbacks where callback.name == .connect {
            if let name = callback.session, !isApart(name), before.session(name) == nil {
                displacing.insert(name)
            }
        }
    }

    /// A launch shows what was used before, and is no use by itself, where several windows may be
    /// there (L-11).
    private mutating func noteUse(_ session: String, isLaunch: Bool) {
        if isLaunch, HistoryManifest.isOfManyWindows(manifest), used.first != session {
            used = []
            return
        }
        used.removeAll { $0 == session }
        used.insert(session, at: 0)
    }
}
