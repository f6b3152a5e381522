import Testing

@testable import SceneStore

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
