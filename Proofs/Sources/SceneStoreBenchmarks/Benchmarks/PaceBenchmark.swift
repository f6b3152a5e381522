import SceneStore
import SceneStoreTesting
import enum SceneStoreSQLite.ContainerName
import enum SceneStoreSQLite.System

/// What saves ask of the disk at the pace of a user, idle work included: an app with a window, a
/// clock that is moved, and a file system that counts. Every number is the same on every machine.
enum PaceBenchmark {
    private static let saves = 1_000
    /// Milliseconds between two saves.
    private static let paces: [Int64] = [100, 2_000, 10_000, 30_000]

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        var result: [Measurement] = []
        for pace in paces {
            let side = try PaceSide(context)
            let counters = try side.save(saves, every: pace, .normal)
            try side.end()
            var normal = Measurement(
                "syncs of a normal save every \(name(pace))", .count,
                exactly: Double(counters.syncs) / Double(saves))
            normal.target = .atMost(0.05)
            // At 30 s a sync every 10 minutes is 0.05 by itself; a checkpoint comes on top.
            normal.gate = .atMost(0.055)
            normal.note = "the log had \(side.mostFrames) frames at most"
            result.append(normal)
        }
        for pace in paces {
            let side = try PaceSide(context)
            let counters = try side.save(saves, every: pace, .full)
            try side.end()
            var durable = Measurement(
                "syncs of a durable save every \(name(pace))", .count,
                exactly: Double(counters.syncs) / Double(saves))
            // A checkpoint in a thousand saves is 0.003.
            durable.target = .atMost(1.005)
            durable.gate = .target
            result.append(durable)
        }
        return result + [try withoutIdleMoment(context)]
    }

    /// The log of an app that never comes to rest.
    private static func withoutIdleMoment(_ context: BenchmarkContext) throws -> Measurement {
        let side = try PaceSide(context)
        _ = try side.save(context.isQuick ? 4_000 : 20_000, every: 0, .normal)
        let log = "\(side.container)/\(ContainerName.log)"
        let bytes = try System.status(at: log).size
        try side.end()
        var result = Measurement(
            "the log after saves without an idle moment", .bytes, exactly: Double(bytes))
        result.target = .atMost(16_777_216)
        result.gate = .target
        return result
    }

    private static func name(_ pace: Int64) -> String {
        pace < 1_000 ? "0.\(pace / 100) s" : "\(pace / 1_000) s"
    }
}

/// An app with a window on a disk that counts.
private final class PaceSide {
    let container: String
    private(set) var mostFrames = 0
    private let disk = FaultDisk(seed: 1, kind: .passThrough)
    private let clock = VirtualClock()
    private let scheduler: VirtualScheduler
    private let app = NumberedApp()
    private let application: SceneApplication
    private let window: SceneSession.ID

    init(_ context: BenchmarkContext) throws {
        container = try context.folder.makeFolder()
        let clock = clock
        var options = SceneSessionStore.Options()
        options.vfs = disk.vfsName
        options.clock = { clock.now }
        scheduler = VirtualScheduler(clock: clock)
        application = SceneApplication(
            store: try .open(at: .directory(container), options: options), delegate: app,
            options: SceneApplicationOptions(manifest: .windows("Editor")),
            environment: SceneEnvironment(
                now: { clock.now }, makeIdentifier: { "window" }, bootIdentifier: "boot",
                processIdentifier: 1),
            scheduler: scheduler)
        try application.launch()
        guard application.connectedScenes.count == 1, let scene = application.connectedScenes.first
        else {
            throw BenchmarkFailure("the app has no window")
        }
        window = scene.session.id
        // The launch settles, and the rings fill up.
        _ = try save(200, every: 100, .normal)
        mostFrames = 0
        scheduler.advance(by: 3_600_000)
    }

    /// Saves a changed state at a pace; answers what that asked of the disk, idle moments included.
    func save(
        _ count: Int, every pace: Int64, _ durability: Durability
    ) throws -> FaultDisk.Counters {
        let written = application.store.counters.statesWritten
        let counters = try disk.counting {
            for _ in 0..<count {
                app.serial += 1
                try application.saveState(of: [window], durability: durability)
                mostFrames = max(mostFrames, application.store.counters.frames)
                if pace > 0 {
                    scheduler.advance(by: pace)
                }
            }
        }
        guard application.store.counters.statesWritten == written + count else {
            throw BenchmarkFailure("not every state was written")
        }
        return counters
    }

    func end() throws {
        guard application.connectedScenes.map(\.session.id) == [window] else {
            throw BenchmarkFailure("the app has lost its window")
        }
        try application.quit()
    }
}
