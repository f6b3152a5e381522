import Foundation
import SceneStoreRecovery
@testable import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// A store that can't be written takes no window away (L-17).
@Suite("Going on while the store can't be written")
struct HoldingTests {
    func device(
        _ storage: SimulatedDevice.Storage = .memory
    ) throws -> SimulatedDevice {
        var options = SceneApplicationOptions(manifest: .notes)
        options.persistsInbox = true
        return try SimulatedDevice(storage: storage, options: options)
    }

    /// What a launch after a death of the process finds: each window's text, in the order of the
    /// identifiers.
    func texts(_ device: SimulatedDevice) throws -> [String] {
        try device.readFile { (store) throws(SceneStoreError) in
            try store.openRecords().sorted { $0.key < $1.key }.map { record in
                (try? store.restorationActivity(key: record.key))?.userInfo["text"]?.stringValue
                    ?? ""
            }
        }
    }

    func type(_ text: String, _ scene: Scene?) throws {
        let scene = try #require(scene)
        (scene.delegate as? NoteScene)?.text = text
        scene.setNeedsSave()
    }

    /// Opens a second window, types in it, says what it prefers, closes the first one and is handed a
    /// link.
    func live(_ device: SimulatedDevice) throws {
        let running = try #require(device.application)
        let first = try #require(running.connectedScenes.first)
        try device.openWindow()
        try type("second", running.connectedScenes.first)
        let second = try #require(running.connectedScenes.first).identifier
        try running.setActivationConditions(Self.preference, for: second)
        try running.closeWindow(of: first.identifier)
        try running.receive(.urls([OpenURLContext(url: "notes://later")]))
        try? running.saveState(of: running.connectedScenes.map(\.identifier))
    }

    static let preference = ActivationConditions(prefersToActivate: .equals("notes://later"))

    func expectLived(_ device: SimulatedDevice) throws {
        let running = try #require(device.application)
        #expect(running.connectedScenes.count == 1)
        #expect(running.openSessions.count == 1)
        #expect(try running.recentlyClosedGroups().flatMap(\.sessions).count == 1)
        #expect(try running.waitingPayloads().count == 1)
        let note = running.connectedScenes.first?.delegate as? NoteScene
        #expect(note?.opened == ["notes://later"])
        let session = running.connectedScenes.first?.session
        #expect(session?.activationConditions == Self.preference)
    }

