import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreMigrations
import enum SceneStoreSQLite.ContainerName

/// Whole processes: the least app (`SceneStoreBenchmarkApp`) against one in C, from the moment that
/// they are started to the first window, to all of them, and to the end.
enum ProcessBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let programs = try Programs()
        var result: [Measurement] = []
        var first: [Int: Summary] = [:]
        for sessions in context.isQuick ? [10, 1_000] : [1, 10, 100, 10_000, 100_000] {
            let container = try context.folder.copyStore(
                of: context.origins.store(sessions: sessions))
            let name = "\(Decimals.text(Double(sessions))) session\(sessions == 1 ? "" : "s")"
            let runs = try measure(context, programs, container, sessions, connectsAll: false)
            first[sessions] = Summary(rounds: runs.app.map { [$0.first] })
            result += report(runs, name, sessions)
            if sessions > 1, sessions <= 10_000 {
                let all = try measure(context, programs, container, sessions, connectsAll: true)
                result.append(
                    measurement("\(name), all connected", all) { $0.all })
            }
        }
        result += try largeStates(context, programs, first[10])
        result.append(try firstOfMany(context, programs))
        return result + growth(first)
    }

    // MARK: - One store

    /// What a process said of itself; times since it was started, in nanoseconds.
    struct Run {
        var first = 0.0
        var all = 0.0
        var end = 0.0
        var bytesRead = 0.0
        var peak = 0.0
        var scenes = 0
        var sum: Int64 = 0
    }

    /// The runs of each side, by round.
    struct Runs {
        var app: [Run] = []
        var floor: [Run] = []
        var fixed: [Run] = []
    }

    private static func measure(
        _ context: BenchmarkContext, _ programs: Programs, _ container: String,
        _ sessions: Int, connectsAll: Bool
    ) throws -> Runs {
        let mode = connectsAll ? "all" : "front"
        let digest = "\(SchemaMigration.all.last?.schemaDigest ?? 0)"
        let store = "\(container)/\(ContainerName.store)"
        var runs = Runs()
        let start = floor_now()
        for round in 0...(context.isQuick ? 8 : 40) {
            guard round < 4 || floor_now() - start < (context.isQuick ? 1 : 6) * 1_000_000_000
            else {
                break
            }
            let app = try programs.run(programs.app, [container, mode])
            let floor = try programs.run(programs.floor, [store, mode, digest])
            let fixed = try programs.fixed.map { try programs.run($0, [container, mode]) }
            guard app.scenes == floor.scenes, app.sum == floor.sum else {
                throw BenchmarkFailure(
                    "the processes found different states: \(app.scenes) and \(floor.scenes)")
            }
            guard !connectsAll || app.scenes == sessions else {
                throw BenchmarkFailure("\(app.scenes) windows came back, not \(sessions)")
            }
            // The first round warms the caches of files.
            if round > 0 {
                runs.app.append(app)
                runs.floor.append(floor)
                runs.fixed += [fixed].compactMap { $0 }
            }
        }
        guard try LibrarySide.keys(of: container).count == sessions else {
            throw BenchmarkFailure("a process has discarded sessions")
        }
        return runs
    }

    private static func measurement(
        _ name: String, _ runs: Runs, target: Double? = nil, _ part: (Run) -> Double
    ) -> Measurement {
        Measurement(
            name, .milliseconds, runs.app.map { [part($0)] }, floor: runs.floor.map { [part($0)] },
            target: target)
    }

    private static func report(_ runs: Runs, _ name: String, _ sessions: Int) -> [Measurement] {
        var whole = measurement("\(name), whole process", runs, target: sessions == 10 ? 3 : nil) {
            $0.end
        }
        let peak = Summary(rounds: runs.app.map { [$0.peak] }).median
        let least = Summary(rounds: runs.floor.map { [$0.peak] }).median
        whole.note =
            "peak \(Decimals.text(peak / 1e6)) MB, C \(Decimals.text(least / 1e6)) MB"
        var first = measurement("\(name), first connected", runs) { $0.first }
        let read = Summary(rounds: runs.app.map { [$0.bytesRead] }).median
        first.note = "\(Decimals.text(read / 1e3)) KB read in all"
        var result = [first, whole]
        if !runs.fixed.isEmpty {
            var fixed = runs
            fixed.app = runs.fixed
            result.append(
                measurement(
                    "\(name), whole process, static Swift", fixed,
                    target: sessions == 10 ? 2 : nil
                ) { $0.end })
        }
        return result
    }

    // MARK: - What must not matter

    /// A thousand sessions with states of 64 KB that nobody asks for.
    private static func largeStates(
        _ context: BenchmarkContext, _ programs: Programs, _ small: Summary?
    ) throws -> [Measurement] {
        let sessions = context.isQuick ? 200 : 1_000
        let container = try context.folder.copyStore(
            of: context.origins.store(sessions: sessions, stateBytes: 64 << 10))
        let runs = try measure(context, programs, container, sessions, connectsAll: false)
        var result = measurement(
            "\(Decimals.text(Double(sessions))) sessions of 64 KB, first connected", runs
        ) { $0.first }
        if let small {
            let ratio = result.library.median / max(small.median, 1)
            result.note = "\(Decimals.fixed(ratio, 2)) of that with ten sessions of 2 KB"
        }
        try context.folder.remove(container)
        return [result]
    }

    /// Many windows were in front, and the app connects the first of them alone (L-11).
    private static func firstOfMany(
        _ context: BenchmarkContext, _ programs: Programs
    ) throws -> Measurement {
        let counts = [1, 300]
        let containers = try counts.map {
            try context.folder.copyStore(of: context.origins.store(sessions: $0))
        }
        var times: [[Double]] = [[], []]
        for round in 0...(context.isQuick ? 8 : 40) {
            for (side, (count, container)) in zip(counts, containers).enumerated() {
                // It leaves all windows in front.
                let all = try programs.run(programs.app, [container, "all"])
                let run = try programs.run(programs.app, [container, "first"])
                guard all.scenes == count, run.scenes == 1 else {
                    throw BenchmarkFailure("\(all.scenes) windows came back, then \(run.scenes)")
                }
                // The first round warms the caches of files.
                if round > 0 {
                    times[side].append(run.first)
                }
            }
        }
        let (one, many) = (
            Summary(rounds: times[0].map { [$0] }), Summary(rounds: times[1].map { [$0] })
        )
        var result = Measurement("first of 300 in front, against one window", .milliseconds, many)
        result.ratio = Summary(exactly: many.median / max(one.median, 1))
        result.target = .ratioAtMost(1.2)
        for container in containers {
            try context.folder.remove(container)
        }
        return result
    }

    private static func growth(_ first: [Int: Summary]) -> [Measurement] {
        guard let few = first[10], let (count, many) = first.max(by: { $0.key < $1.key }) else {
            return []
        }
        var result = Measurement(
            "first connected of \(Decimals.text(Double(count))), against ten", .milliseconds, many)
        result.ratio = Summary(exactly: many.median / max(few.median, 1))
        result.target = .ratioAtMost(1.2)
        return [result]
    }
}

