import SceneStore
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A recovery is told to the app, however many processes die before one can tell it.
@MainActor
@Suite("Telling of a recovery")
struct UntoldRecoveryTests {
    private func codes(_ store: SceneSessionStore) -> [String] {
        store.openingDiagnostics.map(\.code.rawValue)
    }

    /// What a kill at this moment would leave.
    private nonisolated static func image(_ container: TestContainer) -> TestContainer {
        let copy = TestContainer(container.corruption)
        try? FileManager.default.copyItem(atPath: container.path, toPath: copy.path)
        return copy
    }

    /// What a kill right after each exchange would leave.
    private final class Images: Sendable {
        private let all = Mutex<[TestContainer]>([])

        init(_ container: TestContainer, _ recovery: SeamedRecovery) {
            recovery.whenPlaced.withLock {
                $0 = { self.all.withLock { $0.append(image(container)) } }
            }
        }

        var taken: [TestContainer] { all.withLock(\.self) }
    }

    @Test("S-11 R-61 what a recovery did is told by each opening until an app was told")
    func repeated() throws {
        let container = TestContainer()
        _ = try damaged(container)
        let first = try container.open()
        let told = first.openingDiagnostics
        #expect(told.map(\.code).contains(.storeSetAside))
        // It dies before it has launched; so does the next one.
        first.abandon()
        for _ in 0..<2 {
            let next = try container.open()
            #expect(next.openingDiagnostics == told)
            next.abandon()
        }
        // A tool is told nothing, and takes nothing from the app.
        let tool = try container.open(.editor)
        #expect(tool.openingDiagnostics.isEmpty)
        try tool.close()
        var heard: [Diagnostic] = []
        let running = try launchTextApp(container, SeamedRecovery(), TextApp()) {
            heard.append($0)
        }
        #expect(heard.filter { told.contains($0) } == told)
        running.store.abandon()
        #expect(try container.open().openingDiagnostics.isEmpty)
        #expect(!container.isUntold)
    }

    @Test("S-11 R-61 two recoveries that nobody was told of are both told, the older one first")
    func two() throws {
        let container = TestContainer()
        var told: [Diagnostic] = []
        for isFirst in [true, false] {
            try isFirst ? _ = damaged(container) : damage(container)
            let store = try container.open()
            told += store.openingDiagnostics.filter { !told.contains($0) }
            store.abandon()
        }
        #expect(told.count { $0.code == .storeSetAside } == 2)
        let store = try container.open()
        #expect(store.openingDiagnostics == told)
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("S-11 R-61 what a process that dies after the exchange did is told by the next")
    func exchanged() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let recovery = SeamedRecovery()
        let images = Images(container, recovery)
        let store = try SceneSessionStore.open(
            at: container.location, options: container.options(), recovery: recovery)
        let left = try #require(images.taken.first)
        let next = try left.open()
        #expect(try next.openCount() == truth.numbers.count)
        #expect(next.openingDiagnostics == store.openingDiagnostics)
    }

    @Test("S-11 R-61 what another process ended is told, unless nothing was set aside")
    func ended() throws {
        for isMoved in [true, false] {
            let container = TestContainer()
            _ = try damaged(container)
            try container.open().abandon()
            let quarantine = container.path + "/quarantine/"
            // As if it had died before the marker was renamed.
            let name = try #require(container.quarantined().first { $0.hasSuffix(".untold") })
            let base = name.dropLast(7)
            try FileManager.default.moveItem(
                atPath: quarantine + name, toPath: quarantine + base + ".unfinished")
            if !isMoved {
                try FileManager.default.removeItem(atPath: quarantine + base + ".sqlite")
            }
            for _ in 0..<2 {
                let store = try container.open()
                #expect(codes(store).contains("storeSetAside") == isMoved)
                store.abandon()
            }
            #expect(container.isUntold == isMoved)
        }
    }

    @Test("S-11 a ledger that can't be read does not keep the recovery secret")
    func damagedLedger() throws {
        let container = TestContainer()
        _ = try damaged(container)
        try container.open().abandon()
        let name = try #require(container.quarantined().first { $0.hasSuffix(".json") })
        for text in ["", "[", "{}", "{\"diagnostics\": [3, {\"code\": \"x\"}]}"] {
            try Data(text.utf8).write(
                to: URL(fileURLWithPath: container.path + "/quarantine/" + name))
            let store = try container.open()
            #expect(codes(store) == ["storeSetAside"])
            store.abandon()
        }
        try FileManager.default.removeItem(atPath: container.path + "/quarantine/" + name)
        #expect(codes(try container.open()) == ["storeSetAside"])
    }

    @Test(
        "S-11 L-17 R-61 a store that a running app salvages is whole when it is in its place",
        arguments: ["configuration", "save_context"])
    func running(_ table: String) throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        let window = try leaveDamagedText(container, recovery, table: table)
        let images = Images(container, recovery)
        var told: [String] = []
        let second = try launchTextApp(container, recovery, TextApp()) {
            told.append($0.code.rawValue)
        }
        #expect(told.count { $0 == "storeSetAside" } == 1)
        #expect(!container.isUntold)
        try second.quit()
        let left = try #require(images.taken.last)
        #expect(left.isUntold)
        let app = TextApp()
        told = []
        let third = try launchTextApp(left, SeamedRecovery(), app) {
            told.append($0.code.rawValue)
        }
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "first")
        #expect(told.count { $0 == "storeSetAside" } == 1)
        // The versions that a state was saved under may be lost.
        let found = try third.store.verify(.full).findings.filter { $0.severity > .note }
        #expect(found.isEmpty, "\(found)")
        try third.quit()
    }

    @Test("L-17 R-61 a store that is deleted under the app comes back with all that the app holds")
    func deleted() throws {
        let container = TestContainer()
        let recovery = SeamedRecovery()
        let app = TextApp()
        let first = try launchTextApp(container, recovery, app)
        let window = try #require(first.connectedScenes.first?.session.id)
        app.text = "first"
        try first.saveState(of: [window])
        try container.deleteStore()
        app.text = "second"
        _ = try? first.saveState(of: [window])
        #expect(first.storeRefusal != nil)
        let images = Images(container, recovery)
        try first.reopenStore()
        #expect(first.storeRefusal == nil)
        for left in images.taken + [Self.image(container)] {
            let again = TextApp()
            let next = try launchTextApp(left, SeamedRecovery(), again)
            #expect(next.connectedScenes.map(\.session.id) == [window])
            #expect(again.text == "second")
            #expect(try next.store.verify(.full).findings.isEmpty)
            try next.quit()
        }
        #expect(images.taken.count == 1)
    }
}
