import SceneStore
import SceneStoreRecovery

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

var storeOptions = SceneSessionStore.Options()
storeOptions.corruption = .salvage  // brings back what can be read of a damaged file
let store = try SceneSessionStore.open(at: .directory("container"), options: storeOptions)
let application = SceneApplication(
    store: store, delegate: Survivor(), options: .desktop(), scheduler: .manual)
try application.launch()
let window = application.connectedScenes[0]
guard let editor = window.delegate as? EditorScene else { fatalError("another delegate") }
print("text: \(editor.state.text)")
while let line = readLine() {
    editor.state.text = line
    try application.saveState(of: [window.session.id])
    print("saved")
    try application.performIdleWork()  // readLine() blocks, so no timer does this
}
try application.quit()
