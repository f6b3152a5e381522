#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        package var word: String { "\(self)" }
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
    package init(
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

extension Diagnostic: CustomStringConvertible {
    /// The severity, the code, the place, the message, the fix and the session in one line.
    public var description: String {
        var text = "\(severity.word) \(code.rawValue)"
        if let path {
            text += " at \(path)"
        }
        text += ": \(message)"
        if let fix {
            text += "; \(fix)"
        }
        if let sessionIdentifier {
            text += " (session \(sessionIdentifier))"
        }
        return text
    }
}

extension Diagnostic: LocalizedError {
    /// The finding in one line, fix included.
    public var errorDescription: String? { description }
    /// The description of the problem.
    public var failureReason: String? { message }
    /// What to do about the finding, as in `fix`.
    public var recoverySuggestion: String? { fix }
}

extension Diagnostic {
    /// The finding for programs, and as a file keeps it.
    package var json: CanonicalJSON {
        func text(_ text: String?) -> CanonicalJSON { text.map { .string($0) } ?? .null }
        return [
            "code": .string(code.rawValue), "fix": text(fix), "message": .string(message),
            "path": text(path), "session": text(sessionIdentifier?.rawValue),
            "severity": .string(severity.word),
        ]
    }

    /// A finding that a file keeps: what ``json`` writes, for the system's reader.
    package struct Kept: Decodable {
        private let code: String
        private let fix: String?
        private let message: String
        private let path: String?
        private let session: String?
        private let severity: String

        /// The finding; nil of a severity that has no meaning here.
        package var diagnostic: Diagnostic? {
            [Severity.note, .warning, .error].first { $0.word == severity }.map {
                Diagnostic(
                    Code(code), $0, message, path: path, fix: fix,
                    sessionIdentifier: session.map { SceneSession.ID($0) })
            }
        }
    }
}

extension Diagnostic.Code {
    /// The pages of the file are damaged.
    public static let pageDamage = Self("pageDamage")
    /// A row's checksum is wrong, so the row was set aside.
    public static let damagedRow = Self("damagedRow")
    /// Fewer sessions were found than recorded.
    public static let lostSessions = Self("lostSessions")
    /// The digest of the rows differs from the recorded one.
    public static let digestMismatch = Self("digestMismatch")
    /// A second hard link to the store exists; backup tools make them.
    public static let secondLink = Self("secondLink")
    /// Other users could read the store's files; SceneStore corrected that.
    public static let permissionsTightened = Self("permissionsTightened")
    /// Two configurations of a role have one name; the second counts as absent.
    public static let duplicateConfigurationName = Self("duplicateConfigurationName")
    /// The container's folder has other files, and other users can look into it.
    public static let sharedContainer = Self("sharedContainer")
    /// The folder above the container is world-writable and has no sticky bit.
    public static let replaceableContainer = Self("replaceableContainer")
    /// The store was written by a newer version with features that may be ignored.
    public static let newerFeatures = Self("newerFeatures")
    /// A table of a known replication tool is in the store.
    public static let foreignTable = Self("foreignTable")
}

extension Diagnostic.Code {
    /// A configuration name that the manifest does not have under the role.
    public static let unresolvedConfiguration = Self("unresolvedConfiguration")
    /// Neither the manifest nor a provider has a configuration for the role.
    public static let noConfiguration = Self("noConfiguration")
    /// An activity's type is not declared in the manifest.
    public static let undeclaredActivityType = Self("undeclaredActivityType")
    /// A remembered configuration is gone; the role's default is used and the state kept.
    public static let staleConfiguration = Self("staleConfiguration")
    /// The previous process died while it restored the session.
    public static let restorationCrashed = Self("restorationCrashed")
    /// A session is kept without a scene until the app can show it.
    public static let sessionParked = Self("sessionParked")
    /// A payload is set aside, because processes died while they delivered it.
    public static let payloadSetAside = Self("payloadSetAside")
    /// A session's state is kept from the app, and pinned.
    public static let stateWithheld = Self("stateWithheld")
    /// The app could not restore a session's state; it is kept, and pinned.
    public static let restoreFailed = Self("restoreFailed")
    /// Three processes in a row died while they restored the session.
    public static let sessionHeld = Self("sessionHeld")
}

extension Diagnostic.Code {
    /// The window that the app named for a payload can't take it; the conditions were asked.
    public static let targetNotMet = Self("targetNotMet")
}
