import Foundation
import SceneStore
import Testing

/// A file that may not be written for a while.
@Suite("A store whose file may not be written")
struct PermissionTests {
    private static func launch(_ folder: String) throws -> SceneApplication {
        let application = SceneApplication(
            store: try SceneSessionStore.open(at: .directory(folder)), delegate: NotesApp(),
            options: SceneApplicationOptions(manifest: .notes), scheduler: .manual)
        application.diagnosticHandler = nil
        try application.launch()
        return application
    }

    private static func save(_ text: String, _ application: SceneApplication) throws {
        let (scene, note) = try #require(application.firstNote)
        note.text = text
        try application.saveState(of: [scene.identifier])
    }

    @Test("L-17 what is held because of the file's permissions is written once they allow it")
    func allowedAgain() async {
        await #expect(processExitsWith: .success) {
            // SQLite has made the files beside it with the same permissions.
            try Self.heals(["scenes.sqlite", "scenes.sqlite-wal", "scenes.sqlite-shm"])
        }
    }

    @Test("L-17 a store whose own file alone may be written again makes the files beside it so")
    func storeAloneAllowedAgain() async {
        await #expect(processExitsWith: .success) {
            try Self.heals(["scenes.sqlite"])
        }
    }

    @Test("S-11 beside a quarantine/ that can't be read, a store opens, and a missing one doesn't")
    func closedQuarantine() async {
        await #expect(processExitsWith: .success) {
            let folder = try Self.folder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let first = try Self.launch(folder)
            try Self.save("first", first)
            try first.quit()
            try #require(mkdir(folder + "/quarantine", 0) == 0)
            for mode in [0, 0o400] as [mode_t] {
                try #require(chmod(folder + "/quarantine", mode) == 0)
                let second = try Self.launch(folder)
                #expect(second.firstNote?.note.text == "first")
                try second.quit()
            }
            try #require(chmod(folder + "/quarantine", 0) == 0)
            try FileManager.default.removeItem(atPath: folder + "/scenes.sqlite")
            let error = #expect(throws: SceneStoreError.self) { try Self.launch(folder) }
            #expect(error?.code == .permission)
            #expect(error?.path == "quarantine")
        }
    }

    /// A folder of a user whom modes keep from files, which the superuser is not.
    private static func folder() throws -> String {
        if geteuid() == 0 {
            try #require(setuid(65_534) == 0)
        }
        // The folder of the test's own user may be closed to the one that it is now.
        var template = Array("/tmp/scenestore-permissions.XXXXXX".utf8CString)
        return String(cString: try #require(mkdtemp(&template)))
    }

    /// Forbids writing the store, and allows it again for these files.
    private static func heals(_ names: [String]) throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try Self.launch(folder)
        try Self.save("first", first)
        try first.quit()
        let file = folder + "/scenes.sqlite"
        try #require(chmod(file, 0o400) == 0)
        let second = try Self.launch(folder)
        #expect(throws: SceneStoreError.self) { try Self.save("second", second) }
        #expect(second.storeRefusal != nil)
        _ = try? second.performIdleWork()
        #expect(second.storeRefusal != nil)
        for name in names {
            _ = chmod(folder + "/" + name, 0o600)
        }
        try Self.save("third", second)
        #expect(second.storeRefusal == nil)
        try second.quit()
        let third = try Self.launch(folder)
        #expect(third.firstNote?.note.text == "third")
        try third.quit()
    }
}
