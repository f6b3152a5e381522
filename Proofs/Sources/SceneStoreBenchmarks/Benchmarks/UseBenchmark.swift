import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreInstance
import SceneStoreTesting
import Synchronization
import enum SceneStoreSQLite.System

/// What users of an app notice: a save, the slowest of many saves and idle moments, a launch after
/// a year, all through the public API and with the manifest that an app would have. Threads share
/// the store itself, because an application runs on one thread.
enum UseBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        try [Durability.normal, .full].map { try publicSave($0, context) }
            + [Durability.normal, .full].flatMap { try tail($0, context) }
            + year(context)
            + [
                threads(4, .normal, target: 1 / 0.9, context),
                threads(8, .full, target: 1.0 / 3, context),
            ]
    }

    // MARK: - A save

    /// `saveState(of:)` of one of ten windows, and the floor that writes the state's rows. Both
    /// logs grow until the end: nobody checkpoints.
    private static func publicSave(
        _ durability: Durability, _ context: BenchmarkContext
    ) throws -> Measurement {
        let origin = try context.origins.store(sessions: 10)
        let app = try EditorApp(container: try context.folder.copyStore(of: origin))
        let floor = try FloorSide(container: try context.folder.copyStore(of: origin))
        let keys = try LibrarySide.keys(of: try context.folder.copyStore(of: origin))
        try floor.setDurable(durability == .full)
        let states = try SampleStates(count: 64)
        let rounds = context.isQuick ? 5 : 20
        let saves = 50
        var done = [0, 0]
        let written = app.store.counters.statesWritten
        let times = try Interleaving.run(
            rounds: rounds,
            [
                {
                    try (0..<saves).map { _ in
                        let number = done[0]
                        done[0] += 1
                        app.windows.next = states.activities[number / 10 % states.count]
                        let window = app.sessions[number % 10]
                        return try Interleaving.time {
                            try app.application.saveState(of: [window], durability: durability)
                        }
                    }
                },
                {
                    try (0..<saves).map { _ in
                        let number = done[1]
                        done[1] += 1
                        var batch = [
                            states.floorState(
                                number / 10, session: keys[number % 10], encodes: true)
                        ]
                        return try Interleaving.time { _ = try floor.save(&batch) }
                    }
                },
            ])
        guard app.store.counters.statesWritten == written + done[0] else {
            throw BenchmarkFailure("not every state was written")
        }
        try app.end(windows: 10)
        try floor.close()
        return Measurement(
            "saveState of 2 KB, \(name(durability))", .microseconds, times[0], floor: times[1],
            target: durability == .full ? 1.05 : 1.15)
    }

    private static func name(_ durability: Durability) -> String {
        durability == .full ? "durable" : "normal"
    }

    // MARK: - The slowest ones

    /// Ten windows that are saved in turn every two seconds of a clock that is moved, and the idle
    /// moments between.
    private static func tail(
        _ durability: Durability, _ context: BenchmarkContext
    ) throws -> [Measurement] {
        let origin = try context.origins.store(sessions: 10)
        let clock = VirtualClock()
        let scheduler = VirtualScheduler(clock: clock)
        let app = try EditorApp(
            container: try context.folder.copyStore(of: origin), clock: clock,
            scheduler: scheduler)
        let states = try SampleStates(count: 64)
        var saves: [Double] = []
        var moments: [Double] = []
        for number in 0..<(context.isQuick ? 2_000 : durability == .full ? 10_000 : 50_000) {
            app.windows.next = states.activities[number / 10 % states.count]
            let window = app.sessions[number % 10]
            saves.append(
                try Interleaving.time {
                    try app.application.saveState(of: [window], durability: durability)
                })
            moments.append(Interleaving.time { scheduler.advance(by: 2_000) })
        }
        try app.end(windows: 10)
        return parts(of: saves, "saveState, \(name(durability))")
            + parts(of: moments, "idle work of two seconds, \(name(durability))")
    }

    /// The median and the slowest of many times, in nanoseconds.
    private static func parts(of times: [Double], _ name: String) -> [Measurement] {
        let sorted = times.sorted()
        func part(_ thousandths: Int) -> Double {
            sorted[min(sorted.count * thousandths / 1_000, sorted.count - 1)]
        }
        return [("p50", 500), ("p99", 990), ("p99.9", 999), ("longest", 1_000)].map {
            Measurement("\(name), \($0.0)", .microseconds, Summary(exactly: part($0.1)))
        }
    }

    // MARK: - A year

    /// A launch and a quit with what a year of use leaves, against the same with what a day leaves.
    ///
    /// A day has two launches, each with ten saves of five windows; a window is closed and another
    /// one opened, so every window is some days old.
    private static func year(_ context: BenchmarkContext) throws -> [Measurement] {
        let clock = VirtualClock()
        let container = try context.folder.makeFolder()
        var afterDay = ""
        let days = context.isQuick ? 60 : 365
        var serial = 0
        for day in 0..<days {
            for _ in 0..<2 {
                let scheduler = VirtualScheduler(clock: clock)
                let app = try EditorApp(container: container, clock: clock, scheduler: scheduler)
                while app.sessions.count < 5 {
                    app.application.requestSceneSessionActivation(.init())
                    app.refresh()
                }
                for _ in 0..<10 {
                    for window in app.sessions {
                        serial += 1
                        app.windows.next = try SampleState.activity(serial)
                        try app.application.saveState(of: [window])
                    }
                    scheduler.advance(by: 600_000)
                }
                app.application.requestSceneSessionDestruction(app.sessions[0])
                app.application.requestSceneSessionActivation(.init())
                app.refresh()
                scheduler.advance(by: 600_000)
                try app.end(windows: 5)
                clock.now += 36_000_000
            }
            if day == 0 {
                afterDay = try context.folder.copyStore(of: container)
            }
        }
        func launch(_ origin: String) -> Interleaving.Side {
            {
                let copy = try context.folder.copyStore(of: origin)
                var app: EditorApp?
                let time = try Interleaving.time {
                    app = try EditorApp(container: copy, clock: clock)
                    try app?.end(windows: 5)
                }
                app = nil
                try context.folder.remove(copy)
                return [time]
            }
        }
        let times = try Interleaving.run(
            rounds: context.isQuick ? 20 : 200, [launch(container), launch(afterDay)])
        let size = try context.folder.size(of: container)
        return [
            Measurement(
                "open, launch and quit after \(days) days, to one day", .milliseconds, times[0],
                floor: times[1], target: 1.05),
            Measurement("the store after \(days) days", .bytes, exactly: Double(size)),
        ]
    }

    // MARK: - Threads

    /// So many threads that each save a window of one store, and one thread that makes as many
    /// saves.
    private static func threads(
        _ count: Int, _ durability: Durability, target: Double, _ context: BenchmarkContext
    ) throws -> Measurement {
        let origin = try context.origins.store(sessions: 10)
        let saves = (context.isQuick ? 200 : 2_000) / (durability == .full ? 10 : 1)
        func side(threads: Int) throws -> Interleaving.Side {
            let side = try LibrarySide(container: try context.folder.copyStore(of: origin))
            let states = try SampleStates(count: 64).activities
            var round = 0
            return {
                round += 1
                let first = round * saves
                let work = SharedWork(side.store, side.keys, states)
                let time = try Interleaving.time {
                    try work.run(threads: threads, of: count, saves: saves, from: first, durability)
                }
                try side.checkpoint()
                return [time]
            }
        }
        let times = try Interleaving.run(
            rounds: context.isQuick ? 5 : 20, [side(threads: count), side(threads: 1)])
        return Measurement(
            "\(count) threads, \(name(durability)) saves, to one thread with as many",
            .milliseconds, times[0], floor: times[1], target: target)
    }
}

