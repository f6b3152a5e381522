import Foundation
import SceneStore
import SceneStoreFileFaults
import SceneStoreRecovery
import SceneStoreTesting

/// One history on a disk in memory or on real files, under one seed: steps, power cuts, kills at any
/// call, calls that fail, clocks that are set, rivals and, at its end, damage.
///
/// 1. The books are those of every history; of a step that was cut short all or nothing is there.
/// 2. A power cut takes nothing that was acknowledged, where saves are durable (R-60).
/// 3. No rival is let in while a process runs (R-01).
/// 4. Of a store that was damaged nothing wrong is taken for the truth in silence (R-26, R-63).
/// 5. The same seed gives the same transcript.
final class MixedRun {
    /// What a control breaks; the books must notice it.
    enum Control: String, CaseIterable {
        /// The disk reports a sync that it has not done.
        case lyingDisk = "lying-disk"
        /// A payload that waits is taken out of the store.
        case lostPayload = "lost-payload"
        /// An older file is put in the place of a closed store.
        case olderStore = "older-store"
        /// What is told of a damage is not heard.
        case deafToDamage = "deaf"
        /// Somebody removes the lock's file under the process that runs.
        case removedLock = "removed-lock"
        /// The process that runs answers another one and drops what it was handed.
        case droppedRequest = "dropped-request"
        /// A process that asks again gives its payloads other names.
        case renamedPayloads = "renamed-payloads"

        /// Whether there is such a thing where a history plays.
        func exists(onFiles: Bool) -> Bool {
            switch self {
            case .removedLock, .droppedRequest, .renamedPayloads: onFiles
            case .lyingDisk, .lostPayload, .olderStore, .deafToDamage: true
            }
        }
    }

    private var maker: MixedMaker
    private let control: Control?
    private let script: [HistoryStep]?
    private let directory: String
    private let damageSeed: UInt64
    private let place: any HistoryPlace
    private var lines: [TranscriptLine] = []
    private var failures: [String] = []
    private var olderStores: [[UInt8]] = []
    private var header: [String] = []
    private var isDamaged = false
    private(set) var ledger = HistoryLedger()
    private(set) var played: [HistoryStep] = []
    private(set) var counts = MixedFigures()

    /// Plays a history of a seed, or the given steps of it.
    init(
        seed: UInt64, number: UInt64, directory: String, onFiles: Bool, control: Control? = nil,
        script: [HistoryStep]? = nil
    ) throws {
        place = onFiles ? try RealPlace(in: directory) : MemoryPlace()
        maker = MixedMaker(seed: seed, number: number, hasSystemCalls: place.hasSystemCalls)
        var random = SeededRandom(seed, number, 63)
        damageSeed = random.next()
        self.directory = directory
        self.control = control
        self.script = script
    }

    /// The scenario, with what befell the device as comments.
    var text: String {
        (header + played.flatMap(\.lines)).map { $0 + "\n" }.joined()
    }

    /// What the scenarios of such histories name.
    static func makeDirectory() throws -> String {
        let directory = NSTemporaryDirectory() + "scenestore-mixed-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try HistoryManifest.write(to: directory)
        return directory
    }

    /// Plays it, and answers what was found.
    func play() throws -> [String] {
        header = maker.setUp()
        ledger.begin(maker.maker.policy, maker.maker.firstManifest)
        let player = try ScenarioPlayer(
            scenario(), storage: place.storage,
            output: .init(
                line: { [unowned self] in lines.append($0) },
                failure: { [unowned self] in failures.append($0) }))
        maker.maker.policy.change(player)
        _ = try player.play()
        try place.begin(
            player, control: control, mayLosePower: maker.maker.policy.isDurable)
        for index in 0..<(script?.count ?? maker.maker.length) {
            let step = script?[index] ?? maker.step(player, ledger)
            try play(step, player)
            let findings = ledger.findings + failures
            guard findings.isEmpty else {
                return findings
            }
            try noteClosedStore(player)
        }
        counts.exchanges = place.exchanges
        counts.socketFailures = place.socketFailures
        return try damage(player)
    }

    /// All that was told, line by line.
    var told: [String] { lines.map(\.json) }

    private func scenario() throws -> Scenario {
        try Scenario(text: text, name: directory + "/history.scenario")
    }

