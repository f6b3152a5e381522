import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import SceneStoreTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a recovery did is told once in a process, and is kept for the app whose store it is.
@MainActor
@Suite("Telling of a recovery once")
struct ToldOnceTests {
    private final class App: SceneApplicationDelegate {
        let look: () -> Void

        init(_ look: @escaping () -> Void) { self.look = look }

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? {
            look()
            return nil
        }
    }

    private func setAside(_ findings: [Diagnostic]) -> Int {
        findings.count { $0.code == .storeSetAside }
    }

    /// A store that was recovered for no app, closed properly by a tool.
    private func recovered() throws -> TestContainer {
        let container = TestContainer()
        try launchTextApp(container, SeamedRecovery(), TextApp()).quit()
        try damage(container)
        try container.open().abandon()
        try container.open(.editor).close()
        #expect(container.isUntold)
        return container
    }

    @Test("S-11 R-61 what a launch recovers is kept until it is told, before a window is made")
    func launch() throws {
        let container = TestContainer()
        try launchTextApp(container, SeamedRecovery(), TextApp()).quit()
        try DamagedLaunchTests.damage("configuration", of: container)
        var told: [Diagnostic] = []
        var looks = 0
        let app = App {
            looks += 1
            #expect(setAside(told) == 1 || container.isUntold)
        }
        let application = SceneApplication(
            store: try container.open(), delegate: app, options: .desktop(.window("Note")),
            scheduler: .manual)
        application.diagnosticHandler = { told.append($0) }
        try application.launch()
        #expect(looks == 1)
        #expect(setAside(told) == 1)
        try application.quit()
    }

    @Test("S-11 a launch that recovers a store again tells of each recovery once")
    func twice() throws {
        let container = try recovered()
        try DamagedLaunchTests.damage("configuration", of: container)
        var told: [Diagnostic] = []
        let application = try launchTextApp(container, SeamedRecovery(), TextApp()) {
            told.append($0)
        }
        #expect(setAside(told) == 2)
        #expect(!container.isUntold)
        try application.quit()
    }

    @Test("S-11 S-33 a store that is taken back tells nothing again")
    func suspended() throws {
        let container = try recovered()
        let store = try container.open()
        #expect(setAside(store.openingDiagnostics) == 1)
        try store.suspend()
        try store.resume()
        #expect(setAside(store.takeDiagnostics()) == 0)
        try store.close()
        #expect(!container.isUntold)
    }

    @Test("S-11 S-33 who finds another store when it is taken back takes no news from its app")
    func replaced() throws {
        let container = try recovered()
        let store = try container.open()
        try store.suspend()
        try damage(container)
        let other = try container.open()
        #expect(setAside(other.openingDiagnostics) == 2)
        try other.reset()
        other.abandon()
        #expect(failure { try store.resume() } == .replaced)
        try store.close()
        #expect(setAside(try container.open().openingDiagnostics) == 2)
    }

    @Test("S-11 S-33 a store that is closed at rest was told of, like any that is closed")
    func rested() throws {
        let container = try recovered()
        let store = try container.open { $0.closesWhenIdle = true }
        while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
        #expect(store.isAtRest)
        try store.close()
        #expect(!container.isUntold)
        #expect(setAside(try container.open().openingDiagnostics) == 0)
    }
}
