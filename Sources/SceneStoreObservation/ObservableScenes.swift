import Observation
import SceneStore

/// An app's windows as observable values, for views of toolkits that observe. Part of the product
/// `SceneStoreObservation`.
///
/// ```swift
/// let scenes = ObservableScenes(application)
/// let notes = scenes.windows.filter { $0.role == .windowApplication }
/// let isInFront = scenes.phase == .active
/// ```
///
/// A view that reads ``windows`` is drawn again when a window opens, closes, gets the focus or
/// another title. Lives where its application lives.
@Observable
public final class ObservableScenes {
    /// A remembered window.
    public struct Window: Identifiable, Hashable, Sendable {
        /// The session.
        public let id: SceneSession.ID
        /// The window's role.
        public let role: SceneSessionRole
        /// The window's stored title.
        public let title: String?
        /// The activation state of its scene; nil while it has none.
        public let phase: Scene.ActivationState?
    }

    /// Whether the app has the focus, is visible, or is in the background.
    public enum Phase: Sendable, Hashable {
        /// A window has the focus.
        case active
        /// Windows are seen, none has the focus.
        case inactive
        /// No window is seen.
        case background
    }

    /// The remembered windows, most recently active first.
    public private(set) var windows: [Window] = []
    /// The windows that are connected.
    package var connectedWindows: [Window] { windows.filter { $0.phase != nil } }
    /// Whether the app has the focus, is visible, or is in the background.
    public var phase: Phase {
        let phases = windows.map(\.phase)
        return phases.contains(.foregroundActive)
            ? .active : phases.contains(.foregroundInactive) ? .inactive : .background
    }

    @ObservationIgnored private weak var application: SceneApplication?

    /// Observes an application from now on.
    public init(_ application: SceneApplication) {
        self.application = application
        read()
        application.core.feed.add { [weak self] _ in
            self?.read()
            return self != nil
        }
    }

    /// Returns a window's title, or nil if it has none or is gone.
    public func title(of session: SceneSession.ID) -> String? {
        windows.first { $0.id == session }?.title
    }

    private func read() {
        guard let application else {
            return
        }
        let now = application.openSessions.map { session in
            Window(
                id: session.id, role: session.role, title: session.title,
                phase: application.scene(for: session.persistentIdentifier)?.activationState)
        }
        // An equal list draws nothing again.
        if now != windows {
            windows = now
        }
    }
}
