import Testing

import SceneStore
import SceneStoreTestContainers
import SceneStoreTesting

@Suite("Launches")
struct LaunchTests {
    @Test("L-11 the sessions in front are found in the order in which they were active")
    func frontRecords() throws {
        let store = try SceneSessionStore.memory()
        let a = try store.add("A", front: true)
        let b = try store.add("B", front: true)
        let c = try store.add("C")
        let d = try store.add("D", front: true)
        #expect(try store.frontRecords().map(\.identifier) == ["D", "B", "A"])
        try store.marks.apply([
            MarkChange(key: a.key, becameActive: true), MarkChange(key: b.key, isFront: false),
        ])
        #expect(try store.frontRecords().map(\.identifier) == ["A", "D"])
        // Two in one step keep their order.
        try store.marks.apply([
            MarkChange(key: b.key, isFront: true, becameActive: true),
            MarkChange(key: c.key, isFront: true, becameActive: true),
        ])
        #expect(try store.frontRecords().map(\.identifier) == ["C", "B", "A", "D"])
        #expect(try store.openRecords().map(\.identifier) == ["C", "B", "A", "D"])
        try store.discard([d.key], cause: .user, deliveredNow: true)
        #expect(try store.frontRecords().map(\.identifier) == ["C", "B", "A"])
    }

