import Testing

import SceneStore
@testable import SceneStoreTesting

@Suite("When the disk is asked to sync")
struct LogTimerTests {
    let device: SimulatedDevice
    let running: SceneApplication
    let disk: FaultDisk
    let identifier: SceneSession.ID

    init() throws {
        device = try SimulatedDevice(
            storage: .memory, options: SceneApplicationOptions(manifest: .notes))
        running = try device.launch { NotesApp() }
        disk = try #require(device.disk)
        identifier = try #require(running.firstNote).0.identifier
        // The launch has settled, and what it wrote is synced.
        device.wait(milliseconds: 3_600_000)
    }

    private func syncs(_ body: () throws -> Void) rethrows -> UInt64 {
        try disk.counting(body).syncs
    }

    @Test("S-20 S-24 an app at rest syncs its log 10 minutes after a save, once")
    func atRest() throws {
        try running.setTitle("t", for: identifier)
        #expect(syncs { device.wait(milliseconds: 599_999) } == 0)
        #expect(syncs { device.wait(milliseconds: 1) } == 1)
        let counters = disk.counting { device.wait(milliseconds: 86_400_000) }
        #expect(counters.syncs == 0)
        #expect(counters.writes == 0)
    }

    @Test("S-20 at a save every 30 seconds a sync comes every 10 minutes, also before events")
    func atAPace() throws {
        let count = try syncs {
            for number in 0..<60 {
                try running.setTitle("\(number)", for: identifier)
                device.wait(milliseconds: 30_000)
            }
        }
        #expect(count == 3)
        // An event that comes shortly before a sync is due does not put it off.
        try running.setTitle("a", for: identifier)
        device.wait(milliseconds: 595_000)
        try running.setTitle("b", for: identifier)
        #expect(syncs { device.wait(milliseconds: 5_000) } == 1)
    }

    @Test("S-20 what was saved in mode normal is synced when its window leaves, if anything was")
    func background() throws {
        try running.moveToBackground([identifier])
        device.wait(milliseconds: 3_600_000)
        try running.moveToForeground([identifier])
        // The state is the stored one: only who is in front was written.
        #expect(try syncs { try running.moveToBackground([identifier]) } == 0)
        try running.moveToForeground([identifier])
        try running.setTitle("t", for: identifier)
        #expect(try syncs { try running.moveToBackground([identifier]) } == 1)
        device.crash()
    }

    @Test(
        "S-20 when a window leaves or closes, another one's changes survive a power cut, too",
        arguments: ["background", "nothing more", "close", "teardown"])
    func others(way: String) throws {
        running.requestSceneSessionActivation(.init())
        let front = try #require(running.firstNote).scene
        let (scene, note) = try #require(
            running.connectedScenes.compactMap { scene in
                (scene.delegate as? NoteScene).map { (scene, $0) }
            }.last)
        #expect(scene !== front)
        if way == "nothing more" {
            try running.moveToBackground([front.identifier, scene.identifier])
        }
        note.text = "changed"
        scene.setNeedsSave()
        switch way {
        case "background": try running.moveToBackground([front.identifier])
        case "close": try running.closeWindow(of: front.identifier)
        case "teardown": try running.beginTeardown()
        default: try running.moveToBackground([])
        }
        try device.cutPower(mode: .loseAll)
        let again = try device.launch { NotesApp() }
        if again.scene(for: scene.identifier) == nil {
            again.requestSceneSessionActivation(.init(session: scene.identifier))
        }
        let restored = again.scene(for: scene.identifier)?.delegate as? NoteScene
        #expect(restored?.text == "changed")
    }

    @Test("S-20 an app that saves in mode normal throughout is safe in the background, too")
    func normalThroughout() throws {
        running.options.durability = .normal
        let note = try #require(running.firstNote).1
        note.text = "changed"
        #expect(try syncs { try running.saveState(of: [identifier]) } == 0)
        note.text = "changed again"
        #expect(try syncs { try running.moveToBackground([identifier]) } == 1)
    }

    @Test("S-24 L-43 idle work goes in short pieces, a second apart while more is left")
    func shortPieces() throws {
        for number in 0..<3_000 {
            _ = try running.store.insertSession(
                identifier: "old \(number)",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        }
        try running.reset()
        func hasOldRows() -> Bool { running.store.database.withLock { $0.upkeep.hasOldRows } }
        device.wait(milliseconds: 29_000)
        #expect(hasOldRows())
        // Fifteen pieces of 200 sessions; whatever the machine, one each time.
        device.wait(milliseconds: 21_000)
        #expect(!hasOldRows())
        let counters = disk.counting { device.wait(milliseconds: 86_400_000) }
        #expect(counters.syncs <= 3)
    }
}
