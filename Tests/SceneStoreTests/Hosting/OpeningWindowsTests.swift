import SceneStore
import SceneStoreHosting
import SceneStoreLinks
import SceneStoreTesting
import Testing

private final class DeskHost: SceneHost {
    final class Window {
        let session: SceneSession
        var payloads: [Payload] = []
        init(_ session: SceneSession) { self.session = session }
    }

    var asked = 0
    var raised: [Window] = []
    var target: (Payload) -> PayloadTarget? = { _ in nil }
    var titles: [SceneSession.ID: String] = [:]

    func makeWindow(for session: SceneSession) -> Window { Window(session) }
    func bringForward(_ window: Window) { raised.append(window) }
    func close(_ window: Window) {}
    func restore(_ activity: UserActivity, in window: Window) {}
    func stateRestorationActivity(of window: Window) throws -> UserActivity? {
        try UserActivity(activityType: "com.example.desk", userInfo: ["text": "needle"])
    }
    func deliver(_ payload: Payload, to window: Window) { window.payloads.append(payload) }
    func configuration(
        for session: SceneSession, options: ConnectionOptions
    ) -> SceneConfiguration {
        asked += 1
        return session.configuration
    }
    func title(of window: Window) -> String? { titles[window.session.id] }
    func target(for payload: Payload) -> PayloadTarget? { target(payload) }
}

@Suite("Opening windows, and naming the ones that take payloads")
struct OpeningWindowsTests {
    private let device: SimulatedDevice
    private let options = SceneApplicationOptions.desktop(
        .window("Document"), .window("Canvas"), .single("Preferences", role: .preferences))

    init() throws {
        device = try SimulatedDevice(options: options)
    }

    private func launch(
        _ payloads: [Payload] = [], _ target: @escaping (Payload) -> PayloadTarget? = { _ in nil }
    ) throws -> HostedSceneApplication<DeskHost> {
        device.kill()
        return try device.launch(payloads, host: DeskHost()) { $0.host.target = target }
    }

    private func link(_ text: String = "desk://x") -> Payload {
        .urls([OpenURLContext(url: text)])
    }

    @Test("L-44 a declared kind of window is remembered or not")
    func notRemembered() throws {
        let options = SceneApplicationOptions.desktop(
            .window("Document"), .window("Private", privacy: .ephemeral))
        #expect(options.unrememberedConfigurations == ["Private"])
        #expect(self.options.unrememberedConfigurations.isEmpty)
    }

    @Test("S-70 a kind of window is declared with its privacy, and a request may ask for more")
    func declaredPrivacy() async throws {
        let device = try SimulatedDevice(
            options: .desktop(.window("Document"), .window("Patient", privacy: .redacted)))
        let hosted = try device.launch(host: DeskHost())
        let document = try await hosted.openWindow(configuration: "Document")
        #expect(document.session.privacy == .standard)
        let patient = try await hosted.openWindow(configuration: "Patient")
        #expect(patient.session.privacy == .redacted)
        let secret = try await hosted.openWindow(configuration: "Patient", privacy: .ephemeral)
        #expect(secret.session.privacy == .ephemeral)
    }

    @Test("L-07 L-87 one call says everything about a window and returns it")
    func everything() async throws {
        let hosted = try launch()
        let asked = hosted.host.asked
        let activity = try UserActivity(activityType: "com.example.open", userInfo: ["line": 3])
        let window = try await hosted.openWindow(
            configuration: "Canvas", presenting: "drawing", activity: activity, privacy: .redacted)
        #expect(hosted.host.asked == asked)
        #expect(window.session.configuration.name == "Canvas")
        #expect(window.session.presentedValue == "drawing")
        #expect(window.session.privacy == .redacted)
        #expect(window.payloads == [.activity(activity)])
        let identifier = window.session.persistentIdentifier
        #expect(try hosted.application.session(for: identifier)?.privacy == .redacted)
        // An equal value's window comes forward; another value's is another one.
        _ = try await hosted.openWindow()
        let same = try await hosted.openWindow(presenting: "drawing")
        #expect(same === window)
        let other = try await hosted.openWindow(presenting: "another")
        #expect(other !== window)
    }

