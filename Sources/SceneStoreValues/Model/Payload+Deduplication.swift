#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NotificationResponse {
    /// Two responses with one key are one.
    package var deduplicationKey: String {
        let time = date.map { "\u{0}\($0.timeIntervalSinceReferenceDate)" } ?? ""
        return "\(identifier)\u{0}\(actionIdentifier)\(time)"
    }
}

extension Payload {
    private static let handoffName = "handoff:"

    /// The name under which an activity from another device is kept, which is to be announced before
    /// it is handed over (L-60).
    package static func handoffKey(_ identifier: String) -> String {
        handoffName + identifier
    }

    /// Whether a payload that is kept under a name is an activity from another device.
    package func isHandoff(named key: String?) -> Bool {
        guard case .activity = self, let key else {
            return false
        }
        return key.hasPrefix(Self.handoffName)
    }

    /// Names a payload that may arrive twice; nil when each arrival counts.
    package var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}
