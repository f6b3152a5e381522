import SceneStore

/// The outcome of a payload that was passed to the running app (L-77).
///
/// The app has decided, and its callbacks have returned; with
/// ``SceneApplicationOptions/persistsInbox`` the payload is stored as well.
///
/// ```swift
/// if case .forwarded(let receipts) = started {
///     windows = receipts.compactMap(\.session)  // those that took the payloads
/// }
/// ```
public struct PayloadReceipt: Equatable, Sendable {
    /// Whose window took it; nil when the app handled it itself, and when it was declined.
    public var session: SceneSession.ID?
    /// The reason why it was declined; nil if it was taken.
    public var error: SceneStoreError?
    /// The callbacks that it led to, by the short names of <doc:Lifecycle>, in order.
    public var callbacks: [String] = []
    /// The reasons for the choice of the window, one line for each decision, without private text.
    public var reasons: [String] = []

    /// Makes a receipt.
    public init(session: SceneSession.ID? = nil, error: SceneStoreError? = nil) {
        self.session = session
        self.error = error
    }

    init(_ delivery: ForwardedDelivery) {
        session = delivery.session
        error = delivery.error
        callbacks = delivery.callbacks
        reasons = delivery.reasons
    }
}
