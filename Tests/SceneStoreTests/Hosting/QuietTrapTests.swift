import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Synchronization
import Testing

/// A host that implements what is required and nothing else.
private final class PlainHost: StatefulSceneHost {
    struct Page: SavedState {
        static let activityType = "com.example.page"
        var text = ""
    }

    final class Window {
        var page = Page()
        let name: String?
        init(_ name: String?) { self.name = name }
    }

    /// What a new window shows from the beginning.
    var firstText = ""

    /// The only window that it has, whatever is asked for.
    var onlyWindow: Window?
    var onMaking: () -> Void = {}
    var onAsking: () -> Void = {}

    func makeWindow(for session: SceneSession) -> Window {
        onMaking()
        let window = onlyWindow ?? Window(session.configuration.name)
        window.page.text = firstText
        return window
    }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> Page {
        onAsking()
        return window.page
    }
    func restore(_ state: Page, in window: Window) { window.page = state }
}

/// What an author who had nothing but the pages walked into without a word.
@Suite("Traps that are told of")
struct QuietTrapTests {
    private func codes(_ device: SimulatedDevice) -> [String] {
        device.diagnostics.map(\.code.rawValue)
    }

    private let link = Payload.urls([OpenURLContext(url: "page:1")])

    @Test("L-61 the first payload that a host without deliver ignores is told, cold and warm")
    func ignoredPayload() throws {
        for isCold in [true, false] {
            let device = try SimulatedDevice(options: .desktop(.window("Page")))
            let hosted = try device.launch(isCold ? [link] : [], host: PlainHost())
            if !isCold {
                #expect(codes(device).isEmpty)
                hosted.receive(link)
            }
            #expect(codes(device) == ["payloadIgnored"])
            hosted.receive(link)
            #expect(codes(device).count == 1)
        }
    }