    private func play(_ wanted: HistoryStep, _ player: ScenarioPlayer) throws {
        var step = wanted
        let wasRunning = player.isRunning
        // Of a history that was made shorter, the process that it found running may be gone.
        step.isLaunch = step.isLaunch || step.words[0] == "start" && !wasRunning
        let before = Before(player, ledger)
        let begin = lines.count
        played.append(step)
        counts.steps += 1
        try player.extend(scenario())
        if step.bringsUnanswered {
            player.launchesUnanswered()
            counts.handovers += 1
        }
        try place.withSocketFault(of: step) {
            try play(&step, player, wasRunning: wasRunning)
        }
        ledger.count(step, Array(lines[begin...]), before, wasRunning: wasRunning, player)
        if isDamaged, !before.hasStore {
            // What waited in a store that nobody could read is not known.
            ledger.findings.removeAll { $0.contains(" was delivered ") }
        }
    }

    /// Plays a step with what befalls the device within it, or instead of one.
    private func play(
        _ step: inout HistoryStep, _ player: ScenarioPlayer, wasRunning: Bool
    ) throws {
        switch step.misfortune {
        case nil: try place.play(step, player)
        case .powerCutAt(let call, let seed):
            step.wasCutShort = try place.play(step, player, killedAt: call)
            if step.wasCutShort {
                counts.powerCuts += 1
                try place.cutPower(player, seed: seed)
            }
        case .killAt(let call):
            step.wasCutShort = try place.play(step, player, killedAt: call)
            counts.kills += step.wasCutShort ? 1 : 0
        case .failing(let kind, let call):
            let isHit = try place.play(step, player, failing: kind, at: call)
            counts.failures += isHit ? 1 : 0
            // A call that does less than it was asked for is no failure.
            step.hadFailure = isHit && kind != .short
        case .powerCut(let seed):
            counts.powerCuts += 1
            try place.cutPower(player, seed: seed)
        case .clockJump(let milliseconds):
            counts.clockJumps += 1
            player.jumpClock(milliseconds: milliseconds)
        case .memory(let isShort): player.setShortOfMemory(isShort)
        case .rival:
            counts.rivals += 1
            let refusal = try place.refusalOfRival(player)
            if wasRunning, refusal != .owned {
                ledger.findings.append("a rival was \(refusal?.rawValue ?? "let in")")
            }
        }
    }

    // MARK: Damage

    /// Keeps what the file of a closed store was, and breaks it for a control.
    private func noteClosedStore(_ player: ScenarioPlayer) throws {
        guard let bytes = player.closedStore, bytes.count > 4_096, bytes != olderStores.last else {
            return
        }
        if control == .olderStore, olderStores.count == 3 {
            try player.replaceStore(olderStores[0])
        } else if control == .lostPayload {
            try player.alterStore("DELETE FROM inbox")
        }
        if control != nil {
            try place.noteReplaced()
        }
        if olderStores.count < 6 {
            olderStores.append(bytes)
        }
    }

    /// One page of the closed store becomes junk, or what it was some time ago; then the app is
    /// launched, and idle.
    private func damage(_ player: ScenarioPlayer) throws -> [String] {
        if player.isRunning {
            for text in (ledger.isRefusing ? ["recover"] : []) + ["quit"] {
                try play(HistoryStep(text), player)
            }
        }
        guard !ledger.isRefusing, let bytes = player.closedStore, ledger.findings.isEmpty else {
            return ledger.findings
        }
        var random = SeededRandom(damageSeed)
        guard let damaged = Self.damaged(bytes, olderStores, &random) else {
            return []
        }
        counts.damages += 1
        ledger.states.expectEarlierStates()
        try play(HistoryStep("policy launch=restore"), player)
        isDamaged = true
        try player.replaceStore(damaged)
        try place.noteReplaced()
        let begin = lines.count
        played.append(HistoryStep("# a page is damaged"))
        if place.hasSystemCalls {
            try troubleRecovery(player, &random)
        }
        // A step of the history may have told the process to die within this launch.
        for _ in 0..<3 where !player.isRunning {
            try play(HistoryStep("launch", isLaunch: true), player)
        }
        var (codes, findings) = look(player, since: begin)
        let problem = place.problem(afterRecovering: damaged)
        if codes.contains("storeSetAside") {
            counts.setAside += 1
            findings += [problem].compactMap(\.self)
        }
        let told = !codes.isDisjoint(with: DamageCodes.all)
        counts.damagesTold += told ? 1 : 0
        guard told, control != .deafToDamage else {
            return findings.map { "a damaged page, in silence: \($0)" }
        }
        // A loss may be told of; a state that nobody saved may not be shown.
        return findings.filter {
            $0.hasSuffix("which it never saved") || $0.contains("quarantine/")
        }
    }

