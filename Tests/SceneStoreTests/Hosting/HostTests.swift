import SceneStoreHosting
import SceneStoreTesting
import Synchronization
import Testing

import SceneStore

@Suite("Host protocol")
struct HostTests {
    /// A, B, C and so on.
    final class Letters: Sendable {
        private let count = Mutex<UInt8>(0)

        func next() -> String {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return String(UnicodeScalar(65 + number % 26))
        }
    }

    /// One app's container over several processes.
    final class Desktop {
        let container: String
        let clock = VirtualClock()
        let identifiers = Letters()
        let scheduler: VirtualScheduler
        var hosted: HostedSceneApplication<TestHost>?
        var options = SceneApplicationOptions.desktop(
            .window("Editor"), .window("Inspector"))

        init() throws {
            container = try TemporaryDirectory.make()
            scheduler = VirtualScheduler(clock: clock)
        }

        deinit { TemporaryDirectory.remove(container) }

        @discardableResult
        func launch(_ payloads: [Payload] = []) throws -> HostedSceneApplication<TestHost> {
            let store = try SceneSessionStore.open(at: .directory(container))
            let hosted = HostedSceneApplication(
                store: store, host: TestHost(), options: options,
                environment: SceneEnvironment(
                    now: { [clock] in clock.now },
                    makeIdentifier: { [identifiers] in identifiers.next() },
                    bootIdentifier: "boot", processIdentifier: 1), scheduler: scheduler)
            self.hosted = hosted
            try hosted.launch(payloads)
            return hosted
        }

        func kill() {
            scheduler.removeAll()
            hosted?.application.store.abandon()
            hosted = nil
        }
    }

    /// Three windows: two editors and an inspector, the first editor in front.
    private func threeWindows(_ desktop: Desktop) throws -> HostedSceneApplication<TestHost> {
        let hosted = try desktop.launch()
        hosted.requestWindow()
        hosted.requestWindow(for: try UserActivity(activityType: "com.example.inspect"))
        let first = try #require(hosted.window(for: "A"))
        hosted.windowDidBecomeActive(first)
        for window in hosted.host.windows {
            window.text = "text of \(window.identifier)"
            hosted.windowDidChange(window)
        }
        return hosted
    }

    @Test("L-01 a first launch makes one window and shows it; a new one is shown in front")
    func firstLaunch() throws {
        let desktop = try Desktop()
        let hosted = try desktop.launch()
        #expect(hosted.host.takeCalls() == ["configure", "make A", "front A"])
        hosted.requestWindow()
        #expect(hosted.host.takeCalls() == ["configure", "make B", "front B"])
        #expect(hosted.host.windows.map(\.identifier) == ["A", "B"])
    }

