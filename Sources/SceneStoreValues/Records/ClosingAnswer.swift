/// Whether a window may be closed (L-47).
///
/// ```swift
/// func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
///     isSaved ? .close : .keep
/// }
/// ```
public enum ClosingAnswer: String, Sendable, Hashable {
    /// It closes.
    case close
    /// It stays, and so does everything that was to be closed with it.
    case keep
    /// The user has to be asked first; `SceneApplication.answerClosing(_:of:)` reports the
    /// decision.
    case later
}
