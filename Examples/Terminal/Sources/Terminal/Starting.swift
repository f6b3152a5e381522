import SceneStoreHosting
import SceneStoreInstance
import SceneStoreRecovery

/// One process owns the pages, `SIGTERM` ends it, and the user is asked about a draft.
extension Pages {
    func start(_ folder: String, _ links: [OpenURLContext]) throws(SceneStoreError) -> Bool {
        var storeOptions = SceneSessionStore.Options()
        storeOptions.corruption = .salvage
        let started = try HostedSceneApplication.start(
            at: .directory(folder), forwarding: links.isEmpty ? [] : [.urls(links)],
            storeOptions: storeOptions, executor: loop.executor, isolation: nil
        ) { store in
            let hosted = HostedSceneApplication(
                store: store, host: self, options: Pages.windows, scheduler: loop)
            self.hosted = hosted
            return hosted
        }
        guard case .running(let hosted) = started else {
            return false
        }
        try hosted.application.quitOnSignals(executor: loop.executor, isolation: nil) { _ in
            self.end()
        }
        try hosted.launch()
        return true
    }

    func hasUnsavedWork(in page: Page) -> Bool { page.isDraft }

    func shouldClose(_ page: Page) -> ClosingAnswer { ask(page) }
}
