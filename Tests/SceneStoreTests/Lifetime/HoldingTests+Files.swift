import Foundation
import SceneStoreRecovery
import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// A store that is gone, that is another one, or that can't be opened takes no window away either.
extension HoldingTests {
    @Test("L-17 R-09 where not even the files beside the store can be made, it is read and held")
    func withoutSideFiles() throws {
        let device = try device(.temporaryDirectory)
        _ = try launched(device)
        device.kill()
        try device.refuseWrites(.diskFull)
        device.writeFault.operations = [.open, .commit]
        let running = try device.launch { NotesApp() }
        #expect(running.launchReason == .recover)
        #expect(running.firstNote?.note.text == "first")
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        try live(device)
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .diskFull)
        try expectLived(device)
        try expectWritten(device, running)
    }

    @Test("S-30 L-17 who goes on in memory, for no file can be opened, owns the container")
    func ownsInMemory() throws {
        let device = try device(.temporaryDirectory)
        func expectOwned() {
            #expect(throws: SceneStoreError(.owned, "")) {
                try SceneSessionStore.open(at: .directory(device.containerPath)).close()
            }
        }
        _ = try launched(device)
        device.kill()
        try device.refuseWrites(.diskFull)
        device.writeFault.operations = [.open, .commit]
        var running = try device.launch { NotesApp() }
        #expect(running.storeRefusal?.code == .diskFull)
        expectOwned()
        // An attempt that is refused gives nothing away, either.
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .diskFull)
        expectOwned()
        // Its death does.
        device.kill()
        try SceneSessionStore.open(at: .directory(device.containerPath)).close()
        running = try device.launch { NotesApp() }
        #expect(running.storeRefusal?.code == .diskFull)
        try device.acceptWrites()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        expectOwned()
        try device.quit()
        try SceneSessionStore.open(at: .directory(device.containerPath)).close()
    }

    @Test("L-17 S-30 what another owner wrote while the lock was let go is never written over")
    func otherOwner() throws {
        let device = try device(.temporaryDirectory)
        let first = try launched(device)
        let id = try #require(first.connectedScenes.first).identifier
        device.kill()
        try device.refuseWrites(.diskFull)
        let running = try device.launch { NotesApp() }
        try type("second", running.connectedScenes.first)
        running.flushChanges()
        // What is refused leaves the lock to others.
        try running.store.suspend()
        let other = try SceneSessionStore.open(at: .directory(device.containerPath))
        let record = try #require(try other.record(identifier: id))
        try other.marks.setPinned(true, key: record.key)
        try other.close()
        try device.acceptWrites()
        #expect(throws: SceneStoreError(.replaced, "")) { try running.reopenStore() }
        #expect(running.storeRefusal != nil)
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.first?.session.isPinned == true)
        #expect(again.firstNote?.note.text == "first")
    }

    @Test("L-17 L-42 S-33 a file whose name is gone when the container is let go is held in memory")
    func goneAtRelease() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try FileManager.default.removeItem(atPath: device.containerPath)
        try running.store.suspend()
        #expect(try running.store.openRecords().count == 1)
        #expect(running.store.refusal != nil)
        try type("second", running.connectedScenes.first)
        running.flushChanges()
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
        device.kill()
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "second")
    }

    @Test("S-14 L-17 a missing store on a full disk is one in memory until there is room")
    func missing() throws {
        let device = try device(.temporaryDirectory)
        try device.refuseWrites(.diskFull)
        let running = try device.launch { NotesApp() }
        #expect(running.launchReason == .first)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        try live(device)
        try expectWritten(device, running)
    }

    @Test("L-17 L-42 a container that is moved away is written again once it is back")
    func moved() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try device.refuseWrites(.moved)
        try live(device)
        try expectLived(device)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        _ = try running.performIdleWork()
        #expect(running.storeRefusal != nil)
        try device.acceptWrites()
        try running.reopenStore()
        #expect(running.storeRefusal == nil)
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
    }

    @Test("L-17 L-42 after a container was deleted everything is written into a new one")
    func wiped() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try device.wipe()
        try live(device)
        try expectLived(device)
        try running.reopenStore()
        #expect(running.storeRefusal == nil)
        try expectLived(device)
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
        #expect(try again.store.verify(.full).findings.isEmpty)
    }

    @Test("L-17 L-42 after the database alone was deleted all is written, and its log is kept")
    func databaseDeleted() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try FileManager.default.removeItem(atPath: device.containerPath + "/scenes.sqlite")
        try live(device)
        try expectLived(device)
        try running.reopenStore()
        #expect(running.storeRefusal == nil)
        try expectLived(device)
        let told = device.diagnostics.map(\.code)
        #expect(told == [.writeRefused, .storeSetAside])
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: device.containerPath + "/quarantine")
        #expect(kept.contains { $0.hasSuffix("orphaned.sqlite-wal") })
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
        #expect(try again.store.verify(.full).findings.isEmpty)
    }

    @Test("L-17 a simulation leaves nothing of a container that it moved away")
    func leavesNothing() throws {
        var path = ""
        do {
            let device = try device(.temporaryDirectory)
            _ = try launched(device)
            try device.refuseWrites(.moved)
            path = device.containerPath
        }
        if path.hasSuffix("/") {
            path.removeLast()
        }
        #expect(path.contains("scenestore-"))
        #expect(!FileManager.default.fileExists(atPath: path + ".moved"))
    }

    @Test("L-17 S-26 a store that stands in the place of a moved one is left as it is")
    func replaced() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        try device.refuseWrites(.moved)
        var options = SceneSessionStore.Options.seeded()
        options.access = .editor
        let other = try SceneSessionStore.open(at: .directory(device.containerPath))
        _ = try other.insertSession(
            identifier: "other",
            configuration: SceneConfiguration(name: nil, role: .windowApplication))
        try other.close()
        try live(device)
        #expect(throws: SceneStoreError(.replaced, "")) { try running.reopenStore() }
        try expectLived(device)
        #expect(throws: SceneStoreError.self) { try running.quit() }
        _ = try running.quit(discardingUnsaved: true)
        #expect(
            try device.readFile { (store) throws(SceneStoreError) in
                try store.openRecords().map(\.identifier)
            } == ["other"])
    }

    @Test("L-17 S-26 a twin of a moved store, with the same numbers, is another store")
    func twin() throws {
        let device = try device(.temporaryDirectory)
        let running = try launched(device)
        let other = try self.device(.temporaryDirectory)
        let name = try #require(UUID(uuidString: "6F9619FF-8B86-4D01-B42D-00C04FC964FF"))
        other.storeOptions.makeUUID = { name }
        // One commit more: the other store had to note where it stood when it was moved.
        let twin = try launched(other)
        try type("again", twin.connectedScenes.first)
        twin.flushChanges()
        other.kill()
        try device.refuseWrites(.moved)
        try FileManager.default.copyItem(
            atPath: other.containerPath, toPath: device.containerPath)
        try live(device)
        #expect(throws: SceneStoreError(.replaced, "")) { try running.reopenStore() }
        #expect(try texts(device) == ["again"])
        try expectLived(device)
    }
}
