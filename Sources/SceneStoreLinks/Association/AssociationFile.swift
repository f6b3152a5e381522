import SceneStoreFormats
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An association file, which defines which links of a site open which app.
///
/// Reads Apple's `apple-app-site-association` (`components` and the older `paths`, defaults,
/// substitution variables, details as an array or a dictionary) and the dynamic rules of Android's
/// `assetlinks.json`, as served. Invalid parts count as absent and are listed in ``diagnostics``.
/// Only a file that is not an association file at all is an error.
///
/// ```swift
/// let file = try AssociationFile(bytes)
/// let decision = file.match("https://example.com/videos/42?t=1").decision  // .match
/// let isApples = file.platform == .apple  // true
/// ```
///
/// The rules are compiled when the file is read. A match then costs about as much for 1 000 rules
/// as for ten, and allocates nothing, unless a rule asks for decoded links or uses variables of
/// complete words. Its cost is at most linear in the link and linear in the rules.
///
/// ## Topics
/// ### Asking
/// - ``match(_:appID:)``
/// - ``matcher(appID:)``
/// - ``explain(_:appID:)``
public struct AssociationFile: Sendable {
    /// Whose file it is.
    public enum Platform: String, Hashable, Sendable {
        /// `apple-app-site-association`.
        case apple
        /// `assetlinks.json`.
        case android
    }

    /// The longest link that is matched, in bytes; a longer one matches nothing.
    package static let maximumLinkBytes = 64 << 10

    /// Whose file it is.
    public let platform: Platform
    /// The entries with their rules, defaults applied.
    public let details: [AssociationDetail]
    /// The problems of the file, in the order of reading.
    public let diagnostics: [Diagnostic]

    package let rules: [AssociationRules]
    package let patterns: URLPatternTable
    package let variables: SubstitutionVariables
    private let detailsByApp: [String: [Int]]

    /// Reads a file.
    ///
    /// Throws ``SceneStoreError/Code/associationTooLarge`` over 128 KiB, and
    /// ``SceneStoreError/Code/associationMalformed`` if the file is not JSON, repeats a key in an
    /// object, is nested more than 32 levels deep or is not an association file.
    public init(_ bytes: some Sequence<UInt8>) throws(SceneStoreError) {
        self.init(try AssociationReader(try Self.json(Array(bytes))))
    }

    /// Makes a file of one rule, such as `{"/": "/videos/*"}`. It names no app, so ask without one.
    public init(component json: String) throws(SceneStoreError) {
        self.init(try AssociationReader(component: try Self.json(Array(json.utf8))))
    }

    /// The largest file that Apple's and Google's clients read.
    private static let maximumBytes = 128 << 10

    private static func json(_ bytes: [UInt8]) throws(SceneStoreError) -> CanonicalJSON {
        guard bytes.count <= maximumBytes else {
            throw SceneStoreError(
                .associationTooLarge,
                "the file has \(bytes.count) bytes, more than \(maximumBytes); clients ignore it")
        }
        do throws(SceneStoreError) {
            return try CanonicalJSON(
                parsing: bytes, limits: CanonicalJSON.ReadingLimits(depth: 32))
        } catch {
            throw SceneStoreError(.associationMalformed, error.message)
        }
    }

    private init(_ reader: AssociationReader) {
        var findings = reader.findings
        var patterns = URLPatternTable()
        var rules: [AssociationRules] = []
        var byApp: [String: [Int]] = [:]
        for (index, detail) in reader.details.enumerated() {
            rules.append(
                AssociationRules(
                    detail, variables: reader.variables, patterns: &patterns,
                    findings: &findings))
            for app in detail.appIDs {
                byApp[app, default: []].append(index)
            }
        }
        platform = reader.platform
        details = reader.details
        variables = reader.variables
        self.rules = rules
        self.patterns = patterns
        detailsByApp = byApp
        findings += AssociationLint.findings(in: reader.details)
        diagnostics = findings
    }

    /// Whether nothing was found that keeps a rule from working.
    package var isClean: Bool {
        !diagnostics.contains { $0.severity == .error }
    }

    /// The apps that the file names, in its order.
    public var appIDs: [String] {
        var seen: Set<String> = []
        return details.flatMap(\.appIDs).filter { seen.insert($0).inserted }
    }

