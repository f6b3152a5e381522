/// The kinds of what arrives from outside.
package enum PayloadKind: String, CaseIterable, Sendable {
    case url
    case activity
    case shortcut
    case notification

    /// For people.
    var title: String {
        switch self {
        case .url: "link"
        case .shortcut: "quick action"
        case .activity, .notification: rawValue
        }
    }
}
