import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting
import Testing

@Suite("An app can show what is kept without a window")
struct KeptSessionTests {
    private func device() throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .notes)
        try device.launch { NotesApp() }
        try device.openWindow()
        return device
    }

    @Test(
        "L-18 each parked session is listed with its cause, and showing it takes it from the list")
    func parked() throws {
        let device = try device()
        let application = try #require(device.application)
        #expect(try application.returnableWindows().isEmpty)
        let identifiers = application.openSessions.map(\.id)
        try device.quit()
        device.options.environmentSupportsMultipleScenes = false
        let one = try device.relaunch()
        let parked = try one.returnableWindows()
        #expect(parked.flatMap(\.sessions).map(\.id) == Array(identifiers.dropFirst()))
        #expect(parked.map(\.cause) == [.parked(.oneWindow)])
        try device.quit()
        device.options.environmentSupportsMultipleScenes = true
        #expect(try device.relaunch().returnableWindows().isEmpty)
    }

    @Test(
        "L-18 S-50 L-48 L-52 all that can come back is one list, newest first, and comes back from it"
    )
    func returnable() throws {
        let device = try device()
        for _ in 0..<4 {
            try device.openWindow()
        }
        let first = try #require(device.application)
        let ids = first.openSessions.map(\.id).sorted { $0.rawValue < $1.rawValue }
        try first.setHeld(true, for: ids[0])
        try first.moveToBackground([ids[1]])
        device.wait(milliseconds: 1_000)
        try first.closeWindows(of: [ids[2], ids[3]])
        device.wait(milliseconds: 1_000)
        device.kill()
        device.options.launchBehavior = .fresh
        let fresh = try device.launch { NotesApp() }
        let all = try fresh.returnableWindows()
        #expect(
            all.map(\.cause) == [.parked(.leftBehind), .closed, .held]
                || all.map(\.cause) == [.parked(.leftBehind), .closed, .waiting, .held])
        #expect(all.map(\.since) == all.map(\.since).sorted(by: >))
        #expect(all.allSatisfy { !$0.reason.isEmpty })
        #expect(all.flatMap(\.sessions).count == 6)
        for windows in all {
            try fresh.bringBack(windows)
        }
        #expect(fresh.connectedScenes.count == 7)
        #expect(try fresh.returnableWindows().isEmpty)
    }

    @Test(
        "L-52 a window that is shown without its state is listed, and its state comes back from there"
    )
    func withheld() throws {
        let device = try SimulatedDevice(manifest: .notes)
        let running = try device.launch { NotesApp() }
        running.firstNote?.note.text = "mine"
        try running.saveState(of: running.connectedScenes.map(\.identifier))
        try device.crash(restoring: nil)
        let again = try device.launch { NotesApp() }
        let found = try again.returnableWindows()
        #expect(found.map(\.cause) == [.withheld(.crash)])
        try again.bringBack(try #require(found.first))
        #expect(again.firstNote?.note.text == "mine")
        #expect(try again.returnableWindows().isEmpty)
    }

    @Test("L-11 L-16 a session that waits tells what keeps it from coming back by itself")
    func waiting() throws {
        let device = try device()
        let ids = try #require(device.application).openSessions.map(\.id)
        let waiting = { (running: SceneApplication) throws in
            try running.previewNextLaunch().entries.filter { $0.fate == .stays }
        }
        let activation = "; it connects when it is activated"
        let application = try #require(device.application)
        try application.moveToBackground([ids[1]])
        #expect(try waiting(application).map(\.session) == [ids[1]])
        #expect(try waiting(application).map(\.reason) == ["it was not in front" + activation])
        try device.quit()
        device.options.reconnection = .first(1)
        let first = try waiting(try device.relaunch())
        #expect(first.map(\.session) == [ids[1]])
        #expect(
            first.map(\.reason) == ["it is not among the 1 that were active last" + activation])
        try device.quit()
        for behavior in [SceneApplicationOptions.LaunchBehavior.fresh, .none, .safe] {
            device.options.launchBehavior = behavior
            let all = try waiting(try device.relaunch())
            #expect(all.count >= 2)
            // Neither would another launch bring back what the first of the three left behind.
            let left = "a process that began with a window of its own left it behind" + activation
            #expect(
                Set(all.map(\.reason)).subtracting([left])
                    == ["the launch brings no window back" + activation])
            try device.quit()
        }
    }

    @Test("L-18 L-52 in an app of one window a held session comes back in place of its stand-in")
    func heldInOneWindow() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.environmentSupportsMultipleScenes = false
        let first = try device.launch { NotesApp() }
        let held = try #require(first.openSessions.first?.id)
        try first.setHeld(true, for: held)
        try device.quit()
        let second = try device.relaunch()
        let standIn = try #require(second.connectedScenes.first?.session.id)
        let found = try second.returnableWindows()
        #expect(found.map(\.cause) == [.held])
        try second.bringBack(try #require(found.first))
        #expect(second.connectedScenes.map(\.session.id) == [held])
        #expect(try second.returnableWindows().flatMap(\.sessions).map(\.id) == [standIn])
    }

    @Test("L-48 S-70 a window that is not remembered leaves no others behind")
    func privateWindow() throws {
        let device = try device()
        try device.quit()
        device.options.launchBehavior = .none
        let running = try device.launch { NotesApp() }
        try device.openWindow(privacy: .ephemeral)
        #expect(try running.returnableWindows().map(\.cause) == [.waiting, .waiting])
        try device.openWindow()
        #expect(try running.returnableWindows().map(\.cause) == [.parked(.leftBehind)])
    }

    @Test("L-48 L-11 a quit that fails in a logout takes no window from the front")
    func failedQuitInLogout() throws {
        let device = try device()
        let running = try #require(device.application)
        try running.beginTeardown()
        running.firstNote?.note.text = "unsaved"
        try device.refuseWrites(.diskFull)
        #expect(throws: SceneStoreError.self) { try running.quit() }
        try device.repairDisk()
        try device.acceptWrites()
        try running.endTeardown()
        try device.quit()
        #expect(try device.relaunch().connectedScenes.count == 2)
    }

    @Test("L-48 L-11 a logout that is called off leaves the mark of a window that waited behind")
    func waitedBehindInLogout() throws {
        let device = try device()
        try device.quit()
        device.options.reconnection = .first(1)
        let running = try device.relaunch()
        #expect(try running.connectNextSession() != nil)
        try running.beginTeardown()
        try running.endTeardown()
        device.kill()
        device.options.reconnection = .foreground
        #expect(try device.relaunch().connectedScenes.count == 2)
    }

    @Test("L-52 L-18 in an app of one window, a session comes back from the list with its state")
    func withheldInOneWindow() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.environmentSupportsMultipleScenes = false
        let first = try device.launch { NotesApp() }
        first.firstNote?.note.text = "mine"
        try first.saveState(of: first.connectedScenes.map(\.identifier))
        try device.crash(restoring: nil)
        device.options.launchBehavior = .none
        let second = try device.launch { NotesApp() }
        try second.bringBack(try #require(second.returnableWindows().first))
        #expect(second.firstNote?.note.text == "mine")
        #expect(second.connectedScenes.first?.session.withheldState == nil)
    }

    @Test("L-12 S-50 L-48 in an app of one window, each window of a group comes back by itself")
    func groupInOneWindow() throws {
        let device = try device()
        let closed = try #require(device.application?.connectedScenes.map(\.session.id))
        try device.application?.closeWindows(of: closed)
        try device.quit()
        device.options.environmentSupportsMultipleScenes = false
        let one = try device.relaunch()
        let returnable = try one.returnableWindows()
        #expect(returnable.map { $0.sessions.map(\.id) } == closed.map { [$0] })
        for windows in returnable {
            try one.bringBack(windows)
            #expect(one.connectedScenes.map(\.session.id) == windows.sessions.map(\.id))
        }
    }

    @Test("L-48 in an app of one window, a group of different roles comes back together")
    func rolesInOneWindow() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.environmentSupportsMultipleScenes = false
        let application = try device.launch { NotesApp() }
        application.requestSceneSessionActivation(.init(role: .windowExternalDisplay))
        let closed = application.connectedScenes.map(\.session.id)
        #expect(closed.count == 2)
        try application.closeWindows(of: closed)
        let returnable = try application.returnableWindows()
        #expect(returnable.map { $0.sessions.count } == [2])
        try application.bringBack(try #require(returnable.first))
        #expect(Set(application.connectedScenes.map(\.session.id)) == Set(closed))
    }

    @Test("L-52 a session that the app holds stays without a window until it is released")
    func held() throws {
        let device = try device()
        let application = try #require(device.application)
        let ids = application.openSessions.map(\.id)
        #expect(throws: SceneStoreError(.requestDenied, "")) {
            try application.setHeld(true, for: "nobody")
        }
        try application.setHeld(true, for: ids[1])
        #expect(application.connectedScenes.count == 2)
        let preview = try application.previewNextLaunch()
        #expect(preview.entries.first { $0.session == ids[1] }?.fate == .held)
        try device.quit()
        let again = try device.relaunch()
        #expect(again.connectedScenes.map(\.session.id) == [ids[0]])
        #expect(again.openSessions.count == 2)
        try again.setHeld(false, for: ids[1])
        try device.quit()
        #expect(try device.relaunch().connectedScenes.count == 2)
    }

    @Test("L-52 a held session that is activated tells that its state is withheld, and why")
    func heldAndActivated() throws {
        let device = try device()
        let application = try #require(device.application)
        let id = application.openSessions.map(\.id)[0]
        application.firstNote?.note.text = "mine"
        try device.quit()
        let held = try device.relaunch()
        try held.setHeld(true, for: id)
        try device.quit()
        let again = try device.relaunch()
        again.requestSceneSessionActivation(.init(session: id))
        let scene = try #require(again.connectedScenes.first { $0.session.id == id })
        #expect(scene.session.restoration == .held)
        #expect(scene.session.withheldState == .held)
        #expect(again.openSessions.first { $0.id == id }?.withheldState == .held)
        let decision = try again.decisions(about: id).first { $0.kind == .restoration }
        #expect(decision?.reason == "it is held by hand")
        try again.setHeld(false, for: id)
        #expect(again.openSessions.first { $0.id == id }?.withheldState == nil)
        // It shows the state again, and doesn't save what it showed instead over it.
        #expect((scene.delegate as? NoteScene)?.text == "mine")
        #expect(scene.session.withheldState == nil)
        try device.quit()
        let later = try device.relaunch()
        #expect((later.scene(for: id)?.delegate as? NoteScene)?.text == "mine")
    }

    /// Saves a text in the window in front, of which a process then dies; answers the app that runs
    /// without that state, and the window.
    private func withheld(
        _ text: String, on device: SimulatedDevice
    ) throws -> (SceneApplication, SceneSession.ID) {
        let id = try #require(device.application?.connectedScenes.first?.session.id)
        device.application?.firstNote?.note.text = text
        try device.moveToBackground()
        try device.crash(restoring: id)
        return (try device.launch { NotesApp() }, id)
    }

    @Test("L-52 what was saved after a state was withheld stays when its window is released")
    func releasedAfterSaving() throws {
        let device = try device()
        let (again, id) = try withheld("deadly", on: device)
        let scene = try #require(again.scene(for: id))
        let note = try #require(scene.delegate as? NoteScene)
        #expect(scene.session.withheldState == .crash)
        note.text = "newer"
        try again.saveState(of: [scene.identifier])
        try again.setHeld(true, for: id)
        try again.setHeld(false, for: id)
        #expect(note.text == "newer")
        try device.quit()
        let later = try device.relaunch()
        #expect((later.scene(for: id)?.delegate as? NoteScene)?.text == "newer")
    }

    @Test("L-52 S-44 a state that is offered again is no earlier one, and comes back on release")
    func releasedWhenStable() throws {
        let device = try device()
        let (again, id) = try withheld("mine", on: device)
        device.wait(milliseconds: 10_000)
        let record = try #require(try again.store.record(identifier: id.rawValue))
        let plan = try LaunchPlan(
            reading: again.store, options: again.options, isRunning: true)
        #expect(!plan.verdict(for: record).hasWithheldEarlier(record))
        try again.setHeld(false, for: id)
        #expect((again.scene(for: id)?.delegate as? NoteScene)?.text == "mine")
    }

    @Test("L-52 L-48 what was saved after a state was withheld stays when its window comes back")
    func broughtBackAfterSaving() throws {
        let device = try device()
        let (again, id) = try withheld("deadly", on: device)
        (again.scene(for: id)?.delegate as? NoteScene)?.text = "newer"
        try again.saveState(of: [id])
        let earlier = try #require(again.returnableWindows().first)
        #expect(earlier.cause == .withheld(.crash))
        #expect(earlier.reason == "an earlier state is withheld")
        try again.setHeld(true, for: id)
        try device.quit()
        let later = try device.relaunch()
        let held = try #require(later.returnableWindows().first { $0.cause == .held })
        try later.bringBack(held)
        let note = try #require(later.scene(for: id)?.delegate as? NoteScene)
        #expect(note.text == "newer")
        try later.bringBack(earlier)
        #expect(note.text == "deadly")
    }

    @Test("L-48 in an app of one window, a group comes back without a role that the app lost")
    func lostRoleInOneWindow() throws {
        var manifest = SceneManifest.notes
        var projector = SceneConfiguration(name: "Projector", role: .windowExternalDisplay)
        projector.resolution = .manifest
        manifest.configurations[.windowExternalDisplay] = [projector]
        let device = try SimulatedDevice(manifest: manifest)
        device.options.environmentSupportsMultipleScenes = false
        let app = NotesApp()
        app.makeConfiguration = {
            SceneConfiguration(
                name: $0.role == .windowApplication ? "Editor" : "Projector", role: $0.role)
        }
        let application = try device.launch { app }
        let window = try #require(application.connectedScenes.first?.session.id)
        application.requestSceneSessionActivation(.init(role: .windowExternalDisplay))
        try application.closeWindows(of: application.connectedScenes.map(\.session.id))
        try device.quit()
        device.options.manifest = .notes
        let one = try device.relaunch()
        for windows in try one.returnableWindows() where windows.sessions.map(\.id) == [window] {
            try one.bringBack(windows)
        }
        #expect(one.connectedScenes.map(\.session.id) == [window])
    }

    @Test("L-76 of what was closed and what was parked, each has its own reason to come back")
    func reasonsOfMixedReopening() throws {
        let device = try device()
        let application = try #require(device.application)
        let ids = application.connectedScenes.map(\.session.id)
        try application.closeWindow(of: ids[0])
        try device.quit(keepingWindows: false)
        let again = try device.launch { NotesApp() }
        try again.reopen(sessions: ids)
        let reasons = try ids.map { id in
            try again.decisions(about: id).first { $0.outcome == "reopened" }?.reason
        }
        #expect(
            reasons == [
                "the closing of its window was undone",
                "it was kept without a window, and asked for",
            ])
    }

    @Test("L-52 L-51 releasing a session that is not held gives nothing back")
    func releasedUnheld() throws {
        let device = try device()
        try device.moveToBackground()
        try device.quit()
        let app = NotesApp()
        app.allowsRestoring = { _ in false }
        let again = try device.launch { app }
        let scene = try #require(again.connectedScenes.first)
        try again.setHeld(false, for: scene.identifier)
        #expect(scene.session.withheldState == .declined)
        #expect(!app.calls.contains("restore"))
    }

    @Test("L-76 an app reads why its windows came back, of one session or of all")
    func decisions() throws {
        let device = try device()
        try device.quit()
        let application = try device.relaunch()
        let ids = application.openSessions.map(\.id)
        let all = try application.decisions()
        #expect(all.contains { $0.kind == .launchReason && $0.outcome == "launch" })
        let one = try application.decisions(about: ids[0])
        #expect(one.contains { $0.kind == .reconnect && !$0.reason.isEmpty })
        #expect(one.allSatisfy { $0.sessionIdentifier == ids[0] })
        #expect(one.count < all.count)
        #expect(try application.decisions(limit: 0).isEmpty)
    }
}
