import SceneStoreCTestSupport
import SceneStoreCSQLite
import Synchronization
import Testing

import SceneStore
import class SceneStoreSQLite.Connection
import enum SceneStoreSQLite.ContainerName
import struct SceneStoreSQLite.SQLiteError

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let time: Mutex<Int64>

    init(_ time: Int64 = 1_767_225_600_000) {
        self.time = Mutex(time)
    }

    var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    func advance(_ milliseconds: Int64) {
        time.withLock { $0 += milliseconds }
    }
}

/// A folder that goes away with its last use.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        let base = FileManager.default.temporaryDirectory.path
        path = base + "/scenestore-tests-" + UUID().uuidString
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Path of a file in the folder.
    func file(_ name: String = ContainerName.store) -> String {
        path + "/" + name
    }

    func bytes(_ name: String = ContainerName.store) -> Data? {
        FileManager.default.contents(atPath: file(name))
    }

    /// Whether a text stands anywhere in a file's bytes.
    func holds(_ text: String, _ name: String) -> Bool {
        let needle = Array(text.utf8)
        guard let bytes = bytes(name).map({ Array($0) }), bytes.count >= needle.count else {
            return false
        }
        return (0...bytes.count - needle.count).contains { start in
            bytes[start] == needle[0]
                && bytes[start..<start + needle.count].elementsEqual(needle)
        }
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func create() throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    func write(_ bytes: Data, _ name: String = ContainerName.store) throws {
        try bytes.write(to: URL(fileURLWithPath: file(name)))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file(name))
    }
}

/// One container, opened as often as a test likes.
struct TestContainer {
    let folder = TemporaryFolder()
    let clock = TestClock()

    func options(
        _ access: SceneSessionStore.Access = .owner
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        let clock = clock
        options.clock = { clock.now }
        options.access = access
        // What is damaged is to be seen here, not to be mended.
        options.corruption = .fail
        return options
    }

    func open(
        _ access: SceneSessionStore.Access = .owner,
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        var options = options(access)
        change(&options)
        return try SceneSessionStore.open(at: .directory(folder.path), options: options)
    }
}

extension TestContainer {
    /// A closed store of three sessions with all that a session can have.
    static func filled() throws -> TestContainer {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        var conditions = ActivationConditions()
        conditions.prefersToActivate = .equals("x")
        for name in ["A", "B", "C"] {
            let record = try store.add(
                name, front: true,
                configuration: SceneConfiguration(name: name, role: .windowApplication))
            for number in 0..<3 {
                try store.save(record, activity(number, bytes: 300))
            }
            try store.values.setTitle("title of \(name)", key: record.key)
            try store.values.setUserInfo(["name": .string(name)], key: record.key)
            try store.values.setStorage(["k": .string(name)], key: record.key)
        }
        let b = try #require(try store.record(identifier: "B"))
        try store.values.setConditions(conditions, key: b.key)
        let gone = try store.add("D")
        try store.discard([gone.key], cause: .user, deliveredNow: false)
        try store.saveActivity(activity(7))
        _ = try store.inbox.keep(.activity(activity(8)), sessionIdentifier: "A", dedupe: "d")
        try store.launches.record(
            LaunchLedger(
                counts: [.restored: 2, .held: 1],
                exceptions: [.init(sessionIdentifier: "C", outcome: .held, reason: "crashes")]))
        try store.launches.end(.quit)
        try store.close()
        return container
    }

    /// A copy of all files as they are now: what a process that dies here leaves behind.
    func snapshot() throws -> TestContainer {
        let copy = TestContainer()
        try copy.folder.create()
        for name in folder.names where name != "scenes.sqlite-shm" {
            if let bytes = folder.bytes(name) {
                try copy.folder.write(bytes, name)
            }
        }
        copy.clock.now = clock.now
        return copy
    }

    /// The bytes of every file but the log's index, which is shared memory.
    var contents: [String: Data] {
        var contents: [String: Data] = [:]
        for name in folder.names where !name.hasSuffix("-shm") {
            contents[name] = folder.bytes(name)
        }
        return contents
    }
}

