import SceneStoreHosting
import SceneStoreRecovery

struct Draft: SavedState {
    static let activityType = "com.example.draft"
    var text = "(nothing yet)"
}

final class DraftWindow {
    var draft = Draft()
}

final class DraftHost: StatefulSceneHost {
    var windows: [DraftWindow] = []

    func makeWindow(for session: SceneSession) -> DraftWindow { DraftWindow() }
    func bringForward(_ window: DraftWindow) {
        close(window)
        windows.append(window)
    }
    func close(_ window: DraftWindow) { windows.removeAll { $0 === window } }
    func state(of window: DraftWindow) -> Draft { window.draft }
    func restore(_ draft: Draft, in window: DraftWindow) { window.draft = draft }
}

/// A toolkit between an app and SceneStore.
public final class Drafts {
    private let host = DraftHost()
    private let application: HostedSceneApplication<DraftHost>

    /// Brings back the windows of the container in a folder.
    public init(folder: String) throws {
        var options = SceneSessionStore.Options()
        options.corruption = .salvage
        let store = try SceneSessionStore.open(at: .directory(folder), options: options)
        application = HostedSceneApplication(store: store, host: host, scheduler: .manual)
        try application.launch()
    }

    /// The texts of all windows, the one in front last.
    public var texts: [String] { host.windows.map(\.draft.text) }

    /// Changes the text of the window in front.
    public func write(_ text: String) {
        guard let front = host.windows.last else { return }
        front.draft.text = text
        application.windowDidChange(front)
    }

    /// Saves all windows and ends.
    public func quit() throws { try application.quit() }
}
