import Foundation
import Observation
import SceneStore
import SceneStoreExchange
import Synchronization
import Testing

@testable import SceneStoreTesting

@Suite("Settings")
struct SettingsTests {
    private struct Columns: Codable, Equatable { var names: [String] }

    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
    }

    @Test("L-88 settings are typed, belong to no window, and are there before the launch")
    func typed() throws {
        let running = try device.launch { NotesApp() }
        #expect(running.storage["wraps", as: Bool.self] == nil)
        running.storage["wraps", as: Bool.self] = true
        running.storage["columns", as: Columns.self] = Columns(names: ["name", "date"])
        running.storage["zoom", as: Double.self] = 2
        running.storage["zoom", as: Double.self] = 1.5
        running.storage["gone"] = 1
        running.storage["gone"] = nil
        let scene = try #require(running.connectedScenes.first)
        #expect(scene.storage["wraps"] == nil)
        scene.storage["wraps"] = 7
        try running.closeAllWindows()
        device.kill()
        try device.read { (store) throws(SceneStoreError) in
            #expect(
                try store.settings().mapValues(\.boolValue) == [
                    "wraps": true, "columns": nil, "zoom": nil,
                ])
        }
        let again = try device.launch { NotesApp() }
        #expect(again.storage["wraps", as: Bool.self] == true)
        #expect(again.storage["columns", as: Columns.self] == Columns(names: ["name", "date"]))
        #expect(again.storage["zoom"] == .double(1.5) && again.storage["gone"] == nil)
        #expect(device.diagnostics.isEmpty)
        #expect(again.storage["columns", as: Int.self] == nil)
        let told = try #require(device.diagnostics.first)
        #expect(told.code == .storedTypeDiffers && told.path == "columns")
        #expect(told.sessionIdentifier == nil)
    }

    @Test("L-88 a setting can be read and set before the launch and in its first callback")
    func early() throws {
        let application = SceneApplication(
            store: try SceneSessionStore.open(at: .memory), delegate: NotesApp(),
            scheduler: .manual)
        application.storage["theme"] = "dark"
        #expect(application.storage["theme"] == "dark")
        try application.launch()
        #expect(application.storage["theme"] == "dark")
    }

    @Test("L-88 an equal setting writes nothing; each change tells who read that key")
    func observed() throws {
        let running = try device.launch { NotesApp() }
        running.storage["zoom"] = 2
        let again = try relaunched()
        let generation = again.store.currentGeneration()
        again.storage["zoom"] = 2
        #expect(again.store.currentGeneration() == generation)
        let told = Mutex<[String]>([])
        for key in ["zoom", "theme"] {
            withObservationTracking {
                _ = again.storage[key]
            } onChange: {
                told.withLock { $0.append(key) }
            }
        }
        again.storage["zoom"] = 3
        #expect(told.withLock { $0 } == ["zoom"])
        try again.reset()
        #expect(told.withLock { $0 } == ["zoom", "theme"])
    }

    private func relaunched() throws -> SceneApplication {
        device.kill()
        return try device.launch { NotesApp() }
    }

    @Test("L-88 L-43 a reset and an erasure remove settings")
    func emptied() throws {
        for empty in [{ try $0.reset() }, { try $0.erase() }] as [(SceneApplication) throws -> Void]
        {
            let running = try relaunched()
            running.storage["zoom"] = 2
            try empty(running)
            #expect(running.storage["zoom"] == nil)
            running.storage["theme"] = "dark"
            #expect(try relaunched().storage["theme"] == "dark")
            #expect(device.application?.storage["zoom"] == nil)
        }
    }

    @Test("L-88 L-85 settings and saved activities don't touch each other")
    func activities() throws {
        let running = try device.launch { NotesApp() }
        var article = try UserActivity(activityType: "com.example.read", userInfo: ["zoom": 1])
        article.persistentIdentifier = "zoom"
        running.storage["zoom"] = 2
        try running.store.saveActivity(article)
        running.storage["theme"] = "dark"
        #expect(try running.store.savedActivities().map(\.userInfo) == [["zoom": 1]])
        try running.store.deleteSavedActivities(persistentIdentifiers: ["zoom"])
        try running.store.saveActivity(article)
        running.storage["theme"] = nil
        #expect(try running.store.savedActivities().map(\.userInfo) == [["zoom": 1]])
        try running.store.deleteAllSavedActivities()
        #expect(try relaunched().storage["zoom"] == 2)
    }

    @Test("L-88 L-17 a setting waits in memory while the disk is full")
    func fullDisk() throws {
        let running = try device.launch { NotesApp() }
        try device.refuseWrites(.diskFull)
        running.storage["zoom"] = 2
        #expect(running.storage["zoom"] == 2)
        try device.acceptWrites()
        try running.reopenStore()
        #expect(try relaunched().storage["zoom"] == 2)
    }

    @Test("L-88 S-70 the setting of an ephemeral key is as long as the process")
    func ephemeral() throws {
        let running = try device.launch { NotesApp() }
        running.storage["token"] = "needle"
        device.storeOptions.ephemeralKeys = ["token"]
        let again = try relaunched()
        again.storage["token"] = "other"
        #expect(again.storage["token"] == "other")
        try device.read { (store) throws(SceneStoreError) in
            #expect(try store.settings().isEmpty)
        }
        let last = try relaunched()
        #expect(last.storage["token"] == nil)
        // Not even that there is one.
        let text = String(decoding: try last.store.export(), as: UTF8.self)
        #expect(!text.contains("scenestore.setting"))
    }

    @Test("L-88 L-83 a setting that is too large is reported, and the earlier one stays")
    func tooLarge() throws {
        let running = try device.launch { NotesApp() }
        running.storage["text"] = "short"
        running.storage["text"] = .data(Data(repeating: 1, count: 64 << 20))
        running.storage[String(repeating: "k", count: 100_000)] = 1
        #expect(device.diagnostics.map(\.code.rawValue) == ["limitExceeded", "limitExceeded"])
        #expect(running.storage["text"] == "short")
    }

    @Test("S-33 L-88 a setting that another process wrote is read again")
    func elsewhere() throws {
        device.options.releasesLockInBackground = true
        let running = try device.launch { NotesApp() }
        running.storage["zoom"] = 1
        let scene = try #require(running.connectedScenes.first)
        try running.moveToBackground([scene.identifier])
        var options = device.storeOptions
        options.access = .editor
        let other = try SceneSessionStore.open(
            at: .directory(device.containerPath), options: options)
        try other.setSetting(2, named: "zoom")
        try other.close()
        try running.moveToForeground([scene.identifier])
        #expect(running.storage["zoom"] == 2)
    }
}