    @Test("L-87 a window that is requested for a value has it when it is made, and is made once")
    func requested() throws {
        let hosted = try launch()
        hosted.requestWindow(presenting: "drawing", configuration: "Canvas")
        let window = try #require(hosted.host.raised.last)
        #expect(window.session.configuration.name == "Canvas")
        // The session is the one that `makeWindow` got.
        #expect(try window.session.presentedValue(as: String.self) == "drawing")
        let count = hosted.application.connectedScenes.count
        hosted.requestWindow(presenting: "drawing")
        #expect(hosted.application.connectedScenes.count == count)
        #expect(device.diagnostics.isEmpty)
        hosted.requestWindow(presenting: [Int??.some(nil)])
        #expect(device.diagnostics.map(\.code.rawValue) == ["unsupportedValue"])
        #expect(hosted.application.connectedScenes.count == count)
    }

    @Test("S-70 a window that is opened ephemeral never reaches the disk")
    func ephemeral() async throws {
        let hosted = try launch()
        let window = try await hosted.openWindow(presenting: "needle", privacy: .ephemeral)
        #expect(window.session.privacy == .ephemeral)
        hosted.windowDidChange(window)
        hosted.application.flushChanges()
        try device.moveToBackground()
        let identifier = window.session.persistentIdentifier
        #expect(try hosted.application.session(for: identifier)?.presentedValue == nil)
        #expect(try hosted.application.session(for: identifier)?.stateRestorationActivity == nil)
    }

    @Test("L-12 of a declared single window there is one, and it neither takes links nor is all")
    func single() async throws {
        let hosted = try launch()
        let first = try await hosted.openWindow(role: .preferences)
        let second = try await hosted.openWindow(role: .preferences)
        #expect(first === second)
        #expect(device.windows(DeskHost.Window.self).count == 2)
        #expect(first.session.configuration.name == "Preferences")
        hosted.receive(link())
        #expect(first.payloads.isEmpty)
        try device.relaunch()
        #expect(device.windows(DeskHost.Window.self).count == 2)
    }

