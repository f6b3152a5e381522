import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// Pages of text, as a toolkit would show them.
private struct PageState: SavedState, Equatable {
    static let activityType = "com.example.page"
    var text = "", cursor = 0
}

private final class PageHost: StatefulSceneHost {
    final class Window {
        var page = PageState()
        var links: [String] = []
        var context: SaveContext?
        var refusal: SceneStoreError?
    }

    weak var hosted: HostedSceneApplication<PageHost>?
    var calls: [String] = []
    var declines = false

    func makeWindow(for session: SceneSession) -> Window {
        calls.append("make")
        return Window()
    }
    func bringForward(_ window: Window) { calls.append("front") }
    func close(_ window: Window) { calls.append("close") }
    func state(of window: Window) -> PageState { window.page }
    func restore(_ state: PageState, in window: Window) { window.page = state }
    func restore(_ state: PageState, in window: Window, savedUnder context: SaveContext) {
        window.context = context
        restore(state, in: window)
    }
    func window(_ window: Window, couldNotRestore error: SceneStoreError) { window.refusal = error }
    func shouldRestore(_ session: SceneSession, savedUnder context: SaveContext) -> Bool {
        !declines
    }
    func deliver(_ payload: Payload, to window: Window) {
        if case .urls(let contexts) = payload {
            window.links += contexts.map(\.url)
        }
    }
}

/// A window with a scene storage of its own.
private final class ZoomHost: SceneHost {
    final class Window: SceneStorageOwner {
        weak var scene: Scene?
        @SceneStorage("zoom") var zoom = 1.0
    }
    func makeWindow(for session: SceneSession) -> Window { Window() }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func restore(_ activity: UserActivity, in window: Window) {}
    func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
}

@Suite("Hosted apps on a simulated device")
struct HostedDeviceTests {
    private typealias Window = PageHost.Window

    private func window(_ device: SimulatedDevice, _ index: Int = 0) throws -> Window {
        try device.window(at: index)
    }

    @Test("L-11 L-64 a device that was given a manifest alone has a desktop app's rules")
    func desktopRules() throws {
        let manifest = SceneManifest.windows("Page")
        let device = try SimulatedDevice(manifest: manifest)
        try device.launch(host: PageHost())
        #expect(device.options.manifest == manifest)
        #expect(device.options.reconnection == .all)
        #expect(device.options.delivery == .whenActive)
        // What a test chooses stays.
        device.options.reconnection = .first(2)
        device.kill()
        try device.launch(host: PageHost())
        #expect(device.options.reconnection == .first(2))
        let chosen = try SimulatedDevice(options: SceneApplicationOptions(manifest: manifest))
        try chosen.launch(host: PageHost())
        #expect(chosen.options.reconnection == .foreground)
    }

    @Test("L-03 L-41 a hosted window's typed state comes back after a kill")
    func kill() throws {
        let device = try SimulatedDevice()
        try device.launch(host: PageHost())
        try window(device).page = PageState(text: "draft", cursor: 3)
        try device.hosted(PageHost.self).windowDidChange(window(device))
        device.wait(milliseconds: 600)
        let host = try device.host(PageHost.self)
        try device.relaunch()
        #expect(try device.host(PageHost.self) !== host)
        #expect(try window(device).page == PageState(text: "draft", cursor: 3))
        #expect(device.takeCallbacks().hasSuffix("will did connect:A restore:A fg:A active:A"))
    }

    @Test("L-39 two windows are two: each has its own state, and the front one is window 0")
    func two() throws {
        let device = try SimulatedDevice()
        try device.launch(host: PageHost())
        try window(device).page.text = "first"
        try device.openWindow()
        try window(device).page.text = "second"
        try device.quit()
        try device.relaunch()
        #expect(device.windows(Window.self).map(\.page.text) == ["second", "first"])
        #expect(throws: SceneStoreError(.invalidState, "")) { try window(device, 2) }
        #expect(throws: SceneStoreError(.invalidState, "")) { try device.host(TestHost.self) }
    }

    @Test("L-52 a hosted window that crashes its process shows nothing more, and is withheld once")
    func crash() throws {
        let device = try SimulatedDevice()
        try device.launch(host: PageHost())
        try window(device).page.text = "poison"
        try device.moveToBackground()
        var hosts: [PageHost] = []
        device.kill()
        try device.launch(host: PageHost()) { hosts.append($0.host) }
        try device.crash(restoring: "A")
        #expect(hosts.last?.calls == ["make"])
        #expect(!device.isRunning)
        try device.relaunch()
        #expect(try window(device).page.text == "")
        #expect(try #require(device.frontScene).session.restoration == .withheld)
    }

    @Test("L-51 a host's guard declines a state, and restore is told what it was saved under")
    func context() throws {
        let device = try SimulatedDevice()
        device.options.appVersion = "1.0"
        try device.launch(host: PageHost())
        try window(device).page.text = "draft"
        try device.moveToBackground()
        device.update(version: "2.0")
        try device.relaunch()
        #expect(try window(device).context?.appVersion == "1.0")
        device.kill()
        try device.launch(host: PageHost()) { $0.host.declines = true }
        #expect(try window(device).page.text == "")
        #expect(try #require(device.frontScene).session.restoration == .declined)
    }

    @Test("L-54 a hosted window whose state can't be read is told, and the state is kept")
    func unreadable() throws {
        let device = try SimulatedDevice()
        let hosted = try device.launch(host: PageHost())
        var newer = try PageState(text: "newer").userActivity()
        newer.stateVersion = 2
        let scene = try #require(device.frontScene)
        try hosted.application.setStateRestorationActivity(
            newer, for: scene.session.persistentIdentifier)
        try device.relaunch()
        #expect(try window(device).refusal?.code == .newerState)
        #expect(try #require(device.frontScene).session.withheldState == .newer)
    }

    @Test("L-86 a host's window has a scene storage, each its own")
    func storage() throws {
        let device = try SimulatedDevice()
        try device.launch(host: ZoomHost())
        try device.window(ZoomHost.Window.self, at: 0).zoom = 2
        try device.openWindow()
        try device.window(ZoomHost.Window.self, at: 0).zoom = 3
        try device.relaunch()
        #expect(device.windows(ZoomHost.Window.self).map(\.zoom) == [3, 2])
    }

    @Test("L-60 S-21 links, faults and fixtures reach a hosted app as they reach delegates")
    func surroundings() throws {
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        try device.launch(host: PageHost())
        try #expect(window(device).refusal != nil)
        try device.open("notes://1")
        #expect(device.windows(Window.self).flatMap(\.links) == ["notes://1"])
        try device.fillDisk()
        try window(device).page.text = "draft"
        try device.moveToBackground()
        #expect(device.diagnostics.contains { $0.code == .writeRefused })
        try device.repairDisk()
        try device.moveToForeground()
        try device.moveToBackground()
        try device.relaunch()
        #expect(device.windows(Window.self).contains { $0.page.text == "draft" })
        #expect(device.transcriptText.contains("restore"))
    }
}
