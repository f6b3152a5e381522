/// A kind of window that a desktop app declares.
///
/// ```swift
/// let options = SceneApplicationOptions.desktop(
///     .window("Document"), .single("Preferences", role: .preferences))
/// ```
public struct DeclaredWindow: Sendable {
    let name: String
    let role: SceneSessionRole
    let isSingle: Bool
    let isRemembered: Bool

    /// A kind of which there may be any number. The first of a role is its default. Windows of a kind
    /// that isn't remembered, such as private ones, never come back
    /// (``SceneApplicationOptions/unrememberedConfigurations``).
    public static func window(
        _ name: String, role: SceneSessionRole = .windowApplication, isRemembered: Bool = true
    ) -> DeclaredWindow {
        DeclaredWindow(name: name, role: role, isSingle: false, isRemembered: isRemembered)
    }

    /// A window of which there is one: asking for it again brings it forward. It has a role of its
    /// own, so it neither takes links nor counts as the window that a launch owes the user.
    public static func single(_ name: String, role: SceneSessionRole) -> DeclaredWindow {
        DeclaredWindow(name: name, role: role, isSingle: true, isRemembered: true)
    }
}

extension SceneApplicationOptions {
    /// How a desktop's app behaves that has no Info.plist and windows of these kinds.
    public static func desktop(
        _ first: DeclaredWindow, _ more: DeclaredWindow...
    ) -> SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        for window in [first] + more {
            var configuration = SceneConfiguration(name: window.name, role: window.role)
            configuration.resolution = .manifest
            manifest.configurations[window.role, default: []].append(configuration)
        }
        var options = desktop(manifest: manifest)
        options.unrememberedConfigurations = Set(
            ([first] + more).filter { !$0.isRemembered }.map(\.name))
        options.singleRoles = Set(([first] + more).filter(\.isSingle).map(\.role))
        return options
    }
}
