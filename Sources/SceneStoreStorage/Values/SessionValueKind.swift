/// The kinds of values that a session may have beside its state; the low eight bits of a row of
/// `session_value`.
package enum SessionValueKind: Int64, CaseIterable {
    case userInfo = 1
    case title = 2
    case placement = 3
    case presentedValue = 4
    /// Since when the session is parked (L-18).
    case parking = 5
    /// When the current state was confirmed under another version (L-51).
    case confirmation = 6
    /// What the compositor knows the window by.
    case platformToken = 7
    /// The group that the session was closed with, and its place in it (L-48).
    case closing = 8
    /// The pinned states that the session's flags have no room for (S-51).
    case pins = 9
    /// The launch in which the session was connected without being in front (L-48).
    case behind = 10
    /// The version of the app under which a withheld state was offered again (L-52), as UTF-8.
    case offeredVersion = 11
    /// The names of configurations that the session had before its own (L-50), as an array.
    case formerNames = 12
}