/// Saves that several threads share.
private final class SharedWork: Sendable {
    private let store: SceneSessionStore
    private let keys: [Int64]
    private let states: [UserActivity]
    private let failures = Mutex(0)
    private let running = Atomic(0)

    init(_ store: SceneSessionStore, _ keys: [Int64], _ states: [UserActivity]) {
        self.store = store
        self.keys = keys
        self.states = states
    }

    /// Saves `saves` states of each of `parts` windows, on so many threads.
    func run(
        threads: Int, of parts: Int, saves: Int, from first: Int, _ durability: Durability
    ) throws {
        let written = store.counters.statesWritten
        running.store(threads, ordering: .sequentiallyConsistent)
        for thread in 0..<threads {
            try System.startThread { [self] in
                for part in stride(from: thread, to: parts, by: threads) {
                    save(part, saves: saves, from: first, durability)
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        while running.load(ordering: .sequentiallyConsistent) > 0 {
            System.pause(milliseconds: 1)
        }
        guard failures.withLock(\.self) == 0,
            store.counters.statesWritten == written + saves * parts
        else {
            throw BenchmarkFailure("not every state was written")
        }
    }

    private func save(_ part: Int, saves: Int, from first: Int, _ durability: Durability) {
        for number in first..<first + saves {
            do {
                try store.save(
                    [StateToSave(key: keys[part], activity: states[number % states.count])],
                    context: LibrarySide.context, durability: durability)
            } catch {
                failures.withLock { $0 += 1 }
            }
        }
    }
}

/// An editor's app on a container: all windows come back, and show the state that is named.
private final class EditorApp {
    let windows = EditorWindows()
    let store: SceneSessionStore
    let application: SceneApplication
    private(set) var sessions: [SceneSession.ID] = []

    init(
        container: String, clock: VirtualClock = VirtualClock(),
        scheduler: VirtualScheduler? = nil
    ) throws {
        var options = SceneSessionStore.Options()
        options.clock = { clock.now }
        store = try .open(at: .directory(container), options: options)
        var settings = SceneApplicationOptions(manifest: .windows("Editor"))
        settings.reconnection = .all
        application = SceneApplication(
            store: store, delegate: windows, options: settings,
            scheduler: scheduler ?? TaskScheduler.manual)
        try application.launch()
        refresh()
    }

    /// Names the windows that are connected, in one order.
    func refresh() {
        sessions = application.connectedScenes.map(\.session.id).sorted {
            $0.rawValue < $1.rawValue
        }
    }

    func end(windows count: Int) throws {
        guard application.connectedScenes.count == count else {
            throw BenchmarkFailure(
                "\(application.connectedScenes.count) windows are connected, not \(count)")
        }
        try application.quit()
        try store.close()
    }
}

private final class EditorWindows: BenchmarkApp, StateRestoringSceneDelegate {
    var next: UserActivity?

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        self
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        next
    }
}
