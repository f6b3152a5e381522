import SceneStore

extension SimulatedDevice {
    /// Makes a device for an app with a manifest.
    ///
    /// Pass the manifest of the app's Info.plist, or `SceneManifest.windows(_:)` if the details
    /// don't matter. Throws if no temporary directory can be made.
    public convenience init(
        manifest: SceneManifest, storage: Storage = .memory, seed: UInt64 = 1
    ) throws(SceneStoreError) {
        try self.init(storage: storage, seed: seed)
        options.manifest = manifest
    }
}
