import SceneStore
import SceneStoreEngine
import SceneStoreBenchmarkFloor
import SceneStoreExchange
import enum SceneStoreSQLite.ContainerName

/// Opening and closing: two saves in between; after the process was killed; and one store of the
/// many that a server hosts, opened, planned and closed.
enum OpenBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let rounds = context.isQuick ? 15 : 100
        var result = [try twoSaves(context, rounds)]
        for saves in [10, 100, 1_000] {
            result.append(try afterKill(context, saves: saves, rounds))
        }
        return result + [try server(context)]
    }

    // MARK: - Two saves

    private static func twoSaves(
        _ context: BenchmarkContext, _ rounds: Int
    ) throws -> Measurement {
        let states = try SampleStates(count: 64)
        let origin = try context.origins.store(sessions: 10)
        let library = try context.folder.copyStore(of: origin)
        let floor = try context.folder.copyStore(of: origin)
        let keys = try LibrarySide.keys(of: library)
        // Both were opened once by now.
        try FloorSide(container: floor).close()
        var serials = [0, 0]
        let times = try Interleaving.run(
            rounds: rounds,
            [
                {
                    [
                        try Interleaving.time {
                            let store = try SceneSessionStore.open(
                                at: .directory(library), options: LibrarySide.options)
                            for _ in 0..<2 {
                                serials[0] += 1
                                let state = StateToSave(
                                    key: keys[serials[0] % 10],
                                    activity: states.activities[serials[0] % states.count])
                                try store.save([state], context: LibrarySide.context)
                            }
                            try store.close()
                        }
                    ]
                },
                {
                    [
                        try Interleaving.time {
                            let store = try FloorSide(container: floor)
                            for _ in 0..<2 {
                                serials[1] += 1
                                var batch = [
                                    states.floorState(
                                        serials[1], session: keys[serials[1] % 10], encodes: true)
                                ]
                                _ = try store.save(&batch)
                            }
                            try store.close()
                        }
                    ]
                },
            ])
        return Measurement(
            "open, two durable saves, close", .microseconds, times[0], floor: times[1],
            target: 1.05,
            note: "\(try Comparison.check(library, floor)) rows equal")
    }

    // MARK: - After a kill

    /// The time of an opening after so many saves and a kill, against that of a store that was
    /// closed; both are closed afterwards, which does not count.
    ///
    /// No moment was idle in between. An app with timers copies its log every thirty seconds, in
    /// which the autosaver saves fifteen times.
    private static func afterKill(
        _ context: BenchmarkContext, saves: Int, _ rounds: Int
    ) throws -> Measurement {
        let states = try SampleStates(count: 64)
        let origin = try context.origins.store(sessions: 10)
        let dead = try context.folder.copyStore(of: origin)
        let side = try LibrarySide(container: dead)
        for number in 0..<saves {
            _ = try side.save(
                states.activities[number / 10 % states.count], session: number % 10,
                durability: .normal)
        }
        let frames = side.store.counters.frames
        side.store.abandon()
        let clean = try context.folder.copyStore(of: origin)
        func opening(_ container: String) throws -> Double {
            var opened: SceneSessionStore?
            let time = try Interleaving.time {
                opened = try SceneSessionStore.open(
                    at: .directory(container), options: LibrarySide.options)
            }
            try opened?.close()
            return time
        }
        let times = try Interleaving.run(
            rounds: min(rounds, 30),
            [
                {
                    let copy = try context.folder.copyContainer(dead)
                    defer { try? context.folder.remove(copy) }
                    return [try opening(copy)]
                },
                { [try opening(clean)] },
            ])
        var result = Measurement(
            "open after \(Decimals.text(Double(saves))) saves and a kill", .microseconds,
            Summary(rounds: times[0]))
        result.ratio = Summary(ratioOf: times[0], to: times[1])
        result.target = .ratioAtMost(1.5)
        result.note =
            "a clean open \(Decimals.text(Summary(rounds: times[1]).median / 1e3)) µs, "
            + "\(frames) frames in the log"
        return result
    }

    // MARK: - A server's stores

    private static func server(_ context: BenchmarkContext) throws -> Measurement {
        let origin = try context.origins.store(sessions: 10)
        let containers = try (0..<(context.isQuick ? 50 : 1_000)).map { _ in
            try context.folder.copyStore(of: origin)
        }
        var next = [0, containers.count / 2]
        func container(_ side: Int) -> String {
            defer { next[side] += 1 }
            return containers[next[side] % containers.count]
        }
        let options = SceneApplicationOptions()
        let times = try Interleaving.run(
            rounds: context.isQuick ? 20 : 300,
            [
                {
                    [
                        try Interleaving.time {
                            let store = try SceneSessionStore.open(
                                at: .directory(container(0)), options: LibrarySide.options)
                            let plan = try LaunchPlan(
                                reading: store, options: options, isSparse: true)
                            guard !plan.connecting.isEmpty else {
                                throw BenchmarkFailure("nothing would connect")
                            }
                            try store.close()
                        }
                    ]
                },
                {
                    [
                        try Interleaving.time {
                            let store = try FloorSide(container: container(1))
                            var serial: Int64 = 0
                            guard
                                floor_decode_front(store.store, SampleState.serialKey, &serial)
                                    == 1
                            else {
                                throw BenchmarkFailure.floor
                            }
                            try store.close()
                        }
                    ]
                },
            ])
        for container in containers {
            try context.folder.remove(container)
        }
        return Measurement(
            "open, plan and close one of \(Decimals.text(Double(containers.count))) stores",
            .microseconds, times[0], floor: times[1])
    }
}
