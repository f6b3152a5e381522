import SceneStore
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers
import SceneStoreTesting
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store that was made of what an app holds is known again, and another one isn't taken for it.
@MainActor
@Suite("A store made of what an app holds")
struct PlacedStoreTests {
    @Test("L-17 S-11 a store that was put in its place by a call that failed is the app's own")
    func deleted() throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        var app = TextApp()
        let first = try launchTextApp(container, recovery, app)
        let window = try #require(first.connectedScenes.first?.session.id)
        try container.deleteStore()
        for text in ["first", "second", "third"] {
            app.text = text
            _ = try? first.saveState(of: [window])
        }
        recovery.failsPlaced.withLock { $0 = true }
        #expect(failure { try first.reopenStore() } == .ioError)
        recovery.failsPlaced.withLock { $0 = false }
        app.text = "fourth"
        _ = try? first.saveState(of: [window])
        try first.reopenStore()
        #expect(first.storeRefusal == nil)
        try first.quit()
        app = TextApp()
        let second = try launchTextApp(container, recovery, app)
        #expect(second.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "fourth")
        #expect(try second.store.verify(.full).findings.isEmpty)
        try second.quit()
    }

    @Test(
        "S-11 L-17 a salvage by a call that failed after it is neither undone nor told twice",
        arguments: ["store", "configuration", "state"])
    func salvaged(_ table: String) throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        try leaveDamagedText(container, recovery, table: table)
        let exchanges = Mutex(0)
        recovery.whenPlaced.withLock { $0 = { exchanges.withLock { $0 += 1 } } }
        recovery.failsPlaced.withLock { $0 = true }
        var told: [Diagnostic] = []
        var app = TextApp()
        let second = try launchTextApp(container, recovery, app) { told.append($0) }
        let window = try #require(second.connectedScenes.first?.session.id)
        app.text = "second"
        _ = try? second.saveState(of: [window])
        recovery.failsPlaced.withLock { $0 = false }
        _ = try second.performIdleWork()
        #expect(second.storeRefusal == nil)
        #expect(told.contains { $0.code == .writeRefused })
        #expect(told.count { $0.code == .storeSetAside } == 1)
        #expect(exchanges.withLock(\.self) == 1)
        try second.quit()
        app = TextApp()
        let third = try launchTextApp(container, recovery, app)
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        try third.quit()
    }

    @Test("L-17 S-11 a store that has taken the place of a damaged one isn't set aside for it")
    func elsewhere() throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        var app = TextApp()
        let first = try launchTextApp(container, recovery, app)
        app.text = "first"
        try first.quit()
        let sound = try DamagedFile(container.store)
        try DamagedLaunchTests.damage("state", of: container)
        recovery.isFull.withLock { $0 = true }
        recovery.refusesOpenings.withLock { $0 = true }
        let second = try launchTextApp(container, recovery, TextApp())
        #expect(second.storeRefusal?.code == .diskFull)
        // Somebody puts a sound store there.
        let other = container.path + "/other"
        try sound.write(to: other)
        try FileManager.default.removeItem(atPath: container.store)
        try FileManager.default.moveItem(atPath: other, toPath: container.store)
        recovery.isFull.withLock { $0 = false }
        #expect(failure { try second.reopenStore() } == .replaced)
        #expect(container.quarantined().isEmpty)
        second.store.abandon()
        app = TextApp()
        let third = try launchTextApp(container, recovery, app)
        #expect(app.text == "first")
        try third.quit()
    }
}
