import SceneStore
import SceneStoreBenchmarkFloor

/// Measures the store against a C program that does the same work with the same SQLite, in the
/// same run.
///
///     Scripts/benchmark.sh            # everything
///     Scripts/benchmark.sh --quick    # fewer rounds, smaller stores
///     Scripts/benchmark.sh --json     # for machines
@main
enum SceneStoreBenchmarks {
    static func main() {
        do {
            let options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
            if let probe = options.probe {
                try Probe.run(
                    probe, rounds: options.rounds, sessions: options.sessions,
                    in: options.directory)
                return
            }
            if options.lists {
                Terminal.print(BenchmarkKind.overview)
                return
            }
            if options.showsHelp {
                Terminal.print(BenchmarkOptions.help)
                return
            }
            try run(options)
        } catch {
            Terminal.complain("scenestore-benchmarks: \(message(of: error))")
            Terminal.exit(2)
        }
    }

    private static func message(of error: any Error) -> String {
        switch error {
        case let failure as BenchmarkFailure: failure.message
        case let error as SceneStoreError: error.message
        default: "\(error)"
        }
    }

    private static func run(_ options: BenchmarkOptions) throws {
        guard Machine.isOptimised else {
            throw BenchmarkFailure("build with -c release: Scripts/benchmark.sh does")
        }
        let folder = try BenchmarkFolder(in: options.directory)
        let context = BenchmarkContext(
            folder: folder, isQuick: options.isQuick,
            origins: Origins(folder: folder, states: options.isQuick ? 1_000 : 100_000))
        var report = BenchmarkReport(machine: Machine(folder: folder), isQuick: options.isQuick)
        var failures: [String] = []
        for benchmark in BenchmarkKind.allCases where options.includes(benchmark) {
            if !options.isJSON {
                Terminal.progress("measuring \(benchmark.rawValue)…")
            }
            var section = BenchmarkReport.Section(title: benchmark.title, measurements: [])
            do {
                let time = try Interleaving.time {
                    section.measurements = try benchmark.run(context)
                }
                section.seconds = time / 1e9
                report.sections.append(section)
            } catch {
                // What was measured is not lost with what could not be.
                failures.append("\(benchmark.rawValue): \(message(of: error))")
            }
        }
        Terminal.clearProgress()
        Terminal.print(
            options.isJSON ? report.json : options.isMarkdown ? report.markdown : report.text)
        guard failures.isEmpty else {
            throw BenchmarkFailure(failures.joined(separator: "; "))
        }
        let broken = report.brokenGates
        if options.checks, !broken.isEmpty {
            Terminal.complain("worse than it was: \(broken.joined(separator: "; "))")
            Terminal.exit(1)
        }
    }
}

/// Why there is no result.
struct BenchmarkFailure: Error {
    var message: String

    init(_ message: String) {
        self.message = message
    }

    /// What the floor says of its last failure.
    static var floor: BenchmarkFailure {
        BenchmarkFailure("the floor failed: \(String(cString: floor_error()))")
    }
}

/// What every benchmark is given.
struct BenchmarkContext {
    var folder: BenchmarkFolder
    var isQuick: Bool
    var origins: Origins
}
