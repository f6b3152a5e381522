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

    /// After a force quit a new session takes the place of a lost one (L-40).
    extension SceneRecorderTests {
        @Test("L-40 after a force quit the first new session takes the lost one's place, no other")
        func adoption() throws {
            try withContainer { container in
                let old = session("one")
                old.userInfo = ["account": "work"]
                var process: Process? = try use(container, old, text: "hello")
                process?.recorder.applicationWillTerminate()
                kill(&process)
                let again = try Process(container)
                let new = session("new")
                #expect(again.connect(new).1.text == "hello")
                #expect(new.userInfo?["account"] as? String == "work")
                #expect(again.connect(session("newer")).1.text == "")
                again.recorder.applicationWillTerminate()
                let store = try SceneSessionStore.open(at: .directory(container))
                #expect(try store.record(identifier: "one") == nil)
                #expect(try store.openRecords().count == 2)
                try store.close()
            }
        }

        @Test("L-40 a new window beside one that UIKit remembers takes nothing of it")
        func besideRemembered() throws {
            try withContainer { container in
                let old = session("one")
                var process: Process? = try use(container, old, text: "hello")
                kill(&process)
                UIApplication.shared.openSessions = [old]
                defer { UIApplication.shared.openSessions = [] }
                let again = try Process(container)
                #expect(again.connect(session("new")).1.text == "")
                #expect(again.connect(session("one")).1.text == "hello")
                again.recorder.applicationWillTerminate()
                #expect(try Set(openSessions(container)) == ["new", "one"])
            }
        }

        /// Uses two windows, "two" last, and leaves both.
        func useTwo(_ container: String) throws {
            let process = try use(container, session("one"), text: "one")
            let (scene, delegate) = process.connect(session("two"))
            delegate.sceneDidBecomeActive(scene)
            delegate.text = "two"
            delegate.sceneDidEnterBackground(scene)
            _ = delegate.stateRestorationActivity(for: scene)
            process.recorder.applicationWillTerminate()
        }

        func openSessions(_ container: String) throws -> [String] {
            let store = try SceneSessionStore.open(at: .directory(container))
            defer { try? store.close() }
            return try store.openRecords().map(\.identifier)
        }

        @Test(
            "L-40 a force quit that UIKit reports before a window connects keeps the one used last",
            arguments: [false, true])
        func reportedForceQuit(killed: Bool) throws {
            try withContainer { container in
                try useTwo(container)
                var process: Process? = try Process(container)
                process?.recorder.application(
                    didDiscardSceneSessions: [session("one"), session("two")])
                if killed {
                    kill(&process)
                    process = try Process(container)
                }
                #expect(process?.connect(session("new")).1.text == "two")
                #expect(process?.connect(session("newer")).1.text == "")
                process?.recorder.applicationWillTerminate()
                #expect(try Set(openSessions(container)) == ["new", "newer"])
            }
        }

        @Test("L-40 of a force quit, a session of a role that doesn't come back is gone")
        func reportedForceQuitOfTwoRoles() throws {
            try withContainer { container in
                try useTwo(container)
                var process: Process? = try Process(container)
                _ = process?.connect(session("one"))
                let display = UISceneSession(
                    persistentIdentifier: "display",
                    configuration: UISceneConfiguration(
                        name: "Display", sessionRole: UISceneSession.Role(rawValue: "display")))
                _ = process?.connect(display)
                kill(&process)
                process = try Process(container)
                process?.recorder.application(
                    didDiscardSceneSessions: [session("one"), session("two"), display])
                #expect(process?.connect(session("new")).1.text == "two")
                process?.recorder.applicationWillTerminate()
                #expect(try openSessions(container) == ["new"])
            }
        }

        @Test(
            "L-40 killed at any moment of an adoption, a process leaves the state to the next one")
        func killedAdoption() throws {
            var number = 0
            while true {
                number += 1
                let countdown = Countdown(number)
                try withContainer { container in
                    var process: Process? = try use(container, session("one"), text: "hello")
                    process?.recorder.applicationWillTerminate()
                    kill(&process)
                    var options = SceneSessionStore.Options.seeded()
                    options.fault = { $0 == .begin && countdown.isOver() ? 10 : nil }
                    process = try Process(container, options: options)
                    countdown.begin()
                    _ = process?.connect(session("new"))
                    countdown.end()
                    kill(&process)
                    let again = try Process(container)
                    let text = again.connect(session("new")).1.text
                    // Given back before the end, it is blamed.
                    let withheld = again.reports.map(\.code.rawValue) == ["restorationWithheld"]
                    #expect(text == "hello" || withheld, "transaction \(number)")
                    again.recorder.applicationWillTerminate()
                    let store = try SceneSessionStore.open(at: .directory(container))
                    #expect(try store.openRecords().map(\.identifier) == ["new"])
                    #expect(try store.openRecords().first?.hasState == true)
                    try store.close()
                }
                guard countdown.isOver() else {
                    break
                }
            }
            #expect(number > 1)
        }

        @Test("L-40 sessions that no new one could take over are kept for the next one")
        func refusedAdoption() throws {
            try withContainer { container in
                try useTwo(container)
                let isFull = Mutex(false)
                var options = SceneSessionStore.Options.seeded()
                options.fault = { $0 == .begin && isFull.withLock { $0 } ? 10 : nil }
                let process = try Process(container, options: options)
                process.recorder.application(
                    didDiscardSceneSessions: [session("one"), session("two")])
                isFull.withLock { $0 = true }
                #expect(process.connect(session("new")).1.text == "")
                isFull.withLock { $0 = false }
                #expect(process.connect(session("new")).1.text == "two")
            }
        }

        /// Lets some transactions pass, and none afterwards.
        private final class Countdown: Sendable {
            private let left: Mutex<Int>
            private let isCounting = Mutex(false)

            init(_ number: Int) { left = Mutex(number - 1) }

            func begin() { isCounting.withLock { $0 = true } }
            func end() { isCounting.withLock { $0 = false } }

            /// Counts while it is to; afterwards answers whether there was an end.
            func isOver() -> Bool {
                guard isCounting.withLock({ $0 }) else {
                    return left.withLock { $0 < 0 }
                }
                return left.withLock { left in
                    left -= 1
                    return left < 0
                }
            }
        }
    }
#endif
