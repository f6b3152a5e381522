import Testing

import SceneStore
@testable import SceneStoreTesting

@Suite("The autosaver and its clock")
struct AutosaverTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            storage: .memory, options: SceneApplicationOptions(manifest: .notes))
    }

    private func launch() throws -> (SceneApplication, id: SceneSession.ID, NoteScene) {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        return (running, scene.identifier, note)
    }

    private func savedText(_ identifier: SceneSession.ID) throws -> String? {
        let session = try device.application?.session(for: identifier)
        return session?.stateRestorationActivity?.userInfo["text"]?.stringValue
    }

    @Test("S-24 how long a change waits is settable, whatever it is set to")
    func settable() throws {
        device.options.autosaveDelay = 5_000
        device.options.autosaveCeiling = 7_000
        let (running, id, note) = try launch()
        note.text = "a"
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 4_000)
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 2_999)
        #expect(try savedText(id) == nil)
        device.wait(milliseconds: 1)
        #expect(try savedText(id) == "a")
        running.options.autosaveDelay = -1
        note.text = "b"
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 1)
        #expect(try savedText(id) == "b")
        running.options.autosaveDelay = .max
        running.options.autosaveCeiling = .max
        note.text = "c"
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 1_000_000)
        #expect(try savedText(id) == "b")
        try running.moveToBackground([id])
        #expect(try savedText(id) == "c")
    }

    @Test("S-24 a clock that is set back keeps no change waiting")
    func clock() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        running.scene(for: id)?.setNeedsSave()
        device.jumpClock(milliseconds: -86_400_000)
        device.wait(milliseconds: 2_000)
        #expect(try savedText(id) == "draft")
        // Neither does a change after the clock went back.
        note.text = "second"
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 100)
        device.jumpClock(milliseconds: -86_400_000)
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 1_000)
        #expect(try savedText(id) == "second")
    }

    @Test("S-27 timers count the time that passes, whatever is done to the clock")
    func uptime() {
        let clock = VirtualClock()
        let scheduler = VirtualScheduler(clock: clock)
        var fired: [Int] = []
        _ = scheduler.schedule(after: 100) { fired.append(1) }
        clock.now += 1_000_000
        scheduler.advance(by: 99)
        #expect(fired.isEmpty)
        clock.now -= 2_000_000
        scheduler.advance(by: 1)
        #expect(fired == [1])
        #expect(clock.now == VirtualClock.start - 1_000_000 + 100)
    }
}
