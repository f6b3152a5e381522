import SceneStore
import SceneStoreTesting
import Testing

/// What goes wrong below an app.
@Suite("The fault kit")
struct FaultKitTests {
    func device(_ storage: SimulatedDevice.Storage = .memory) throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .windows("Note"), storage: storage)
        try device.launch { NotesApp() }
        try save("first", on: device)
        return device
    }

    func save(_ text: String, on device: SimulatedDevice) throws {
        try device.sceneDelegate(NoteScene.self).text = text
        if device.frontScene?.activationState == .background {
            try device.moveToForeground()
        }
        try device.moveToBackground()
    }

    func text(on device: SimulatedDevice) throws -> String {
        try device.sceneDelegate(NoteScene.self).text
    }

    @Test("L-41 whichever write fails, the last acknowledged save comes back")
    func failedWrites() throws {
        var failures = 0
        for number in 1...40 {
            let device = try device()
            try device.failWrite(number)
            try save("second", on: device)
            let isReported = !device.diagnostics.isEmpty
            failures += isReported ? 1 : 0
            try device.repairDisk()
            try device.relaunch()
            let restored = try text(on: device)
            #expect(restored == "second" || isReported && restored == "first", "\(number)")
        }
        #expect(failures > 0)
        #expect(failures < 40)
    }

    @Test("S-10 a full disk is told, and what was saved stays; with room the next save goes well")
    func fullDisk() throws {
        let device = try device()
        try device.fillDisk()
        try save("second", on: device)
        #expect(device.diagnostics.contains { $0.code == .writeRefused })
        try device.repairDisk()
        try save("third", on: device)
        try device.relaunch()
        #expect(try text(on: device) == "third")
    }

    @Test("R-02 a power cut loses nothing that a durable save has acknowledged", arguments: 1...20)
    func powerCut(seed: UInt64) throws {
        let device = try device()
        try save("second", on: device)
        try device.cutPower(seed: seed)
        let application = try device.relaunch()
        #expect(application.launchReason == .restore)
        #expect(try text(on: device) == "second")
    }

    @Test(
        "a damaged row costs that state alone, and is told",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func damagedRow(_ storage: SimulatedDevice.Storage) throws {
        let device = try SimulatedDevice(
            storage: storage, fixture: StoreFixture(.threeWindows))
        try device.damageState()
        try device.launch { NotesApp() }
        #expect(
            device.sceneDelegates(NoteScene.self).map(\.text) == ["", "document 2", "document 3"])
        #expect(!device.diagnostics.isEmpty)
        device.kill()
        #expect(throws: SceneStoreError(.requestDenied, "")) {
            try device.damageState(of: "nobody")
        }
    }

    @Test("R-27 a fixture that is written over a store leaves no lock of that store beside it")
    func writtenOver() throws {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        try SceneSessionStore.open(at: .directory(directory)).close()
        try StoreFixture(.threeWindows).write(to: directory)
        let store = try SceneSessionStore.open(at: .directory(directory))
        #expect(store.openingDiagnostics.isEmpty)
        #expect(try store.openCount() == 3)
        try store.close()
    }

    @Test("S-40 sessions that went with a damaged store are in the launch's ledger, and are told")
    func lostSessions() throws {
        let device = try SimulatedDevice(
            storage: .temporaryDirectory, fixture: StoreFixture(.threeWindows))
        device.storeOptions.corruption = .startEmpty
        try device.damagePage(2)
        let application = try device.launch { NotesApp() }
        let launch = try #require(try application.store.launches.records(limit: 1).first)
        #expect(launch.ledger.counts[.lost] == 3)
        #expect(launch.ledger.expected == 3)
        #expect(device.diagnostics.count { $0.code == .lostSessions } == 1)
        #expect(device.diagnostics.count { $0.code == .lostCommits } == 1)
        try device.relaunch()
        let next = try device.withSecondProcess(.reader) {
            (store) throws(SceneStoreError) in try store.launches.records(limit: 1).first
        }
        #expect(next?.ledger.counts[.lost] == nil)
    }

    @Test("a damaged page of the store's file is an error, not a trap")
    func damagedPage() throws {
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        #expect(throws: SceneStoreError(.ioError, "")) { try device.damagePage(10_000) }
        #expect(throws: SceneStoreError(.ioError, "")) { try device.damagePage(.max) }
        #expect(throws: SceneStoreError(.ioError, "")) { try device.damagePage(0) }
        try device.damagePage(1)
        #expect(throws: SceneStoreError.self) { try device.launch { NotesApp() } }
        #expect(!device.isRunning)
    }

    @Test(
        "R-09 a second process is refused while the app runs, and may look on",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func secondProcess(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        #expect(throws: SceneStoreError(.owned, "")) {
            try device.withSecondProcess { _ in }
        }
        try device.withSecondProcess(.reader) { _ in }
        device.kill()
        #expect(try device.withSecondProcess { $0.isOwner })
    }

    @Test(
        "R-01 L-17 a second process reads what the disk has, and neither writes nor closes the app's",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func secondReader(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        try device.refuseWrites(.diskFull)
        try save("second", on: device)
        for isRunning in [true, false] {
            if !isRunning {
                device.kill()
            }
            let stored = try device.withSecondProcess(.reader) { store throws(SceneStoreError) in
                #expect(!store.isOwner)
                let record = try store.mostRecentRecord(role: nil)
                defer { try? store.close() }
                return try record.map { record throws(SceneStoreError) in
                    try store.session(for: record).stateRestorationActivity?.userInfo["text"]
                }
            }
            #expect(stored == "first")
        }
        try device.relaunch()
        #expect(try text(on: device) == "first")
    }

    @Test(
        "L-17 a disk that is full is full for a second process, too",
        arguments: [SimulatedDevice.Storage.memory, .temporaryDirectory])
    func secondWriter(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        device.kill()
        try device.refuseWrites(.diskFull)
        #expect(try device.withSecondProcess { $0.refusal != nil })
        try device.acceptWrites()
        #expect(try device.withSecondProcess { $0.refusal == nil })
    }

    @Test("L-17 locking and unlocking repairs no disk, and a repaired disk unlocks no file")
    func lockAndDisk() throws {
        let device = try device()
        try device.failWrite(permanently: true)
        try device.lock(protectingFiles: true)
        try device.unlock()
        try save("second", on: device)
        #expect(device.diagnostics.contains { $0.code == .writeRefused })
        try device.lock(protectingFiles: true)
        try device.repairDisk()
        let application = try #require(device.application)
        #expect(throws: SceneStoreError.self) { try application.reopenStore() }
        try device.failWrite()
        #expect(throws: SceneStoreError.self) { try application.reopenStore() }
        try device.repairDisk()
        try device.unlock()
        try device.relaunch()
        #expect(device.disk?.program == [])
    }

    @Test("a clock that jumps back loses no save")
    func clockJump() throws {
        let device = try device()
        device.jumpClock(milliseconds: -86_400_000)
        try save("second", on: device)
        device.jumpClock(milliseconds: .max)
        device.jumpClock(milliseconds: .min)
        try device.relaunch()
        #expect(try text(on: device) == "second")
    }

    @Test("faults of the disk need a device in memory, and say so")
    func needsMemory() throws {
        let device = try device(.temporaryDirectory)
        let wrong = SceneStoreError(.invalidState, "")
        #expect(throws: wrong) { try device.failWrite() }
        #expect(throws: wrong) { try device.fillDisk() }
        #expect(throws: wrong) { try device.repairDisk() }
        #expect(throws: wrong) { try device.cutPower() }
    }
}
