import SceneStoreFormats
import SceneStoreValues

extension SceneManifest {
    /// Returns the findings about an Info.plist: errors of reading it, and probable mistakes.
    ///
    /// Apple's template has no findings. Findings are ordered by severity, then by their place in
    /// the property list. The order is the same in every run. Throws what ``init(propertyList:)``
    /// throws.
    public static func lint(
        propertyList bytes: some Collection<UInt8>
    ) throws(SceneStoreError) -> [Diagnostic] {
        let reader = try reader(of: bytes)
        var linter = ManifestLinter(manifest: reader.manifest, places: reader.places)
        linter.lint()
        let findings = reader.manifest.diagnostics + linter.findings
        // The sort is stable only by way of the index.
        return findings.enumerated()
            .sorted { ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset) }
            .map(\.element)
    }
}

extension Diagnostic.Code {
    /// The property list has no scene manifest.
    public static let noSceneManifest = Self("noSceneManifest")
    /// A role has several configurations, of which one is used unless code asks for another.
    public static let severalConfigurationsNeedProvider = Self("severalConfigurationsNeedProvider")
    /// A URL scheme is longer than some readers of links take.
    public static let longURLScheme = Self("longURLScheme")
    /// The manifest has no configurations.
    public static let noConfigurations = Self("noConfigurations")
    /// The manifest has configurations, but none for windows.
    public static let noWindowConfiguration = Self("noWindowConfiguration")
    /// A configuration has no name.
    public static let configurationWithoutName = Self("configurationWithoutName")
    /// A role is not one of UIKit's.
    public static let unknownRole = Self("unknownRole")
    /// A role has its older name.
    public static let deprecatedRole = Self("deprecatedRole")
    /// The role of a first launch has no configuration.
    public static let preferredRoleWithoutConfiguration = Self("preferredRoleWithoutConfiguration")
    /// There are several window configurations, but the app allows only one window.
    public static let severalConfigurationsForOneScene = Self("severalConfigurationsForOneScene")
    /// A scene class belongs to another role.
    public static let sceneClassOfOtherRole = Self("sceneClassOfOtherRole")
    /// A CarPlay scene is configured but not switched on.
    public static let carSceneNotSupported = Self("carSceneNotSupported")
    /// A CarPlay scene is switched on but not configured.
    public static let carSceneNotConfigured = Self("carSceneNotConfigured")
    /// An activity type is not in reverse-DNS form.
    public static let activityTypeNotReverseDNS = Self("activityTypeNotReverseDNS")
    /// An activity type or URL scheme is declared twice.
    public static let declaredTwice = Self("declaredTwice")
    /// A URL scheme is malformed (RFC 3986).
    public static let invalidURLScheme = Self("invalidURLScheme")
    /// A URL scheme belongs to the system or never routes.
    public static let reservedURLScheme = Self("reservedURLScheme")
    /// The property list contains a build variable where only its value can be compared.
    public static let unresolvedBuildVariable = Self("unresolvedBuildVariable")
    /// A build variable has no closing bracket.
    public static let malformedBuildVariable = Self("malformedBuildVariable")
}

/// Looks for what is well-formed and probably not meant.
struct ManifestLinter {
    let manifest: SceneManifest
    let places: ManifestPlaces
    private(set) var findings: [Diagnostic] = []

    init(manifest: SceneManifest, places: ManifestPlaces) {
        self.manifest = manifest
        self.places = places
    }

    mutating func lint() {
        lintPresence()
        for role in roles {
            lintRole(role)
            for (configuration, path) in zip(
                manifest.configurations[role] ?? [], places.entries[role] ?? [])
            {
                lint(configuration, at: path)
            }
        }
        lintPreferredRole()
        lintCar(
            .carTemplateApplicationDashboard, manifest.supportsDashboardNavigationScene,
            ManifestKey.supportsDashboard)
        lintCar(
            .carTemplateApplicationInstrumentCluster,
            manifest.supportsInstrumentClusterNavigationScene,
            ManifestKey.supportsInstrumentCluster)
        lintActivityTypes()
        lintSchemes()
    }

    private var roles: [SceneSessionRole] {
        manifest.configurations.keys.sorted {
            $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
        }
    }

    // MARK: - Roles and configurations

