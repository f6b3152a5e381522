import SceneStore
import SceneStoreInstance

/// All that the app does so that its pages come back.
struct PageState: SavedState {
    static let activityType = "org.scenestore.terminal.page"
    var title = "untitled", text = ""
}

extension Pages: StatefulSceneHost {
    func start(_ folder: String, _ links: [OpenURLContext]) throws(SceneStoreError) -> Bool {
        let started = try HostedSceneApplication.start(
            at: .directory(folder), forwarding: links.isEmpty ? [] : [.urls(links)],
            executor: loop.executor, isolation: nil
        ) { store in
            let hosted = HostedSceneApplication(
                store: store, host: self, options: Pages.windows, scheduler: loop)
            self.hosted = hosted
            return hosted
        }
        guard case .running(let hosted) = started else { return false }
        try hosted.application.quit(executor: loop.executor, isolation: nil) { _ in self.end() }
        return true
    }
    func state(of page: Page) -> PageState { page.state }
    func restore(_ state: PageState, in page: Page) { page.state = state }
    func title(of page: Page) -> String? { page.state.title }
    func hasUnsavedWork(in page: Page) -> Bool { page.isDraft }
    func shouldClose(_ page: Page) -> ClosingAnswer { ask(page) }
    func target(for payload: Payload) -> PayloadTarget? { page(for: payload) }
}
