import SceneStoreHosting

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
