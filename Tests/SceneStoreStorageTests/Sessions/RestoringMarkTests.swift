import Testing

import SceneStore
import SceneStoreTestContainers
import enum SceneStoreSQLite.ContainerName

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The session that is being restored is named beside the lock: one write and no transaction.
@Suite("Who is blamed, by the lock file")
struct RestoringMarkTests {
    private let container = TestContainer(.fail)

    /// A process that dies while it restores a session: that session's row.
    private func dieRestoring(_ name: String = "A") throws -> Int64 {
        let store = try container.open()
        try store.launch()
        let record = try store.record(identifier: name) ?? store.add(name)
        let generation = store.currentGeneration()
        try store.launches.setRestoring(key: record.key)
        #expect(store.currentGeneration() == generation)
        store.abandon()
        return record.key
    }

    /// Whom the next launch blames.
    private func blamed() throws -> SceneSession.ID? {
        let store = try container.open()
        defer {
            store.abandon()
        }
        return try store.launch().blamed
    }

    /// The lock file's fourth line, which a power cut takes back to what it was.
    private func mark() throws -> Data {
        var line = Data()
        try changeMark { line = $0 }
        return line
    }

    /// Changes the lock file's fourth line.
    private func changeMark(_ change: (inout Data) -> Void) throws {
        let bytes = try #require(container.folder.bytes(ContainerName.lock))
        try #require(bytes.count == 320)
        var line = Data(bytes.dropFirst(192).prefix(64))
        change(&line)
        // A line that is cut off is the last one.
        let rest = line.count == 64 ? bytes.dropFirst(256) : Data()
        try container.folder.write(bytes.prefix(192) + line + rest, ContainerName.lock)
    }

    @Test("L-52 the session named beside the lock when the process died is blamed, once")
    func named() throws {
        for count in 1...2 {
            let key = try dieRestoring()
            let reader = try container.open(.reader)
            let previous = try reader.read { skeleton throws(SceneStoreError) in
                try skeleton.previousProcess()
            }
            #expect(previous.restoring == key)
            try reader.close()
            #expect(try blamed() == "A")
            #expect(try blamed() == nil)
            let store = try container.open()
            #expect(try store.record(key: key)?.crashCount == count)
            try store.close()
        }
    }

    @Test("L-52 a process that settled, said farewell, or lost the session blames nobody")
    func nobody() throws {
        let ends: [(SceneSessionStore, Int64) throws -> Void] = [
            { store, _ in try store.launches.setRestoring(key: nil) },
            { store, _ in try store.launches.end(.quit) },
            { store, key in try store.discard([key], cause: .user, deliveredNow: true) },
            { store, key in try store.forget([key]) },
            { store, _ in try store.reset() },
        ]
        for end in ends {
            let store = try container.open()
            try store.launch()
            let record = try store.record(identifier: "A") ?? store.add("A")
            if !record.isOpen {
                _ = try store.discards.reopen(identifier: "A")
            }
            try store.launches.setRestoring(key: record.key)
            try end(store, record.key)
            store.abandon()
            let next = try container.open()
            let previous = try next.read { skeleton throws(SceneStoreError) in
                try skeleton.previousProcess()
            }
            #expect(previous.restoring == nil)
            #expect(try next.launch().blamed == nil)
            try next.close()
        }
    }

    @Test("L-52 the last of several that began is blamed; those that settled are not")
    func last() throws {
        let store = try container.open()
        try store.launch()
        let keys = try ["A", "B", "C"].map { try store.add($0).key }
        try store.launches.setRestoring(key: keys[0])
        try store.launches.setRestoring(key: keys[1])
        try store.launches.setRestoring(key: keys[2])
        try store.launches.setRestoring(key: keys[1])
        store.abandon()
        #expect(try blamed() == "B")
    }

    @Test(
        "L-52 a mark that is torn, cut off, another launch's or another store's blames nobody",
        arguments: ["torn", "blank", "other number", "earlier launch", "other store"])
    func notBelieved(_ what: String) throws {
        _ = try dieRestoring()
        let line = try mark()
        switch what {
        case "torn": try changeMark { $0[$0.startIndex + 30] ^= 1 }
        case "blank": try changeMark { $0 = Data(repeating: 0x20, count: 64) }
        case "other number":
            try changeMark { line in
                let digit = line.startIndex + "restoring ".utf8.count
                line[digit] = line[digit] == 0x31 ? 0x32 : 0x31
            }
        case "earlier launch":
            #expect(try blamed() == "A")
            try changeMark { $0 = line }
        default:
            let other = TestContainer(.fail)
            let store = try other.open()
            try store.launch()
            try store.launches.setRestoring(key: try store.add("A").key)
            store.abandon()
            let bytes = try #require(other.folder.bytes(ContainerName.lock))
            try changeMark { $0 = Data(bytes[(bytes.startIndex + 192)...]) }
        }
        #expect(try blamed() == nil)
        // It can be written again.
        _ = try dieRestoring()
        #expect(try blamed() == "A")
    }

