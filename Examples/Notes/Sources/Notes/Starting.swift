import SceneStoreHosting
import SceneStoreInstance
import SceneStoreRecovery

/// One process owns the windows, signals end it, and the user is asked about an unsaved note.
extension NotesApp {
    func start(_ links: [OpenURLContext]) throws(SceneStoreError) -> Bool {
        var storeOptions = SceneSessionStore.Options()
        storeOptions.corruption = .salvage
        let started = try HostedSceneApplication.start(
            at: .standard(bundleIdentifier: Self.identifier),
            forwarding: links.isEmpty ? [] : [.urls(links)],
            storeOptions: storeOptions, executor: .mainLoop, isolation: nil
        ) {
            open(.init(store: $0, host: self, options: options, scheduler: MainLoopScheduler()))
        }
        guard case .running(let hosted) = started else {
            return false
        }
        try hosted.application.quitOnSignals(executor: .mainLoop, isolation: nil) { _ in
            self.end()
        }
        try hosted.launch()
        return true
    }

    func hasUnsavedWork(in window: NoteWindow) -> Bool { window.isUnsaved }

    func shouldClose(_ window: NoteWindow) -> ClosingAnswer { window.askUser() }
}
