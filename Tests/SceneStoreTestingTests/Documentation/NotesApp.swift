import SceneStore
import SceneStoreTesting

// The app of the pages: windows with a text, and links.

// snippet: notes-app
final class NotesApp: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        session.configuration
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        NoteScene()
    }
}

final class NoteScene: StateRestoringSceneDelegate {
    var text = ""
    var links: [String] = []

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        // A link that launched the app, or made the window, is here and nowhere else.
        links += options.urlContexts.map(\.url)
    }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        links += contexts.map(\.url)
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(activityType: "com.example.note", userInfo: ["text": .string(text)])
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        text = activity.userInfo["text"]?.stringValue ?? ""
    }
}
// end
