import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// Every call of an app, with each write and each sync of it done and reported as failed (L-17).
@Suite("One failing write in each call of an app")
struct FaultSweepTests {
    /// What an app asks for.
    enum Call: CaseIterable {
        case quit, reset, forget, erase, makePrivate, discardParked
        case save, setTitle, setUserInfo, pin, hold, checkOut, store, receive
        case open, close, reopen, evict, background, idle

        static let neverPostponed: Set = [quit, reset, forget, erase, makePrivate, discardParked]
    }

    /// An app with two windows and one that was closed, and what a call needs besides.
    private struct Scenery {
        let device: SimulatedDevice
        private(set) var app: SceneApplication
        let first: SceneSession.ID
        let second: SceneSession.ID
        let closed: SceneSession.ID

        init(for call: Call? = nil) throws {
            var options = SceneApplicationOptions(manifest: .notes)
            options.persistsInbox = true
            device = try SimulatedDevice(storage: .memory, options: options)
            app = try device.launch { NotesApp() }
            try device.openWindow()
            try device.openWindow()
            let scenes = app.connectedScenes
            let ids = scenes.map(\.identifier)
            (first, second, closed) = (ids[0], ids[1], ids[2])
            for (number, scene) in scenes.enumerated() {
                Self.type("text \(number)", scene)
            }
            app.flushChanges()
            try app.closeWindow(of: closed)
            app.flushChanges()
            switch call {
            case .checkOut:
                device.wait(milliseconds: 3_600_000)
                Self.type("another text", app.scene(for: first))
                app.flushChanges()
            case .idle:
                // A save that was not synced is due to be.
                Self.type("another text", app.scene(for: first))
                app.flushChanges()
                device.clock.now += 660_000
            case .discardParked:
                try device.quit()
                device.options.environmentSupportsMultipleScenes = false
                app = try device.launch { NotesApp() }
            default: break
            }
        }

        static func type(_ text: String, _ scene: Scene?) {
            (scene?.delegate as? NoteScene)?.text = text
            scene?.setNeedsSave()
        }

        func make(_ call: Call) throws {
            switch call {
            case .quit: try app.quit()
            case .reset: try app.reset()
            case .forget: try app.forget(first)
            case .erase: try app.erase()
            case .makePrivate: try app.setPrivacy(.ephemeral, for: second)
            case .discardParked: try app.discardParked()
            case .save:
                Self.type("saved", app.scene(for: first))
                try app.saveState(of: [first])
            case .setTitle: try app.setTitle("a title", for: first)
            case .setUserInfo: try app.setUserInfo(["key": "value"], for: first)
            case .pin: try app.setPinned(true, for: first)
            case .hold: try app.setHeld(true, for: second)
            case .checkOut:
                let generation = try app.history(of: first).last?.generation
                try app.restore(try #require(generation), of: first)
            case .store: app.storage["key"] = "value"
            case .receive: try app.receive(.urls([OpenURLContext(url: "notes://later")]))
            case .open: try device.openWindow()
            case .close: try app.closeWindow(of: first)
            case .reopen: try app.reopen(closed)
            case .evict:
                try app.moveToBackground([first])
                try app.evict(first)
            case .background: try device.moveToBackground()
            case .idle: _ = try app.performIdleWork(budgetMilliseconds: 60_000)
            }
        }

        /// What a store has: each open session with its state, what was closed and what waits.
        static func contents(of store: SceneSessionStore) throws(SceneStoreError) -> [String] {
            var lines: [String] = []
            for record in try store.openRecords().sorted(by: { $0.identifier < $1.identifier }) {
                let session = try store.session(for: record)
                let state = try store.restorationActivity(key: record.key)?.userInfo["text"]
                lines.append(
                    "\(record.identifier) \(record.flags) \(String(describing: session.title)) "
                        + "\(session.userInfo) \(String(describing: state)) "
                        + "\(try store.history.versions(key: record.key).map(\.generation))")
            }
            lines += try store.discards.recentlyClosed().map(\.record.identifier)
            return lines + (try store.inbox.pending().map { "\($0.id)" })
        }
    }

    @Test(
        "L-17 what an app shows once the disk is well again is what comes back",
        arguments: Call.allCases, [FaultDisk.Operation.write, .sync])
    func sweep(_ call: Call, _ operation: FaultDisk.Operation) throws {
        for number in UInt64(1)... {
            let scenery = try Scenery(for: call)
            let (device, app) = (scenery.device, scenery.app)
            let disk = try #require(device.disk)
            let before = try Scenery.contents(of: app.store)
            disk.program = [.init([operation], at: number, effect: .doneButReported)]
            var thrown: SceneStoreError?
            do {
                try scenery.make(call)
            } catch let error as SceneStoreError {
                thrown = error
            }
            guard disk.firedFaults > 0 else {
                #expect(number > 1 || operation == .sync, "\(call) writes nothing")
                return
            }
            disk.program = []
            if call == .quit, thrown == nil {
                continue
            }
            let label: Comment = "\(call), \(operation) \(number), \(String(describing: thrown))"
            if Call.neverPostponed.contains(call), let thrown, thrown.code != .erasurePending {
                #expect(try Scenery.contents(of: app.store) == before, label)
            }
            Scenery.type("later", app.scene(for: scenery.first))
            app.flushChanges()
            _ = try app.performIdleWork(budgetMilliseconds: 60_000)
            try app.reopenStore()
            #expect(app.storeRefusal == nil, label)
            let shown = try Scenery.contents(of: app.store)
            device.kill()
            let stored = try device.readFile { (store) throws(SceneStoreError) in
                try Scenery.contents(of: store)
            }
            #expect(stored == shown, label)
            #expect(try device.launch { NotesApp() }.store.verify(.full).findings.isEmpty, label)
        }
    }

    @Test(
        "L-17 a read that fails once keeps no window from coming back",
        arguments: [FaultDisk.Operation.read, .sharedMemoryLock], [false, true])
    func launches(_ operation: FaultDisk.Operation, _ isKilled: Bool) throws {
        var launches = 0
        for number in UInt64(1)... {
            let scenery = try Scenery()
            let device = scenery.device
            let windows = Set(scenery.app.connectedScenes.map(\.identifier))
            if isKilled { device.kill() } else { try device.quit() }
            let disk = try #require(device.disk)
            disk.program = [.init([operation], at: number, effect: .refused)]
            // An opening that fails is the app's to try again.
            if let app = try? device.launch(delegate: { NotesApp() }) {
                launches += 1
                let shown = Set(app.connectedScenes.map(\.identifier))
                #expect(shown == windows, "\(operation) \(number)")
            }
            guard disk.firedFaults > 0 else {
                #expect(launches > 10)
                return
            }
        }
    }

    @Test("L-17 a reset that is refused while no window is connected takes no payload away")
    func refusedReset() throws {
        let (device, app) = { ($0.device, $0.app) }(try Scenery())
        try app.receive(.urls([OpenURLContext(url: "notes://later")]))
        let payload = try #require(app.inbox.offered.first?.payload)
        try device.moveToBackground()
        for scene in app.connectedScenes {
            try app.evict(scene.identifier)
        }
        try device.refuseWrites(.diskFull)
        #expect(throws: SceneStoreError.self) { try app.reset() }
        try device.acceptWrites()
        _ = try app.performIdleWork()
        #expect(app.inbox.offered.count == 1)
        try app.acknowledge(payload)
        device.kill()
        #expect(try device.launch { NotesApp() }.waitingPayloads().isEmpty)
    }
}
