/// A request of the app: another scene, an activation, a destruction, a refresh.
///
/// ```swift
/// var request = SceneSessionActivationRequest()
/// request.configurationName = "Note"
/// application.requestSceneSessionActivation(request) { error in
///     messages.append(error.message)
/// }
/// ```
public struct SceneSessionActivationRequest: Sendable {
    /// The session to bring forward; nil asks by role.
    public var sessionIdentifier: SceneSession.ID?
    /// The role of the scene that is asked for. Nil means the role under which
    /// ``configurationName`` is declared, or else ``SceneSessionRole/windowApplication``.
    public var role: SceneSessionRole?
    /// The activity that the scene should show.
    public var userActivity: UserActivity?
    /// Connects a scene in the background. A scene that is connected stays where it is, unless the
    /// request has an activity.
    public var staysInBackground = false
    /// The value that the new window is for.
    public var presentedValue: Value?
    /// The configuration of a new session; nil asks the provider.
    public var configurationName: String?
    /// The privacy class of a new session. An ephemeral session is ephemeral from its first byte.
    public var privacy = PrivacyClass.standard

    /// Asks for a session that is known.
    public init(session identifier: SceneSession.ID, userActivity: UserActivity? = nil) {
        sessionIdentifier = identifier
        self.userActivity = userActivity
    }

    /// Asks for a scene of a role: a session that prefers the activity's target, else a new one.
    public init(role: SceneSessionRole? = nil, userActivity: UserActivity? = nil) {
        self.role = role
        self.userActivity = userActivity
    }
}
