import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("What a session remembers")
struct SessionTests {
    @Test("L-86 R-41 an error about a stored value names its key, shortened and quoted")
    func storageKeyPaths() throws {
        let store = try SceneSessionStore.memory { $0.limits.valueBytes = 100 }
        let record = try store.add("A")
        let value = Value.string(String(repeating: "x", count: 101))
        for (name, path) in [
            ("zoom", "storage.zoom"), ("a.b", #"storage["a.b"]"#),
            (
                String(repeating: "k", count: 90),
                #"storage["\#(String(repeating: "k", count: 64))…"]"#
            ),
        ] {
            let error = #expect(throws: SceneStoreError.self) {
                try store.values.setStorage([name: value], key: record.key)
            }
            #expect(error?.path == path)
        }
    }

    @Test("L-86 a key in another normal form is the same key, and the last value counts")
    func normalForms() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.values.setStorage(["caf\u{e9}": 1], key: record.key)
        try store.values.setStorage(["cafe\u{301}": 2], key: record.key)
        try store.close()
        store = try container.open()
        #expect(try store.values.storageValues(key: record.key) == ["caf\u{e9}": 2])
        try store.values.setStorage(["cafe\u{301}": nil], key: record.key)
        #expect(try store.values.storageValues(key: record.key).isEmpty)
    }

    @Test("R-25 L-86 a key that a damaged index doesn't find is no other one")
    func damagedStorageIndex() throws {
        let container = TestContainer(.fail)
        let first = try container.open()
        let record = try first.add("A")
        try first.values.setStorage(["aaaa": 1, "caf\u{e9}": 2], key: record.key)
        try first.close()
        let whole = try #require(container.folder.bytes())
        let places = whole.indices.filter { whole[$0...].starts(with: "aaaa".utf8) }
        #expect(places.count == 2, "a row and its entry in the index")
        for place in places {
            var bytes = whole
            bytes[place] ^= 0x80
            try container.folder.write(bytes)
            let store = try container.open()
            try? store.values.setStorage(["caf\u{e9}": 3], key: record.key)
            #expect(try store.values.storageValues(key: record.key)["caf\u{e9}"] != nil)
            try store.close()
        }
    }

    @Test("L-71 L-72 conditions whose text has another normal form are other conditions")
    func normalFormsOfConditions() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        for text in ["caf\u{e9}", "cafe\u{301}"] {
            try store.values.setConditions(
                ActivationConditions(canActivate: .equals(text)), key: record.key)
            let stored = try store.session(for: record).activationConditions
            #expect(stored.canActivate.allows(text))
        }
    }

    @Test("L-88 a setting whose key begins with a combining mark is a setting")
    func combiningKey() throws {
        let store = try SceneSessionStore.memory()
        try store.setSetting(1, named: "\u{301}x")
        #expect(try store.settings() == ["\u{301}x": 1])
        #expect(try store.savedActivities().isEmpty)
    }

    @Test("S-41 L-65 a payload whose number is given twice is counted once")
    func repeatedNumber() throws {
        let store = try SceneSessionStore.memory()
        let number = try store.inbox.keep(.activity(activity(1)), dedupe: nil)
        try store.inbox.acknowledge([number, number])
        #expect(try store.verify(.full).findings.isEmpty)
    }

    @Test("L-44 a session that is not to be remembered is never there without its mark")
    func notRemembered() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.launch()
        let before = store.counters.transactions
        let record = try store.insertSession(
            identifier: "A", configuration: SceneConfiguration(name: "c", role: .windowApplication),
            becameActive: true, isRemembered: false)
        #expect(store.counters.transactions == before + 1)
        #expect(!record.isRestorationEnabled)
        #expect(
            try store.journal.events(session: "A").map(\.detail) == ["restoration disabled", nil])
        store.abandon()
        let next = try container.open()
        try next.launch()
        #expect(try next.openRecords().isEmpty)
    }

    @Test("L-11 identifiers are compared by their bytes")
    func identifiers() throws {
        let composed = "Caf\u{e9}"
        let decomposed = "Cafe\u{301}"
        #expect(composed == decomposed)
        #expect(IdentifierText(composed) != IdentifierText(decomposed))
        #expect(Set([composed, decomposed].map(IdentifierText.init)).count == 2)
        #expect(IdentifierText("A") == IdentifierText("A"))
        let store = try SceneSessionStore.memory()
        let first = try store.add(composed, active: false)
        let second = try store.add(decomposed, active: false)
        // 65 stands before C3 in the last character's place.
        #expect(SessionRecord.comesBefore(second, first))
        #expect(!SessionRecord.comesBefore(first, second))
        #expect(try store.openRecords().map(\.key) == [second.key, first.key])
        #expect(try store.journal.events(session: composed).count == 1)
        var activity = activity(1)
        for name in [composed, decomposed] {
            activity.persistentIdentifier = name
            try store.saveActivity(activity)
        }
        #expect(try store.savedActivities().count == 2)
        try store.deleteSavedActivities(persistentIdentifiers: [composed, decomposed])
        #expect(try store.savedActivities().isEmpty)
    }

    @Test("L-04 everything about a session is equal across launches, byte for byte")
    func roundTrip() throws {
        let container = TestContainer(.fail)
        var configuration = SceneConfiguration(
            name: "Caf\u{e9}", role: SceneSessionRole(rawValue: "MyOwnRole\u{0}x"))
        configuration.sceneClassName = "$(PRODUCT_MODULE_NAME).Scene"
        configuration.delegateClassName = "D"
        configuration.storyboardName = ""
        configuration.initialImmersionStyle = "mixed"
        configuration.resolution = .unresolved
        // Equal for Swift, other bytes: not the same configuration.
        var decomposed = configuration
        decomposed.name = "Cafe\u{301}"
        let info: ValueDictionary = ["one": 1, "true": true, "double": 1.0, "empty": ""]
        var state = activity(1)
        state.title = "t"
        state.targetContentIdentifier = "doc"
        try state.setWebpageURL(URL(string: "https://example.com/a?b#c"))
        state.userInfo["nan"] = .double(.nan)
        state.userInfo["zero"] = .double(-0.0)
        state.needsSave = false
        var store = try container.open()
        let a = try store.insertSession(
            identifier: "A", configuration: configuration, userInfo: info)
        let b = try store.insertSession(identifier: "B", configuration: decomposed)
        try store.save(a, state)
        try store.close()
        store = try container.open()
        let session = try store.session(for: a)
        #expect(session.persistentIdentifier == "A")
        #expect(Array((session.configuration.name ?? "").utf8) == Array("Caf\u{e9}".utf8))
        #expect(session.configuration == configuration)
        #expect(session.configuration.resolution == .unresolved)
        #expect(session.role.rawValue == "MyOwnRole\u{0}x")
        #expect(session.userInfo == info)
        #expect(session.stateRestorationActivity == state)
        #expect(session.restoration == .available)
        let other = try store.session(for: b)
        #expect(Array((other.configuration.name ?? "").utf8) == Array("Cafe\u{301}".utf8))
        #expect(a.configurationKey != b.configurationKey)
    }

    @Test("L-45 title and placement are stored in mode normal, without history")
    func placement() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        let before = store.counters.durableTransactions
        try store.values.setTitle("One", key: record.key)
        try store.values.setTitle("Two", key: record.key)
        let placement = ScenePlacement(
            x: -10.5, y: 20, width: 300, height: 200, display: "DP-1", windowState: .maximized,
            stackingOrder: 3)
        try store.values.setPlacement(PlacementMemory(placement), key: record.key)
        #expect(store.counters.durableTransactions == before)
        #expect(try store.history.versions(key: record.key).isEmpty)
        try store.close()
        store = try container.open()
        #expect(try store.session(for: record).title == "Two")
        #expect(try store.session(for: record).placement == placement)
        try store.values.setTitle(nil, key: record.key)
        try store.values.setPlacement(nil, key: record.key)
        #expect(try store.session(for: record).title == nil)
        #expect(try store.session(for: record).placement == nil)
    }

    @Test("L-50 configurations are judged once each: renamed, stale, forgotten")
    func configurations() throws {
        let store = try SceneSessionStore.memory()
        let a = try store.add("A")
        try store.write(.normal) { transaction throws(SceneStoreError) in
            if let session = try transaction.db.session(a.key) {
                try transaction.updateRow(session) { $0.flags.insert(.stale) }
            }
        }
        #expect(try store.record(key: a.key)?.isStale == true)
        // A new state fits again.
        try store.save(a, activity(1))
        #expect(try store.record(key: a.key)?.isStale == false)
        try store.configurations.forget()
        let use = try #require(try store.configurations.inUse().first)
        #expect(use.configuration.name == nil)
        #expect(use.configuration.role == .windowApplication)
        #expect(use.configuration.resolution == .manifest)
    }

    @Test("L-51 the versions and the time that a state was saved under are kept with it")
    func saveContext() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        #expect(try store.saveContext(key: record.key) == nil)
        for version in ["1", "2", "1"] {
            let context = SaveContext(
                appVersion: version, systemVersion: nil, idiom: "phone", savedAt: 99)
            _ = try store.save(
                [StateToSave(key: record.key, activity: activity(Int(version) ?? 0))],
                context: context)
            #expect(try store.saveContext(key: record.key) == context)
        }
    }

    @Test("L-71 conditions are stored with the session, equal ones once")
    func conditions() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let a = try store.add("A")
        let b = try store.add("B")
        _ = try store.add("C")
        let d = try store.add("D")
        let conditions = ActivationConditions(
            canActivate: .any([.hasPrefix("doc:"), .matches("*.txt")]),
            prefersToActivate: .not(.equals("x")))
        for record in [a, b, d] {
            try store.values.setConditions(conditions, key: record.key)
        }
        try store.values.setConditions(ActivationConditions(), key: d.key)
        try store.close()
        store = try container.open()
        let (found, recent) = try store.read { skeleton throws(SceneStoreError) in
            (
                try skeleton.recordsWithConditions(),
                try skeleton.mostRecentWithDefaultConditions()
            )
        }
        #expect(found.map(\.record.identifier) == ["B", "A"])
        #expect(found.allSatisfy { $0.conditions == conditions })
        #expect(recent?.identifier == "D")
        #expect(try store.session(for: a).activationConditions == conditions)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(try raw.value("SELECT count(*) FROM conditions") == "1")
    }

    @Test("L-71 conditions whose hash is that of others are others")
    func conditionsOfOneHash() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        let own = ActivationConditions(prefersToActivate: .equals("own"))
        let other = ActivationConditions(prefersToActivate: .equals("other"))
        // Nobody has two texts of one XXH64, so the row of other conditions bears their hash.
        let hash = Database.hash(try ValueCodec.encode(own))
        let bytes = try ValueCodec.encode(other)
        try store.database.withLock { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                _ = try transaction.insert(
                    ConditionsRow {
                        $0.id = transaction.nextID()
                        $0.epoch = transaction.store.containerEpoch
                        $0.contentHash = hash
                    }, payload: bytes)
            }
        }
        try store.values.setConditions(own, key: record.key)
        #expect(try store.session(for: record).activationConditions == own)
        // The cache may not have answered for the row.
        let read = try store.read { skeleton throws(SceneStoreError) in
            try skeleton.recordsWithConditions()
        }
        #expect(read.map(\.conditions) == [own])
    }

    @Test("L-70 R-26 a session is chosen by its row: what an index says otherwise is noticed")
    func staleIndex() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let conditions = ActivationConditions(prefersToActivate: .equals("x"))
        for name in ["A", "B"] {
            try store.values.setConditions(conditions, key: try store.add(name).key)
        }
        let keys = try store.read { skeleton throws(SceneStoreError) in
            try skeleton.keysWithConditions()
        }
        #expect(keys.count == 2)
        func found(_ key: ConditionedKey) throws -> SceneSession.ID? {
            try store.read { skeleton throws(SceneStoreError) in
                try skeleton.record(of: key)?.id
            }
        }
        #expect(try keys.map(found) == ["B", "A"])
        #expect(store.takeDiagnostics().isEmpty)
        var (older, other) = (keys[0], keys[1])
        older.recency -= 1
        #expect(try found(older) == nil)
        #expect(store.takeDiagnostics().map(\.code) == [.pageDamage])
        other.conditionsID = 99
        #expect(try found(other) == nil)
    }

    @Test("L-86 scene storage: equal keys of two sessions are independent, and go with them")
    func storage() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let a = try store.add("A")
        let b = try store.add("B")
        try store.values.setStorage(["k": .integer(1), "gone": .boolean(true)], key: a.key)
        try store.values.setStorage(["k": .string("b")], key: b.key)
        try store.values.setStorage(["k": .double(2), "gone": nil], key: a.key)
        try store.close()
        store = try container.open()
        #expect(try store.values.storageValues(key: a.key) == ["k": .double(2)])
        #expect(try store.values.storageValue(key: b.key, name: "k") == .string("b"))
        try store.forget([a.key])
        #expect(try store.values.storageValues(key: a.key).isEmpty)
        #expect(try store.values.storageValues(key: b.key).count == 1)
    }

    @Test("L-87 sessions are found by the value that they present")
    func presentedValue() throws {
        let store = try SceneSessionStore.memory()
        let value: Value = ["document": 7]
        let configuration = SceneConfiguration(name: nil, role: .windowApplication)
        let a = try store.insertSession(
            identifier: "A", configuration: configuration, presentedValue: value)
        let b = try store.add("B")
        func presenting(_ value: Value) throws -> [String] {
            try store.read { reader throws(SceneStoreError) in
                try reader.records(presenting: value).map(\.identifier)
            }
        }
        #expect(try presenting(value) == ["A"])
        try store.values.setPresentedValue(value, key: b.key)
        try store.values.setPresentedValue(["document": 8], key: a.key)
        #expect(try presenting(value) == ["B"])
        #expect(try store.session(for: a).presentedValue == ["document": 8])
        #expect(try presenting(["document": true]).isEmpty)
    }
}
