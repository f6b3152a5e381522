import SceneStoreValues

/// Where the parts of a manifest were found, as they are spelled there, for findings about parts
/// that are well-formed.
package struct ManifestPlaces {
    package var manifest = ManifestKey.manifest
    package var configurations = "\(ManifestKey.manifest).\(ManifestKey.configurations)"
    package var preferredRole = ManifestKey.preferredDefaultRole
    /// The configurations that count, role by role.
    package var entries: [SceneSessionRole: [String]] = [:]
    package var activityTypes: [String] = []
    package var urlSchemes: [String] = []

    /// A key in the spelling that the manifest uses.
    package func spelled(_ key: String) -> String {
        manifest == ManifestKey.manifest ? key : ManifestKey.unprefixed(key)
    }

    /// The path of a role.
    package func path(of role: SceneSessionRole) -> String {
        KeyPathText.text(configurations, .key(role.rawValue))
    }

    /// The path of a key of the manifest.
    package func path(of key: String) -> String {
        KeyPathText.text(manifest, .key(spelled(key)))
    }
}