    @Test("L-07 a window that is opened under an unknown name opens, and that is told")
    func unknownConfiguration() async throws {
        let device = try SimulatedDevice(options: .desktop(.window("Page")))
        let hosted = try device.launch(host: PlainHost())
        let window = try await hosted.openWindow(configuration: "Pgae")
        #expect(window.name == "Pgae")
        #expect(codes(device) == ["unresolvedConfiguration"])
        #expect(
            device.diagnostics.first?.message == "no window 'Pgae' is declared for the role")
        #expect(device.diagnostics.first?.fix?.contains(".desktop(") == true)
    }

    @Test("L-07 L-16 two kinds of window with one name, and an unknown one to open, are told")
    func declarations() throws {
        for (options, expected) in [
            (SceneApplicationOptions.desktop(.window("A"), .window("B")), []),
            (
                .desktop(.window("A"), .single("A", role: .preferences)),
                ["duplicateConfigurationName"]
            ),
        ] {
            let device = try SimulatedDevice(options: options)
            try device.launch(host: PlainHost())
            #expect(codes(device) == expected)
        }
        for (name, expected) in [("A", []), ("Aa", ["unresolvedConfiguration"])] {
            var options = SceneApplicationOptions.desktop(.window("A"))
            options.openingConfiguration = name
            let device = try SimulatedDevice(options: options)
            try device.launch(host: PlainHost())
            #expect(codes(device) == expected)
        }
    }

    @Test("L-07 L-12 a window that is named opens under the role for which the name is declared")
    func configurationOfAnotherRole() async throws {
        let device = try SimulatedDevice(
            options: .desktop(.window("Page"), .single("Preferences", role: .preferences)))
        let hosted = try device.launch(host: PlainHost())
        let window = try await hosted.openWindow(configuration: "Preferences")
        #expect(window.name == "Preferences")
        #expect(hosted.scene(of: window)?.session.role == .preferences)
        #expect(try await hosted.openWindow(role: .preferences) === window)
        #expect(codes(device).isEmpty)
        // Who insists on another role gets it, and is told.
        try await hosted.openWindow(role: .windowApplication, configuration: "Preferences")
        #expect(codes(device) == ["unresolvedConfiguration"])
        #expect(
            device.diagnostics.first?.fix?.contains(SceneSessionRole.preferences.rawValue) == true)
    }

    @Test("L-07 L-12 an app's request and a device's window take the role of the named kind, too")
    func requestOfAnotherRole() throws {
        let device = try SimulatedDevice(
            options: .desktop(.window("Page"), .single("Preferences", role: .preferences)))
        let hosted = try device.launch(host: PlainHost())
        let scene = try device.openWindow(configuration: "Preferences")
        #expect(scene.session.role == .preferences)
        var request = SceneSessionActivationRequest()
        request.configurationName = "Preferences"
        hosted.application.requestSceneSessionActivation(request)
        #expect(device.windows(PlainHost.Window.self).map(\.name) == ["Preferences", "Page"])
        let page = try device.openWindow(configuration: "Page", privacy: .ephemeral)
        #expect(page.session.role == .windowApplication)
        #expect(page.session.privacy == .ephemeral)
        #expect(codes(device).isEmpty)
    }

    @Test("L-41 one window object for several sessions is told, once")
    func sharedWindow() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Page")))
        let host = PlainHost()
        host.onlyWindow = PlainHost.Window("Page")
        let hosted = try device.launch(host: host)
        #expect(codes(device).isEmpty)
        hosted.requestWindow()
        hosted.requestWindow()
        #expect(codes(device) == ["invalidState"])
        #expect(device.diagnostics.first?.message.contains("makeWindow(for:)") == true)
        // One that is used again after it was closed has one session at a time.
        let other = try SimulatedDevice(options: .desktop(.window("Page")))
        let again = PlainHost()
        again.onlyWindow = PlainHost.Window("Page")
        let reusing = try other.launch(host: again)
        try reusing.closeWindow(other.window(PlainHost.Window.self, at: 0))
        reusing.requestWindow()
        #expect(codes(other).isEmpty)
    }

    @Test("L-56 a state that is refused is told once for a save, and names its window")
    func refusedState() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Page")))
        let hosted = try device.launch(host: PlainHost())
        let window = try device.window(PlainHost.Window.self, at: 0)
        window.page.text = String(repeating: "x", count: 20_000_000)
        let identifier = try #require(hosted.scene(of: window)).session.id
        hosted.windowDidMinimize(window)
        #expect(codes(device) == ["limitExceeded"])
        #expect(device.diagnostics.first?.sessionIdentifier == identifier)
    }

    @Test("R-34 a window that opens another one when it is made comes to an end, and that is told")
    func windowsWithoutEnd() throws {
        for count in [1, 2] {
            let device = try SimulatedDevice(options: .desktop(.window("Page")))
            let host = PlainHost()
            var hosted: HostedSceneApplication<PlainHost>?
            host.onMaking = { for _ in 0..<count { hosted?.requestWindow() } }
            hosted = try device.launch(host: host)
            hosted?.requestWindow()
            let windows = device.windows(PlainHost.Window.self)
            #expect((100..<300).contains(windows.count))
            #expect(codes(device).allSatisfy { $0 == "limitExceeded" })
            #expect(device.diagnostics.first?.message.contains(" 256 events ") == true)
            hosted?.host.onMaking = {}
            hosted?.requestWindow()
            #expect(device.windows(PlainHost.Window.self).count == windows.count + 1)
        }
    }

    @Test("L-31 a call that comes too early or too late names itself, and what to do")
    func callsOutsideOfTheLife() throws {
        let application = SceneApplication(
            store: try SceneSessionStore.open(at: .memory), delegate: NoScenes(),
            options: .desktop(.window("Page")), scheduler: .manual)
        func message(_ call: () throws -> Void) -> String {
            var message = ""
            do { try call() } catch { message = (error as? SceneStoreError)?.message ?? "" }
            return message
        }
        let early = message { try application.moveToBackground([]) }
        #expect(early.hasPrefix("moveToBackground(_:) needs an application that runs;"))
        #expect(early.hasSuffix("call launch(_:) first"))
        var told = ""
        application.requestSceneSessionActivation(.init()) { told = $0.message }
        #expect(told.hasPrefix("requestSceneSessionActivation(_:errorHandler:) needs"))
        try application.launch()
        try application.quit()
        let late = message { try application.receive(link) }
        #expect(late.hasPrefix("receive(_:) needs an application that runs; it has ended"))
    }

    @Test("L-41 what a window shows when it opens is stored before openWindow returns")
    func firstContent() async throws {
        let device = try SimulatedDevice(options: .desktop(.window("Page")))
        let hosted = try device.launch(host: PlainHost())
        hosted.host.firstText = "awaited"
        try await hosted.openWindow()
        hosted.host.firstText = "asked for"
        hosted.requestWindow()
        device.kill()
        try device.launch(host: PlainHost())
        let texts = device.windows(PlainHost.Window.self).map(\.page.text)
        #expect(texts == ["asked for", "awaited", ""])
    }

    @Test("L-41 S-24 a window that lets go of its application when a timer asks it is saved")
    func releasedWhileAsked() throws {
        let clock = VirtualClock()
        let scheduler = VirtualScheduler(clock: clock)
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        func hosted(_ host: PlainHost) throws -> HostedSceneApplication<PlainHost> {
            let hosted = HostedSceneApplication(
                store: try SceneSessionStore.open(at: .directory(container)), host: host,
                environment: SceneEnvironment(
                    now: { clock.now }, makeIdentifier: { "A" }, bootIdentifier: "boot",
                    processIdentifier: 1), scheduler: scheduler)
            try hosted.launch()
            return hosted
        }
        let host = PlainHost()
        let window = PlainHost.Window(nil)
        host.onlyWindow = window
        var codes: [String] = []
        var running: HostedSceneApplication? = try hosted(host)
        running?.application.diagnosticHandler = { codes.append($0.code.rawValue) }
        window.page.text = "last"
        running?.windowDidChange(window)
        host.onAsking = { running = nil }
        scheduler.advance(by: 1_000)
        #expect(codes == ["releasedWhileRunning"])
        let next = PlainHost()
        next.onlyWindow = PlainHost.Window(nil)
        try hosted(next).quit()
        #expect(next.onlyWindow?.page.text == "last")
    }

    @Test("L-41 an application that is released while it runs says so; one that has quit doesn't")
    func released() throws {
        for quits in [false, true] {
            var codes: [String] = []
            var hosted: HostedSceneApplication? = HostedSceneApplication(
                store: try SceneSessionStore.open(at: .memory), host: PlainHost(),
                scheduler: .manual)
            hosted?.application.diagnosticHandler = { codes.append($0.code.rawValue) }
            try hosted?.launch()
            if quits {
                try hosted?.quit()
            }
            hosted = nil
            #expect(codes == (quits ? [] : ["releasedWhileRunning"]))
        }
        // One that never launched has nothing to lose.
        var codes: [String] = []
        var application: SceneApplication? = SceneApplication(
            store: try SceneSessionStore.open(at: .memory), delegate: NoScenes(),
            scheduler: .manual)
        application?.diagnosticHandler = { codes.append($0.code.rawValue) }
        application = nil
        #expect(codes.isEmpty)
    }

    private final class NoScenes: SceneApplicationDelegate {}

    @Test(
        "L-78 a link goes into a window that isn't remembered only if it prefers it",
        arguments: [false, true])
    func unremembered(isSwitchedOff: Bool) async throws {
        let device = try SimulatedDevice(
            options: .desktop(
                .window("Page"), .window("Search", privacy: isSwitchedOff ? .standard : .ephemeral))
        )
        let hosted = try device.launch(host: PlainHost())
        let page = try device.window(PlainHost.Window.self, at: 0)
        let search = try await hosted.openWindow(configuration: "Search")
        if isSwitchedOff {
            let identifier = try #require(hosted.scene(of: search)).session.id
            try hosted.application.setRestorationEnabled(false, for: identifier)
        }
        hosted.receive(link)
        #expect(try device.window(PlainHost.Window.self, at: 0) === page)
        hosted.closeWindow(page)
        hosted.receive(link)
        #expect(try device.window(PlainHost.Window.self, at: 0).name == "Page")
        try hosted.scene(of: search)?.setActivationConditions(
            ActivationConditions(prefersToActivate: .always))
        hosted.receive(link)
        #expect(try device.window(PlainHost.Window.self, at: 0) === search)
    }

    @Test("L-78 where no window is remembered they take links as any other")
    func noneRemembered() throws {
        let device = try SimulatedDevice(
            options: .desktop(.window("Kiosk", privacy: .ephemeral)))
        let hosted = try device.launch(host: PlainHost())
        hosted.receive(link)
        #expect(device.windows(PlainHost.Window.self).count == 1)
    }
}
