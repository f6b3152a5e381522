import SceneStoreCTestSupport
import SceneStoreCSQLite
import Testing

import SceneStore
import SceneStoreTestContainers
import SceneStoreTesting
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

extension TestContainer {
    /// A closed store of three sessions with all that a session can have.
    static func filled() throws -> TestContainer {
        let container = TestContainer(.fail)
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
        _ = try store.inbox.keep(.activity(activity(8)), dedupe: "d")
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
        let copy = TestContainer(.fail)
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
        let source = TestContainer(.fail)
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

/// Cuts a file off without opening it, which would give up the process's locks on it.
func cutOff(_ path: String, at length: Int) -> Bool {
    truncate(path, off_t(length)) == 0
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
        try database.withLock { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                transaction.store.featuresIgnorable = ignorable
                transaction.store.featuresReadOnly = readOnly
                transaction.store.featuresRequired = required
                try db.connection.run(
                    text: "UPDATE store SET features_ignorable = \(ignorable), "
                        + "features_read_only = \(readOnly), features_required = \(required)")
            }
        }
    }

    /// Pages that a body reads from the file or the log.
    func pagesRead(_ body: () throws -> Void) throws -> Int {
        func misses() throws -> Int {
            try database.withLock {
                try $0.connection.status(SQLITE_DBSTATUS_CACHE_MISS)
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
        var options = Options.seeded()
        options.clock = { clock.now }
        change(&options)
        return try open(at: .memory, options: options)
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
