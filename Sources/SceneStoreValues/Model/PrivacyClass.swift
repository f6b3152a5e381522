/// The classes of privacy for a session's content.
///
/// ```swift
/// var request = SceneSessionActivationRequest()
/// request.privacy = .ephemeral  // never written to the disk
/// application.requestSceneSessionActivation(request)
/// ```
public enum PrivacyClass: String, Sendable, Hashable, CaseIterable {
    /// Stored, and shown in exports and reports.
    case standard
    /// Stored, and left out of exports, reports and logs; forgotten when the session is discarded.
    case redacted
    /// Never stored: the session itself is remembered, what it shows is not.
    case ephemeral
}
