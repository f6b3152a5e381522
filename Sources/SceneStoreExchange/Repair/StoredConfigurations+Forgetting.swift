import SceneStoreStorage
import SceneStoreValues

/// Forgetting the configurations that sessions remember (L-50).
extension StoredConfigurations {
    /// The configurations that open sessions remember, each once.
    package func inUse() throws(SceneStoreError) -> [ConfigurationUse] {
        try store.read { db throws(SceneStoreError) in try db.configurationsInUse() }
    }

    /// Forgets which configuration each session was made with; the next launch gives every one
    /// its role's default of the manifest, as if the app had been deleted, but with its state.
    package func forget() throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                for var configuration in try db.allConfigurations() {
                    transaction.digest(from: configuration.row.checksum)
                    configuration.row.name = nil
                    configuration.row.sceneClass = nil
                    configuration.row.delegateClass = nil
                    configuration.row.storyboard = nil
                    configuration.row.immersionStyle = nil
                    configuration.row.resolution = 1
                    configuration.shared = SharedConfiguration(configuration.row.configuration)
                    configuration.isChanged = true
                    db.caches.keep(configuration)
                }
                db.caches.hasChangedConfigurations = true
                transaction.note(.change, nil, "configurations forgotten")
            }
        }
    }
}
