import SceneStoreHosting

/// All that the app does so that its windows come back: typed state, places, links, undo-close, the
/// preferences and private windows.
struct NoteState: SavedState {
    static let activityType = "org.scenestore.notes.window"
    var note = "", text = "", cursor = 0, scroll = 0.0
}

extension NotesApp: StatefulSceneHost {
    var options: SceneApplicationOptions {
        .desktop(
            .window(editorName), .window("Inspector"), .window("Private", privacy: .ephemeral),
            .single("Preferences", role: .preferences))
    }

    func state(of window: NoteWindow) -> NoteState { window.state }
    func restore(_ state: NoteState, in window: NoteWindow) { window.state = state }
    func title(of window: NoteWindow) -> String? { window.title }
    func placement(of window: NoteWindow) -> ScenePlacement? { window.placement }

    /// A link goes to the editor of its note, else to a new one: never to an inspector, the
    /// preferences or a private window.
    func target(for payload: Payload) -> PayloadTarget? {
        guard let note = linkedNote(payload) else { return nil }
        let open = hosted?.openSessions.first { $0.title == note && NoteWindow.Kind($0) == .editor }
        return open.map { .window($0.id) } ?? .new
    }
    func deliver(_ payload: Payload, to window: NoteWindow) {
        show(linkedNote(payload) ?? inspectedNote(payload), in: window)
    }
    /// The note of a link such as `notes:Shopping`.
    private func linkedNote(_ payload: Payload) -> String? {
        guard case .urls(let links) = payload, let link = links.first?.url else { return nil }
        return link.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init)
    }

    func undoClose() { hosted?.reopenClosedWindow() }
    func openPreferences() { hosted?.requestWindow(role: .preferences) }
    func openPrivately() { hosted?.requestWindow(configuration: "Private", privacy: .ephemeral) }
}
