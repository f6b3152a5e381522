/// The reasons why a session's state is kept from the app.
///
/// ```swift
/// if let reason = session.withheldState, reason != .declined {
///     messages.append("This note wasn't restored (\(reason)). Show its last state?")
/// }
/// ```
public enum WithheldReason: String, Sendable, Hashable, CaseIterable {
    /// A process died while it restored it.
    case crash
    /// The configuration that it was saved under is gone.
    case stale
    /// The app's guard refused it.
    case declined
    /// The app could not restore it.
    case failed
    /// A newer version of the app wrote it.
    case newer
    /// It can't be decoded, or no migration leads from its version to today's.
    case unreadable
    /// The state that was saved last is not in the file any more: an earlier one is kept for the
    /// app.
    case lost
    /// The session was held by hand, and then its window was activated.
    case held

    /// Whether the app was given the state before it was withheld.
    package var isOfGivenState: Bool {
        switch self {
        case .crash, .failed, .newer, .unreadable: true
        case .stale, .declined, .lost, .held: false
        }
    }
}
