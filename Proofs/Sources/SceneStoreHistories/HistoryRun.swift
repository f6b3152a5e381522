import Foundation
import SceneStore
import SceneStoreTesting

/// One history: made, played and counted.
final class HistoryRun {
    private var maker: HistoryMaker
    private let command: String?
    private let container: String
    private(set) var lines: [TranscriptLine] = []
    private var failures: [String] = []
    private(set) var ledger = HistoryLedger()
    private(set) var steps = 0
    private(set) var plansCompared = 0
    private(set) var wasPlayedInProcesses = false
    /// The scenario so far.
    private(set) var text = ""
    /// What the last step told.
    private(set) var told: [String] = []
    private let path: String
    /// Whether the command can play it, too: it has words for all that happens.
    private(set) var isPlain = true

    init(seed: UInt64, number: UInt64, command: String?) {
        maker = HistoryMaker(seed: seed, number: number)
        self.command = command
        container = NSTemporaryDirectory() + "scenestore-history-\(UUID().uuidString)"
        path = container + "/history.scenario"
    }

    /// Plays it, and answers what was found.
    func play() throws -> [String] {
        let store = container + "/store"
        try FileManager.default.createDirectory(
            atPath: store, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: container) }
        try HistoryManifest.write(to: container)
        text = maker.setUp().map { $0 + "\n" }.joined()
        ledger.begin(maker.policy, maker.firstManifest)
        let player = try ScenarioPlayer(
            Scenario(text: text, name: path), container: store,
            output: .init(
                line: { [unowned self] in lines.append($0) },
                failure: { [unowned self] in failures.append($0) }))
        maker.policy.change(player)
        isPlain = maker.policy.isPlain
        _ = try player.play()
        for _ in 0..<maker.length {
            let step = maker.step(player, ledger)
            try play(step, player)
            let findings = ledger.findings + failures
            guard findings.isEmpty else {
                return findings
            }
            if ledger.moves.isAway, !player.isRunning {
                // The next process would begin another store.
                break
            }
        }
        return try compareProcesses()
    }

    private func play(_ step: HistoryStep, _ player: ScenarioPlayer) throws {
        steps += 1
        let wasRunning = player.isRunning
        let before = Before(player, ledger)
        let planned =
            step.isLaunch && ledger.mayPlan ? player.plannedCalls(step.payloads) : nil
        let begin = lines.count
        text += step.text + "\n"
        try player.extend(Scenario(text: text, name: path))
        if case .memory(let isShort) = step.misfortune {
            isPlain = false
            player.setShortOfMemory(isShort)
        }
        _ = try player.play()
        let new = Array(lines[begin...])
        told = new.map(\.json)
        ledger.count(step, new, before, wasRunning: wasRunning, player)
        if wasRunning, !player.isRunning, ledger.isShortOfMemory {
            // The next process has memory.
            player.setShortOfMemory(false)
            ledger.endShortage()
        }
        if let planned {
            compare(planned, new)
        }
    }

    /// What a plan said, against the launch that followed.
    private func compare(_ planned: [String], _ lines: [TranscriptLine]) {
        var isCut = false
        var calls: [String] = []
        var known: Set<String> = []
        for line in lines {
            switch line.event {
            case .exit: isCut = true
            case .callback(let callback):
                let name = callback.name.rawValue
                if callback.name == .config, let session = callback.session {
                    known.insert(session)
                }
                calls.append(callback.session.map { "\(name):\($0)" } ?? name)
            case .diagnostic(let diagnostic):
                // What the app answered, and what kept a launch from being one.
                isCut = isCut || ["restoreFailed", "noConfiguration"].contains(diagnostic.code)
            case .launch: break
            }
        }
        guard !isCut else {
            return
        }
        plansCompared += 1
        // A session that is made has no name in a plan.
        let named = Set(planned.compactMap { $0.split(separator: ":").dropFirst().first })
        let seen = calls.filter { !$0.hasPrefix("config") }.map { call -> String in
            let parts = call.split(separator: ":")
            guard parts.count == 2 else {
                return call
            }
            return named.contains(parts[1]) ? call : String(parts[0])
        }
        let wanted = planned.filter { $0 != "config" }
        if seen != wanted {
            ledger.findings.append(
                "the plan was \(wanted.joined(separator: " ")), the launch "
                    + seen.joined(separator: " "))
        }
    }

    /// The same history by the command, with a process for each launch.
    private func compareProcesses() throws -> [String] {
        guard let command, isPlain else {
            return []
        }
        wasPlayedInProcesses = true
        try Data(text.utf8).write(to: URL(filePath: path))
        let process = Process()
        process.executableURL = URL(filePath: command)
        process.arguments = ["simulate", "--json", "--processes", path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let theirs = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let ours = lines.map(\.json)
        guard theirs != ours else {
            return []
        }
        let place = zip(theirs, ours).prefix { $0 == $1 }.count
        return [
            "in processes line \(place + 1) differs:",
            "in process:   \(place < ours.count ? ours[place] : "-")",
            "in processes: \(place < theirs.count ? theirs[place] : "-")",
        ]
    }
}
