import SceneStore
import SceneStoreHosting

// snippet: terminal-host
/// A toolkit whose windows are pages of text, one of them on the screen.
final class TerminalHost {
    final class Window {
        var title = "untitled"
        var lines: [String] = []
    }

    var windows: [Window] = []
    var write: (String) -> Void = { print($0) }
}

extension TerminalHost: SceneHost {
    func makeWindow(for session: SceneSession) -> Window {
        let window = Window()
        window.title = session.title ?? window.title
        windows.append(window)
        return window
    }

    func bringForward(_ window: Window) {
        windows.removeAll { $0 === window }
        windows.append(window)
        write("== \(window.title)")
        window.lines.forEach(write)
    }

    func close(_ window: Window) {
        windows.removeAll { $0 === window }
    }

    func restore(_ activity: UserActivity, in window: Window) {
        window.lines = activity.userInfo["lines"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    func deliver(_ payload: Payload, to window: Window) {
        if case .urls(let contexts) = payload {
            window.lines += contexts.map(\.url)
        }
    }

    func stateRestorationActivity(of window: Window) throws -> UserActivity? {
        try UserActivity(
            activityType: "com.example.page",
            userInfo: ["lines": .array(window.lines.map { .string($0) })])
    }

    func title(of window: Window) -> String? { window.title }
}
// end

extension TerminalHost {
    /// What its process does.
    static func run(_ container: String, _ commands: [String], _ host: TerminalHost) throws {
        // snippet: terminal-launch
        let store = try SceneSessionStore.open(at: .directory(container))
        let hosted = HostedSceneApplication(store: store, host: host)
        try hosted.launch()
        for command in commands {
            guard let front = host.windows.last else {
                break
            }
            switch command.first {
            case "+": hosted.requestWindow()
            case "-": hosted.closeWindow(front)
            case "u": hosted.reopenClosedWindow()
            case "@": hosted.receive(.urls([OpenURLContext(url: String(command.dropFirst()))]))
            case "#": front.title = String(command.dropFirst())
            default: front.lines.append(command)
            }
            if let front = host.windows.last {
                hosted.windowDidChange(front)
            }
            hosted.application.flushChanges()
        }
        // end
        store.abandon()
    }
}