    /// How many commits follow the clearing, and whether the session is blamed after the power cut that
    /// takes the clearing back.
    @Test(
        "L-52 a mark that a commit after its clearing has outlived blames nobody after a power cut",
        arguments: [(0, "A"), (1, nil), (2, nil)])
    func outlived(_ commits: Int, _ expected: SceneSession.ID?) throws {
        let store = try container.open()
        try store.launch()
        let (a, b) = (try store.add("A"), try store.add("B"))
        try store.launches.setRestoring(key: a.key)
        // A commit while the session restores is none after the clearing.
        #expect(try store.save(b, activity(0)))
        let line = try mark()
        try store.launches.setRestoring(key: nil)
        for number in 0..<commits {
            #expect(try store.save(a, activity(number)))
        }
        store.abandon()
        try changeMark { $0 = line }
        let reader = try container.open(.reader)
        #expect(try reader.blame()?.session == expected?.rawValue)
        try reader.close()
        #expect(try blamed() == expected)
    }

    @Test("L-52 a window that restores after a commit is blamed, not the one before it")
    func outlivedByAnother() throws {
        let store = try container.open()
        try store.launch()
        let (a, b) = (try store.add("A"), try store.add("B"))
        try store.launches.setRestoring(key: a.key)
        let line = try mark()
        try store.launches.setRestoring(key: b.key)
        #expect(try store.save(a, activity(1)))
        store.abandon()
        let last = try mark()
        try changeMark { $0 = line }
        let reader = try container.open(.reader)
        #expect(try reader.blame() == nil)
        try reader.close()
        try changeMark { $0 = last }
        #expect(try blamed() == "B")
    }

    @Test("L-52 commits while a state is restored don't acquit it, whoever makes them")
    func notAcquitted() throws {
        let store = try container.open()
        try store.launch()
        let (a, b) = (try store.add("A"), try store.add("B"))
        try store.launches.setRestoring(key: a.key)
        #expect(try store.save(a, activity(1)))
        #expect(try store.save(b, activity(2), durability: .normal))
        store.abandon()
        // Owners that don't launch, a copy, and a process that dies before it launches.
        let tool = try container.open()
        try tool.marks.setPinned(true, key: b.key)
        let copy = container.parent.file("copy")
        try tool.backUp(to: copy)
        try tool.close()
        try container.open().abandon()
        #expect(try blamed() == "A")
        #expect(try blamed() == nil)
        try SceneSessionStore.restore(
            from: copy, to: container.location, options: container.options())
        #expect(try blamed() == "A")
    }

    @Test("L-52 a launch that gets the number of a lost one doesn't take over its mark")
    func lostLaunch() throws {
        let store = try container.open()
        let record = try store.add("A")
        store.abandon()
        let lost = try container.open()
        let earlier = container.files
        try lost.launch()
        try lost.launches.setRestoring(key: record.key)
        for number in 0..<3 {
            #expect(try lost.save(record, activity(number), durability: .normal))
        }
        lost.abandon()
        for name in [ContainerName.store, ContainerName.store + "-wal"] {
            try container.folder.write(try #require(earlier[name]), name)
        }
        let next = try container.open()
        #expect(try next.launch().number == 1)
        next.abandon()
        #expect(try blamed() == nil)
    }

    @Test("L-52 an earlier version's mark, in the store's own row, counts as before")
    func ownRow() throws {
        let store = try container.open()
        try store.launch()
        let a = try store.add("A").key
        let b = try store.add("B").key
        try store.database.withLock { db throws(SceneStoreError) in
            try db.write(.normal) { transaction throws(SceneStoreError) in
                transaction.store.restoringSession = a
            }
        }
        store.abandon()
        #expect(try blamed() == "A")
        // Whoever goes on by the row ends there, too.
        let next = try container.open()
        try next.database.withLock { db throws(SceneStoreError) in
            try db.write(.normal) { transaction throws(SceneStoreError) in
                transaction.store.restoringSession = a
            }
        }
        try next.launches.setRestoring(key: b)
        try next.launches.setRestoring(key: nil)
        next.abandon()
        #expect(try blamed() == nil)
    }
}
