import Testing

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

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers
import enum SceneStoreSQLite.ContainerName

@Suite("Letting the container go in the background")
struct SuspensionTests {
    @Test("S-33 a suspended store holds no lock and no log, and goes on where it was")
    func goesOn() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.suspend()
        #expect(store.isSuspended)
        // Nothing is open: another process may own the container, and finds one file.
        #expect(container.folder.names == [ContainerName.lock, ContainerName.store])
        #expect(try !store.resume())
        #expect(!store.isSuspended)
        #expect(failure { _ = try container.open() } == .owned)
        try store.save(record, activity(2))
        #expect(try store.restorationActivity(key: record.key) == activity(2))
        #expect(try store.history.versions(key: record.key).count == 2)
        try store.close()
        #expect(try container.open().openRecords().map(\.identifier) == ["A"])
    }

    @Test("S-33 the next call takes the container back by itself")
    func wakesByItself() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.suspend()
        #expect(try store.openRecords().count == 1)
        #expect(!store.isSuspended)
        try store.suspend()
        try store.save(record, activity(1))
        #expect(!store.isSuspended)
        #expect(try !store.resume())
    }

    @Test("S-33 S-61 a store that was let go is taken back to be verified")
    func verifies() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        _ = try store.add("A")
        try store.suspend()
        #expect(try store.verify(.full).isSound)
        #expect(!store.isSuspended)
        try store.suspend()
        let other = try container.open(.editor)
        #expect(failure { _ = try store.verify() } == .owned)
        try other.close()
        try store.close()
        #expect(failure { _ = try store.verify() } == .closed)
    }

    @Test("S-33 what another process wrote meanwhile is read again, and not overwritten")
    func readsAgain() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.suspend()
        do {
            let other = try container.open(.editor)
            try other.save(record, activity(5))
            _ = try other.add("B")
            // The one that has let go is told who owns the container, and writes nothing.
            #expect(failure { try store.save(record, activity(2)) } == .owned)
            #expect(failure { try store.resume() } == .owned)
            #expect(store.isSuspended)
            try other.close()
        }
        #expect(try store.resume())
        // Asked again it is no news.
        #expect(try !store.resume())
        #expect(try store.restorationActivity(key: record.key) == activity(5))
        #expect(try store.openRecords().map(\.identifier) == ["B", "A"])
        // Equal to what this process saved last, and yet a change.
        #expect(try store.save(record, activity(1)))
        #expect(try store.restorationActivity(key: record.key) == activity(1))
    }

    @Test("S-33 what a real process wrote meanwhile is there, whether it closed or was killed")
    func realProcess() async throws {
        let container = TestContainer(.fail)
        let path = container.folder.path
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.suspend()
        await #expect(processExitsWith: .success) { [path = path as String] in
            let other = try SceneSessionStore.open(at: .directory(path))
            let record = try #require(try other.record(identifier: "A"))
            try other.save(record, activity(7))
            _ = try other.add("B")
            try other.close()
        }
        #expect(try store.resume())
        #expect(try store.restorationActivity(key: record.key) == activity(7))
        #expect(try store.openCount() == 2)
        try store.suspend()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let other = try SceneSessionStore.open(at: .directory(path))
            let record = try #require(try other.record(identifier: "A"))
            try other.save(record, activity(8))
            kill(getpid(), SIGKILL)
        }
        #expect(try store.resume())
        #expect(try store.restorationActivity(key: record.key) == activity(8))
        try store.save(record, activity(9))
        try store.close()
    }

    @Test("S-33 an owner that died meanwhile is noticed, too")
    func otherDied() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.suspend()
        let other = try container.open(.editor)
        try other.save(record, activity(5))
        other.abandon()
        #expect(try store.resume())
        #expect(try store.restorationActivity(key: record.key) == activity(5))
    }

    @Test("S-33 a container that was reset, exchanged, set back or taken away is refused")
    func refused() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        _ = try store.add("A")
        try store.suspend()
        let old = try #require(container.folder.bytes())
        do {
            let other = try container.open(.editor)
            try other.reset()
            try other.close()
        }
        #expect(failure { _ = try store.add("B") } == .replaced)
        #expect(store.isSuspended)
        try store.close()

        store = try container.open()
        _ = try store.add("C")
        try store.suspend()
        // An older copy.
        try container.folder.write(old)
        #expect(failure { _ = try store.add("D") } == .replaced)
        // Another store.
        let foreign = TestContainer(.fail)
        try foreign.open().close()
        try container.folder.write(try #require(foreign.folder.bytes()))
        #expect(failure { _ = try store.add("D") } == .replaced)
        try FileManager.default.removeItem(atPath: container.folder.file())
        #expect(failure { _ = try store.add("D") } == .missing)
        #expect(container.folder.bytes() == nil)
    }

    @Test("S-33 R-27 an older copy that the same owner left is refused, however little it lacks")
    func olderCopy() throws {
        for saves in [0, 1, 2] {
            let container = TestContainer(.fail)
            let store = try container.open()
            let record = try store.add("A")
            try store.save(record, activity(1))
            try store.suspend()
            let copy = try #require(container.folder.bytes())
            #expect(try !store.resume())
            for number in 0..<saves {
                try store.save(record, activity(2 + number))
            }
            try store.suspend()
            try container.folder.write(copy)
            // Again and again: no attempt brings the copy up to what was let go.
            for _ in 0..<4 {
                #expect(failure { try store.resume() } == .replaced, "\(saves)")
                #expect(failure { try store.save(record, activity(9)) } == .replaced, "\(saves)")
                #expect(store.isSuspended)
            }
            try store.close()
            let next = try container.open()
            #expect(try next.restorationActivity(key: record.key) == activity(1))
        }
    }

    @Test("S-33 closing a suspended store needs nothing")
    func closing() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        _ = try store.add("A")
        try store.suspend()
        _ = try store.add("B")
        try store.suspend()
        let other = try container.open(.editor)
        try store.close()
        #expect(failure { _ = try store.add("C") } == .closed)
        try other.close()
    }

    @Test("S-33 a store that could not be closed properly lets go all the same and loses nothing")
    func failing() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        store.database.withLock {
            $0.fence.failure = SceneStoreError(.poisoned, "a sync failed")
        }
        #expect(failure { try store.suspend() } == .poisoned)
        #expect(store.isSuspended)
        let other = try container.open(.editor)
        #expect(try other.restorationActivity(key: record.key) == activity(1))
        try other.close()
        try store.save(record, activity(2))
        #expect(try store.restorationActivity(key: record.key) == activity(2))
    }

    @Test("S-33 a memory store has nothing to let go of, a reader may not")
    func others() throws {
        let memory = try SceneSessionStore.memory()
        _ = try memory.add("A")
        try memory.suspend()
        #expect(!memory.isSuspended)
        #expect(try memory.openRecords().count == 1)
        let container = TestContainer(.fail)
        try container.open().close()
        let reader = try container.open(.reader)
        #expect(failure { try reader.suspend() } == .readOnly)
    }
}
