import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreMigrations
import SceneStoreSQLite

/// What people use instead: programs of the package `Proofs/Beside` that keep the same windows in one
/// JSON file or as records of a general SQLite library, in the same rounds as the store and the floor.
enum BesideBenchmark {
    /// A program that was built.
    private struct Other {
        var name: String
        var program: String
    }

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let folder = Child.environment("SCENESTORE_BESIDE") ?? ""
        let others = [("one JSON file", "OneJSONFile"), ("a library's records", "GeneralRecords")]
            .map { Other(name: $0.0, program: "\(folder)/\($0.1)") }
            .filter { Child.isExecutable($0.program) }
        guard !others.isEmpty else {
            throw BenchmarkFailure("the programs beside are not built: Scripts/benchmark.sh does")
        }
        return try processes(context, others) + saves(context, others)
    }

    // MARK: - Processes

    private static func processes(
        _ context: BenchmarkContext, _ others: [Other]
    ) throws -> [Measurement] {
        let programs = try Programs()
        let digest = "\(SchemaMigration.all.last?.schemaDigest ?? 0)"
        var result: [Measurement] = []
        for windows in context.isQuick ? [10, 1_000] : [1, 10, 100, 1_000, 10_000] {
            let container = try context.folder.copyStore(
                of: context.origins.store(sessions: windows))
            let floor = ["\(container)/\(ContainerName.store)", "all", digest]
            var sides = [("SceneStore", programs.app, [container, "all"])]
            for other in others {
                let folder = try context.folder.makeFolder()
                _ = try Child.run(other.program, [folder, "make", "\(windows)"])
                sides.append((other.name, other.program, [folder, "all"]))
            }
            var times = [[[Double]]](repeating: [], count: sides.count)
            var floors: [[Double]] = []
            for round in 0...(context.isQuick ? 8 : windows > 1_000 ? 12 : 40) {
                let least = try programs.run(programs.floor, floor)
                for (place, side) in sides.enumerated() {
                    let run = try programs.run(side.1, side.2)
                    guard run.scenes == windows else {
                        throw BenchmarkFailure("\(side.0): \(run.scenes) windows, not \(windows)")
                    }
                    // The first round warms the caches of files.
                    if round > 0 {
                        times[place].append([run.end])
                    }
                }
                if round > 0 {
                    floors.append([least.end])
                }
            }
            let name = "\(Decimals.text(Double(windows))) window\(windows == 1 ? "" : "s")"
            for (place, side) in sides.enumerated() {
                result.append(
                    Measurement(
                        "process, \(name): \(side.0)", .milliseconds, times[place], floor: floors))
            }
            guard let count = try InstructionCount(context.folder, of: programs.floor) else {
                continue
            }
            let least = try count.of(floor)
            for side in sides {
                let own = try InstructionCount(context.folder, of: side.1)?.of(side.2) ?? 0
                result.append(
                    Measurement(
                        "instructions, \(name): \(side.0)", .instructions, exactly: own,
                        floor: least))
            }
        }
        return result
    }

    // MARK: - Saves

    private static func saves(
        _ context: BenchmarkContext, _ others: [Other]
    ) throws -> [Measurement] {
        try [Durability.full, .normal].flatMap { durability in
            let subject = SaveCase(durability: durability)
            let sides = try SaveSides(context, subject)
            try sides.warmUp()
            let own = sides.all(saves: subject.savesInRound)
            let word = durability == .full ? "durable" : "normal"
            let programs: [Interleaving.Side] = try others.map { other in
                let folder = try context.folder.makeFolder()
                _ = try Child.run(other.program, [folder, "make", "10"])
                return {
                    let arguments = [folder, "save", word, "\(max(subject.savesInRound, 50))"]
                    let time = try Programs.numbers(of: other.program, arguments)["save"] ?? 0
                    return [Double(time)]
                }
            }
            let times = try Interleaving.run(
                rounds: context.isQuick ? 8 : 40, seconds: context.isQuick ? 2 : 10,
                own.prefix(3) + programs)
            _ = try sides.closeAndCompare()
            return zip(["SceneStore"] + others.map(\.name), [times[0]] + times[3...]).map {
                Measurement("\(word) save of 2 KB: \($0)", .microseconds, $1, floor: times[1])
            }
        }
    }
}
