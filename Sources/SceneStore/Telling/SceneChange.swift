/// Something that happened to one of an app's windows.
///
/// ```swift
/// let changes = application.changes
/// try application.closeWindow(of: session.id)
/// try application.quit()  // ends the stream
/// for await change in changes where change.kind == .discarded {
///     gone.append(change.session)
/// }
/// ```
public struct SceneChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The session got a scene.
        case connected
        /// The window is seen.
        case enteredForeground
        /// The window has the focus.
        case becameActive
        /// The window has lost the focus.
        case resignedActive
        /// The window is no longer visible.
        case enteredBackground
        /// The session has lost its scene.
        case disconnected
        /// The session is gone for good.
        case discarded
        /// The app changed what it keeps about the session: its title, say.
        case updated
    }

    /// The kind of the change.
    public let kind: Kind
    /// To which session.
    public let session: SceneSession.ID
}

/// Tells listeners what happens to windows; costs nothing while there are none.
package final class ChangeFeed {
    /// Hears of a change; answers whether it wants to hear of another.
    package typealias Listener = (SceneChange) -> Bool
    private var listeners: [Listener] = []
    private var continuations: [AsyncStream<SceneChange>.Continuation] = []

    deinit { finish() }

    package var isEmpty: Bool { listeners.isEmpty }

    package func add(_ listener: @escaping Listener) {
        listeners.append(listener)
    }

    func makeStream() -> AsyncStream<SceneChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: SceneChange.self)
        continuations.append(continuation)
        add { change in
            if case .terminated = continuation.yield(change) { false } else { true }
        }
        return stream
    }

    /// Nothing happens any more.
    func finish() {
        continuations.forEach { $0.finish() }
        continuations.removeAll()
        listeners.removeAll()
    }

    func tell(_ kind: SceneChange.Kind, _ session: SceneSession.ID) {
        let change = SceneChange(kind: kind, session: session)
        let asked = listeners
        listeners = []
        listeners = asked.filter { $0(change) } + listeners
    }
}
