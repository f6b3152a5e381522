import SceneStoreEngine
import SceneStoreValues

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
    let privacy: PrivacyClass

    /// Declares a kind of window that allows any number of windows.
    ///
    /// The first kind of a role is the role's default. Windows of an ephemeral kind never come back,
    /// and no title, value or other content of them is stored
    /// (``SceneApplicationOptions/unrememberedConfigurations``). Those of a redacted kind are
    /// redacted from the beginning (``SceneApplicationOptions/redactedConfigurations``).
    public static func window(
        _ name: String, role: SceneSessionRole = .windowApplication,
        privacy: PrivacyClass = .standard
    ) -> DeclaredWindow {
        DeclaredWindow(name: name, role: role, isSingle: false, privacy: privacy)
    }

    /// Declares a kind that allows one window. Asking for it again brings the window forward.
    ///
    /// Open it with `try await hosted.openWindow(role: .preferences)`, or by its name.
    /// With a role of its own, such as `.preferences`, the window takes no links, and a launch that
    /// brings only this window back also makes a window of the app. For an app that has one window
    /// in all, set ``SceneApplicationOptions/environmentSupportsMultipleScenes`` to false instead.
    public static func single(
        _ name: String, role: SceneSessionRole, privacy: PrivacyClass = .standard
    ) -> DeclaredWindow {
        DeclaredWindow(name: name, role: role, isSingle: true, privacy: privacy)
    }
}

extension SceneApplicationOptions {
    /// Returns the options of a desktop app without an Info.plist, with windows of these kinds.
    ///
    /// Every window comes back, and all payloads arrive by the callbacks, also those that launch
    /// the app (``Delivery/whenActive``). An app that declares none has one kind, `Default`.
    public static func desktop(_ declared: DeclaredWindow...) -> SceneApplicationOptions {
        desktop(windows: declared)
    }

    /// Returns the options of a desktop app with windows of these kinds, which an adapter collected.
    public static func desktop(windows declared: [DeclaredWindow]) -> SceneApplicationOptions {
        let windows = declared.isEmpty ? [.window("Default")] : declared
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.isDeclaredInCode = true
        manifest.supportsMultipleScenes = true
        for window in windows {
            var configuration = SceneConfiguration(name: window.name, role: window.role)
            configuration.resolution = .manifest
            manifest.configurations[window.role, default: []].append(configuration)
        }
        var options = desktop(manifest: manifest)
        options.unrememberedConfigurations = Set(
            windows.filter { $0.privacy == .ephemeral }.map(\.name))
        options.redactedConfigurations = Set(windows.filter { $0.privacy == .redacted }.map(\.name))
        options.singleRoles = Set(windows.filter(\.isSingle).map(\.role))
        return options
    }

    /// Returns the options of a desktop app with a manifest.
    ///
    /// Every window comes back, and the manifest determines whether several are allowed. All
    /// payloads arrive by the callbacks, also those that launch the app (``Delivery/whenActive``).
    public static func desktop(manifest: SceneManifest) -> SceneApplicationOptions {
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection = .all
        options.delivery = .whenActive
        return options
    }
}