    private mutating func lintPresence() {
        let isRefused = manifest.diagnostics.contains { $0.severity == .error }
        guard manifest.isPresent else {
            if !isRefused {
                let version = manifest.sdkName.flatMap(SDKVersion.init)
                report(
                    .noSceneManifest, version.map { $0 >= .required } == true ? .error : .warning,
                    "the property list has no scene manifest; "
                        + SDKVersion.consequence(of: version),
                    at: places.manifest,
                    fix: "add \(ManifestKey.manifest), or name configurations in code")
            }
            return
        }
        if manifest.configurations.isEmpty, !isRefused {
            report(
                .noConfigurations, .note, "the manifest has no configurations",
                at: places.manifest,
                fix: "add \(ManifestKey.configurations), or name configurations in code")
        }
        let windows: [SceneSessionRole] = [
            .windowApplication, .windowVolumetricApplication, .immersiveSpaceApplication,
        ]
        if !manifest.configurations.isEmpty,
            !windows.contains(where: { manifest.configurations[$0] != nil })
        {
            report(
                .noWindowConfiguration, .note, "there is no configuration for the app's windows",
                at: places.configurations,
                fix:
                    "add one for \(SceneSessionRole.windowApplication.rawValue), or name it in code"
            )
        }
        let windowCount = manifest.configurations[.windowApplication]?.count ?? 0
        if !manifest.supportsMultipleScenes, windowCount > 1 {
            report(
                .severalConfigurationsForOneScene, .note,
                "the role has \(windowCount) configurations and the app can have one window",
                at: places.path(of: .windowApplication),
                fix: "set \(ManifestKey.supportsMultipleScenes), or choose one in code")
        }
        lintChoice()
    }

    /// Of several configurations of a role the first is used, unless code asks for another.
    private mutating func lintChoice() {
        for role in roles {
            let count = manifest.configurations[role]?.count ?? 0
            guard count > 1, manifest.supportsMultipleScenes || role != .windowApplication else {
                continue
            }
            report(
                .severalConfigurationsNeedProvider, .note,
                "the role has \(count) configurations; the provider in code chooses one, and "
                    + "without a provider every window gets the first",
                at: places.path(of: role),
                fix: "if the app has no application(_:configurationForConnecting:options:), "
                    + "implement it, or keep one configuration")
        }
    }

    private mutating func lintRole(_ role: SceneSessionRole) {
        if lintVariable(role.rawValue, at: places.path(of: role), isCompared: true) {
            return
        }
        if role == .windowExternalDisplay {
            let newer = SceneSessionRole.windowExternalDisplayNonInteractive.rawValue
            report(
                .deprecatedRole, .note, "the role has its older name",
                at: places.path(of: role),
                fix: "add \(newer) for newer systems")
        } else if !SceneSessionRole.known.contains(role) {
            let nearest = ManifestKey.nearest(
                to: role.rawValue, among: SceneSessionRole.known.map(\.rawValue))
            report(
                .unknownRole, nearest == nil ? .note : .warning, "UIKit has no such role",
                at: places.path(of: role),
                fix: nearest.map { "write \($0), if that was meant" }
                    ?? "nothing, if the role is your own, because it is kept unchanged")
        }
    }

    private mutating func lint(_ configuration: SceneConfiguration, at path: String) {
        if let name = configuration.name {
            lintVariable(
                name,
                at: KeyPathText.text(path, .key(places.spelled(ManifestKey.configurationName))),
                isCompared: true)
        } else if !isReported(path, ManifestKey.configurationName) {
            report(
                .configurationWithoutName, .note, "the configuration has no name", at: path,
                fix: "add \(ManifestKey.configurationName), so that code can ask for it")
        }
        for (key, text) in [
            (ManifestKey.delegateClassName, configuration.delegateClassName),
            (ManifestKey.sceneClassName, configuration.sceneClassName),
            (ManifestKey.storyboardFile, configuration.storyboardName),
        ] {
            if let text {
                lintVariable(
                    text, at: KeyPathText.text(path, .key(places.spelled(key))), isCompared: false)
            }
        }
        if let name = configuration.sceneClassName, let role = Self.sceneClasses[name],
            configuration.role != role, !isWindow(configuration.role) || !isWindow(role)
        {
            report(
                .sceneClassOfOtherRole, .warning, "the scene class belongs to another role",
                at: KeyPathText.text(path, .key(places.spelled(ManifestKey.sceneClassName))),
                fix: "use the role's own scene class, or leave the key out")
        }
    }

    private static let sceneClasses: [String: SceneSessionRole] = [
        "UIWindowScene": .windowApplication,
        "CPTemplateApplicationScene": .carTemplateApplication,
        "CPTemplateApplicationDashboardScene": .carTemplateApplicationDashboard,
        "CPTemplateApplicationInstrumentClusterScene": .carTemplateApplicationInstrumentCluster,
    ]

    /// Whether `UIWindowScene` can show a role; roles of other names may be anything.
    private func isWindow(_ role: SceneSessionRole) -> Bool {
        !Self.sceneClasses.values.contains(role) || role == .windowApplication
    }

    private mutating func lintPreferredRole() {
        guard let role = manifest.preferredDefaultRole, !manifest.configurations.isEmpty,
            manifest.configurations[role] == nil
        else {
            return
        }
        report(
            .preferredRoleWithoutConfiguration, .warning,
            "the role of a first launch has no configuration",
            at: places.preferredRole,
            fix: "add a configuration for the role, or name another role")
    }

