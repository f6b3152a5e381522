import SceneStore

/// What a window shows: a line of text.
struct EditorState: SavedState {
    static let activityType = "com.example.edit"
    var text = "(nothing yet)"
}

final class EditorScene: StatefulSceneDelegate {
    var state = EditorState()
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
print("text: \(editor.state.text)")
while let line = readLine() {
    editor.state.text = line
    try application.saveState(of: [window.session.id])
    print("saved")
}
try application.quit()
