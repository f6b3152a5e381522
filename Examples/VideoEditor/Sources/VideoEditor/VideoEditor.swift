import SceneStore

/// The app: a library of videos and a player for each.
final class VideoEditor: SceneConfigurationProvider {
    let links: EditorLinks
    /// The window that waits for an answer.
    weak var asking: EditorScene?
    private weak var application: SceneApplication?

    init(links: EditorLinks) {
        self.links = links
    }

    /// A new window's kind follows from the link that makes it.
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        let link =
            options.urlContexts.first?.url
            ?? options.userActivities.first?.webpageURL?.absoluteString
        let screen = link.flatMap { try? links.screens.match($0).destination } ?? .videos
        return SceneConfiguration(name: screen.configurationName, role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { EditorScene(editor: self) }

    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {
        for session in sessions {
            say("\(name(of: session)) is gone")
        }
    }

    /// Begins, with the link that launched the app, if one did.
    func launch(_ application: SceneApplication, with link: String?) throws(SceneStoreError) {
        self.application = application
        application.diagnosticHandler = { [unowned self] in say("note: \($0.message)") }
        var payloads: [Payload] = []
        if let link {
            payloads.append(try payload(of: link))
        }
        try application.launch(payloads)
    }

    /// A link that comes while the app runs.
    func receive(_ link: String) throws(SceneStoreError) {
        try application?.receive(payload(of: link))
    }

    /// A universal link comes as an activity, every other one as it is.
    private func payload(of link: String) throws(SceneStoreError) -> Payload {
        let decision = links.filter.decide(link)
        guard let checked = decision.link, checked.kind == .universalLink else {
            return .urls([OpenURLContext(url: link)])
        }
        var activity = try UserActivity(activityType: EditorLinks.browsingWeb)
        try activity.setWebpageURL(checked.url)
        return .activity(activity)
    }

    func openWindow(for screen: Screen) {
        attempt { () throws(SceneStoreError) in
            var activity = try UserActivity(activityType: EditorLinks.browsingWeb)
            try activity.setWebpageURL(links.screens.link(to: screen, scheme: "https").url)
            application?.requestSceneSessionActivation(.init(userActivity: activity))
        }
    }

    /// Deletes a video and closes its windows. The videos themselves are no part of this example.
    func delete(_ video: Int) {
        say("video \(video) is deleted")
        for scene in application?.connectedScenes ?? []
        where (scene.delegate as? EditorScene)?.video == video {
            application?.requestSceneSessionDestruction(scene.session.id)
        }
    }

    // MARK: For people

    func say(_ line: String) {
        print("  " + line)
    }

    /// Does what may fail, and says so.
    func attempt(_ work: () throws(SceneStoreError) -> Void) {
        do throws(SceneStoreError) {
            try work()
        } catch {
            say("error: \(error)")
        }
    }

    /// Gives a new window the next number, which it keeps.
    func number(_ scene: Scene) {
        let numbers =
            (application ?? scene.application)?.openSessions
            .map { $0.userInfo["number"]?.integerValue ?? 0 } ?? []
        attempt { () throws(SceneStoreError) in
            try scene.setUserInfo(["number": .integer((numbers.max() ?? 0) + 1)])
        }
    }

    func name(of scene: Scene) -> String {
        name(of: scene.session)
    }

    func name(of session: SceneSession) -> String {
        session.userInfo["number"]?.integerValue.map { "window \($0)" } ?? "a window"
    }

    /// All windows, with and without a scene.
    func printWindows() {
        guard let application else {
            return
        }
        print("windows:")
        for session in application.openSessions {
            let scene = application.scene(for: session.id)
            let state = scene?.activationState.rawValue ?? "not connected"
            let kind = session.configuration.name ?? "unknown"
            say("\(name(of: session)), \(kind), \(session.title ?? "untitled"), \(state)")
        }
    }
}
