import SceneStore

/// A payload that another process of the app handed over (L-77).
package struct ForwardedPayload: Hashable, Sendable {
    package var payload: Payload
    /// Names this handing over, whichever process it ends in.
    package var name: String
    /// Whether a process that died may have shown it.
    package var mayHaveBeenSeen: Bool

    package init(_ payload: Payload, name: String, mayHaveBeenSeen: Bool = false) {
        self.payload = payload
        self.name = name
        self.mayHaveBeenSeen = mayHaveBeenSeen
    }

    /// Names it in the inbox, where a notification has a name of its own.
    var inboxKey: String { payload.deduplicationKey ?? name }
}

/// What became of something that another process asked for.
package struct ForwardedDelivery: Sendable {
    /// Whose window took it; nil when none did.
    package var session: SceneSession.ID?
    /// Why it was declined.
    package var error: SceneStoreError?
    /// The callbacks by their short names, in order.
    package var callbacks: [String] = []
    /// Why it went as it did, one line a decision.
    package var reasons: [String] = []

    package init(error: SceneStoreError? = nil) {
        self.error = error
    }
}
