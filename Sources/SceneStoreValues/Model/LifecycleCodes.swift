extension SceneStoreError.Code {
    /// The call does not fit the state that the application or the scene is in.
    public static let invalidState = Self("invalidState")
    /// The app or its environment allows one scene of the role, and there is one.
    public static let multipleScenesNotSupported = Self("multipleScenesNotSupported")
    /// The session is unknown or was discarded.
    public static let requestDenied = Self("requestDenied")
    /// The provider answered with a configuration of another role.
    public static let roleMismatch = Self("roleMismatch")
    /// Neither the manifest nor a provider has a configuration for the role.
    public static let noConfiguration = Self("noConfiguration")
    /// No session can take the event, and no new one is possible.
    public static let noSessionForPayload = Self("noSessionForPayload")
    /// Strict mode: the activity's type is not declared in the manifest.
    public static let undeclaredActivityType = Self("undeclaredActivityType")
}

extension SceneStoreError.Code {
    /// The app could not return a scene's state; the earlier one stays.
    public static let saveFailed = Self("saveFailed")
    /// The session ends, by a logout or a shutdown: no window is made, and no payload is taken.
    public static let tearingDown = Self("tearingDown")
    /// A window has unsaved work and stays: nothing is closed.
    public static let closingRefused = Self("closingRefused")
    /// A window has unsaved work and asks its user first.
    public static let closingPostponed = Self("closingPostponed")
    /// More payloads arrived at once than wait for a scene.
    public static let tooManyPayloads = Self("tooManyPayloads")
}

extension Diagnostic.Code {
    /// A configuration name that the manifest does not have under the role.
    public static let unresolvedConfiguration = Self("unresolvedConfiguration")
    /// Neither the manifest nor a provider has a configuration for the role.
    public static let noConfiguration = Self("noConfiguration")
    /// An activity's type is not declared in the manifest.
    public static let undeclaredActivityType = Self("undeclaredActivityType")
    /// A remembered configuration is gone; the role's default is used and the state kept.
    public static let staleConfiguration = Self("staleConfiguration")
    /// The previous process died while it restored the session.
    public static let restorationCrashed = Self("restorationCrashed")
    /// A session is kept without a scene until the app can show it.
    public static let sessionParked = Self("sessionParked")
    /// A payload is set aside, because processes died while they delivered it.
    public static let payloadSetAside = Self("payloadSetAside")
    /// A session's state is kept from the app, and pinned.
    public static let stateWithheld = Self("stateWithheld")
    /// The app could not restore a session's state; it is kept, and pinned.
    public static let restoreFailed = Self("restoreFailed")
    /// Three processes in a row died while they restored the session.
    public static let sessionHeld = Self("sessionHeld")
}
