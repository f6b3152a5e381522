import SceneStore

/// The options of an app that tools don't have at hand (S-43).
extension SceneApplicationOptions {
    /// The options as the last launch of a store declared them; nil when the store remembers none.
    /// What can't be read counts as not declared: it is a hint, and no reading fails for it.
    package init?(declaredIn store: SceneSessionStore) throws(SceneStoreError) {
        guard let text = try store.launches.lastDeclaration() else {
            return nil
        }
        self.init(declaration: text)
    }

    /// As the last launch of a store declared them; of an unknown app when the store remembers none.
    package static func remembered(
        by store: SceneSessionStore
    ) throws(SceneStoreError) -> SceneApplicationOptions {
        try SceneApplicationOptions(declaredIn: store) ?? .ofUnknownApp
    }

    /// Of an app whose manifest is not at hand: it fits every session that the last launch could
    /// show, and allows several windows unless that launch parked some for being too many.
    package static var ofUnknownApp: SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.supportsMultipleScenes = true
        var options = SceneApplicationOptions(manifest: manifest)
        options.isOfUnknownApp = true
        return options
    }
}
