import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Pinned states")
struct PinTests {
    private let container = TestContainer(.fail)

    /// Saves states one an hour, so that old ones are given up; answers their generations.
    private func save(
        _ numbers: Range<Int>, _ record: SessionRecord, in store: SceneSessionStore, bytes: Int = 0
    ) throws -> [Int64] {
        try numbers.map { number in
            container.clock.advance(HistoryTests.hour)
            try store.save(record, activity(number, bytes: bytes), at: container.clock.now)
            return try #require(try store.history.versions(key: record.key).first).generation
        }
    }

    private func pinned(_ store: SceneSessionStore, _ key: Int64) throws -> [Int64] {
        try store.history.versions(key: key).filter(\.isPinned).map(\.generation).reversed()
    }

    @Test("S-51 sixteen states that the app pins stay, and the 17th pin throws")
    func bound() throws {
        var store = try container.open()
        let record = try store.add("A")
        var generations: [Int64] = []
        for number in 0..<SessionPins.capacity {
            generations += try save(number..<number + 1, record, in: store)
            try store.history.pin(key: record.key, generation: generations[number])
        }
        let next = try save(16..<17, record, in: store)[0]
        #expect(
            failure { try store.history.pin(key: record.key, generation: next) } == .limitExceeded)
        #expect(try pinned(store, record.key) == generations)
        try store.close()
        store = try container.open()
        // However many states come after them, and however long.
        for number in 100..<400 {
            container.clock.advance(HistoryTests.hour * 3)
            try store.save(record, activity(number), at: container.clock.now)
        }
        _ = try store.upkeep.prune(olderThan: nil)
        #expect(try pinned(store, record.key) == generations)
        for (number, generation) in generations.enumerated() {
            #expect(
                try store.history.state(key: record.key, generation: generation) == activity(number)
            )
        }
        // Unpinned, it goes as any other does, and another may be pinned.
        try store.history.unpin(key: record.key, generation: generations[0])
        _ = try save(400..<401, record, in: store)
        #expect(
            failure { try store.history.unpin(key: record.key, generation: generations[0]) } != nil)
        #expect(try pinned(store, record.key) == Array(generations.dropFirst()))
        let newest = try #require(try store.history.versions(key: record.key).first).generation
        try store.history.pin(key: record.key, generation: newest)
        #expect(try pinned(store, record.key) == generations.dropFirst() + [newest])
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-51 what can't be pinned or unpinned is refused by code")
    func refusals() throws {
        let store = try container.open()
        let record = try store.add("A")
        let generation = try save(0..<1, record, in: store)[0]
        let key = record.key
        #expect(failure { try store.history.unpin(key: key, generation: generation) } == .notPinned)
        #expect(failure { try store.history.pin(key: key, generation: 9_999) } == .noSuchState)
        #expect(failure { try store.history.unpin(key: key, generation: 9_999) } == .noSuchState)
        #expect(
            failure { try store.history.pin(key: 77, generation: generation) } == .noSuchSession)
        try store.history.pin(key: key, generation: generation)
        #expect(
            failure { try store.history.pin(key: key, generation: generation) } == .alreadyPinned)
        #expect(try pinned(store, key) == [generation])
    }

    @Test(
        "S-51 L-52 sixteen withheld states stay, and at the 17th the oldest gives way, with a word",
        arguments: [4, 5, 16, 17, 20])
    func withheld(count: Int) throws {
        var store = try container.open()
        let record = try store.add("A")
        var generations: [Int64] = []
        for number in 0..<count {
            generations += try save(number..<number + 1, record, in: store)
            try store.history.withhold(key: record.key, .failed)
        }
        for number in 100..<200 {
            container.clock.advance(HistoryTests.hour * 3)
            try store.save(record, activity(number), at: container.clock.now)
        }
        let told = store.takeDiagnostics().filter { $0.code == .pinGivenUp }
        #expect(told.count == max(0, count - SessionPins.capacity))
        try store.close()
        store = try container.open()
        let expected = Array(generations.suffix(SessionPins.capacity).reversed())
        #expect(try store.history.withheldVersions(key: record.key).map(\.generation) == expected)
        #expect(try store.verify(.full).isSound)
        // Taken back one after the other, the newest first, until none is left.
        for (place, generation) in expected.enumerated() {
            let again = try #require(try store.record(identifier: "A"))
            #expect(again.hasWithheldState)
            #expect(try store.history.takeBack(key: again.key))
            #expect(
                try store.restorationActivity(key: again.key) == activity(count - 1 - place),
                "\(generation)")
        }
        #expect(try store.record(identifier: "A")?.hasWithheldState == false)
        #expect(try !store.history.takeBack(key: record.key))
    }

    @Test("S-51 the app's pins drive withheld ones out, and never the other way round")
    func both() throws {
        let store = try container.open()
        let record = try store.add("A")
        let key = record.key
        let first = try save(0..<1, record, in: store)[0]
        try store.history.withhold(key: key, .failed)
        let generations = try save(1..<17, record, in: store)
        for generation in generations.prefix(15) {
            try store.history.pin(key: key, generation: generation)
        }
        #expect(try store.history.withheldVersions(key: key).map(\.generation) == [first])
        // A withheld one may be the app's, too, and counts once.
        try store.history.withhold(key: key, .declined)
        #expect(try store.history.withheldVersions(key: key).map(\.generation) == [generations[15]])
        try store.history.pin(key: key, generation: generations[15])
        #expect(store.takeDiagnostics().map(\.code) == [.pinGivenUp])
        #expect(try pinned(store, key) == generations)
        // With sixteen of the app's the state is withheld all the same, as long as it is current.
        let last = try save(17..<18, record, in: store)[0]
        try store.history.withhold(key: key, .crash)
        #expect(store.takeDiagnostics().map(\.code) == [.pinGivenUp])
        let judged = try #require(try store.record(identifier: "A"))
        #expect(judged.isStateBlamed)
        #expect(try store.history.withheldVersions(key: key).first?.generation == last)
        #expect(try store.history.takeBack(key: key))
        #expect(try pinned(store, key) == generations)
    }

    @Test("S-51 L-52 one of several withheld states is taken back by its generation")
    func chosen() throws {
        let store = try container.open()
        let record = try store.add("A")
        let key = record.key
        var generations: [Int64] = []
        for number in 0..<6 {
            generations += try save(number..<number + 1, record, in: store)
            try store.history.withhold(key: key, .failed)
        }
        #expect(try !store.history.takeBack(key: key, generation: 9_999))
        #expect(try store.history.takeBack(key: key, generation: generations[1]))
        #expect(try store.restorationActivity(key: key) == activity(1))
        #expect(
            try store.history.withheldVersions(key: key).map(\.generation)
                == [5, 4, 3, 2, 0].map { generations[$0] })
        #expect(try !store.history.takeBack(key: key, generation: generations[1]))
        // What the command checks out is no longer withheld either.
        try store.history.checkout(key: key, generation: generations[0])
        #expect(try store.history.withheldVersions(key: key).count == 4)
        #expect(try store.record(identifier: "A")?.isStateWithheld == false)
    }

    @Test("S-51 pinned states don't count for the bound of bytes")
    func bytes() throws {
        let store = try container.open { $0.history.bytes = 5_000 }
        let record = try store.add("A")
        let generations = try (0..<8).map { number in
            let generation = try save(number..<number + 1, record, in: store, bytes: 2_000)[0]
            try store.history.pin(key: record.key, generation: generation)
            return generation
        }
        _ = try save(8..<12, record, in: store, bytes: 1_000)
        #expect(try pinned(store, record.key) == generations)
        #expect(try store.history.versions(key: record.key).count == 12)
    }

    @Test("S-51 S-70 pins go when the session turns ephemeral, is forgotten or reset")
    func ends() throws {
        let store = try container.open()
        let record = try store.add("A")
        let generations = try save(0..<6, record, in: store)
        for generation in generations {
            try store.history.pin(key: record.key, generation: generation)
        }
        try store.history.withhold(key: record.key, .failed)
        try store.discard([record.key], cause: .user, deliveredNow: true)
        #expect(
            failure { try store.history.pin(key: record.key, generation: generations[0]) }
                == .noSuchSession)
        _ = try store.discards.reopen(identifier: "A")
        #expect(try pinned(store, record.key) == generations)
        try store.marks.setPrivacy(.ephemeral, key: record.key)
        #expect(try store.record(identifier: "A")?.hasWithheldState == false)
        try store.marks.setPrivacy(.standard, key: record.key)
        _ = try save(10..<11, record, in: store)
        #expect(try store.history.versions(key: record.key).map(\.isPinned) == [false])
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-51 pins are places with their makers; what is of no known form counts as absent")
    func form() {
        var pins = SessionPins()
        #expect(pins.bytes == nil)
        for slot in [3, 255, 0] {
            pins.withhold(slot)
        }
        let hasRoom = pins.pin(7)
        #expect(hasRoom)
        #expect(pins.bytes == [3, 1, 255, 1, 0, 1, 7, 2])
        #expect(SessionPins(pins.bytes) == pins)
        for bytes: [UInt8] in [[3], [3, 0], [3, 3], Array(repeating: 1, count: 66)] {
            #expect(!SessionPins.isWellFormed(bytes))
            #expect(SessionPins(bytes) == SessionPins())
        }
    }
}
