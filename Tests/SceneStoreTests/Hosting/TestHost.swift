import SceneStore
import SceneStoreHosting

/// A host without a screen: windows are objects, and each call is noted.
final class TestHost: SceneHost {
    final class Window {
        let session: SceneSession
        var text = ""
        var title: String?
        var placement: ScenePlacement?
        var isShown = false
        var isEdited = false

        init(_ session: SceneSession) {
            self.session = session
            title = session.title
            placement = session.placement
        }

        var identifier: SceneSession.ID { session.persistentIdentifier }
    }

    /// The windows that are there, the front one last.
    var windows: [Window] = []
    var calls: [String] = []
    var discards: [SceneSession] = []
    var savesNothing = false
    var answer = ClosingAnswer.close

    func makeWindow(for session: SceneSession) -> Window {
        let window = Window(session)
        windows.append(window)
        calls.append("make \(session.persistentIdentifier)")
        return window
    }

    func bringForward(_ window: Window) {
        window.isShown = true
        windows.removeAll { $0 === window }
        windows.append(window)
        calls.append("front \(window.identifier)")
    }

    func minimize(_ window: Window) { calls.append("minimize \(window.identifier)") }

    func place(_ window: Window, at place: ScenePlacement) {
        window.placement = place
        calls.append(
            "place \(window.identifier) \(place.x ?? 0) \(place.y ?? 0) \(place.width)"
                + " \(place.height)")
    }

    func hasUnsavedWork(in window: Window) -> Bool { window.isEdited }

    func shouldClose(_ window: Window) -> ClosingAnswer {
        calls.append("ask \(window.identifier)")
        return answer
    }

    func close(_ window: Window) {
        windows.removeAll { $0 === window }
        calls.append("close \(window.identifier)")
    }

    func restore(_ activity: UserActivity, in window: Window) {
        window.text = activity.userInfo["text"]?.stringValue ?? ""
        calls.append("restore \(window.identifier)")
    }

    func deliver(_ payload: Payload, to window: Window) {
        calls.append("deliver \(payload.activationIdentifier ?? "-") \(window.identifier)")
    }

    func stateRestorationActivity(of window: Window) -> UserActivity? {
        savesNothing
            ? nil
            : try? UserActivity(
                activityType: "com.example.edit", userInfo: ["text": .string(window.text)])
    }

    func title(of window: Window) -> String? { window.title }
    func placement(of window: Window) -> ScenePlacement? { window.placement }

    func configuration(
        for session: SceneSession, options: ConnectionOptions
    ) -> SceneConfiguration {
        calls.append("configure")
        let isInspector = options.userActivities.first?.activityType == "com.example.inspect"
        return SceneConfiguration(name: isInspector ? "Inspector" : "Editor", role: session.role)
    }

    func didDiscard(_ sessions: [SceneSession]) { discards += sessions }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }
}
