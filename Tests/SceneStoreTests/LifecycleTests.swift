import FoundationEssentials
import Testing

import SceneStore
import SceneStoreEngine
@testable import SceneStoreTesting

/// Statements that an app sees through its own types.
@Suite("The lifecycle, from an app")
struct LifecycleTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
    }

    @Test("L-05 what the provider returns is copied: changing it later changes nothing")
    func providerAnswerIsCopied() throws {
        let app = NotesApp()
        var answer = SceneConfiguration(name: "Editor", role: .windowApplication)
        app.makeConfiguration = { _ in answer }
        let running = try device.launch { app }
        answer.name = "Changed"
        let identifier = try #require(running.connectedScenes.first).identifier
        #expect(try running.session(for: identifier)?.configuration.name == "Editor")
    }

    @Test("L-06 inside the provider the session holds the manifest's default")
    func providerSeesDefault() throws {
        let app = NotesApp()
        app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
        try device.launch { app }
        #expect(app.seenInProvider?.configuration.name == "Editor")
        #expect(app.seenInProvider?.configuration.delegateClassName == "EditorSceneDelegate")
    }

    @Test("L-14 an app can ask before its launch why it launches")
    func reasonBeforeTheLaunch() throws {
        var reasons: [LaunchReason?] = []
        let asking = { (application: SceneApplication) in
            reasons.append(
                try? application.store.nextLaunchReason(in: application.core.environment))
        }
        try device.launch(prepare: asking) { NotesApp() }
        try device.quit()
        try device.relaunch()
        device.kill()
        try device.relaunch()
        try device.forceQuit()
        try device.relaunch()
        device.reboot()
        try device.relaunch()
        #expect(reasons == [.first, .launch, .recover, .recover, .restore])
    }

    @Test("L-15 every named role and any other string are kept as they are")
    func rolesRoundTrip() throws {
        let roles = SceneSessionRole.known + [SceneSessionRole(rawValue: "com.example.Wall")]
        let app = NotesApp()
        let running = try device.launch { app }
        for role in roles {
            running.requestSceneSessionActivation(SceneSessionActivationRequest(role: role))
        }
        device.kill()
        device.options.reconnection = .all
        let again = try device.launch { NotesApp() }
        let kept = Set(again.connectedScenes.map(\.session.role))
        #expect(kept == Set(roles))
        #expect(app.providerCalls == roles.count + 1)
    }

    @Test("L-31 what willSave and didUpdate change is what is stored")
    func hooksChangeWhatIsStored() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let (_, note) = try #require(running.firstNote)
        note.text = "draft"
        note.willSave = { $0.userInfo["first"] = true }
        note.didUpdate = { $0.userInfo["second"] = $0.userInfo["first"] }
        try device.moveToBackground()
        device.kill()
        let again = try device.launch { NotesApp() }
        let restored = try #require(again.firstNote?.note.restored)
        #expect(restored.userInfo == ["text": "draft", "first": true, "second": true])
    }

    @Test("L-33 the activity is readable on the session at connect, and can be set directly")
    func activityIsReadableAtConnect() throws {
        let running = try device.launch { NotesApp() }
        let identifier = try #require(running.connectedScenes.first).identifier
        try running.setStateRestorationActivity(
            UserActivity(activityType: "com.example.edit", userInfo: ["text": "set"]),
            for: identifier)
        device.kill()
        let app = NotesApp()
        var atConnect: UserActivity?
        app.onConnect = { atConnect = $0.session.stateRestorationActivity }
        let again = try device.launch { app }
        #expect(atConnect?.userInfo["text"] == "set")
        #expect(again.firstNote?.note.text == "set")
    }

    @Test("L-38 each discard has its cause and never names a connected session")
    func discardCauses() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        try device.openWindow()
        try device.openWindow()
        let scenes = running.connectedScenes.map(\.identifier)
        try running.closeWindow(of: scenes[0])
        running.requestSceneSessionDestruction(scenes[1])
        try running.reset()
        #expect(app.discards.map(\.discardCause) == [.user, .app, .reset])
        #expect(app.discards.map(\.persistentIdentifier) == scenes)
        #expect(running.connectedScenes.isEmpty)
    }

    /// Closes the window of a new app while it doesn't run.
    private func closeWithoutApp() throws {
        let running = try device.launch { NotesApp() }
        let identifier = try #require(running.connectedScenes.first).identifier
        try device.quit()
        try device.closeWindows(of: [identifier])
    }

    /// What three processes are told of discards that die of it, and whether as told before.
    private func marksOfDeaths() throws -> [[Bool]] {
        let device = device
        return try (0..<3).map { _ in
            let app = NotesApp()
            app.onDiscard = { [unowned device] in device.kill() }
            try device.launch { app }
            device.kill()
            return app.discards.map(\.isDiscardRedelivered)
        }
    }

    @Test("L-37 a death between the discard and its return delivers it once more, marked")
    func discardIsRedelivered() throws {
        try closeWithoutApp()
        #expect(try marksOfDeaths() == [[false], [true], []])
    }

    /// An app that ends within its launch.
    private final class DyingApp: SceneApplicationDelegate {
        let die: () -> Void
        init(die: @escaping () -> Void) { self.die = die }
        func application(
            _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
        ) -> Bool {
            die()
            return true
        }
    }

    @Test("L-37 a discard is reported once, however many processes die before they are told")
    func discardIsNotLost() throws {
        try closeWithoutApp()
        for _ in 0..<3 {
            let device = device
            try device.launch { [unowned device] in DyingApp { device.kill() } }
            device.kill()
        }
        #expect(try marksOfDeaths() == [[false], [true], []])
    }

    @Test("L-44 a session without restoration is not remembered, and that is no discard")
    func restorationDisabled() throws {
        device.options.unrememberedConfigurations = ["Viewer"]
        let app = NotesApp()
        let running = try device.launch { app }
        app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
        try device.openWindow()
        try device.openWindow()
        app.makeConfiguration = { SceneConfiguration(name: "Editor", role: $0.role) }
        try device.openWindow()
        let last = try #require(running.connectedScenes.first).identifier
        try running.setRestorationEnabled(false, for: last)
        #expect(running.connectedScenes.count == 4)
        device.kill()
        let again = NotesApp()
        let relaunched = try device.launch { again }
        #expect(relaunched.openSessions.count == 1)
        #expect(again.discards.isEmpty)
    }

    @Test(
        "S-70 L-44 a window that is not remembered stays so, whatever its class; nor is a private one"
    )
    func restorationStaysDisabled() throws {
        device.options.unrememberedConfigurations = ["Viewer"]
        let app = NotesApp()
        let running = try device.launch { app }
        let editor = try device.openWindow()
        try running.setRestorationEnabled(false, for: editor.identifier)
        try running.setPrivacy(.redacted, for: editor.identifier)
        let own = try device.openWindow(privacy: .ephemeral)
        app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
        let viewer = try device.openWindow()
        for scene in [own, viewer] {
            try running.setRestorationEnabled(true, for: scene.identifier)
        }
        let states = [editor, own, viewer].map(\.session.restoration)
        #expect(states == [.disabled, .disabled, .disabled])
        device.kill()
        #expect(try device.launch { NotesApp() }.openSessions.count == 1)
    }

    @Test("L-45 title and placement are handed over at connect, the original kept")
    func titleAndPlacement() throws {
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.connectedScenes.first)
        let placement = ScenePlacement(
            x: -1.5, y: 0, width: 640, height: 480, display: "DP-1", windowState: .maximized,
            stackingOrder: 2)
        try scene.setTitle("Shopping")
        try scene.setPlacement(placement)
        device.kill()
        let app = NotesApp()
        var atConnect: SceneSession?
        app.onConnect = { atConnect = $0.session }
        let again = try device.launch { app }
        #expect(atConnect?.title == "Shopping")
        #expect(atConnect?.placement == placement)
        #expect(again.openSessions.first?.placement == placement)
    }

    @Test(
        "L-48 in a logout the stored order stays, whichever window has the focus", arguments: 0...2)
    func orderInTeardown(move: Int) throws {
        let running = try device.launch { NotesApp() }
        let own = try #require(running.connectedScenes.first)
        let wall = try device.openWindow(role: SceneSessionRole(rawValue: "com.example.Wall"))
        let order = [wall, own].map(\.identifier)
        #expect(try running.store.openRecords().map(\.id) == order)
        try running.beginTeardown()
        switch move {
        case 0: running.requestSceneSessionActivation(.init(session: own.identifier))
        case 1: try running.moveToBackground([wall.identifier])
        default: WindowMoves(application: running).turn(to: own)
        }
        #expect(running.connectedScenes.first === own)
        #expect(try running.store.openRecords().map(\.id) == order)
        // What the user did counts if the logout is called off.
        try running.endTeardown()
        #expect(try running.store.openRecords().map(\.id) == order.reversed())
    }

    @Test("L-51 a guard sees what a state was saved under and may refuse it; the session is kept")
    func guardRefuses() throws {
        device.options.appVersion = "1.0"
        device.options.systemVersion = "12"
        device.options.idiom = "desktop"
        let running = try device.launch { NotesApp() }
        let (_, note) = try #require(running.firstNote)
        note.text = "old"
        try device.moveToBackground()
        device.kill()
        let app = NotesApp()
        var seen: SaveContext?
        app.allowsRestoring = {
            seen = $0
            return false
        }
        let again = try device.launch { app }
        #expect(seen?.appVersion == "1.0")
        #expect(seen?.systemVersion == "12")
        #expect(seen?.idiom == "desktop")
        #expect(seen?.savedAt == VirtualClock.start)
        let connected = try #require(again.firstNote)
        #expect(connected.note.restored == nil)
        #expect(connected.scene.session.restoration == .declined)
        #expect(connected.scene.session.stateRestorationActivity?.userInfo["text"] == "old")
    }

    @Test("L-51 L-52 a guard that kills the process is blamed on its session, and not asked again")
    func deadlyGuard() throws {
        try device.launch { NotesApp() }
        try device.openWindow()
        try device.quit()
        let device = device
        var asked = 0
        for _ in 0..<2 {
            let app = NotesApp()
            app.allowsRestoring = { [unowned device] _ in
                asked += 1
                if asked == 2 {
                    device.kill()
                }
                return true
            }
            try device.launch { app }
        }
        let states = device.application?.connectedScenes.map(\.session.restoration)
        #expect(states == [.available, .withheld])
        #expect(asked == 3)
    }

    @Test("L-52 a crash before any restore blames nobody")
    func crashBeforeRestore() throws {
        try device.launch { NotesApp() }
        device.kill()
        let device = device
        try device.launch { [unowned device] in DyingApp { device.kill() } }
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.first?.session.restoration == .available)
    }

    @Test("L-65 the inbox offers again what was not acknowledged, and a notification once")
    func inbox() throws {
        device.options.persistsInbox = true
        let response = NotificationResponse(identifier: "n1")
        let running = try device.launch([.notification(response)]) { NotesApp() }
        #expect(running.firstNote?.note.options.notificationResponse == response)
        try running.receive(.notification(response))
        #expect(running.inbox.offered.map(\.payload) == [.notification(response)])
        device.kill()
        let app = NotesApp()
        let again = try device.launch { app }
        #expect(again.firstNote?.note.options.notificationResponse == response)
        #expect(again.firstNote?.note.options.isRedelivered == true)
        try again.acknowledge(.notification(response))
        device.kill()
        let third = try device.launch { NotesApp() }
        #expect(third.firstNote?.note.options.isEmpty == true)
    }

    @Test("L-65 a notification in the options and in response is one payload")
    func notificationOnce() throws {
        let response = NotificationResponse(identifier: "n1")
        let app = NotesApp()
        let running = try device.launch([.notification(response)]) { app }
        try running.receive(.notification(response))
        #expect(!app.calls.contains("response"))
        try running.receive(.notification(NotificationResponse(identifier: "n2")))
        #expect(app.calls.filter { $0 == "response" }.count == 1)
    }

    @Test("L-36 a change that follows from another one is told, too, after it")
    func changesOfListeners() throws {
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.connectedScenes.first)
        var heard: [SceneChange.Kind] = []
        running.core.feed.add { change in
            if change.kind == .resignedActive {
                try? scene.setTitle("left")
            }
            return true
        }
        running.core.feed.add { change in
            heard.append(change.kind)
            return true
        }
        try device.moveToBackground()
        #expect(heard == [.resignedActive, .updated, .enteredBackground])
    }

    @Test("L-76 every decision can be asked for afterwards as a record")
    func decisionsAreRecorded() throws {
        var decisions: [DecisionRecord] = []
        try device.launch { NotesApp() }
        device.kill()
        try device.launch(
            [.urls([OpenURLContext(url: "app://x")])],
            prepare: { $0.decisionHandler = { decisions.append($0) } }
        ) { NotesApp() }
        let outcomes = decisions.map { "\($0.kind.rawValue) \($0.outcome)" }
        #expect(
            outcomes == [
                "launch-reason recover", "reconnect foreground", "target can",
                "provider not-asked", "restoration available",
            ])
        try device.quit()
        let stored = try device.read { (store) throws(SceneStoreError) in
            try store.journal.events(session: nil, launch: nil, limit: 100)
        }
        #expect(stored.contains { "\($0)".contains("not-asked") })
    }

    @Test("L-86 scene storage is typed, separate for each session, and stays over a relaunch")
    func sceneStorage() throws {
        let running = try device.launch { NotesApp() }
        try device.openWindow()
        let notes = running.connectedScenes.compactMap { $0.delegate as? NoteScene }
        #expect(notes[0].zoom == 1 && notes[0].tab == .text)
        notes[0].zoom = 2.5
        notes[0].tab = .drawing
        notes[0].size = .init(width: 3, height: 4)
        notes[1].zoom = 0.5
        let first = notes[0].scene?.identifier
        device.kill()
        let again = try device.launch { NotesApp() }
        let kept = again.connectedScenes.compactMap { $0.delegate as? NoteScene }
        let one = try #require(kept.first { $0.scene?.identifier == first })
        let other = try #require(kept.first { $0.scene?.identifier != first })
        #expect(one.zoom == 2.5 && one.tab == .drawing)
        #expect(one.size == .init(width: 3, height: 4))
        #expect(other.zoom == 0.5 && other.tab == .text)
        #expect(device.diagnostics.isEmpty)
        one.scene?.storage["zoom"] = "wide"
        #expect(one.zoom == 1)
        #expect(device.diagnostics.map(\.code) == [.storedTypeDiffers])
    }

    @Test("L-86 storage holds a type of the app, as the property of the same key does")
    func typedStorage() throws {
        struct Columns: Codable, Equatable { var names: [String] }
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.connectedScenes.first)
        #expect(scene.storage["columns", as: Columns.self] == nil)
        scene.storage["columns", as: Columns.self] = Columns(names: ["name", "date"])
        scene.storage["zoom", as: Double.self] = 1.5
        #expect(scene.storage["zoom"] == .double(1.5))
        let identifier = scene.identifier
        device.kill()
        let again = try device.launch { NotesApp() }
        let kept = try #require(again.scene(for: identifier))
        #expect(kept.storage["columns", as: Columns.self] == Columns(names: ["name", "date"]))
        #expect(device.diagnostics.isEmpty)
        #expect(kept.storage["columns", as: Int.self] == nil)
        #expect(device.diagnostics.map(\.code) == [.storedTypeDiffers])
        // What can't be encoded is reported, and the stored value stays.
        kept.storage["zoom", as: [Int??].self] = [.some(nil)]
        #expect(
            device.diagnostics.map(\.code.rawValue) == ["storedTypeDiffers", "unsupportedValue"])
        #expect(kept.storage["zoom"] == .double(1.5))
        kept.storage["zoom", as: Double.self] = nil
        #expect(kept.storage["zoom"] == nil)
    }

    @Test("L-87 a window for an equal value is brought forward; its value is remembered")
    func valueWindows() throws {
        struct Document: Codable, Equatable { var id: Int }
        let running = try device.launch { NotesApp() }
        try running.openWindow(presenting: Document(id: 1))
        try running.openWindow(presenting: Document(id: 2))
        try running.openWindow(presenting: Document(id: 1))
        #expect(running.connectedScenes.count == 3)
        let front = try #require(running.connectedScenes.first)
        #expect(try front.session.presentedValue(as: Document.self) == Document(id: 1))
        try front.setPresentedValue(Document(id: 9))
        let identifier = front.identifier
        device.kill()
        let again = try device.launch { NotesApp() }
        let kept = try #require(again.scene(for: identifier))
        #expect(try kept.session.presentedValue(as: Document.self) == Document(id: 9))
        let error = #expect(throws: SceneStoreError.self) {
            try kept.session.presentedValue(as: [String].self)
        }
        #expect(error?.code == .decodingFailed)
        #expect(error?.path == "presentedValue")
        #expect(again.scene(for: identifier) != nil)
    }

    @Test("L-87 S-50 a closed window that is asked for in the background comes back there")
    func closedValueBehind() throws {
        device.options.restoresClosedValue = true
        let running = try device.launch { NotesApp() }
        let front = try #require(running.connectedScenes.first)
        try running.openWindow(presenting: "report")
        let closed = try #require(running.connectedScenes.first).identifier
        try running.closeWindow(of: closed)
        var request = SceneSessionActivationRequest()
        request.presentedValue = "report"
        request.staysInBackground = true
        running.requestSceneSessionActivation(request)
        #expect(running.scene(for: closed)?.activationState == .background)
        #expect(front.activationState == .foregroundActive)
        #expect(running.connectedScenes.count == 2)
    }

    @Test("L-48 L-36 a window that a logout refuses to bring back stays closed")
    func closedValueInTeardown() throws {
        device.options.restoresClosedValue = true
        let running = try device.launch { NotesApp() }
        try running.openWindow(presenting: "report")
        let closed = try #require(running.connectedScenes.first).identifier
        try running.closeWindow(of: closed)
        try running.beginTeardown()
        var request = SceneSessionActivationRequest()
        request.presentedValue = "report"
        request.staysInBackground = true
        var refusal: SceneStoreError?
        running.requestSceneSessionActivation(request) { refusal = $0 }
        #expect(refusal?.code == .tearingDown)
        #expect(!running.openSessions.contains { $0.persistentIdentifier == closed })
        #expect(try running.recentlyClosedGroups().flatMap(\.sessions).count == 1)
    }

    @Test("S-24 the autosaver saves 0.5 s after the last change, 2 s after the first at the latest")
    func autosaver() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let (scene, note) = try #require(running.firstNote)
        func saved() throws -> String? {
            try running.session(for: scene.identifier)?
                .stateRestorationActivity?.userInfo["text"]?.stringValue
        }
        note.text = "a"
        scene.setNeedsSave()
        device.wait(milliseconds: 499)
        #expect(try saved() == nil)
        device.wait(milliseconds: 1)
        #expect(try saved() == "a")
        app.calls = []
        for step in 1...30 {
            note.text = "step \(step)"
            scene.setNeedsSave()
            device.wait(milliseconds: 100)
        }
        #expect(app.calls.filter { $0 == "save" }.count == 1)
        #expect(try saved() == "step 20")
        note.text = "unsaved"
        scene.setNeedsSave()
        try device.openWindow()
        #expect(try saved() == "unsaved")
        note.text = "dropped"
        scene.setNeedsSave()
        try running.closeWindow(of: scene.identifier)
        device.wait(milliseconds: 5_000)
        #expect(try running.session(for: scene.identifier) == nil)
    }
}
