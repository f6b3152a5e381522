import SceneStore
import SceneStoreTesting
import Testing

/// A note as the app's versions knew it.
private struct NoteStateV1: Codable, Equatable {
    var body: String
}

private struct NoteStateV2: Codable, Equatable {
    var text: String
}

/// What the app that runs makes of stored notes: the tests play several versions of one app.
private enum Released {
    struct One: SavedState, Equatable {
        static let activityType = "com.example.note"
        var body = ""
    }

    struct Three: SavedState, Equatable {
        static let activityType = "com.example.note"
        static let version = 3
        static let migrations: [StateMigration] = [
            .from(1, NoteStateV1.self) { NoteStateV2(text: $0.body) },
            .from(2, .add("cursor", 0)),
        ]
        var text = "", cursor = 0
    }

    /// The author forgot the migration from version 2.
    struct Four: SavedState, Equatable {
        static let activityType = "com.example.note"
        static let version = 4
        static let migrations: [StateMigration] = [.from(3, .drop("cursor"))]
        var text = ""
    }
}

private final class TypedScene<State: SavedState & Equatable>: StatefulSceneDelegate {
    var state: State
    var refusal: SceneStoreError?

    init(_ state: State) { self.state = state }

    func scene(_ scene: Scene, couldNotRestore error: SceneStoreError) { refusal = error }
}

private final class TypedApp<State: SavedState & Equatable>: SceneApplicationDelegate {
    let state: State
    init(_ state: State) { self.state = state }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { TypedScene(state) }
}

