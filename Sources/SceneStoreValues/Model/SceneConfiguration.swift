/// The classes and the storyboard with which a session's scene is made.
///
/// A session keeps its own copy; changing a configuration afterwards changes no session.
///
/// ```swift
/// let configuration = SceneConfiguration(name: "Note", role: .windowApplication)
/// let isFromManifest = configuration.resolution == .manifest  // false
/// ```
public struct SceneConfiguration: Hashable, Sendable {
    /// The name in the manifest, or `nil` for the role's default.
    public var name: String?
    /// The scene's role.
    public var role: SceneSessionRole
    /// The scene's class, as the manifest writes it.
    public var sceneClassName: String?
    /// The scene delegate's class, as the manifest writes it; build variables are kept verbatim.
    /// (L-22)
    public var delegateClassName: String?
    /// The storyboard.
    public var storyboardName: String?
    /// The immersion style of an immersive space.
    public var initialImmersionStyle: String?
    /// The origin of the configuration's contents.
    public var resolution: Resolution

    /// The origins of a configuration's contents.
    public enum Resolution: Int, Sendable, Hashable {
        /// The app made it; no manifest was asked.
        case application = 0
        /// An entry of the manifest.
        case manifest = 1
        /// A name or role that the manifest does not have: classes and storyboard are `nil`.
        case unresolved = 2
    }

    /// Makes a configuration that the manifest fills in, as UIKit's initialiser does.
    public init(name: String?, role: SceneSessionRole) {
        self.name = name
        self.role = role
        resolution = .application
    }

    /// What replaces a configuration whose row is damaged: a name that no manifest has, under the
    /// role that is known, or an empty one.
    package static func lost(_ role: String?) -> SceneConfiguration {
        var configuration = SceneConfiguration(
            name: "", role: SceneSessionRole(rawValue: role ?? ""))
        configuration.resolution = .manifest
        return configuration
    }

    /// Whether it replaces a damaged one whose name is unknown.
    package var isLost: Bool { name?.isEmpty == true && self == .lost(role.rawValue) }
}
