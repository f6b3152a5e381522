import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// What the user sees of the order of windows, whatever came in front when.
@Suite("The order of windows")
struct StackingOrderTests {
    typealias Desktop = HostTests.Desktop

    @Test("L-49 L-11 windows of two roles come back in the order in which they lay")
    func order() throws {
        var random = SeededRandom(11)
        for round in 0..<25 {
            let desktop = try Desktop()
            let hosted = try fiveWindows(desktop)
            var minimized: Set<SceneSession.ID> = []
            for _ in 0..<6 {
                let window = hosted.host.windows[Int(random.next() % 5)]
                if random.next() % 5 == 0 {
                    minimized.insert(window.identifier)
                    hosted.windowDidMinimize(window)
                } else {
                    minimized.remove(window.identifier)
                    click(window, hosted)
                }
            }
            let before = hosted.host.windows.map(\.identifier).filter { !minimized.contains($0) }
            if random.next() % 2 == 0 {
                try hosted.quit()
            } else {
                desktop.kill()
            }
            let again = try desktop.launch()
            let after = again.host.windows.filter(\.isShown).map(\.identifier)
            #expect(before == after, "round \(round)")
            desktop.kill()
        }
    }

    @Test("L-48 windows of two roles that were closed together come back in their order")
    func group() throws {
        var random = SeededRandom(48)
        for round in 0..<12 {
            let desktop = try Desktop()
            let hosted = try fiveWindows(desktop)
            for _ in 0..<6 {
                click(hosted.host.windows[Int(random.next() % 5)], hosted)
            }
            let before = hosted.host.windows.map(\.identifier)
            hosted.closeAllWindows()
            #expect(hosted.host.windows.isEmpty)
            hosted.reopenClosedWindow()
            #expect(before == hosted.host.windows.map(\.identifier), "round \(round)")
            desktop.kill()
        }
    }

    @Test("L-48 L-49 of tabs that were closed together the one that was in front is shown last")
    func tabs() throws {
        let desktop = try Desktop()
        let hosted = try desktop.launch()
        let frame = try #require(hosted.host.windows.first)
        for index in 0..<3 {
            hosted.requestWindow()
            let tab = try #require(hosted.host.windows.last)
            tab.placement = ScenePlacement(
                width: 300, height: 200, parent: frame.identifier, tabIndex: index)
            hosted.windowDidChange(tab)
        }
        hosted.application.flushChanges()
        let middle = hosted.host.windows[2]
        click(middle, hosted)
        hosted.closeAllWindows()
        hosted.host.calls = []
        hosted.reopenClosedWindow()
        #expect(hosted.host.windows.count == 4)
        #expect(hosted.host.windows.last?.identifier == middle.identifier)
        #expect(hosted.application.connectedScenes.first?.session.id == middle.identifier)
        let makes = hosted.host.calls.filter { $0.hasPrefix("make") }
        #expect(makes.first == "make \(frame.identifier)")
    }

    /// Two of them are of another role.
    private func fiveWindows(_ desktop: Desktop) throws -> HostedSceneApplication<TestHost> {
        desktop.options = .desktop(.window("Editor"), .window("Editor", role: .preferences))
        let hosted = try desktop.launch()
        for number in 1..<5 {
            hosted.requestWindow(role: number % 2 == 1 ? .preferences : .windowApplication)
        }
        return hosted
    }

    /// The toolkit brings a window in front, and says so.
    private func click(_ window: TestHost.Window, _ hosted: HostedSceneApplication<TestHost>) {
        hosted.host.bringForward(window)
        hosted.windowDidBecomeActive(window)
    }
}
