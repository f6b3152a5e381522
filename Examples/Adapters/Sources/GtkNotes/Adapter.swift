import SceneStoreHosting
import SceneStoreInstance

/// A window that comes back. An app has a subclass for each group; its properties with SceneStore's
/// `@SceneStorage` are kept beside the state.
class RestoredWindow: NativeWindow, SceneStorageOwner {
    weak var scene: Scene?
    /// What the window shows, as its widgets have it; the app calls `didChange` after each change.
    var state: ValueDictionary = [:]
    var didChange: () -> Void = {}
    /// Shows the value that the window is opened for.
    func show(_ value: String) {}
}

/// A kind of window that comes back: one window for each value, or the only one of its role.
struct RestoredGroup {
    let name: String, role: SceneSessionRole, makeWindow: (Windows) -> RestoredWindow

    var declared: DeclaredWindow {
        role == .windowApplication ? .window(name) : .single(name, role: role)
    }
}

/// Timers on GTK's main loop, and what other threads want performed there.
final class MainLoop: SceneScheduler {
    static let executor = ApplicationExecutor { work in perform(after: 0, work) }

    func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        perform(after: milliseconds, scheduled.perform)
        return scheduled
    }
}

/// GTK's windows, as SceneStore asks for them.
final class Windows {
    let gtk = Gtk()
    private let groups: [RestoredGroup]
    private(set) var hosted: HostedSceneApplication<Windows>?
    /// The window that was shown last, until it has the focus, which passes others on its way.
    private var awaited: RestoredWindow?

    init(_ groups: [RestoredGroup]) { self.groups = groups }

    /// Takes the container and runs the main loop, or hands the links over to the process that has it.
    func run(_ folder: String, _ links: [String]) throws {
        let started = try HostedSceneApplication.start(
            at: .directory(folder), forwarding: links.map { .urls([OpenURLContext(url: $0)]) },
            executor: MainLoop.executor, isolation: nil
        ) {
            HostedSceneApplication(
                store: $0, host: self, options: .desktop(windows: groups.map(\.declared)),
                scheduler: MainLoop())
        }
        guard case .running(let hosted) = started else { return }
        self.hosted = hosted
        gtk.addMenuItem("new", "<Control>n") { hosted.requestWindow() }
        gtk.addMenuItem("preferences", "<Control>o") { hosted.requestWindow(role: .preferences) }
        gtk.addMenuItem("undo", "<Control>t") { hosted.reopenClosedWindow() }
        gtk.addMenuItem("quit", "<Control>q") { if (try? hosted.quit()) != nil { self.gtk.end() } }
        try hosted.application.quitOnSignals(executor: MainLoop.executor, isolation: nil) { _ in
            self.gtk.end()
        }
        gtk.run { try hosted.launch() }
    }
}

extension Windows: SceneHost {
    func makeWindow(for session: SceneSession) -> RestoredWindow {
        let group = groups.first { $0.name == session.configuration.name } ?? groups[0]
        let window = group.makeWindow(self)
        if let value: String = try? session.presentedValue() { window.show(value) }
        // GTK has no positions of windows.
        session.placement.map { window.size = ($0.width, $0.height) }
        window.didChange = { [unowned window] in self.hosted?.windowDidChange(window) }
        window.didResize = { [unowned window] in self.hosted?.windowDidMove(window) }
        window.closeRequested = { [unowned window] in self.hosted?.closeWindow(window) }
        window.didFocus = { [unowned window] in
            guard self.awaited == nil || self.awaited === window else { return }
            self.awaited = nil
            self.hosted?.windowDidBecomeActive(window)
        }
        return window
    }
    func bringForward(_ window: RestoredWindow) {
        awaited = window.isActive ? nil : window
        window.present()
    }
    func close(_ window: RestoredWindow) {
        if awaited === window { awaited = nil }
        window.destroy()
    }
    func title(of window: RestoredWindow) -> String? { window.title }
    func placement(of window: RestoredWindow) -> ScenePlacement? {
        ScenePlacement(width: window.size.width, height: window.size.height)
    }
    func restore(_ activity: UserActivity, in window: RestoredWindow) {
        window.state = activity.userInfo
    }
    func stateRestorationActivity(of window: RestoredWindow) throws -> UserActivity? {
        try UserActivity(activityType: "org.scenestore.notes", userInfo: window.state)
    }

    // A link such as note:Shopping goes to the window of that value, or to a new one.
    func target(for payload: Payload) -> PayloadTarget? {
        value(of: payload).map { .presenting(.string($0)) }
    }
    func deliver(_ payload: Payload, to window: RestoredWindow) {
        guard let value = value(of: payload) else { return }
        try? window.scene?.setPresentedValue(value)
        window.show(value)
    }
    private func value(of payload: Payload) -> String? {
        guard case .urls(let links) = payload, let link = links.first?.url else { return nil }
        return String(link.drop { $0 != ":" }.dropFirst())
    }
}
