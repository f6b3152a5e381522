import SceneStore
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

@Suite("What happens to a store at rest")
struct RestFaultTests: RestingContainer {
    let container = TestContainer(.fail)

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

    @Test("R-03 R-27 a journal that appears at rest is noticed, and not played back")
    func journal() throws {
        let (store, record) = try rested()
        let journal = Data(repeating: 0x5A, count: 600)
        try container.folder.write(journal, ContainerName.journal)
        #expect(failure { try store.save(record, activity(2)) } == .replaced)
        try store.close()
        #expect(container.folder.bytes(ContainerName.journal) == journal)
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
        lost.database.withLock {
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
                try store.rest()
                fault.arm(operation, after: count, code: FaultSwitch.ioError)
                let code = failure { _ = try store.record(identifier: "A") }
                if fault.disarm() {
                    #expect(code != nil, "\(operation) \(count)")
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
            var options = SceneSessionStore.Options.seeded()
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
}