/// The one page of a store whose schema was not made yet.
enum EmptyStore {
    static var page: [UInt8] {
        let source = TestContainer()
        do {
            try source.open().close()
            var page = Array((source.folder.bytes() ?? Data()).prefix(100))
            page.replaceSubrange(28..<32, with: [0, 0, 0, 1])
            page.replaceSubrange(40..<44, with: [0, 0, 0, 0])
            page.replaceSubrange(60..<64, with: [0, 0, 0, 0])
            page.append(0x0d)
            page.append(contentsOf: [UInt8](repeating: 0, count: 4096 - page.count))
            page[105] = 0x10
            return page
        } catch {
            return []
        }
    }
}

/// Makes a named pipe.
func makeFIFO(_ path: String) -> Bool {
    mkfifo(path, 0o600) == 0
}

extension Connection {
    /// Runs a statement of a test.
    func run(text: String) throws(SceneStoreError) {
        try withStatement(text: text) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try statement.run()
            } catch {
                throw SceneStoreError(error)
            }
        }
    }
}

extension SceneSessionStore {
    /// Sets the bits by which a newer version says what this one may do.
    func setFeatures(ignorable: Int64, readOnly: Int64, required: Int64) throws {
        try core.withLock { core throws(SceneStoreError) in
            try core.write(.full) { writer throws(SceneStoreError) in
                writer.store.featuresIgnorable = ignorable
                writer.store.featuresReadOnly = readOnly
                writer.store.featuresRequired = required
                try core.connection.run(
                    text: "UPDATE store SET features_ignorable = \(ignorable), "
                        + "features_read_only = \(readOnly), features_required = \(required)")
            }
        }
    }

    /// Pages that a body reads from the file or the log.
    func pagesRead(_ body: () throws -> Void) throws -> Int {
        func misses() throws -> Int {
            try core.withLock {
                try $0.connection.status(SQLITE_DBSTATUS_CACHE_MISS).current
            }
        }
        let before = try misses()
        try body()
        return try misses() - before
    }
}

extension SceneSessionStore {
    /// A store without a file.
    static func memory(
        clock: TestClock = TestClock(), _ change: (inout Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        var options = Options()
        options.clock = { clock.now }
        change(&options)
        return try open(at: .memory, options: options)
    }

    /// An open session of the plainest configuration.
    func add(
        _ identifier: String, front: Bool = false, active: Bool = true,
        configuration: SceneConfiguration = SceneConfiguration(
            name: "Default Configuration", role: .windowApplication)
    ) throws -> SessionRecord {
        try insertSession(
            identifier: identifier, configuration: configuration, isFront: front,
            becameActive: active)
    }

    /// Saves one state.
    @discardableResult
    func save(
        _ record: SessionRecord, _ activity: UserActivity?, at time: Int64 = 1_767_225_600_000,
        durability: Durability = .full
    ) throws -> Bool {
        !(try save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", systemVersion: "6", savedAt: time),
            durability: durability)).isEmpty
    }

    /// Begins a launch.
    @discardableResult
    func launch(boot: String = "boot-1") throws -> LaunchStart {
        try launches.begin(LaunchContext(bootIdentifier: boot, processIdentifier: 42))
    }
}

/// An activity that holds a number, padded to a size.
func activity(_ number: Int, bytes: Int = 0, type: String = "com.example.edit") -> UserActivity {
    var activity = UserActivity(checkedType: type)
    activity.userInfo["number"] = .integer(Int64(number))
    if bytes > 0 {
        activity.userInfo["text"] = .string(String(repeating: "x", count: bytes))
    }
    activity.needsSave = false
    return activity
}

/// The error of a body, or nil.
func failure(_ body: () throws -> Void) -> SceneStoreError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? SceneStoreError)?.code
    }
}

/// What a body answers in a forked child, or how the child ended.
func inForkedChild(_ body: () -> Int32) -> Int32 {
    withoutActuallyEscaping(body) { body in
        var body = body
        let child = withUnsafeMutablePointer(to: &body) { pointer in
            scenestore_test_fork(
                { $0?.assumingMemoryBound(to: (() -> Int32).self).pointee() ?? 99 }, pointer)
        }
        return scenestore_test_wait(child)
    }
}
