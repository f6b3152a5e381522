import SceneStoreHosting
import SceneStoreInstance
import TextUI

/// A kind of window that comes back: one window for each value, or the only one of its role.
struct RestoredGroup: TextUI.Scene {
    let name: String, role: SceneSessionRole
    let makeView: @MainActor (String?) -> any View

    func begin() { Windows.groups.append(self) }  // the windows come by the launch
    var declared: DeclaredWindow {
        role == .windowApplication ? .window(name) : .single(name, role: role)
    }
}

/// A value of a view that is part of its window's state.
@MainActor @propertyWrapper
struct WindowState<Stored: Codable> {
    private let window = Windows.making, key: String, initial: Stored
    init(wrappedValue: Stored, _ key: String) { (self.key, initial) = (key, wrappedValue) }

    var wrappedValue: Stored {
        get { (try? window?.state[key]?.decode(as: Stored.self)) ?? initial }
        nonmutating set {
            guard let window, let value = try? Value(encoding: newValue) else { return }
            window.state[key] = value
            Windows.hosted?.windowDidChange(window)
        }
    }
}

/// A value of a view that is kept beside the state; hides SceneStore's property of the same name.
@MainActor @propertyWrapper
struct SceneStorage<Stored: Codable> {
    private let window = Windows.making, key: String, initial: Stored
    init(wrappedValue: Stored, _ key: String) { (self.key, initial) = (key, wrappedValue) }

    var wrappedValue: Stored {
        get { window?.scene?.storage[key, as: Stored.self] ?? initial }
        nonmutating set { window?.scene?.storage[key, as: Stored.self] = newValue }
    }
}

/// TextUI's windows, as SceneStore asks for them.
@MainActor final class Windows {
    final class Window: SceneStorageOwner {
        weak var scene: SceneStore.Scene?
        var state: ValueDictionary = [:], native: NativeWindow?
    }

    static var groups: [RestoredGroup] = []
    static var hosted: HostedSceneApplication<Windows>?
    static var making: Window?  // the values of a view that is being made belong to this window
    private var known: [Window] = []

    /// Takes the container, or hands the links over to the process that has it and ends.
    static func start(_ folder: String, _ links: [String]) throws {
        let links = links.map { Payload.urls([OpenURLContext(url: $0)]) }
        let started = try HostedSceneApplication.start(at: .directory(folder), forwarding: links) {
            HostedSceneApplication(
                store: $0, host: Windows(), options: .desktop(windows: groups.map(\.declared)))
        }
        guard case .running(let hosted) = started else { Screen.end() }
        Self.hosted = hosted
        Screen.didFocus = { hosted.host.window(of: $0).map(hosted.windowDidBecomeActive) }
        Screen.didClose = { hosted.host.window(of: $0).map(hosted.closeWindow) }
        Screen.menu["n"] = { hosted.requestWindow() }
        Screen.menu["o"] = { hosted.requestWindow(role: .preferences) }
        Screen.menu["t"] = { hosted.reopenClosedWindow() }
        Screen.menu["q"] = { if (try? hosted.quit()) != nil { Screen.end() } }
        try hosted.application.quitOnSignals { _ in Screen.end() }
        try hosted.launch()
    }

    private func window(of native: NativeWindow) -> Window? { known.first { $0.native === native } }

    private func makeView(in window: Window, _ session: SceneSession) {
        (Self.making, window.native) = (window, window.native ?? NativeWindow())
        defer { Self.making = nil }
        let group = Self.groups.first { $0.name == session.configuration.name }
        window.native?.view = group?.makeView(try? session.presentedValue())
    }
}

extension Windows: @MainActor SceneHost {
    func makeWindow(for session: SceneSession) -> Window {
        let window = Window()
        known.append(window)
        makeView(in: window, session)
        return window
    }
    func bringForward(_ window: Window) { window.native.map(Screen.show) }
    func close(_ window: Window) {
        known.removeAll { $0 === window }
        window.native.map(Screen.remove)
    }
    func title(of window: Window) -> String? { window.native?.view?.title }
    func restore(_ activity: UserActivity, in window: Window) { window.state = activity.userInfo }
    func stateRestorationActivity(of window: Window) throws -> UserActivity? {
        try UserActivity(activityType: "org.scenestore.notes", userInfo: window.state)
    }

    // A link such as note:Shopping goes to the window of that value, or to a new one.
    func target(for payload: Payload) -> PayloadTarget? {
        value(of: payload).map { .presenting(.string($0)) }
    }
    func deliver(_ payload: Payload, to window: Window) {
        guard let scene = window.scene, let value = value(of: payload) else { return }
        try? scene.setPresentedValue(value)
        makeView(in: window, scene.session)
        Screen.setNeedsDisplay()
    }
    private func value(of payload: Payload) -> String? {
        guard case .urls(let links) = payload, let link = links.first?.url else { return nil }
        return String(link.drop { $0 != ":" }.dropFirst())
    }
}
