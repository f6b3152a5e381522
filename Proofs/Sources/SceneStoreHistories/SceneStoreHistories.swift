import Foundation
import SceneStore

/// Plays histories that nobody wrote, and counts every payload and every state (L-17, L-41, L-65).
///
///     Scripts/histories.sh --seed 1 --count 400     # so many, as CI does
///     Scripts/histories.sh --seed 7 --time 1h       # as many as there is time for
///     Scripts/histories.sh --seed 7 --only 4711     # one history again, as a finding prints it
///     Scripts/histories.sh --faults all --time 60s  # on a disk in memory, with power cuts and more
///     Scripts/histories.sh --faults files --time 60s  # on real files, where any call may fail
///     Scripts/histories.sh --faults controls        # breaks the disk or the store, to be noticed
///
/// Each history is played in this process, step by step, with a look at the store after each; then
/// again by the command with a process for each launch: every one, or every nth with `--every n`.
/// A finding prints the history as a scenario.
@main
enum SceneStoreHistories {
    static func main() {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            exit(try options.mix.map { try MixedTool(options, $0).run() } ?? run(options) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("histories: \(error)\n".utf8))
            exit(2)
        }
    }

    /// Whether nothing was found.
    private static func run(_ options: Options) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var figures = Figures()
        var number: UInt64 = options.only ?? 0
        while options.goesOn(after: figures.histories, start.duration(to: clock.now)) {
            let history = HistoryRun(
                seed: options.seed, number: number,
                command: options.only != nil || number % options.every == 0
                    ? options.command : nil)
            let findings = try history.play()
            figures.add(history)
            guard findings.isEmpty else {
                print("# history \(number) of seed \(options.seed)")
                print(history.text, terminator: "")
                for finding in findings + history.told.map({ "told: \($0)" }) {
                    print("# \(finding)")
                }
                print("replay: Scripts/histories.sh --seed \(options.seed) --only \(number)")
                return false
            }
            if options.only != nil {
                print(history.text, terminator: "")
                // What the command can't play.
                for line in history.isPlain ? [] : history.lines {
                    print("# \(line.json)")
                }
                break
            }
            number += 1
        }
        print(figures.text(seed: options.seed, start.duration(to: clock.now)))
        return true
    }

    /// What was asked for.
    struct Options {
        var seed: UInt64 = 1
        var count: Int?
        var time: Duration?
        /// Which histories are played in processes, too: a launch of one costs a hundred others.
        var every: UInt64 = 1
        var only: UInt64?
        var command: String?
        /// What is mixed into the histories, if anything.
        var mix: MixedTool.Mix?

        /// Whether another history is played.
        func goesOn(after histories: Int, _ elapsed: Duration) -> Bool {
            if let time {
                return elapsed < time
            }
            return only != nil || histories < count ?? 400
        }

        struct Refusal: Error, CustomStringConvertible {
            var description: String
        }

        init(_ words: [String]) throws {
            var rest = words[...]
            while let word = rest.popFirst() {
                guard let value = rest.popFirst() else {
                    throw Refusal(description: "\(word) needs a value")
                }
                switch word {
                case "--seed": seed = try Self.number(value)
                case "--only": only = try Self.number(value)
                case "--count": count = Int(clamping: try Self.number(value))
                case "--every": every = max(1, try Self.number(value))
                case "--command": command = value
                case "--faults":
                    guard let found = MixedTool.Mix(rawValue: value) else {
                        throw Refusal(description: "'\(value)' is not 'all', 'files' or 'controls'")
                    }
                    mix = found
                case "--time":
                    guard let unit = value.last, let count = Int64(value.dropLast()),
                        let seconds = ["s": 1, "m": 60, "h": 3_600][String(unit)] as Int64?
                    else {
                        throw Refusal(description: "'\(value)' is no time such as 60s, 5m or 1h")
                    }
                    time = .seconds(count * seconds)
                default: throw Refusal(description: "unknown argument \(word)")
                }
            }
        }

        private static func number(_ text: String) throws -> UInt64 {
            guard let number = UInt64(text) else {
                throw Refusal(description: "'\(text)' is no number")
            }
            return number
        }
    }
}

/// What was played, in numbers.
struct Figures {
    var histories = 0
    var inProcesses = 0
    var steps = 0
    var launches = 0
    var deaths = 0
    var payloads = 0
    var followed = 0
    var states = 0
    var plans = 0

    mutating func add(_ history: HistoryRun) {
        histories += 1
        inProcesses += history.wasPlayedInProcesses ? 1 : 0
        steps += history.steps
        launches += history.ledger.launches
        deaths += history.ledger.deaths
        payloads += history.ledger.payloads.sentCount
        followed += history.ledger.routes.followedCount
        states += history.ledger.states.acknowledgedCount
        plans += history.plansCompared
    }

    func text(seed: UInt64, _ time: Duration) -> String {
        "\(histories) histories (\(inProcesses) in processes, too), seed \(seed), "
            + "\(time.components.seconds) s: \(steps) steps, \(launches) launches, "
            + "\(plans) plans compared, \(deaths) deaths, \(payloads) payloads, "
            + "\(followed) followed to the window that the rules name, "
            + "\(states) acknowledged states, no finding"
    }
}