/// The programs that are started, found beside this one.
struct Programs {
    let app: String
    let floor: String
    /// The app with Swift's libraries inside, where the script has built it.
    let fixed: String?
    /// `scenestore`, where it was built.
    let command: String?

    init() throws {
        let folder = Child.ownPath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        func built(_ name: String) -> String? {
            Child.isExecutable("\(folder)/\(name)") ? "\(folder)/\(name)" : nil
        }
        guard let app = built("SceneStoreBenchmarkApp"),
            let floor = built("SceneStoreBenchmarkFloorApp")
        else {
            throw BenchmarkFailure("the small programs are not built: Scripts/benchmark.sh does")
        }
        self.app = app
        self.floor = floor
        fixed = Child.environment("SCENESTORE_STATIC_APP").flatMap {
            Child.isExecutable($0) ? $0 : nil
        }
        command = built("scenestore")
    }

    /// Starts one, waits for its end and reads what it says.
    func run(_ program: String, _ arguments: [String]) throws -> ProcessBenchmark.Run {
        let start = floor_now()
        let numbers = try Self.numbers(of: program, arguments)
        let end = floor_now()
        func time(_ name: String) -> Double {
            Double(UInt64(bitPattern: numbers[name] ?? 0) &- start)
        }
        return ProcessBenchmark.Run(
            first: time("first"), all: time("all"), end: Double(end &- start),
            bytesRead: Double(numbers["read"] ?? 0), peak: Double(numbers["peak"] ?? 0),
            scenes: Int(numbers["scenes"] ?? -1), sum: numbers["sum"] ?? -1)
    }

    /// The numbers that a program prints, by their names.
    static func numbers(of program: String, _ arguments: [String]) throws -> [String: Int64] {
        let outcome = try Child.run(program, arguments)
        guard let outcome, outcome.status == 0 else {
            throw BenchmarkFailure("\(program): \(outcome?.errors ?? "could not be started")")
        }
        var numbers: [String: Int64] = [:]
        for word in outcome.errors.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let parts = word.split(separator: "=")
            if parts.count == 2 {
                numbers[String(parts[0])] = Int64(parts[1])
            }
        }
        return numbers
    }

    /// The names of the libraries that the loader would load, as `ldd` asks it; nil where it does
    /// not say.
    func libraries(of program: String) throws -> [Substring]? {
        guard let outcome = try Child.run("ldd", [program], readsOutput: true),
            outcome.status == 0
        else {
            return nil
        }
        return outcome.errors.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
        }
    }
}
