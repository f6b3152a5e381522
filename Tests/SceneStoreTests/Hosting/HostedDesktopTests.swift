import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// A host on a desktop: displays, groups, a stack of windows, unsaved work.
@Suite("Hosts on a desktop")
struct HostedDesktopTests {
    typealias Desktop = HostTests.Desktop

    /// A, B and C, the last one in front.
    private func threeWindows(
        _ desktop: Desktop
    ) throws -> HostedSceneApplication<TestHost> {
        let hosted = try desktop.launch()
        hosted.requestWindow()
        hosted.requestWindow()
        _ = hosted.host.takeCalls()
        return hosted
    }

    @Test("L-48 closing all windows is undone as one, in their order and with the focus")
    func groups() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        defer { desktop.kill() }
        hosted.closeAllWindows()
        #expect(hosted.host.takeCalls() == ["close C", "close B", "close A"])
        #expect(hosted.host.discards.map(\.persistentIdentifier) == ["C", "B", "A"])
        #expect(hosted.reopenClosedWindow())
        #expect(
            hosted.host.takeCalls() == [
                "make A", "restore A", "front A", "make B", "restore B", "front B", "make C",
                "restore C", "front C",
            ])
        #expect(hosted.host.windows.map(\.identifier) == ["A", "B", "C"])
        #expect(!hosted.reopenClosedWindow())
        hosted.closeOtherWindows(than: try #require(hosted.window(for: "B")))
        #expect(hosted.host.windows.map(\.identifier) == ["B"])
    }

    @Test("L-48 several windows close in one action, and come back together")
    func severalWindows() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        defer { desktop.kill() }
        hosted.closeWindows(
            try ["A", "C"].map { try #require(hosted.window(for: SceneSession.ID($0))) })
        #expect(hosted.host.windows.map(\.identifier) == ["B"])
        #expect(hosted.reopenClosedWindow())
        #expect(Set(hosted.host.windows.map(\.identifier)) == ["A", "B", "C"])
    }

    @Test("L-49 windows are shown in their stacking order, children after their parents")
    func stacking() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        // B is the inspector of C, and lies before it.
        for (name, order, parent) in [("A", 2, nil), ("B", 0, "C"), ("C", 1, nil)]
            as [(String, Int, String?)]
        {
            let window = try #require(hosted.window(for: SceneSession.ID(name)))
            window.placement = ScenePlacement(
                x: 1, y: 2, width: 3, height: 4, stackingOrder: order,
                parent: parent.map { SceneSession.ID($0) })
            hosted.windowDidChange(window)
        }
        desktop.scheduler.advance(by: 3_000)
        desktop.kill()
        let again = try desktop.launch()
        let fronts = again.host.calls.filter { $0.hasPrefix("front") }
        // C was active last: it has the focus, whatever is before it.
        #expect(fronts == ["front A", "front C", "front B", "front C"])
        let makes = again.host.calls.filter { $0.hasPrefix("make") }
        #expect(makes == ["make C", "make B", "make A"])
    }

    @Test("L-49 a host is told where windows belong when displays come and go")
    func displays() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        let large = Display("large", frame: .init(x: 0, y: 0, width: 3000, height: 2000))
        let small = Display("small", frame: .init(x: 0, y: 0, width: 800, height: 600))
        hosted.displaysDidChange([large])
        let window = try #require(hosted.window(for: "B"))
        window.placement = ScenePlacement(
            x: 2000, y: 1000, width: 900, height: 700, display: "large")
        hosted.windowDidMove(window)
        desktop.scheduler.advance(by: 3_000)
        _ = hosted.host.takeCalls()
        hosted.displaysDidChange([small])
        #expect(hosted.host.takeCalls() == ["place B 0.0 0.0 800.0 600.0"])
        // What the toolkit does by itself is not stored.
        window.placement = ScenePlacement(x: 5, y: 5, width: 800, height: 600, display: "small")
        hosted.windowDidChange(window)
        desktop.scheduler.advance(by: 3_000)
        hosted.displaysDidChange([large])
        #expect(hosted.host.takeCalls() == ["place B 2000.0 1000.0 900.0 700.0"])
    }

    @Test("L-47 a host's window with unsaved work may stay")
    func unsavedWork() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        defer { desktop.kill() }
        let window = try #require(hosted.window(for: "B"))
        window.isEdited = true
        hosted.host.answer = .keep
        #expect(throws: SceneStoreError.self) { try hosted.quit() }
        hosted.closeAllWindows()
        #expect(hosted.host.takeCalls() == ["ask B", "ask B"])
        hosted.host.answer = .later
        hosted.closeWindow(window)
        hosted.answerClosing(.close, of: window)
        #expect(hosted.host.takeCalls() == ["ask B", "close B"])
        // The app hears of a quit that its user was asked about.
        let last = try #require(hosted.window(for: "C"))
        last.isEdited = true
        #expect(throws: SceneStoreError.self) { try hosted.quit() }
        #expect(!hosted.application.hasEnded)
        hosted.answerClosing(.close, of: last)
        #expect(hosted.application.hasEnded)
    }

    @Test("L-48 a window that was moved just before a logout comes back where it is")
    func movedBeforeLogout() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        let window = try #require(hosted.window(for: "B"))
        window.placement = ScenePlacement(x: 1, y: 2, width: 300, height: 400)
        hosted.windowDidMove(window)
        desktop.scheduler.advance(by: 3_000)
        let place = ScenePlacement(x: 50, y: 60, width: 300, height: 400)
        window.placement = place
        hosted.windowDidMove(window)
        try hosted.application.beginTeardown()
        // What the desktop moves from here on is not the user's doing.
        window.placement = ScenePlacement(x: 0, y: 0, width: 300, height: 400)
        try hosted.quit()
        let again = try desktop.launch()
        defer { desktop.kill() }
        #expect(again.scene(of: try #require(again.window(for: "B")))?.session.placement == place)
    }

    @Test("L-48 windows of the last session come back by hand")
    func lastSession() throws {
        let desktop = try Desktop()
        _ = try threeWindows(desktop)
        desktop.kill()
        desktop.options.launchBehavior = .none
        let hosted = try desktop.launch()
        #expect(hosted.host.windows.isEmpty)
        #expect(hosted.reopenLastSession() == 3)
        #expect(hosted.host.windows.map(\.identifier) == ["A", "B", "C"])
    }
}
