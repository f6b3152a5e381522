import SceneStore

/// All that the app does so that its windows come back.
extension NotesApp: SceneHost {
    func launch(_ links: [OpenURLContext]) throws(SceneStoreError) {
        var options = SceneApplicationOptions.desktop(
            configurations: [editorName, "Inspector"])
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
            window.place = (Int(placement.x), Int(placement.y))
        }
        add(window)
        return window
    }

    func bringForward(_ window: NoteWindow) { window.present() }
    func close(_ window: NoteWindow) { remove(window) }

    func restore(_ activity: UserActivity, in window: NoteWindow) {
        window.note = activity.userInfo["note"]?.stringValue ?? window.note
        window.text = activity.userInfo["text"]?.stringValue ?? ""
        window.cursor = Int(activity.userInfo["cursor"]?.integerValue ?? 0)
        window.scroll = activity.userInfo["scroll"]?.doubleValue ?? 0
    }

    func stateRestorationActivity(of window: NoteWindow) throws -> UserActivity? {
        try UserActivity(
            activityType: "org.scenestore.notes.window",
            userInfo: [
                "note": .string(window.note), "text": .string(window.text),
                "cursor": .integer(Int64(window.cursor)), "scroll": .double(window.scroll),
            ])
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
