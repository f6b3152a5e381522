import FoundationEssentials
import Testing

import SceneStore
@testable import SceneStoreTesting

/// Payloads that come while the app runs, where there are two windows, two payloads or two tries.
@Suite("Payloads that are delivered")
struct DeliveredPayloadTests {
    /// An app that notes which window continued which activity.
    class HandoffApp: SceneApplicationDelegate {
        var calls: [String] = []
        var isHandling = false
        var role: SceneSessionRole?
        /// Which of the payloads that wait are marked, at each call.
        var marks: [[Bool]] = []

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? {
            let scene = HandoffScene()
            scene.app = self
            return scene
        }

        func application(
            _ application: SceneApplication, targetFor payload: Payload
        ) -> PayloadTarget? {
            isHandling ? .handled : role.map { .role($0) }
        }
    }

    final class HandoffScene: SceneDelegate {
        weak var app: HandoffApp?

        private func note(_ call: String, _ scene: Scene) {
            app?.calls.append("\(call) \(scene.session.persistentIdentifier)")
            let waiting = try? scene.application?.store.inbox.pending()
            app?.marks.append(waiting?.map { $0.order > 0 } ?? [])
        }

        func scene(
            _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
        ) {
            for activity in options.userActivities {
                note("continue \(activity.title ?? "")", scene)
            }
            for context in options.urlContexts {
                note(context.url, scene)
            }
        }

        func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
            note("will", scene)
        }

        func scene(_ scene: Scene, continue activity: UserActivity) {
            note("continue \(activity.title ?? "")", scene)
        }

