import Foundation
import SceneStoreTesting

/// Plays histories with misfortunes, replays what they find, and makes it short.
struct MixedTool {
    /// What is asked for.
    enum Mix: String {
        /// Histories with everything, which must find nothing.
        case all
        /// The same with something broken, which must find it.
        case controls
    }

    /// How many histories a control has to be found in.
    static let controlLimit = 400
    /// Every so many histories one is played twice, and must tell the same.
    private static let twice: UInt64 = 16

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
        case .all: return try playAll()
        case .controls:
            return try MixedRun.Control.allCases.map { try find($0) }.allSatisfy { $0 }
        }
    }

    private func make(
        _ number: UInt64, _ control: MixedRun.Control? = nil, _ script: [HistoryStep]? = nil
    ) -> MixedRun {
        MixedRun(
            seed: options.seed, number: number, directory: directory, control: control,
            script: script)
    }

    private func playAll() throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var figures = MixedFigures()
        var states = 0
        var payloads = 0
        var count = 0
        var number = options.only ?? 0
        while options.goesOn(after: count, start.duration(to: clock.now)) {
            let history = make(number)
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

    /// A line without the words of its finding: of several damaged rows, which one is met first and
    /// named is a hash table's.
    private static func withoutWords(_ line: String) -> String {
        guard let start = line.range(of: "\"message\":\""),
            let end = line.range(of: "\",\"name\"", range: start.upperBound..<line.endIndex)
        else {
            return line
        }
        return String(line[..<start.upperBound] + line[end.lowerBound...])
    }

    /// The same history again tells the same.
    private func difference(_ history: MixedRun, _ number: UInt64) throws -> [String] {
        let again = make(number)
        _ = try again.play()
        let (first, second) = (
            history.told.map(Self.withoutWords), again.told.map(Self.withoutWords)
        )
        guard first != second || again.text != history.text else {
            return []
        }
        let place = zip(first, second).prefix { $0 == $1 }.count
        return [
            "the same seed tells something else in line \(place + 1):",
            "first:  \(place < history.told.count ? history.told[place] : "-")",
            "second: \(place < again.told.count ? again.told[place] : "-")",
        ]
    }

    /// Whether the books notice what a control breaks.
    private func find(_ control: MixedRun.Control) throws -> Bool {
        for number in 0..<UInt64(Self.controlLimit) {
            let history = make(number, control)
            if let finding = try history.play().first {
                print("control \(control.rawValue): found in history \(number): \(finding)")
                return true
            }
        }
        print("control \(control.rawValue): NOT found in \(Self.controlLimit) histories")
        return false
    }

    private func tell(_ findings: [String], _ history: MixedRun, _ number: UInt64) throws {
        print("# history \(number) of seed \(options.seed), \(history.played.count) steps")
        let short = shrink(history, findings, number)
        print(short.history.text, terminator: "")
        for finding in short.findings {
            print("# \(finding)")
        }
        print(
            "replay: Scripts/histories.sh --faults all --seed \(options.seed) --only \(number)")
    }

    /// The same history without steps that a finding doesn't need, halves first, single ones last; and
    /// what is found in it.
    private func shrink(
        _ history: MixedRun, _ findings: [String], _ number: UInt64
    ) -> (history: MixedRun, findings: [String]) {
        var best = (history, findings)
        var steps = history.played
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + size, steps.count))
                let attempt = make(number, nil, fewer)
                // A step that names what is no longer there can't be played.
                if let findings = try? attempt.play(), !findings.isEmpty {
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
        "\(steps) steps, \(powerCuts) power cuts, \(kills) kills at a call, \(clockJumps) clocks set, "
            + "\(rivals) rivals, \(handovers) payloads taken over, \(damages) damaged stores (\(damagesTold) told)"
    }
}
