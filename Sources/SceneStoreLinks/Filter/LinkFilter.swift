import SceneStoreValues

/// A filter that decides whether a link belongs to the app, before it is routed (K-01).
///
/// The link's bytes are checked first (``CheckedLink``). Then a custom scheme must be one of the
/// app's own, and an https link must lead to one of its associated domains; if the domain's
/// association file is available, it must match. `http`, `javascript:`, `file:`, `data:` and
/// `about:` never belong to the app. Every decision lists the checks and their results.
///
/// ```swift
/// let domain = try AssociatedDomain("example.com")
/// var filter = LinkFilter(schemes: ["deeplink"], domains: [domain])
/// filter.add(file, for: domain)
/// let isMine = filter.decide("https://example.com/videos/42?t=1").isAccepted  // true
/// ```
///
/// ## Topics
/// - ``init(schemes:domains:appID:policy:requiresAssociation:)``
/// - ``add(_:for:)``
/// - ``decide(_:)``
public struct LinkFilter: Sendable {
    /// The app's own schemes, in lower case.
    public let schemes: [String]
    /// The hosts whose https links may be the app's.
    public let domains: [AssociatedDomain]
    /// The app in association files; without one a link may be any app's.
    public let appID: String?
    /// Whether an https link needs an association file here. If not, a host of ``domains`` is
    /// enough when no file is known for it, because the system has already checked the link.
    public let requiresAssociation: Bool
    /// The rules for a link's form.
    public let policy: LinkPolicy
    private var files: [(domain: AssociatedDomain, file: AssociationFile)] = []

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - schemes: The app's own schemes, such as ``SceneManifest/urlSchemes``. Those that never
    ///     route, and `http` and `https`, don't count.
    ///   - domains: The entries of its associated domains.
    ///   - appID: The app in association files, such as `ABCDE12345.com.example.app`.
    ///   - policy: The rules for a link's form. Domains that are not wildcards count as listed
    ///       hosts.
    ///   - requiresAssociation: Whether an https link needs an association file here.
    public init(
        schemes: [String] = [], domains: [AssociatedDomain] = [], appID: String? = nil,
        policy: LinkPolicy = LinkPolicy(), requiresAssociation: Bool = false
    ) {
        self.schemes = schemes.map { $0.lowercased() }.filter {
            $0 != "https" && RoutePattern.problem(ofScheme: $0) == nil
        }
        self.domains = domains
        self.appID = appID
        self.requiresAssociation = requiresAssociation
        var policy = policy
        policy.listedHosts.formUnion(domains.lazy.filter { !$0.isWildcard }.map(\.host))
        self.policy = policy
    }

    /// Adds the association file of a domain's hosts; it replaces an earlier one.
    public mutating func add(_ file: AssociationFile, for domain: AssociatedDomain) {
        files.removeAll { $0.domain == domain }
        files.append((domain, file))
    }

    /// Decides about a link.
    public func decide(_ link: String) -> LinkDecision {
        var steps: [LinkDecision.Step] = []
        let checked: CheckedLink
        do throws(LinkRefusal) {
            checked = try CheckedLink(link, policy: policy)
        } catch {
            steps.append(.init("bytes", false, "\(error)"))
            return LinkDecision(steps: steps, refusal: error)
        }
        steps.append(.init("bytes", true, "\(link.utf8.count) bytes, every rule holds"))
        switch checked.kind {
        case .customScheme: return customScheme(checked, steps)
        case .universalLink: return universalLink(checked, steps)
        }
    }

    private func customScheme(
        _ link: CheckedLink, _ earlier: [LinkDecision.Step]
    ) -> LinkDecision {
        let names = schemes.isEmpty ? "none" : schemes.joined(separator: ", ")
        guard schemes.contains(link.scheme) else {
            let refusal = LinkRefusal(
                .unknownScheme, "the scheme is not one of the app's (\(names))",
                hint: "declare it in CFBundleURLTypes if it is")
            return LinkDecision(
                link: link, steps: earlier + [.init("scheme", false, refusal.message)],
                refusal: refusal)
        }
        return LinkDecision(
            link: link, steps: earlier + [.init("scheme", true, "\(link.scheme) is the app's")])
    }

