import SceneStoreValues

/// An entry of the associated-domains entitlement: the hosts whose links may belong to the app.
///
/// `applinks:example.com` is one host, `applinks:*.example.com` every host below it, without the
/// host itself. The service may be left out. See Apple's [Associated domains
/// entitlement](https://developer.apple.com/documentation/bundleresources/entitlements/com.apple.developer.associated-domains).
///
/// ```swift
/// let domain = try AssociatedDomain("*.example.com?mode=developer")
/// let isMine = domain.contains("video.example.com")  // true
/// let isForTests = domain.mode == .developer  // true
/// ```
public struct AssociatedDomain: Hashable, Sendable {
    /// The association files that the system can ask for.
    public enum Mode: String, Hashable, Sendable {
        /// Straight from the site, for apps under development.
        case developer
        /// With a managed profile.
        case managed
        /// Both.
        case developerAndManaged = "developer+managed"
    }

    /// The host in lower case, without `*.`.
    public let host: String
    /// Whether the entry is for the hosts below ``host``.
    public let isWildcard: Bool
    /// The value of `?mode=`.
    public let mode: Mode?

    /// Reads an entry.
    ///
    /// Throws ``SceneStoreError/Code/invalidAssociatedDomain`` for another service, a scheme, a
    /// port, a path, an unknown mode or an invalid domain name.
    public init(_ entry: String) throws(SceneStoreError) {
        var rest = entry[...]
        if let colon = rest.firstIndex(of: ":") {
            guard rest[..<colon] == "applinks" else {
                throw Self.error("an entry for links begins with applinks: and a domain name")
            }
            rest = rest[rest.index(after: colon)...]
        }
        if let question = rest.firstIndex(of: "?") {
            let option = rest[rest.index(after: question)...]
            guard option.hasPrefix("mode="), let mode = Mode(rawValue: String(option.dropFirst(5)))
            else {
                throw Self.error("the only option is ?mode=developer, managed or developer+managed")
            }
            self.mode = mode
            rest = rest[..<question]
        } else {
            mode = nil
        }
        isWildcard = rest.hasPrefix("*.")
        var name = String(isWildcard ? rest.dropFirst(2) : rest)
        let problem: LinkRefusal? = name.withUTF8 { bytes in
            do throws(LinkRefusal) {
                try LinkByteCheck.checkName(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let problem {
            throw Self.error(
                "\(problem.message); an entry is a domain name, without a path or a port, "
                    + "in its xn-- spelling if it is internationalised")
        }
        host = name.lowercased()
    }

    private static func error(_ message: String) -> SceneStoreError {
        SceneStoreError(.invalidAssociatedDomain, message, path: "associated-domains")
    }

    /// Returns whether a host belongs to the entry, ignoring case.
    public func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        guard isWildcard else {
            return name.hasSameBytes(as: self.host)
        }
        return name.utf8.count > self.host.utf8.count + 1 && name.hasSuffix("." + self.host)
    }

    /// The entry that decides for a host: an exact one, else the longest wildcard.
    package static func best(of domains: [AssociatedDomain], for host: String) -> Int? {
        let found = domains.indices.filter { domains[$0].contains(host) }
        return found.max { domains[$0].rank < domains[$1].rank }
    }

    private var rank: Int {
        (isWildcard ? 0 : 1_000) + host.utf8.count
    }
}

extension AssociatedDomain: CustomStringConvertible {
    /// The entry as the entitlement writes it.
    public var description: String {
        "applinks:" + (isWildcard ? "*." : "") + host + (mode.map { "?mode=\($0.rawValue)" } ?? "")
    }
}

extension SceneStoreError.Code {
    /// An entry of the associated domains can't be read.
    public static let invalidAssociatedDomain = Self("invalidAssociatedDomain")
}
