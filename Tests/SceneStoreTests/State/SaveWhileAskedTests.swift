import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// A host whose windows do something while they are asked for their states.
private final class AskedHost: StatefulSceneHost {
    struct Page: SavedState {
        static let activityType = "com.example.page"
        var text = ""
    }

    final class Window {
        var page = Page()
    }

    var whileAsked: (Window) -> Void = { _ in }
    /// How often a window was asked.
    var questions = 0

    func makeWindow(for session: SceneSession) -> Window { Window() }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func restore(_ state: Page, in window: Window) { window.page = state }

    func state(of window: Window) -> Page {
        questions += 1
        // An endless chain of saves ends here, and fails the test.
        if questions < 100 {
            whileAsked(window)
        }
        return window.page
    }
}

@Suite("Saves that are requested within a save")
struct SaveWhileAskedTests {
    private let device: SimulatedDevice
    private let hosted: HostedSceneApplication<AskedHost>

    init() throws {
        device = try SimulatedDevice(options: .desktop(.window("Page")))
        hosted = try device.launch(host: AskedHost())
        hosted.requestWindow()
        hosted.host.questions = 0
    }

    private func texts(after change: () throws -> Void) throws -> [String] {
        try change()
        device.kill()
        try device.launch(host: AskedHost())
        return device.windows(AskedHost.Window.self).map(\.page.text)
    }

    @Test(
        "L-31 a save that a window requests while it is asked for its state ends, and is told once")
    func ends() throws {
        let (hosted, window) = (hosted, try device.window(AskedHost.Window.self, at: 0))
        let identifier = try #require(hosted.scene(of: window)).session.id
        hosted.host.whileAsked = { window in
            try? hosted.application.saveState(of: [identifier])
            hosted.windowDidChange(window)
            hosted.application.flushChanges()
        }
        let texts = try texts {
            window.page.text = "one"
            try hosted.application.saveState(of: [identifier])
            #expect(hosted.host.questions == 1)
            window.page.text = "two"
            hosted.windowDidChange(window)
            hosted.application.flushChanges()
            #expect(hosted.host.questions == 2)
            device.wait(milliseconds: 5_000)
            #expect(hosted.host.questions == 2)
            #expect(device.diagnostics.map(\.code.rawValue) == ["invalidState"])
        }
        #expect(texts == ["two", ""])
    }

    @Test("L-31 windows that save each other while they are asked are saved, and the chain ends")
    func eachOther() throws {
        let hosted = hosted
        let windows = device.windows(AskedHost.Window.self)
        let identifiers = windows.compactMap { hosted.scene(of: $0)?.session.id }
        hosted.host.whileAsked = { _ in try? hosted.application.saveState(of: identifiers) }
        let texts = try texts {
            windows[0].page.text = "front"
            windows[1].page.text = "behind"
            try hosted.application.saveState(of: [identifiers[0]])
            #expect(hosted.host.questions == 1)
            // The other one counts as changed.
            device.wait(milliseconds: 600)
            #expect(hosted.host.questions == 2)
        }
        #expect(texts == ["front", "behind"])
    }

    @Test("L-31 a refresh that a background window requests while it is asked ends")
    func refresh() throws {
        let (hosted, window) = (hosted, try device.window(AskedHost.Window.self, at: 0))
        let identifier = try #require(hosted.scene(of: window)).session.id
        hosted.windowDidMinimize(window)
        hosted.host.questions = 0
        hosted.host.whileAsked = { _ in
            hosted.application.requestSceneSessionRefresh(identifier)
        }
        hosted.application.requestSceneSessionRefresh(identifier)
        #expect(hosted.host.questions == 1)
    }
}