@Suite("Typed, versioned state")
struct SavedStateTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .windows("Note"))
    }

    /// Version 1 saved "draft".
    private func saveOne() throws {
        try device.launch { TypedApp(Released.One()) }
        try device.sceneDelegate(TypedScene<Released.One>.self).state.body = "draft"
        try device.moveToBackground()
        device.kill()
    }

    var session: SceneSession {
        get throws { try #require(device.frontScene).session }
    }

    @Test("L-54 a state of the same version comes back as it was")
    func sameVersion() throws {
        try saveOne()
        try device.relaunch()
        let note = try device.sceneDelegate(TypedScene<Released.One>.self)
        #expect(note.state == Released.One(body: "draft"))
    }

    @Test("L-54 an older state is migrated step by step, and its bytes stay until the next save")
    func migrated() throws {
        try saveOne()
        try device.launch { TypedApp(Released.Three()) }
        let note = try device.sceneDelegate(TypedScene<Released.Three>.self)
        #expect(note.state == Released.Three(text: "draft", cursor: 0))
        let stored = try #require(try session.stateRestorationActivity)
        #expect(stored.stateVersion == 1)
        #expect(stored.userInfo == ["body": "draft"])
        // The older app still finds what it saved.
        device.kill()
        try device.launch { TypedApp(Released.One()) }
        #expect(try device.sceneDelegate(TypedScene<Released.One>.self).state.body == "draft")
        device.kill()
        try device.launch { TypedApp(Released.Three()) }
        try device.moveToBackground()
        let saved = try #require(
            try device.application?.session(for: session.persistentIdentifier))
        #expect(saved.stateRestorationActivity?.stateVersion == 3)
    }

    /// The app of version 3 saves so many different states.
    private func saveThree(count: Int) throws {
        try device.launch { TypedApp(Released.Three()) }
        for number in 0..<count {
            try device.sceneDelegate(TypedScene<Released.Three>.self).state.cursor = number + 1
            try device.application?.saveState(of: [session.persistentIdentifier])
        }
    }

    @Test("L-54 S-51 a state that was migrated is pinned, and a rollback finds it after many saves")
    func rollback() throws {
        try saveOne()
        try saveThree(count: 40)
        device.kill()
        let running = try device.launch { TypedApp(Released.One(body: "empty")) }
        let identifier = try session.persistentIdentifier
        #expect(try session.withheldState == .newer)
        try running.restoreNewestReadableState(for: identifier)
        #expect(try device.sceneDelegate(TypedScene<Released.One>.self).state.body == "draft")
    }

    @Test("L-54 S-51 a state of the same version is not pinned, nor one of which there are sixteen")
    func notPinned() throws {
        try saveOne()
        let running = try device.relaunch()
        let identifier = try session.persistentIdentifier
        #expect(try running.history(of: identifier).map(\.isPinned) == [false])
        let note = try device.sceneDelegate(TypedScene<Released.One>.self)
        for number in 0..<17 {
            note.state.body = "\(number)"
            try running.saveState(of: [identifier])
            guard number < 16, let current = try running.history(of: identifier).first else {
                continue
            }
            try running.pin(current.generation, of: identifier)
        }
        device.kill()
        try saveThree(count: 0)
        let versions = try #require(device.application).history(of: identifier)
        #expect(versions.count { $0.isPinned } == 16)
        #expect(versions.first { $0.isCurrent }?.isPinned == false)
        #expect(device.diagnostics.isEmpty)
    }

    @Test("L-54 a state is found under the activity type that it had, and else both are named")
    func renamedType() throws {
        struct Memo: SavedState, Equatable {
            static let activityType = "com.example.memo"
            var body = ""
        }
        struct FormerNote: SavedState, Equatable {
            static let activityType = "com.example.memo"
            static let formerActivityTypes = ["com.example.page", "com.example.note"]
            var body = ""
        }
        try saveOne()
        try device.launch { TypedApp(Memo()) }
        let refusal = try device.sceneDelegate(TypedScene<Memo>.self).refusal
        #expect(refusal?.path == "activityType")
        let names = [Memo.activityType, Released.One.activityType]
        #expect(names.allSatisfy { refusal?.message.contains($0) == true })
        device.kill()
        try device.launch { TypedApp(FormerNote()) }
        let note = try device.sceneDelegate(TypedScene<FormerNote>.self)
        #expect(note.state.body == "draft")
        note.state.body = "typed"
        try device.moveToBackground()
        let saved = try device.application?.session(for: session.persistentIdentifier)
        #expect(saved?.stateRestorationActivity?.activityType == "com.example.memo")
    }

    /// Launches an app that can't read what is stored, lets it save, and goes back to the one that
    /// can: nothing may be lost.
    private func expectKept<State: SavedState & Equatable>(
        _ state: State, _ code: SceneStoreError.Code, _ path: String, _ reason: WithheldReason
    ) throws {
        try device.launch { TypedApp(state) }
        let note = try device.sceneDelegate(TypedScene<State>.self)
        #expect(note.state == state)
        #expect(note.refusal?.code == code)
        let told = try #require(device.diagnostics.last)
        #expect(told.code == .restoreFailed)
        #expect(told.path == path)
        #expect(try session.withheldState == reason)
        try device.moveToBackground()
        let identifier = try session.persistentIdentifier
        // This app can't read it, also not by its name; one that can takes it back.
        let running = try #require(device.application)
        #expect(throws: SceneStoreError(code, "")) {
            try running.restoreWithheldState(for: identifier)
        }
        let kept = try #require(try running.withheldStates(of: identifier).first).generation
        #expect(throws: SceneStoreError(code, "")) {
            try running.restoreWithheldState(for: identifier, generation: kept)
        }
        device.kill()
        let able = try device.launch { TypedApp(Released.Three()) }
        if try able.withheldStates(of: identifier).contains(where: { $0.generation == kept }) {
            try able.restoreWithheldState(for: identifier)
        }
        let back = try device.sceneDelegate(TypedScene<Released.Three>.self)
        #expect(back.state.text == "draft")
        #expect(try session.withheldState == nil)
    }

    @Test("L-54 a state that a newer version wrote is withheld and kept, never overwritten")
    func newer() throws {
        try device.launch { TypedApp(Released.Three(text: "draft", cursor: 3)) }
        try device.moveToBackground()
        device.kill()
        try expectKept(
            Released.One(body: "empty"), .newerState, "stateVersion", .newer)
    }

    @Test("L-54 a state that no migration leads from is withheld and kept")
    func noMigration() throws {
        try saveOne()
        try expectKept(
            Released.Four(text: "empty"), .noMigration, "stateVersion", .unreadable)
    }

    @Test("L-54 a state that fails to decode is withheld and kept, with the key path")
    func undecodable() throws {
        struct Changed: SavedState, Equatable {
            static let activityType = "com.example.note"
            var body = 0
        }
        try saveOne()
        try expectKept(
            Changed(body: 7), .decodingFailed, "userInfo.body", .unreadable)
    }

    @Test("L-54 without a later save, the app that can read a state gets it at the next launch")
    func upgradedAgain() throws {
        try device.launch { TypedApp(Released.Three(text: "draft", cursor: 3)) }
        try device.moveToBackground()
        device.kill()
        try device.launch { TypedApp(Released.One()) }
        device.kill()
        try device.launch { TypedApp(Released.Three()) }
        let note = try device.sceneDelegate(TypedScene<Released.Three>.self)
        #expect(note.state == Released.Three(text: "draft", cursor: 3))
        #expect(try session.withheldState == nil)
    }

    @Test("L-55 L-54 an untouched window of a rolled-back version saves nothing over the state")
    func untouchedPlaceholder() throws {
        try device.launch { TypedApp(Released.Three(text: "draft", cursor: 3)) }
        try device.moveToBackground()
        device.kill()
        for _ in 0..<2 {
            try device.launch { TypedApp(Released.One(body: "empty")) }
            #expect(device.frontScene?.session.restoration == .failed)
            try device.moveToBackground()
            #expect(try session.stateRestorationActivity?.stateVersion == 3)
            try device.quit()
        }
        try device.launch { TypedApp(Released.Three()) }
        let note = try device.sceneDelegate(TypedScene<Released.Three>.self)
        #expect(note.state == Released.Three(text: "draft", cursor: 3))
        #expect(try session.withheldState == nil)
    }

    /// Ways to quit an app whose window can't show its state.
    enum Quitting: CaseIterable {
        case quit, background, logout
    }

    @Test(
        "L-55 L-54 a clean end saves nothing of an untouched window whose state can't be read",
        arguments: Quitting.allCases)
    func untouchedUnreadable(_ quitting: Quitting) throws {
        struct Changed: SavedState, Equatable {
            static let activityType = "com.example.note"
            var body = 0
        }
        try saveOne()
        try device.launch { TypedApp(Changed()) }
        #expect(device.frontScene?.session.restoration == .failed)
        if quitting == .logout {
            try device.application?.beginTeardown()
        }
        if quitting == .background {
            try device.moveToBackground()
            device.kill()
        } else {
            try device.quit()
        }
        try device.launch { TypedApp(Released.One()) }
        let note = try device.sceneDelegate(TypedScene<Released.One>.self)
        #expect(note.state.body == "draft")
        #expect(try session.withheldState == nil)
    }

    @Test("L-55 L-52 a clean end saves nothing of an untouched window after a crash")
    func untouchedAfterCrash() throws {
        try saveOne()
        try device.crash(restoring: nil)
        _ = device.takeCallbacks()
        try device.launch { TypedApp(Released.One(body: "empty")) }
        #expect(device.frontScene?.session.restoration == .withheld)
        // What it shows instead is asked for, but nobody is told of a save that is none (L-31).
        #expect(device.takeCallbacks() == "will did connect:A fg:A active:A")
        // Nor is one when the launch counts as stable.
        device.wait(milliseconds: 10_000)
        try device.quit()
        try device.launch { TypedApp(Released.One()) }
        let note = try device.sceneDelegate(TypedScene<Released.One>.self)
        #expect(note.state.body == "draft")
    }

    @Test("L-55 what the user changed in a version that was rolled back is saved, and stays")
    func changedPlaceholder() throws {
        try device.launch { TypedApp(Released.Three(text: "draft", cursor: 3)) }
        try device.moveToBackground()
        device.kill()
        try device.launch { TypedApp(Released.One(body: "empty")) }
        let note = try device.sceneDelegate(TypedScene<Released.One>.self)
        note.state.body = "typed"
        try device.moveToBackground()
        // Back to what it was at first: that is a change by now.
        try device.moveToForeground()
        note.state.body = "empty"
        try device.moveToBackground()
        device.kill()
        try device.launch { TypedApp(Released.Three()) }
        let back = try device.sceneDelegate(TypedScene<Released.Three>.self)
        #expect(back.state.text == "empty")
        #expect(try session.withheldState == .newer)
    }

    @Test("L-54 the decision and the ledger name the reason, and hold nothing of the state")
    func told() throws {
        try saveOne()
        var decisions: [DecisionRecord] = []
        try device.launch(
            prepare: { $0.decisionHandler = { decisions.append($0) } },
            delegate: { TypedApp(Released.Four()) })
        let text = try #require(decisions.last { $0.kind == .restoration }).reason
        #expect(text.contains("noMigration at stateVersion"))
        #expect(text.contains("version 1 toward version 4"))
        #expect(!text.contains("draft"))
        #expect(!device.diagnostics.contains { $0.message.contains("draft") })
    }

    @Test("L-54 a second step that begins at a version is ambiguous: withheld, not guessed")
    func ambiguous() throws {
        struct Twice: SavedState, Equatable {
            static let activityType = "com.example.note"
            static let version = 2
            static let migrations: [StateMigration] = [
                .from(1, .rename("body", to: "text")), .from(1, .drop("body")),
            ]
            var text = ""
        }
        var activity = try Released.One(body: "draft").userActivity()
        #expect(throws: SceneStoreError(.noMigration, "")) { try Twice(restoring: activity) }
        // A step that leads nowhere ends, too.
        activity.stateVersion = 0
        #expect(throws: SceneStoreError(.noMigration, "")) { try Twice(restoring: activity) }
    }

    @Test("L-54 a step that leads past today's version is no step: withheld, not taken for today's")
    func tooFar() throws {
        struct Two: SavedState, Equatable {
            static let activityType = "com.example.note"
            static let version = 2
            static let migrations: [StateMigration] = [
                .from(1, to: 3, NoteStateV1.self) { NoteStateV2(text: $0.body) }
            ]
            var text = ""
        }
        let activity = try Released.One(body: "draft").userActivity()
        #expect(throws: SceneStoreError(.noMigration, "")) { try Two(restoring: activity) }
    }

    @Test("L-54 what a migration throws is told by its kind alone")
    func throwingMigration() throws {
        struct Secret: Error, CustomStringConvertible { let description = "private words" }
        struct Throwing: SavedState {
            static let activityType = "com.example.note"
            static let version = 2
            static let migrations: [StateMigration] = [
                .from(1, NoteStateV1.self) { _ -> NoteStateV2 in throw Secret() }
            ]
            var text = ""
        }
        let activity = try Released.One(body: "draft").userActivity()
        let error = #expect(throws: SceneStoreError.self) { try Throwing(restoring: activity) }
        #expect(error?.code == .migrationFailed)
        #expect(error?.message == "migrating from version 1: the app's migration threw Secret")
    }
}
