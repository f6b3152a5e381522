import SceneStoreHosting
import SceneStoreInstance
import SceneStoreRecovery

/// All that the app does so that its pages come back: typed state, links, undo-close, the preferences
/// and private pages.
struct PageState: SavedState {
    static let activityType = "org.scenestore.terminal.page"
    var title = "untitled", text = ""
}

extension Pages: StatefulSceneHost {
    static let windows = SceneApplicationOptions.desktop(
        .window("Page"), .single("Preferences", role: .preferences))

    func makeWindow(for session: SceneSession) -> Page { add(Page(session)) }
    func state(of page: Page) -> PageState { page.state }
    func restore(_ state: PageState, in page: Page) { page.state = state }
    func title(of page: Page) -> String? { page.state.title }

    func target(for payload: Payload) -> PayloadTarget? {
        name(of: payload).map { .presenting(.string($0)) }
    }
    func deliver(_ payload: Payload, to page: Page) {
        guard let name = name(of: payload) else { return }
        try? page.scene?.setPresentedValue(name)
        page.state.title = name
    }
    /// A link's name of a page, as in `page:Shopping`.
    private func name(of payload: Payload) -> String? {
        guard case .urls(let links) = payload, let link = links.first?.url else { return nil }
        return String(link.drop { $0 != ":" }.dropFirst())
    }

    func undoClose() { hosted?.reopenClosedWindow() }
    func openPreferences() { hosted?.requestWindow(role: .preferences) }
    func openPrivatePage() { hosted?.requestWindow(privacy: .ephemeral) }
}

// MARK: - Starting

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