    /// Returns the file's decision about a link.
    ///
    /// - Parameters:
    ///   - link: The link as written; only https links with a host can match. The host isn't
    ///     compared: the file says nothing about where it is served.
    ///   - appID: The app to check. Without one the decision is `match` if the link opens any of
    ///     the apps, or else `exclude` if it is excluded for one.
    public func match(_ link: String, appID: String? = nil) -> AssociationMatch {
        matcher(appID: appID).match(link)
    }

    /// Returns the file's rules for one app, for matching many links.
    public func matcher(appID: String? = nil) -> AssociationMatcher {
        let chosen = detailIndices(appID: appID)
        let isAnyApp = appID == nil && detailsByApp.values.contains { $0.count > 1 }
        return AssociationMatcher(
            rules: chosen.map { rules[$0] }, details: chosen, patterns: patterns,
            appIDs: isAnyApp ? chosen.map { details[$0].appIDs } : nil,
            isAnyApp: appID == nil)
    }

    /// The entries for an app; all without one.
    func detailIndices(appID: String?) -> [Int] {
        appID.map { detailsByApp[$0] ?? [] } ?? Array(details.indices)
    }
}

/// An association file as one app sees it, ready to match many links.
///
/// ```swift
/// let matcher = file.matcher(appID: "ABCDE12345.com.example.app")
/// let opened = links.filter { matcher.match($0).decision == .match }
/// ```
public struct AssociationMatcher: Sendable {
    package let rules: [AssociationRules]
    package let details: [Int]
    package let patterns: URLPatternTable
    /// Each entry's apps, when some app has several entries and no app was chosen.
    package let appIDs: [[String]]?
    let isAnyApp: Bool
    private let needsDecoding: Bool

    package init(
        rules: [AssociationRules], details: [Int], patterns: URLPatternTable,
        appIDs: [[String]]?, isAnyApp: Bool
    ) {
        self.rules = rules
        self.details = details
        self.patterns = patterns
        self.appIDs = appIDs
        self.isAnyApp = isAnyApp
        needsDecoding = rules.contains(where: \.needsDecoding)
    }

    /// Returns the file's decision about a link; see ``AssociationFile/match(_:appID:)``.
    public func match(_ link: String) -> AssociationMatch {
        var work = 0
        return match(link, work: &work)
    }

    /// Matches, and adds the steps that it took.
    package func match(_ link: String, work: inout Int) -> AssociationMatch {
        var link = link
        return link.withUTF8 { bytes in
            work &+= bytes.count / 8
            var steps = 0
            defer { work &+= steps }
            return AssociationText.with(bytes, needsDecoding: needsDecoding) { text in
                isAnyApp ? anyApp(text, work: &steps) : oneApp(text, work: &steps)
            } ?? .none
        }
    }

    private func answer(_ index: Int, _ rule: AssociationRules.Rule) -> AssociationMatch {
        AssociationMatch(
            decision: rule.isExcluded ? .exclude : .match, detail: details[index],
            component: Int(rule.component))
    }

    private func oneApp(_ text: AssociationText, work: inout Int) -> AssociationMatch {
        for index in rules.indices {
            if let rule = rules[index].firstMatch(text, patterns: patterns, work: &work) {
                return answer(index, rule)
            }
        }
        return .none
    }

    /// The first entry that opens an app which no earlier entry has decided about.
    private func anyApp(_ text: AssociationText, work: inout Int) -> AssociationMatch {
        var excluded: AssociationMatch?
        var decided: Set<String> = []
        for index in rules.indices {
            guard let rule = rules[index].firstMatch(text, patterns: patterns, work: &work) else {
                continue
            }
            if let appIDs, appIDs[index].allSatisfy(decided.contains), !appIDs[index].isEmpty {
                continue
            }
            guard rule.isExcluded else {
                return answer(index, rule)
            }
            excluded = excluded ?? answer(index, rule)
            if let appIDs {
                decided.formUnion(appIDs[index])
            }
        }
        return excluded ?? .none
    }
}

extension SceneStoreError.Code {
    /// An association file is larger than 128 KiB.
    public static let associationTooLarge = Self("associationTooLarge")
    /// An association file is not JSON, or not of a shape that can be read.
    public static let associationMalformed = Self("associationMalformed")
}
