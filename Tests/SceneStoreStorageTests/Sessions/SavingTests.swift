import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Saving")
struct SavingTests {
    @Test("S-20 a full save is one sync, a normal one none, and no save checkpoints")
    func modes() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        let before = store.counters
        try store.save(record, activity(1), durability: .full)
        try store.save(record, activity(2), durability: .normal)
        try store.values.setTitle("t", key: record.key)
        try store.marks.apply([MarkChange(key: record.key, isFront: true)])
        let after = store.counters
        #expect(after.transactions - before.transactions == 4)
        #expect(after.durableTransactions - before.durableTransactions == 1)
        #expect(after.checkpoints == 0)
    }

    @Test("S-20 the mode is in force when the commit is made, also after a change of mode")
    func modeInForce() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        func inForce() throws -> Int64? {
            try store.database.withLock { try $0.connection.pragma("PRAGMA synchronous") }
        }
        for (number, durability) in [Durability.full, .normal, .full, .full, .normal].enumerated() {
            try store.save(record, activity(number), durability: durability)
            #expect(try inForce() == (durability == .full ? 2 : 1))
        }
    }

    @Test("S-20 L-31 a full save of a state that was saved in mode normal makes it durable")
    func lateSync() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1), durability: .normal)
        var before = store.counters.durableTransactions
        #expect(try !store.save(record, activity(1), durability: .full))
        #expect(store.counters.durableTransactions == before + 1)
        // From then on it costs nothing, also after a checkpoint, which syncs too.
        before = store.counters.transactions
        #expect(try !store.save(record, activity(1), durability: .full))
        #expect(store.counters.transactions == before)
        try store.save(record, activity(2), durability: .normal)
        try store.log.checkpoint()
        before = store.counters.transactions
        #expect(try !store.save(record, activity(2), durability: .full))
        #expect(store.counters.transactions == before)
    }

    @Test("S-20 the first save after an opening is no more synced than any other")
    func lateSyncAfterOpening() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.close()
        store = try container.open()
        try store.save(record, activity(1), durability: .normal)
        #expect(store.counters.durableTransactions == 0)
        #expect(try !store.save(record, activity(1), durability: .full))
        #expect(store.counters.durableTransactions == 1)
    }

    @Test("S-24 a discarded session's change is dropped, and the others are saved")
    func discardedMeanwhile() throws {
        let store = try SceneSessionStore.memory()
        let a = try store.add("A")
        let b = try store.add("B")
        try store.discard([a.key], cause: .user, deliveredNow: true)
        let changed = try store.save(
            [a, b].map { StateToSave(key: $0.key, activity: activity(1)) },
            marks: [MarkChange(key: a.key, isFront: true, becameActive: true)],
            context: SaveContext(savedAt: 0))
        #expect(changed == [b.key])
        #expect(try store.openRecords().map(\.identifier) == ["B"])
        #expect(try store.frontRecords().isEmpty)
        #expect(
            failure {
                _ = try store.save(
                    [StateToSave(key: 999, activity: nil)], context: SaveContext(savedAt: 0))
            } == .noSuchSession)
    }

    @Test("S-21 any number of sessions is one transaction")
    func oneTransaction() throws {
        let store = try SceneSessionStore.memory()
        let records = try (0..<50).map { try store.add("session-\($0)") }
        let before = store.counters.transactions
        let generation = store.currentGeneration()
        let changed = try store.save(
            records.enumerated().map { StateToSave(key: $1.key, activity: activity($0)) },
            marks: records.map { MarkChange(key: $0.key, isFront: true) },
            context: SaveContext(savedAt: 0))
        #expect(changed == records.map(\.key))
        #expect(store.counters.transactions == before + 1)
        #expect(store.currentGeneration() == generation + 1)
        #expect(try store.frontRecords().count == 50)
    }

    @Test("S-21 S-60 R-30 of more sessions than are kept in memory each one is saved whole")
    func manySessions() throws {
        let store = try SceneSessionStore.memory()
        let records = try (0..<16_400).map { try store.add("session-\($0)", active: false) }
        let states = records.enumerated().map { StateToSave(key: $1.key, activity: activity($0)) }
        func saveAll() throws -> Int {
            try store.save(
                states, marks: records.map { MarkChange(key: $0.key, isFront: true) },
                context: SaveContext(savedAt: 0), durability: .normal
            ).count
        }
        #expect(try saveAll() == records.count)
        #expect(try saveAll() == 0)
        let first = try #require(records.first)
        try store.save(first, activity(-1))
        #expect(try store.restorationActivity(key: first.key) == activity(-1))
        let stored = try store.openRecords()
        #expect(stored.count == records.count)
        #expect(stored.allSatisfy { $0.hasState && $0.isFront })
        for record in records {
            #expect(try store.record(key: record.key) != nil)
        }
        #expect(store.database.withLock { $0.caches.sessions.count } <= 16_384)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-21 a save that fails changes nothing and the next one includes everything")
    func failedSave() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let a = try store.add("A")
        let b = try store.add("B")
        try store.save(a, activity(1))
        let states = [
            StateToSave(key: a.key, activity: activity(2)),
            StateToSave(key: b.key, activity: activity(3)),
        ]
        let context = SaveContext(savedAt: 0)
        for operation in [FaultSwitch.Operation.step, .begin, .commit, .bind, .reset] {
            // Full disk at the first, second, third … call of its kind.
            for count in 1...6 {
                fault.arm(operation, after: count, code: FaultSwitch.full)
                let code = failure { _ = try store.save(states, context: context) }
                let hasFired = fault.disarm()
                guard hasFired else {
                    // Fewer calls than that: the save went through, so take it back.
                    #expect(code == nil)
                    try store.save(a, activity(1))
                    try store.save(b, nil)
                    continue
                }
                #expect(code == .diskFull, "\(operation) \(count)")
                #expect(try store.restorationActivity(key: a.key) == activity(1))
                #expect(try store.restorationActivity(key: b.key) == nil)
            }
        }
        #expect(try store.save(states, context: context) == [a.key, b.key])
        #expect(try store.restorationActivity(key: a.key) == activity(2))
        #expect(try store.restorationActivity(key: b.key) == activity(3))
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-21 a state over the limits is refused with its key path and nothing is stored")
    func overLimit() throws {
        let store = try SceneSessionStore.memory { $0.limits.valueBytes = 100 }
        let a = try store.add("A")
        let b = try store.add("B")
        do {
            _ = try store.save(
                [
                    StateToSave(key: a.key, activity: activity(1)),
                    StateToSave(key: b.key, activity: activity(2, bytes: 101)),
                ], context: SaveContext(savedAt: 0))
            Issue.record("saved")
        } catch {
            #expect(error.code == .limitExceeded)
            #expect(error.path?.contains("text") == true)
        }
        #expect(try store.restorationActivity(key: a.key) == nil)
        #expect(failure { _ = try store.encoder.encode(activity(2, bytes: 101)) } == .limitExceeded)
        #expect(failure { _ = try store.encoder.encode(activity(2, bytes: 100)) } == nil)
    }

    @Test("S-22 an unchanged state costs no byte", arguments: [false, true])
    func unchanged(reopened: Bool) throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1, bytes: 2_000))
        if reopened {
            try store.close()
            store = try container.open()
        }
        let before = container.contents
        let counters = store.counters
        for _ in 0..<10 {
            #expect(try !store.save(record, activity(1, bytes: 2_000)))
        }
        #expect(container.contents == before)
        #expect(store.counters.transactions == counters.transactions)
        #expect(store.counters.statesUnchanged == counters.statesUnchanged + 10)
        #expect(try store.save(record, activity(2, bytes: 2_000)))
        #expect(try store.save(record, activity(1, bytes: 2_000)))
    }

    @Test("S-20 a changed title and placement go with the state, in one sync")
    func valuesWithState() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let a = try store.add("A")
        let b = try store.add("B")
        let placement = ScenePlacement(x: 1, y: 2, width: 3, height: 4)
        let states = [
            StateToSave(key: a.key, activity: activity(1)),
            StateToSave(key: b.key, activity: activity(2)),
        ]
        let values = [
            ValuesToSave(key: a.key, title: "over"),
            ValuesToSave(key: a.key, title: "t", placement: PlacementMemory(placement)),
            ValuesToSave(key: b.key, title: "u"),
        ]
        let context = SaveContext(savedAt: 1)
        let before = store.counters
        #expect(try store.save(states, values: values, context: context) == [a.key, b.key])
        #expect(store.counters.transactions == before.transactions + 1)
        #expect(store.counters.durableTransactions == before.durableTransactions + 1)
        let session = try store.session(for: a)
        #expect(session.title == "t")
        #expect(session.placement == placement)
        #expect(try store.session(for: b).title == "u")
        #expect(try store.session(for: b).placement == nil)
        // What is stored costs nothing; what is not named stays, and nil removes.
        #expect(try store.save(states, values: values, context: context).isEmpty)
        #expect(store.counters.transactions == before.transactions + 1)
        let removal = [ValuesToSave(key: a.key, title: .some(nil))]
        #expect(try store.save([], values: removal, context: context).isEmpty)
        #expect(store.counters.transactions == before.transactions + 2)
        #expect(store.counters.durableTransactions == before.durableTransactions + 1)
        #expect(try store.session(for: a).title == nil)
        #expect(try store.session(for: a).placement == placement)
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-21 a title that is refused keeps the states of its save from being stored")
    func refusedValue() throws {
        let store = try SceneSessionStore.memory { $0.limits.keyBytes = 60 }
        let record = try store.add("A")
        let generation = store.currentGeneration()
        #expect(
            failure {
                try store.save(
                    [StateToSave(key: record.key, activity: activity(1))],
                    values: [
                        ValuesToSave(key: record.key, title: String(repeating: "x", count: 61))
                    ],
                    context: SaveContext(savedAt: 1))
            } == .limitExceeded)
        #expect(store.currentGeneration() == generation)
    }

    @Test("S-22 marks, titles, placements and storage that are what they were cost nothing")
    func unchangedValues() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A", front: true)
        let placement = ScenePlacement(x: 1, y: 2, width: 3, height: 4)
        var conditions = ActivationConditions()
        conditions.prefersToActivate = .equals("x")
        func setAll() throws {
            try store.values.setTitle("t", key: record.key)
            try store.values.setPlacement(PlacementMemory(placement), key: record.key)
            try store.values.setUserInfo(["k": 1], key: record.key)
            try store.values.setStorage(["k": .integer(1)], key: record.key)
            try store.values.setConditions(conditions, key: record.key)
            try store.values.setPresentedValue("v", key: record.key)
            try store.marks.apply([
                MarkChange(key: record.key, isFront: true, becameActive: true)
            ])
            try store.marks.setHeld(false, key: record.key)
            try store.configurations.adopt([record.key: record.configuration])
            try store.launches.setRestoring(key: record.key)
        }
        try setAll()
        let generation = store.currentGeneration()
        try setAll()
        #expect(store.currentGeneration() == generation)
    }

    @Test("S-23 a save writes three pages, however many sessions and however much history")
    func amountWritten() throws {
        for count in [1, 400] {
            let container = TestContainer(.fail)
            let store = try container.open()
            var records: [SessionRecord] = []
            for number in 0..<count {
                let record = try store.add("session-\(number)")
                records.append(record)
                // Until the ring of slots is full.
                for state in 0..<(number % 100 == 0 ? 12 : 1) {
                    try store.save(
                        record, activity(1_000 + state, bytes: 2_000), durability: .normal)
                }
            }
            let record = records[count / 2 / 100 * 100]
            for number in 0..<5 {
                let before = store.counters
                try store.save(record, activity(2_000 + number, bytes: 2_000))
                let after = store.counters
                #expect(after.frames - before.frames == 3)
                #expect(after.durableTransactions - before.durableTransactions == 1)
            }
        }
    }

    @Test("S-25 order is by generation: no jump of the clock changes it")
    func jumpingClock() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let times: [Int64] = [
            1_767_225_600_000, 253_402_300_799_000 + 1, -5_000_000_000, 1_735_689_600_000, 0, .max,
            .min,
        ]
        var names: [String] = []
        for (index, time) in times.enumerated() {
            clock.now = time
            let name = "session-\(index)"
            let record = try store.add(name)
            try store.save(record, activity(index), at: time)
            names.insert(name, at: 0)
            #expect(try store.openRecords().map(\.identifier) == names)
            #expect(try store.mostRecentRecord()?.identifier == name)
        }
        let record = try #require(try store.record(identifier: "session-0"))
        for (index, time) in times.enumerated() {
            clock.now = time
            try store.save(record, activity(100 + index), at: time)
        }
        let history = try store.history.versions(key: record.key)
        #expect(history.count == times.count + 1)
        #expect(history.map(\.generation) == history.map(\.generation).sorted(by: >))
        #expect(try store.restorationActivity(key: record.key) == activity(106))
    }

    @Test("S-25 S-50 a clock that jumps expires nothing that was closed later than what stays")
    func closedOrder() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let day: Int64 = 86_400_000
        let start = clock.now
        for (index, time) in [start, start - 400 * day, start + 3_000_000 * day, start].enumerated()
        {
            let record = try store.add("session-\(index)")
            clock.now = time
            try store.discard([record.key], cause: .user, deliveredNow: true)
        }
        // The second was closed "400 days ago", but later than the first, which is young.
        #expect(
            try store.discards.recentlyClosed().map(\.record.identifier)
                == ["session-3", "session-2", "session-1", "session-0"])
        #expect(try store.upkeep.pruningPlan().isEmpty)
    }
}

extension ValuesToSave {
    fileprivate init(key: Int64, title: String??, placement: PlacementMemory?? = nil) {
        self.init(key: key)
        self.title = title
        self.placement = placement
    }
}