    /// The process that recovers the store dies, a call of it fails, or the disk is full.
    private func troubleRecovery(
        _ player: ScenarioPlayer, _ random: inout SeededRandom
    ) throws {
        var launch = HistoryStep("launch", isLaunch: true)
        switch random.below(7) {
        case 0, 1:
            for _ in 0...random.below(2) where !player.isRunning {
                launch.misfortune = .killAt(1 + UInt64(random.below(900)))
                try play(launch, player)
            }
        case 4 where maker.maker.policy.isDurable:
            launch.misfortune = .powerCutAt(
                1 + UInt64(random.below(900)), seed: random.next() >> 40)
            try play(launch, player)
        case 2:
            let kinds = SystemFault.Kind.allCases
            launch.misfortune = .failing(
                kinds[random.below(kinds.count)], 1 + UInt64(random.below(900)))
            try play(launch, player)
            if player.isRunning {
                try play(HistoryStep("recover"), player)
            }
        case 3:
            try play(HistoryStep("fail save=diskFull"), player)
            try play(launch, player)
            if player.isRunning {
                try play(HistoryStep("recover"), player)
            } else {
                try place.makeRoom(player)
            }
        default: break
        }
    }

    /// Lets the app be idle and looks at its store: what was told since a line, and what is wrong.
    private func look(
        _ player: ScenarioPlayer, since begin: Int
    ) -> (codes: Set<String>, findings: [String]) {
        var codes: Set<String> = []
        do throws(SceneStoreError) {
            try player.finishIdleWork()
        } catch {
            codes.insert(error.code.rawValue)
        }
        for line in lines[begin...] {
            if case .diagnostic(let found) = line.event {
                codes.insert(found.code)
            }
        }
        var findings = ledger.findings
        do throws(SceneStoreError) {
            let states = ledger.states
            findings += try player.read { (store) throws(SceneStoreError) in
                try states.look(store)
            }
        } catch {
            // Whoever reads is told, too.
            codes.insert(error.code.rawValue)
            findings.append("the store can't be read: \(error.code.rawValue)")
        }
        return (codes, findings)
    }

    private static func damaged(
        _ bytes: [UInt8], _ older: [[UInt8]], _ random: inout SeededRandom
    ) -> [UInt8]? {
        let size = 4_096
        let page = random.below(bytes.count / size)
        let place = page * size..<(page + 1) * size
        var result = bytes
        if random.oneIn(2), !older.isEmpty {
            let other = older[random.below(older.count)]
            guard place.upperBound <= other.count, other[place] != bytes[place] else {
                return nil
            }
            result.replaceSubrange(place, with: other[place])
        } else {
            for index in place {
                result[index] = UInt8(truncatingIfNeeded: random.next())
            }
        }
        return result
    }
}

/// What a person may be told of a damaged store.
enum DamageCodes {
    static let all: Set<String> = [
        "corrupt", "notAStore", "schemaTampered", "changedMigration", "damagedRow", "noSuchSession",
        "noSuchState", "pageDamage", "lostSessions", "digestMismatch", "stateStale", "newerSchema",
        "olderSchema", "poisoned", "orphanedWAL", "newerFeatures", "storeSetAside",
        "salvagedSession", "lostCommits",
    ]
}

/// What befell the devices, in numbers.
struct MixedFigures {
    var steps = 0
    var powerCuts = 0
    var kills = 0
    var failures = 0
    var setAside = 0
    var exchanges = 0
    var socketFailures = 0
    var clockJumps = 0
    var rivals = 0
    var handovers = 0
    var damages = 0
    var damagesTold = 0

    static func += (left: inout MixedFigures, right: MixedFigures) {
        left.steps += right.steps
        left.powerCuts += right.powerCuts
        left.kills += right.kills
        left.failures += right.failures
        left.setAside += right.setAside
        left.exchanges += right.exchanges
        left.socketFailures += right.socketFailures
        left.clockJumps += right.clockJumps
        left.rivals += right.rivals
        left.handovers += right.handovers
        left.damages += right.damages
        left.damagesTold += right.damagesTold
    }
}
