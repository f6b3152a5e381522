#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

/// The reason why a link doesn't belong to the app, or may not be opened.
///
/// Its text names the rule and, if that helps, the byte; never the link's content.
///
/// ```swift
/// do {
///     _ = try CheckedLink("javascript:alert(1)")
/// } catch {
///     refusals.append(error.reason == .forbiddenScheme ? "never opened" : error.message)
/// }
/// ```
public struct LinkRefusal: Error, Hashable, Sendable {
    /// A stable word for the kind of refusal; new ones may be added in any release.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word itself, lowerCamelCase.
        public let rawValue: String

        /// Makes a reason from a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes a reason from a word.
        package init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The kind of refusal.
    public var reason: Reason
    /// One line for people: what is wrong.
    public var message: String
    /// What to do about the link.
    public var hint: String?
    /// The offset of the byte in question.
    public var offset: Int?

    /// Makes a refusal.
    package init(_ reason: Reason, _ message: String, hint: String? = nil, offset: Int? = nil) {
        self.reason = reason
        self.message = message
        self.hint = hint
        self.offset = offset
    }

    /// The refusal as the package's error, with the code ``SceneStoreError/Code/linkRefused``.
    public var error: SceneStoreError {
        SceneStoreError(.linkRefused, "\(reason.rawValue): \(message)")
    }
}

extension LinkRefusal: CustomStringConvertible {
    /// The reason, the message and the place in one line.
    public var description: String {
        var text = "\(reason.rawValue): \(message)"
        if let offset {
            text += " (byte \(offset))"
        }
        return text
    }
}

extension LinkRefusal: LocalizedError {
    /// The reason, the message and the place in one line.
    public var errorDescription: String? { description }
    /// The description of the problem.
    public var failureReason: String? { message }
    /// The remedy.
    public var recoverySuggestion: String? { hint }
}

extension LinkRefusal.Reason {
    /// The link is empty.
    public static let empty = Self("empty")
    /// The link is longer than ``LinkPolicy/maximumBytes``.
    public static let tooLong = Self("tooLong")
    /// A byte is not printable ASCII: a blank, a control character, NUL or raw non-ASCII text.
    public static let notPrintable = Self("notPrintable")
    /// A backslash, which browsers take for a slash.
    public static let backslash = Self("backslash")
    /// A character that RFC 3986 allows only as a percent escape, or not at its place.
    public static let forbiddenCharacter = Self("forbiddenCharacter")
    /// A percent sign without two hexadecimal digits.
    public static let badPercentEscape = Self("badPercentEscape")
    /// An escaped control character, line separator, bidirectional mark or zero-width character.
    public static let encodedControlCharacter = Self("encodedControlCharacter")
    /// Percent escapes that are not UTF-8.
    public static let encodedInvalidText = Self("encodedInvalidText")
    /// The link has no scheme.
    public static let missingScheme = Self("missingScheme")
    /// A scheme that runs code or reads files or memory: it never routes.
    public static let forbiddenScheme = Self("forbiddenScheme")
    /// `http`: only https links are universal links.
    public static let insecureScheme = Self("insecureScheme")
    /// A scheme that is not among the app's own.
    public static let unknownScheme = Self("unknownScheme")
    /// A universal link without a host.
    public static let missingHost = Self("missingHost")
    /// The host is not a valid domain name.
    public static let malformedHost = Self("malformedHost")
    /// Something before `@` in the authority.
    public static let userInfo = Self("userInfo")
    /// The host is an IP address.
    public static let addressLiteral = Self("addressLiteral")
    /// The link has a port that is not allowed there.
    public static let port = Self("port")
    /// The host ends with a dot.
    public static let trailingDot = Self("trailingDot")
    /// The host holds a percent escape.
    public static let encodedHost = Self("encodedHost")
    /// The host is an internationalised name that isn't listed.
    public static let internationalizedHost = Self("internationalizedHost")
    /// A segment of the path is `.` or `..`, plain or escaped.
    public static let dotSegment = Self("dotSegment")
    /// A segment of the path holds an escaped slash or backslash.
    public static let encodedSlash = Self("encodedSlash")
    /// The system's URL parser reads the link differently.
    public static let parserDisagrees = Self("parserDisagrees")
    /// The host is not among the app's associated domains.
    public static let foreignHost = Self("foreignHost")
    /// No association file is known for the host, and one is required.
    public static let missingAssociation = Self("missingAssociation")
    /// The association file says nothing about the link.
    public static let notAssociated = Self("notAssociated")
    /// The association file excludes the link.
    public static let excluded = Self("excluded")
}

extension SceneStoreError.Code {
    /// A link's bytes, scheme or host are refused; see ``LinkRefusal``.
    public static let linkRefused = Self("linkRefused")
}
