import Foundation
import Testing

import SceneStore
import SceneStoreHosting
@testable import SceneStoreTesting

/// Windows that the app names for payloads (L-79), at a later launch too, and where they can't be made.
@Suite("Targets that the app names")
struct NamedTargetTests {
    typealias App = DeliveredPayloadTests.HandoffApp
    typealias ProvidingApp = DeliveredPayloadTests.ProvidingApp

    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
        device.options.persistsInbox = true
    }

    /// An app that says where each link goes, and notes for which it was asked.
    final class AskedApp: SceneApplicationDelegate {
        var asked: [String] = []
        var targets: [String: PayloadTarget] = [:]
        var onQuestion: () -> Void = {}

        func application(
            _ application: SceneApplication, targetFor payload: Payload
        ) -> PayloadTarget? {
            let name = payload.activationIdentifier ?? ""
            asked.append(name)
            onQuestion()
            return targets[name]
        }
    }

    private func link(_ name: String) -> Payload { .urls([OpenURLContext(url: "notes://\(name)")]) }

    @Test("L-79 L-65 the app is asked again for each payload that waited in the inbox")
    func waited() throws {
        let first = AskedApp()
        var running = try device.launch { first }
        try device.openWindow()
        let windows = running.connectedScenes.map(\.session.id)
        for name in ["a", "b", "c"] {
            try running.receive(link(name))
        }
        #expect(first.asked == ["notes://a", "notes://b", "notes://c"])
        try device.quit()
        let second = AskedApp()
        second.targets = [
            "notes://a": .window(windows[1]), "notes://b": .handled, "notes://c": .new,
        ]
        var handled = 0
        running = try device.launch([link("d")]) {
            $0.decisionHandler = { handled += $0.outcome == "handled" ? 1 : 0 }
        } delegate: {
            second
        }
        #expect(second.asked == ["notes://d", "notes://a", "notes://b", "notes://c"])
        #expect(handled == 1)
        #expect(running.connectedScenes.count == 3)
        let waiting = try running.waitingPayloads().map(\.payload)
        #expect(waiting == [link("a"), link("c"), link("d")])
        device.kill()
        // What is set aside now is not asked about: the last of them was being handed over.
        let third = AskedApp()
        try device.launch { third }
        device.kill()
        third.asked = []
        running = try device.launch { third }
        let isSetAside = try running.waitingPayloads().map(\.isSetAside)
        #expect(isSetAside.filter(\.self).count == 1)
        #expect(third.asked.count == 2)
    }

    @Test("L-65 L-79 a payload on which the app dies twice when it is asked is set aside")
    func deadlyQuestion() throws {
        let first = try device.launch { AskedApp() }
        try first.receive(link("a"))
        try first.receive(link("deadly"))
        try first.receive(link("c"))
        try device.quit()
        let device = device
        for _ in 0..<2 {
            let app = AskedApp()
            app.onQuestion = { [unowned app, unowned device] in
                if app.asked.last == "notes://deadly" {
                    device.kill()
                }
            }
            #expect(throws: SceneStoreError.self) { try device.launch { app } }
        }
        let app = AskedApp()
        let running = try device.launch { app }
        #expect(app.asked == ["notes://a", "notes://c"])
        #expect(try running.waitingPayloads().map(\.isSetAside) == [false, true, false])
        #expect(device.diagnostics.map(\.code).filter { $0 == .payloadSetAside }.count == 1)
    }

    @Test("L-12 L-79 in an app of one window, payloads that name several values share the window")
    func oneWindow() throws {
        device.options.manifest?.supportsMultipleScenes = false
        let app = AskedApp()
        app.targets = [
            "notes://a": .presenting(.string("a")), "notes://b": .presenting(.string("b")),
        ]
        let running = try device.launch([link("a"), link("b")]) { app }
        let scene = try #require(running.connectedScenes.first)
        #expect(running.connectedScenes.count == 1)
        #expect(scene.session.presentedValue == .string("b"))
        #expect(try running.waitingPayloads().count == 2)
    }

    @Test(
        "L-12 L-79 in an app of one window, no payload makes a second one for the session it names")
    func barred() throws {
        device.options.manifest?.supportsMultipleScenes = false
        let app = AskedApp()
        let first = try device.launch { app }
        let own = try #require(first.connectedScenes.first).session.id
        try device.moveToBackground()
        try first.evict(own)
        try device.quit()
        device.options.launchBehavior = .none
        let running = try device.launch { app }
        let other = try device.openWindow()
        app.targets = ["notes://a": .window(own)]
        try running.receive(link("a"))
        #expect(running.connectedScenes.map(\.session.id) == [other.session.id])
        #expect(device.diagnostics.map(\.code) == [.targetNotMet])
    }

    @Test("L-79 a notification that waits and arrives again is one payload, and asked about once")
    func arrivedAgain() throws {
        let response = Payload.notification(
            NotificationResponse(identifier: "n", date: Date(timeIntervalSince1970: 1_700_000_000)))
        try device.launch { AskedApp() }.receive(response)
        try device.quit()
        for target in [nil, PayloadTarget.handled] {
            let app = AskedApp()
            app.targets = target.map { ["": $0] } ?? [:]
            let running = try device.launch([response]) { app }
            #expect(app.asked.count == 1)
            #expect(try running.waitingPayloads().count == (target == nil ? 1 : 0))
            try device.quit()
        }
    }

    @Test(
        "L-79 L-08 L-65 a link for a role whose provider answers for another one goes elsewhere",
        arguments: [true, false])
    func mismatch(isLaunching: Bool) throws {
        let projector = SceneSessionRole(rawValue: "projector")
        try device.launch { App() }
        try device.quit()
        let app = ProvidingApp()
        (app.role, app.answer) = (projector, .windowApplication)
        var findings: [String] = []
        let running = try device.launch(isLaunching ? [link("a")] : []) {
            $0.diagnosticHandler = { findings.append($0.code.rawValue) }
        } delegate: {
            app
        }
        if !isLaunching {
            try running.receive(link("a"))
        }
        #expect(app.calls.count == 1)
        #expect(running.connectedScenes.map(\.session.role) == [.windowApplication])
        #expect(findings.filter { $0 != "noScheduler" } == ["roleMismatch", "targetNotMet"])
        try running.acknowledge(link("a"))
        #expect(try running.waitingPayloads().isEmpty)
    }

    /// The values that the connected windows show, in the order of use.
    private func shown(_ app: SceneApplication) -> [String] {
        app.connectedScenes.map { $0.session.presentedValue?.stringValue ?? "-" }
    }

    private func presenting() -> AskedApp {
        let app = AskedApp()
        for name in ["a", "b", "c"] {
            app.targets["notes://\(name)"] = .presenting(.string(name))
        }
        return app
    }

    @Test("L-79 L-87 a link for a value goes to the window that shows it, or to one of its own")
    func value() throws {
        let first = presenting()
        var running = try device.launch([link("a"), link("b"), link("a")]) { first }
        #expect(Set(shown(running)) == ["a", "b"])
        #expect(shown(running).count == 2)
        let windows = Set(running.connectedScenes.map(\.session.id))
        try running.receive(link("b"))
        #expect(shown(running).first == "b")
        try running.receive(link("a"))
        #expect(shown(running).first == "a")
        #expect(Set(running.connectedScenes.map(\.session.id)) == windows)
        try running.receive(link("c"))
        #expect(shown(running) == ["c", "a", "b"])
        for name in ["a", "b", "c"] {
            try running.acknowledge(link(name))
        }
        device.kill()
        running = try device.launch([link("b")]) { presenting() }
        #expect(running.connectedScenes.count == 3)
        #expect(shown(running).first == "b")
    }

    @Test(
        "L-79 L-87 S-50 a link for the value of a closed window reopens it, where the app wants that",
        arguments: [true, false], [true, false])
    func closedValue(isLaunching: Bool, isWanted: Bool) throws {
        device.options.restoresClosedValue = isWanted
        var running = try device.launch([link("a")]) { presenting() }
        let closed = try #require(running.connectedScenes.first?.session.id)
        try running.acknowledge(link("a"))
        try device.openWindow()
        try device.closeWindow(closed)
        if isLaunching {
            try device.quit()
            running = try device.launch([link("a")]) { presenting() }
        } else {
            try running.receive(link("a"))
        }
        #expect(shown(running) == ["a", "-"])
        #expect((running.connectedScenes.first?.session.id == closed) == isWanted)
    }

    @Test(
        "L-79 L-14 L-16 whether a closed window is reopened goes by what the launch does after a crash",
        arguments: [true, false])
    func closedValueAfterACrash(isAnew: Bool) throws {
        device.options.restoresClosedValue = true
        device.options.launchBehavior = .automatic(
            afterCrash: isAnew ? .fresh : .restore, otherwise: isAnew ? .restore : .fresh)
        var running = try device.launch([link("a")]) { presenting() }
        let closed = try #require(running.connectedScenes.first?.session.id)
        try running.acknowledge(link("a"))
        try device.openWindow()
        try device.closeWindow(closed)
        device.kill()
        running = try device.launch([link("a")]) { presenting() }
        #expect(shown(running).first == "a")
        #expect(running.openSessions.contains { $0.id == closed } == !isAnew)
    }

    @Test("L-79 L-16 S-50 a launch that begins anew reopens no closed window for a link's value")
    func closedValueAnew() throws {
        device.options.restoresClosedValue = true
        var running = try device.launch([link("a")]) { presenting() }
        let closed = try #require(running.connectedScenes.first?.session.id)
        try running.acknowledge(link("a"))
        try device.openWindow()
        try device.closeWindow(closed)
        try device.quit()
        device.options.launchBehavior = .fresh
        running = try device.launch([link("a")]) { presenting() }
        #expect(shown(running).contains("a"))
        #expect(!running.connectedScenes.contains { $0.session.id == closed })
        #expect(
            try running.recentlyClosedGroups().flatMap(\.sessions).map(\.id).contains(closed))
    }

    @Test("L-79 L-18 in an app of one window, a link for a displaced window's value brings it back")
    func displacedValue() throws {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = false
        let one = try SimulatedDevice(manifest: manifest)
        var running = try one.launch([link("a")]) { presenting() }
        try one.quit()
        one.options.launchBehavior = .fresh
        running = try one.launch { presenting() }
        #expect(shown(running) == ["-"])
        try running.receive(link("a"))
        #expect(shown(running) == ["a"])
        try one.quit()
        // A launch that begins anew opens nothing again.
        running = try one.launch([link("a")]) { presenting() }
        #expect(running.openSessions.count == 3)
    }

    /// A host that has windows of one role alone.
    final class OneRoleHost: SceneHost {
        final class Window {}

        var delivered = 0

        func makeWindow(for session: SceneSession) -> Window { Window() }
        func bringForward(_ window: Window) {}
        func close(_ window: Window) {}
        func restore(_ activity: UserActivity, in window: Window) {}
        func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
        func deliver(_ payload: Payload, to window: Window) { delivered += 1 }
        func target(for payload: Payload) -> PayloadTarget? { .role(.immersiveSpaceApplication) }
        func providesConfiguration(for role: SceneSessionRole) -> Bool {
            role == .windowApplication
        }
    }

    @Test("L-79 L-09 a host says which roles it has windows of; a link for another goes elsewhere")
    func hostRoles() throws {
        for isLaunching in [true, false] {
            let host = OneRoleHost()
            var findings: [String] = []
            let hosted = try device.launch(isLaunching ? [link("a")] : [], host: host) {
                $0.application.diagnosticHandler = { findings.append($0.code.rawValue) }
            }
            if !isLaunching {
                try hosted.application.receive(link("a"))
            }
            #expect(host.delivered == 1)
            #expect(hosted.application.connectedScenes.map(\.session.role) == [.windowApplication])
            #expect(findings.contains("targetNotMet"))
            try hosted.application.acknowledge(link("a"))
            try device.quit()
        }
    }
}
