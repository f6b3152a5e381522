import SceneStore
import SceneStoreCTestSupport
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting
import Synchronization
import Testing

import enum SceneStoreSQLite.ContainerName
import enum SceneStoreSQLite.SQLiteOperation

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("Closing the connection while nothing is done")
struct RestTests: RestingContainer {
    let container = TestContainer(.fail)

    @Test("S-33 a store at rest is one file that is still owned, and goes on where it was")
    func goesOn() throws {
        let (store, record) = try rested()
        #expect(container.folder.names == [ContainerName.lock, ContainerName.store])
        #expect(!store.isSuspended)
        #expect(failure { _ = try container.open() } == .owned)
        let before = container.contents
        let epoch = try store.read { reader in reader.store.ownerEpoch }
        #expect(!store.isAtRest)
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        // No mark of an owner: opening again writes nothing.
        #expect(container.folder.bytes() == before[ContainerName.store])
        #expect(container.folder.bytes(ContainerName.lock) == before[ContainerName.lock])
        #expect(try store.read { reader in reader.store.ownerEpoch } == epoch)
        try store.rest()
        try store.save(record, activity(2))
        try store.rest()
        #expect(try store.history.versions(key: record.key).count == 2)
        #expect(try store.verify(.full).isSound)
        try store.close()
        #expect(try container.open().restorationActivity(key: record.key) == activity(2))
    }

    @Test("S-33 a server's store is closed while idle, and is still the user's")
    func page() throws {
        let path = container.folder.path
        // snippet: store-at-rest
        var options = SceneSessionStore.Options()
        options.closesWhenIdle = true
        let store = try SceneSessionStore.open(at: .directory(path), options: options)
        // end
        _ = try store.add("A")
        try store.rest()
        #expect(store.isAtRest)
        #expect(try store.openCount() == 1)
    }

    @Test("S-33 without the option idle work leaves the store open, and so does a memory store")
    func withoutOption() throws {
        let store = try container.open()
        _ = try store.add("A")
        try store.rest()
        #expect(!store.isAtRest)
        let memory = try SceneSessionStore.memory { $0.closesWhenIdle = true }
        _ = try memory.add("A")
        try memory.rest()
        #expect(!memory.isAtRest)
        #expect(try memory.openCount() == 1)
    }

    #if os(Linux)
        @Test("S-33 a store has five descriptors while it is used and two at rest")
        func descriptors() throws {
            let store = try open()
            let record = try store.add("A")
            #expect(openFiles().count == 5)
            for number in 0..<3 {
                try store.rest()
                #expect(openFiles() == ["", "/" + ContainerName.lock])
                try store.save(record, activity(number))
                #expect(openFiles().count == 5)
            }
            // A failed attempt leaves none behind.
            try store.rest()
            try FileManager.default.moveItem(
                atPath: container.folder.file(), toPath: container.folder.file("moved"))
            #expect(failure { _ = try store.openRecords() } == .moved)
            #expect(openFiles().count == 2)
            try store.close()
        }

        @Test("S-33 L-17 an app's store at rest has its file open as well, and never beside SQLite")
        func descriptorsOfApp() throws {
            let store = try open()
            store.holdRefusedWrites()
            let record = try store.add("A")
            for number in 0..<3 {
                try store.rest()
                #expect(openFiles() == ["", "/" + ContainerName.lock, "/" + ContainerName.store])
                try store.save(record, activity(number))
                #expect(openFiles().count == 5)
            }
            try store.rest()
            try store.close()
            #expect(!openFiles().contains("/" + ContainerName.store))
        }

        /// The files of the container that this process has open, without the container's path.
        private func openFiles() -> [String] {
            var found: [String] = []
            let folder = "/proc/self/fd"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                var buffer = [CChar](repeating: 0, count: 4_096)
                let count = readlink("\(folder)/\(name)", &buffer, buffer.count)
                let path = String(
                    decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if path.hasPrefix(container.folder.path) {
                    found.append(String(path.dropFirst(container.folder.path.count)))
                }
            }
            return found.sorted()
        }
    #endif

    @Test("S-33 idle moments of a store at rest do nothing")
    func idleAtRest() throws {
        let (store, _) = try rested()
        #expect(try !store.upkeep.perform(budgetMilliseconds: 60_000))
        #expect(try !store.log.tend(now: container.clock.now + 86_400_000))
        try store.log.sync(now: container.clock.now + 86_400_000)
        try store.log.syncSaves()
        #expect(store.log.delay(now: container.clock.now) == nil)
        #expect(!store.awaitsRest)
        #expect(store.isAtRest)
    }

    @Test("S-42 S-33 what waits to be stored is stored after a rest")
    func changes() throws {
        let store = try open()
        let record = try store.add("A")
        try store.rest()
        try store.save(record, activity(1))
        try store.rest()
        store.journal.append(
            DecisionRecord(.stay, session: "A", outcome: "stay", reason: "rested"))
        #expect(store.isAtRest)
        try store.close()
        let next = try container.open()
        #expect(try next.journal.events().contains { $0.detail?.contains("rested") ?? false })
    }

