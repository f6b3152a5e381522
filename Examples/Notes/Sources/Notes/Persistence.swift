import SceneStore
import SceneStoreInstance

/// All that the app does so that its windows come back.
struct NoteState: SavedState {
    static let activityType = "org.scenestore.notes.window"
    var note = "", text = "", cursor = 0, scroll = 0.0
}

extension NotesApp: StatefulSceneHost {
    func start(_ links: [OpenURLContext]) throws(SceneStoreError) -> Bool {
        let options = SceneApplicationOptions.desktop(
            .window(editorName), .window("Inspector"), .window("Private", isRemembered: false),
            .single("Preferences", role: .preferences))
        let started = try HostedSceneApplication.start(
            at: .standard(bundleIdentifier: Self.identifier),
            forwarding: links.isEmpty ? [] : [.urls(links)], executor: .mainLoop, isolation: nil
        ) {
            open(.init(store: $0, host: self, options: options, scheduler: MainLoopScheduler()))
        }
        guard case .running(let hosted) = started else { return false }
        try hosted.application.quit(executor: .mainLoop, isolation: nil) { _ in self.end() }
        return true
    }
    func state(of window: NoteWindow) -> NoteState { window.state }
    func restore(_ state: NoteState, in window: NoteWindow) { window.state = state }
    func title(of window: NoteWindow) -> String? { window.title }
    func placement(of window: NoteWindow) -> ScenePlacement? { window.placement }
    func hasUnsavedWork(in window: NoteWindow) -> Bool { window.isUnsaved }
    func shouldClose(_ window: NoteWindow) -> ClosingAnswer { window.askUser() }
    func target(for payload: Payload) -> PayloadTarget? { editor(for: payload) }
}
