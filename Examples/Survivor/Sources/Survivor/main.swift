import SceneStore

/// One window with a line of text.
final class EditorScene: StateRestoringSceneDelegate {
    var text = "(nothing yet)"

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        text = activity.userInfo["text"]?.stringValue ?? text
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(activityType: "com.example.edit", userInfo: ["text": .string(text)])
    }
}

/// The app: asked for a configuration once in each window's life.
final class Survivor: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        print("provider asked")
        return SceneConfiguration(name: "Editor", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { EditorScene() }
}

let store = try SceneSessionStore.open(at: .directory(CommandLine.arguments.last ?? "."))
let application = SceneApplication(store: store, delegate: Survivor())
try application.launch()
guard let window = application.connectedScenes.first,
    let editor = window.delegate as? EditorScene
else { fatalError("no window") }
print("text: \(editor.text)")
while let line = readLine() {
    editor.text = line
    try application.saveState(of: [window.session.persistentIdentifier])
    print("saved")
}
try application.quit()
