import Ledger
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreInstance
import SceneStoreLinks
import SceneStoreObservation
import SceneStorePreScene
import SceneStoreRecovery
import SceneStoreUIKit

struct EditorState: SavedState {
    static let activityType = "com.example.edit"
    var text = "(nothing yet)"
}

final class EditorScene: StatefulSceneDelegate {
    var state = EditorState()
}

final class Editor: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { EditorScene() }
}

@MainActor
func run() throws {
    let folder = CommandLine.arguments[1]
    var options = SceneSessionStore.Options()
    options.corruption = .salvage
    let store = try SceneSessionStore.open(at: .directory(folder), options: options)
    let application = SceneApplication(store: store, delegate: Editor(), options: .desktop())
    try application.launch()
    guard let editor = application.connectedScenes[0].delegate as? EditorScene else {
        fatalError("another delegate")
    }
    let count = Ledger(path: folder + "/ledger.sqlite").add("launch")
    print("Swift 5, launch \(count): \(editor.state.text)")
    editor.state.text = "from launch \(count)"
    try application.quit()
}

try run()
