import SceneStore
import SceneStoreTestContainers
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
struct RestTests {
    let container = TestContainer(.fail)

    private func open(
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        try container.open {
            $0.closesWhenIdle = true
            change(&$0)
        }
    }

    /// A store at rest with one session, whose state has the number 1.
    private func rested(
        _ change: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> (store: SceneSessionStore, record: SessionRecord) {
        let store = try open(change)
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.rest()
        #expect(store.isAtRest)
        return (store, record)
    }

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

    @Test("S-42 S-33 streams of changes and what waits to be stored go on across a rest")
    func changes() async throws {
        let store = try open()
        let changes = store.changes
        let record = try store.add("A")
        try store.rest()
        try store.save(record, activity(1))
        try store.rest()
        store.journal.append(
            DecisionRecord(.stay, session: "A", outcome: "stay", reason: "rested"))
        #expect(store.isAtRest)
        try store.close()
        var generations: [Int64] = []
        for await change in changes {
            generations.append(change.generation)
        }
        #expect(generations.count >= 2)
        #expect(generations == generations.sorted())
        let next = try container.open()
        #expect(try next.journal.events().contains { $0.detail?.contains("rested") ?? false })
    }

    // MARK: - Another hand

    @Test(
        "S-26 R-27 a file that was exchanged at rest is reported as replaced, and left as it is",
        arguments: [false, true])
    func replaced(inPlace: Bool) throws {
        let (store, record) = try rested()
        let old = try #require(container.folder.bytes())
        try store.save(record, activity(2))
        try store.rest()
        let foreign = TestContainer(.fail)
        try foreign.open().close()
        for bytes in [old, try #require(foreign.folder.bytes()), Data("junk".utf8)] {
            try exchange(bytes, inPlace)
            for _ in 0..<2 {
                #expect(failure { try store.save(record, activity(3)) } == .replaced)
                #expect(failure { _ = try store.openRecords() } == .replaced)
            }
            #expect(store.isAtRest)
            #expect(container.contents[ContainerName.store] == bytes)
        }
        // Closing doesn't say that this is what was left: the next owner misses what was durable.
        try store.close()
        try exchange(old, inPlace)
        #expect(failure { _ = try container.open() } == .corrupt)
        #expect(container.folder.bytes() == old)
    }

    private func exchange(_ bytes: Data, _ inPlace: Bool) throws {
        if !inPlace {
            try FileManager.default.removeItem(atPath: container.folder.file())
        }
        try container.folder.write(bytes)
    }

    @Test("R-27 an older file with the size and the time of the one that was left is refused")
    func disguised() throws {
        let store = try open()
        let record = try store.add("A")
        for number in 0..<20 {
            try store.save(record, activity(number))
        }
        try store.rest()
        let old = try #require(container.folder.bytes())
        try store.values.setTitle("t", key: record.key)
        try store.rest()
        var status = stat()
        #expect(stat(container.folder.file(), &status) == 0)
        try container.folder.write(old)
        #if canImport(Darwin)
            var times = [status.st_atimespec, status.st_mtimespec]
        #else
            var times = [status.st_atim, status.st_mtim]
        #endif
        #expect(utimensat(AT_FDCWD, container.folder.file(), &times, 0) == 0)
        #expect(Int(status.st_size) == old.count)
        #expect(failure { try store.save(record, activity(99)) } == .replaced)
        #expect(container.folder.bytes() == old)
        try store.close()
    }

    @Test(
        "R-27 what a shell wrote at rest is noticed by the next call, whatever it is",
        arguments: [
            "UPDATE event SET detail = 'x'", "DELETE FROM state",
            "UPDATE store SET written_by = 'x'",
        ], [false, true])
    func shell(_ sql: String, staysOpen: Bool) throws {
        let (store, record) = try rested()
        var shell: RawDatabase? = try RawDatabase(container.folder.file())
        try shell?.run(sql)
        if !staysOpen {
            shell = nil
        }
        let log = container.folder.bytes(ContainerName.log)
        #expect(failure { try store.save(record, activity(2)) } == .replaced)
        #expect(failure { _ = try store.openRecords() } == .replaced)
        #expect(container.folder.bytes(ContainerName.log) == log)
        try store.close()
        withExtendedLifetime(shell) {}
    }

    @Test("R-27 what a shell writes right after the store was opened again is noticed, too")
    func shellAfterwards() throws {
        let (store, record) = try rested()
        _ = try store.openRecords()
        try RawDatabase(container.folder.file()).run("DELETE FROM state")
        #expect(failure { try store.save(record, activity(2)) } == .replaced)
    }

    @Test("R-27 a shell that only reads at rest is in nobody's way")
    func readingShell() throws {
        let (store, record) = try rested()
        let shell = try RawDatabase(container.folder.file())
        #expect(try shell.value("SELECT count(*) FROM session") == "1")
        try store.save(record, activity(2))
        #expect(try shell.value("SELECT count(*) FROM state") == "2")
        try store.rest()
        try store.save(record, activity(3))
        #expect(try shell.value("SELECT count(*) FROM state") == "3")
        try store.close()
    }

    @Test("S-26 a file that is gone at rest is reported as moved; put back, it is used again")
    func moved() throws {
        let (store, record) = try rested()
        try FileManager.default.moveItem(
            atPath: container.folder.file(), toPath: container.folder.file("moved"))
        #expect(failure { try store.save(record, activity(2)) } == .moved)
        #expect(container.folder.bytes() == nil)
        try FileManager.default.moveItem(
            atPath: container.folder.file("moved"), toPath: container.folder.file())
        try store.save(record, activity(2))
        try store.close()
        #expect(try container.open().restorationActivity(key: record.key) == activity(2))
    }

    // MARK: - What can fail

    @Test("L-17 an app goes on when the file can't be opened again, and writes once it can")
    func heldOnOpening() throws {
        let fault = FaultSwitch()
        let store = try open { $0.fault = fault.seam }
        store.holdRefusedWrites()
        let record = try store.add("A")
        try store.save(record, activity(1))
        for operation in [SQLiteOperation.open, .prepare, .step] {
            try store.rest()
            #expect(store.isAtRest)
            fault.arm(operation, after: 1, code: FaultSwitch.ioError)
            #expect(try store.restorationActivity(key: record.key) == activity(1))
            #expect(fault.disarm())
            #expect(store.refusal?.code == .ioError)
            #expect(failure { _ = try container.open() } == .owned)
            try store.values.setTitle("\(operation)", key: record.key)
            #expect(store.refusal == nil)
            #expect(store.takeDiagnostics().map(\.code) == [.writeRefused])
        }
        try store.close()
        #expect(try container.open().verify(.full).isSound)
    }

    @Test("R-04 a poisoned store doesn't come to rest and stays poisoned")
    func poisoned() throws {
        let fault = FaultSwitch()
        let store = try open { $0.fault = fault.seam }
        let record = try store.add("A")
        fault.arm(.commit, after: 1, code: FaultSwitch.syncFailed)
        #expect(failure { try store.save(record, activity(2)) } == .ioError)
        fault.disarm()
        for _ in 0..<3 {
            #expect(failure { try store.rest() } == .poisoned)
            #expect(!store.isAtRest)
            #expect(failure { try store.save(record, activity(3)) } == .poisoned)
        }
        try store.close()
    }

    @Test("R-04 a sync that fails while the store comes to rest poisons it for good")
    func poisonedByRest() throws {
        let fault = FaultSwitch()
        let store = try open { $0.fault = fault.seam }
        let record = try store.add("A")
        try store.save(record, activity(1))
        fault.arm(.checkpoint, after: 1, code: FaultSwitch.syncFailed)
        #expect(failure { try store.rest() } == .ioError)
        #expect(fault.disarm())
        #expect(!store.isAtRest)
        #expect(failure { try store.save(record, activity(2)) } == .poisoned)
        #expect(failure { try store.rest() } == .poisoned)
        try store.close()
        #expect(try container.open().restorationActivity(key: record.key) == activity(1))
    }

    @Test("S-30 R-04 the fence outlives a rest: a store that lost its lock stays refused")
    func fence() throws {
        let (store, record) = try rested()
        try RawDatabase(container.folder.file()).run(
            "UPDATE store SET owner_epoch = owner_epoch + 1, generation = generation + 1")
        #expect(failure { try store.save(record, activity(2)) } == .replaced)
        // What failed for good before the connection was closed, fails after it.
        let other = TestContainer(.fail)
        let lost = try other.open { $0.closesWhenIdle = true }
        _ = try lost.add("A")
        try lost.rest()
        lost.core.withLock {
            $0.fence.failure = SceneStoreError(.poisoned, "a sync failed")
        }
        #expect(failure { _ = try lost.add("B") } == .poisoned)
        #expect(failure { _ = try lost.openRecords() } == .poisoned)
        #expect(failure { try lost.suspend() } == .poisoned)
    }

    @Test("S-21 R-61 an opening that fails is tried again, and leaves the container owned")
    func failedOpening() throws {
        let fault = FaultSwitch()
        let (store, record) = try rested { $0.fault = fault.seam }
        for operation in [SQLiteOperation.open, .prepare, .step] {
            for count in [1, 5, 20] {
                fault.arm(operation, after: count, code: FaultSwitch.ioError)
                let code = failure { _ = try store.record(identifier: "A") }
                if fault.disarm() {
                    #expect(code != nil)
                }
                #expect(failure { _ = try container.open() } == .owned)
            }
        }
        try store.save(record, activity(2))
        #expect(try store.restorationActivity(key: record.key) == activity(2))
        try store.close()
    }

    @Test("S-30 R-08 a child of the process uses nothing of a store at rest")
    func forked() async {
        await #expect(processExitsWith: .success) {
            let container = TestContainer(.fail)
            let store = try container.open { $0.closesWhenIdle = true }
            let record = try store.add("A")
            try store.rest()
            let result = inForkedChild {
                let write = failure { try store.save(record, activity(1)) }
                let read = failure { _ = try store.openRecords() }
                return write == .forked && read == .forked ? 0 : 1
            }
            #expect(result == 0)
            try store.save(record, activity(3))
            try store.close()
        }
    }

