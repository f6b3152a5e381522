import SceneStore
import SceneStoreBenchmarkFloor

/// Saves of states of several sizes, in stores of several sizes, alone and ten windows at once;
/// with history and journal, as every store has them.
///
/// Two floors: one encodes the state as the store does, with a C codec; the other is given the
/// bytes. The three stores are copies of one and have to hold the same rows afterwards. Beside them
/// one row of a bare table is written over, which is no store, and says what SQLite costs.
enum SaveBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        var cases: [SaveCase] = []
        for durability in [Durability.full, .normal] {
            for bytes in [2_000, 200, 64 << 10, 1_000_000] {
                cases.append(SaveCase(durability: durability, bytes: bytes))
            }
            cases.append(SaveCase(durability: durability, windows: 10))
            for sessions in context.isQuick ? [1_000] : [1_000, 100_000] {
                cases.append(SaveCase(durability: durability, sessions: sessions))
            }
        }
        return try cases.flatMap { try measure($0, context) }
    }

    private static func measure(
        _ subject: SaveCase, _ context: BenchmarkContext
    ) throws -> [Measurement] {
        let sides = try SaveSides(context, subject)
        try sides.warmUp()
        let times = try Interleaving.run(
            rounds: context.isQuick ? 20 : 100, seconds: context.isQuick ? 0.6 : 8,
            sides.all(saves: subject.savesInRound))
        let rows = try sides.closeAndCompare()
        let bare = Summary(ratioOf: times[0], to: times[3])
        let note = "\(Decimals.text(bare.median)) of a bare UPDATE, \(rows) rows equal"
        var result = [
            Measurement(
                subject.name, .microseconds, times[0], floor: times[1], target: subject.target,
                note: note)
        ]
        if subject.isPlain {
            result.append(
                Measurement(
                    "\(subject.name), floor given the bytes", .microseconds, times[0],
                    floor: times[2]))
        }
        return result
    }
}

/// What is saved, where and how.
struct SaveCase {
    var durability: Durability
    var bytes = 2_000
    var windows = 1
    var sessions = 10

    var isPlain: Bool { bytes == 2_000 && windows == 1 && sessions == 10 }

    var name: String {
        let mode = durability == .full ? "durable" : "normal"
        if windows > 1 {
            return "\(mode), ten windows at once"
        }
        if sessions > 10 {
            return "\(mode), 2 KB, one of \(Decimals.text(Double(sessions)))"
        }
        let size =
            bytes < 1_000
            ? "\(bytes) B" : bytes == 2_000 ? "2 KB" : bytes < 1_000_000 ? "64 KB" : "1 MB"
        return "\(mode), \(size)"
    }

    var target: Double? {
        guard sessions == 10, bytes == 2_000 else {
            return nil
        }
        return windows > 1 ? 1.2 : durability == .full ? 1.05 : 1.25
    }

    /// A round takes some milliseconds.
    var savesInRound: Int {
        max((durability == .full ? 20 : 200) / (windows * max(bytes / 8_000, 1)), 4)
    }
}

/// Three copies of a store, a bare table, and the saves that all of them do.
final class SaveSides {
    private let subject: SaveCase
    private var durability = Durability.normal
    private let states: SampleStates
    private let library: LibrarySide
    private let encoding: FloorSide
    private let ready: FloorSide
    private let bare: OpaquePointer
    /// Ten sessions, far apart.
    private let keys: [Int64]
    /// How many saves each side has done.
    private var done = [0, 0, 0, 0]

    init(_ context: BenchmarkContext, _ subject: SaveCase) throws {
        let folder = context.folder
        self.subject = subject
        states = try SampleStates(count: subject.bytes > 10_000 ? 16 : 64, bytes: subject.bytes)
        let origin = try context.origins.store(sessions: subject.sessions)
        library = try LibrarySide(container: try folder.copyStore(of: origin))
        encoding = try FloorSide(container: try folder.copyStore(of: origin))
        ready = try FloorSide(container: try folder.copyStore(of: origin))
        let isDurable = subject.durability == .full
        let path = "\(try folder.makeFolder())/bare.sqlite"
        guard let bare = floor_bare_open(path, isDurable ? 1 : 0, 10) else {
            throw BenchmarkFailure.floor
        }
        self.bare = bare
        let step = library.keys.count / 10
        let all = library.keys
        keys = (0..<10).map { all[$0 * step] }
    }

