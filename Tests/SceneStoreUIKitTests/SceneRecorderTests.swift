import Foundation
import SceneStoreTesting
import SceneStoreUIKit
import Synchronization
import Testing

import SceneStore

#if canImport(UIKit)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

#if !canImport(UIKit)
    /// UIKit's half is played by the test: it makes the sessions and calls the delegates.
    @MainActor
    @Suite("A UIKit app")
    struct SceneRecorderTests {
        /// One process of the app.
        @MainActor
        final class Process {
            let recorder: SceneRecorder
            var reports: [Diagnostic] = []

            init(
                _ container: String,
                options: SceneSessionStore.Options = SceneSessionStore.Options.seeded(),
                environment: SceneEnvironment = .seeded()
            ) throws {
                recorder = try SceneRecorder(
                    at: .directory(container), options: options, environment: environment)
                recorder.diagnosticHandler = { [unowned self] in reports.append($0) }
            }

            func connect(_ session: UISceneSession) -> (UIScene, NoteSceneDelegate) {
                let options = UIScene.ConnectionOptions()
                let scene = UIScene(session: session, connectionOptions: options)
                let delegate = NoteSceneDelegate()
                delegate.recorder = recorder
                delegate.scene(scene, willConnectTo: session, options: options)
                return (scene, delegate)
            }
        }

        func withContainer(_ work: (String) throws -> Void) throws {
            let container = try TemporaryDirectory.make()
            defer { TemporaryDirectory.remove(container) }
            try work(container)
        }

        func session(_ identifier: String, name: String = "Editor") -> UISceneSession {
            UISceneSession(
                persistentIdentifier: identifier,
                configuration: UISceneConfiguration(name: name, sessionRole: .windowApplication))
        }

        /// A clock that the test moves, and what reads it.
        private func timed() -> (VirtualClock, SceneSessionStore.Options, SceneEnvironment) {
            var environment = SceneEnvironment.seeded()
            let clock = VirtualClock(now: environment.now())
            environment.now = { clock.now }
            var options = SceneSessionStore.Options.seeded()
            options.clock = { clock.now }
            return (clock, options, environment)
        }

        /// What SIGKILL does: the lock goes, nothing is said.
        func kill(_ process: inout Process?) {
            process = nil
        }

        /// A process in which a window was used and left.
        func use(
            _ container: String, _ session: UISceneSession, text: String
        ) throws -> Process {
            let process = try Process(container)
            let (scene, delegate) = process.connect(session)
            delegate.sceneDidBecomeActive(scene)
            delegate.text = text
            delegate.sceneDidEnterBackground(scene)
            _ = delegate.stateRestorationActivity(for: scene)
            return process
        }

        @Test("L-31 L-33 a state that UIKit forgot is given back to the session")
        func resume() throws {
            try withContainer { container in
                var process: Process? = try use(container, session("one"), text: "hello")
                #expect(process?.recorder.launchReason == .first)
                kill(&process)
                let again = try Process(container)
                #expect(again.recorder.launchReason == .recover)
                #expect(again.connect(session("one")).1.text == "hello")
                #expect(again.connect(session("two")).1.text == "")
                #expect(again.reports == [])
            }
        }

        @Test("L-36 a window that is closed while the app doesn't run is gone")
        func closedMeanwhile() throws {
            try withContainer { container in
                try useTwo(container)
                let process = try Process(container)
                process.recorder.application(didDiscardSceneSessions: [session("two")])
                #expect(process.connect(session("one")).1.text == "one")
                #expect(process.connect(session("new")).1.text == "")
                process.recorder.applicationWillTerminate()
                #expect(try Set(openSessions(container)) == ["one", "new"])
            }
        }

        @Test("L-52 a session that is discarded before it was in front holds back no other's state")
        func discardedWhileRestoring() throws {
            try withContainer { container in
                var process: Process? = try use(container, session("one"), text: "hello")
                do {
                    let (scene, delegate) = try #require(process?.connect(session("two")))
                    delegate.text = "two"
                    _ = delegate.stateRestorationActivity(for: scene)
                }
                kill(&process)
                process = try Process(container)
                _ = process?.connect(session("one"))
                kill(&process)
                let (clock, options, environment) = timed()
                process = try Process(container, options: options, environment: environment)
                do {
                    let (scene, delegate) = try #require(process?.connect(session("one")))
                    #expect(process?.reports.map(\.code.rawValue) == ["restorationWithheld"])
                    let two = session("two")
                    #expect(process?.connect(two).1.text == "two")
                    process?.recorder.application(didDiscardSceneSessions: [two])
                    delegate.sceneDidBecomeActive(scene)
                    clock.now += 10_000
                    delegate.sceneDidEnterBackground(scene)
                }
                kill(&process)
                #expect(try Process(container).connect(session("one")).1.text == "hello")
            }
        }

        @Test("S-41 an app is told that its store was damaged and what became of it")
        func salvaged() throws {
            try withContainer { container in
                var process: Process? = try use(container, session("one"), text: "hello")
                process?.recorder.applicationWillTerminate()
                kill(&process)
                let url = URL(fileURLWithPath: container + "/scenes.sqlite")
                var bytes = try Data(contentsOf: url)
                bytes.replaceSubrange(100..<4_096, with: Data(repeating: 0x5A, count: 3_996))
                try bytes.write(to: url)
                process = try Process(container)
                #expect(process?.reports.first?.code == .storeSetAside)
                let told = process?.reports.count
                #expect(process?.connect(session("one")).1.text == "hello")
                #expect(process?.reports.count == told)
            }
        }

        @Test("L-33 a state that only UIKit has is shown and recorded")
        func recordsUIKitsOwn() throws {
            try withContainer { container in
                let known = session("one")
                known.stateRestorationActivity = NSUserActivity(activityType: "com.example.edit")
                known.stateRestorationActivity?.userInfo = ["text": "UIKit's"]
                var process: Process? = try Process(container)
                #expect(process?.connect(known).1.text == "UIKit's")
                kill(&process)
                #expect(try Process(container).connect(session("one")).1.text == "UIKit's")
            }
        }

        @Test("L-32 L-36 nil forgets the state, a discard the session")
        func forgetting() throws {
            try withContainer { container in
                let one = session("one")
                let two = session("two")
                let process = try use(container, one, text: "hello")
                let (scene, delegate) = process.connect(two)
                delegate.text = "two"
                _ = delegate.stateRestorationActivity(for: scene)
                process.recorder.stateRestorationActivity(nil, for: scene)
                process.recorder.application(didDiscardSceneSessions: [one])
                process.recorder.applicationWillTerminate()
                let store = try SceneSessionStore.open(at: .directory(container))
                #expect(try store.openRecords().map(\.identifier) == ["two"])
                #expect(try store.openRecords().allSatisfy { !$0.hasState })
                #expect(try store.discards.pending().isEmpty)
                try store.close()
            }
        }

        @Test("L-52 a state that a process died showing is withheld, kept, and offered again")
        func withholding() throws {
            try withContainer { container in
                let (clock, options, environment) = timed()
                var process: Process? = try use(container, session("one"), text: "hello")
                kill(&process)
                process = try Process(container, options: options, environment: environment)
                #expect(process?.connect(session("one")).1.text == "hello")
                kill(&process)
                // Withheld until a launch is stable: by living ten seconds, or by its end.
                for lives in [9_999, 10_000] as [Int64] {
                    process = try Process(container, options: options, environment: environment)
                    let (scene, delegate) = try #require(process?.connect(session("one")))
                    #expect(delegate.text == "")
                    #expect(process?.reports.map(\.code.rawValue) == ["restorationWithheld"])
                    delegate.sceneDidBecomeActive(scene)
                    clock.now += lives
                    delegate.sceneDidEnterBackground(scene)
                    delegate.recorder = nil
                    kill(&process)
                }
                #expect(
                    try Process(container, options: options, environment: environment)
                        .connect(session("one")).1.text == "hello")
            }
        }

        @Test("L-52 of two windows that restore, the one that was not shown yet is blamed")
        func restoringTwo() throws {
            try withContainer { container in
                var process: Process? = try use(container, session("one"), text: "one")
                do {
                    let (scene, delegate) = try #require(process?.connect(session("two")))
                    delegate.sceneDidBecomeActive(scene)
                    delegate.text = "two"
                    delegate.sceneDidEnterBackground(scene)
                    _ = delegate.stateRestorationActivity(for: scene)
                }
                kill(&process)
                process = try Process(container)
                do {
                    let (scene, delegate) = try #require(process?.connect(session("one")))
                    #expect(process?.connect(session("two")).1.text == "two")
                    delegate.sceneDidBecomeActive(scene)
                }
                kill(&process)
                process = try Process(container)
                #expect(process?.connect(session("one")).1.text == "one")
                #expect(process?.connect(session("two")).1.text == "")
                #expect(process?.reports.map(\.code.rawValue) == ["restorationWithheld"])
            }
        }

        @Test(
            "L-13 L-52 a scene that the system connects in the background is blamed for no later death"
        )
        func connectedBehind() async throws {
            let container = try TemporaryDirectory.make()
            defer { TemporaryDirectory.remove(container) }
            var process: Process? = try use(container, session("one"), text: "hello")
            kill(&process)
            for activationState in [.background, .unattached] as [UIScene.ActivationState] {
                process = try Process(container)
                let text = try await show(session("one"), activationState, in: process)
                #expect(text == "hello")
                kill(&process)
            }
            // Where nothing tells, it may be restoring still.
            process = try Process(container)
            #expect(process?.connect(session("one")).1.text == "")
        }

        /// Connects a scene, and waits until UIKit's turn is over; answers the text that it shows.
        private func show(
            _ session: UISceneSession, _ activationState: UIScene.ActivationState,
            in process: Process?
        ) async throws -> String {
            let (scene, delegate) = try #require(process?.connect(session))
            scene.activationState = activationState
            await Task { @MainActor in }.value
            return delegate.text
        }

        @Test("S-20 S-52 when the last scene leaves the front, what is due is copied and pruned")
        func upkeep() throws {
            try withContainer { container in
                let clock = VirtualClock()
                var options = SceneSessionStore.Options.seeded()
                options.clock = { clock.now }
                options.closedCapacity = 1
                let process = try Process(
                    container, options: options,
                    environment: SceneEnvironment(
                        now: { clock.now }, makeIdentifier: { "id" }, bootIdentifier: "boot",
                        processIdentifier: 1))
                let (scene, delegate) = process.connect(session("one"))
                delegate.sceneDidBecomeActive(scene)
                let (second, secondDelegate) = process.connect(session("two"))
                secondDelegate.sceneDidBecomeActive(second)
                for name in ["old", "older", "oldest"] {
                    let closed = session(name)
                    _ = process.connect(closed)
                    process.recorder.application(didDiscardSceneSessions: [closed])
                }
                let activity = NSUserActivity(activityType: "com.example.edit")
                // As much as is copied when the app comes to rest.
                for number in 0..<4 {
                    let text = "needle in the file" + String(repeating: "\(number)", count: 400_000)
                    activity.userInfo = ["text": text]
                    process.recorder.userActivityWillSave(activity, of: scene)
                }
                clock.now += 31_000
                func isCopied() throws -> Bool {
                    let bytes = try Data(
                        contentsOf: URL(fileURLWithPath: container + "/scenes.sqlite"))
                    return bytes.range(of: Data("needle in the file".utf8)) != nil
                }
                delegate.sceneDidEnterBackground(scene)
                #expect(try !isCopied())
                secondDelegate.sceneDidEnterBackground(second)
                #expect(try isCopied())
                #expect(process.reports == [])
                process.recorder.applicationWillTerminate()
                options.access = .reader
                let store = try SceneSessionStore.open(
                    at: .directory(container), options: options)
                #expect(try store.record(identifier: "old") == nil)
                #expect(try store.record(identifier: "older") == nil)
                #expect(try store.record(identifier: "oldest") != nil)
                try store.close()
            }
        }

        @Test(
            "L-31 what comes after the end is reported, and the container is not opened anew",
            arguments: [true, false])
        func afterEnd(releases: Bool) throws {
            try withContainer { container in
                let process = try Process(container)
                process.recorder.releasesInBackground = releases
                let (scene, delegate) = process.connect(session("one"))
                delegate.sceneDidBecomeActive(scene)
                delegate.sceneDidEnterBackground(scene)
                _ = delegate.stateRestorationActivity(for: scene)
                process.recorder.applicationWillTerminate()
                #expect(process.reports == [])
                _ = delegate.stateRestorationActivity(for: scene)
                #expect(process.reports.map(\.code.rawValue) == ["closed"])
                let next = try Process(container)
                #expect(next.recorder.launchReason == .launch)
            }
        }

        @Test("L-04 L-31 what an activity's delegate announces is recorded, and userInfo too")
        func betweenSaves() throws {
            try withContainer { container in
                var process: Process? = try Process(container)
                let one = session("one")
                let (scene, _) = try #require(process?.connect(one))
                let activity = NSUserActivity(activityType: "com.example.edit")
                activity.userInfo = ["text": "typed"]
                scene.title = "Note"
                one.userInfo = ["account": "home"]
                process?.recorder.userActivityWillSave(activity, of: scene)
                kill(&process)
                let again = try Process(container)
                let other = session("one")
                #expect(again.connect(other).1.text == "typed")
                #expect(other.userInfo?["account"] as? String == "home")
            }
        }

        private final class Bounds: NSObject, UICoordinateSpace {
            let bounds: CGRect

            init(width: Int, height: Int) {
                bounds = CGRect(x: 0, y: 0, width: width, height: height)
            }
        }

        /// What is stored of the session.
        private func stored(_ container: String) throws -> SceneSession {
            let store = try SceneSessionStore.open(at: .directory(container))
            return try store.session(for: #require(try store.record(identifier: "one")))
        }

        @Test("L-45 L-71 a window's size and its activation conditions are recorded with its state")
        func conditionsAndSize() throws {
            try withContainer { container in
                var process: Process? = try Process(container)
                let session = session("one")
                let delegate = try #require(process?.connect(session).1)
                let scene = UIWindowScene(
                    session: session, connectionOptions: UIScene.ConnectionOptions())
                scene.coordinateSpace = Bounds(width: 800, height: 600)
                let conditions = scene.activationConditions
                conditions.canActivateForTargetContentIdentifierPredicate = NSPredicate(
                    value: false)
                conditions.prefersToActivateForTargetContentIdentifierPredicate =
                    FormattedPredicate(format: "SELF == \"note/1\"")
                _ = delegate.stateRestorationActivity(for: scene)
                #expect(process?.reports == [])
                delegate.recorder = nil
                kill(&process)
                let found = try stored(container)
                #expect(found.placement == ScenePlacement(width: 800, height: 600))
                #expect(
                    found.activationConditions
                        == ActivationConditions(
                            canActivate: .never, prefersToActivate: .equals("note/1")))
            }
        }

        @Test("L-71 a condition that is no rule is reported; the state is recorded all the same")
        func foreignCondition() throws {
            try withContainer { container in
                var process: Process? = try Process(container)
                let (scene, delegate) = try #require(process?.connect(session("one")))
                let conditions = scene.activationConditions
                delegate.text = "typed"
                for format in ["SELF == \"note/1\"", "SELF BEGINSWITH[c] \"secret\""] {
                    conditions.prefersToActivateForTargetContentIdentifierPredicate =
                        FormattedPredicate(format: format)
                    _ = delegate.stateRestorationActivity(for: scene)
                }
                let reports = try #require(process?.reports)
                #expect(reports.map(\.code.rawValue) == ["unsupportedValue"])
                #expect(reports.map(\.path) == ["prefersToActivate"])
                #expect(!"\(reports)".contains("secret"))
                delegate.recorder = nil
                kill(&process)
                #expect(try stored(container).activationConditions == ActivationConditions())
                let next = try Process(container)
                #expect(next.connect(session("one")).1.text == "typed")
            }
        }

        @Test(
            "L-71 a predicate is the rule that says the same",
            arguments: [
                ("TRUEPREDICATE", .always), ("FALSEPREDICATE", .never),
                (#"SELF == "note/1""#, .equals("note/1")),
                (#"SELF != "a""#, .not(.equals("a"))),
                (#"SELF BEGINSWITH "a b""#, .hasPrefix("a b")),
                (#"SELF ENDSWITH "(""#, .hasSuffix("(")),
                (#"SELF CONTAINS "\"\\""#, .contains(#""\"#)),
                (#"SELF LIKE "note/*""#, .matches("note/*")),
                (
                    #"SELF == "a" OR SELF == "b" AND NOT SELF == "c""#,
                    .any([.equals("a"), .all([.equals("b"), .not(.equals("c"))])])
                ),
                (
                    #"(SELF == "a" OR SELF == "b") AND NOT (TRUEPREDICATE)"#,
                    .all([.any([.equals("a"), .equals("b")]), .not(.always)])
                ),
            ] as [(String, ActivationConditions.Rule)])
        func rule(format: String, rule: ActivationConditions.Rule) throws {
            let conditions = UISceneActivationConditions()
            conditions.canActivateForTargetContentIdentifierPredicate = FormattedPredicate(
                format: format)
            #expect(try ActivationConditions(conditions).canActivate == rule)
        }

        @Test(
            "L-71 a predicate that is nearly a rule is none",
            arguments: [
                "", "SELF", #"SELF == "a"#, #"SELF ==[c] "a""#, #"SELF LIKE[cd] "a""#,
                #"SELF MATCHES "a""#, #"name == "a""#, #"SELF == "a\u0041""#, "SELF == 1",
                #"SELF == "a" OR"#, #"(SELF == "a""#, #"SELF == "a")"#, "BLOCKPREDICATE(0x1)",
                String(repeating: "NOT ", count: 32) + "TRUEPREDICATE",
            ])
        func noRule(format: String) {
            let conditions = UISceneActivationConditions()
            conditions.canActivateForTargetContentIdentifierPredicate = FormattedPredicate(
                format: format)
            #expect(throws: SceneStoreError.self) { try ActivationConditions(conditions) }
        }

        @Test("L-81 what can't be stored is reported with its key path; UIKit keeps its own")
        func refusal() throws {
            try withContainer { container in
                let process = try Process(container)
                let (scene, _) = process.connect(session("one"))
                let activity = NSUserActivity(activityType: "com.example.edit")
                activity.userInfo = ["object": NSObject()]
                #expect(
                    process.recorder.stateRestorationActivity(activity, for: scene) === activity)
                #expect(process.reports.map(\.path) == ["userInfo.object"])
            }
        }
    }
#endif
