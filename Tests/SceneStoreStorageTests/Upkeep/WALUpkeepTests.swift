import Testing

import SceneStore
import SceneStoreStorage
import SceneStoreTestContainers

@Suite("The write-ahead log")
struct WALUpkeepTests {
    private let container = TestContainer(.fail)

    /// A state that has no page in common with that of another number.
    private func large(_ number: Int) -> UserActivity {
        var state = activity(number)
        state.userInfo["text"] = .string(String(repeating: "\(number) ", count: 10_000))
        return state
    }

    /// Saves until the log has so many frames; each state is another one.
    private func fill(
        _ store: SceneSessionStore, _ record: SessionRecord, to frames: Int,
        _ each: (_ frames: Int) throws -> Void = { _ in }
    ) throws {
        var number = 0
        while store.counters.frames < frames {
            number += 1
            try store.save(record, large(number), durability: .normal)
            try each(store.counters.frames)
        }
    }

    @Test("S-20 an idle moment copies the log from 256 frames, and not again until a write")
    func idle() throws {
        let store = try container.open()
        let record = try store.add("A")
        try fill(store, record, to: 256) { frames in
            let isDone = try store.log.tend(now: container.clock.now, isIdle: true)
            #expect(isDone == (frames >= 256))
            #expect(!store.log.awaitsCheckpoint)
        }
        #expect(store.counters.checkpoints == 1)
        #expect(try !store.log.tend(now: container.clock.now + 600_000, isIdle: true))
    }

    @Test("S-20 while something is saved between idle moments the log is copied from 3 600 frames")
    func busy() throws {
        let store = try container.open()
        let record = try store.add("A")
        try fill(store, record, to: 1_000)
        // Something was written since the last look; then nothing was.
        #expect(try !store.log.tend(now: container.clock.now))
        #expect(store.log.awaitsCheckpoint)
        #expect(try store.log.tend(now: container.clock.now))
        try fill(store, record, to: 3_600) { frames in
            let isDone = try store.log.tend(now: container.clock.now)
            #expect(isDone == (frames >= 3_600))
        }
        #expect(store.counters.checkpoints == 2)
    }

