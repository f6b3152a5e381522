import SceneStore
import SceneStorePreScene
import SceneStoreTesting
import Testing

/// What the reference shows of what arrives from outside.
@MainActor
@Suite("Examples of payloads")
struct PayloadExamples {
    final class Delegate: SceneConfigurationProvider, SceneDelegate {
        var links: [String] = []
        var deletedDrafts: [SceneSession.ID] = []
        var isSaved = false

        func application(
            _ application: SceneApplication, configurationForConnecting session: SceneSession,
            options: ConnectionOptions
        ) -> SceneConfiguration { session.configuration }

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { self }

        func open(_ link: String) {
            links.append(link)
        }

        func deleteDrafts(of session: SceneSession.ID) {
            deletedDrafts.append(session)
        }

        // example: ConnectionOptions
        func scene(
            _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
        ) {
            options.urlContexts.forEach { open($0.url) }  // the links that made this window
        }
        // end

        // example: DiscardCause
        func application(
            _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
        ) {
            sessions.filter { $0.discardCause == .user }.forEach { deleteDrafts(of: $0.id) }
        }
        // end

        // example: SaveContext
        func application(
            _ application: SceneApplication, shouldRestore session: SceneSession,
            savedUnder context: SaveContext
        ) -> Bool {
            context.appVersion == application.options.appVersion
        }
        // end

        // example: PayloadTarget
        func application(
            _ application: SceneApplication, targetFor payload: Payload
        ) -> PayloadTarget? {
            if case .shortcut = payload { .new } else { nil }
        }
        // end

        // example: ClosingAnswer
        func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
            isSaved ? .close : .keep
        }
        // end

        func sceneHasUnsavedWork(_ scene: Scene) -> Bool { !isSaved }
    }

    @Test("what a delegate does with what arrives, with discards and with closing")
    func delegate() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        let delegate = Delegate()
        let link = Payload.urls([OpenURLContext(url: "notes://note/12")])
        let application = try device.launch([link]) { delegate }
        #expect(delegate.links == ["notes://note/12"])
        try application.receive(.shortcut(ShortcutItem(type: "com.example.new-note")))
        let session = try #require(application.connectedScenes.first).session.id
        #expect(application.connectedScenes.count == 2)
        #expect(try application.closeWindow(of: session) == .keep)
        delegate.isSaved = true
        #expect(try application.closeWindow(of: session) == .close)
        #expect(delegate.deletedDrafts == [session])
        try device.relaunch()
        #expect(device.application?.connectedScenes.count == 1)
    }

    @Test("the kinds of payloads")
    func kinds() throws {
        let sample = try Sample()
        let application = sample.application
        // example: OpenURLContext
        let link = OpenURLContext(
            url: "notes://note/12", sourceApplication: "com.example.mail")
        try application.open([link])
        // end
        // example: ShortcutItem
        let item = ShortcutItem(
            type: "com.example.new-note", userInfo: ["folder": "inbox"], localizedTitle: "New Note")
        try application.receive(.shortcut(item))
        // end
        // example: NotificationResponse
        let response = NotificationResponse(identifier: "reminder-12", userInfo: ["note": 12])
        try application.receive(.notification(response))
        // end
        #expect(Payload.notification(response).activationIdentifier == nil)
        // example: Payload
        let activity = try UserActivity(activityType: "com.example.note")
        let payloads: [Payload] = [.urls([link]), .activity(activity)]
        try payloads.forEach(application.receive)
        // end
        // example: LaunchOptions
        let options = LaunchOptions(ConnectionOptions(payloads: payloads))
        let isLink = options.url != nil  // true
        // end
        #expect(isLink && sample.device.isRunning)
    }
}
