#if !canImport(UIKit)
    import Foundation
    import SceneStore
    import SceneStoreTesting
    import SceneStoreUIKit
    import SceneStoreUIKitStandIn
    import Testing

    /// An app with a recorder, whose scenes show whatever a test puts there.
    private final class RecordingApp: UIResponder, UIApplicationDelegate {
        /// Nil if the earlier process still has the container, which fails the test.
        let recorder: SceneRecorder?
        private(set) var findings: [Diagnostic] = []

        init(_ container: String, _ device: SimulatedDevice) {
            let clock = device.clock
            var options = SceneSessionStore.Options.seeded()
            options.clock = { clock.now }
            var environment = SceneEnvironment.seeded()
            environment.now = { clock.now }
            recorder = FakeUIKit.converting {
                try SceneRecorder(
                    at: .directory(container), options: options, environment: environment)
            }
            super.init()
            recorder?.diagnosticHandler = { [unowned self] in findings.append($0) }
        }

        var app: FakeUIKit.App {
            FakeUIKit.App(delegate: self) { [recorder] in DocumentSceneDelegate(recorder) }
        }

        func application(
            _ application: UIApplication, didDiscardSceneSessions sessions: Set<UISceneSession>
        ) {
            recorder?.application(didDiscardSceneSessions: sessions)
        }
    }

    private final class DocumentSceneDelegate: UIResponder, UIWindowSceneDelegate {
        private let recorder: SceneRecorder?
        /// What UIKit gave back.
        private(set) var given: NSUserActivity?
        /// What the recorder answered, and then what the user made of it.
        var shown: NSUserActivity?

        init(_ recorder: SceneRecorder?) {
            self.recorder = recorder
            super.init()
        }

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            given = session.stateRestorationActivity
            shown = recorder?.scene(scene, willConnectTo: session, options: connectionOptions)
        }

        func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
            recorder?.stateRestorationActivity(shown, for: scene)
        }

        func sceneDidBecomeActive(_ scene: UIScene) { recorder?.sceneDidBecomeActive(scene) }
        func sceneDidEnterBackground(_ scene: UIScene) { recorder?.sceneDidEnterBackground(scene) }
    }

    @MainActor
    @Suite("a recorder under a fake UIKit that the engine plays")
    struct RecorderOnADeviceTests {
        /// A device whose UIKit has its own archive, the device's store, beside the recorder's
        /// container.
        private func withDevice(
            _ work: (SimulatedDevice, _ container: String) throws -> Void
        ) throws {
            let container = try TemporaryDirectory.make()
            defer { TemporaryDirectory.remove(container) }
            let device = try device()
            try work(device, container)
            device.kill()
        }

        private func device(seed: UInt64 = 1) throws -> SimulatedDevice {
            var manifest = SceneManifest()
            manifest.supportsMultipleScenes = true
            for role in [
                SceneSessionRole.windowApplication, .windowExternalDisplayNonInteractive,
            ] {
                manifest.configurations[role] = [SceneConfiguration(name: "Default", role: role)]
            }
            let device = try SimulatedDevice(manifest: manifest, seed: seed)
            device.options.reconnection = .all
            return device
        }

        private func launch(_ device: SimulatedDevice, _ container: String) throws {
            _ = try device.launch { FakeUIKit(RecordingApp(container, device).app) }
        }

        /// The connected windows' sessions and delegates.
        private func windows(
            of device: SimulatedDevice
        ) throws -> [(session: SceneSession, delegate: DocumentSceneDelegate)] {
            try (device.application?.connectedScenes ?? []).map { scene in
                let fake = try #require(scene.delegate as? FakeUIKitScene)
                return (scene.session, try #require(fake.delegate as? DocumentSceneDelegate))
            }
        }

        private func findings(of device: SimulatedDevice) throws -> [Diagnostic] {
            let fake = try #require(device.application?.delegate as? FakeUIKit)
            return try #require(fake.app.delegate as? RecordingApp).findings
        }

        /// What a user may leave in a window: every kind of value that UIKit can keep.
        private func state(_ number: Int64) throws -> UserActivity {
            var state = try UserActivity(
                activityType: "com.example.edit",
                userInfo: [
                    "number": .integer(number), "isOpen": true, "zoom": 1.5, "text": "e\u{301}",
                    "bytes": .data(Data([0, 255])), "list": [1, 1.0, false],
                    "at": .date(Date(timeIntervalSinceReferenceDate: 0.5)),
                    "deep": ["within": ["more": [.string("end")]]],
                ])
            state.title = "Note \(number)"
            state.targetContentIdentifier = "note-\(number)"
            state.keywords = ["a", "b"]
            state.requiredUserInfoKeys = ["number"]
            try state.setWebpageURL(URL(string: "https://example.com/\(number)"))
            state.needsSave = false
            return state
        }

        /// The states in the recorder's container, by session.
        private func recorded(
            in container: String
        ) throws -> [SceneSession.ID: UserActivity] {
            var options = SceneSessionStore.Options.seeded()
            options.access = .reader
            let store = try SceneSessionStore.open(at: .directory(container), options: options)
            var states: [SceneSession.ID: UserActivity] = [:]
            for record in try store.openRecords() {
                states[SceneSession.ID(record.identifier)] =
                    try store.restorationActivity(key: record.key)
            }
            try store.close()
            return states
        }

        /// Uses three windows of two roles, and leaves the app.
        private func useThreeWindows(_ device: SimulatedDevice, _ container: String) throws {
            try launch(device, container)
            try device.openWindow()
            try device.openWindow(role: .windowExternalDisplayNonInteractive)
            for (number, window) in try windows(of: device).enumerated() {
                window.delegate.shown = try state(Int64(number)).makeUserActivity()
            }
            try device.moveToBackground()
        }

        @Test("L-31 L-33 L-80 after a kill UIKit and the store give each window the same state")
        func killed() throws {
            try withDevice { device, container in
                try useThreeWindows(device, container)
                device.kill()
                let states = try recorded(in: container)
                #expect(states.count == 3)
                #expect(Set(states.values.compactMap(\.title)).count == 3)
                try device.relaunch()
                let windows = try windows(of: device)
                #expect(windows.count == 3)
                #expect(Set(windows.map(\.session.role)).count == 2)
                for (session, delegate) in windows {
                    let given = try UserActivity(try #require(delegate.given))
                    let number = try #require(given.userInfo["number"]?.integerValue)
                    #expect(given == (try state(number)))
                    #expect(given == session.stateRestorationActivity)
                    #expect(given == states[session.id])
                    #expect(try UserActivity(#require(delegate.shown)) == given)
                }
                #expect(try findings(of: device) == [])
                #expect(device.diagnostics == [])
            }
        }

        @Test("L-40 when UIKit forgets its sessions, the first window of a role gets its state")
        func forgotten() throws {
            try withDevice { device, container in
                try useThreeWindows(device, container)
                let known = Set(try windows(of: device).map(\.session.id))
                device.kill()
                // UIKit's archive is gone, and nobody is told; the recorder's container is left.
                let device = try self.device(seed: 2)
                try launch(device, container)
                let window = try #require(try windows(of: device).first)
                #expect(!known.contains(window.session.id))
                #expect(window.delegate.given == nil)
                let shown = try UserActivity(try #require(window.delegate.shown))
                #expect(shown == (try state(try #require(shown.userInfo["number"]?.integerValue))))
                try device.openWindow()
                // Its state is another session's already.
                #expect(try windows(of: device).filter { $0.delegate.shown == nil }.count == 1)
            }
        }

        @Test("L-36 a window that the user closes is gone from the store, too")
        func discarded() throws {
            try withDevice { device, container in
                try useThreeWindows(device, container)
                let closed = try #require(try windows(of: device).first).session.id
                try device.moveToForeground()
                try device.closeWindow(closed)
                let open = Set(try windows(of: device).map(\.session.id))
                #expect(open.count == 2)
                device.kill()
                #expect(try Set(recorded(in: container).keys) == open)
            }
        }

        /// Leaves a state in the first window that no store takes, and answers the one before.
        private func showTooDeep(
            on device: SimulatedDevice
        ) throws -> (SceneSession.ID, UserActivity) {
            let window = try #require(try windows(of: device).first)
            let activity = NSUserActivity(activityType: "com.example.edit")
            var deep: [Any] = [1]
            for _ in 0..<100 {
                deep = [deep]
            }
            activity.userInfo = ["deep": deep]
            window.delegate.shown = activity
            return (
                window.session.id, try #require(window.session.stateRestorationActivity)
            )
        }

        @Test("L-83 a state beyond a limit is refused with its key path; both keep the one before")
        func tooDeep() throws {
            try withDevice { device, container in
                try useThreeWindows(device, container)
                try device.moveToForeground()
                let (id, before) = try showTooDeep(on: device)
                try device.moveToBackground()
                let refusals = try findings(of: device)
                #expect(refusals.map(\.code.rawValue) == ["limitExceeded"])
                #expect(refusals.first?.path?.hasPrefix("userInfo.deep") == true)
                #expect(device.diagnostics.contains { $0.code.rawValue == "limitExceeded" })
                device.kill()
                #expect(try recorded(in: container)[id] == before)
                try device.relaunch()
                let again = try #require(try windows(of: device).first { $0.session.id == id })
                #expect(try UserActivity(#require(again.delegate.given)) == before)
                #expect(try UserActivity(#require(again.delegate.shown)) == before)
            }
        }
    }
#endif
