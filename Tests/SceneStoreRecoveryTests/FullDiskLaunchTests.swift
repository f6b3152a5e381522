import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import Synchronization
import Testing

/// A damaged store on a disk that has no room for another one (L-17).
@MainActor
@Suite("A launch on a damaged store and a full disk")
struct FullDiskLaunchTests {
    /// What recovers stores, on a disk that may be full.
    private final class Recovery: StoreRecovering {
        let isFull = Mutex(true)
        private let service = StoreRecovery.Service()

        private func checkRoom() throws(SceneStoreError) {
            guard !isFull.withLock({ $0 }) else {
                throw SceneStoreError(.diskFull, "the disk is full")
            }
        }

        func finishInterrupted(_ folder: ContainerFolder) throws(SceneStoreError) {
            try service.finishInterrupted(folder)
        }

        func recover(
            _ folder: ContainerFolder, held: HeldLock, options: SceneSessionStore.Options,
            from error: SceneStoreError, holdsAll: Bool
        ) throws(SceneStoreError) -> [Diagnostic]? {
            if options.corruption != .fail {
                try checkRoom()
            }
            return try service.recover(
                folder, held: held, options: options, from: error, holdsAll: holdsAll)
        }

        func salvageInMemory(
            _ folder: ContainerFolder, options: SceneSessionStore.Options
        ) throws(SceneStoreError) -> (core: StoreCore, found: [Diagnostic])? {
            try service.salvageInMemory(folder, options: options)
        }

        func keepEvidence(
            of connection: Connection, in folder: ContainerFolder, time: Int64
        ) throws(SceneStoreError) -> String {
            try checkRoom()
            return try service.keepEvidence(of: connection, in: folder, time: time)
        }

        func keepOrphanedLog(
            in folder: ContainerFolder, time: Int64
        ) throws(SceneStoreError) -> Diagnostic {
            try checkRoom()
            return try service.keepOrphanedLog(in: folder, time: time)
        }

        func backUpBeforeMigration(
            _ directory: String, version: Int
        ) throws(SceneStoreError) {
            try checkRoom()
            try service.backUpBeforeMigration(directory, version: version)
        }
    }

    private final class App: SceneApplicationDelegate {
        var text = ""

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? {
            Window(self)
        }
    }

    private final class Window: StateRestoringSceneDelegate {
        let app: App

        init(_ app: App) { self.app = app }

        func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
            app.text = activity.title ?? ""
        }

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            try UserActivity(activityType: "com.example.edit", title: app.text)
        }
    }

    private func launch(
        _ container: TestContainer, _ recovery: Recovery, _ app: App,
        _ report: @escaping (Diagnostic) -> Void
    ) throws -> SceneApplication {
        let store = try SceneSessionStore.open(
            at: container.location, options: container.options(), recovery: recovery)
        let application = SceneApplication(
            store: store, delegate: app, options: .desktop(.window("Note")), scheduler: .manual)
        application.diagnosticHandler = report
        try application.launch()
        return application
    }

    @Test(
        "L-17 S-11 a damaged store on a full disk launches in memory, and is written when there is room",
        arguments: ["store", "configuration"])
    func damaged(_ table: String) throws {
        let container = TestContainer()
        let recovery = Recovery()
        var app = App()
        let first = try launch(container, recovery, app) { _ in }
        app.text = "first"
        try first.quit()
        try DamagedLaunchTests.damage(table, of: container)

        var told: [String] = []
        app = App()
        let second = try launch(container, recovery, app) { told.append($0.code.rawValue) }
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

        app = App()
        let third = try launch(container, recovery, app) { told.append($0.code.rawValue) }
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(told == ["storeSetAside"])
        #expect(try third.store.verify(.full).findings.isEmpty)
        try third.quit()
    }

    @Test("L-17 S-11 a save that meets damage on a full disk is written when there is room")
    func damagedLater() throws {
        let container = TestContainer()
        let recovery = Recovery()
        var app = App()
        let first = try launch(container, recovery, app) { _ in }
        app.text = "first"
        try first.quit()
        try DamagedLaunchTests.damage("state", of: container)

        var told: [String] = []
        app = App()
        let second = try launch(container, recovery, app) { told.append($0.code.rawValue) }
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

        app = App()
        let third = try launch(container, recovery, app) { _ in }
        #expect(third.connectedScenes.map(\.session.id) == [window])
        #expect(app.text == "second")
        #expect(try third.store.verify(.full).findings.isEmpty)
        try third.quit()
    }

    @Test("L-17 S-11 who wants no salvage is told, on a full disk too")
    func policy() throws {
        let container = TestContainer()
        try launch(container, Recovery(), App()) { _ in }.quit()
        try DamagedLaunchTests.damage("store", of: container)
        #expect(throws: SceneStoreError.self) {
            var options = container.options()
            options.corruption = .fail
            _ = try SceneSessionStore.open(
                at: container.location, options: options, recovery: Recovery())
        }
    }
}
