import SceneStore
import SceneStoreLinks

/// One window of the editor.
final class EditorScene: StateRestoringSceneDelegate {
    private static let activityType = "com.example.video-editor.screen"

    private unowned let editor: VideoEditor
    private var screen = Screen.videos
    /// Links that launched the app, or made this window. They are followed once the window shows
    /// what it showed before.
    private var coldLinks: [String] = []
    /// What the user was asked.
    private var question: RouteMatch<Action>?

    init(editor: VideoEditor) {
        self.editor = editor
    }

    // MARK: Coming and going

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        coldLinks =
            options.urlContexts.map(\.url)
            + options.userActivities.compactMap { $0.webpageURL?.absoluteString }
        if !session.isRemembered {
            editor.number(scene)
            // A link that is refused leaves the library.
            keep(.videos, of: scene)
            if coldLinks.isEmpty {
                editor.say("\(editor.name(of: scene)) shows \(screen.title)")
            }
        }
        for link in coldLinks {
            editor.say("\(editor.name(of: scene)) connects with \(link)")
        }
    }

    /// Today's routes decide about yesterday's link.
    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        guard let link = activity.userInfo["link"]?.stringValue,
            let screen = try? editor.links.screens.match(link).destination
        else {
            return
        }
        self.screen = screen
        editor.say("\(editor.name(of: scene)) is restored: \(screen.title)")
    }

    func sceneWillEnterForeground(_ scene: Scene) {
        let links = coldLinks
        coldLinks = []
        for link in links {
            follow(link, in: scene)
        }
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        guard let link = try? editor.links.screens.link(to: screen, scheme: EditorLinks.scheme)
        else {
            return nil
        }
        return try UserActivity(
            activityType: Self.activityType, title: screen.title,
            userInfo: ["link": .string(link.text)])
    }

    // MARK: Links

    /// A link while the window is open.
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        for context in contexts {
            editor.say("\(editor.name(of: scene)) is handed \(context.url)")
            follow(context.url, in: scene)
        }
    }

    /// A universal link while the window is open, or what another window asked this one to show.
    func scene(_ scene: Scene, continue activity: UserActivity) {
        guard let link = activity.webpageURL?.absoluteString else {
            return
        }
        editor.say("\(editor.name(of: scene)) is handed \(link)")
        follow(link, in: scene)
    }

    private func follow(_ text: String, in scene: Scene) {
        let link: CheckedLink
        do throws(LinkRefusal) {
            link = try CheckedLink(text, policy: editor.links.filter.policy)
        } catch {
            editor.say("\(editor.name(of: scene)) shows an alert: \(error)")
            return
        }
        var coordinator = LinkCoordinator()
        coordinator.add(editor.links.screens, name: "screens") { match in
            guard let screen = match.destination else {
                return false
            }
            self.go(to: screen, in: scene)
            return true
        }
        coordinator.add(editor.links.actions, name: "actions") { match in
            self.ask(match, in: scene)
            return true
        }
        let outcome = coordinator.open(link)
        if let failure = outcome.failure {
            editor.say("\(editor.name(of: scene)) shows an alert: \(failure.message)")
        } else if outcome.openedBy == nil {
            editor.say("\(editor.name(of: scene)) shows an alert: no such page")
        }
    }

    /// A video gets a window of its own, anything else is shown here.
    private func go(to screen: Screen, in scene: Scene) {
        guard screen.configurationName != scene.session.configuration.name else {
            return show(screen, in: scene)
        }
        editor.say("\(editor.name(of: scene)) opens a window for \(screen.title)")
        editor.openWindow(for: screen)
    }

    private func show(_ screen: Screen, in scene: Scene) {
        editor.say("\(editor.name(of: scene)) shows \(screen.title)")
        keep(screen, of: scene)
    }

    /// What stands in the store beside the state: the title, and which links the window takes.
    private func keep(_ screen: Screen, of scene: Scene) {
        self.screen = screen
        editor.attempt { () throws(SceneStoreError) in
            try scene.setTitle(screen.title)
            try scene.setActivationConditions(editor.links.conditions(for: screen))
        }
    }

    // MARK: Questions

    /// A link only asks; the user decides.
    private func ask(_ match: RouteMatch<Action>, in scene: Scene) {
        question = match
        editor.asking = self
        editor.say("\(editor.name(of: scene)) asks: really delete the video?")
    }

    /// The user's answer.
    func answer(_ isYes: Bool) {
        guard let match = question else {
            return
        }
        question = nil
        guard isYes else {
            return editor.say("the video is kept")
        }
        switch match.confirmed() {
        case .delete(let video): editor.delete(video)
        }
    }

    /// The video that the window shows.
    var video: Int? {
        if case .video(let id, _) = screen { id } else { nil }
    }
}
