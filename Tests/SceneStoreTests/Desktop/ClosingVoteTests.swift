import SceneStore
import SceneStoreEngine
import Testing

@testable import SceneStoreTesting

/// Windows that are asked whether they may close (L-47).
@Suite("Closing with unsaved work")
struct ClosingVoteTests {
    /// A window with unsaved work, and what it answers.
    final class EditedScene: SceneDelegate {
        let app: EditedApp
        var isEdited = true
        var answer = ClosingAnswer.close

        init(_ app: EditedApp) { self.app = app }

        func sceneHasUnsavedWork(_ scene: Scene) -> Bool { isEdited }
        func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
            app.asked.append(scene.session.id)
            return answer
        }
        func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
            app.opened.append(scene.session.id)
        }
        func scene(_ scene: Scene, continue activity: UserActivity) {
            app.continued.append(scene.session.id)
        }
    }

    final class EditedApp: SceneApplicationDelegate {
        var asked: [SceneSession.ID] = []
        var opened: [SceneSession.ID] = []
        var continued: [SceneSession.ID] = []
        var target: PayloadTarget?
        func application(
            _ application: SceneApplication, targetFor payload: Payload
        ) -> PayloadTarget? { target }
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { EditedScene(self) }
    }

    let device: SimulatedDevice
    let app = EditedApp()
    let running: SceneApplication

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
        let app = app
        running = try device.launch { app }
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        running.requestSceneSessionActivation(.init(role: .windowApplication))
    }

    /// The windows, the front one first.
    var ids: [SceneSession.ID] { running.connectedScenes.map(\.session.id) }

    func edit(_ place: Int, _ change: (EditedScene) -> Void) throws {
        change(try #require(running.connectedScenes[place].delegate as? EditedScene))
    }

    func code(_ work: () throws(SceneStoreError) -> Void) -> SceneStoreError.Code? {
        do throws(SceneStoreError) {
            try work()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("L-47 asking again for what waits goes on with the request that waits")
    func askedAgain() {
        var votes = ClosingVotes()
        let first = votes.begin(.places([1], of: ["B"], nil))
        let other = votes.begin(.windows([1]))
        let again = votes.begin(.places([1], of: ["B"], nil))
        #expect(first == again)
        #expect(first != other)
    }

    @Test("L-47 a quit asks each window with unsaved work once, in front order")
    func asksEach() throws {
        let all = ids
        try edit(1) { $0.isEdited = false }
        try running.quit()
        #expect(app.asked == [all[0], all[2]])
        #expect(running.hasEnded)
    }

    @Test("L-47 a window that stays calls a quit off, with nothing closed and nobody else asked")
    func calledOff() throws {
        let all = ids
        try edit(1) { $0.answer = .keep }
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingRefused)
        #expect(app.asked == [all[0], all[1]])
        #expect(!running.hasEnded && ids == all)
        #expect(running.connectedScenes.map(\.activationState).first == .foregroundActive)
        // The next quit asks anew.
        try edit(1) { $0.answer = .close }
        try running.quit()
        #expect(app.asked == [all[0], all[1]] + all)
    }

    @Test("L-47 a window that asks its user first lets the quit go on with the answer")
    func later() throws {
        let all = ids
        try edit(0) { $0.answer = .later }
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        #expect(app.asked == [all[0]] && !running.hasEnded)
        // Nobody waits for the others.
        #expect(try running.answerClosing(.close, of: all[1]) == .keep)
        #expect(try running.answerClosing(.close, of: all[0]) == .close)
        #expect(app.asked == all && running.hasEnded)
    }

    @Test("L-47 the answer to stay ends what waited for it")
    func laterKept() throws {
        let all = ids
        try edit(0) { $0.answer = .later }
        #expect(try running.closeAllWindows() == .later)
        #expect(try running.answerClosing(.keep, of: all[0]) == .keep)
        #expect(try running.answerClosing(.close, of: all[0]) == .keep)
        #expect(ids == all && !running.hasEnded)
    }

    @Test("L-47 a window that asks its user is not asked again, and quitting goes on for closing")
    func askedOnce() throws {
        let all = ids
        try edit(0) { $0.answer = .later }
        #expect(try running.closeWindow(of: all[0]) == .later)
        #expect(try running.closeWindow(of: all[0]) == .later)
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        // The quit is not taken back by it.
        #expect(try running.closeWindow(of: all[0]) == .later)
        #expect(app.asked == [all[0]] && ids == all)
        #expect(try running.answerClosing(.close, of: all[0]) == .close)
        #expect(app.asked == all && running.hasEnded)
        // The window that was closed stays closed.
        device.kill()
        let next = try device.relaunch()
        #expect(next.openSessions.map(\.id).contains(all[0]) == false)
        #expect(next.openSessions.count == 2)
    }

    @Test("L-47 two windows that ask their users are closed or kept each by itself")
    func twoQuestions() throws {
        let all = ids
        for index in 0..<2 {
            try edit(index) { $0.answer = .later }
            #expect(try running.closeWindow(of: all[index]) == .later)
        }
        #expect(app.asked == [all[0], all[1]])
        #expect(try running.answerClosing(.keep, of: all[0]) == .keep)
        #expect(ids == all)
        #expect(try running.answerClosing(.close, of: all[1]) == .close)
        #expect(ids == [all[0], all[2]])
        // The quit waits for both.
        for index in 0..<2 {
            try edit(index) { $0.answer = .later }
            #expect(try running.closeWindow(of: all[index * 2]) == .later)
        }
        app.asked = []
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        #expect(try running.answerClosing(.close, of: all[2]) == .close)
        #expect(ids == [all[0]])
        #expect(try running.answerClosing(.close, of: all[0]) == .close)
        #expect(app.asked.isEmpty && running.hasEnded)
    }

    @Test("L-47 closing more windows waits for the question that one of them asks alone")
    func several() throws {
        let all = ids
        for index in 0..<2 {
            try edit(index) { $0.answer = .later }
            #expect(try running.closeWindow(of: all[index]) == .later)
        }
        #expect(try running.closeWindows(of: [all[2], all[0]]) == .later)
        #expect(app.asked == [all[0], all[1]] && ids == all)
        #expect(try running.answerClosing(.close, of: all[0]) == .close)
        #expect(app.asked == all && ids == [all[1]])
        #expect(try running.answerClosing(.keep, of: all[1]) == .keep)
        #expect(ids == [all[1]])
    }

    @Test("L-47 a window that nobody has to ask closes at once, and the quit goes on")
    func besideQuestions() throws {
        let all = ids
        try edit(0) { $0.answer = .later }
        try edit(2) { $0.isEdited = false }
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        #expect(try running.closeWindow(of: all[2]) == .close)
        #expect(ids == [all[0], all[1]])
        // The user saves the window and closes it: the quit has no more to ask of it.
        try edit(0) { $0.isEdited = false }
        #expect(try running.closeWindow(of: all[0]) == .close)
        #expect(app.asked == [all[0], all[1]] && running.hasEnded)
    }

    @Test("L-47 a question ends with its scene, and what waited for it is not done")
    func questionOfAScene() throws {
        let all = ids
        try edit(0) { $0.answer = .later }
        #expect(try running.closeAllWindows() == .later)
        try running.moveToBackground([all[0]])
        try running.evict(all[0])
        #expect(try running.answerClosing(.close, of: all[0]) == .keep)
        #expect(running.openSessions.count == 3 && app.asked == [all[0]])
        // Its next scene is asked anew.
        running.requestSceneSessionActivation(.init(session: all[0]))
        try edit(0) { $0.answer = .keep }
        #expect(try running.closeWindow(of: all[0]) == .keep)
        #expect(app.asked == [all[0], all[0]])
    }

    @Test("L-47 quitting again quits in the newer way and asks no window twice")
    func quitAgain() throws {
        let all = ids
        try edit(0) { $0.answer = .close }
        try edit(1) { $0.answer = .later }
        #expect(code { () throws(SceneStoreError) in try running.quit() } == .closingPostponed)
        #expect(
            code { () throws(SceneStoreError) in try running.quit(keepingWindows: false) }
                == .closingPostponed)
        #expect(try running.answerClosing(.close, of: all[1]) == .close)
        #expect(app.asked == all && running.hasEnded)
        // Without its windows.
        device.kill()
        let next = try device.relaunch()
        #expect(next.connectedScenes.count == 1)
        #expect(!all.contains(next.connectedScenes[0].session.id))
    }

    @Test("L-47 a closed window with unsaved work is asked, one without is not")
    func closing() throws {
        let all = ids
        try edit(0) { $0.answer = .keep }
        #expect(try running.closeWindows(of: [all[0], all[1]]) == .keep)
        #expect(ids == all)
        try edit(1) { $0.isEdited = false }
        app.asked = []
        #expect(try running.closeWindows(of: [all[1]]) == .close)
        #expect(app.asked.isEmpty && ids == [all[0], all[2]])
        // What the app asks for itself is not asked about.
        running.requestSceneSessionDestruction(all[0])
        #expect(app.asked.isEmpty && ids == [all[2]])
    }

    /// A device with an app of one window, which reopens what was closed for a value.
    private static func oneWindow() throws -> SimulatedDevice {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = false
        let device = try SimulatedDevice(manifest: manifest)
        device.options.restoresClosedValue = true
        return device
    }

    @Test("L-47 L-79 in an app of one window, unsaved work keeps its place, and takes the link")
    func placeForPayload() throws {
        let one = try Self.oneWindow()
        let running = try one.launch { app }
        try running.closeAllWindows()
        try running.openWindow(presenting: "report")
        let report = try #require(running.connectedScenes.first?.session.id)
        try running.closeAllWindows()
        running.requestSceneSessionActivation(.init(role: .windowApplication))
        let scene = try #require(running.connectedScenes.first)
        app.asked = []
        app.target = .presenting(.string("report"))
        try running.open([OpenURLContext(url: "notes://report")])
        #expect(app.asked.isEmpty && app.opened == [scene.session.id])
        #expect(running.connectedScenes.map(\.session.id) == [scene.session.id])
        (scene.delegate as? EditedScene)?.isEdited = false
        try running.open([OpenURLContext(url: "notes://report")])
        #expect(app.asked.isEmpty && app.opened == [scene.session.id])
        #expect(running.connectedScenes.map(\.session.id) == [report])
    }

    @Test("L-47 in an app of one window, an activity that waits for a place comes with the window")
    func placeForActivity() throws {
        let one = try Self.oneWindow()
        let running = try one.launch { app }
        let first = try #require(running.connectedScenes.first)
        (first.delegate as? EditedScene)?.isEdited = false
        try running.quit(keepingWindows: false)
        one.kill()
        let next = try one.launch { app }
        let scene = try #require(next.connectedScenes.first)
        (scene.delegate as? EditedScene)?.answer = .later
        let activity = try UserActivity(activityType: "com.example.note")
        var code: SceneStoreError.Code?
        next.requestSceneSessionActivation(
            .init(session: first.session.id, userActivity: activity)
        ) { code = $0.code }
        #expect(code == .closingPostponed && app.continued.isEmpty)
        #expect(try next.answerClosing(.close, of: scene.session.id) == .close)
        #expect(next.connectedScenes.map(\.session.id) == [first.session.id])
        #expect(app.continued == [first.session.id])
    }

    @Test("L-48 during a logout nobody is asked")
    func teardown() throws {
        let all = ids
        try edit(0) { $0.answer = .keep }
        try running.beginTeardown()
        #expect(running.core.isTearingDown)
        #expect(try running.closeAllWindows() == .close)
        #expect(ids.isEmpty && app.asked.isEmpty)
        #expect(running.openSessions.count == all.count)
        try running.quit()
        #expect(running.hasEnded)
    }
}
