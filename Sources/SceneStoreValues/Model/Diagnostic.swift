/// A problem that was handled, or a finding of a check.
///
/// ```swift
/// application.diagnosticHandler = { diagnostic in
///     if diagnostic.severity >= .warning, diagnostic.code != .sessionHeld {
///         log.append(diagnostic.description)
///     }
/// }
/// ```
public struct Diagnostic: Hashable, Sendable {
    /// A stable word for the kind of finding; new ones may be added in any release.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word itself, lowerCamelCase.
        public let rawValue: String

        /// Makes a code from a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a code from a word.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The severity of a diagnostic.
    public enum Severity: Int, Hashable, Sendable, Comparable {
        /// Worth knowing.
        case note = 0
        /// Probably not meant.
        case warning = 1
        /// Wrong; the part counts as absent.
        case error = 2

        /// A note is less than a warning, and a warning less than an error.
        public static func < (left: Severity, right: Severity) -> Bool {
            left.rawValue < right.rawValue
        }

        /// The word for it.
        package var word: String {
            switch self {
            case .note: "note"
            case .warning: "warning"
            case .error: "error"
            }
        }
    }

    /// The kind of finding.
    public var code: Code
    /// The severity.
    public var severity: Severity
    /// One line for people: which thing, what is wrong.
    public var message: String
    /// The key path of the part, such as `UISceneConfigurations.Role[0].Name`.
    public var path: String?
    /// What to do about the finding.
    public var fix: String?
    /// The session it is about.
    public var sessionIdentifier: SceneSession.ID?

    /// Makes a finding.
    public init(
        _ code: Code,
        _ severity: Severity,
        _ message: String,
        path: String? = nil,
        fix: String? = nil,
        sessionIdentifier: SceneSession.ID? = nil
    ) {
        self.code = code
        self.severity = severity
        self.message = message
        self.path = path
        self.fix = fix
        self.sessionIdentifier = sessionIdentifier
    }
}
