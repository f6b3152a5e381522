import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

@Suite("Windows that a toolkit opens by itself")
struct AdoptedWindowTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            options: .desktop(
                .window("Editor"), .window("Inspector"),
                .single("Preferences", role: .preferences)))
    }

    private func launch() throws -> HostedSceneApplication<TestHost> {
        try device.launch(host: TestHost())
    }

    /// What the toolkit made.
    private func window(_ text: String) -> TestHost.Window {
        let window = TestHost.Window(
            SceneSession(
                persistentIdentifier: "toolkit",
                configuration: SceneConfiguration(name: nil, role: .windowApplication)))
        window.text = text
        return window
    }

    @Test("L-87 a window of the toolkit gets a new session, which comes back with its state")
    func new() throws {
        let hosted = try launch()
        _ = hosted.host.takeCalls()
        let window = window("by itself")
        let session = try hosted.adopt(window, configuration: "Inspector", presenting: "report.txt")
        #expect(!session.isRemembered)
        #expect(session.configuration.name == "Inspector")
        #expect(hosted.window(for: session.id) === window)
        #expect(hosted.application.connectedScenes.first?.session.id == session.id)
        // The toolkit has it in front already, and nothing is made.
        #expect(hosted.host.takeCalls() == [])
        // Reported twice, it is the same one.
        #expect(try hosted.adopt(window).id == session.id)
        device.kill()
        let again = try launch()
        #expect(again.window(for: session.id)?.text == "by itself")
    }

    @Test("L-87 a window of the toolkit is the remembered one that shows an equal value")
    func remembered() throws {
        let hosted = try launch()
        let gone = window("old")
        let first = try hosted.adopt(gone, presenting: "report.txt").id
        hosted.windowDidMinimize(gone)
        try hosted.application.evict(first)
        _ = hosted.host.takeCalls()
        let window = window("fresh")
        let session = try hosted.adopt(window, presenting: "report.txt")
        #expect(session.id == first)
        #expect(session.isRemembered)
        #expect(window.text == "old")
        #expect(hosted.window(for: first) === window)
        #expect(hosted.host.takeCalls() == ["restore toolkit"])
        // The next window is made by the host again.
        hosted.requestWindow()
        #expect(hosted.host.takeCalls().contains { $0.hasPrefix("make") })
    }

    @Test("L-87 a second window of the toolkit for an equal value has no session")
    func twice() throws {
        let hosted = try launch()
        let first = window("one")
        try hosted.adopt(first, presenting: "report.txt")
        try hosted.adopt(window("other"))
        let second = window("two")
        #expect(throws: SceneStoreError(.requestDenied, "")) {
            try hosted.adopt(second, presenting: "report.txt")
        }
        #expect(hosted.scene(of: second) == nil)
        #expect(hosted.scene(of: first)?.activationState == .foregroundActive)
        // What was refused takes no later session.
        hosted.requestWindow()
        #expect(hosted.scene(of: second) == nil)
    }
}
