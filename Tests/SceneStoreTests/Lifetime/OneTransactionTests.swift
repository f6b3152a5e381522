import Testing

import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import enum SceneStoreSQLite.ContainerName
@testable import SceneStoreTesting

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One decision is one transaction.
@Suite("Decisions and transactions")
struct OneTransactionTests {
    /// An app that looks at its store when its first callback comes.
    final class WatchingApp: SceneApplicationDelegate {
        var atFirstCallback: (transactions: Int, records: [SessionRecord])?

        func application(
            _ application: SceneApplication,
            willFinishLaunchingWithOptions options: LaunchOptions
        ) -> Bool {
            atFirstCallback = (
                application.store.counters.transactions,
                (try? Array(application.store.openRecords())) ?? []
            )
            return true
        }
    }

    private func deviceAfterUpdate(
        windows: Int, renames: [String: String]
    ) throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .notes)
        try device.launch { NotesApp() }
        for _ in 1..<windows {
            try device.openWindow()
        }
        try device.quit()
        device.options.manifest = .windows("Writer")
        device.options.configurationRenames = renames
        return device
    }

    @Test("L-50 a launch after an update is one transaction, and what was remembered stays")
    func updateIsOneTransaction() throws {
        for renames in [[:], ["Editor": "Writer"]] {
            let device = try deviceAfterUpdate(windows: 5, renames: renames)
            let app = WatchingApp()
            try device.launch { app }
            let seen = try #require(app.atFirstCallback)
            #expect(seen.transactions == 1)
            #expect(seen.records.count == 5)
            #expect(seen.records.allSatisfy { $0.configuration.name == "Editor" })
        }
    }

    @Test("L-50 what a session took over in a stable launch survives a power cut")
    func adoptionSurvivesPowerCut() throws {
        let device = try deviceAfterUpdate(windows: 1, renames: ["Editor": "Writer"])
        let running = try device.launch { NotesApp() }
        device.wait(milliseconds: 10_000)
        // Nothing waits for the disk when the equal state is saved.
        try running.saveState(of: running.connectedScenes.map(\.session.id))
        try running.saveState(of: running.connectedScenes.map(\.session.id))
        try device.cutPower(mode: .loseAll)
        device.options.manifest = .windows("Viewer", "Writer")
        device.options.configurationRenames = [:]
        let after = try device.launch { NotesApp() }
        #expect(after.connectedScenes.map(\.session.configuration.name) == ["Writer"])
        #expect(after.connectedScenes.allSatisfy { $0.session.withheldState == nil })
    }

    @Test(
        "L-50 L-52 what a session saved under is its own when a stable launch died without timers",
        arguments: [Int64(9_999), 10_000])
    func adoptionAfterDeath(lived: Int64) throws {
        let device = try deviceAfterUpdate(windows: 3, renames: ["Editor": "Writer"])
        device.hasTimers = false
        let saving = try device.launch { NotesApp() }
        let saved = saving.connectedScenes.prefix(2).map(\.session.id)
        for scene in saving.connectedScenes.prefix(2) {
            (scene.delegate as? NoteScene)?.text = "saved under Writer"
        }
        try saving.saveState(of: saved)
        device.kill()
        device.wait(milliseconds: lived)
        device.options.manifest = .windows("Viewer", "Writer")
        device.options.configurationRenames = [:]
        let isKept = lived == 10_000
        let plan = try device.read { store throws(SceneStoreError) in
            try LaunchPlan(reading: store, options: device.options)
        }
        let app = WatchingApp()
        try device.launch { app }
        #expect(app.atFirstCallback?.transactions == 1)
        for record in app.atFirstCallback?.records ?? [] {
            let isAdopted = isKept && saved.contains(record.id)
            #expect(record.configuration.name == (isAdopted ? "Writer" : "Editor"))
            let shown = isAdopted ? "Writer" : "Viewer"
            #expect(plan.verdict(for: record).configuration.name == shown)
            let scene = device.application?.scene(for: record.id)
            #expect(scene?.session.configuration.name == shown)
        }
    }

    @Test("L-50 L-52 a power cut takes nothing back of a launch that was stable")
    func powerCutAfterStableLaunch() throws {
        for seed in 0..<50 {
            let device = try deviceAfterUpdate(windows: 2, renames: ["Editor": "Writer"])
            device.hasTimers = seed.isMultiple(of: 2)
            let saving = try device.launch { NotesApp() }
            for scene in saving.connectedScenes {
                (scene.delegate as? NoteScene)?.text = "saved under Writer"
            }
            try device.moveToBackground()
            device.wait(milliseconds: 40_000)
            if !device.hasTimers {
                try saving.moveToForeground(saving.connectedScenes.map(\.session.id))
            }
            try device.cutPower(seed: UInt64(seed))
            device.options.manifest = .windows("Viewer", "Writer")
            device.options.configurationRenames = [:]
            let relaunched = try device.launch { NotesApp() }
            for session in relaunched.openSessions {
                #expect(session.configuration.name == "Writer", "power cut \(seed)")
            }
            for scene in relaunched.connectedScenes {
                #expect((scene.delegate as? NoteScene)?.text == "saved under Writer")
            }
        }
    }

    @Test("L-52 a power cut after a stable launch brings no blame back", arguments: [0, 11_000])
    func powerCutAfterRestoring(_ lived: Int64) throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.hasTimers = false
        try device.launch { NotesApp() }
        try device.moveToBackground()
        device.kill()
        let app = NotesApp()
        app.onConnect = { try? $0.extendStateRestoration() }
        let running = try device.launch { app }
        let scene = try #require(running.firstNote).scene
        // That it restores is on the disk; that it restores no more is not.
        (scene.delegate as? NoteScene)?.text = "more"
        try device.moveToBackground()
        try scene.completeStateRestoration()
        device.wait(milliseconds: lived)
        try running.moveToForeground([scene.identifier])
        try device.cutPower(mode: .loseAll)
        let next = try device.launch { NotesApp() }
        #expect(
            next.connectedScenes.map(\.session.restoration)
                == [lived == 0 ? .withheld : .available])
    }

    @Test("L-44 a session that is not to be remembered is stored so at once")
    func notRememberedAtOnce() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.unrememberedConfigurations = ["Viewer"]
        let app = NotesApp()
        let running = try device.launch { app }
        app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
        let before = running.store.counters.transactions
        var after = 0
        app.onConnect = { _ in after = running.store.counters.transactions }
        try device.openWindow()
        #expect(after == before + 1)
    }

    @Test(
        "S-50 L-12 a window is reopened in one transaction, and used again in another",
        arguments: [2, 5])
    func reopening(windows: Int) throws {
        let device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
        let running = try device.launch { NotesApp() }
        for _ in 1..<windows {
            try device.openWindow()
        }
        let (scene, note) = try #require(running.firstNote)
        note.text = "kept"
        let window = scene.identifier
        try running.saveState(of: [window])
        try running.closeWindow(of: window)
        let before = running.store.counters.transactions
        try running.reopen(window)
        #expect(running.store.counters.transactions == before + 2)
        let record = try #require(try running.store.record(identifier: window))
        #expect(record.isFront && !record.flags.contains(.reopened))
        #expect((running.scene(for: window)?.delegate as? NoteScene)?.text == "kept")
    }

    @Test("L-12 L-48 a window whose process dies before it is used again stays reopened")
    func killedBeforeUse() throws {
        let device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
        device.options.reconnection = .first(1)
        let app = NotesApp()
        let running = try device.launch { app }
        let window = try #require(running.connectedScenes.first).session.id
        try device.openWindow()
        running.requestSceneSessionDestruction(window)
        app.onConnect = { _ in device.kill() }
        try? running.reopen(window)
        #expect(device.application == nil)
        // It wasn't used last, and comes back; then its use counts.
        var again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.count == 2)
        #expect(again.scene(for: window) != nil)
        let other = try #require(again.connectedScenes.first { $0.session.id != window })
        again.requestSceneSessionActivation(.init(session: other.session.id))
        device.kill()
        again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.map(\.session.id) == [other.session.id])
    }

    @Test("L-12 of two windows that are reopened within each other the later one returns")
    func reopenedWithinReopening() throws {
        let device = try SimulatedDevice(manifest: .windows("Editor"))
        device.options.environmentSupportsMultipleScenes = false
        let app = NotesApp()
        let running = try device.launch { app }
        var closed: [SceneSession.ID] = []
        for _ in 0..<2 {
            let window = try #require(running.connectedScenes.first).session.id
            closed.append(window)
            running.requestSceneSessionDestruction(window)
            running.requestSceneSessionActivation(.init(role: .windowApplication))
        }
        // The one that was used later is given back first; the process dies before either is used.
        app.onConnect = { scene in
            if scene.session.id == closed[1] {
                try? running.reopen(closed[0])
            } else {
                device.kill()
            }
        }
        try? running.reopen(closed[1])
        #expect(device.application == nil)
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.map(\.session.id) == [closed[0]])
    }

    @Test("L-12 L-44 a window that isn't remembered, closed and reopened, stops no launch")
    func reopenedUnremembered() throws {
        let device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
        let running = try device.launch { NotesApp() }
        let known = Set(running.connectedScenes.map(\.session.id))
        try device.openWindow()
        let window = try #require(
            running.connectedScenes.map(\.session.id).first { !known.contains($0) })
        try running.setRestorationEnabled(false, for: window)
        running.requestSceneSessionDestruction(window)
        try device.quit()
        var options = SceneSessionStore.Options.seeded()
        options.access = .editor
        let store = try SceneSessionStore.open(
            at: .directory(device.containerPath), options: options)
        _ = try store.discards.reopen(identifiers: [window], inFront: true)
        try store.close()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.count == 1)
        #expect(!again.openSessions.contains { $0.id == window })
    }

    @Test(
        "L-52 each window is named before its callbacks, and no launch makes a commit a window",
        arguments: [3, 40])
    func relaunchOfMany(windows: Int) throws {
        let device = try SimulatedDevice.afterQuitting(windows: windows)
        let app = NotesApp()
        var named: [Bool] = []
        app.onConnect = { scene in
            let lock = FileManager.default.contents(
                atPath: device.containerPath + "/" + ContainerName.lock)
            named.append(
                String(decoding: lock ?? Data(), as: UTF8.self).contains("restoring \(scene.key) "))
        }
        let running = try device.launch { app }
        #expect(running.connectedScenes.count == windows)
        #expect(named == Array(repeating: true, count: windows))
        // The owner's mark, the launch with its decisions and the windows behind, and the ledger.
        #expect(running.store.counters.transactions <= 3)
        let decisions = try running.store.journal.events(limit: 10_000).count {
            $0.launch == 2 && $0.kind.rawValue == DecisionRecord.Kind.restoration.rawValue
        }
        #expect(decisions == windows)
    }

    @Test("L-76 of a launch that dies every decision of its plan is stored")
    func decisionsOfDeadLaunch() throws {
        let device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
        device.options.reconnection = .all
        try device.launch { NotesApp() }
        for _ in 1..<20 {
            try device.openWindow()
        }
        try device.moveToBackground()
        try device.quit()
        // Of the launches 2 and 4 the order is taken; 3 and 5 die.
        for (launch, index) in [(3, 0), (5, 11)] {
            var order: [SceneSession.ID] = []
            let app = NotesApp()
            app.onConnect = { order.append($0.session.id) }
            try device.launch { app }
            try device.quit()
            try device.crash(restoring: order[index])
            var options = SceneSessionStore.Options.seeded()
            options.access = .reader
            let store = try SceneSessionStore.open(
                at: .directory(device.containerPath), options: options)
            let count = try store.journal.events(limit: 10_000).count {
                $0.launch == launch
                    && $0.kind.rawValue == DecisionRecord.Kind.restoration.rawValue
            }
            try store.close()
            #expect(count == 20)
        }
    }

    @Test("L-41 two sessions whose identifiers differ in bytes alone are two")
    func canonicallyEqualIdentifiers() throws {
        let device = try SimulatedDevice(manifest: .notes)
        let names = ["caf\u{e9}", "cafe\u{301}"]
        let store = try SceneSessionStore.open(at: .memory)
        for name in names {
            var configuration = SceneConfiguration(name: "Editor", role: .windowApplication)
            configuration.resolution = .manifest
            _ = try store.insertSession(
                identifier: name, configuration: configuration, isFront: true,
                becameActive: true)
        }
        let app = NotesApp()
        let running = SceneApplication(
            store: store, delegate: app, options: device.options)
        try running.launch()
        #expect(running.connectedScenes.count == 2)
        for name in names {
            let scene = try #require(running.scene(for: SceneSession.ID(name)))
            #expect(scene.session.id.rawValue.utf8.elementsEqual(name.utf8))
            (scene.delegate as? NoteScene)?.text = "\(name.utf8.count)"
        }
        try running.saveState(of: names.map { SceneSession.ID($0) })
        for name in names {
            let stored = try #require(try running.session(for: SceneSession.ID(name)))
            #expect(
                stored.stateRestorationActivity?.userInfo["text"]
                    == .string("\(name.utf8.count)"))
        }
    }
}
