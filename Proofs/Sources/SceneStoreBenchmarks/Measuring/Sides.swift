import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreMigrations
import enum SceneStoreSQLite.ContainerName

/// A store as the library opens it, with a clock that stands still.
final class LibrarySide {
    let container: String
    let store: SceneSessionStore
    let keys: [Int64]
    private var saved = 0

    /// 2026-01-01T00:00:00Z.
    static let start: Int64 = 1_767_225_600_000
    static let configuration = SceneConfiguration(name: "Editor", role: .windowApplication)
    static let context = SaveContext(
        appVersion: "1.0", systemVersion: "1", idiom: "mac", savedAt: start)

    static var options: SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        options.clock = { start }
        return options
    }

    init(container: String, vfs: String? = nil) throws {
        var options = Self.options
        options.vfs = vfs
        self.container = container
        store = try SceneSessionStore.open(at: .directory(container), options: options)
        keys = try store.openRecords().map(\.key).sorted()
    }

    /// The rows of all sessions of a closed store.
    static func keys(of container: String) throws -> [Int64] {
        let side = try LibrarySide(container: container)
        try side.store.close()
        return side.keys
    }

    /// A new container with some sessions, each with a state; closed.
    static func make(sessions: Int, in folder: BenchmarkFolder) throws -> String {
        let container = try folder.makeFolder()
        let store = try SceneSessionStore.open(at: .directory(container), options: options)
        for number in 0..<sessions {
            let record = try store.insertSession(
                identifier: "session-\(number)-of-the-benchmark-0001",
                configuration: configuration, isFront: number == 0, becameActive: true)
            // Below all the states that are saved later.
            let state = StateToSave(
                key: record.key, activity: try SampleState.activity(-1 - number))
            try store.save([state], context: context, durability: .normal)
        }
        try store.close()
        return container
    }

    /// Saves a state of one session, another one with each call.
    @inline(__always)
    func save(
        _ activity: UserActivity, session: Int, durability: Durability
    ) throws(SceneStoreError) -> Int {
        try save([toSave(activity, session: session)], durability: durability)
    }

    /// A state of one session, another one with each call.
    func toSave(_ activity: UserActivity, session: Int) -> StateToSave {
        StateToSave(key: keys[session], activity: activity)
    }

    @inline(__always)
    func save(
        _ states: [StateToSave], durability: Durability
    ) throws(SceneStoreError) -> Int {
        try store.save(states, context: Self.context, durability: durability).count
    }

    /// Copies the log into the file; the next write begins it anew.
    func checkpoint() throws {
        let before = store.counters.checkpoints
        try store.log.checkpoint()
        guard store.counters.checkpoints == before + 1 else {
            throw BenchmarkFailure("the store did not checkpoint")
        }
    }
}

/// The same store, or a copy of it, as the floor opens it.
final class FloorSide {
    let container: String
    private(set) var store: OpaquePointer?

    init(container: String, vfs: String? = nil) throws {
        self.container = container
        store = try Self.open(container, vfs: vfs)
    }

    deinit {
        if let store {
            _ = floor_close(store)
        }
    }

    static func open(_ container: String, vfs: String? = nil) throws -> OpaquePointer {
        let path = "\(container)/\(ContainerName.store)"
        let digest = SchemaMigration.all.last?.schemaDigest ?? 0
        guard let store = floor_open(path, vfs, digest, LibrarySide.start) else {
            throw BenchmarkFailure.floor
        }
        return store
    }

    func close() throws {
        guard let store, floor_close(store) == 1 else {
            throw BenchmarkFailure.floor
        }
        self.store = nil
    }

    func setDurable(_ isDurable: Bool) throws {
        guard floor_set_durable(store, isDurable ? 1 : 0) == 1 else {
            throw BenchmarkFailure.floor
        }
    }

    /// Saves states in one transaction; answers how many differed from the stored ones.
    @inline(__always)
    func save(_ states: inout [floor_state]) throws -> Int {
        let written = floor_save(store, &states, states.count, LibrarySide.start)
        guard written >= 0 else {
            throw BenchmarkFailure.floor
        }
        return Int(written)
    }

    func checkpoint() throws {
        guard floor_checkpoint(store) == 1 else {
            throw BenchmarkFailure.floor
        }
    }

    /// Fills the store with open sessions, the first `states` of them with a state.
    func fill(count: Int, states: Int, stateBytes: Int = 2_000) throws {
        let payload = try ValueCodec.encode(try SampleState.activity(0, bytes: stateBytes))
        let done = floor_fill(
            store, count, states, 1, SampleState.activityType, payload, payload.count,
            LibrarySide.start)
        guard done == 1 else {
            throw BenchmarkFailure.floor
        }
    }
}

/// What a ratio is worth nothing without.
enum Comparison {
    /// Throws unless two closed stores hold the same rows in every column; answers how many.
    @discardableResult
    static func check(_ left: String, _ right: String) throws -> Int {
        let rows = floor_compare(
            "\(left)/\(ContainerName.store)", "\(right)/\(ContainerName.store)")
        guard rows > 0 else {
            throw BenchmarkFailure(
                "the two sides wrote different rows: \(String(cString: floor_error()))")
        }
        return Int(rows)
    }
}