    deinit {
        _ = floor_bare_close(bare)
    }

    /// The rings fill up and statements are prepared before anything is timed; without a sync,
    /// which some disks take their time for.
    func warmUp() throws {
        for floor in [encoding, ready] {
            try floor.setDurable(false)
        }
        _ = try Interleaving.run(rounds: 1, all(saves: 110 / subject.windows))
        durability = subject.durability
        for floor in [encoding, ready] {
            try floor.setDurable(durability == .full)
        }
    }

    /// What each side does in a round; every round goes on where the last one ended.
    func all(saves: Int) -> [Interleaving.Side] {
        [
            { [self] in try runLibrary(from: advance(0, saves), saves: saves) },
            { [self] in try runFloor(encoding, true, from: advance(1, saves), saves: saves) },
            { [self] in try runFloor(ready, false, from: advance(2, saves), saves: saves) },
            { [self] in try runBare(from: advance(3, saves), saves: saves) },
        ]
    }

    private func advance(_ side: Int, _ saves: Int) -> Int {
        defer { done[side] += saves }
        return done[side]
    }

    private func runLibrary(from first: Int, saves: Int) throws -> [Double] {
        var written = 0
        let times = try (first..<first + saves).map { number in
            let batch = (0..<subject.windows).map { window in
                StateToSave(
                    key: keys[session(number, window)],
                    activity: states.activities[state(number, window)])
            }
            return try Interleaving.time {
                written += try library.store.save(
                    batch, context: LibrarySide.context, durability: durability
                ).count
            }
        }
        try check(written, saves)
        try library.checkpoint()
        return times
    }

    private func runFloor(
        _ floor: FloorSide, _ encodes: Bool, from first: Int, saves: Int
    ) throws -> [Double] {
        var written = 0
        let times = try (first..<first + saves).map { number in
            var batch = (0..<subject.windows).map { window in
                states.floorState(
                    state(number, window), session: keys[session(number, window)],
                    encodes: encodes)
            }
            return try Interleaving.time { written += try floor.save(&batch) }
        }
        try check(written, saves)
        try floor.checkpoint()
        return times
    }

    /// One row, however many windows there are.
    private func runBare(from first: Int, saves: Int) throws -> [Double] {
        let times = try (first..<first + saves).map { number in
            let payload = states.payload(state(number, 0))
            var isDone: Int32 = 0
            let time = Interleaving.time {
                isDone = floor_bare_save(
                    bare, Int64(number % 10 + 1), payload.baseAddress, payload.count)
            }
            guard isDone == 1 else {
                throw BenchmarkFailure.floor
            }
            return time
        }
        guard floor_bare_checkpoint(bare) == 1 else {
            throw BenchmarkFailure.floor
        }
        return times
    }

    private func session(_ number: Int, _ window: Int) -> Int {
        subject.windows == 1 ? number % 10 : window
    }

    /// No state comes back while an equal one is in the session's history.
    private func state(_ number: Int, _ window: Int) -> Int {
        (subject.windows == 1 ? number / 10 : number + window) % states.count
    }

    private func check(_ written: Int, _ saves: Int) throws {
        guard written == saves * subject.windows else {
            throw BenchmarkFailure("\(saves * subject.windows - written) states were not written")
        }
    }

    /// Closes all and holds them against each other; answers how many rows are equal.
    func closeAndCompare() throws -> Int {
        try library.store.close()
        try encoding.close()
        try ready.close()
        try Comparison.check(library.container, ready.container)
        return try Comparison.check(library.container, encoding.container)
    }
}