        func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
            note(contexts.map(\.url).joined(separator: ","), scene)
        }
    }

    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
        device.options.persistsInbox = true
    }

    private let link = [OpenURLContext(url: "notes://a")]

    @Test("L-65 L-79 what the app deals with itself ends no other payload that is like it")
    func handledTwin() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        try device.deliver(.urls(link))
        app.isHandling = true
        try device.deliver(.urls(link))
        #expect(try running.waitingPayloads().map(\.payload) == [.urls(link)])
    }

    @Test("L-65 L-79 what waited in a logout and the app deals with itself is not offered again")
    func handledAfterLogout() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        app.isHandling = true
        try running.beginTeardown()
        try device.deliver(.urls(link))
        #expect(try running.waitingPayloads().count == 1)
        try running.endTeardown()
        #expect(try running.waitingPayloads().isEmpty)
    }

    @Test("L-62 the data of an announced activity goes to the window that was told of it")
    func announcedTarget() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        try device.openWindow()
        let windows = running.connectedScenes.map(\.identifier)
        #expect(windows.count == 2)
        for (number, window) in windows.enumerated() {
            running.requestSceneSessionActivation(.init(session: window))
            app.calls = []
            try running.announceActivity(type: "com.example.edit")
            // Another window comes forward before the data is there.
            running.requestSceneSessionActivation(.init(session: windows[1 - number]))
            try running.continueAnnounced(
                UserActivity(activityType: "com.example.edit", title: "t"))
            #expect(app.calls == ["will \(window)", "continue t \(window)"])
        }
    }

    @Test("L-62 L-49 the data goes to the window that was told, not to one that connected with it")
    func announcedWithCompanion() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        let child = try device.openWindow()
        let (own, window) = (child.identifier, running.connectedScenes[1].identifier)
        try child.setPlacement(ScenePlacement(width: 100, height: 100, parent: window))
        try running.setActivationConditions(
            ActivationConditions(prefersToActivate: .equals("notes://a")), for: window)
        try device.moveToBackground()
        try running.evict(own)
        try running.evict(window)
        try running.announceActivity(
            type: "com.example.edit", targetContentIdentifier: "notes://a")
        #expect(running.connectedScenes.map(\.identifier) == [window, own])
        var activity = try UserActivity(activityType: "com.example.edit", title: "t")
        activity.targetContentIdentifier = "notes://a"
        try running.continueAnnounced(activity)
        #expect(app.calls == ["will \(window)", "continue t \(window)"])
    }

    @Test("L-62 an activity whose window was evicted meanwhile is announced to the next one")
    func announcedAndEvicted() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        let window = try #require(running.connectedScenes.first).identifier
        try running.announceActivity(type: "com.example.edit")
        try device.moveToBackground()
        try running.evict(window)
        #expect(running.connectedScenes.isEmpty)
        try running.continueAnnounced(UserActivity(activityType: "com.example.edit", title: "t"))
        #expect(app.calls == ["will \(window)", "will \(window)", "continue t \(window)"])
        #expect(running.connectedScenes.map(\.identifier) == [window])
    }

    @Test("L-79 L-65 a payload that the app handles itself waits for nothing and never comes again")
    func handled() throws {
        let app = HandoffApp()
        let running = try device.launch { app }
        app.isHandling = true
        try running.open(link)
        #expect(app.calls.isEmpty)
        #expect(running.inbox.offered.isEmpty)
        #expect(try running.waitingPayloads().isEmpty)
        device.kill()
        let next = HandoffApp()
        #expect(try device.launch { next }.waitingPayloads().isEmpty)
        #expect(next.calls.isEmpty)
    }

    /// The same with a provider, which answers for one role with the configuration of another.
    final class ProvidingApp: HandoffApp, SceneConfigurationProvider {
        var answer: SceneSessionRole?
        var provides = true

        func application(
            _ application: SceneApplication, configurationForConnecting session: SceneSession,
            options: ConnectionOptions
        ) -> SceneConfiguration {
            SceneConfiguration(name: "Window", role: answer ?? session.role)
        }

        func providesConfiguration(for role: SceneSessionRole) -> Bool {
            provides && role == self.role
        }
    }

    @Test("L-79 L-09 a link for a role that has no configuration goes where conditions send it")
    func namedRoleWithoutConfiguration() throws {
        let projector = SceneSessionRole(rawValue: "projector")
        device.options.persistsInbox = false
        for makesFirst in [true, false] {
            let app = HandoffApp()
            app.role = projector
            var reasons: [String] = []
            let running =
                try makesFirst
                ? device.launch([.urls(link)]) { app } : device.launch { app }
            running.decisionHandler = { reasons.append($0.reason) }
            try running.open(link)
            #expect(running.connectedScenes.map(\.session.role) == [.windowApplication])
            #expect(app.calls.count == (makesFirst ? 2 : 1))
            #expect(reasons.contains { $0.contains("no configuration") })
            device.kill()
        }
    }

    @Test("L-79 L-08 a link for a role makes a session as the provider answers; no launch throws")
    func namedRoleOfProvider() throws {
        let projector = SceneSessionRole(rawValue: "projector")
        device.options.persistsInbox = false
        for answer in [nil, SceneSessionRole.windowApplication] {
            let app = ProvidingApp()
            (app.role, app.answer) = (projector, answer)
            let running = try device.launch([.urls(link)]) { app }
            let roles = Set(running.connectedScenes.map(\.session.role))
            let all: Set<SceneSessionRole> = [.windowApplication, projector]
            #expect(roles == (answer == nil ? all : [.windowApplication]))
            // Another window takes what the role can't.
            #expect(app.calls.count == 1)
            try running.reset()
            device.kill()
        }
    }

    @Test("L-79 L-09 a link for a role that the provider provides no more goes elsewhere")
    func namedRoleNoMore() throws {
        let projector = SceneSessionRole(rawValue: "projector")
        let app = ProvidingApp()
        app.role = projector
        let running = try device.launch([.urls(link)]) { app }
        try running.closeWindow(
            of: #require(running.connectedScenes.first { $0.session.role == projector }).identifier)
        app.provides = false
        try running.receive(.urls(link))
        #expect(running.connectedScenes.map(\.session.role) == [.windowApplication])
        #expect(app.calls.count == 2)
        #expect(device.diagnostics.map(\.code).contains(.targetNotMet))
    }

    @Test("L-65 what arrived while the app ran is blamed for no death after the stable period")
    func watchedWhileRunning() throws {
        try device.launch { HandoffApp() }.open(link)
        device.wait(milliseconds: 11_000)
        // Long after the delivery: nobody is blamed.
        device.kill()
        for deaths in 0...2 {
            let waiting = try device.launch { HandoffApp() }.waitingPayloads()
            #expect(waiting.map(\.isSetAside) == [deaths == 2], "\(deaths)")
            // At once: whatever was handed over is blamed.
            device.kill()
        }
    }

    @Test("L-65 of what waits for a window each callback marks what it hands over, and no more")
    func markedByCallback() throws {
        device.options.delivery = .whenActive
        let app = HandoffApp()
        let activity = try UserActivity(activityType: "com.example.edit", title: "t")
        _ = try device.launch([.activity(activity), .urls(link)]) { app }
        #expect(app.calls.map { $0.prefix(4) } == ["note", "will", "cont"])
        #expect(app.marks == [[false, true], [true, true], [true, true]])
    }

    @Test("L-65 what arrives while the app runs and kills it at once is blamed, too")
    func deadlyWhileRunning() throws {
        let running = try device.launch { HandoffApp() }
        device.wait(milliseconds: 11_000)
        try running.open(link)
        device.kill()
        #expect(try device.launch { HandoffApp() }.waitingPayloads().map(\.isSetAside) == [false])
        device.kill()
        #expect(try device.launch { HandoffApp() }.waitingPayloads().map(\.isSetAside) == [true])
    }

    @Test(
        "L-65 a payload is set aside if the app dies twice in the provider, or in the guard",
        arguments: [false, true])
    func deadlyBeforeTheCallback(isGuard: Bool) throws {
        let device = device
        if isGuard {
            try device.launch { NotesApp() }
            try device.moveToBackground()
            device.kill()
        }
        for payloads in [[Payload.urls(link)], []] {
            let app = NotesApp()
            app.allowsRestoring = { [unowned device] _ in
                device.kill()
                return true
            }
            app.makeConfiguration = { [unowned device] in
                device.kill()
                return SceneConfiguration(name: "Editor", role: $0.role)
            }
            _ = try device.launch(payloads) { app }
            #expect(device.application == nil)
        }
        let running = try device.launch { NotesApp() }
        #expect(try running.waitingPayloads().map(\.isSetAside) == [true])
        #expect(running.connectedScenes.map(\.session.restoration) == [.available])
    }

    @Test("L-65 L-39 a payload that arrives in the turn of a quit waits for the next launch")
    func behindQuit() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let link = link
        app.onConnect = { scene in
            try? scene.application?.quit()
            try? scene.application?.receive(.urls(link))
        }
        running.firstNote?.note.willSave = { [unowned running] _ in
            try? running.receive(.shortcut(ShortcutItem(type: "saved")))
        }
        running.requestSceneSessionActivation(.init())
        #expect(running.hasEnded)
        #expect(device.diagnostics.isEmpty)
        device.kill()
        let waiting = try device.launch { NotesApp() }.waitingPayloads().map(\.payload)
        #expect(waiting == [.urls(link), .shortcut(ShortcutItem(type: "saved"))])
    }

    @Test("L-65 what the app acknowledged is watched no longer: nothing is written for it")
    func acknowledged() throws {
        let running = try device.launch { HandoffApp() }
        device.wait(milliseconds: 11_000)
        try running.open(link)
        try running.acknowledge(.urls(link))
        let before = running.store.counters.transactions
        device.wait(milliseconds: 11_000)
        #expect(running.store.counters.transactions == before)
    }

    @Test("L-43 L-65 after a reset a notification is no repetition of one before")
    func notificationAfterReset() throws {
        let response = NotificationResponse(
            identifier: "n1", date: Date(timeIntervalSince1970: 1_700_000_000))
        let running = try device.launch { NotesApp() }
        try running.receive(.notification(response))
        try running.reset()
        #expect(running.inbox.offered.isEmpty)
        try running.receive(.notification(response))
        #expect(running.firstNote?.note.options.notificationResponse == response)
    }

    @Test("L-65 a notification that made the window is refused once, and a later one is taken")
    func notificationAgain() throws {
        let response = NotificationResponse(identifier: "n1")
        let app = NotesApp()
        let running = try device.launch([.notification(response)]) { app }
        for times in 0...2 {
            try running.receive(.notification(response))
            #expect(app.calls.count { $0 == "response" } == times)
        }
        // Each is kept, also after one of them was acknowledged.
        #expect(running.inbox.offered.count == 3)
        try running.acknowledge(.notification(response))
        try running.receive(.notification(response))
        #expect(try running.waitingPayloads().count == 3)
    }

    @Test("L-65 a notification without a date that comes long after another one is no repetition")
    func notificationMuchLater() throws {
        let response = NotificationResponse(identifier: "n1")
        let app = NotesApp()
        let running = try device.launch([.notification(response)]) { app }
        device.wait(milliseconds: 10_000)
        try running.receive(.notification(response))
        #expect(app.calls.contains("response"))
        device.kill()
        let again = try device.launch([.notification(response)]) { NotesApp() }
        #expect(try again.waitingPayloads().count == 3)
    }
}
