import SceneStoreSQLite
import SceneStoreValues

/// Configurations, which sessions share.
extension StoreReading where Self: ~Copyable {
    /// The configuration of a row. A damaged one is a name that no manifest has, so that its
    /// sessions go on under their role's default.
    package func configuration(_ id: Int64) throws(SceneStoreError) -> SharedConfiguration {
        if let known = parts.caches.shared(id) {
            return known
        }
        return try cachedConfiguration(id)?.shared ?? StoreCore.lostConfiguration
    }

    func cachedConfiguration(
        _ id: Int64
    ) throws(SceneStoreError) -> StoreCaches.Configuration? {
        if let known = parts.caches.configurations[id] {
            return known
        }
        guard !parts.caches.hasAllConfigurations,
            let row = try row(ConfigurationRow.self, id)
        else {
            return nil
        }
        let configuration = StoreCaches.Configuration(
            row: row, shared: SharedConfiguration(row.configuration))
        parts.caches.keep(configuration)
        return configuration
    }

    /// Reads all configurations of this epoch.
    fileprivate func loadConfigurations() throws(SceneStoreError) {
        guard !parts.caches.hasAllConfigurations else {
            return
        }
        let epoch = store.containerEpoch
        for row in try rows(
            Queries.configurations, number(epoch), isAsked: { $0.epoch == epoch })
        where parts.caches.configurations[row.id] == nil {
            parts.caches.keep(
                StoreCaches.Configuration(
                    row: row, shared: SharedConfiguration(row.configuration)))
        }
        parts.caches.hasAllConfigurations = true
    }

    /// All configurations of this epoch, in the order in which they came.
    package func allConfigurations() throws(SceneStoreError) -> [StoreCaches.Configuration] {
        try loadConfigurations()
        return parts.caches.configurations.values.sorted { $0.row.id < $1.row.id }
    }
}

extension StoreWriter {
    /// The row of a configuration, which is made when there is none.
    package func intern(_ configuration: SceneConfiguration) throws(SceneStoreError) -> Int64 {
        try loadConfigurations()
        if let known = parts.caches.id(of: configuration) {
            return known
        }
        // Asked once each: the compiler's optimiser loses track of a door that is borrowed in a loop
        // or within arguments.
        let (encoder, epoch) = (parts.encoder, parts.fence.row.containerEpoch)
        for name in [
            configuration.role.rawValue, configuration.name, configuration.sceneClassName,
            configuration.delegateClassName, configuration.storyboardName,
            configuration.initialImmersionStyle,
        ] {
            try encoder.check(name, path: "configuration")
        }
        let id = nextID()
        let row = ConfigurationRow(
            id: id, epoch: epoch, role: configuration.role.rawValue,
            name: configuration.name, sceneClass: configuration.sceneClassName,
            delegateClass: configuration.delegateClassName,
            storyboard: configuration.storyboardName,
            immersionStyle: configuration.initialImmersionStyle,
            resolution: Int64(configuration.resolution.rawValue), openSessions: 0)
        let inserted = try insert(row)
        parts.caches.keep(
            StoreCaches.Configuration(row: inserted, shared: SharedConfiguration(configuration)))
        return id
    }

    /// Counts open sessions of a configuration; written once at the end of the transaction.
    package func countOpen(_ difference: Int64, configuration id: Int64) throws(SceneStoreError) {
        guard var configuration = try cachedConfiguration(id) else {
            return
        }
        if !configuration.isChanged {
            digest(from: configuration.row.checksum)
        }
        let (count, overflow) = configuration.row.openSessions
            .addingReportingOverflow(difference)
        configuration.row.openSessions = overflow ? 0 : max(count, 0)
        configuration.isChanged = true
        parts.caches.keep(configuration)
        parts.caches.hasChangedConfigurations = true
    }

    /// Writes the counts that changed.
    func writeConfigurationCounts() throws(SceneStoreError) {
        guard parts.caches.hasChangedConfigurations else {
            return
        }
        parts.caches.hasChangedConfigurations = false
        for var configuration in parts.caches.configurations.values where configuration.isChanged {
            // It was taken out of the digest with its first change.
            configuration.row = try update(configuration.row, counted: nil)
            configuration.isChanged = false
            parts.caches.keep(configuration)
        }
    }
}

extension StoreCore {
    package static let lostConfiguration = SharedConfiguration(.lost)
}

extension ConfigurationRow {
    /// What the row holds.
    package var configuration: SceneConfiguration {
        var configuration = SceneConfiguration(name: name, role: SceneSessionRole(rawValue: role))
        configuration.sceneClassName = sceneClass
        configuration.delegateClassName = delegateClass
        configuration.storyboardName = storyboard
        configuration.initialImmersionStyle = immersionStyle
        configuration.resolution =
            SceneConfiguration.Resolution(rawValue: Int(clamping: resolution)) ?? .application
        return configuration
    }

    /// Whether the row holds these very bytes.
    package func holds(_ configuration: SceneConfiguration) -> Bool {
        resolution == Int64(configuration.resolution.rawValue)
            && role.hasSameBytes(as: configuration.role.rawValue)
            && Self.areSame(name, configuration.name)
            && Self.areSame(delegateClass, configuration.delegateClassName)
            && Self.areSame(sceneClass, configuration.sceneClassName)
            && Self.areSame(storyboard, configuration.storyboardName)
            && Self.areSame(immersionStyle, configuration.initialImmersionStyle)
    }

    private static func areSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else {
            return left == nil && right == nil
        }
        return left.hasSameBytes(as: right)
    }
}
