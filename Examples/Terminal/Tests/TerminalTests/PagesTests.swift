import SceneStore
import SceneStoreTesting
import Testing

@testable import Terminal

/// The app on a simulated device, without a terminal.
@Suite("The pages of the terminal")
struct PagesTests {
    private let device: SimulatedDevice
    private var pages: Pages { get throws { try device.host() } }
    /// The page in front.
    private var front: Page { get throws { try device.window(at: 0) } }

    init() throws {
        device = try SimulatedDevice(options: Pages.windows)
        try device.launch(host: Pages()) { $0.host.hosted = $0 }
    }

    private func type(_ keys: String) throws { try keys.utf8.forEach(pages.type) }

    @Test("what was typed comes back after a kill, in its page")
    func kill() throws {
        try type("milk")
        try type("\u{0E}eggs")  // Ctrl-N
        device.wait(milliseconds: 10_000)
        device.kill()
        try device.relaunch()
        #expect(device.windows(Page.self).map(\.state.text) == ["eggs", "milk"])
    }

    @Test("a link goes to the page of its name, and to no private page")
    func link() throws {
        try device.open("page:Shopping")
        try type("\u{10}")  // Ctrl-P
        try front.state.title = "Shopping"
        try device.open("page:Shopping")
        #expect(try front.title == "Shopping")
        #expect(device.windows(Page.self).count == 3)
    }

    @Test("a link that starts the app goes to the page of its name")
    func coldLink() throws {
        try device.open("page:Shopping")
        try type("milk\u{0E}")  // Ctrl-N
        try device.quit()
        try device.relaunch([.urls([OpenURLContext(url: "page:Shopping")])])
        #expect(try front.state.text == "milk")
        #expect(device.windows(Page.self).count == 3)
    }

    @Test("a private page doesn't come back")
    func privatePage() throws {
        try type("milk\u{10}secret")  // Ctrl-P
        try device.moveToBackground()
        try device.relaunch()
        #expect(device.windows(Page.self).map(\.state.text) == ["milk"])
    }

    @Test("a page that was closed comes back with its text")
    func undoClose() throws {
        try type("\u{0E}milk\u{17}")  // Ctrl-N, Ctrl-W
        #expect(try front.state.text.isEmpty)
        try type("\u{14}")  // Ctrl-T
        #expect(try front.state.text == "milk")
    }
}
