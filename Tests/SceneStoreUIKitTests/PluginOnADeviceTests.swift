#if !canImport(UIKit)
    import Foundation
    import SceneStore
    import SceneStoreTesting
    import SceneStoreUIKitStandIn
    import Testing

    /// UIKit makes no scene without scenes.
    private final class UnusedSceneDelegate: UIResponder, UIWindowSceneDelegate {}

    @MainActor
    @Suite("a plug-in from before scenes, under a fake UIKit that the engine plays")
    struct PluginOnADeviceTests {
        /// One payload of each kind that the ten ways of being started or opened know.
        private static func payloads() throws -> [Payload] {
            var activity = try UserActivity(
                activityType: UserActivity.browsingWeb, userInfo: ["page": 2])
            try activity.setWebpageURL(URL(string: "https://example.com/a"))
            return [
                .urls([OpenURLContext(url: "app://1", sourceApplication: "com.example.mail")]),
                .activity(activity),
                .notification(
                    NotificationResponse(
                        identifier: "n1", userInfo: ["id": 7],
                        date: Date(timeIntervalSinceReferenceDate: 1_000))),
                .shortcut(
                    ShortcutItem(type: "new", userInfo: ["folder": "inbox"], localizedTitle: "New")
                ),
            ]
        }

        private func device(
            _ lifecycle: SceneApplicationOptions.Lifecycle = .scene
        ) throws -> SimulatedDevice {
            var manifest = SceneManifest()
            manifest.configurations = [
                .windowApplication: [
                    SceneConfiguration(name: "Default", role: .windowApplication)
                ]
            ]
            let device = try SimulatedDevice(manifest: manifest)
            device.options.lifecycle = lifecycle
            return device
        }

        /// A plug-in that is the app's delegate, in an app without scenes.
        private func launchOld(
            _ device: SimulatedDevice, _ plugin: OldPlugin, _ payloads: [Payload]
        ) throws {
            _ = try device.launch(payloads) {
                FakeUIKit(
                    FakeUIKit.App(delegate: plugin, notifications: plugin) {
                        UnusedSceneDelegate()
                    })
            }
        }

        private func launch(
            _ device: SimulatedDevice, _ app: ForwardingApp, _ payloads: [Payload]
        ) throws {
            _ = try device.launch(payloads) { FakeUIKit(app.app) }
        }

        // MARK: The ten ways

        @Test("L-66 a launch, plain and by each kind, calls a plug-in as it calls an old app")
        func cold() throws {
            let kinds: [[Payload]] = [[]] + (try Self.payloads().map { [$0] })
            for payloads in kinds + [try Self.payloads()] {
                let (old, new) = (OldPlugin(), OldPlugin())
                try launchOld(device(.application), old, payloads)
                let app = ForwardingApp(new)
                try launch(device(), app, payloads)
                #expect(new.calls == old.calls, "\(payloads)")
                #expect(new.names.first == "will" && new.names.last == "didBecomeActive")
                #expect(Set(new.payloads) == Set(payloads))
                #expect(new.payloads.count == payloads.count)
            }
        }

        @Test("L-66 opening, plain and by each kind, calls a plug-in as it calls an old app")
        func warm() throws {
            let payloads: [Payload?] = [nil] + (try Self.payloads())
            for payload in payloads {
                let (old, new) = (OldPlugin(), OldPlugin())
                let oldDevice = try device(.application)
                try launchOld(oldDevice, old, [])
                try oldDevice.application?.moveApplicationToBackground()
                let newDevice = try device()
                let app = ForwardingApp(new)
                try launch(newDevice, app, [])
                try newDevice.moveToBackground()
                (old.calls, new.calls) = ([], [])
                if let payload {
                    try oldDevice.deliver(payload)
                    try newDevice.deliver(payload)
                } else {
                    try oldDevice.application?.moveApplicationToForeground()
                    try newDevice.moveToForeground()
                }
                #expect(new.calls == old.calls)
                #expect(new.names.first == "willEnterForeground")
                #expect(new.names.last == "didBecomeActive")
                #expect(new.payloads == (payload.map { [$0] } ?? []))
            }
        }

        @Test("L-66 a refused launch keeps everything but a notification from both")
        func gate() throws {
            let (old, new) = (OldPlugin(), OldPlugin())
            (old.launches, new.launches) = (false, false)
            try launchOld(device(.application), old, Self.payloads())
            let app = ForwardingApp(new)
            try launch(device(), app, Self.payloads())
            #expect(new.calls == old.calls)
            #expect(new.names == ["will", "did", "response", "didBecomeActive"])
        }

        // MARK: What scenes are told

        @Test("L-60 a payload that starts the app is in the connection's options and nowhere else")
        func connection() throws {
            for payload in try Self.payloads() {
                let app = ForwardingApp(OldPlugin())
                try launch(device(), app, [payload])
                #expect(app.connections == [ConnectionOptions(payloads: [payload])])
                #expect(app.calls == ["connect", "fg", "active"])
            }
        }

        @Test("L-61 a payload to the app in the background comes between the changes of the scene")
        func background() throws {
            let expected = [
                ["url", "fg", "active"], ["fg", "willContinue", "continue", "active"],
                ["fg", "response", "active"], ["fg", "shortcut", "active"],
            ]
            for (payload, calls) in zip(try Self.payloads(), expected) {
                let app = ForwardingApp(OldPlugin())
                let device = try device()
                try launch(device, app, [])
                try device.moveToBackground()
                app.calls = []
                try device.deliver(payload)
                #expect(app.calls == calls)
            }
        }

        @Test("L-62 an announced activity arrives or fails, once, and its data may come later")
        func handoff() throws {
            let plugin = OldPlugin()
            let app = ForwardingApp(plugin)
            let device = try device()
            try launch(device, app, [])
            let activity = try UserActivity(activityType: "com.example.edit", userInfo: ["n": 1])
            plugin.calls = []
            try device.application?.announceActivity(type: "com.example.edit")
            #expect(plugin.names == ["willContinue"])
            try device.application?.continueAnnounced(activity)
            #expect(plugin.names == ["willContinue", "continue"])
            #expect(plugin.payloads == [.activity(activity)])
            plugin.calls = []
            try device.application?.announceActivity(type: "com.example.edit")
            try device.application?.failToContinue(activityType: "com.example.edit")
            #expect(plugin.names == ["willContinue", "failContinue"])
            #expect(plugin.calls.map(\.type) == ["com.example.edit", "com.example.edit"])
        }

        @Test("L-63 a payload is delivered once; the next plain launch has empty options")
        func once() throws {
            let plugin = OldPlugin()
            let device = try device()
            let app = ForwardingApp(plugin)
            try launch(device, app, Self.payloads())
            #expect(plugin.payloads.count == 4)
            plugin.calls = []
            device.kill()
            let next = ForwardingApp(plugin)
            try launch(device, next, [])
            #expect(next.connections == [ConnectionOptions()])
            // Another process, and so another forwarder: the plug-in is launched again.
            #expect(plugin.names == ["will", "did", "didBecomeActive"])
            #expect(plugin.calls.compactMap(\.options) == [LaunchOptions(), LaunchOptions()])
        }

        @Test("L-64 with delivery whenActive the plug-in gets each payload once, by the callbacks")
        func whenActive() throws {
            let plugin = OldPlugin()
            let device = try device()
            device.options.delivery = .whenActive
            let app = ForwardingApp(plugin)
            try launch(device, app, Self.payloads())
            #expect(app.connections == [ConnectionOptions()])
            #expect(
                plugin.names == [
                    "will", "did", "didBecomeActive", "open", "willContinue", "continue",
                    "performActionFor", "response",
                ])
            #expect(try Set(plugin.payloads) == Set(Self.payloads()))
        }

        @Test("L-65 what nobody acknowledged before a crash reaches the next process's plug-in")
        func inbox() throws {
            let payloads = try Self.payloads()
            let device = try device()
            device.options.persistsInbox = true
            let app = ForwardingApp(OldPlugin())
            try launch(device, app, [payloads[0]])
            device.crash()
            let plugin = OldPlugin()
            let next = ForwardingApp(plugin)
            try launch(device, next, [])
            #expect(plugin.payloads == [payloads[0]])
            try device.application?.acknowledge(payloads[0])
            device.crash()
            let last = OldPlugin()
            let acknowledged = ForwardingApp(last)
            try launch(device, acknowledged, [])
            #expect(last.payloads == [])
        }

        @Test("L-65 a notification in the options and by the notification centre comes once")
        func notificationTwice() throws {
            let response = try Self.payloads()[2]
            let plugin = OldPlugin()
            let device = try device()
            let app = ForwardingApp(plugin)
            try launch(device, app, [response])
            guard case .notification(let value) = response else {
                return
            }
            var ended = 0
            app.userNotificationCenter(
                .current(), didReceive: try value.makeNotificationResponse()
            ) { ended += 1 }
            #expect(ended == 1)
            #expect(plugin.payloads == [response])
        }
    }
#endif
