import SceneStoreTesting
import Synchronization
import Testing

import SceneStore
import SceneStoreTestContainers

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

@Suite("One owner")
struct OwnershipTests {
    @Test("S-30 a second owner is told who owns the container")
    func owned() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        for access in [SceneSessionStore.Access.owner, .editor] {
            do {
                _ = try container.open(access)
                Issue.record("two owners")
            } catch {
                let error = try #require(error as? SceneStoreError)
                #expect(error.code == .owned)
                #expect(error.ownerProcess == ProcessInfo.processInfo.processIdentifier)
            }
        }
        try store.close()
        #expect(try container.open().isOwner)
    }

    @Test("S-30 a second owner that waits gets the container when the first one lets go")
    func waiting() async throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let waiting = Task.detached {
            try container.open { $0.ownerTimeout = 60_000 }.isOwner
        }
        try store.close()
        #expect(try await waiting.value)
    }

    @Test("S-30 the epoch in each write refuses the loser of a lock that lies")
    func epochFence() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        // What a second owner does, on a file system whose locks lie.
        let raw = try RawDatabase(container.folder.file())
        try raw.run("UPDATE store SET owner_epoch = owner_epoch + 1")
        #expect(failure { try store.save(record, activity(2)) } == .ownershipLost)
        #expect(failure { try store.values.setTitle("t", key: record.key) } == .ownershipLost)
        #expect(failure { _ = try store.add("B") } == .ownershipLost)
        #expect(try raw.value("SELECT count(*) FROM session") == "1")
        #expect(try raw.value("SELECT count(*) FROM state") == "1")
    }

    @Test("L-17 who loses the container while writes are refused writes nothing over its successor")
    func lostWhileRefused() throws {
        let container = TestContainer(.fail)
        let device = try SimulatedDevice(
            storage: .directory(container.folder.path), options: .desktop(.window("Document")))
        let running = try device.launch { PlainApp() }
        let scene = try #require(running.connectedScenes.first)
        let window = scene.session.persistentIdentifier
        try device.refuseWrites(.diskFull)
        try running.setTitle("held", for: window)
        #expect(running.storeRefusal?.code == .diskFull)
        // A second owner, on a file system whose locks lie.
        try FileManager.default.removeItem(atPath: container.folder.file("owner.lock"))
        let successor = try container.open()
        let raw = try RawDatabase(container.folder.file())
        let before = try raw.rows("SELECT * FROM session") + raw.rows("SELECT * FROM store")
        try device.acceptWrites()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .ownershipLost)
        // Windows open and close all the same, in memory.
        try device.openWindow()
        try running.closeWindow(of: window)
        #expect(running.openSessions.count == 1)
        #expect(
            try raw.rows("SELECT * FROM session") + raw.rows("SELECT * FROM store") == before)
        // Each cause is told once, and nothing ends as if it were stored.
        #expect(device.diagnostics.map(\.code) == [.writeRefused, .writeRefused])
        #expect(failure { try device.quit() } == .ownershipLost)
        #expect(device.isRunning)
        try successor.close()
    }

    @Test("S-30 a write of somebody else between two of ours is noticed")
    func generationFence() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        let raw = try RawDatabase(container.folder.file())
        try raw.run("UPDATE store SET generation = generation + 1")
        #expect(failure { try store.save(record, activity(2)) } == .ownershipLost)
        #expect(try raw.value("SELECT count(*) FROM state") == "0")
    }

    @Test("S-30 a dead owner's mark makes the next launch a recovery")
    func deadOwner() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        #expect(try store.launch().reason == .first)
        let copy = try container.snapshot()
        try store.launches.end(.quit)
        try store.close()
        #expect(try copy.open().launch().reason == .recover)
        #expect(try container.open().launch().reason == .launch)
    }

    @Test("S-30 a killed owner holds nothing, and its last full save is there")
    func killedOwner() async throws {
        let container = TestContainer(.fail)
        let path = container.folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = try SceneSessionStore.open(at: .directory(path))
            try store.launch()
            let record = try store.add("A", front: true)
            try store.save(record, activity(7))
            kill(getpid(), SIGKILL)
        }
        let store = try container.open()
        #expect(try store.launch().reason == .recover)
        let record = try #require(try store.frontRecords().first)
        #expect(try store.restorationActivity(key: record.key) == activity(7))
    }

    @Test("L-41 killed at any instant: the last acknowledged save of each session, or a later one")
    func killedAnywhere() async throws {
        let container = TestContainer(.fail)
        try container.open().close()
        // Odd steps, so that every kind of statement is the last one of some round.
        for step in [23, 29, 41, 52, 67, 88, 101] {
            let path = container.folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, step = step as Int] in
                var options = SceneSessionStore.Options.seeded()
                let steps = Mutex(0)
                options.fault = { operation in
                    let count = steps.withLock { count in
                        count += operation == .step || operation == .commit ? 1 : 0
                        return count
                    }
                    if count == step {
                        kill(getpid(), SIGKILL)
                    }
                    return nil
                }
                let store = try SceneSessionStore.open(at: .directory(path), options: options)
                try store.launch()
                var records: [SessionRecord] = []
                for name in ["A", "B", "C"] {
                    records.append(try store.record(identifier: name) ?? store.add(name))
                }
                var number = step * 1_000
                while true {
                    number += 1
                    try store.save(
                        records.map { StateToSave(key: $0.key, activity: activity(number)) },
                        context: SaveContext(savedAt: 0))
                    try acknowledge(number, at: path + "/acknowledged")
                }
            }
            let store = try container.open(.editor)
            let records = try store.openRecords()
            let numbers = try records.map {
                try store.restorationActivity(key: $0.key)?.userInfo["number"]?.integerValue ?? -1
            }
            #expect(Set(numbers).count <= 1, "one transaction, never a mix")
            let acknowledged = acknowledgement(at: path + "/acknowledged")
            if acknowledged > 0 {
                #expect(numbers.count == 3)
                #expect(numbers.allSatisfy { $0 >= Int64(acknowledged) })
            }
            #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
            #expect(store.takeDiagnostics().isEmpty)
            try store.close()
        }
    }

    @Test("R-62 R-26 a reader that opens while the owner launches sees one moment of the store")
    func readerBesideLaunch() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.launch()
        // Before each step of the opening, until an opening has fewer.
        for step in 1... {
            let steps = Mutex(0)
            try container.open(.reader) {
                $0.fault = { operation in
                    let isHere = steps.withLock { count in
                        count += operation == .step ? 1 : 0
                        return operation == .step && count == step
                    }
                    if isHere {
                        _ = try? store.launch()
                    }
                    return nil
                }
            }.close()
            guard steps.withLock({ $0 }) >= step else {
                break
            }
        }
    }

    @Test("R-06 what was committed while the file was taken away is not acknowledged")
    func movedMeanwhile() throws {
        let container = TestContainer(.fail)
        let isArmed = Mutex(false)
        let path = container.folder.file()
        let store = try container.open {
            $0.fault = { operation in
                // Just before the commit.
                if operation == .commit, isArmed.withLock({ $0 }) {
                    rename(path, path + ".elsewhere")
                }
                return nil
            }
        }
        let record = try store.add("A")
        try store.save(record, activity(1))
        let changes = store.currentGeneration()
        isArmed.withLock { $0 = true }
        #expect(failure { try store.save(record, activity(2)) } == .moved)
        isArmed.withLock { $0 = false }
        // Also not the next time, when the state is the stored one, as far as this process knows.
        #expect(failure { try store.save(record, activity(2)) } == .moved)
        #expect(store.currentGeneration() > changes)
        #expect(container.folder.bytes("scenes.sqlite.elsewhere") != nil)
    }

    @Test("S-26 L-42 a file that is moved away or replaced is noticed, never success")
    func movedAway() throws {
        let container = TestContainer(.fail)
        let manager = FileManager.default
        let store = try container.open()
        let record = try store.add("A")
        try manager.moveItem(
            atPath: container.folder.file(), toPath: container.folder.file("moved"))
        #expect(failure { try store.save(record, activity(1)) } == .moved)
        try container.folder.write(Data("older copy".utf8))
        #expect(failure { try store.save(record, activity(1)) } == .replaced)
        #expect(container.folder.bytes() == Data("older copy".utf8))
        try manager.removeItem(atPath: container.folder.file())
        try manager.moveItem(
            atPath: container.folder.file("moved"), toPath: container.folder.file())
        #expect(try store.save(record, activity(1)))
    }

    @Test("L-42 a container that is deleted under a running process is never success")
    func deleted() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try FileManager.default.removeItem(atPath: container.folder.path)
        #expect(failure { try store.save(record, activity(1)) } == .moved)
        #expect(failure { try store.launches.end(.quit) } == .moved)
        try store.close()
        let next = try container.open()
        #expect(try next.launch().reason == .first)
        #expect(try next.openRecords().isEmpty)
        #expect(try next.discards.pending().isEmpty)
    }

    @Test("R-04 after a failed sync nothing is acknowledged by this object")
    func failedSync() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let record = try store.add("A")
        try store.save(record, activity(1))
        fault.arm(.commit, after: 1, code: FaultSwitch.syncFailed)
        #expect(failure { try store.save(record, activity(2)) } == .ioError)
        fault.disarm()
        #expect(failure { try store.save(record, activity(3)) } == .poisoned)
        #expect(failure { try store.values.setTitle("t", key: record.key) } == .poisoned)
        #expect(
            failure { _ = try store.log.tend(now: container.clock.now + 99_999) } == .poisoned)
        #expect(failure { try store.log.checkpoint() } == .poisoned)
        try store.close()
        // The next owner reads the disk itself: the state that was acknowledged, or the one whose
        // sync failed, and none of those that were refused.
        let reopened = try container.open()
        let found = try #require(try reopened.restorationActivity(key: record.key))
        #expect([activity(1), activity(2)].contains(found))
        #expect(try reopened.session(for: record).title == nil)
        #expect(try reopened.save(record, activity(3)))
        #expect(try reopened.restorationActivity(key: record.key) == activity(3))
    }
}

/// Writes down which save was acknowledged last, whole or not at all.
private func acknowledge(_ number: Int, at path: String) throws {
    try Data(String(number).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
}

private func acknowledgement(at path: String) -> Int {
    let text = FileManager.default.contents(atPath: path).map {
        String(decoding: $0, as: UTF8.self)
    }
    return text.flatMap { Int($0) } ?? -1
}

/// An app that does nothing of its own.
private final class PlainApp: SceneApplicationDelegate {}
