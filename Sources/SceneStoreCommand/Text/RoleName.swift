import SceneStore

/// A role as a person may write it: the whole name, or a short one.
struct RoleName {
    let word: String

    init(_ word: String) {
        self.word = word
    }

    private static let short: [(String, [SceneSessionRole])] = [
        ("window", [.windowApplication]),
        (
            "external-display",
            [.windowExternalDisplayNonInteractive, .windowExternalDisplay]
        ),
        ("carplay", [.carTemplateApplication]),
        ("carplay-dashboard", [.carTemplateApplicationDashboard]),
        ("carplay-instrument-cluster", [.carTemplateApplicationInstrumentCluster]),
        ("immersive-space", [.immersiveSpaceApplication]),
        ("volumetric", [.windowVolumetricApplication]),
    ]

    /// Whether the word means a role.
    func names(_ role: SceneSessionRole) -> Bool {
        role.rawValue == word
            || Self.short.contains { $0.0 == word && $0.1.contains(role) }
    }

    /// A role as tables show it.
    static func short(for role: SceneSessionRole) -> String {
        short.first { $0.1.contains(role) }?.0 ?? role.rawValue
    }
}
