import Foundation
import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers

@Suite("Imported activities")
struct ImportedActivityTests {
    private func store(_ text: String, at time: Int64) throws -> (SceneSessionStore, TestContainer)
    {
        let container = TestContainer()
        container.clock.advance(time)
        let store = try container.open()
        var activity = try UserActivity(
            activityType: "com.example.read", userInfo: ["text": .string(text)])
        activity.persistentIdentifier = "article"
        try store.saveActivity(activity)
        return (store, container)
    }

    private func texts(_ store: SceneSessionStore) throws -> [String?] {
        try store.savedActivities().map { $0.userInfo["text"]?.stringValue }
    }

    @Test(
        "S-63 L-85 a saved activity whose identifier is taken is never imported beside the other",
        arguments: [
            (ImportMerge.keep, 10, "ours"), (.replace, 0, "theirs"), (.newest, 10, "theirs"),
            (.newest, 0, "ours"), (.renumber, 10, "theirs"), (.renumber, 0, "ours"),
        ] as [(ImportMerge, Int64, String)])
    func merging(_ merge: ImportMerge, _ theirTime: Int64, _ expected: String) throws {
        let (ours, ourContainer) = try store("ours", at: 5)
        let (theirs, theirContainer) = try store("theirs", at: theirTime)
        let report = try ours.importing(theirs.export(), merge: merge)
        #expect(try texts(ours) == [expected])
        #expect(report.others + report.kept == 1)
        withExtendedLifetime((ourContainer, theirContainer)) {}
    }

    @Test(
        "S-63 two activities of one identifier in an import are refused, whatever the merge",
        arguments: ImportMerge.allCases)
    func twice(_ merge: ImportMerge) throws {
        let (theirs, theirContainer) = try store("theirs", at: 10)
        var lines = try theirs.export().split(separator: 0x0A)
        let activity = try #require(lines.last)
        lines.append(activity)
        let text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
            .replacing("\"others\":1", with: "\"others\":2")
        let container = TestContainer()
        let ours = try container.open()
        let report = try ours.checkImport(Array(text.utf8), merge: merge)
        #expect(report.refusals.map(\.code) == [.takenIdentifier])
        #expect(throws: SceneStoreError(.importRefused, "")) {
            try ours.importing(Array(text.utf8), merge: merge)
        }
        #expect(try texts(ours).isEmpty)
        withExtendedLifetime(theirContainer) {}
    }

    @Test("L-54 the version of a state's type survives an export and an import")
    func stateVersion() throws {
        let theirContainer = TestContainer()
        let theirs = try theirContainer.open()
        var shown = try UserActivity(activityType: "com.example.read", userInfo: ["page": 3])
        shown.stateVersion = 4
        let record = try theirs.add("A")
        try theirs.save(record, shown)
        try theirs.saveActivity(shown)
        let container = TestContainer()
        let ours = try container.open()
        _ = try ours.importing(theirs.export(), merge: .refuse)
        let imported = try #require(try ours.record(identifier: "A"))
        #expect(try ours.restorationActivity(key: imported.key)?.stateVersion == 4)
        #expect(try ours.savedActivities().map(\.stateVersion) == [4])
        withExtendedLifetime((theirContainer, container)) {}
    }

    @Test("S-70 an import writes nothing of the keys that never reach the disk")
    func ephemeralKeys() throws {
        let theirContainer = TestContainer()
        let theirs = try theirContainer.open()
        let secret: ValueDictionary = ["secret": .string("needle"), "kept": .string("straw")]
        let record = try theirs.add("A")
        var shown = try UserActivity(activityType: "com.example.read", userInfo: secret)
        try theirs.save(record, shown)
        try theirs.values.setUserInfo(secret, key: record.key)
        _ = try theirs.inbox.keep(.activity(shown), dedupe: nil)
        shown.persistentIdentifier = "article"
        try theirs.saveActivity(shown)
        let bytes = try theirs.export()
        #expect(String(decoding: bytes, as: UTF8.self).contains("needle"))
        let container = TestContainer()
        let ours = try container.open { $0.ephemeralKeys = ["secret"] }
        let report = try ours.importing(bytes)
        #expect(report.sessions == 1 && report.others == 2)
        let text = String(decoding: try ours.export(), as: UTF8.self)
        #expect(text.ranges(of: "straw").count == 4)
        try ours.close()
        for (name, file) in container.files {
            #expect(file.range(of: Data("needle".utf8)) == nil, "\(name)")
        }
    }

    @Test("S-70 nor of scene storage")
    func ephemeralStorage() throws {
        let theirContainer = TestContainer()
        let theirs = try theirContainer.open()
        let record = try theirs.add("A")
        try theirs.values.setStorage(["secret": "needle", "kept": "straw"], key: record.key)
        let container = TestContainer()
        let ours = try container.open { $0.ephemeralKeys = ["secret"] }
        try ours.importing(try theirs.export())
        let key = try #require(try ours.openRecords().first).key
        #expect(try ours.values.storageValues(key: key) == ["kept": "straw"])
        try ours.close()
        for (name, file) in container.files {
            #expect(file.range(of: Data("needle".utf8)) == nil, "\(name)")
        }
    }

    @Test("S-63 by default it is refused, and nothing is written")
    func refusing() throws {
        let (ours, ourContainer) = try store("ours", at: 5)
        let (theirs, theirContainer) = try store("theirs", at: 10)
        let bytes = try theirs.export()
        #expect(try ours.checkImport(bytes, merge: .refuse).refused == 1)
        #expect(throws: SceneStoreError(.importRefused, "")) {
            try ours.importing(bytes, merge: .refuse)
        }
        #expect(try texts(ours) == ["ours"])
        withExtendedLifetime((ourContainer, theirContainer)) {}
    }
}
