import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A damaged store on a disk that has no room for another one (L-17).
@MainActor
@Suite("A launch on a damaged store and a full disk")
struct FullDiskLaunchTests {
    @Test(
        "L-17 S-11 a damaged store on a full disk launches in memory, and is written when there is room",
        arguments: ["store", "configuration"])
    func damaged(_ table: String) throws {
        let container = TestContainer()
        let recovery = SeamedRecovery(isFull: true)
        try leaveDamagedText(container, recovery, table: table)

        var told: [String] = []
        var app = TextApp()
        let second = try launchTextApp(container, recovery, app) { told.append($0.code.rawValue) }
        let window = try #require(second.connectedScenes.first?.session.id)
        #expect(app.text == "first")
        #expect(second.storeRefusal?.code == .diskFull)
        #expect(told.contains("corrupt") && told.contains("writeRefused"))
        #expect(container.quarantined().isEmpty)
        app.text = "second"
        second.flushChanges()
        _ = try second.performIdleWork()
        #expect(second.storeRefusal?.code == .diskFull)

        recovery.isFull.withLock { $0 = false }
        told = []
        _ = try second.performIdleWork()
        #expect(second.storeRefusal == nil)
        #expect(told == ["storeSetAside"])
        #expect(!container.quarantined().isEmpty)
        try second.quit()

        app = TextApp()
        let third = try launchTextApp(container, recovery, app) { told.append($0.code.rawValue) }
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(told == ["storeSetAside"])
        #expect(try third.store.verify(.full).findings.isEmpty)
        try third.quit()
    }

    @Test(
        "L-17 S-15 on a full disk a backup takes the place of a damaged or lost store, in memory",
        arguments: [SceneSessionStore.CorruptionPolicy.restoreBackup, .salvage], [false, true])
    func backup(policy: SceneSessionStore.CorruptionPolicy, isLost: Bool) throws {
        let container = TestContainer(policy)
        let recovery = SeamedRecovery()
        var app = TextApp()
        let first = try launchTextApp(container, recovery, app)
        let window = try #require(first.connectedScenes.first?.session.id)
        app.text = "first"
        try first.quit()
        let closed = try container.open(.editor)
        _ = try closed.backUp(before: "discard")
        try closed.close()
        if isLost {
            try container.deleteStore()
        } else {
            try DamagedLaunchTests.damage("session", of: container)
        }
        recovery.isFull.withLock { $0 = true }
        app = TextApp()
        let second = try launchTextApp(container, recovery, app)
        #expect(second.storeRefusal?.code == .diskFull)
        #expect(second.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "first")
        app.text = "second"
        recovery.isFull.withLock { $0 = false }
        try second.reopenStore()
        try second.quit()
        app = TextApp()
        let third = try launchTextApp(container, recovery, app)
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(try third.store.verify(.full).findings.isEmpty)
        try third.quit()
    }

    @Test("L-17 R-03 a journal on a full disk takes no window away from a store that is sound")
    func journal() throws {
        let container = TestContainer(.restoreBackup)
        let recovery = SeamedRecovery()
        var app = TextApp()
        let first = try launchTextApp(container, recovery, app)
        app.text = "first"
        try first.quit()
        try container.folder.write(Data(repeating: 0x5A, count: 600), ContainerName.journal)
        recovery.isFull.withLock { $0 = true }
        app = TextApp()
        let second = try launchTextApp(container, recovery, app)
        #expect(app.text == "first")
        #expect(second.storeRefusal?.code == .diskFull)
        recovery.isFull.withLock { $0 = false }
        try second.reopenStore()
        #expect(second.storeRefusal == nil)
        #expect(container.quarantined().contains { $0.hasSuffix("-foreign.sqlite-journal") })
        try second.quit()
    }

    @Test(
        "L-17 S-11 a damaged store on a disk that refuses the opening itself launches in memory, too",
        arguments: [
            "configuration", "configuration_role", "event", "launch", "save_context", "session",
            "session_recency", "state", "store",
        ])
    func refusedOpening(_ table: String) throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        let window = try leaveDamagedText(container, recovery, table: table)
        recovery.isFull.withLock { $0 = true }
        recovery.refusesOpenings.withLock { $0 = true }
        var app = TextApp()
        let second = try launchTextApp(container, recovery, app)
        #expect(second.storeRefusal?.code == .diskFull)
        // Of a damaged table of states or sessions nothing may be left; the window is there.
        let isLost = table == "state" || table == "session"
        #expect(second.connectedScenes.count == 1)
        #expect(isLost || second.connectedScenes.map(\.session.id) == [window])
        #expect(isLost || app.text == "first")
        #expect(container.quarantined().isEmpty)

        recovery.isFull.withLock { $0 = false }
        let shown = second.connectedScenes.map(\.session.id)
        app.text = "second"
        try second.reopenStore()
        #expect(second.storeRefusal == nil)
        try second.saveState(of: shown)
        try second.quit()
        app = TextApp()
        let third = try launchTextApp(container, recovery, app)
        #expect(third.connectedScenes.map(\.session.id) == shown)
        #expect(app.text == "second")
        try third.quit()
    }

    @Test(
        "S-11 L-17 what the disk fails to salvage while an app runs, the app's next call salvages",
        arguments: ["event", "session_recency"])
    func failedSalvage(_ table: String) throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        let window = try leaveDamagedText(container, recovery, table: table)
        recovery.failsSalvage.withLock { $0 = true }
        var app = TextApp()
        let second = try launchTextApp(container, recovery, app)
        #expect(second.connectedScenes.map(\.session.id) == [window])
        app.text = "second"
        try? second.saveState(of: [window])
        recovery.failsSalvage.withLock { $0 = false }
        try second.saveState(of: [window])
        #expect(second.storeRefusal == nil)
        try second.quit()
        #expect(!container.quarantined().isEmpty)
        app = TextApp()
        let third = try launchTextApp(container, recovery, app)
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(try third.store.verify(.full).isSound)
        try third.quit()
    }

    @Test("L-17 S-11 a save that meets damage on a full disk is written when there is room")
    func damagedLater() throws {
        let container = TestContainer()
        let recovery = SeamedRecovery(isFull: true)
        try leaveDamagedText(container, recovery, table: "state")

        var told: [String] = []
        var app = TextApp()
        let second = try launchTextApp(container, recovery, app) { told.append($0.code.rawValue) }
        let window = try #require(second.connectedScenes.first?.session.id)
        app.text = "second"
        #expect(failure { try second.quit() } == .diskFull)
        #expect(second.storeRefusal?.code == .diskFull)
        #expect(told.count { $0 == "writeRefused" } == 1)
        #expect(container.quarantined().isEmpty)

        recovery.isFull.withLock { $0 = false }
        _ = try second.performIdleWork()
        #expect(second.storeRefusal == nil)
        #expect(told.contains("storeSetAside"))
        try second.quit()

        app = TextApp()
        let third = try launchTextApp(container, recovery, app) { _ in }
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(try third.store.verify(.full).findings.isEmpty)
        try third.quit()
    }

    @Test("L-17 S-11 who wants no salvage is told, on a full disk too")
    func policy() throws {
        let container = TestContainer()
        try launchTextApp(container, SeamedRecovery(isFull: true), TextApp()) { _ in }.quit()
        try DamagedLaunchTests.damage("store", of: container)
        #expect(throws: SceneStoreError.self) {
            var options = container.options()
            options.corruption = .fail
            _ = try SceneSessionStore.open(
                at: container.location, options: options, recovery: SeamedRecovery(isFull: true))
        }
    }
}
