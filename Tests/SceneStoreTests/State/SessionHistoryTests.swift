import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@Suite("The history belongs to the app")
struct SessionHistoryTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
        try device.launch { NotesApp() }
    }

    private var note: NoteScene { get throws { try device.sceneDelegate() } }
    private var application: SceneApplication { get throws { try #require(device.application) } }
    private var id: SceneSession.ID { get throws { try #require(device.frontScene).session.id } }

    private func save(_ text: String) throws {
        try note.text = text
        try application.saveState(of: [id])
        device.wait(milliseconds: 1_000)
    }

    @Test("S-25 each saved state can be read, newest first")
    func reading() throws {
        try save("one")
        try save("two")
        let history = try application.history(of: id)
        #expect(history.count == 2)
        #expect(history.first?.isCurrent == true)
        let texts = try history.map {
            try application.state(at: $0.generation, of: id).userInfo["text"]?.stringValue
        }
        #expect(texts == ["two", "one"])
        #expect(throws: SceneStoreError(.noSuchState, "")) { try application.state(at: -1, of: id) }
        #expect(throws: SceneStoreError(.requestDenied, "")) {
            try application.history(of: SceneSession.ID("nobody"))
        }
    }

    @Test("S-25 restoring an earlier state hands it over, and loses neither of the others")
    func restoring() throws {
        try save("one")
        try save("two")
        try note.text = "three, not saved yet"
        let history = try application.history(of: id)
        try application.restore(try #require(history.last).generation, of: id)
        #expect(try note.text == "one")
        let texts = try application.history(of: id).map {
            try application.state(at: $0.generation, of: id).userInfo["text"]?.stringValue
        }
        #expect(Set(texts) == ["one", "two", "three, not saved yet"])
        try device.relaunch()
        #expect(try note.text == "one")
    }

    @Test("S-25 the oldest state of a full history comes back, though what is shown is saved first")
    func oldest() throws {
        for number in 1...10 {
            try save("state \(number)")
        }
        try note.text = "not saved yet"
        let history = try application.history(of: id)
        #expect(history.count == 10)
        try application.restore(try #require(history.last).generation, of: id)
        #expect(try note.text == "state 1")
        try device.relaunch()
        #expect(try note.text == "state 1")
    }

    @Test("S-21 what can't be saved now is not replaced by an earlier state")
    func fullDisk() throws {
        try save("one")
        try save("two")
        let history = try application.history(of: id)
        try note.text = "three"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) {
            try application.restore(try #require(history.last).generation, of: id)
        }
        #expect(try note.text == "three")
        try device.repairDisk()
    }

    @Test("S-40 the ledger and the plan of the next launch are the app's to show")
    func ledgerAndPlan() throws {
        try save("one")
        try device.openWindow()
        try device.moveToBackground()
        let preview = try application.previewNextLaunch()
        #expect(preview.reason == .launch)
        #expect(preview.entries.count == 2)
        #expect(
            preview.entries.contains { $0.session == (try? id) && $0.restoration == .available })
        try device.quit()
        try device.relaunch()
        #expect(try application.launchLedger.expected == 2)
        #expect(try application.launchLedger.summary.contains(" of 2 windows "))
    }

    @Test("S-40 the ledger says in one line what is missing, and why")
    func ledgerInOneLine() throws {
        for _ in 0..<2 {
            try device.openWindow()
        }
        let sessions = try application.openSessions.map(\.id)
        try device.moveToBackground()
        try application.setHeld(true, for: sessions[2])
        device.options.reconnection = .all
        try device.crash(restoring: sessions[1])
        try device.relaunch()
        #expect(
            try application.launchLedger.summary
                == "1 of 3 windows is back, 1 is held, because it is held by hand, "
                + "1 is withheld, because a process died while it restored this state")
        let decided = try application.decisions().map(\.reason)
        for entry in try application.launchLedger.exceptions {
            #expect(decided.contains(entry.reason))
        }
    }

    @Test("S-40 the ledger's line gives each reason once, and counts those without one")
    func ledgerReasons() {
        func entry(_ outcome: LaunchOutcome, _ reason: String) -> LaunchLedger.Entry {
            .init(sessionIdentifier: "A", outcome: outcome, reason: reason)
        }
        var ledger = LaunchLedger(counts: [.restored: 3])
        #expect(ledger.summary == "3 of 3 windows are back")
        ledger.counts[.withheld] = 2
        ledger.counts[.evicted] = 1
        ledger.exceptions = [entry(.withheld, "it broke"), entry(.withheld, "it broke")]
        let begin = "3 of 6 windows are back, 2 are withheld, because it broke"
        #expect(ledger.summary == begin + ", 1 is evicted")
        ledger.exceptions += ["it is old", "it is new", "it is red"].map { entry(.withheld, $0) }
        #expect(
            ledger.summary == begin + ", because it is old and for other reasons, 1 is evicted")
    }
}
