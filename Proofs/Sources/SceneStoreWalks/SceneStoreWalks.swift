import SceneStore
import SceneStoreRecovery
import SceneStoreCWalks
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Counts what the public call of each walk asks of SQLite and of the store's lock.
///
///     SceneStoreWalks DIRECTORY    # a line for each figure: its name and its number
@main
enum SceneStoreWalks {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            exit(2)
        }
        let directory = CommandLine.arguments[1]
        do {
            try save(in: directory + "/save")
            try relaunch(in: directory + "/relaunch")
            try launchByLink(in: directory + "/link")
            try closeAndReopen(in: directory + "/close")
            try salvage(in: directory + "/salvage")
        } catch {
            fail("\(error)")
        }
    }

    private static func save(in container: String) throws(SceneStoreError) {
        let process = try Process(container)
        try process.application.launch()
        // The first save compiles the statements.
        try process.save()
        process.app.text = "the next text"
        try count("save") { () throws(SceneStoreError) in try process.save() }
        try process.application.quit()
    }

    private static func relaunch(in container: String) throws(SceneStoreError) {
        try leaveOneWindow(in: container)
        let process = try count("open") { () throws(SceneStoreError) in try Process(container) }
        try count("relaunch") { () throws(SceneStoreError) in try process.application.launch() }
        process.expect(windows: 1, links: 0)
        try process.application.quit()
    }

    private static func launchByLink(in container: String) throws(SceneStoreError) {
        try leaveOneWindow(in: container)
        let process = try Process(container)
        let link = Payload.urls([OpenURLContext(url: "notes://note/1")])
        try count("cold link") { () throws(SceneStoreError) in
            try process.application.launch([link])
        }
        process.expect(windows: 1, links: 1)
        try process.application.quit()
    }

    /// Closes the window in front, so that another one comes to the front, and reopens it.
    private static func closeAndReopen(in container: String) throws(SceneStoreError) {
        try leaveOneWindow(in: container)
        let process = try Process(container)
        let application = process.application
        try application.launch()
        application.requestSceneSessionActivation(SceneSessionActivationRequest()) { fail("\($0)") }
        process.expect(windows: 2, links: 0)
        let window = application.connectedScenes[1].session.id
        try process.save()
        try count("close") { () throws(SceneStoreError) in
            _ = try application.closeWindow(of: window)
        }
        process.expect(windows: 1, links: 0)
        try count("reopen") { () throws(SceneStoreError) in try application.reopen(window) }
        process.expect(windows: 2, links: 0)
        try application.quit()
    }

    private static func salvage(in container: String) throws(SceneStoreError) {
        try leaveOneWindow(in: container)
        overwriteFirstPage(of: container + "/scenes.sqlite")
        let store = try count("salvage") { () throws(SceneStoreError) in
            try SceneSessionStore.open(at: .directory(container), options: Process.options)
        }
        guard try store.openRecords().count == 1 else {
            fail("the salvage lost the window")
        }
        try store.close()
    }

    private static func leaveOneWindow(in container: String) throws(SceneStoreError) {
        let process = try Process(container)
        try process.application.launch()
        try process.save()
        try process.application.quit()
    }

    private static func overwriteFirstPage(of path: String) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        let garbage = [UInt8](repeating: 0xA5, count: 4_096)
        guard file >= 0, pwrite(file, garbage, garbage.count, 0) == garbage.count else {
            fail("the store can't be damaged")
        }
        close(file)
    }

    /// Runs a walk and prints what it asked for.
    private static func count<Result>(
        _ walk: String, _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let before = scenestore_walk_counts()
        let result = try body()
        let after = scenestore_walk_counts()
        print("\(walk): write transactions", after.transactions - before.transactions)
        print("\(walk): statements", after.statements - before.statements)
        print("\(walk): locks", after.locks - before.locks)
        return result
    }

    static func fail(_ message: String) -> Never {
        print("failed:", message)
        exit(1)
    }
}

/// One run of an app, on a clock that stands still.
private struct Process {
    static var options: SceneSessionStore.Options {
        var options = SceneSessionStore.Options()
        options.clock = { 1_700_000_000_000 }
        options.corruption = .salvage
        return options
    }

    private static let windows = Atomic(0)

    private static func makeIdentifier() -> String {
        "window \(windows.add(1, ordering: .relaxed).newValue)"
    }

    let app = NoteApp()
    let application: SceneApplication

    init(_ container: String) throws(SceneStoreError) {
        application = SceneApplication(
            store: try .open(at: .directory(container), options: Self.options), delegate: app,
            options: .desktop(.window("Note")),
            environment: SceneEnvironment(
                now: Self.options.clock, makeIdentifier: Self.makeIdentifier,
                bootIdentifier: "boot",
                processIdentifier: 1),
            scheduler: .manual)
    }

    /// Saves the window that came last.
    func save() throws(SceneStoreError) {
        try application.saveState(of: application.connectedScenes.suffix(1).map(\.session.id))
    }

    func expect(windows: Int, links: Int) {
        guard application.connectedScenes.count == windows, app.links == links,
            app.restored == "a text"
        else {
            SceneStoreWalks.fail("a window, its state or a link is missing")
        }
    }
}

/// An app whose window shows a text.
private final class NoteApp: SceneApplicationDelegate {
    var text = "a text"
    var restored: String?
    var links = 0

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        NoteScene(self)
    }
}

private final class NoteScene: StateRestoringSceneDelegate {
    private let app: NoteApp

    init(_ app: NoteApp) {
        self.app = app
    }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        app.links += contexts.count
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        app.restored = activity.userInfo["text"]?.stringValue
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(activityType: "note", userInfo: ["text": .string(app.text)])
    }
}
