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

    /// The lock is held as long as the app needs it, and no longer (S-33).
    extension SceneRecorderTests {
        @Test("S-33 the lock is let go after the last scene's save, and not after another's")
        func releaseOfLast() throws {
            try withContainer { container in
                let process = try Process(container)
                process.recorder.releasesInBackground = true
                let (first, firstDelegate) = process.connect(session("one"))
                let (second, secondDelegate) = process.connect(session("two"))
                firstDelegate.sceneDidBecomeActive(first)
                secondDelegate.sceneDidBecomeActive(second)
                firstDelegate.sceneDidEnterBackground(first)
                _ = firstDelegate.stateRestorationActivity(for: first)
                #expect(throws: SceneStoreError(.owned, "")) {
                    try SceneSessionStore.open(at: .directory(container))
                }
                // The second one's state is still to come.
                secondDelegate.sceneDidEnterBackground(second)
                #expect(throws: SceneStoreError(.owned, "")) {
                    try SceneSessionStore.open(at: .directory(container))
                }
                _ = secondDelegate.stateRestorationActivity(for: second)
                try SceneSessionStore.open(at: .directory(container)).close()
                #expect(process.reports == [])
            }
        }

        @Test("S-33 in an app group the lock is let go after the last background save and retaken")
        func release() throws {
            try withContainer { container in
                let process = try Process(container)
                process.recorder.releasesInBackground = true
                let (scene, delegate) = process.connect(session("one"))
                delegate.sceneDidBecomeActive(scene)
                #expect(throws: SceneStoreError(.owned, "")) {
                    try SceneSessionStore.open(at: .directory(container))
                }
                delegate.text = "saved"
                delegate.sceneDidEnterBackground(scene)
                _ = delegate.stateRestorationActivity(for: scene)
                let other = try SceneSessionStore.open(at: .directory(container))
                delegate.sceneDidBecomeActive(scene)
                #expect(process.reports.map(\.code.rawValue) == ["owned"])
                #expect(try other.openRecords().first?.hasState == true)
                try other.close()
                delegate.sceneDidBecomeActive(scene)
                #expect(process.reports.count == 1)
                #expect(throws: SceneStoreError(.owned, "")) {
                    try SceneSessionStore.open(at: .directory(container))
                }
            }
        }

        @Test("S-33 what is recorded in the background takes the lock for as long as it lasts")
        func background() throws {
            try withContainer { container in
                let process = try Process(container)
                process.recorder.releasesInBackground = true
                let one = session("one")
                let (scene, delegate) = process.connect(one)
                delegate.sceneDidBecomeActive(scene)
                delegate.sceneDidEnterBackground(scene)
                _ = delegate.stateRestorationActivity(for: scene)
                let activity = NSUserActivity(activityType: "com.example.edit")
                activity.userInfo = ["text": "later"]
                let calls: [() -> Void] = [
                    { process.recorder.userActivityWillSave(activity, of: scene) },
                    { process.connect(session("two")).1.recorder = nil },
                    { delegate.sceneDidEnterBackground(scene) },
                    { process.recorder.application(didDiscardSceneSessions: [one]) },
                ]
                for call in calls {
                    call()
                    try SceneSessionStore.open(at: .directory(container)).close()
                }
                #expect(process.reports == [])
                let other = try SceneSessionStore.open(at: .directory(container))
                #expect(try other.openRecords().map(\.identifier) == ["two"])
                try other.close()
            }
        }

        @Test(
            "S-33 a container that was reset or taken away in the background gets nothing of before"
        )
        func replaced() throws {
            try withContainer { container in
                let process = try Process(container)
                process.recorder.releasesInBackground = true
                let (scene, delegate) = process.connect(session("one"))
                delegate.sceneDidBecomeActive(scene)
                delegate.sceneDidEnterBackground(scene)
                _ = delegate.stateRestorationActivity(for: scene)
                var other = try SceneSessionStore.open(at: .directory(container))
                try other.reset()
                try other.close()
                delegate.sceneDidBecomeActive(scene)
                _ = delegate.stateRestorationActivity(for: scene)
                #expect(Set(process.reports.map(\.code.rawValue)) == ["replaced"])
                other = try SceneSessionStore.open(at: .directory(container))
                #expect(try other.openRecords().isEmpty)
                try other.close()
                process.reports = []
                TemporaryDirectory.remove(container)
                delegate.sceneDidBecomeActive(scene)
                #expect(process.reports.map(\.code.rawValue) == ["missing"])
                #expect(!FileManager.default.fileExists(atPath: container))
            }
        }
    }
#endif
