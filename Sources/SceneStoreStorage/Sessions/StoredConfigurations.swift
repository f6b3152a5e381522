import SceneStoreValues

/// The configurations that sessions remember (L-50).
package struct StoredConfigurations: Sendable {
    let store: SceneSessionStore

    /// The configurations that open sessions remember, each once, and how many sessions do.
    package func inUse() throws(SceneStoreError) -> [ConfigurationUse] {
        try store.asking { skeleton throws(SceneStoreError) in try skeleton.configurationsInUse() }
    }

    /// Forgets which configuration each session was made with; the next launch gives every one
    /// its role's default of the manifest, as if the app had been deleted, but with its state.
    package func forget() throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.write(.full) { writer throws(SceneStoreError) in
                for var configuration in try core.allConfigurations() {
                    writer.digest(from: configuration.row.checksum)
                    configuration.row.name = nil
                    configuration.row.sceneClass = nil
                    configuration.row.delegateClass = nil
                    configuration.row.storyboard = nil
                    configuration.row.immersionStyle = nil
                    configuration.row.resolution = 1
                    configuration.shared = SharedConfiguration(configuration.row.configuration)
                    configuration.isChanged = true
                    core.caches.keep(configuration)
                }
                core.caches.hasChangedConfigurations = true
                writer.note(.change, nil, "configurations forgotten")
            }
        }
    }

    /// The sessions go on under other configurations than those that they were made with, in one
    /// transaction (L-50). Mode normal.
    package func adopt(
        _ configurations: [Int64: SceneConfiguration]
    ) throws(SceneStoreError) {
        try store.write(.normal) { writer throws(SceneStoreError) in
            try writer.adopt(configurations)
        }
    }

    /// Gives a session another remembered configuration.
    package func set(
        _ configuration: SceneConfiguration, key: Int64
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            if let known = try core.cachedConfiguration(session.row.configurationID),
                known.row.holds(configuration)
            {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                try writer.point(session, at: try writer.intern(configuration))
            }
        }
    }
}

extension StoreReading where Self: ~Copyable {
    /// The names of configurations that a session had before its own, the last one first (L-50).
    package func formerNames(of key: Int64) throws(SceneStoreError) -> [String] {
        let names = decoded(try value(.formerNames, of: key), "former names", session: "") {
            bytes throws(SceneStoreError) in try ValueCodec.decode(bytes)
        }
        guard case .array(let values)? = names else {
            return []
        }
        return values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
}

extension StoreWriter {
    /// Remembers the name that a session has had until now: an older version of the app may know it.
    func keepName(of session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        guard let name = try configuration(session.row.configurationID).value.name else {
            return
        }
        let names = [name] + (try formerNames(of: key).filter { $0 != name }.prefix(7))
        try put(.formerNames, ValueCodec.encode(.array(names.map { .string($0) })), of: key)
    }

    /// The same in a transaction.
    borrowing func adopt(
        _ configurations: [Int64: SceneConfiguration]
    ) throws(SceneStoreError) {
        for (key, configuration) in configurations.sorted(by: { $0.key < $1.key }) {
            guard let session = try session(key) else {
                continue
            }
            let id = try intern(configuration)
            if session.row.configurationID != id {
                try point(session, at: id)
            }
        }
    }
}

extension SceneSessionStore {
    package var configurations: StoredConfigurations { StoredConfigurations(store: self) }
}
