import SceneStoreSQLite
import SceneStoreValues

/// Configurations, which sessions share.
extension Database {
    /// The configuration of a row, or what is left of a damaged one.
    package func configuration(_ id: Int64) throws(SceneStoreError) -> SharedConfiguration {
        if let known = caches.shared(id) ?? caches.lostConfigurations[id] {
            return known
        }
        if let configuration = try cachedConfiguration(id) {
            return configuration.shared
        }
        let lost = SharedConfiguration(try rescuedConfiguration(id).configuration)
        caches.lostConfigurations[id] = lost
        return lost
    }

    /// What is left of a configuration whose row is damaged or missing; whole if the row proves
    /// itself with the role and name that the index has.
    func rescuedConfiguration(_ id: Int64) throws(SceneStoreError) -> ConfigurationRow {
        let epoch = store.containerEpoch
        var indexed: IndexedConfiguration?
        do throws(SceneStoreError) {
            indexed = try ask(Queries.indexedConfiguration) { statement throws(SQLiteError) in
                try statement.bind(1, epoch)
                try statement.bind(2, id)
                return try statement.step()
                    ? (try statement.text(at: 0), try statement.optionalText(at: 1)) : nil
            }
        } catch  where error.isOfDamage {
        }
        let found = try ask(ConfigurationRow.byNumber.text) { statement throws(SQLiteError) in
            try statement.bind(1, id)
            return try statement.step() ? try? ConfigurationRow(statement) : nil
        }
        return .rescued(id, epoch: epoch, from: found, indexed, sealer)
    }

    func cachedConfiguration(_ id: Int64) throws(SceneStoreError) -> StoreCaches.Configuration? {
        if let known = caches.configurations[id] {
            return known
        }
        guard !caches.hasAllConfigurations else {
            return nil
        }
        var found = try row(ConfigurationRow.self, id)
        if found == nil {
            let rescued = try rescuedConfiguration(id)
            found = rescued.isWhole(sealer) ? rescued : nil
        }
        guard let row = found else {
            return nil
        }
        let configuration = StoreCaches.Configuration(
            row: row, shared: SharedConfiguration(row.configuration))
        caches.keep(configuration)
        return configuration
    }

    /// Reads all configurations of this epoch.
    fileprivate func loadConfigurations() throws(SceneStoreError) {
        guard !caches.hasAllConfigurations else {
            return
        }
        let epoch = store.containerEpoch
        for row in try rows(Queries.configurations, binding(epoch), isAsked: { $0.epoch == epoch })
        where caches.configurations[row.id] == nil {
            caches.keep(
                StoreCaches.Configuration(row: row, shared: SharedConfiguration(row.configuration)))
        }
        for damage in damage.rows where damage.table == .configuration {
            _ = try cachedConfiguration(damage.id)
        }
        caches.hasAllConfigurations = true
    }

    /// All configurations of this epoch, in the order in which they came.
    package func allConfigurations() throws(SceneStoreError) -> [StoreCaches.Configuration] {
        try loadConfigurations()
        return caches.configurations.values.sorted { $0.row.id < $1.row.id }
    }

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

extension Transaction {
    /// The row of a configuration, which is made when there is none.
    package func intern(_ configuration: SceneConfiguration) throws(SceneStoreError) -> Int64 {
        try db.loadConfigurations()
        if let known = db.caches.id(of: configuration) {
            return known
        }
        for name in [
            configuration.role.rawValue, configuration.name, configuration.sceneClassName,
            configuration.delegateClassName, configuration.storyboardName,
            configuration.initialImmersionStyle,
        ] {
            try db.encoder.check(name, path: "configuration")
        }
        let id = nextID()
        let row = ConfigurationRow(
            id: id, epoch: store.containerEpoch, role: configuration.role.rawValue,
            name: configuration.name, sceneClass: configuration.sceneClassName,
            delegateClass: configuration.delegateClassName,
            storyboard: configuration.storyboardName,
            immersionStyle: configuration.initialImmersionStyle,
            resolution: Int64(configuration.resolution.rawValue), openSessions: 0)
        let inserted = try insert(row)
        db.caches.keep(
            StoreCaches.Configuration(row: inserted, shared: SharedConfiguration(configuration)))
        return id
    }

