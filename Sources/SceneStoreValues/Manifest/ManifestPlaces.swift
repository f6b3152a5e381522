/// Where the parts of a manifest were found, as they are spelled there, for findings about parts
/// that are well-formed.
struct ManifestPlaces {
    var manifest = ManifestKey.manifest
    var configurations = "\(ManifestKey.manifest).\(ManifestKey.configurations)"
    var preferredRole = ManifestKey.preferredDefaultRole
    /// The configurations that count, role by role.
    var entries: [SceneSessionRole: [String]] = [:]
    var activityTypes: [String] = []
    var urlSchemes: [String] = []

    /// A key in the spelling that the manifest uses.
    func spelled(_ key: String) -> String {
        manifest == ManifestKey.manifest ? key : ManifestKey.unprefixed(key)
    }

    /// The path of a role.
    func path(of role: SceneSessionRole) -> String {
        KeyPathText.text(configurations, .key(role.rawValue))
    }

    /// The path of a key of the manifest.
    func path(of key: String) -> String {
        KeyPathText.text(manifest, .key(spelled(key)))
    }
}
