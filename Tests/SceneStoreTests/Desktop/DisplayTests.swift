import SceneStore
import Testing

@testable import SceneStoreTesting

/// Displays that come and go, as an app sees it (L-49).
@Suite("Displays")
struct DisplayTests {
    let device: SimulatedDevice
    let app = NotesApp()

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
    }

    static let lid = [Display("lid", frame: .init(x: 0, y: 0, width: 1000, height: 800))]
    static let desk =
        lid + [Display("desk", frame: .init(x: 1000, y: 0, width: 2000, height: 1200))]
    let atDesk = ScenePlacement(x: 1500, y: 100, width: 900, height: 900, display: "desk")

    func launch(_ displays: [Display]) throws -> (SceneApplication, Scene) {
        let running = try device.launch(prepare: { _ = try? $0.setDisplays(displays) }) { app }
        return (running, try #require(running.connectedScenes.first))
    }

    @Test("L-49 the original stays stored until the user moves the window, over launches")
    func original() throws {
        var (running, scene) = try launch(Self.desk)
        try scene.setPlacement(atDesk)
        try device.quit()
        (running, scene) = try launch(Self.lid)
        let fitted = try #require(scene.session.placement)
        #expect(fitted == atDesk.fitted(to: Self.lid))
        try scene.setPlacement(fitted)
        var nudged = fitted
        nudged.y = 40
        try scene.setPlacement(nudged)
        #expect(try running.session(for: scene.identifier)?.placement == atDesk)
        try device.quit()
        (running, scene) = try launch(Self.desk)
        #expect(scene.session.placement == atDesk)
    }

    @Test("L-49 docking and undocking moves windows back")
    func docking() throws {
        let (running, scene) = try launch(Self.desk)
        try scene.setPlacement(atDesk)
        let undocked = try running.setDisplays(Self.lid)
        #expect(undocked == [scene.session.id: atDesk.fitted(to: Self.lid)])
        running.noteUserMoved(scene.identifier)
        let onLid = ScenePlacement(x: 5, y: 6, width: 700, height: 500, display: "lid")
        try scene.setPlacement(onLid)
        #expect(try running.setDisplays(Self.desk) == [scene.session.id: atDesk])
        #expect(try running.setDisplays(Self.lid) == [scene.session.id: onLid])
        // A panel that comes or goes is no other arrangement.
        var panel = Self.lid
        panel[0].workArea.height = 700
        #expect(try running.setDisplays(panel) == [:])
        #expect(running.displays == panel)
    }

    @Test("L-49 what the compositor knows a window by is kept and handed back")
    func token() throws {
        var (running, scene) = try launch([])
        let token = [UInt8](repeating: 7, count: Limits.platformTokenBytes)
        try running.setPlatformToken(token, for: scene.identifier)
        #expect(scene.session.platformToken == token)
        #expect(throws: SceneStoreError.self) {
            try running.setPlatformToken(token + [1], for: scene.identifier)
        }
        try device.quit()
        (running, scene) = try launch([])
        #expect(scene.session.platformToken == token)
        try running.setPlatformToken(nil, for: scene.identifier)
        #expect(try running.session(for: scene.identifier)?.platformToken == nil)
    }

    @Test("L-49 a link that connects a window brings those that belong to it", arguments: 0..<4)
    func companions(_ way: Int) throws {
        device.options.reconnection = .foreground
        let (running, parent) = try launch([])
        for _ in 0..<3 {
            running.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        let ids = running.connectedScenes.map(\.session.id)
        // A window of the parent, one of that one, and one that belongs to none.
        for (child, owner) in [(ids[0], parent.session.id), (ids[1], ids[0])] {
            try running.scene(for: child)?.setPlacement(
                ScenePlacement(width: 100, height: 100, parent: owner))
        }
        try running.setActivationConditions(
            ActivationConditions(prefersToActivate: .equals("app://parent")),
            for: parent.session.id)
        let link = "app://parent"
        try running.moveToBackground([ids[0], ids[1], parent.session.id])
        for id in [ids[0], ids[1], parent.session.id] {
            try running.evict(id)
        }
        let family = [parent.session.id, ids[0], ids[1]]
        var now = running
        var order: [SceneSession.ID] = []
        app.onConnect = { order.append($0.session.id) }
        switch way {
        case 0: try running.open([OpenURLContext(url: link)])
        case 1: now.requestSceneSessionActivation(.init(session: parent.session.id))
        default:
            try device.quit()
            // Without restoring, too.
            device.options.launchBehavior = way == 2 ? .restore : .none
            now = try device.launch([.urls([OpenURLContext(url: link)])]) { app }
        }
        #expect(order.filter(family.contains) == family)
        #expect(order.contains(ids[2]) == (way == 2))
        #expect(now.connectedScenes.first?.session.id == parent.session.id)
    }

    @Test("L-49 a window that belongs to another comes back after it")
    func children() throws {
        device.options.reconnection = .all
        let (running, parent) = try launch([])
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        let scenes = running.connectedScenes
        let (other, inspector) = (scenes[1], scenes[0])
        try inspector.setPlacement(
            ScenePlacement(width: 100, height: 100, parent: parent.session.id))
        #expect(other !== parent)
        try device.quit()
        var order: [SceneSession.ID] = []
        app.onConnect = { order.append($0.identifier) }
        let again = try device.launch { app }
        // Each parent before its child; the one that was active last is active again.
        let keys = again.openSessions.map(\.id)
        #expect(keys.count == 3)
        #expect(again.connectedScenes.first?.session.id == inspector.session.id)
        #expect(order == [other.identifier, parent.identifier, inspector.identifier])
    }

    @Test("L-11 L-49 a window in the background stays there when one that belongs to it comes back")
    func parentInBackground() throws {
        device.options.reconnection = .all
        let (running, parent) = try launch([])
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        let inspector = try #require(running.connectedScenes.first)
        try inspector.setPlacement(
            ScenePlacement(width: 100, height: 100, parent: parent.session.id))
        try running.moveToBackground([parent.session.id])
        try device.quit()
        let again = try device.launch { app }
        #expect(again.scene(for: inspector.session.id)?.activationState == .foregroundActive)
        #expect(again.scene(for: parent.session.id)?.activationState == .background)
    }
}
