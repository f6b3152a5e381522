import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import Testing

@MainActor
@Suite("A launch on a damaged store")
struct DamagedLaunchTests {
    private final class App: SceneApplicationDelegate {}

    private func launch(
        _ container: TestContainer, _ report: @escaping (Diagnostic) -> Void = { _ in }
    ) throws -> SceneApplication {
        let application = SceneApplication(
            store: try container.open(), delegate: App(), options: .desktop(.window("Note")))
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    private static let firstPages: [String: StatementText] = [
        "configuration": "SELECT rootpage FROM sqlite_schema WHERE name = 'configuration'",
        "configuration_role":
            "SELECT rootpage FROM sqlite_schema WHERE name = 'configuration_role'",
        "launch": "SELECT rootpage FROM sqlite_schema WHERE name = 'launch'",
        "save_context": "SELECT rootpage FROM sqlite_schema WHERE name = 'save_context'",
        "session": "SELECT rootpage FROM sqlite_schema WHERE name = 'session'",
    ]

    /// Overwrites the first page of a table of a closed store.
    private func damage(_ table: String, of container: TestContainer) throws {
        var settings = Connection.Options(.scratch)
        settings.applicationID = 0x5343_5345
        let connection = try Connection(path: container.store, options: settings)
        let page = try #require(
            try Self.firstPages[table].flatMap { try connection.integer($0) })
        try connection.close()
        var file = try DamagedFile(container.store)
        file.overwrite(page: Int(page) - 1) { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        try file.write()
    }

    @Test(
        "S-11 L-17 a launch that comes upon a damaged page salvages the store and is told so",
        arguments: ["configuration", "configuration_role", "save_context", "launch"])
    func wholeTable(_ table: String) throws {
        let container = TestContainer()
        let first = try launch(container)
        for _ in 0..<2 {
            first.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        let windows = Set(first.connectedScenes.map(\.session.id))
        #expect(windows.count == 3)
        try first.quit()
        try damage(table, of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(second.connectedScenes.map(\.session.id)) == windows)
        #expect(told.contains("storeSetAside") && !told.contains("corrupt"))
        #expect(container.quarantined().count > 1)
        try second.quit()
        // It was salvaged for good.
        let third = try launch(container) { told.append($0.code.rawValue) }
        #expect(Set(third.connectedScenes.map(\.session.id)) == windows)
        #expect(told.count { $0 == "storeSetAside" } == 1)
        try third.quit()
    }

    @Test("S-11 where the sessions are damaged a launch has a window and tells what is lost")
    func sessions() throws {
        let container = TestContainer()
        let first = try launch(container)
        first.requestSceneSessionActivation(.init(role: .windowApplication))
        try first.quit()
        try damage("session", of: container)
        var told: [String] = []
        let second = try launch(container) { told.append($0.code.rawValue) }
        #expect(!second.connectedScenes.isEmpty)
        #expect(told.contains("storeSetAside"))
        try second.quit()
    }

    @Test("S-11 an app that wants no salvage is told, and nothing is moved")
    func policy() throws {
        let container = TestContainer()
        try launch(container).quit()
        try damage("configuration", of: container)
        var told: [String] = []
        let application = SceneApplication(
            store: try container.open { $0.corruption = .fail }, delegate: App(),
            options: .desktop(.window("Note")))
        application.diagnosticHandler = { told.append($0.code.rawValue) }
        try? application.launch()
        #expect(told.contains("corrupt"))
        #expect(container.quarantined().isEmpty)
    }
}