    @Test(
        "L-11 S-25 the only window's time of last use is exact to an hour, and a clock that went back writes none"
    )
    func lastUse() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        func isWritten(after milliseconds: Int64) throws -> Bool {
            container.clock.advance(milliseconds)
            let before = store.counters.transactions
            try store.marks.apply([MarkChange(key: record.key, becameActive: true)])
            return store.counters.transactions > before
        }
        let hour = HistoryPolicy.hour
        #expect(try !isWritten(after: hour - 1))
        #expect(try isWritten(after: 1))
        #expect(try store.openRecords().first?.lastActiveAt == container.clock.now)
        #expect(try !isWritten(after: hour - 1))
        #expect(try !isWritten(after: -48 * hour))
        #expect(try isWritten(after: 49 * hour))
    }

    @Test("L-11 finding what connects first reads the same few pages among 1 and 3 000 sessions")
    func firstSceneIsFlat() throws {
        var pages: [Int] = []
        for count in [1, 3_000] {
            let container = TestContainer(.fail)
            let store = try container.open()
            for number in 0..<count {
                _ = try store.add("session-\(number)", front: number == 0)
            }
            try store.close()
            let opened = try container.open()
            pages.append(
                try opened.pagesRead {
                    let record = try #require(try opened.frontRecords().first)
                    #expect(record.identifier == "session-0")
                    _ = try opened.session(for: record)
                    _ = try opened.mostRecentRecord(role: .windowApplication)
                    _ = try opened.openCount(role: .windowApplication)
                    _ = try opened.configurations.inUse()
                    _ = try opened.discards.pending()
                    _ = try opened.read { skeleton throws(SceneStoreError) in
                        (try skeleton.recordsWithConditions(), try skeleton.exceptionalRecords())
                    }
                })
        }
        // Trees of more sessions are a level or two higher.
        #expect(pages[1] <= pages[0] + 8, "\(pages)")
    }

    @Test("L-12 the most recently active session of a role is found, and counted")
    func roles() throws {
        let store = try SceneSessionStore.memory()
        let car = SceneConfiguration(name: "car", role: .carTemplateApplication)
        let window = SceneConfiguration(name: "other", role: .windowApplication)
        let a = try store.add("A")
        _ = try store.add("B", configuration: window)
        let c = try store.add("C", configuration: car)
        func uses() throws -> [Int64] {
            try store.read { db throws(SceneStoreError) in
                try db.allConfigurations().map(\.row.openSessions).filter { $0 > 0 }
            }
        }
        #expect(try store.mostRecentRecord()?.identifier == "C")
        #expect(try store.mostRecentRecord(role: .windowApplication)?.identifier == "B")
        #expect(try store.mostRecentRecord(role: .windowExternalDisplay) == nil)
        #expect(try store.openCount() == 3)
        #expect(try store.openCount(role: .windowApplication) == 2)
        #expect(try uses() == [1, 1, 1])
        let alone = try store.read { skeleton throws(SceneStoreError) in
            try skeleton.records(configurationKey: c.configurationKey)
        }
        #expect(alone.map(\.identifier) == ["C"])
        try store.configurations.adopt([a.key: window])
        #expect(try uses() == [2, 1])
        try store.discard([c.key], cause: .app, deliveredNow: true)
        #expect(try store.mostRecentRecord()?.identifier == "B")
        #expect(try store.openCount(role: .carTemplateApplication) == 0)
        // Of sessions that were never active the first by identifier.
        _ = try store.add("Z", active: false, configuration: car)
        _ = try store.add("Y", active: false, configuration: car)
        #expect(try store.mostRecentRecord(role: car.role)?.identifier == "Y")
    }

    @Test("L-14 the reasons: first, launch, recover, restore, and a force quit")
    func reasons() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        #expect(try store.launch() == LaunchStart(number: 1, reason: .first))
        try store.launches.end(.quit)
        #expect(try store.launch() == LaunchStart(number: 2, reason: .launch))
        // Died.
        #expect(try store.launch() == LaunchStart(number: 3, reason: .recover))
        // A restart of the system outranks a clean end and a death.
        try store.launches.end(.quit)
        #expect(try store.launch(boot: "boot-2").reason == .restore)
        #expect(try store.launch(boot: "boot-3").reason == .restore)
        try store.close()
        let editor = try container.open(.editor)
        try editor.recordForceQuit(policyDiscard: false)
        try editor.close()
        store = try container.open()
        #expect(try store.launch(boot: "boot-3") == LaunchStart(number: 6, reason: .recover))
        #expect(try store.launches.records().map(\.number) == [6, 5, 4, 3, 2, 1])
        #expect(
            try store.launches.records().map(\.died) == [false, false, true, false, true, false])
        #expect(
            try store.launches.records().map(\.end) == [nil, .forceQuit, nil, .quit, nil, .quit])
    }

    @Test("L-40 a force quit under policy discard discards every open session")
    func forceQuitDiscards() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        for name in ["A", "B"] {
            _ = try store.add(name)
        }
        try store.close()
        let editor = try container.open(.editor)
        try editor.recordForceQuit(policyDiscard: true)
        try editor.close()
        store = try container.open()
        try store.launch()
        #expect(try store.launches.records()[1].end == .forceQuit)
        #expect(try store.openRecords().isEmpty)
        #expect(Set(try store.discards.pending().map(\.identifier)) == ["A", "B"])
        #expect(try store.discards.pending().allSatisfy { $0.cause == .user })
    }

    @Test("L-52 a death while a session is restored blames it, and no other")
    func blame() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let a = try store.add("A")
        let b = try store.add("B")
        // A crash before any restore blames nobody.
        #expect(try store.launch().blamed == nil)
        for count in 1...3 {
            try store.launches.setRestoring(key: b.key)
            try store.launches.setRestoring(key: a.key)
            #expect(try store.launch().blamed == "A")
            #expect(try store.record(key: a.key)?.crashCount == count)
            #expect(try store.record(key: b.key)?.crashCount == 0)
        }
        #expect(try store.openRecords().contains { $0.crashCount > 0 })
        // Settled, or a farewell: nobody is blamed.
        try store.launches.setRestoring(key: a.key)
        try store.launches.setRestoring(key: nil)
        #expect(try store.launch().blamed == nil)
        try store.launches.setRestoring(key: a.key)
        try store.launches.end(.quit)
        #expect(try store.launch().blamed == nil)
        try store.launches.settle(restored: [a.key], version: nil)
        #expect(try store.record(key: a.key)?.crashCount == 0)
        #expect(try store.openRecords().allSatisfy { $0.crashCount == 0 })
        try store.marks.setHeld(true, key: a.key)
        #expect(try store.record(key: a.key)?.isHeldByHand == true)
    }

    @Test("L-65 a payload waits until it is acknowledged, and is one under its key")
    func inbox() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let payload = Payload.notification(NotificationResponse(identifier: "n"))
        let id = try store.inbox.keep(payload, dedupe: "n")
        #expect(try store.inbox.keep(payload, dedupe: "n") == id)
        #expect(try store.inbox.pending() == [InboxItem(id: id, payload: payload)])
        try store.inbox.markOffered([id])
        #expect(try store.inbox.pending().map(\.wasOffered) == [false])
        try store.launch()
        #expect(try store.inbox.pending().map(\.wasOffered) == [true])
        try store.inbox.acknowledge([id])
        #expect(try store.inbox.pending().isEmpty)
        let other = try store.inbox.keep(.urls([]), dedupe: nil)
        #expect(other != id)
        #expect(try store.inbox.pending().map(\.id) == [other])
    }

    @Test("L-76 decisions are stored with the next write, and can be asked for")
    func decisions() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        store.journal.append(
            DecisionRecord(.provider, session: "A", outcome: "not-asked", reason: "remembered"))
        #expect(try store.journal.events(session: "A").isEmpty)
        _ = try store.add("B")
        let event = try #require(try store.journal.events(session: "A").first)
        #expect(event.kind.rawValue == "provider")
        #expect(event.detail == "not-asked: remembered")
        #expect(event.launch == 1)
    }
}