    @Test("L-02 the window that the user is at comes back in front, also of two active roles")
    func focus() async throws {
        let hosted = try launch()
        let document = try device.window(DeskHost.Window.self, at: 0)
        let preferences = try await hosted.openWindow(role: .preferences)
        // The user turns to a window that was active in its role all the time.
        hosted.windowDidBecomeActive(document)
        #expect(try device.window(DeskHost.Window.self, at: 0) === document)
        for user in [document, preferences, preferences, document] {
            let window = try #require(
                device.windows(DeskHost.Window.self).first { $0.session.id == user.session.id })
            try device.hosted(DeskHost.self).windowDidBecomeActive(window)
            // Twice: what a launch does to the order is no event of the user's.
            for _ in 1...2 {
                try device.relaunch()
                let front = try device.window(DeskHost.Window.self, at: 0)
                #expect(front.session.id == user.session.id)
                #expect(try device.host(DeskHost.self).raised.last === front)
            }
        }
    }

    @Test("L-77 an active window that is behind another role's is raised when it is asked for")
    func raised() async throws {
        let hosted = try launch()
        let document = try device.window(DeskHost.Window.self, at: 0)
        let preferences = try await hosted.openWindow(role: .preferences)
        hosted.windowDidBecomeActive(document)
        hosted.host.raised = []
        #expect(try await hosted.openWindow(role: .preferences) === preferences)
        #expect(hosted.host.raised.map(\.session.id) == [preferences.session.id])
        hosted.application.requestSceneSessionActivation(.init(session: document.session.id))
        #expect(
            hosted.host.raised.map(\.session.id)
                == [preferences.session.id, document.session.id])
    }

    @Test("L-79 a named window, role or new window takes a payload, warm")
    func warm() async throws {
        var answer: PayloadTarget?
        let hosted = try launch([]) { _ in answer }
        let first = try device.window(DeskHost.Window.self, at: 0)
        let second = try await hosted.openWindow()
        answer = .window(first.session.id)
        hosted.receive(link("desk://1"))
        #expect(first.payloads == [link("desk://1")])
        answer = .role(.preferences)
        hosted.receive(link("desk://2"))
        hosted.receive(link("desk://3"))
        let preferences = try device.window(DeskHost.Window.self, at: 0)
        #expect(preferences.session.role == .preferences)
        #expect(preferences.payloads == [link("desk://2"), link("desk://3")])
        answer = .new
        hosted.receive(link("desk://4"))
        let made = try device.window(DeskHost.Window.self, at: 0)
        #expect(made !== first && made !== second && made.payloads == [link("desk://4")])
        answer = .handled
        hosted.receive(link("desk://5"))
        #expect(device.windows(DeskHost.Window.self).count == 4)
        #expect(
            device.windows(DeskHost.Window.self).flatMap(\.payloads).contains(link("desk://5"))
                == false)
        #expect(device.diagnostics.isEmpty)
    }

    @Test("L-79 an answer that can't be met falls back to the conditions, with a diagnostic")
    func fallback() async throws {
        let hosted = try launch([]) { _ in .window(SceneSession.ID("nobody")) }
        let window = try device.window(DeskHost.Window.self, at: 0)
        hosted.receive(link())
        #expect(window.payloads == [link()])
        #expect(device.diagnostics.map(\.code) == [.targetNotMet])
    }

    @Test("L-79 what launches the app goes where the app names, cold")
    func cold() async throws {
        let hosted = try launch()
        let first = try device.window(DeskHost.Window.self, at: 0)
        _ = try await hosted.openWindow()
        try device.moveToBackground()
        _ = try launch([link()]) { _ in .window(first.session.id) }
        let windows = device.windows(DeskHost.Window.self)
        #expect(windows.map(\.payloads) == [[link()], []])
        #expect(windows.first?.session.id == first.session.id)
        _ = try launch([link()]) { _ in .handled }
        #expect(device.windows(DeskHost.Window.self).flatMap(\.payloads) == [])
        _ = try launch([link()]) { _ in .new }
        #expect(device.windows(DeskHost.Window.self).count == 3)
        #expect(device.windows(DeskHost.Window.self).first?.payloads == [link()])
        #expect(device.diagnostics.isEmpty)
    }

    @Test("L-65 L-79 links of one launch that ask for a new window share it, as one delivery")
    func together() throws {
        let links = ["desk://1", "desk://2"]
        let hosted = try launch(links.map(link)) { _ in .new }
        #expect(
            device.windows(DeskHost.Window.self).map(\.payloads)
                == [[.urls(links.map { OpenURLContext(url: $0) })]])
        links.map(link).forEach(hosted.receive)
        #expect(
            device.windows(DeskHost.Window.self).prefix(2).map(\.payloads)
                == links.reversed().map { [link($0)] })
    }

    private enum Place: Sendable, Equatable {
        case note(String)
        case settings
    }

    @Test("L-79 a window is found by the title that it shows now, and cold by the stored one")
    func titles() async throws {
        let hosted = try launch()
        let first = try device.window(DeskHost.Window.self, at: 0)
        let second = try await hosted.openWindow()
        let secret = try await hosted.openWindow(privacy: .ephemeral)
        let host = hosted.host
        host.titles = [first.session.id: "Old", second.session.id: "Shopping"]
        try hosted.application.saveState(of: [first.session.id, second.session.id])
        // Renamed since: nothing is stored of it yet.
        host.titles = [first.session.id: "New", second.session.id: "Shopping"]
        #expect(hosted.openSessions.map(\.title) == [nil, "Shopping", "New"])
        #expect(hosted.openSessions.map(\.id) == [secret, second, first].map(\.session.id))
        #expect(hosted.application.openSessions.map(\.title) == [nil, "Shopping", "Old"])
        var asked: [String?] = []
        device.kill()
        try device.launch([link()], host: DeskHost()) { hosted in
            hosted.host.target = { _ in
                asked = hosted.openSessions.map(\.title)
                return hosted.openSessions.first { $0.title == "Old" }.map { .window($0.id) }
            }
        }
        #expect(asked == [nil, "Shopping", "Old"])
        let taken = device.windows(DeskHost.Window.self).filter { !$0.payloads.isEmpty }
        #expect(taken.map(\.session.id) == [first.session.id])
    }

    @Test("L-79 a router's match names the window")
    func router() throws {
        let router = try Router(schemes: ["desk"]) {
            Route("/settings", to: Place.settings)
        }
        let choose: (Place) -> PayloadTarget? = { $0 == .settings ? .role(.preferences) : nil }
        #expect(router.target(for: link("desk:///settings"), choose) == .role(.preferences))
        #expect(router.target(for: link("desk:///elsewhere"), choose) == nil)
        #expect(router.target(for: .shortcut(ShortcutItem(type: "x")), choose) == nil)
    }

    // MARK: Requests that return a result

    /// A window that opens another one whenever it comes to the front.
    private final class Opener: SceneApplicationDelegate, SceneDelegate {
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { self }
        func sceneWillEnterForeground(_ scene: Scene) {
            if scene.session.presentedValue != nil {
                scene.application?.requestSceneSessionActivation(.init())
            }
        }
    }

    @Test("L-87 who asks for a window gets that one, whichever others open meanwhile")
    func opensAnother() async throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        let opener = Opener()
        let application = try device.launch { opener }
        var request = SceneSessionActivationRequest()
        request.presentedValue = "report"
        for isEvicted in [false, true, false] {
            let scene = try await application.openScene(request)
            #expect(scene.session.presentedValue == "report")
            try application.moveToBackground([scene.session.id])
            if isEvicted {
                try application.evict(scene.session.id)
            }
        }
        #expect(application.openSessions.count == 5)
    }

    @Test("L-73 L-87 a request that stays in the background brings no window forward by its value")
    func staysBehind() async throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        let application = try device.launch { NotesApp() }
        var request = SceneSessionActivationRequest()
        request.presentedValue = "report"
        let id = try await application.openScene(request).session.id
        try application.moveToBackground([id])
        request.staysInBackground = true
        for _ in 0..<2 {
            // Another window is in front.
            #expect(try await application.openScene(request).session.id == id)
            #expect(application.scene(for: id)?.activationState == .background)
            try application.evict(id)
        }
        #expect(application.openSessions.count == 2)
    }

    @Test("L-74 requests return a result, or throw what the error handler would get")
    func requests() async throws {
        let application = try launch().application
        let scene = try await application.openScene()
        let id = scene.session.id
        #expect(application.connectedScenes.first === scene)
        let again = try await application.openScene(.init(session: id))
        #expect(again === scene)
        try application.closeWindow(of: id)
        #expect(application.scene(for: id) == nil)
        try application.reopen(id)
        let reopened = try #require(application.scene(for: id))
        #expect(reopened.session.id == id && reopened !== scene)
        try application.moveToBackground([id])
        var failures: [SceneStoreError] = []
        application.requestSceneSessionRefresh(id) { failures.append($0) }
        #expect(failures == [])
        await #expect(throws: SceneStoreError(.requestDenied, "")) {
            _ = try await application.openScene(.init(session: "nobody"))
        }
        application.requestSceneSessionRefresh(SceneSession.ID("nobody")) { failures.append($0) }
        #expect(failures.map(\.code) == [.requestDenied])
        #expect(throws: SceneStoreError(.noSuchSession, "")) {
            try application.reopen(SceneSession.ID("nobody"))
        }
    }
}