    @Test("S-20 the log is synced 10 minutes after the first commit in mode normal, once")
    func sync() throws {
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(8), durability: .full)
        let start = container.clock.now
        #expect(store.log.delay(now: start) == nil)
        for number in 0..<3 {
            try store.save(record, activity(number), durability: .normal)
            container.clock.advance(100_000)
        }
        #expect(store.log.delay(now: start + 1) == 599_999)
        #expect(try !store.log.tend(now: start + 599_999))
        let before = store.counters
        #expect(try store.log.tend(now: start + 600_000))
        #expect(store.counters.durableTransactions == before.durableTransactions + 1)
        #expect(store.counters.checkpoints == before.checkpoints)
        #expect(store.log.delay(now: start + 600_000) == nil)
        #expect(try !store.log.tend(now: start + 9_000_000))
        // What is synced already costs nothing when it is to be durable.
        #expect(try !store.save(record, activity(2), durability: .full))
        #expect(store.counters.transactions == before.transactions + 1)
        // A full save, and a checkpoint, sync what was committed before.
        try store.values.setTitle("t", key: record.key)
        try store.save(record, activity(9), durability: .full)
        #expect(store.log.delay(now: start) == nil)
        try store.values.setTitle("u", key: record.key)
        try store.log.checkpoint()
        #expect(store.log.delay(now: start) == nil)
    }

    @Test("S-20 a clock that is set back keeps no commit waiting for its sync")
    func clockSetBack() throws {
        let store = try container.open()
        _ = try store.add("A")
        #expect(store.log.delay(now: container.clock.now - 1) == 0)
        #expect(try store.log.tend(now: container.clock.now - 1))
        #expect(store.counters.durableTransactions == 1)
    }

    @Test("S-20 values in mode normal are made durable by one sync, and only where some wait")
    func syncSaves() throws {
        let store = try container.open()
        let record = try store.add("A")
        let changes: [() throws -> Void] = [
            { try store.values.setTitle("t", key: record.key) },
            { try store.values.setStorage(["k": .integer(1)], key: record.key) },
            {
                try store.values.setConditions(
                    ActivationConditions(canActivate: .never), key: record.key)
            },
            { try store.save(record, activity(1), durability: .normal) },
            { try store.setSetting(1, named: "zoom") },
        ]
        for change in changes {
            try change()
            let before = store.counters
            try store.log.syncSaves()
            try store.log.syncSaves()
            #expect(store.counters.durableTransactions == before.durableTransactions + 1)
        }
        // Who is in front is no save.
        try store.marks.apply([MarkChange(key: record.key, isFront: true)])
        let before = store.counters
        try store.log.syncSaves()
        #expect(store.counters == before)
    }

    @Test("S-20 without an idle moment the log stays below 16 MB")
    func bound() throws {
        let store = try container.open()
        let record = try store.add("A")
        var most = 0
        for number in 0..<1_500 {
            try store.save(record, large(number), durability: .normal)
            most = max(most, store.counters.frames)
        }
        #expect(store.counters.checkpoints >= 2)
        #expect(most > 3_900)
        #expect(most <= 4_000)
        let log = try #require(container.folder.bytes("scenes.sqlite-wal"))
        #expect(log.count <= 16 << 20)
    }

    @Test("S-20 a log is copied while the disk has room for the copy and for what comes next")
    func room() throws {
        for megabytes in [1, 2, 64] {
            let store = try container.open { $0.room = { UInt64(megabytes) << 20 } }
            let record = try store.add("of \(megabytes)")
            var most = 0
            for number in 0..<150 {
                try store.save(record, large(number), durability: .normal)
                most = max(most, store.counters.frames)
            }
            // What the log has and may get until the next look is never more than the room, but for
            // the frames of one save.
            #expect(megabytes == 64 ? most > 1_000 : most < (megabytes << 20) / 4_120 + 60)
            #expect((store.counters.checkpoints > 2) == (megabytes < 64))
            try store.close()
        }
    }

    @Test("S-20 the disk's room is asked at 64 frames, at twice as many, and then each 256")
    func looks() {
        var log = WALUpkeep()
        var looks: [Int] = []
        for frames in 1...1_000 {
            let isFull = log.isFull(before: frames - 1, after: frames) {
                looks.append(frames)
                return UInt64((frames + min(frames, 256)) * 4_120)
            }
            #expect(!isFull)
        }
        #expect(looks == [64, 128, 256, 512, 768])
        // A byte less is too little.
        let isTight = log.isFull(before: 1_023, after: 1_024) { UInt64(1_280 * 4_120 - 1) }
        #expect(isTight)
        // Where nobody knows, only the log's own bound counts. A log that was begun anew is young.
        #expect(!log.isFull(before: 1_300, after: 1_301) { nil })
        #expect(!log.isFull(before: 1_301, after: 3) { 0 })
        #expect(!log.isFull(before: 3, after: 63) { 0 })
        #expect(log.isFull(before: 63, after: 64) { 0 })
    }

    @Test("S-20 a reader that pins the log makes no save copy it again and again")
    func pinned() throws {
        let store = try container.open()
        let record = try store.add("A")
        let reader = try container.open(.reader)
        try reader.database.withLock { db throws(SceneStoreError) in
            try db.read { _ throws(SceneStoreError) in
                do {
                    try fill(store, record, to: 6_000)
                } catch {
                    throw (error as? SceneStoreError) ?? Database.damagedStoreRow
                }
            }
        }
        // At 4 000 frames, and at each thousand after that.
        #expect((2...4).contains(store.counters.checkpoints))
        try reader.close()
        try store.log.checkpoint()
        try store.save(record, activity(1), durability: .normal)
        #expect(store.counters.frames < 100)
        // From then on the bound holds again.
        var most = 0
        let before = store.counters.checkpoints
        for number in 0..<600 {
            try store.save(record, large(number), durability: .normal)
            most = max(most, store.counters.frames)
        }
        #expect(store.counters.checkpoints > before)
        #expect(most <= 4_000)
    }

    @Test("S-20 R-04 a full log that can't be copied fails no save, one that can't be synced does")
    func refused() throws {
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let record = try store.add("A")
        fault.arm(.checkpoint, after: 1, code: FaultSwitch.full)
        try fill(store, record, to: 4_100)
        #expect(fault.disarm())
        #expect(store.counters.checkpoints == 0)
        fault.arm(.checkpoint, after: 1, code: FaultSwitch.syncFailed)
        #expect(failure { try fill(store, record, to: 9_000) } == .poisoned)
        #expect(fault.disarm())
        #expect(failure { try store.save(record, activity(1)) } == .poisoned)
        try store.close()
        let reopened = try container.open()
        #expect(try reopened.restorationActivity(key: record.key) != nil)
    }

    @Test("S-20 a checkpoint that a reader keeps from its end counts for no sync")
    func unfinishedCheckpoint() throws {
        let store = try container.open()
        let record = try store.add("A")
        let reader = try RawDatabase(container.folder.file())
        try reader.run("BEGIN")
        #expect(try reader.value("SELECT count(*) FROM session") == "1")
        try store.values.setTitle("t", key: record.key)
        let now = container.clock.now
        for isBlocked in [true, false] {
            if !isBlocked {
                try reader.run("COMMIT")
            }
            let before = store.counters.durableTransactions
            try store.log.checkpoint()
            #expect(store.log.delay(now: now) == (isBlocked ? 600_000 : nil))
            try store.log.syncSaves()
            #expect(store.counters.durableTransactions == before + (isBlocked ? 1 : 0))
            try store.values.setTitle("u", key: record.key)
        }
    }

    @Test("S-20 a save that leaves room for one like it copies nothing, one that does not does")
    func lastFrame() throws {
        let store = try container.open()
        let record = try store.add("A")
        var next = 0
        func save(frames: Int) throws -> Int {
            next += 1
            // As many overflow pages, and what every commit writes.
            let bytes = max(frames - 9, 0) * 4_092
            let before = store.counters
            try store.save(record, activity(next, bytes: bytes), durability: .normal)
            let after = store.counters
            guard after.frames > before.frames else {
                return 0
            }
            let sum = after.frames + after.frames - before.frames
            #expect((after.checkpoints > before.checkpoints) == (sum > 4_000), "\(sum)")
            return sum
        }
        var missing: Set = [4_000, 4_001]
        while let target = missing.min(), next < 2_000 {
            let room = target - store.counters.frames
            // Towards the bound by commits of many frames, the last one of half of the rest.
            missing.remove(try save(frames: room > 240 || room < 20 ? 60 : room / 2))
        }
        #expect(missing.isEmpty)
    }
}