    private func universalLink(
        _ link: CheckedLink, _ earlier: [LinkDecision.Step]
    ) -> LinkDecision {
        var steps = earlier
        guard let host = link.host, let index = AssociatedDomain.best(of: domains, for: host) else {
            let names = domains.map(\.description).joined(separator: ", ")
            let refusal = LinkRefusal(
                .foreignHost,
                "the host is not among the associated domains (\(names.isEmpty ? "none" : names))",
                hint: "add applinks: with the host to the app's associated domains if it is yours")
            steps.append(.init("domain", false, refusal.message))
            return LinkDecision(link: link, steps: steps, refusal: refusal)
        }
        steps.append(.init("domain", true, "\(host) belongs to \(domains[index])"))
        guard let found = AssociatedDomain.best(of: files.map(\.domain), for: host) else {
            if requiresAssociation {
                let refusal = LinkRefusal(
                    .missingAssociation, "no association file is known for the host")
                steps.append(.init("association", false, refusal.message))
                return LinkDecision(link: link, steps: steps, refusal: refusal)
            }
            steps.append(.init("association", true, "no file given; the domain is enough"))
            return LinkDecision(link: link, steps: steps)
        }
        let file = files[found].file
        let match = file.match(link.text, appID: appID)
        let explanation = file.explain(link.text, appID: appID)
        let isMatch = match.decision == .match
        steps.append(.init("association", isMatch, explanation.lines.joined(separator: "; ")))
        let rule = explanation.decidedBy.map { " by \($0.keyPath)" } ?? ""
        let refusal: LinkRefusal? =
            switch match.decision {
            case .match: nil
            case .noMatch:
                LinkRefusal(
                    .notAssociated, "no rule of the association file matches the link",
                    hint: explanation.closestMiss?.hint)
            case .exclude:
                LinkRefusal(.excluded, "the association file excludes the link\(rule)")
            }
        return LinkDecision(
            link: link, steps: steps, refusal: refusal, association: explanation)
    }
}

/// The decision of a ``LinkFilter`` about a link, with its steps.
///
/// ```swift
/// let decision = filter.decide("https://example.com/help/1")
/// let failed = decision.steps.first { !$0.isPassed }
/// let reason = failed?.answer
/// ```
public struct LinkDecision: Sendable {
    /// One question that was asked.
    public struct Step: Hashable, Sendable {
        /// The part that was checked: `bytes`, `scheme`, `domain` or `association`.
        public var name: String
        /// Whether the link went on.
        public var isPassed: Bool
        /// The result, for people; it may quote the link.
        public var answer: String

        package init(_ name: String, _ isPassed: Bool, _ answer: String) {
            self.name = name
            self.isPassed = isPassed
            self.answer = answer
        }
    }

    /// The link, when its bytes are in order.
    public let link: CheckedLink?
    /// The questions in their order.
    public let steps: [Step]
    /// The reason why the link doesn't belong to the app; `nil` if it does.
    public let refusal: LinkRefusal?
    /// The explanation of the association file, if one was checked.
    public let association: AssociationExplanation?

    package init(
        link: CheckedLink? = nil, steps: [Step], refusal: LinkRefusal? = nil,
        association: AssociationExplanation? = nil
    ) {
        self.link = link
        self.steps = steps
        self.refusal = refusal
        self.association = association
    }

    /// Whether the link is the app's.
    public var isAccepted: Bool {
        refusal == nil
    }

    /// The decision in lines, for a developer; it may quote the link.
    public var lines: [String] {
        var result = steps.map { "\($0.isPassed ? "✓" : "✗") \($0.name): \($0.answer)" }
        if let hint = refusal?.hint {
            result.append("hint: \(hint)")
        }
        return result
    }
}

extension LinkDecision: CustomStringConvertible {
    /// The origin and the verdict; nothing else of the link.
    public var description: String {
        let origin = link?.origin ?? "a link"
        return refusal.map { "\(origin) refused: \($0)" } ?? "\(origin) accepted"
    }
}