    @Test("R-02 S-30 a process that is killed at rest loses nothing, and is known to have died")
    func killed() async throws {
        let path = container.folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            var options = SceneSessionStore.Options()
            options.closesWhenIdle = true
            let store = try SceneSessionStore.open(at: .directory(path), options: options)
            try store.launch()
            let record = try store.add("A")
            try store.save(record, activity(1), durability: .normal)
            try store.rest()
            try store.save(record, activity(2), durability: .normal)
            try store.rest()
            guard store.isAtRest else {
                return
            }
            kill(getpid(), SIGKILL)
        }
        #expect(container.folder.names == [ContainerName.lock, ContainerName.store])
        let store = try container.open()
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.restorationActivity(key: record.key) == activity(2))
        #expect(try store.launch().reason == .recover)
    }

    // MARK: - Others

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
                var options = SceneSessionStore.Options()
                options.access = .reader
                let reader: SceneSessionStore
                do {
                    reader = try SceneSessionStore.open(at: .directory(path), options: options)
                } catch let error as SceneStoreError where error.code == .busy {
                    continue
                }
                let record = try #require(try reader.record(identifier: "A"))
                let number = try reader.restorationActivity(key: record.key)?
                    .userInfo["number"]?.integerValue
                // Never less than was seen before, and no row that fails its checksum.
                #expect(try #require(number) >= last)
                last = number ?? last
                #expect(try reader.upkeep.verifyRows(budgetMilliseconds: 60_000))
                #expect(reader.takeDiagnostics().isEmpty)
            }
        }
        isDone.withLock { $0 = true }
        try await writing.value
        try store.close()
    }

    @Test(
        "S-33 a reader in the way keeps the store open, without a wait", .timeLimit(.minutes(1)),
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
        #expect(try store.resume() == .changed)
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

extension SceneSessionStore {
    /// An idle moment that is long enough for all that is to be done.
    fileprivate func rest() throws {
        while try upkeep.perform(budgetMilliseconds: 60_000) {}
    }
}
