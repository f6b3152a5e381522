/// The entries of an app's Info.plist about scenes, activities and URL schemes.
///
/// Import `SceneStoreFormats` to read an Info.plist, with ``init(propertyList:)``. Reading is lenient:
/// a malformed part yields a ``Diagnostic`` with its key path and counts as absent, and every other
/// part still works. Import `SceneStoreExchange` to lint one.
///
/// ```swift
/// let manifest = try SceneManifest(propertyList: bytes)
/// let identifier = manifest.bundleIdentifier  // "com.example.notes"
/// let findings = try SceneManifest.lint(propertyList: bytes)
/// ```
public struct SceneManifest: Hashable, Sendable {
    /// Whether the property list holds a scene manifest at all.
    public var isPresent = false
    /// `UIApplicationSupportsMultipleScenes`; false when absent.
    public var supportsMultipleScenes = false
    /// `UIApplicationSupportsTabbedSceneCollection`; absent is `nil`.
    public var supportsTabbedSceneCollection: Bool?
    /// `CPSupportsDashboardNavigationScene`; false when absent.
    public var supportsDashboardNavigationScene = false
    /// `CPSupportsInstrumentClusterNavigationScene`; false when absent.
    public var supportsInstrumentClusterNavigationScene = false
    /// `UIApplicationPreferredDefaultSceneSessionRole`: the role of a first launch.
    public var preferredDefaultRole: SceneSessionRole?
    /// `UISceneConfigurations`: the well-formed entries of each role, in their order. A role whose
    /// entries are all malformed is present and empty.
    public var configurations: [SceneSessionRole: [SceneConfiguration]] = [:]
    /// `NSUserActivityTypes`.
    public var activityTypes: [String] = []
    /// The schemes of `CFBundleURLTypes`, as written.
    public var urlSchemes: [String] = []
    /// `CFBundleIdentifier`.
    public var bundleIdentifier: String?
    /// `CFBundleVersion`.
    package var bundleVersion: String?
    /// `DTSDKName`, which Xcode writes into the built product: `iphoneos27.0`.
    package var sdkName: String?
    /// Keys of the manifest that have no meaning here, by key path, with their values.
    public var unknownKeys: ValueDictionary = [:]
    /// The findings of the reader: errors, and things worth knowing.
    public var diagnostics: [Diagnostic] = []
    /// Whether the app declared its windows in code, without an Info.plist.
    package var isDeclaredInCode = false

    /// Makes an empty manifest, like that of an app without one.
    public init() {}

    /// Returns the role's default: its first well-formed entry.
    public func defaultConfiguration(for role: SceneSessionRole) -> SceneConfiguration? {
        configurations[role]?.first
    }

    /// Returns the entry of a name and role. Of two equal names, the first counts.
    public func configuration(named name: String, role: SceneSessionRole) -> SceneConfiguration? {
        configurations[role]?.first { $0.name?.hasSameBytes(as: name) ?? false }
    }

    /// The role under which a name is declared: a window's own role, if it is declared there, else the
    /// only one; nil for a name that is unknown or ambiguous.
    package func role(ofConfiguration name: String) -> SceneSessionRole? {
        guard configuration(named: name, role: .windowApplication) == nil else {
            return .windowApplication
        }
        let roles = configurations.keys.filter { configuration(named: name, role: $0) != nil }
        return roles.count == 1 ? roles.first : nil
    }
}