    /// The disk takes writes again: what was held is written, and outlives the process.
    func expectWritten(_ device: SimulatedDevice, _ running: SceneApplication) throws {
        try device.acceptWrites()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        try expectLived(device)
        device.kill()
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "second")
    }

    /// The device with a window whose text is stored.
    func launched(_ device: SimulatedDevice) throws -> SceneApplication {
        let running = try device.launch { NotesApp() }
        try type("first", running.connectedScenes.first)
        running.flushChanges()
        return running
    }

    @Test(
        "L-17 windows open, close, take links and keep their states while writes are refused",
        arguments: [WriteRefusal.diskFull, .readOnly])
    func goesOn(_ cause: WriteRefusal) throws {
        let device = try device()
        let running = try launched(device)
        try device.refuseWrites(cause)
        try live(device)
        try expectLived(device)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        #expect(running.storeRefusal != nil)
        #expect(try texts(device) == ["first"])
        try device.acceptWrites()
        let before = running.store.counters.transactions
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        // All of it together, in one transaction.
        #expect(running.store.counters.transactions == before + 1)
        try expectLived(device)
        #expect(try texts(device) == ["second"])
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.firstNote?.note.text == "second")
        #expect(try again.recentlyClosedGroups().flatMap(\.sessions).count == 1)
        #expect(device.diagnostics.count == 1)
    }

    @Test("L-17 what is held goes along with the first write that succeeds")
    func goesAlong() throws {
        let device = try device()
        let running = try launched(device)
        try device.refuseWrites(.diskFull)
        try live(device)
        try device.acceptWrites()
        try running.setTitle("later", for: try #require(running.connectedScenes.first).identifier)
        #expect(running.storeRefusal == nil)
        #expect(try texts(device) == ["second"])
    }

    @Test("L-17 each cause is told once, and again after writes had succeeded")
    func causes() throws {
        let device = try device()
        let running = try launched(device)
        let id = try #require(running.connectedScenes.first).identifier
        try device.refuseWrites(.diskFull)
        try running.setTitle("1", for: id)
        try running.setTitle("2", for: id)
        #expect(device.diagnostics.count == 1)
        try device.refuseWrites(.readOnly)
        try running.setTitle("3", for: id)
        try running.setTitle("4", for: id)
        #expect(device.diagnostics.count == 2)
        try device.acceptWrites()
        try running.setTitle("5", for: id)
        try device.refuseWrites(.diskFull)
        try running.setTitle("6", for: id)
        #expect(device.diagnostics.map(\.code) == [.writeRefused, .writeRefused, .writeRefused])
        #expect(try running.session(for: id)?.title == "6")
        #expect(
            try device.readFile { (store) throws(SceneStoreError) in
                try store.openRecords().first.map { record throws(SceneStoreError) in
                    try store.session(for: record).title
                }
            } == "5")
    }

    @Test("L-17 S-24 on a disk that takes nothing an app tries less and less often")
    func backsOff() throws {
        let device = try device()
        let running = try launched(device)
        let id = try #require(running.connectedScenes.first).identifier
        device.wait(milliseconds: 60_000)
        try device.refuseWrites(.readOnly)
        try running.setTitle("1", for: id)
        device.wait(milliseconds: 86_400_000)
        // 180 of eight minutes, instead of 2 880 of half a minute.
        #expect((100...200).contains(running.upkeep.refusals))
        try device.acceptWrites()
        try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        device.wait(milliseconds: 600_000)
        #expect(running.upkeep.refusals == 0)
    }

    @Test("L-17 one failed write is made good at once")
    func once() throws {
        let device = try device()
        let running = try launched(device)
        let id = try #require(running.connectedScenes.first).identifier
        try device.failWrite(1)
        try running.setTitle("kept", for: id)
        #expect(running.storeRefusal == nil)
        device.kill()
        #expect(try device.launch { NotesApp() }.session(for: id)?.title == "kept")
    }

    @Test("L-17 quitting throws while something is unsaved; discarding it names what is lost")
    func quitting() throws {
        let device = try device()
        let running = try launched(device)
        try device.refuseWrites(.diskFull)
        try live(device)
        let second = try #require(running.connectedScenes.first).identifier
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.quit() }
        #expect(running.connectedScenes.count == 1)
        let lost = try running.quit(discardingUnsaved: true)
        #expect(lost.count == 2 && lost.contains(second.rawValue))
        device.kill()
        try device.acceptWrites()
        // The closing was never written: the process has ended, and the window is there (our rule).
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "first")
    }

    @Test("L-17 L-86 a quit that loses a window's scene storage alone names the window")
    func quittingWithStorage() throws {
        let device = try device()
        let running = try launched(device)
        try device.openWindow()
        try device.refuseWrites(.diskFull)
        let behind = try #require(running.connectedScenes.last)
        behind.storage["zoom"] = 2
        #expect(
            try running.quit(discardingUnsaved: true).contains(behind.identifier.rawValue))
    }

    @Test("L-17 L-44 a window that would not come back anyhow is none that a quit loses")
    func quittingWithUnremembered() throws {
        let device = try device()
        device.options.unrememberedConfigurations = ["Viewer"]
        let running = try device.launch {
            let app = NotesApp()
            app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
            return app
        }
        try device.refuseWrites(.diskFull)
        let scene = try #require(running.connectedScenes.first)
        try running.setPlacement(ScenePlacement(width: 1, height: 2), for: scene.identifier)
        #expect(running.storeRefusal != nil)
        #expect(try running.quit(discardingUnsaved: true).isEmpty)
    }

    @Test("L-17 a quit loses nothing once the store takes writes again")
    func quitsLater() throws {
        let device = try device()
        let running = try launched(device)
        try device.refuseWrites(.diskFull)
        try live(device)
        #expect(throws: SceneStoreError.self) { try running.quit() }
        try device.acceptWrites()
        #expect(try running.quit(discardingUnsaved: true).isEmpty)
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
    }

    @Test("L-17 what empties or erases is never held: it throws and changes nothing")
    func neverHeld() throws {
        let device = try device()
        let running = try launched(device)
        let id = try #require(running.connectedScenes.first).identifier
        try device.refuseWrites(.diskFull)
        try live(device)
        let second = try #require(running.connectedScenes.first).identifier
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.reset() }
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.erase() }
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.forget(second) }
        #expect(throws: SceneStoreError(.diskFull, "")) {
            try running.setPrivacy(.ephemeral, for: second)
        }
        try expectLived(device)
        try device.acceptWrites()
        try running.forget(second)
        #expect(running.openSessions.isEmpty)
        let closed = try running.recentlyClosedGroups().flatMap(\.sessions)
        #expect(closed.map(\.persistentIdentifier) == [id])
    }

    @Test(
        "L-17 S-10 a full disk prevents no launch",
        arguments: [WriteRefusal.diskFull, .readOnly],
        [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func launches(
        _ cause: WriteRefusal, _ storage: SimulatedDevice.Storage
    ) throws {
        let device = try device(storage)
        _ = try launched(device)
        device.kill()
        try device.refuseWrites(cause)
        let running = try device.launch { NotesApp() }
        #expect(running.launchReason == .recover)
        #expect(running.firstNote?.note.text == "first")
        try live(device)
        try expectLived(device)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        try device.acceptWrites()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
    }

    @Test("L-39 L-17 a log that can't be copied when the app quits fails no quit and loses nothing")
    func quitWithoutCopy() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try device.refuseWrites(.diskFull)
        device.writeFault.operations = [.checkpoint]
        try type("last", running.connectedScenes.first)
        try device.quit()
        #expect(running.hasEnded)
        #expect(device.diagnostics.map(\.code.rawValue) == ["diskFull"])
        try device.acceptWrites()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "last")
    }

    @Test(
        "S-20 L-17 on a full disk the log is copied into the file and begun anew, and saves go on")
    func fullLog() throws {
        let device = try device()
        let running = try launched(device)
        func save(_ numbers: Range<Int>) throws {
            for number in numbers {
                try type("text \(number)", running.connectedScenes.first)
                running.flushChanges()
            }
        }
        // The history is as long as it gets.
        try save(1_000..<1_300)
        try running.store.log.checkpoint()
        try device.fillDisk()
        try save(2_000..<3_000)
        #expect(running.storeRefusal == nil)
        device.kill()
        try device.repairDisk()
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "text 2999")
    }

    @Test("L-17 S-20 without a store who is promised a save is told that it is in memory, too")
    func promisedWithoutStore() throws {
        let device = try device(.temporaryDirectory)
        try device.refuseWrites(.diskFull)
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.connectedScenes.first)
        try type("draft", scene)
        #expect(throws: SceneStoreError(.diskFull, "")) {
            try running.moveToBackground([scene.identifier])
        }
    }

    @Test(
        "L-17 S-03 an update that brings a new schema launches on a disk that takes no migration",
        arguments: [WriteRefusal.diskFull, .readOnly])
    func olderSchema(_ cause: WriteRefusal) throws {
        let device = try device(.temporaryDirectory)
        _ = try launched(device)
        try device.quit()
        try device.refuseWrites(cause)
        try MadeMigrations.added {
            var running = try device.launch { NotesApp() }
            #expect(running.launchReason == .launch)
            #expect(running.firstNote?.note.text == "first")
            #expect(device.diagnostics.map(\.code) == [.writeRefused])
            try live(device)
            // What is killed before the disk takes anything leaves the older store as it was.
            device.kill()
            running = try device.launch { NotesApp() }
            #expect(running.firstNote?.note.text == "first")
            try live(device)
            try expectWritten(device, running)
        }
    }

    @Test("L-17 S-41 S-43 what is held after a reset is counted right when it is written")
    func afterReset() throws {
        let device = try device()
        let running = try launched(device)
        try device.openWindow()
        try running.reset()
        try device.openWindow()
        try device.refuseWrites(.diskFull)
        try live(device)
        try device.acceptWrites()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        #expect(try running.store.verify(.full).findings.isEmpty)
    }

    @Test("L-17 L-40 a row that is written back is whole, whatever differs in it")
    func writtenBackRow() throws {
        let device = try device()
        let running = try launched(device)
        let record = try #require(try running.store.openRecords().first)
        try running.store.database.withLock { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                let old = try db.knownSession(record.key).row
                var new = old
                new.createdAt += 7
                try transaction.replace(old, by: new, [])
            }
        }
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(try again.store.openRecords().first?.createdAt == record.createdAt + 7)
        #expect(again.firstNote?.note.text == "first")
        #expect(try again.store.verify(.full).findings.isEmpty)
    }

    @Test("L-17 S-61 a backup into a place that can't be written says nothing of the store")
    func backupElsewhere() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        #expect(throws: SceneStoreError.self) {
            try running.store.backUp(to: device.containerPath + "/none/b.sqlite")
        }
        #expect(running.storeRefusal == nil)
        #expect(device.diagnostics.isEmpty)
    }

    @Test("L-17 S-70 an erasure that has no room waits in idle time, and holds nothing in memory")
    func erasureWithoutRoom() throws {
        let device = try device()
        let running = try launched(device)
        for number in 0..<40 {
            running.storage["\(number)"] = .data(Data(count: 50_000))
        }
        try running.performIdleWork()
        try device.fillDisk(leaving: 100_000)
        let id = try #require(running.connectedScenes.first).identifier
        #expect(throws: SceneStoreError(.erasurePending, "")) {
            try running.setPrivacy(.ephemeral, for: id)
        }
        for _ in 0..<3 {
            _ = try running.performIdleWork(budgetMilliseconds: 60_000)
            #expect(running.storeRefusal == nil)
        }
        #expect(device.diagnostics.isEmpty)
        try device.repairDisk()
        _ = try running.performIdleWork(budgetMilliseconds: 60_000)
        #expect(try running.store.verify(.full).findings.isEmpty)
    }

    /// The same for a disk that fails no more.
    private func expectWritten(
        _ device: SimulatedDevice, _ running: SceneApplication, by disk: FaultDisk
    ) throws {
        disk.program = []
        try expectWritten(device, running)
        #expect(try device.application?.store.verify(.full).findings.isEmpty == true)
    }

    @Test("L-17 a sync that failed is followed by an opening anew, which loses nothing")
    func poisoned() throws {
        let device = try device()
        let running = try launched(device)
        let disk = try #require(device.disk)
        disk.program = [.init([.sync], isPermanent: true)]
        try live(device)
        try expectLived(device)
        try expectWritten(device, running, by: disk)
    }

    @Test("S-70 L-17 windows whose sessions are erased go, also if nothing can be read just then")
    func erasedUnread() throws {
        let device = try device()
        let running = try launched(device)
        // What follows the commit finds no lock, and neither does a look at the sessions.
        try #require(device.disk).program = [
            .init([.sharedMemoryLock], at: 8, isPermanent: true)
        ]
        #expect(throws: SceneStoreError(.erasurePending, "")) { try running.erase() }
        #expect(running.connectedScenes.isEmpty)
    }

    @Test("L-17 a quit whose sync failed works when it is tried again")
    func quitUnsynced() throws {
        let device = try device()
        let running = try launched(device)
        let disk = try #require(device.disk)
        disk.program = [.init([.sync], at: 2)]
        #expect(throws: SceneStoreError(.ioError, "")) { try running.quit() }
        try running.quit()
        device.kill()
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "first")
    }

    @Test("L-17 what was written back is the store's own, though its sync was reported as failed")
    func writtenBackUnsynced() throws {
        let device = try device()
        let running = try launched(device)
        let disk = try #require(device.disk)
        disk.program = [.init([.write], isPermanent: true)]
        try live(device)
        disk.program = [.init([.sync])]
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .ioError)
        try expectWritten(device, running, by: disk)
    }
}
