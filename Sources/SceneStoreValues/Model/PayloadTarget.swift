/// The window that an app chooses for a payload, before conditions are checked (L-79).
///
/// ```swift
/// func application(
///     _ application: SceneApplication, targetFor payload: Payload
/// ) -> PayloadTarget? {
///     if case .shortcut = payload { .new } else { nil }
/// }
/// ```
public enum PayloadTarget: Sendable, Hashable {
    /// To a session's window, connected or not.
    case window(SceneSession.ID)
    /// To the window of a role that was active last; to a new one when there is none.
    case role(SceneSessionRole)
    /// To a new window of the default role.
    case new
    /// No window, because the app has dealt with the payload itself, or refuses it.
    case handled
}

extension DecisionRecord {
    /// The app dealt with a payload itself.
    package static var handledPayload: DecisionRecord {
        DecisionRecord(.target, outcome: "handled", reason: "the app handled it itself")
    }
}

extension Diagnostic.Code {
    /// The window that the app named for a payload can't take it; the conditions were asked.
    public static let targetNotMet = Self("targetNotMet")
}