    @Test("L-03 L-11 after a kill all windows come back, the most recent one shown last")
    func recover() throws {
        let desktop = try Desktop()
        _ = try threeWindows(desktop)
        desktop.scheduler.advance(by: 600)
        desktop.kill()
        let again = try desktop.launch()
        #expect(
            again.host.takeCalls() == [
                "make A", "restore A", "make C", "restore C", "make B", "restore B",
                "front B", "front C", "front A",
            ])
        #expect(again.host.windows.map(\.text) == ["text of B", "text of C", "text of A"])
        #expect(
            again.host.windows.map(\.session.configuration.name)
                == ["Editor", "Inspector", "Editor"])
    }

    @Test("L-45 titles and places are stored with the state and handed over again")
    func appearance() throws {
        let desktop = try Desktop()
        let hosted = try desktop.launch()
        let window = try #require(hosted.window(for: "A"))
        window.title = "Shopping"
        window.placement = ScenePlacement(x: 10, y: 20, width: 300, height: 200)
        hosted.windowDidChange(window)
        desktop.scheduler.advance(by: 600)
        let before = hosted.application.store.counters.transactions
        hosted.windowDidChange(window)
        desktop.scheduler.advance(by: 600)
        #expect(hosted.application.store.counters.transactions == before)
        desktop.kill()
        let again = try #require(try desktop.launch().window(for: "A"))
        #expect(again.title == "Shopping")
        #expect(again.placement == ScenePlacement(x: 10, y: 20, width: 300, height: 200))
    }

    @Test("L-02 focus told by the toolkit is not told back to it")
    func focus() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        _ = hosted.host.takeCalls()
        hosted.windowDidBecomeActive(try #require(hosted.window(for: "B")))
        #expect(hosted.host.takeCalls() == [])
        #expect(hosted.application.connectedScenes.first?.session.persistentIdentifier == "B")
    }

    @Test("L-36 S-50 a closed window goes, its session with it, and comes back by undo")
    func closing() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        desktop.scheduler.advance(by: 600)
        _ = hosted.host.takeCalls()
        hosted.closeWindow(try #require(hosted.window(for: "A")))
        #expect(hosted.host.takeCalls() == ["close A", "front C"])
        #expect(hosted.host.discards.map(\.persistentIdentifier) == ["A"])
        #expect(hosted.window(for: "A") == nil)
        let closed = try hosted.application.recentlyClosedGroups().flatMap(\.sessions)
        #expect(closed.map(\.persistentIdentifier) == ["A"])
        #expect(hosted.reopenClosedWindow())
        #expect(hosted.host.takeCalls() == ["make A", "restore A", "front A"])
        #expect(hosted.window(for: "A")?.text == "text of A")
        #expect(!hosted.reopenClosedWindow())
        desktop.kill()
        #expect(try desktop.launch().host.windows.count == 3)
    }

    @Test("S-50 L-12 with one scene a role, a reopened window takes the place of the other")
    func reopeningNeedsRoom() throws {
        let desktop = try Desktop()
        desktop.options.manifest?.supportsMultipleScenes = false
        let hosted = try desktop.launch()
        hosted.closeWindow(try #require(hosted.window(for: "A")))
        hosted.requestWindow()
        let other = try #require(hosted.application.connectedScenes.first).session.id
        try hosted.application.reopen("A")
        #expect(hosted.application.connectedScenes.map(\.session.id) == ["A"])
        #expect(hosted.window(for: "A") != nil)
        #expect(hosted.window(for: other) == nil)
        let parked = try hosted.application.returnableWindows()
        #expect(parked.first { $0.sessions.first?.id == other }?.cause == .parked(.displaced))
        #expect(throws: SceneStoreError(.noSuchSession, "")) {
            try hosted.application.reopen("nobody")
        }
    }

    @Test("L-60 L-61 a link is delivered once, cold after the window was restored, or warm")
    func links() throws {
        let desktop = try Desktop()
        let first = try desktop.launch()
        try first.application.scene(for: "A")?.setActivationConditions(
            ActivationConditions(prefersToActivate: .hasPrefix("notes:")))
        first.requestWindow()
        _ = first.host.takeCalls()
        first.receive(.urls([OpenURLContext(url: "notes:1")]))
        #expect(first.host.takeCalls() == ["deliver notes:1 A", "front A"])
        first.receive(.urls([OpenURLContext(url: "notes:2")]))
        #expect(first.host.takeCalls() == ["front A", "deliver notes:2 A"])
        try first.quit()
        let again = try desktop.launch([.urls([OpenURLContext(url: "notes:3")])])
        let calls = again.host.takeCalls()
        #expect(calls.filter { $0.hasPrefix("deliver") } == ["deliver notes:3 A"])
        #expect(
            (calls.firstIndex(of: "restore A") ?? 9)
                < (calls.firstIndex(of: "deliver notes:3 A") ?? 0))
        #expect(calls.last == "front A")
    }

    @Test("L-60 L-65 under UIKit's policy the payload follows the state, and other kinds come too")
    func otherPayloads() throws {
        let desktop = try Desktop()
        desktop.options.delivery = .uikit
        let hosted = try desktop.launch([.shortcut(ShortcutItem(type: "new"))])
        #expect(hosted.host.takeCalls().contains("deliver - A"))
        hosted.receive(.notification(NotificationResponse(identifier: "n")))
        hosted.receive(.shortcut(ShortcutItem(type: "new")))
        hosted.receive(.activity(try UserActivity(activityType: "com.example.edit")))
        #expect(hosted.host.takeCalls().filter { $0.hasPrefix("deliver") }.count == 3)
        try hosted.quit()
        let again = try desktop.launch([.shortcut(ShortcutItem(type: "new"))])
        #expect(
            again.host.takeCalls() == ["make A", "restore A", "deliver - A", "front A"])
    }

    @Test("L-30 a minimised window is saved and comes back minimised")
    func minimizing() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        _ = hosted.host.takeCalls()
        hosted.windowDidMinimize(try #require(hosted.window(for: "A")))
        hosted.windowDidMinimize(try #require(hosted.window(for: "A")))
        #expect(hosted.host.takeCalls() == ["front C"])
        desktop.kill()
        let again = try desktop.launch()
        #expect(again.host.takeCalls().contains("minimize A"))
        #expect(again.window(for: "A")?.text == "text of A")
        again.windowDidBecomeActive(try #require(again.window(for: "A")))
        #expect(
            again.application.scene(for: "A")?.activationState == .foregroundActive)
    }

    @Test("L-32 a host that answers nil forgets the state; L-35 an evicted window is taken away")
    func forgettingAndEviction() throws {
        let desktop = try Desktop()
        let hosted = try threeWindows(desktop)
        desktop.scheduler.advance(by: 600)
        hosted.host.savesNothing = true
        hosted.windowDidMinimize(try #require(hosted.window(for: "B")))
        #expect(try hosted.application.session(for: "B")?.stateRestorationActivity == nil)
        #expect(try hosted.application.session(for: "A")?.stateRestorationActivity != nil)
        try hosted.application.evict("B")
        #expect(hosted.window(for: "B") == nil)
        #expect(try hosted.application.session(for: "B") != nil)
    }

    @Test("S-10 a store that refuses keeps the window and says why")
    func refusal() throws {
        let desktop = try Desktop()
        let hosted = try desktop.launch()
        var codes: [String] = []
        hosted.application.diagnosticHandler = { codes.append($0.code.rawValue) }
        let window = try #require(hosted.window(for: "A"))
        hosted.application.store.abandon()
        hosted.closeWindow(window)
        #expect(hosted.window(for: "A") === window)
        #expect(codes == ["closed"])
    }

    @Test("a window that belongs to nobody changes nothing")
    func strangers() throws {
        let desktop = try Desktop()
        let hosted = try desktop.launch()
        _ = hosted.host.takeCalls()
        let stranger = TestHost.Window(
            SceneSession(
                persistentIdentifier: "Z",
                configuration: SceneConfiguration(name: nil, role: .windowApplication)))
        hosted.windowDidBecomeActive(stranger)
        hosted.windowDidChange(stranger)
        hosted.windowDidMinimize(stranger)
        hosted.closeWindow(stranger)
        #expect(hosted.host.takeCalls() == [])
        #expect(hosted.scene(of: stranger) == nil)
    }

    @MainActor
    final class MainHost: @MainActor SceneHost {
        final class Window {}
        var made = 0
        func makeWindow(for session: SceneSession) -> Window {
            MainActor.assertIsolated()
            made += 1
            return Window()
        }
        func bringForward(_ window: Window) { MainActor.assertIsolated() }
        func close(_ window: Window) {}
        func restore(_ activity: UserActivity, in window: Window) {}
        func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
    }

    @MainActor
    @Test("S-27 a main-actor host is called on the main actor")
    func mainActorHost() throws {
        let store = try SceneSessionStore.open(at: .memory)
        let host = MainHost()
        let hosted = HostedSceneApplication(store: store, host: host)
        try hosted.launch()
        #expect(host.made == 1)
        try hosted.quit()
    }
}
