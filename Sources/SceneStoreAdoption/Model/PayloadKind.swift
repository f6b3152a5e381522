/// The kinds of what arrives from outside.
package enum PayloadKind: String, CaseIterable, Sendable {
    case url
    case activity
    case shortcut
    case notification

    /// For people.
    var title: String {
        self == .url ? "link" : rawValue
    }
}
