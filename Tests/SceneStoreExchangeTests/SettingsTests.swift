import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers
import Testing

@Suite("Settings and copies of the store")
struct SettingsTests {
    private func filled() throws -> TestContainer {
        let container = TestContainer()
        let store = try container.open()
        for number in 0..<3 {
            try store.setSetting(.integer(Int64(number)), named: "zoom")
            try store.setSetting("draft", named: "gone")
        }
        try store.setSetting(["name": "Ann"], named: "account")
        try store.setSetting(nil, named: "gone")
        try store.close()
        return container
    }

    private let settings: [String: Value] = ["zoom": 2, "account": ["name": "Ann"]]

    @Test("L-88 S-61 a backup carries settings, and verification reads them")
    func backup() throws {
        let container = try filled()
        let store = try container.open()
        #expect(try store.verify(.full).findings.isEmpty)
        let copy = container.parent.file("copy.sqlite")
        _ = try store.backUp(to: copy)
        try store.setSetting(9, named: "zoom")
        try store.close()
        let other = TestContainer()
        try SceneSessionStore.restore(from: copy, to: other.location, options: other.options())
        #expect(try other.open().settings() == settings)
    }

    @Test("L-88 S-63 an export carries settings; an import follows its rule for saved activities")
    func export() throws {
        let (container, target) = (try filled(), TestContainer())
        let store = try container.open()
        let text = try store.export()
        let other = try target.open()
        _ = try other.importing(text, merge: .keep)
        #expect(try other.settings() == settings)
        try other.setSetting(5, named: "zoom")
        _ = try other.importing(text, merge: .keep)
        #expect(try other.settings()["zoom"] == 5)
        _ = try other.importing(text, merge: .replace)
        #expect(try other.settings() == settings)
        let bare = String(decoding: try store.export(redacting: .all), as: UTF8.self)
        #expect(!bare.contains("Ann") && !bare.contains("zoom"))
        withExtendedLifetime((container, target)) {}
    }

    @Test("L-88 S-11 a salvage brings settings back, and none that was removed")
    func salvage() throws {
        let container = try filled()
        let other = TestContainer()
        _ = try SceneSessionStore.salvage(
            from: container.store, to: other.path, options: other.options())
        #expect(try other.open().settings() == settings)
    }

    @Test("L-88 R-22 a damaged setting counts as absent, and the others stay")
    func damaged() throws {
        let container = try filled()
        try container.sql(
            """
            UPDATE saved_activity SET payload = x'a0'
            WHERE persistent_identifier = 'scenestore.setting/zoom'
            """)
        let store = try container.open()
        #expect(try store.settings() == ["account": ["name": "Ann"]])
        #expect(store.takeDiagnostics().map(\.code) == [.damagedRow])
    }
}
