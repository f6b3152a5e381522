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
    /// What a listener changed while it was told of another change is told after that.
    private var waiting: [SceneChange] = []
    private var continuations: [AsyncStream<SceneChange>.Continuation] = []

    deinit { finish() }

    package var isEmpty: Bool { listeners.isEmpty && waiting.isEmpty }

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
        waiting.append(SceneChange(kind: kind, session: session))
        guard waiting.count == 1 else {
            return
        }
        while let change = waiting.first {
            let asked = listeners
            listeners = []
            listeners = asked.filter { $0(change) } + listeners
            waiting.removeFirst()
        }
    }
}

/// A callback that is about to be made, for whoever records what an app is told.
package enum SceneCallback {
    /// The process is about to finish launching.
    case willFinishLaunching
    /// The process has launched.
    case didFinishLaunching
    /// Sessions are gone for good.
    case didDiscard([SceneSession])
    /// The provider was asked; told once it has answered.
    case configuration(SceneSession, answer: SceneConfiguration)
    /// A session has a scene now.
    case connect(SceneSession, ConnectionOptions)
    /// A scene is given its state.
    case restore(SceneSession, UserActivity)
    /// A scene is about to be seen.
    case enterForeground(SceneSession)
    /// A scene gets the focus.
    case becomeActive(SceneSession)
    /// A scene loses the focus.
    case resignActive(SceneSession)
    /// A scene is no longer seen.
    case enterBackground(SceneSession)
    /// A scene is asked for its state.
    case save(SceneSession)
    /// A scene's activity is brought up to date.
    case update(SceneSession)
    /// A session lost its scene.
    case disconnect(SceneSession)
    /// An activity is on its way; nil in an app without scenes.
    case willContinue(SceneSession?)
    /// An announced activity never came; nil in an app without scenes.
    case failContinue(SceneSession?)
    /// A payload is handed over; nil in an app without scenes.
    case deliver(SceneSession?, Payload, isRedelivered: Bool = false)
    /// An app without scenes gets the focus.
    case applicationDidBecomeActive
    /// An app without scenes is about to be seen.
    case applicationWillEnterForeground
}

extension ChangeFeed {
    func tell(_ callback: SceneCallback) {
        switch callback {
        case .connect(let session, _): tell(.connected, session.id)
        case .enterForeground(let session): tell(.enteredForeground, session.id)
        case .becomeActive(let session): tell(.becameActive, session.id)
        case .resignActive(let session): tell(.resignedActive, session.id)
        case .enterBackground(let session): tell(.enteredBackground, session.id)
        case .disconnect(let session): tell(.disconnected, session.id)
        case .didDiscard(let sessions): sessions.forEach { tell(.discarded, $0.id) }
        default: break
        }
    }
}
