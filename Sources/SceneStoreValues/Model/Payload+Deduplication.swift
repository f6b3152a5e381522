extension NotificationResponse {
    /// Two responses with one key are one.
    package var deduplicationKey: String {
        "\(identifier)\u{0}\(actionIdentifier)"
    }
}

extension Payload {
    /// Names a payload that may arrive twice; nil when each arrival counts.
    package var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}
