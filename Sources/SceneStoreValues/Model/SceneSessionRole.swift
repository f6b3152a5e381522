/// The purpose of a scene: a window, an external display, a car's screen (L-15).
///
/// The set is open: a role of any other name is kept unchanged. The names are those of
/// [UISceneSession.Role](https://developer.apple.com/documentation/uikit/uiscenesession/role).
///
/// ```swift
/// let palette = SceneSessionRole(rawValue: "com.example.palette")
/// let isApples = SceneSessionRole.known.contains(palette)  // false
/// ```
public struct SceneSessionRole: RawRepresentable, Hashable, Sendable {
    /// The role's name as manifests write it.
    public let rawValue: String

    /// Makes a role from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An interactive window on the device's own screen.
    public static let windowApplication = Self(
        rawValue: "UIWindowSceneSessionRoleApplication")
    /// An external display that takes no input.
    public static let windowExternalDisplayNonInteractive = Self(
        rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    /// An external display, by its older name.
    public static let windowExternalDisplay = Self(
        rawValue: "UIWindowSceneSessionRoleExternalDisplay")
    /// CarPlay's main screen.
    public static let carTemplateApplication = Self(
        rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    /// CarPlay's dashboard.
    public static let carTemplateApplicationDashboard = Self(
        rawValue: "CPTemplateApplicationDashboardSceneSessionRoleApplication")
    /// CarPlay's instrument cluster.
    public static let carTemplateApplicationInstrumentCluster = Self(
        rawValue: "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication")
    /// An immersive space.
    public static let immersiveSpaceApplication = Self(
        rawValue: "UISceneSessionRoleImmersiveSpaceApplication")
    /// A volume: a window with depth in visionOS.
    public static let windowVolumetricApplication = Self(
        rawValue: "UIWindowSceneSessionRoleVolumetricApplication")

    /// The app's preferences, where they are a window of their own.
    public static let preferences = Self(rawValue: "SceneStorePreferencesSessionRole")

    /// The roles that have a name here.
    public static let known: [SceneSessionRole] = [
        .windowApplication, .windowExternalDisplayNonInteractive, .windowExternalDisplay,
        .carTemplateApplication, .carTemplateApplicationDashboard,
        .carTemplateApplicationInstrumentCluster, .immersiveSpaceApplication,
        .windowVolumetricApplication,
    ]

    /// Whether it is a role of the app's own.
    package var isCustom: Bool { !Self.known.contains(self) }
}
