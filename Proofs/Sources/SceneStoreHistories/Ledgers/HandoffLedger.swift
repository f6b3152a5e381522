import SceneStore
import SceneStoreTesting

/// An activity from another device is announced before its data is there: its type alone rides on a
/// connection, and the data follows where it was announced, or fails to (L-60 to L-62).
///
/// 1. After an announcement a scene gets its data, or hears that there is none: once.
/// 2. The data goes to the scene that was told. If that one is gone, it is announced anew.
/// 3. What an inbox kept of it is announced again, and never among the activities of a connection.
struct HandoffLedger {
    /// An announcement whose data neither came nor failed to.
    private struct Announcement {
        var type: String
        var target: String?
        /// The scene that was told, while it is there.
        var scene: String?
    }

    private var announced: [Announcement] = []
    /// How many announcements a scene waits for.
    private var owed: [String: Int] = [:]
    /// The types whose data came as they were announced.
    private var arrived: Set<String> = []
    private var findings: [String] = []

    mutating func takeFindings() -> [String] {
        defer { findings = [] }
        return findings
    }

    /// Takes in what a step did; `best` is the window of a target, where that is certain.
    mutating func count(_ outcome: StepOutcome, _ best: (String?) -> String?) {
        if outcome.isLaunch {
            begin()
        }
        for callback in outcome.callbacks {
            count(callback, outcome)
        }
        if outcome.isSound, !outcome.wasRefused {
            read(outcome, best)
        }
        if outcome.exit != nil {
            begin()
        } else if outcome.isSound {
            checkOwed(outcome)
        }
    }

    /// A process owes nothing that another one announced.
    private mutating func begin() {
        announced = []
        owed = [:]
    }

    // MARK: Callbacks

    private mutating func count(_ callback: TranscriptCallback, _ outcome: StepOutcome) {
        guard let scene = callback.session else {
            return
        }
        switch callback.name {
        case .connect:
            for type in callback.payload?.activities ?? [] where arrived.contains(type) {
                findings.append("\(type) came by Handoff, and rides on the connection of \(scene)")
            }
        case .disconnect:
            owed[scene] = nil
            for place in announced.indices where announced[place].scene == scene {
                announced[place].scene = nil
            }
        case .willContinue: owed[scene, default: 0] += 1
        case .continue, .failContinue:
            guard let count = owed[scene], count > 0 else {
                findings.append(
                    "\(scene) gets \(callback.name.rawValue) by '\(outcome.text)', and nothing was "
                        + "announced to it")
                return
            }
            owed[scene] = count - 1
        default: break
        }
    }

    private mutating func checkOwed(_ outcome: StepOutcome) {
        for (scene, count) in owed.sorted(by: { $0.key < $1.key }) {
            let expected = announced.count { $0.scene == scene }
            if count != expected {
                findings.append(
                    "after '\(outcome.text)' \(scene) waits for \(count) activities, and "
                        + "\(expected) are on their way")
            }
        }
    }

    // MARK: Steps

    private mutating func read(_ outcome: StepOutcome, _ best: (String?) -> String?) {
        guard let step = HandoffWords(outcome.words) else {
            return
        }
        if step.isAnnouncement {
            announce(step, outcome, best(step.target))
            return
        }
        guard
            let place = announced.firstIndex(where: {
                $0.type == step.type && $0.target == step.target
            })
        else {
            // Another process announced it: here it is received as any other, and may ride on a
            // connection, also if an earlier one of its type was announced.
            arrived.remove(step.type)
            return
        }
        let told = announced.remove(at: place)
        if !step.fails {
            arrived.insert(step.type)
        }
        finish(step, told.scene, outcome, best(step.target))
    }

    private mutating func announce(
        _ step: HandoffWords, _ outcome: StepOutcome, _ wanted: String?
    ) {
        let told = outcome.callbacks.filter { $0.name == .willContinue }.compactMap(\.session)
        guard told.count == 1 else {
            findings.append("'\(outcome.text)' was announced to \(told.count) scenes")
            return
        }
        announced.append(Announcement(type: step.type, target: step.target, scene: told[0]))
        if let wanted, wanted != told[0] {
            findings.append("\(step.type) was announced to \(told[0]), and \(wanted) is its window")
        }
        for callback in outcome.callbacks
        where callback.name == .connect && callback.session == told[0] {
            if callback.payload?.handoff != step.type {
                findings.append("\(told[0]) connects without the type \(step.type)")
            }
        }
    }

    /// The data came, or it failed to.
    private mutating func finish(
        _ step: HandoffWords, _ scene: String?, _ outcome: StepOutcome, _ wanted: String?
    ) {
        let names: [CallShortName] = [.willContinue, .continue, .failContinue]
        let seen = outcome.callbacks.filter { names.contains($0.name) }.map {
            "\($0.name.rawValue):\($0.session ?? "")"
        }
        let expected: [String]
        switch (scene, step.fails) {
        case (let scene?, let fails):
            expected = ["\(fails ? "failContinue" : "continue"):\(scene)"]
        case (nil, true): expected = []
        case (nil, false):
            let taker = outcome.callbacks.first { $0.name == .willContinue }?.session
            let session = wanted ?? taker ?? "nobody"
            expected = ["willContinue:\(session)", "continue:\(session)"]
        }
        if seen != expected {
            findings.append(
                "'\(outcome.text)' had to call \(expected.joined(separator: " ")), and called "
                    + seen.joined(separator: " "))
        }
    }
}

/// A step that announces an activity from another device, or with which its data comes or fails to.
struct HandoffWords {
    var type: String
    var target: String?
    var isAnnouncement: Bool
    var fails: Bool

    init?(_ words: [String]) {
        guard words.count > 1, words[0] == "arrive" || words.last == "handoff" else {
            return nil
        }
        type = words[1]
        target = words.first { $0.hasPrefix("target=") }.map { String($0.dropFirst(7)) }
        isAnnouncement = words[0] != "arrive"
        fails = words.last == "fail"
    }
}