    private mutating func lintCar(_ role: SceneSessionRole, _ isSupported: Bool, _ key: String) {
        let isConfigured = manifest.configurations[role]?.isEmpty == false
        if isConfigured, !isSupported, !isReported(places.manifest, key) {
            report(
                .carSceneNotSupported, .warning, "the scene is configured and not switched on",
                at: places.path(of: role), fix: "set \(key) in the manifest")
        } else if isSupported, !isConfigured, !manifest.configurations.isEmpty {
            report(
                .carSceneNotConfigured, .warning, "the scene is switched on and not configured",
                at: places.path(of: key),
                fix: "add a configuration for \(role.rawValue)")
        }
    }

    // MARK: - Activities and schemes

    private mutating func lintActivityTypes() {
        var seen: Set<String> = []
        for (type, path) in zip(manifest.activityTypes, places.activityTypes) {
            if !seen.insert(type).inserted {
                report(
                    .declaredTwice, .note, "the activity type is declared twice", at: path,
                    fix: "remove one of the two")
            } else if lintVariable(type, at: path, isCompared: true) {
                continue
            } else if !type.utf8.contains(UInt8(ascii: ".")), !type.hasSuffix("Intent") {
                // The names of intents are activity types without dots by Apple's own rule.
                report(
                    .activityTypeNotReverseDNS, .note,
                    "the activity type is not in reverse-DNS form", at: path,
                    fix: "name it such as com.example.edit, so that no other app has the same")
            }
        }
    }

    private mutating func lintSchemes() {
        var seen: Set<String> = []
        for (scheme, path) in zip(manifest.urlSchemes, places.urlSchemes) {
            let lower = scheme.lowercased()
            if !seen.insert(lower).inserted {
                report(
                    .declaredTwice, .note, "a URL scheme is declared twice", at: path,
                    fix: "remove one of the two; case does not count")
            } else if lintVariable(scheme, at: path, isCompared: true) {
                continue
            } else if !Self.isScheme(scheme) {
                report(
                    .invalidURLScheme, .error, "a URL scheme is malformed", at: path,
                    fix: "begin with a letter; go on with letters, digits, +, - and .")
            } else if Self.reservedSchemes.contains(lower) {
                report(
                    .reservedURLScheme, .warning,
                    "the URL scheme belongs to the system or is never routed", at: path,
                    fix: "use a scheme of your own, or associated domains for web links")
            } else if scheme.utf8.count > Self.longestScheme {
                report(
                    .longURLScheme, .note,
                    "a URL scheme is longer than \(Self.longestScheme) bytes", at: path,
                    fix: "use a shorter scheme; some programs don't accept longer ones")
            }
        }
    }

    private static let reservedSchemes: Set<String> = [
        "http", "https", "file", "javascript", "data", "about", "tel", "sms", "mailto", "facetime",
    ]

    /// curl, and what is built on it, reads no longer scheme; the longest that IANA has registered is
    /// 36 bytes long.
    private static let longestScheme = 40

    private static func isScheme(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        guard let first = text.utf8.first, isLetter(first) else {
            return false
        }
        return text.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
        }
    }

    // MARK: - Build variables

    /// Reports a build variable that has no end, or stands where texts are compared; true when
    /// the text holds one.
    @discardableResult
    private mutating func lintVariable(_ text: String, at path: String, isCompared: Bool) -> Bool {
        let bytes = Array(text.utf8)
        var hasVariable = false
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: "$") {
            let close: UInt8
            switch bytes[index + 1] {
            case UInt8(ascii: "("): close = UInt8(ascii: ")")
            case UInt8(ascii: "{"): close = UInt8(ascii: "}")
            default: continue
            }
            guard bytes[(index + 2)...].contains(close) else {
                report(
                    .malformedBuildVariable, .warning, "a build variable has no closing bracket",
                    at: path, fix: "close it, such as $(PRODUCT_MODULE_NAME)")
                return true
            }
            hasVariable = true
        }
        if hasVariable, isCompared {
            report(
                .unresolvedBuildVariable, .note,
                "a build variable is used where only its value can be compared", at: path,
                fix: "read the Info.plist of the built app instead of the source")
        }
        return hasVariable
    }

    // MARK: - Findings

    /// Whether reading found something at a key.
    private func isReported(_ path: String, _ key: String) -> Bool {
        let places = [key, ManifestKey.unprefixed(key)].map { KeyPathText.text(path, .key($0)) }
        return manifest.diagnostics.contains { finding in
            finding.path.map(places.contains) ?? false
        }
    }

    private mutating func report(
        _ code: Diagnostic.Code, _ severity: Diagnostic.Severity, _ message: String,
        at path: String, fix: String
    ) {
        findings.append(Diagnostic(code, severity, message, path: path, fix: fix))
    }
}
