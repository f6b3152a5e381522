import FoundationEssentials
import SceneStore
import SceneStorePreScene
import SceneStoreTesting
import Testing

/// An app that reads launch options where it did without scenes, and where scenes have them.
private final class ReadingApp: SceneApplicationDelegate {
    var atLaunch: [LaunchOptions] = []
    var atConnection: [LaunchOptions] = []

    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        atLaunch.append(options)
        return true
    }
    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        atLaunch.append(options)
        return true
    }
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { ReadingScene(self) }
}

private final class ReadingScene: SceneDelegate {
    private let app: ReadingApp
    init(_ app: ReadingApp) { self.app = app }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        app.atConnection.append(LaunchOptions(options))
    }
}

@Suite("launch options and connection options")
struct LaunchOptionsTests {
    private func connection() throws -> ConnectionOptions {
        var options = ConnectionOptions()
        options.urlContexts = [
            OpenURLContext(url: "app://1", sourceApplication: "com.example.mail")
        ]
        options.sourceApplication = "com.example.mail"
        options.userActivities = [try UserActivity(activityType: "com.example.edit")]
        options.shortcutItem = ShortcutItem(type: "new")
        options.notificationResponse = NotificationResponse(identifier: "n1")
        return options
    }

    @Test("L-66 each kind of payload comes over, both ways")
    func roundTrip() throws {
        let options = try connection()
        let launch = LaunchOptions(options)
        #expect(launch.url == "app://1")
        #expect(launch.sourceApplication == "com.example.mail")
        #expect(launch.userActivityType == "com.example.edit")
        let identifier = try #require(launch.userActivityIdentifier)
        #expect(UUID(uuidString: identifier) != nil)
        #expect(launch.shortcutItem?.type == "new")
        #expect(launch.remoteNotification?.identifier == "n1")
        #expect(ConnectionOptions(launch) == options)
        #expect(LaunchOptions(ConnectionOptions(launch)) == launch)
    }

    @Test("L-66 of several payloads of a kind the launch options hold the first")
    func several() throws {
        var options = try connection()
        options.urlContexts.append(OpenURLContext(url: "app://2"))
        options.userActivities.append(try UserActivity(activityType: "com.example.read"))
        #expect(LaunchOptions(options) == LaunchOptions(try connection()))
        // The identifier stands for the activity's content.
        let first = LaunchOptions(options).userActivityIdentifier
        options.userActivities.removeFirst()
        #expect(LaunchOptions(options).userActivityIdentifier != first)
    }

    @Test("L-60 launch options are empty in an app with scenes; those of the connection are not")
    func emptyAtLaunch() throws {
        let payloads = try connection().payloads
        for payloads in payloads.map({ [$0] }) + [payloads] {
            let (old, new) = (ReadingApp(), ReadingApp())
            let device = try SimulatedDevice(manifest: .notes)
            try device.launch(payloads) { new }
            let oldDevice = try SimulatedDevice(manifest: .notes)
            oldDevice.options.lifecycle = .application
            try oldDevice.launch(payloads) { old }
            #expect(new.atLaunch == [LaunchOptions(), LaunchOptions()])
            #expect(new.atConnection.count == 1)
            // What the bridge makes of a connection is what the app got before scenes.
            #expect(old.atLaunch == new.atConnection + new.atConnection)
            #expect(old.atConnection == [])
        }
    }

    @Test("L-60 who handed an activity over is told, and acknowledging needs not tell it")
    func activitySource() throws {
        let activity = try UserActivity(activityType: UserActivity.browsingWeb)
        let payload = Payload.activity(activity, sourceApplication: "com.example.mail")
        let options = ConnectionOptions(payloads: [payload])
        #expect(options.sourceApplication == "com.example.mail")
        #expect(options.payloads == [payload])
        let two = ConnectionOptions(payloads: [payload, .activity(activity)])
        #expect(two.payloads == [.activity(activity), .activity(activity)])

        let device = try SimulatedDevice(manifest: .notes)
        device.options.persistsInbox = true
        let running = try device.launch([payload]) { NotesApp() }
        #expect(running.inbox.offered.map(\.payload) == [payload])
        try running.acknowledge(.activity(activity))
        #expect(running.inbox.offered.map(\.payload) == [])
    }

    @Test("L-60 an app without scenes is told at launch who handed an activity over")
    func activitySourceAtLaunch() throws {
        let activity = try UserActivity(activityType: UserActivity.browsingWeb)
        let app = ReadingApp()
        let device = try SimulatedDevice(manifest: .notes)
        device.options.lifecycle = .application
        try device.launch([.activity(activity, sourceApplication: "com.example.mail")]) { app }
        #expect(
            app.atLaunch.map(\.sourceApplication) == ["com.example.mail", "com.example.mail"])
    }

    @Test("L-60 a Handoff is its type, and empty options are empty")
    func handoff() {
        var options = ConnectionOptions()
        #expect(LaunchOptions(options) == LaunchOptions())
        options.handoffUserActivityType = "com.example.edit"
        let launch = LaunchOptions(options)
        #expect(launch.userActivity == nil)
        #expect(launch.userActivityType == "com.example.edit")
        #expect(ConnectionOptions(launch) == options)
    }
}
