import SceneStore

/// What a window shows: a line of text.
struct EditorState: SavedState {
    static let activityType = "com.example.edit"
    var text = "(nothing yet)"
}

final class EditorScene: StatefulSceneDelegate {
    var state = EditorState()
}

final class Survivor: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { EditorScene() }
}

let folder = CommandLine.arguments.dropFirst().first ?? "container"
let store = try SceneSessionStore.open(at: .directory(folder))
// No timer runs while readLine() waits: the program says when to save.
let application = SceneApplication(
    store: store, delegate: Survivor(), options: .desktop(), scheduler: .manual)
try application.launch()
guard let window = application.connectedScenes.first,
    let editor = window.delegate as? EditorScene
else { fatalError("no window") }
print("text: \(editor.state.text)")
while let line = readLine() {
    editor.state.text = line
    try application.saveState(of: [window.session.id])
    print("saved")
    try application.performIdleWork()  // without timers: keeps the files small
}
try application.quit()