    @Test("S-31 another process reads a store at rest, and changes nothing of it")
    func readers() throws {
        let (store, record) = try rested()
        let before = container.contents
        let reader = try container.open(.reader)
        #expect(try reader.restorationActivity(key: record.key) == activity(1))
        #expect(reader.openingDiagnostics.isEmpty)
        #expect(container.contents == before)
        #expect(store.isAtRest)
        // One that was there before the rest reads on, and sees what comes after it.
        try store.save(record, activity(2))
        let live = try container.open(.reader)
        #expect(try live.restorationActivity(key: record.key) == activity(2))
        try store.rest()
        #expect(store.isAtRest)
        #expect(try live.restorationActivity(key: record.key) == activity(2))
        let third = try container.open(.reader)
        #expect(try third.restorationActivity(key: record.key) == activity(2))
        try store.save(record, activity(3))
        #expect(try live.restorationActivity(key: record.key) == activity(3))
        try live.close()
        try store.rest()
        let fourth = try container.open(.reader)
        #expect(try fourth.restorationActivity(key: record.key) == activity(3))
        try store.save(record, activity(4))
        try store.close()
    }

    @Test("S-31 a reader that has seen the log opens the store, though the owner comes to rest")
    func restsUnderReader() throws {
        let store = try open()
        let record = try store.add("A")
        try store.save(record, activity(1), durability: .normal)
        #expect(container.folder.names.contains(ContainerName.log))
        var rest: Result<Void, any Error>?
        var found: UserActivity?
        let isTried = try before(opening: ContainerName.log) {
            rest = Result { try store.rest() }
        } in: {
            let reader = try container.open(.reader)
            found = try reader.restorationActivity(key: record.key)
            try reader.close()
        }
        guard isTried else {
            return
        }
        try #require(rest, "the reader has not opened the log").get()
        #expect(store.isAtRest)
        #expect(!container.folder.names.contains(ContainerName.log))
        #expect(found == activity(1))
        try store.close()
    }

    /// Runs a body, and another one between the moment at which it has seen a file and the one at
    /// which it opens that file; false where that can't be done.
    private func before(
        opening name: String, _ act: () -> Void, in body: () throws -> Void
    ) throws -> Bool {
        try withoutActuallyEscaping(act) { act in
            var act = act
            return try withUnsafeMutablePointer(to: &act) { context in
                let isTried = scenestore_test_before_opening(
                    name, { $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, context)
                defer { _ = scenestore_test_before_opening("", nil, nil) }
                try body()
                return isTried
            }
        }
    }

    @Test("S-31 a real process reads while the store comes to rest and is opened again")
    func readingProcess() async throws {
        let store = try open()
        let record = try store.add("A")
        try store.save(record, activity(0))
        let path = container.folder.path
        let isDone = Mutex(false)
        let writing = Task.detached {
            var number = 0
            while !isDone.withLock({ $0 }) {
                number += 1
                try store.save(record, activity(number), durability: .normal)
                try store.rest()
            }
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            var last: Int64 = -1
            for _ in 0..<60 {
                do {
                    var options = SceneSessionStore.Options.seeded()
                    options.access = .reader
                    let reader = try SceneSessionStore.open(at: .directory(path), options: options)
                    let record = try #require(try reader.record(identifier: "A"))
                    let number = try reader.restorationActivity(key: record.key)?
                        .userInfo["number"]?.integerValue
                    // Never less than was seen before, and no row that fails its checksum.
                    #expect(try #require(number) >= last)
                    last = number ?? last
                    #expect(try reader.upkeep.verifyRows(budgetMilliseconds: 60_000))
                    #expect(reader.takeDiagnostics().isEmpty)
                } catch let error as SceneStoreError where error.code == .busy {
                    // The owner opens the store again just now, or came in between ten times.
                } catch {
                    // An error that ends this process would not be told, an issue is.
                    Issue.record(error)
                    return
                }
            }
        }
        isDone.withLock { $0 = true }
        try await writing.value
        try store.close()
    }

    @Test(
        "S-33 a reader in the way keeps the store open, without a wait", .timeLimit(.minutes(30)),
        arguments: [true, false])
    func blocked(seesAll: Bool) throws {
        let store = try open { $0.busyTimeout = 3_600_000 }
        let record = try store.add("A")
        let shell = try RawDatabase(container.folder.file())
        func read() throws {
            try shell.run("BEGIN")
            #expect(try shell.value("SELECT count(*) FROM session") == "1")
        }
        // A reader of an earlier state keeps frames in the log, one of the last state the log itself.
        if !seesAll { try read() }
        try store.save(record, activity(1))
        if seesAll { try read() }
        try store.rest()
        #expect(!store.isAtRest)
        #expect(store.awaitsRest)
        try store.save(record, activity(2))
        try shell.run("COMMIT")
        try store.rest()
        #expect(store.isAtRest)
    }

    @Test("S-33 a store at rest lets go of its container, and closes, without being opened")
    func lettingGo() throws {
        let (store, record) = try rested()
        let before = container.folder.bytes()
        try store.suspend()
        #expect(store.isSuspended)
        #expect(!store.isAtRest)
        let other = try container.open(.editor)
        try other.save(record, activity(5))
        try other.close()
        #expect(try store.resume())
        #expect(try store.restorationActivity(key: record.key) == activity(5))
        try store.rest()
        let counters = store.counters
        try store.close()
        #expect(store.counters == counters)
        #expect(failure { _ = try store.openRecords() } == .closed)
        #expect(before != container.folder.bytes())
        let next = try container.open()
        #expect(next.rollback == nil)
        #expect(try next.launch().reason == .first)
        try next.close()
    }

    @Test("S-32 the end of a process at rest is a death, unless the store was closed")
    func abandoned() throws {
        let (store, _) = try rested()
        store.abandon()
        let next = try container.open()
        #expect(try next.openCount() == 1)
        #expect(failure { _ = try store.openRecords() } == .closed)
    }
}
