import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What recovers stores, on a disk that may be full, and with a look at what each exchange leaves.
final class SeamedRecovery: StoreRecovering {
    let isFull: Mutex<Bool>
    /// Whether an opening finds no room either.
    let refusesOpenings = Mutex(false)
    /// Called when another store stands in a store's place, before anything else is done.
    let whenPlaced = Mutex<(@Sendable () -> Void)?>(nil)
    /// Whether the disk fails right after that.
    let failsPlaced = Mutex(false)
    /// Whether the disk fails while a running process reads what can be salvaged.
    let failsSalvage = Mutex(false)
    private let service = FileRecovery()

    init(isFull: Bool = false) {
        self.isFull = Mutex(isFull)
    }

    private func checkRoom() throws(SceneStoreError) {
        guard !isFull.withLock({ $0 }) else {
            throw SceneStoreError(.diskFull, "the disk is full")
        }
    }

    private func notePlaced() throws(SceneStoreError) {
        whenPlaced.withLock { $0 }?()
        guard !failsPlaced.withLock({ $0 }) else {
            throw SceneStoreError(.ioError, "the folder can't be synced")
        }
    }

    func finishInterrupted(
        _ folder: ContainerFolder
    ) throws(SceneStoreError) -> [UntoldExchange] {
        if refusesOpenings.withLock(\.self) {
            try checkRoom()
        }
        return try service.finishInterrupted(folder)
    }

    func recover(
        _ folder: ContainerFolder, opening: OpeningLock, options: SceneSessionStore.Options,
        from error: SceneStoreError, memory: Database?
    ) throws(SceneStoreError) -> [Diagnostic]? {
        if options.corruption != .fail, error.code != .diskFull {
            try checkRoom()
        }
        let found = try service.recover(
            folder, opening: opening, options: options, from: error, memory: memory)
        try notePlaced()
        return found
    }

    func place(_ memory: Database, in folder: ContainerFolder) throws(SceneStoreError) {
        try checkRoom()
        try service.place(memory, in: folder)
        try notePlaced()
    }

    func readInMemory(
        _ folder: ContainerFolder, options: SceneSessionStore.Options, mayBeBackup: Bool
    ) throws(SceneStoreError) -> (db: Database, found: [Diagnostic])? {
        guard !failsSalvage.withLock(\.self) else {
            throw SceneStoreError(.ioError, "the disk failed")
        }
        return try service.readInMemory(folder, options: options, mayBeBackup: mayBeBackup)
    }

    func keepEvidence(
        of connection: Connection, in folder: ContainerFolder, time: Int64
    ) throws(SceneStoreError) -> String {
        try checkRoom()
        return try service.keepEvidence(of: connection, in: folder, time: time)
    }

    func backUpBeforeMigration(
        _ directory: String, version: Int
    ) throws(SceneStoreError) {
        try checkRoom()
        try service.backUpBeforeMigration(directory, version: version)
    }
}

/// An app whose windows save one text.
final class TextApp: SceneApplicationDelegate {
    var text = ""

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        TextWindow(self)
    }
}

private final class TextWindow: StateRestoringSceneDelegate {
    let app: TextApp

    init(_ app: TextApp) { self.app = app }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        app.text = activity.title ?? ""
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(activityType: "com.example.edit", title: app.text)
    }
}

@MainActor
func launchTextApp(
    _ container: TestContainer, _ recovery: SeamedRecovery, _ app: TextApp,
    _ report: @escaping (Diagnostic) -> Void = { _ in }
) throws -> SceneApplication {
    let store = try SceneSessionStore.open(
        at: container.location, options: container.options(), recovery: recovery)
    let application = SceneApplication(
        store: store, delegate: app, options: .desktop(.window("Note")), scheduler: .manual)
    application.diagnosticHandler = report
    try application.launch()
    return application
}

/// Leaves a closed store whose window saved the text "first", and in which a table is damaged; answers
/// the window.
@MainActor
@discardableResult
func leaveDamagedText(
    _ container: TestContainer, _ recovery: SeamedRecovery, table: String
) throws -> SceneSession.ID {
    let app = TextApp()
    let application = try launchTextApp(container, recovery, app)
    let window = try #require(application.connectedScenes.first?.session.id)
    app.text = "first"
    try application.quit()
    try DamagedLaunchTests.damage(table, of: container)
    return window
}

extension TestContainer {
    /// Whether a recovery waits for an app that is told of it.
    var isUntold: Bool { quarantined().contains { $0.hasSuffix(".untold") } }

    /// Deletes the store with its log, under whoever has it open.
    func deleteStore() throws {
        for name in files.keys where name.hasPrefix(ContainerName.store) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
    }
}
