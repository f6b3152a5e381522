/// Windows that were closed in one action. A window that was closed alone is a group (L-48).
///
/// ```swift
/// if let group = try application.recentlyClosedGroups().first {
///     try application.reopen(sessions: group.sessions.map(\.id))
/// }
/// ```
public struct ClosedGroup: Sendable, Hashable {
    /// The stored sessions, the one that was in front first.
    public let sessions: [SceneSession]
    /// The time when they were closed, in milliseconds since 1970.
    public let closedAt: Int64
}
