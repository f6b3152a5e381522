import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// What an app keeps of a window's history.
@Suite("Pinned and withheld states")
struct PinnedStateTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
    }

    private func code(_ body: () throws -> Void) -> SceneStoreError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? SceneStoreError)?.code
        }
    }

    /// Saves texts one after the other.
    private func save(_ texts: [String], _ identifier: SceneSession.ID) throws {
        for text in texts {
            device.application?.firstNote?.note.text = text
            try device.application?.saveState(of: [identifier])
            device.wait(milliseconds: 3_600_000)
        }
    }

    private func text(_ identifier: SceneSession.ID) throws -> Value? {
        try device.application?.session(for: identifier)?.stateRestorationActivity?.userInfo["text"]
    }

    /// The pinned states of a session.
    private func pins(
        _ running: SceneApplication, of identifier: SceneSession.ID
    ) throws -> [StateVersion] {
        try running.history(of: identifier).filter(\.isPinned)
    }

    @Test("S-51 what an app pins stays over launches, and can be restored")
    func pins() throws {
        var running = try device.launch { NotesApp() }
        let identifier = try #require(running.connectedScenes.first).identifier
        try save(["kept", "kept too"], identifier)
        let history = try running.history(of: identifier)
        let generations = [history[1].generation, history[0].generation]
        for generation in generations {
            try running.pin(generation, of: identifier)
        }
        try save((0..<300).map { "later \($0)" }, identifier)
        try device.quit()
        running = try device.launch { NotesApp() }
        #expect(try pins(running, of: identifier).map(\.generation) == generations.reversed())
        try running.restore(generations[0], of: identifier)
        #expect(try text(identifier) == "kept")
        // Restored or not, it stays pinned until it is unpinned.
        #expect(try pins(running, of: identifier).count == 2)
        try running.unpin(generations[0], of: identifier)
        #expect(try pins(running, of: identifier).map(\.generation) == [generations[1]])
    }

    @Test("S-51 an app is told by code what it can't pin")
    func refusals() throws {
        let running = try device.launch { NotesApp() }
        let identifier = try #require(running.connectedScenes.first).identifier
        try save((0..<17).map { "state \($0)" }, identifier)
        var generations: [Int64] = []
        for number in 0..<17 {
            try save(["again \(number)"], identifier)
            let newest = try #require(try running.history(of: identifier).first).generation
            generations.append(newest)
            guard number < 16 else { continue }
            try running.pin(newest, of: identifier)
            #expect(code { try running.pin(newest, of: identifier) } == .alreadyPinned)
        }
        #expect(code { try running.pin(generations[16], of: identifier) } == .limitExceeded)
        #expect(code { try running.unpin(generations[16], of: identifier) } == .notPinned)
        #expect(code { try running.pin(99_999, of: identifier) } == .noSuchState)
        #expect(code { try running.unpin(99_999, of: identifier) } == .noSuchState)
        for unknown: SceneSession.ID in ["nobody", ""] {
            #expect(code { try running.pin(1, of: unknown) } == .requestDenied)
            #expect(code { try running.unpin(1, of: unknown) } == .requestDenied)
            #expect(code { _ = try running.history(of: unknown) } == .requestDenied)
            #expect(code { _ = try running.withheldStates(of: unknown) } == .requestDenied)
        }
        #expect(try pins(running, of: identifier).count == 16)
    }

    @Test("L-52 L-55 an app chooses among withheld states; by default the last one comes back")
    func choosing() throws {
        try device.launch { NotesApp() }
        let identifier = try #require(device.application?.connectedScenes.first).identifier
        try save(["mine"], identifier)
        try device.quit()
        // An update that can't read it, whose own state the next one can't read.
        for number in 0..<2 {
            let app = ClosingTests.FailingApp()
            let running = try device.launch { app }
            app.scene.fails = false
            app.scene.text = "bad \(number)"
            try running.saveState(of: [identifier])
            try device.quit()
        }
        let app = ClosingTests.FailingApp()
        let running = try device.launch { app }
        app.scene.fails = false
        let withheld = try running.withheldStates(of: identifier)
        #expect(withheld.count == 3)
        #expect(withheld.map(\.isWithheld) == [true, true, true])
        #expect(
            code {
                try running.restoreWithheldState(for: identifier, generation: 99_999)
            } == .noSuchState)
        let oldest = try #require(withheld.last).generation
        try running.restoreWithheldState(for: identifier, generation: oldest)
        #expect(try text(identifier) == "mine")
        #expect(
            try running.withheldStates(of: identifier).map(\.generation)
                == withheld.dropLast().map(\.generation))
        try running.restoreWithheldState(for: identifier)
        #expect(try text(identifier) == "bad 1")
        #expect(try running.withheldStates(of: identifier).count == 1)
    }
}
