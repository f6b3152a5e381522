import SceneStore
import SceneStoreTesting

/// A launch that restores brings back what the latest process that showed windows had in front, and
/// of what that one found and did not connect nothing by itself (L-11, L-48).
struct LatestLedger {
    /// What is in front in the process that runs.
    private var front: Set<String> = []
    /// What that one connected, in front or not.
    private var shown: Set<String> = []
    private var hasMade = false
    /// The windows that were there before; the app need not be asked for the configuration of a new one.
    private var known: Set<String> = []
    private var isRestoring = true
    /// Whether a quit failed, and left the windows in the background, or nobody knows how it began.
    private var hasFailedToQuit = false
    /// What the latest process left in front; nil when that is not certain.
    private var left: Set<String>?
    /// What was given back while no process ran, or connected beside.
    private var beside: Set<String> = []
    /// Those that somebody held, or that are suspected: until they come back, their front marks stay (L-52).
    private var held: Set<String> = []
    private(set) var manifest = HistoryManifest.names[0]
    private var findings: [String] = []

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    mutating func begin(_ manifest: String) { self.manifest = manifest }

    mutating func count(
        _ outcome: StepOutcome, _ before: Before, reconnection: String, isInDoubt: Bool,
        apart: Set<String>, isSteady: (String) -> Bool
    ) {
        let words = outcome.words
        switch words.first {
        case "update", "manifest":
            if let name = words.first(where: { $0.hasSuffix(".plist") }) {
                manifest = String(name.split(separator: "=").last ?? "")
            }
        case "reopen" where !outcome.wasRunning: beside.formUnion(words.dropFirst())
        default: break
        }
        if outcome.isLaunch {
            (front, shown, hasMade) = ([], [], false)
            isRestoring = outcome.behavior == "restore"
            hasFailedToQuit = outcome.behavior.isEmpty
        }
        known.formUnion(before.open.compactMap(\.name))
        held.formUnion(before.open.filter { !$0.isSound }.compactMap(\.name))
        // A quit takes all windows from the screen, and leaves them in front.
        let wasFront = front
        for callback in outcome.callbacks {
            guard let name = callback.session, !apart.contains(name) else {
                continue
            }
            switch callback.name {
            case .connect:
                shown.insert(name)
                hasMade = known.insert(name).inserted || hasMade
            case .fg: front.insert(name)
            case .bg, .disconnect: front.remove(name)
            default: break
            }
        }
        let isMany = HistoryManifest.isOfManyWindows(manifest)
        if outcome.isLaunch, isRestoring, isMany, !isInDoubt, outcome.isRunning {
            check(outcome, before, reconnection, apart, isSteady)
        }
        held.subtract(front)
        if outcome.exit != nil || outcome.isLaunch, isInDoubt || outcome.hasDiedWithin || !isMany {
            left = nil
        } else if outcome.exit != nil {
            // A process that connects only remembered windows leaves the others as they were.
            if words.first == "quit" {
                front = words.contains("windows=park") ? [] : wasFront
            }
            left = isRestoring || hasMade ? front : left?.subtracting(shown).union(front)
            beside = []
        }
        hasFailedToQuit = hasFailedToQuit || words.first == "quit" && outcome.isRunning
        if isInDoubt || hasFailedToQuit || words.first == "kill" && words.count > 1 {
            left = nil
        }
    }

    private mutating func check(
        _ outcome: StepOutcome, _ before: Before, _ reconnection: String,
        _ apart: Set<String>, _ isSteady: (String) -> Bool
    ) {
        guard let left, reconnection != "first:2" else {
            return
        }
        let connected = Set(
            outcome.callbacks.filter { $0.name == .connect }.compactMap(\.session))
        for name in left.subtracting(connected).sorted() where isSteady(name) {
            findings.append("\(name) was in front when the last process ended, and stays away")
        }
        guard outcome.payloads.isEmpty, before.waiting.isEmpty, !left.isEmpty,
            left.allSatisfy(isSteady)
        else {
            return
        }
        // Where every window comes back, those that stood behind do, too.
        let behind = before.open.filter { $0.parked != .leftBehind }.compactMap(\.name)
        let expected = left.union(beside).union(held).union(apart)
            .union(reconnection == "all" ? behind : [])
        for name in connected.subtracting(expected).sorted() {
            findings.append("\(name) comes back, and the latest process did not have it in front")
        }
    }
}

extension [String] {
    /// What a step says behind a word such as `launch=`.
    func value(of option: String) -> String? {
        first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
    }
}
