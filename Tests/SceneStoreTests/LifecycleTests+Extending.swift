import FoundationEssentials
import Testing

import SceneStore
import SceneStoreEngine
@testable import SceneStoreTesting

/// An extended restoration (L-53).
extension LifecycleTests {
    @Test("L-53 extended restoration widens the window of blame; unbalanced calls are errors")
    func extendedRestoration() throws {
        try device.launch { NotesApp() }
        try device.moveToBackground()
        device.kill()
        let app = NotesApp()
        app.onConnect = { try? $0.extendStateRestoration() }
        let extended = try device.launch { app }
        device.kill()
        let third = try device.launch { NotesApp() }
        #expect(extended !== third)
        #expect(third.connectedScenes.first?.session.restoration == .withheld)
        let connected = try #require(third.connectedScenes.first)
        #expect(throws: SceneStoreError(.unbalancedCall, "")) {
            try connected.completeStateRestoration()
        }
        try connected.extendStateRestoration()
        try connected.completeStateRestoration()
        device.kill()
        let fourth = try device.launch { NotesApp() }
        #expect(fourth.connectedScenes.first?.session.restoration == .withheld)
        device.wait(milliseconds: 10_000)
        device.kill()
        let fifth = try device.launch { NotesApp() }
        #expect(fifth.connectedScenes.first?.session.restoration == .available)
    }

    @Test("L-53 a scene that is gone restores nothing: extending it is an error, and blames nobody")
    func extendedTooLate() throws {
        let running = try device.launch { NotesApp() }
        let gone = try device.openWindow()
        try running.closeWindow(of: gone.identifier)
        #expect(gone.activationState == .unattached)
        #expect(throws: SceneStoreError(.unbalancedCall, "")) { try gone.extendStateRestoration() }
        #expect(throws: SceneStoreError(.unbalancedCall, "")) {
            try gone.completeStateRestoration()
        }
        device.wait(milliseconds: 11_000)
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.map(\.session.restoration) == [.available])
    }

    @Test("L-53 a scene that is gone ends nothing that its session's next scene restores")
    func completedTooLate() throws {
        let running = try device.launch { NotesApp() }
        let gone = try #require(running.connectedScenes.first)
        try gone.extendStateRestoration()
        try device.moveToBackground()
        try running.evict(gone.identifier)
        running.requestSceneSessionActivation(.init(session: gone.identifier))
        try #require(running.connectedScenes.first).extendStateRestoration()
        #expect(throws: SceneStoreError(.unbalancedCall, "")) {
            try gone.completeStateRestoration()
        }
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.map(\.session.restoration) == [.withheld])
    }

    @Test("L-52 a stable launch offers a withheld state again, and the next clears its count")
    func settled() throws {
        try device.launch { NotesApp() }
        let identifier = try device.openWindow().identifier
        try device.moveToBackground()
        try device.crash(restoring: identifier)
        func record() throws -> SessionRecord {
            try #require(try device.application?.store.record(identifier: identifier))
        }
        try device.relaunch()
        device.wait(milliseconds: 9_999)
        #expect(try record().isStateWithheld && record().crashCount == 1)
        device.wait(milliseconds: 1)
        #expect(try !record().isStateWithheld && record().crashCount == 1)
        device.kill()
        let next = try device.relaunch()
        #expect(next.scene(for: identifier)?.session.restoration == .available)
        device.wait(milliseconds: 10_000)
        #expect(try record().crashCount == 0)
    }

    @Test("L-53 of two scenes with two extensions each, the one that goes on is blamed alone")
    func extendedTwice() throws {
        try device.launch { NotesApp() }
        try device.openWindow()
        try device.quit()
        let app = NotesApp()
        app.onConnect = { scene in
            try? scene.extendStateRestoration()
            try? scene.extendStateRestoration()
        }
        let running = try device.launch { app }
        let scenes = running.connectedScenes
        try #require(scenes.count == 2)
        for scene in scenes {
            try scene.completeStateRestoration()
        }
        try scenes[0].completeStateRestoration()
        #expect(throws: SceneStoreError(.unbalancedCall, "")) {
            try scenes[0].completeStateRestoration()
        }
        let identifiers = scenes.map(\.session.persistentIdentifier)
        device.kill()
        let next = try device.launch { NotesApp() }
        #expect(next.scene(for: identifiers[0])?.session.restoration == .available)
        #expect(next.scene(for: identifiers[1])?.session.restoration == .withheld)
    }
}
