import SceneStore
import SceneStoreTesting

/// Many stores that are open at the same time in one process, as a server has them.
enum ServersBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        var result: [Measurement] = []
        for count in context.isQuick ? [10] : [10, 1_000] {
            for kind in ServersProbe.Kind.allCases {
                guard let figures = try figures(kind, count, context) else {
                    return try [syncsOfClosing(context)]
                }
                result += report(figures, kind, count)
            }
        }
        return try result + [syncsOfClosing(context)]
    }

    private static func figures(
        _ kind: ServersProbe.Kind, _ count: Int, _ context: BenchmarkContext
    ) throws -> [String: Double]? {
        let probe = kind == .standard ? ProbeKind.openStores : .restingStores
        let outcome = try Child.run(
            Child.ownPath,
            [
                "--probe", probe.rawValue, "--sessions", "\(count)", "--directory",
                context.folder.path,
            ], readsOutput: true)
        guard let outcome, outcome.status != Probe.unsupported else {
            return nil
        }
        guard outcome.status == 0 else {
            throw BenchmarkFailure("\(count) stores failed: \(outcome.errors)")
        }
        var figures: [String: Double] = [:]
        for line in outcome.errors.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 {
                figures[String(words[0])] = Double(words[1])
            }
        }
        return figures
    }

    private static func report(
        _ figures: [String: Double], _ kind: ServersProbe.Kind, _ count: Int
    ) -> [Measurement] {
        func line(
            _ name: String, _ unit: Measurement.Unit, _ figure: String,
            _ target: Measurement.Target? = nil
        ) -> Measurement {
            Measurement(
                "\(Decimals.text(Double(count))) stores, \(kind.rawValue): \(name)", unit,
                exactly: figures[figure] ?? .infinity, target: target)
        }
        var memory = line("memory of one while idle", .bytes, "memory")
        // Whether the system hands out whole pages early or late is not the library's.
        memory.target = .atMost(kind == .atRest ? 120_000 : 300_000)
        return [
            memory,
            line("descriptors while idle", .count, "descriptors", .atMost(kind == .atRest ? 2 : 5)),
            line("descriptors while used", .count, "busy-descriptors", .atMost(5)),
            line("disk while idle", .bytes, "disk"),
            line("disk when closed", .bytes, "closed-disk"),
            line("open", .microseconds, "open"),
            line("durable save", .microseconds, "save"),
            line("idle work after it, all checks", .microseconds, "idle"),
            line("durable save after idle work", .microseconds, "save-again"),
            line("idle work after it", .microseconds, "idle-again"),
            line("close", .microseconds, "close"),
        ]
    }

    /// What closing asks of the disk after a durable save; a durable save makes one sync.
    private static func syncsOfClosing(_ context: BenchmarkContext) throws -> Measurement {
        let disk = FaultDisk(seed: 1, kind: .passThrough)
        let states = try SampleStates(count: 8)
        let side = try LibrarySide(
            container: try LibrarySide.make(sessions: 10, in: context.folder), vfs: disk.vfsName)
        for number in 0..<states.count {
            _ = try side.save(states.activities[number], session: number, durability: .full)
        }
        let counters = try disk.counting { try side.store.close() }
        return Measurement(
            "syncs of closing after a durable save", .count, exactly: Double(counters.syncs),
            target: .atMost(2))
    }
}
