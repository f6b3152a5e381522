import Foundation
import SceneStoreTesting

/// Plays histories with misfortunes, replays what they find, and makes it short.
struct MixedTool {
    /// What is asked for.
    enum Mix: String {
        /// Histories on a disk in memory with everything, which must find nothing.
        case all
        /// The same on real files.
        case files
        /// Both with something broken, which must find it.
        case controls
    }

    /// How many histories a control has to be found in.
    static let controlLimit = 400
    /// Every so many histories one is played twice, and must tell the same.
    private static let twice: UInt64 = 16
    /// How many of the last lines of a transcript are shown beside a finding.
    private static let toldLines = 12

    private let options: SceneStoreHistories.Options
    private let mix: Mix
    private let directory: String

    init(_ options: SceneStoreHistories.Options, _ mix: Mix) throws {
        self.options = options
        self.mix = mix
        directory = try MixedRun.makeDirectory()
    }

    /// Whether all is as it must be.
    func run() throws -> Bool {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        switch mix {
        case .all, .files: return try playAll()
        case .controls:
            return try [false, true].map { onFiles in
                try MixedRun.Control.allCases.filter { $0.exists(onFiles: onFiles) }
                    .map { try find($0, onFiles: onFiles) }.allSatisfy { $0 }
            }.allSatisfy { $0 }
        }
    }

    private func make(
        _ number: UInt64, _ control: MixedRun.Control? = nil, _ script: [HistoryStep]? = nil,
        onFiles: Bool? = nil
    ) throws -> MixedRun {
        try MixedRun(
            seed: options.seed, number: number, directory: directory,
            onFiles: onFiles ?? (mix == .files), control: control, script: script)
    }

    /// What this process does once, such as reading its first random number, is done before the calls
    /// of a history are counted.
    private func warmUp() throws {
        _ = try make(0).play()
    }

    private func playAll() throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var figures = MixedFigures()
        var states = 0
        var payloads = 0
        var count = 0
        var number = options.only ?? 0
        if mix == .files {
            try warmUp()
        }
        while options.goesOn(after: count, start.duration(to: clock.now)) {
            let history = try make(number)
            var findings: [String]
            do {
                findings = try history.play()
            } catch {
                findings = ["\(error)"]
            }
            if findings.isEmpty, number % Self.twice == 0 {
                findings = try difference(history, number)
            }
            guard findings.isEmpty else {
                try tell(findings, history, number)
                return false
            }
            count += 1
            figures += history.counts
            states += history.ledger.states.acknowledgedCount
            payloads += history.ledger.payloads.sentCount
            if options.only != nil {
                print(history.text, terminator: "")
                break
            }
            number += 1
        }
        print(
            "\(count) histories with misfortunes, seed \(options.seed), "
                + "\(start.duration(to: clock.now).components.seconds) s: "
                + "\(figures.text), \(payloads) payloads, \(states) acknowledged states, "
                + "no finding")
        return true
    }

    /// The same history again tells the same.
    private func difference(_ history: MixedRun, _ number: UInt64) throws -> [String] {
        let again = try make(number)
        _ = try again.play()
        guard history.told != again.told || again.text != history.text else {
            return []
        }
        let place = zip(history.told, again.told).prefix { $0 == $1 }.count
        return [
            "the same seed tells something else in line \(place + 1):",
            "first:  \(place < history.told.count ? history.told[place] : "-")",
            "second: \(place < again.told.count ? again.told[place] : "-")",
        ]
    }

    /// Whether the books notice what a control breaks.
    private func find(_ control: MixedRun.Control, onFiles: Bool) throws -> Bool {
        let name = control.rawValue + (onFiles ? ", on files" : "")
        for number in 0..<UInt64(Self.controlLimit) {
            let history = try make(number, control, onFiles: onFiles)
            if let finding = try history.play().first {
                print("control \(name): found in history \(number): \(finding)")
                return true
            }
        }
        print("control \(name): NOT found in \(Self.controlLimit) histories")
        return false
    }

    private func tell(_ findings: [String], _ history: MixedRun, _ number: UInt64) throws {
        print("# history \(number) of seed \(options.seed), \(history.played.count) steps")
        let short = shrink(history, findings, number)
        print(short.history.text, terminator: "")
        for finding in short.findings + short.history.told.suffix(Self.toldLines) {
            print("# \(finding)")
        }
        print(
            "replay: Scripts/histories.sh --faults \(mix.rawValue) --seed \(options.seed) --only \(number)"
        )
    }

    /// A finding without the names of sessions, states and payloads: what it is about.
    private static func shape(_ finding: String) -> [Substring] {
        finding.prefix { $0 != "'" }.split(separator: " ").filter { word in
            word.count > 1 && !word.contains { $0.isNumber || $0 == "/" }
        }
    }

    /// The same history without steps that a finding doesn't need, halves first, single ones last; and
    /// what is found in it.
    private func shrink(
        _ history: MixedRun, _ findings: [String], _ number: UInt64
    ) -> (history: MixedRun, findings: [String]) {
        var best = (history, findings)
        let wanted = findings.first.map(Self.shape)
        var steps = history.played
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + size, steps.count))
                // A step that names what is no longer there can't be played.
                if let attempt = try? make(number, nil, fewer), let findings = try? attempt.play(),
                    findings.first.map(Self.shape) == wanted
                {
                    best = (attempt, findings)
                    steps = fewer
                } else {
                    start += size
                }
            }
            guard size > 1 else {
                return best
            }
            size /= 2
        }
    }
}

extension MixedFigures {
    var text: String {
        "\(steps) steps, \(powerCuts) power cuts, \(kills) kills at a call, \(failures) failing calls, "
            + "\(clockJumps) clocks set, "
            + "\(rivals) rivals, \(exchanges) handed over by a socket, \(socketFailures) failing calls on it, "
            + "\(handovers) payloads taken over, \(damages) damaged stores "
            + "(\(damagesTold) told, \(setAside) set aside)"
    }
}