    /// Counts open sessions of a configuration; written once at the end of the transaction.
    package func countOpen(_ difference: Int64, configuration id: Int64) throws(SceneStoreError) {
        guard var configuration = try db.cachedConfiguration(id) else {
            return
        }
        if !configuration.isChanged {
            digest(from: configuration.row.checksum)
        }
        let (count, overflow) = configuration.row.openSessions
            .addingReportingOverflow(difference)
        configuration.row.openSessions = overflow ? 0 : max(count, 0)
        configuration.isChanged = true
        db.caches.keep(configuration)
        db.caches.hasChangedConfigurations = true
    }

    /// Writes the counts that changed.
    func writeConfigurationCounts() throws(SceneStoreError) {
        guard db.caches.hasChangedConfigurations else {
            return
        }
        db.caches.hasChangedConfigurations = false
        let changed = db.caches.configurations.values.filter(\.isChanged)
        for var configuration in changed.sorted(by: { $0.row.id < $1.row.id }) {
            // It was taken out of the digest with its first change.
            configuration.row = try update(configuration.row, counted: nil)
            configuration.isChanged = false
            db.caches.keep(configuration)
        }
    }

    /// Keeps the first eight.
    func put(formerNames names: [String], of key: Int64) throws(SceneStoreError) {
        let texts = names.prefix(8).map { Value.string($0) }
        try put(.formerNames, ValueCodec.encode(.array(texts)), of: key)
    }

    /// The same in a transaction.
    borrowing func adopt(_ configurations: [Int64: SceneConfiguration]) throws(SceneStoreError) {
        for (key, configuration) in configurations.sorted(by: { $0.key < $1.key }) {
            guard let session = try db.session(key) else {
                continue
            }
            let id = try intern(configuration)
            if session.row.configurationID != id {
                try point(session, at: id)
            }
        }
    }
}

/// What the index over configurations has of one.
package typealias IndexedConfiguration = (role: String, name: String?)

extension ConfigurationRow {
    /// What is left of a row that is damaged or missing (L-04).
    ///
    /// The row that was found counts if it proves itself with the role and name that the index has.
    /// Otherwise the manifest is asked for that role and name. Without the index, the role is the
    /// one that was found, and the name is one that no manifest has.
    package static func rescued(
        _ id: Int64, epoch: Int64, from found: Self?, _ indexed: IndexedConfiguration?,
        _ sealer: RowSealer
    ) -> Self {
        if let found, found.isWhole(sealer), found.epoch == epoch {
            return found
        }
        guard let indexed else {
            let lost = SceneConfiguration.lost(found?.role)
            return ConfigurationRow(
                id: id, epoch: epoch, role: lost.role.rawValue, name: lost.name,
                resolution: Int64(lost.resolution.rawValue))
        }
        if var row = found, row.epoch == epoch {
            row.role = indexed.role
            row.name = indexed.name
            if row.isWhole(sealer) {
                return row
            }
        }
        return ConfigurationRow(
            id: id, epoch: epoch, role: indexed.role, name: indexed.name,
            resolution: Int64(SceneConfiguration.Resolution.unresolved.rawValue))
    }

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

/// The configurations that sessions remember (L-50).
package struct StoredConfigurations: Sendable {
    package let store: SceneSessionStore

    /// The sessions go on under other configurations than those that they were made with, in one
    /// transaction (L-50). Durable on return.
    package func adopt(_ configurations: [Int64: SceneConfiguration]) throws(SceneStoreError) {
        // What is lost of it, no later launch could tell of an equal state that was saved.
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.adopt(configurations)
        }
    }
}
