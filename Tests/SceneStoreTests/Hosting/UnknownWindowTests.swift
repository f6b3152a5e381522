import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// Windows that a toolkit tells of, and that no session stands for.
@Suite("Unknown windows")
struct UnknownWindowTests {
    /// A toolkit that tells of changes while it makes and closes windows, as most do.
    final class TalkativeHost: SceneHost {
        final class Window {}

        weak var hosted: HostedSceneApplication<TalkativeHost>?

        func makeWindow(for session: SceneSession) -> Window {
            let window = Window()
            hosted?.windowDidChange(window)
            return window
        }

        func close(_ window: Window) { hosted?.windowDidChange(window) }
        func bringForward(_ window: Window) {}
        func restore(_ activity: UserActivity, in window: Window) {}
        func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
    }

    @Test("L-41 the first change of a window that nobody made is told, and none of one being made")
    func told() throws {
        let host = TalkativeHost()
        let hosted = HostedSceneApplication(
            store: try SceneSessionStore.open(at: .memory), host: host, scheduler: .manual)
        host.hosted = hosted
        var codes: [Diagnostic.Code] = []
        hosted.application.diagnosticHandler = { codes.append($0.code) }
        hosted.windowDidChange(TalkativeHost.Window())
        #expect(codes == [], "nothing is open before the launch")
        try hosted.launch()
        hosted.requestWindow()
        let sessions = hosted.application.connectedScenes.map(\.session.id)
        let windows = sessions.compactMap(hosted.window(for:))
        #expect(windows.count == 2)
        windows.forEach(hosted.windowDidChange)
        hosted.closeWindow(windows[0])
        #expect(codes == [])
        hosted.windowDidChange(windows[0])
        #expect(codes == [.windowWithoutSession])
        hosted.windowDidChange(TalkativeHost.Window())
        #expect(codes.count == 1)
        try hosted.quit()
    }
}
