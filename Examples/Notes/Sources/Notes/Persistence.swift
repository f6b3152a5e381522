import SceneStore

/// What a window shows.
struct NoteState: SavedState {
    static let activityType = "org.scenestore.notes.window"
    var note = "", text = "", cursor = 0, scroll = 0.0
}

/// All that the app does so that its windows come back.
extension NotesApp: StatefulSceneHost {
    func launch(_ links: [OpenURLContext]) throws(SceneStoreError) {
        var options = SceneApplicationOptions.desktop(.window(editorName), .window("Inspector"))
        options.configurationRenames = renames
        let store = try SceneSessionStore.open(at: .directory(container))
        let hosted = HostedSceneApplication(
            store: store, host: self, options: options, scheduler: MainLoopScheduler())
        self.hosted = hosted
        try hosted.launch(links.isEmpty ? [] : [.urls(links)])
    }

    func makeWindow(for session: SceneSession) -> NoteWindow {
        let kind: NoteWindow.Kind = session.configuration.name == "Inspector" ? .inspector : .editor
        let window = NoteWindow(self, kind: kind, note: freshName())
        if let placement = session.placement {
            window.size = (Int(placement.width), Int(placement.height))
            if let x = placement.x, let y = placement.y {
                window.place = (Int(x), Int(y))
            }
        }
        add(window)
        return window
    }

    func bringForward(_ window: NoteWindow) { window.present() }
    func close(_ window: NoteWindow) { remove(window) }

    func state(of window: NoteWindow) -> NoteState {
        NoteState(
            note: window.note, text: window.text, cursor: window.cursor, scroll: window.scroll)
    }

    func restore(_ state: NoteState, in window: NoteWindow) {
        (window.note, window.text) = (state.note, state.text)
        (window.cursor, window.scroll) = (state.cursor, state.scroll)
    }

    func title(of window: NoteWindow) -> String? { window.title }

    func placement(of window: NoteWindow) -> ScenePlacement? {
        guard let place = window.place, window.size.width > 0 else {
            return nil
        }
        return ScenePlacement(
            x: Double(place.x), y: Double(place.y), width: Double(window.size.width),
            height: Double(window.size.height))
    }
}
