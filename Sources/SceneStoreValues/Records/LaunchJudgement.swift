/// What a launch writes before its first callback, in one transaction with its beginning.
package struct LaunchJudgement: Sendable {
    /// Sessions that are parked from now on, with the cause; nil for those that no longer are.
    package var parked: [(key: Int64, cause: ParkedCause?)] = []
    /// Sessions that were reopened and don't connect in an app of several scenes: they displace none
    /// that is used from now on (L-12).
    package var overtaken: [Int64] = []
    /// Sessions that the next launch brings back instead of the window that this one makes (L-16).
    package var returning: [Int64] = []
    /// Sessions that were parked or left behind too long, and are discarded.
    package var expired: [(key: Int64, cause: DiscardCause)] = []
    /// What sessions saved under in the launch before: it is their own from now on (L-50).
    package var adopted: [Int64: SceneConfiguration] = [:]
    /// The earlier discards that the app is about to be told of.
    package var told: [Int64] = []
    /// What launched the process, for the inbox.
    package var payloads: [Payload] = []
    /// Payloads of the inbox that the app has dealt with: they are acknowledged.
    package var handled: [Int64] = []
    /// The payload that the process before died handing over.
    package var blamedPayload: Int64?
    /// The payloads whose delivery has ended, for the process that began it has.
    package var endedDeliveries: [Int64] = []
    /// Whether the launch before was stable: who died in it is offered again.
    package var previousWasStable = false
    /// Whether the windows of the process before stay what `reopenLastSession` gives back (L-48).
    package var keepsLastSession = false

    package init() {}
}
