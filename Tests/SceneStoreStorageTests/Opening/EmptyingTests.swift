import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Leaving and emptying")
struct EmptyingTests {
    @Test("L-37 a discard is delivered until its return is recorded, then marked redelivered")
    func discards() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let a = try store.add("A")
        let b = try store.add("B")
        let c = try store.add("C")
        try store.discard([b.key], cause: .user, deliveredNow: false)
        try store.discard([a.key], cause: .cannotDisplay, deliveredNow: false)
        try store.discard([c.key], cause: .app, deliveredNow: true)
        try store.discards.mark([c.key], .delivered)
        try store.launch()
        var pending = try store.discards.pending()
        #expect(pending.map(\.identifier) == ["B", "A"])
        #expect(pending.map(\.cause) == [.user, .cannotDisplay])
        #expect(pending.map(\.isRedelivered) == [false, false])
        #expect(pending[0].configuration == b.configuration)
        let keys = pending.map(\.key)
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.mark(discards: keys, .offered)
        }
        try store.launch()
        pending = try store.discards.pending()
        #expect(pending.map(\.isRedelivered) == [true, true])
        try store.discards.mark(pending.map(\.key), .delivered)
        try store.launch()
        #expect(try store.discards.pending().isEmpty)
    }

    @Test("L-37 a discard that the app was being told of when it died is told once more")
    func liveDiscard() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let a = try store.add("A")
        try store.discard([a.key], cause: .user, deliveredNow: true)
        try store.launch()
        #expect(try store.discards.pending().map(\.isRedelivered) == [true])
    }

    @Test("L-43 a reset is one small step, and the launch after it a first one")
    func reset() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        try store.launch()
        for number in 0..<500 {
            let record = try store.add("session-\(number)", front: true)
            try store.save(record, activity(number), durability: .normal)
        }
        try store.saveActivity(activity(1))
        _ = try store.inbox.keep(.activity(activity(1)), dedupe: "d")
        let first = try #require(try store.record(identifier: "session-0"))
        try store.discard([first.key], cause: .user, deliveredNow: false)
        let before = store.counters
        try store.reset()
        let after = store.counters
        #expect(after.transactions - before.transactions == 1)
        #expect(after.frames - before.frames <= 3)
        #expect(try store.openRecords().isEmpty)
        #expect(try store.frontRecords().isEmpty)
        #expect(try store.openCount() == 0)
        #expect(try store.discards.pending().isEmpty)
        #expect(try store.discards.recentlyClosed().isEmpty)
        #expect(try store.savedActivities().isEmpty)
        #expect(try store.inbox.pending().isEmpty)
        #expect(try store.configurations.inUse().isEmpty)
        #expect(try store.launches.records().isEmpty)
        #expect(try store.journal.events().map(\.kind) == [.reset])
        #expect(try store.record(identifier: "session-1") == nil)
        // The identifiers are free again.
        let again = try store.add("session-1")
        try store.save(again, activity(9))
        try store.launches.end(.quit)
        try store.close()
        store = try container.open()
        // A session was made since: how the process ended counts.
        #expect(try store.launch().reason == .launch)
        #expect(try store.openRecords().map(\.identifier) == ["session-1"])
        while try store.upkeep.perform(budgetMilliseconds: 5) {}
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(try raw.value("SELECT count(*) FROM session") == "1")
        #expect(try raw.value("SELECT count(*) FROM state") == "1")
        #expect(try raw.value("SELECT count(*) FROM discard") == "0")
        #expect(try raw.value("SELECT count(*) FROM configuration") == "1")
        #expect(try raw.value("PRAGMA foreign_key_check") == "")
    }

    @Test("L-43 a reset that is cut off has happened or has not")
    func halvedReset() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        for name in ["A", "B"] {
            _ = try store.add(name)
        }
        for count in 1...3 {
            fault.arm(.step, after: count, code: FaultSwitch.ioError)
            guard failure({ try store.reset() }) != nil else {
                break
            }
            fault.disarm()
            #expect(try store.openRecords().count == 2)
        }
        fault.disarm()
        try store.reset()
        #expect(try store.openRecords().isEmpty)
    }

    @Test("S-42 L-76 a reset that is refused takes no decision along that waits")
    func refusedReset() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let record = try store.add("A")
        store.journal.append(
            DecisionRecord(.provider, session: "A", outcome: "not-asked", reason: "remembered"))
        fault.arm(.commit, after: 1, code: FaultSwitch.full)
        #expect(failure { try store.reset() } == .diskFull)
        fault.disarm()
        try store.values.setTitle("title", key: record.key)
        #expect(try store.journal.events(session: "A").contains { "\($0)".contains("not-asked") })
    }

    @Test("L-43 forget removes one session with all that it holds, and tells nobody")
    func forget() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let a = try store.add("A")
        let b = try store.add("B")
        for record in [a, b] {
            try store.save(record, activity(1))
            try store.values.setUserInfo(["k": 1], key: record.key)
            try store.values.setStorage(["k": .integer(1)], key: record.key)
        }
        try store.discard([b.key], cause: .user, deliveredNow: false)
        try store.forget([a.key, b.key])
        #expect(try store.openRecords().isEmpty)
        #expect(try store.discards.pending().isEmpty)
        #expect(try store.discards.recentlyClosed().isEmpty)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        for table in ["session", "state", "session_value", "scene_storage", "discard"] {
            #expect(try raw.value("SELECT count(*) FROM \(table)") == "0")
        }
    }

    @Test(
        "L-43 erase leaves no byte of what there was in any file, also of a damaged session",
        arguments: [false, true])
    func erase(isDamaged: Bool) throws {
        let container = TestContainer(.fail)
        let canary = "canary-4711-needle"
        var store = try container.open()
        let record = try store.add("id-" + canary)
        for number in 0..<4 {
            var state = activity(number)
            state.userInfo["secret"] = .string(canary)
            try store.save(record, state)
        }
        try store.values.setTitle(canary, key: record.key)
        try store.close()
        let manager = FileManager.default
        for name in ["backups", "quarantine"] {
            try manager.createDirectory(
                atPath: container.folder.file(name), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            try container.folder.write(Data(canary.utf8), name + "/old.sqlite")
        }
        // A copy that a process didn't finish.
        try container.folder.write(Data(canary.utf8), ".scenestore.1.1.tmp")
        func holdsCanary() -> Bool {
            let paths = ["", "backups/", "quarantine/"].flatMap { prefix in
                ((try? manager.contentsOfDirectory(atPath: container.folder.file(prefix))) ?? [])
                    .map { prefix + $0 }
            }
            return paths.contains { name in
                container.folder.holds(canary, name)
            }
        }
        #expect(holdsCanary())
        if isDamaged {
            try RawDatabase(container.folder.file()).run(
                "UPDATE session SET checksum = checksum + 1")
        }
        store = try container.open()
        if isDamaged {
            // Its row goes to those that are set aside, and its states have no session any more.
            try store.rest()
        }
        try store.erase()
        #expect(!holdsCanary())
        _ = try store.add("B")
        try store.close()
        #expect(!holdsCanary())
    }

    @Test("L-43 an erasure on a full disk removes the other files first, and the next one ends it")
    func fullDisk() throws {
        let canary = "canary-4711-needle"
        var codes: Set<SceneStoreError.Code> = []
        for count in 1...500 {
            let container = TestContainer(.fail)
            let fault = FaultSwitch()
            let store = try container.open { $0.fault = fault.seam }
            for name in ["A", "B"] {
                let record = try store.add(name)
                try store.values.setTitle(canary, key: record.key)
            }
            for name in ["backups", "quarantine", "operations"] {
                try FileManager.default.createDirectory(
                    atPath: container.folder.file(name), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                try container.folder.write(Data(canary.utf8), name + "/old")
            }
            fault.arm(.step, after: count, code: FaultSwitch.full)
            var error: SceneStoreError?
            do throws(SceneStoreError) {
                try store.erase()
            } catch let thrown {
                error = thrown
            }
            fault.disarm()
            for name in ["backups", "quarantine", "operations"] {
                #expect(!container.folder.holds(canary, name + "/old"), "\(count) \(name)")
            }
            if let error {
                codes.insert(error.code)
                let remains = error.code == .diskFull
                #expect(try store.openRecords().count == (remains ? 2 : 0), "\(count): \(error)")
                #expect(error.message.contains(remains ? "sessions remain" : "bytes remain"))
                try store.erase()
            }
            try store.close()
            #expect(!Self.holds(canary, container), "\(count)")
            guard error != nil else {
                break
            }
        }
        #expect(codes == [.diskFull, .erasurePending])
    }

    /// Whether a text stands in any byte of any file of a container, its folders included.
    private static func holds(_ text: String, _ container: TestContainer) -> Bool {
        let names =
            (try? FileManager.default.subpathsOfDirectory(atPath: container.folder.path)) ?? []
        return names.contains { container.folder.holds(text, $0) }
    }

    /// Everything that a session can hold, with a text that is looked for.
    private static func fill(
        _ store: SceneSessionStore, _ record: SessionRecord, _ canary: String
    ) throws {
        var state = activity(1)
        state.userInfo["secret"] = .string(canary)
        try store.save(record, state)
        state.userInfo["more"] = .string(canary + canary)
        try store.save(record, state)
        try store.values.setTitle(canary, key: record.key)
        try store.values.setUserInfo(["k": .string(canary)], key: record.key)
        try store.values.setStorage(["k": .string(canary)], key: record.key)
        try store.values.setPresentedValue(.string(canary), key: record.key)
        var conditions = ActivationConditions()
        conditions.prefersToActivate = .equals("earlier " + canary)
        try store.values.setConditions(conditions, key: record.key)
        conditions.prefersToActivate = .equals(canary)
        try store.values.setConditions(conditions, key: record.key)
    }

    @Test("S-70 turning a session ephemeral erases its content from every file, for good")
    func ephemeral() throws {
        let container = TestContainer(.fail)
        let canary = "canary-4711-needle"
        var store = try container.open()
        let record = try store.add("A")
        let other = try store.add("B")
        try Self.fill(store, record, canary)
        try store.save(other, activity(5))
        // Copies wherever a container has some: a backup, a file and a row that were set aside, a
        // log.
        _ = try store.backUp(before: nil)
        try store.close()
        let quarantine = container.folder.file("quarantine")
        try FileManager.default.createDirectory(
            atPath: quarantine, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try container.folder.write(
            try #require(container.folder.bytes()), "quarantine/scenes.sqlite")
        try RawDatabase(container.folder.file()).run(
            "UPDATE scene_storage SET checksum = checksum + 1")
        store = try container.open()
        _ = try store.values.storageValue(key: record.key, name: "k")
        while try store.upkeep.perform(budgetMilliseconds: 10_000) {}
        _ = store.takeDiagnostics()
        try store.values.setTitle(canary + " in the log", key: record.key)
        for name in ["scenes.sqlite", "scenes.sqlite-wal", "quarantine/scenes.sqlite"] {
            #expect(container.folder.holds(canary, name), "\(name)")
        }
        let backups = try FileManager.default.contentsOfDirectory(
            atPath: container.folder.file("backups"))
        #expect(backups.contains { container.folder.holds(canary, "backups/\($0)") })

        try store.marks.setPrivacy(.ephemeral, key: record.key)
        #expect(!Self.holds(canary, container))
        // From now on nothing of it reaches the disk, and the session is still remembered.
        try Self.fill(store, record, canary)
        try store.values.setPlacement(
            PlacementMemory(ScenePlacement(x: 1, y: 2, width: 3, height: 4)), key: record.key)
        #expect(!Self.holds(canary, container))
        try store.close()
        #expect(!Self.holds(canary, container))
        store = try container.open()
        #expect(try store.openRecords().map(\.identifier) == ["B", "A"])
        #expect(try store.session(for: record).placement?.width == 3)
        #expect(try store.record(key: record.key)?.privacy == .ephemeral)
        #expect(try store.restorationActivity(key: other.key) == activity(5))
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("S-70 of a session that was ephemeral from the beginning no byte reaches the disk")
    func alwaysEphemeral() throws {
        let container = TestContainer(.fail)
        let canary = "canary-4712-needle"
        let store = try container.open()
        try store.launch()
        let record = try store.add("A")
        try store.marks.setPrivacy(.ephemeral, key: record.key)
        try Self.fill(store, record, canary)
        #expect(!Self.holds(canary, container))
        // Whatever is done with it.
        try store.log.checkpoint()
        _ = try store.backUp(before: nil)
        #expect(!Self.holds(canary, container))
        try Self.fill(store, record, canary)
        let dead = try container.snapshot()
        #expect(!Self.holds(canary, dead))
        try store.discard([record.key], cause: .user, deliveredNow: true)
        try store.close()
        #expect(!Self.holds(canary, container))
    }

    @Test("S-70 of an ephemeral key no byte reaches the disk, and of its neighbours all do")
    func ephemeralKeys() throws {
        let container = TestContainer(.fail)
        let store = try container.open { $0.ephemeralKeys = ["secret", "caf\u{e9}"] }
        let record = try store.add("A")
        // In another normal form it is the same key.
        let userInfo: ValueDictionary = [
            "secret": "canary-4713-needle", "cafe\u{301}": "canary-4713-needle",
            "text": "open-4713",
        ]
        let state = try UserActivity(activityType: "com.example.edit", userInfo: userInfo)
        try store.save(record, state)
        try store.values.setUserInfo(userInfo, key: record.key)
        try store.values.setStorage(
            ["secret": .string("canary-4713-needle"), "k": .string("open-4713")], key: record.key)
        try store.saveActivity(state)
        _ = try store.inbox.keep(.activity(state), dedupe: "d")
        #expect(!Self.holds("canary-4713-needle", container))
        #expect(Self.holds("open-4713", container))
        #expect(try store.restorationActivity(key: record.key)?.userInfo == ["text": "open-4713"])
        #expect(try store.session(for: record).userInfo == ["text": "open-4713"])
        #expect(try store.values.storageValues(key: record.key) == ["k": .string("open-4713")])
        // An equal state is still an equal one.
        #expect(try !store.save(record, state))
    }

    @Test(
        "S-70 of a session that becomes ephemeral nothing stays that is damaged",
        arguments: ["state", "session_value", "scene_storage"])
    func damagedContent(_ table: String) throws {
        let container = TestContainer(.fail)
        let canary = "canary-4714-needle"
        var store = try container.open()
        let record = try store.add("A")
        try Self.fill(store, record, canary)
        try store.close()
        try RawDatabase(container.folder.file()).run(
            "UPDATE \(table) SET content_hash = content_hash + 1")
        store = try container.open()
        try store.marks.setPrivacy(.ephemeral, key: record.key)
        #expect(!Self.holds(canary, container))
        try store.rest()
        #expect(try store.verify(.full).findings.isEmpty)
    }

    @Test("S-70 a reader that keeps old content in the log makes the erasure pending, then done")
    func pendingErasure() throws {
        let container = TestContainer(.fail)
        let canary = "canary-4711-needle"
        let store = try container.open { $0.busyTimeout = 0 }
        let record = try store.add("A")
        try store.values.setTitle(canary, key: record.key)
        let reader = try container.open(.reader)
        let code = try reader.database.withLock { db throws(SceneStoreError) in
            try db.read { _ in failure { try store.erase() } }
        }
        #expect(code == .erasurePending)
        #expect(try store.openRecords().isEmpty)
        try reader.close()
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(!container.folder.names.contains { container.folder.holds(canary, $0) })
    }

    @Test("L-44 a session whose restoration is disabled is not remembered, and not discarded")
    func disabledRestoration() throws {
        let store = try SceneSessionStore.memory()
        try store.launch()
        let a = try store.add("A")
        _ = try store.add("B")
        try store.save(a, activity(1))
        try store.marks.setRestorationEnabled(false, key: a.key)
        #expect(try store.session(for: a).restoration == .disabled)
        #expect(try !store.save(a, activity(2)))
        #expect(try store.openRecords().count == 2)
        try store.launch()
        #expect(try store.openRecords().map(\.identifier) == ["B"])
        #expect(try store.record(identifier: "A") == nil)
        #expect(try store.discards.pending().isEmpty)
        #expect(try store.discards.recentlyClosed().isEmpty)
    }

    @Test("L-85 saved activities are deleted by name or all at once; sessions are untouched")
    func savedActivities() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        try store.save(record, activity(1))
        var named: [UserActivity] = []
        for (number, name) in ["x", "y", nil, "x"].enumerated() {
            var saved = activity(number)
            saved.persistentIdentifier = name
            saved.needsSave = false
            named.append(saved)
            try store.saveActivity(saved)
        }
        // The second "x" took the first one's place.
        #expect(try store.savedActivities() == [named[1], named[2], named[3]])
        try store.deleteSavedActivities(persistentIdentifiers: ["x", "nobody"])
        #expect(try store.savedActivities() == [named[1], named[2]])
        try store.deleteAllSavedActivities()
        #expect(try store.savedActivities().isEmpty)
        #expect(try store.restorationActivity(key: record.key) == activity(1))
    }
}
