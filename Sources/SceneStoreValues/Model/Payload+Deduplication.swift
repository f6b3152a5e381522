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
    /// Names a payload that may arrive twice; nil when each arrival counts.
    package var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}
