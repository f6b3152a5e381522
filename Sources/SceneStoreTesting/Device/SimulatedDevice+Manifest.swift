import SceneStore

extension SimulatedDevice {
    /// Makes a device for an app with a manifest: that of its Info.plist, or
    /// `SceneManifest.windows(_:)` where it matters little.
    ///
    /// Throws when no temporary directory can be made.
    public convenience init(
        manifest: SceneManifest, storage: Storage = .memory, seed: UInt64 = 1
    ) throws(SceneStoreError) {
        try self.init(
            storage: storage, options: SceneApplicationOptions(manifest: manifest), seed: seed)
    }
}
