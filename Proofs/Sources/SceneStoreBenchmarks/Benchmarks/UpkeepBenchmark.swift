import SceneStore
import SceneStoreExchange
import SceneStoreBenchmarkFloor
import SceneStoreRecovery

/// What is done to a store seldom: closing windows and giving them back, history, pruning, checking
/// and copying it, export and import.
enum UpkeepBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        try windows(context) + [try prune(context)] + whole(context)
    }

    /// An action of each side; what it answers has to be the same on both.
    private typealias Action = (name: String, library: () throws -> Int, floor: () throws -> Int)

    private static func measure(
        _ action: Action, _ unit: Measurement.Unit, rounds: Int, seconds: Double
    ) throws -> Measurement {
        var found = [0, 0]
        func side(_ index: Int, _ body: @escaping () throws -> Int) -> Interleaving.Side {
            { [try Interleaving.time { found[index] = try body() }] }
        }
        let times = try Interleaving.run(
            rounds: rounds, seconds: seconds, [side(0, action.library), side(1, action.floor)])
        guard found[0] == found[1] else {
            throw BenchmarkFailure(
                "\(action.name): \(found[0]) here, \(found[1]) at the floor")
        }
        return Measurement(action.name, unit, times[0], floor: times[1])
    }

    // MARK: - One window of a thousand

    private static func windows(_ context: BenchmarkContext) throws -> [Measurement] {
        let origin = try context.origins.store(sessions: 1_000)
        let side = try LibrarySide(container: try context.folder.copyStore(of: origin))
        let floor = try FloorSide(container: try context.folder.copyStore(of: origin))
        let records = Array(try side.store.openRecords())
        // Each window is closed and given back at once: only the last ones that were closed can be.
        func windows(
            _ discard: @escaping (SessionRecord) throws -> Void,
            _ reopen: @escaping (SessionRecord) throws -> Void
        ) -> Interleaving.Side {
            var next = 0
            return {
                next += 1
                let record = records[next % records.count]
                return [
                    try Interleaving.time { try discard(record) },
                    try Interleaving.time { try reopen(record) },
                ]
            }
        }
        func check(_ code: Int32) throws {
            guard code == 1 else {
                throw BenchmarkFailure.floor
            }
        }
        let times = try Interleaving.run(
            rounds: context.isQuick ? 30 : 200, seconds: 5,
            [
                windows {
                    try side.store.discard([$0.key], cause: .user, deliveredNow: false)
                } _: {
                    _ = try side.store.discards.reopen(identifier: $0.id)
                },
                windows {
                    try check(floor_discard(floor.store, $0.key, LibrarySide.start))
                } _: {
                    try check(floor_reopen(floor.store, $0.key, LibrarySide.start))
                },
            ])
        let key = records[0].key
        for number in 0..<20 {
            let activity = try SampleState.activity(1_000 + number)
            try side.store.save(
                [StateToSave(key: key, activity: activity)], context: LibrarySide.context,
                durability: .normal)
        }
        let states = try SampleStates(count: 20)
        for index in 0..<20 {
            var batch = [states.floorState(index, session: key, encodes: false)]
            _ = try floor.save(&batch)
        }
        let history: Action = (
            "history of one, 10 states", { try side.store.history.versions(key: key).count },
            { Int(floor_history(floor.store, key)) }
        )
        func part(_ index: Int, _ side: Int) -> [[Double]] { times[side].map { [$0[index]] } }
        let result = [
            Measurement("discard one of 1 000", .microseconds, part(0, 0), floor: part(0, 1)),
            Measurement("reopen it", .microseconds, part(1, 0), floor: part(1, 1)),
            try measure(history, .microseconds, rounds: context.isQuick ? 100 : 1_000, seconds: 5),
        ]
        try side.store.close()
        try floor.close()
        return result
    }

    // MARK: - Many closed windows

    /// A thousand closed sessions, each with a state, go at once.
    private static func prune(_ context: BenchmarkContext) throws -> Measurement {
        let count = context.isQuick ? 200 : 1_000
        let origin = try context.origins.store(sessions: 1_000)
        let closed = try context.folder.copyStore(of: origin)
        let side = try LibrarySide(container: closed)
        // What was closed last is never pruned (S-50).
        for keys in [Array(side.keys.suffix(count)), Array(side.keys.prefix(1))] {
            try side.store.discard(keys, cause: .user, deliveredNow: false)
            try side.store.write(.full) { transaction throws(SceneStoreError) in
                try transaction.mark(discards: keys, .offered)
            }
            try side.store.discards.mark(keys, .delivered)
        }
        try side.store.close()
        let times = try Interleaving.run(
            rounds: context.isQuick ? 5 : 15,
            [
                {
                    let copy = try context.folder.copyStore(of: closed)
                    defer { try? context.folder.remove(copy) }
                    var options = LibrarySide.options
                    options.clock = { LibrarySide.start + 86_400_000 }
                    let store = try SceneSessionStore.open(at: .directory(copy), options: options)
                    var pruned = 0
                    let time = try Interleaving.time {
                        pruned = try store.upkeep.prune(olderThan: 1_000).count
                    }
                    try store.close()
                    guard pruned >= count else {
                        throw BenchmarkFailure("\(pruned) of \(count) sessions were pruned")
                    }
                    return [time]
                },
                {
                    let copy = try context.folder.copyStore(of: closed)
                    defer { try? context.folder.remove(copy) }
                    let floor = try FloorSide(container: copy)
                    var isDone: Int32 = 0
                    let time = Interleaving.time { isDone = floor_prune(floor.store) }
                    guard isDone == 1 else {
                        throw BenchmarkFailure.floor
                    }
                    try floor.close()
                    return [time]
                },
            ])
        return Measurement(
            "prune \(Decimals.text(Double(count))) closed sessions", .milliseconds, times[0],
            floor: times[1])
    }

    // MARK: - The whole store

    private static func whole(_ context: BenchmarkContext) throws -> [Measurement] {
        let sessions = context.isQuick ? 1_000 : 10_000
        let name = Decimals.text(Double(sessions))
        let origin = try context.origins.store(sessions: sessions)
        let side = try LibrarySide(container: try context.folder.copyStore(of: origin))
        let floor = try FloorSide(container: try context.folder.copyStore(of: origin))
        let folder = try context.folder.makeFolder()
        var copies = 0
        func copy() -> String {
            copies += 1
            return "\(folder)/copy-\(copies).sqlite"
        }
        let actions: [Action] = [
            (
                "verify \(name) sessions",
                { try side.store.verify(.full).findings.count },
                { floor_verify(floor.store) > sessions ? 0 : 1 }
            ),
            (
                "back up \(name) sessions",
                {
                    try side.store.backUp(to: copy())
                    return 1
                }, { Int(floor_backup(floor.store, copy())) }
            ),
            (
                "export \(name) sessions",
                { try side.store.export().isEmpty ? 0 : sessions },
                {
                    let skeleton = floor_read_skeleton(floor.store)
                    defer { floor_skeleton_free(skeleton) }
                    var serials: Int64 = 0
                    return Int(
                        floor_decode_states(
                            floor.store, skeleton, SampleState.serialKey, &serials))
                }
            ),
        ]
        var result = try actions.map { action in
            try measure(
                action, .milliseconds, rounds: context.isQuick ? 4 : 10,
                seconds: context.isQuick ? 2 : 15)
        }
        result[2].note = "the floor reads and decodes, and writes no text"
        let exported = try side.store.export()
        try side.store.close()
        try floor.close()
        result.append(try imports(context, exported, sessions: sessions))
        return result
    }

    private static func imports(
        _ context: BenchmarkContext, _ exported: [UInt8], sessions: Int
    ) throws -> Measurement {
        let times = try Interleaving.run(
            rounds: context.isQuick ? 3 : 7,
            [
                {
                    let container = try context.folder.makeFolder()
                    let store = try SceneSessionStore.open(
                        at: .directory(container), options: LibrarySide.options)
                    let time = try Interleaving.time { try store.importing(exported) }
                    guard try store.openCount() == sessions else {
                        throw BenchmarkFailure("sessions were not imported")
                    }
                    try store.close()
                    try context.folder.remove(container)
                    return [time]
                },
                {
                    let container = try LibrarySide.make(sessions: 1, in: context.folder)
                    let floor = try FloorSide(container: container)
                    let time = try Interleaving.time {
                        try floor.fill(count: sessions, states: sessions)
                    }
                    try floor.close()
                    try context.folder.remove(container)
                    return [time]
                },
            ])
        return Measurement(
            "import \(Decimals.text(Double(sessions))) sessions", .milliseconds, times[0],
            floor: times[1], note: "the floor is given rows and reads no text")
    }
}
