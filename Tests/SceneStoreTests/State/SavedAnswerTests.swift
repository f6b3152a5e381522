import Testing

import SceneStore
@testable import SceneStoreTesting

/// What becomes of a scene's answer to a save, where there are two scenes, two saves or two reasons.
@Suite("Answers to saves")
struct SavedAnswerTests {
    /// A window that answers what a test says.
    final class AnsweringScene: StateRestoringSceneDelegate {
        var answer: Result<UserActivity?, SceneStoreError> = .success(nil)

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            try answer.get()
        }

        func say(_ text: String?, _ change: (inout UserActivity) -> Void = { _ in }) {
            answer = .success(
                text.map { text in
                    var activity = UserActivity(checkedType: "com.example.edit")
                    activity.userInfo = ["text": .string(text), "more": 1]
                    change(&activity)
                    return activity
                })
        }
    }

    final class AnsweringApp: SceneApplicationDelegate {
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { AnsweringScene() }
    }

    private func device(
        _ change: (inout SceneApplicationOptions) -> Void = { _ in }
    ) throws -> SimulatedDevice {
        var options = SceneApplicationOptions(manifest: .notes)
        change(&options)
        return try SimulatedDevice(storage: .memory, options: options)
    }

    /// An app with two windows, the first of which has saved "saved".
    private func launch(
        _ device: SimulatedDevice
    ) throws -> (SceneApplication, Scene, AnsweringScene) {
        let running = try device.launch { AnsweringApp() }
        let scene = try #require(running.connectedScenes.first)
        let delegate = try #require(scene.delegate as? AnsweringScene)
        try device.openWindow()
        delegate.say("saved")
        try running.saveState(of: [scene.session.persistentIdentifier])
        return (running, scene, delegate)
    }

    /// What is stored of a window's state.
    private func stored(_ device: SimulatedDevice, _ scene: Scene) throws -> ValueDictionary? {
        let identifier = scene.session.persistentIdentifier
        return try device.readFile { (store) throws(SceneStoreError) in
            guard let record = try store.record(identifier: identifier) else {
                return nil
            }
            return try store.restorationActivity(key: record.key)?.userInfo
        }
    }

    @Test("L-56 an answer that throws leaves the stored state as it is, also the one that waits")
    func throwing() throws {
        let device = try device()
        let (running, scene, delegate) = try launch(device)
        delegate.answer = .failure(SceneStoreError(.invalidState, ""))
        for _ in 0..<2 {
            #expect(throws: SceneStoreError(.saveFailed, "")) {
                try running.saveState(of: [scene.session.persistentIdentifier])
            }
            #expect(try stored(device, scene)?["text"] == "saved")
            #expect(scene.session.stateRestorationActivity?.userInfo["text"] == "saved")
        }
    }

    @Test("L-32 an answer of nil forgets the state, unless the options keep it")
    func nothing() throws {
        for keeps in [false, true] {
            let device = try device { $0.keepsPreviousState = keeps }
            let (running, scene, delegate) = try launch(device)
            delegate.say(nil)
            try running.saveState(of: [scene.session.persistentIdentifier])
            #expect(try stored(device, scene)?["text"] == (keeps ? "saved" : nil))
        }
    }

    @Test("L-46 a window that answers nil while it is closed is had back with its earlier state")
    func closingNothing() throws {
        let device = try device()
        let (running, scene, delegate) = try launch(device)
        delegate.say(nil)
        scene.setNeedsSave()
        let identifier = scene.session.persistentIdentifier
        try running.closeWindow(of: identifier)
        // Who is told of the closing sees it, too.
        #expect(scene.session.stateRestorationActivity?.userInfo["text"] == "saved")
        try running.reopen(identifier)
        #expect(
            try running.session(for: identifier)?.stateRestorationActivity?.userInfo["text"]
                == "saved")
    }

    @Test("L-84 with prunesToRequiredKeys only the required keys of a state are stored")
    func pruning() throws {
        for prunes in [false, true] {
            let device = try device { $0.prunesToRequiredKeys = prunes }
            let (running, scene, delegate) = try launch(device)
            delegate.say("pruned") { $0.requiredUserInfoKeys = ["text"] }
            try running.saveState(of: [scene.session.persistentIdentifier])
            let found = try stored(device, scene)
            #expect(found == (prunes ? ["text": "pruned"] : ["text": "pruned", "more": 1]))
        }
    }

    @Test("L-34 a state of an undeclared type is stored and reported, or in strict mode refused")
    func undeclared() throws {
        for isStrict in [false, true] {
            let device = try device {
                $0.manifest?.activityTypes = ["com.example.edit", "com.example.read"]
                $0.requiresDeclaredActivityTypes = isStrict
            }
            let (running, scene, delegate) = try launch(device)
            #expect(device.diagnostics.isEmpty)
            delegate.answer = .success(UserActivity(checkedType: "com.example.other"))
            var code: SceneStoreError.Code?
            do throws(SceneStoreError) {
                try running.saveState(of: [scene.session.persistentIdentifier])
            } catch {
                code = error.code
            }
            #expect(code == (isStrict ? .undeclaredActivityType : nil))
            #expect(try stored(device, scene)?["text"] == (isStrict ? "saved" : nil))
            #expect(device.diagnostics.map(\.code.rawValue) == ["undeclaredActivityType"])
        }
    }

    @Test("S-24 S-21 all changed windows are saved together, in one transaction")
    func together() throws {
        let device = try device()
        let (running, scene, delegate) = try launch(device)
        let other = try #require(
            running.connectedScenes.first { $0.session.id != scene.session.id })
        delegate.say("one")
        (other.delegate as? AnsweringScene)?.say("two")
        let before = running.store.counters.transactions
        scene.setNeedsSave()
        other.setNeedsSave()
        device.wait(milliseconds: 500)
        #expect(try stored(device, scene)?["text"] == "one")
        #expect(try stored(device, other)?["text"] == "two")
        #expect(running.store.counters.transactions == before + 1)
    }

    @Test("S-24 after a clock was set back a change waits as long as any other")
    func clockBack() throws {
        let device = try device()
        let (_, scene, delegate) = try launch(device)
        delegate.say("changed")
        scene.setNeedsSave()
        device.wait(milliseconds: 300)
        device.jumpClock(milliseconds: -86_400_000)
        scene.setNeedsSave()
        device.wait(milliseconds: 499)
        #expect(try stored(device, scene)?["text"] == "saved")
        device.wait(milliseconds: 1)
        #expect(try stored(device, scene)?["text"] == "changed")
    }

    @Test("R-34 64 payloads wait for the end of a callback, as often as there is one")
    func payloads() throws {
        final class FloodedApp: SceneApplicationDelegate {
            var refused: [Int] = []
            var opened = 0
            func flood(_ application: SceneApplication, _ count: Int) {
                var refused = 0
                for number in 0..<count {
                    do throws(SceneStoreError) {
                        try application.open([OpenURLContext(url: "app://\(number)")])
                    } catch {
                        refused += 1
                    }
                }
                self.refused.append(refused)
            }
            func application(
                _ application: SceneApplication,
                didFinishLaunchingWithOptions options: LaunchOptions
            ) -> Bool {
                flood(application, 64)
                return true
            }
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? {
                let scene = FloodedScene()
                scene.app = self
                return scene
            }
        }
        final class FloodedScene: SceneDelegate {
            weak var app: FloodedApp?
            func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
                app?.opened += contexts.count
            }
            func sceneDidEnterBackground(_ scene: Scene) {
                scene.application.map { app?.flood($0, 65) }
            }
        }
        let device = try device()
        let app = FloodedApp()
        let running = try device.launch { app }
        #expect(app.refused == [0])
        #expect(app.opened == 64)
        try device.moveToBackground()
        #expect(app.refused == [0, 1])
        #expect(app.opened == 128)
        #expect(running.events.refusedPayloads == 1)
    }
}
