import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A damaged file, or a backup, with the rows that were found in it.
package struct SalvageSource: Sendable {
    package var rows: CarvedRows
    /// The store's own row, the newest one found.
    package var store: CarvedRow?
    package var commitsBehind: Int
    /// Parts of its tables that could not be read.
    package var gaps: [PageTree.Gap] = []

    /// The epoch of the container: a reset raises it, and nothing of an earlier one is live.
    package var epoch: Int64 {
        var epoch = store?.number("container_epoch") ?? 1
        rows.forEach(.epoch) { epoch = max(epoch, $0) }
        return epoch
    }

    /// The greatest generation that any row names.
    package var generation: Int64 {
        var generation = store?.number("generation") ?? 0
        rows.forEach(.generation) { generation = max(generation, $0) }
        return generation
    }
}

/// The files of a salvage, open for reading.
package struct SalvageInput {
    /// One file with its log.
    package struct File {
        package var path: String
        package var logPath: String?
        /// Whether somebody named it, and so has to be told if it can't help.
        var isNamed: Bool

        package init(path: String, logPath: String? = nil, isNamed: Bool = false) {
            self.path = path
            self.logPath = logPath
            self.isNamed = isNamed
        }
    }

    package private(set) var carvers: [Carver] = []
    package private(set) var sources: [SalvageSource] = []
    /// The identity that the rows were proved with.
    package private(set) var identity: StoreIdentity?

    /// The session that the last owner wrote down beside its lock as being restored.
    package var restoring: OwnerLock.Restoring?

    /// Reads the damaged file, then the backups of the same store, which also tell its identity when
    /// the file's own row is lost.
    package init(
        _ damaged: File, backups: [File] = [], progress: SalvageProgress? = nil
    ) throws(SceneStoreError) {
        var first = try Self.carver(damaged, source: 0, progress)
        var (stores, found) = try first.storesAndRows()
        if let own = try first.withoutForeignCommits(stores, progress) {
            first = own
            (stores, found) = try own.storesAndRows()
        }
        try Self.checkVersion(first, stores.first, damaged.path)
        var backupCarvers: [(carver: Carver, stores: [CarvedRow])] = []
        for file in backups {
            do throws(SceneStoreError) {
                let carver = try Self.carver(file, source: 1 + backupCarvers.count)
                let rows = try carver.storeRows()
                guard !rows.isEmpty else {
                    throw SceneStoreError(.notAStore, "no row says which store the backup is of")
                }
                backupCarvers.append((carver, rows))
            } catch {
                // Another one that can't be read helps nobody and hinders nothing.
                if file.isNamed {
                    throw SceneStoreError(error.code, error.message, path: file.path)
                }
            }
        }
        let uuid = try Self.identity(
            first, stores, found, backupCarvers.compactMap { Self.uuid($0.stores.first) })
        identity = uuid
        carvers = [first]
        guard let uuid else {
            return
        }
        var rows = found?.uuid == uuid.bytes ? found?.rows : nil
        if rows == nil {
            rows = try first.rows(of: uuid.bytes)
        }
        sources = [
            SalvageSource(
                rows: rows ?? CarvedRows(),
                store: stores.first { Self.uuid($0) == uuid },
                commitsBehind: first.image.commitsBehind, gaps: first.tree.gaps)
        ]
        for (carver, stores) in backupCarvers where Self.uuid(stores.first) == uuid {
            // Renumbered, because payloads are read by the place in the list.
            let renumbered = Carver(carver.image, source: carvers.count)
            sources.append(
                SalvageSource(
                    rows: try renumbered.rows(of: uuid.bytes), store: stores.first,
                    commitsBehind: 0))
            carvers.append(renumbered)
        }
    }

    /// Takes rows that were found already.
    init(sources: [SalvageSource]) {
        self.sources = sources
    }

    /// Throws when the disk could not read a part of the damaged file or its log: an opening does
    /// not give that up for lost (S-10).
    package func checkReadable() throws(SceneStoreError) {
        try carvers.first?.image.main?.checkReadable()
        try carvers.first?.image.log?.checkReadable()
    }

    private static func carver(
        _ file: File, source: Int, _ progress: SalvageProgress? = nil
    ) throws(SceneStoreError) -> Carver {
        var log: RawFile?
        if let path = file.logPath {
            do {
                log = try RawFile(path: path)
            } catch {
                guard error.code == .missing else {
                    throw error
                }
            }
        }
        var main: RawFile?
        do {
            main = try RawFile(path: file.path)
        } catch {
            // A log without its file holds what was written last.
            guard error.code == .missing, log != nil else {
                throw error
            }
        }
        guard main?.size ?? 0 <= ContainerFolder.maximumStoreBytes else {
            throw SceneStoreError(.notAStore, "the file is too large for a store")
        }
        return Carver(
            PageImage(main: main, log: log), source: source, progress: progress)
    }

    /// A newer version's rows have columns that would be lost here (S-05).
    private static func checkVersion(
        _ carver: Carver, _ store: CarvedRow?, _ path: String
    ) throws(SceneStoreError) {
        let known = StoreVersion.knownFeatures
        var isNewer = false
        if let store {
            isNewer =
                store.number("features_required") & ~known != 0
                || store.number("features_read_only") & ~known != 0
        }
        if let page = carver.image.page(1),
            let header = try? StoreHeader(page, expecting: SchemaMigration.applicationID)
        {
            isNewer =
                isNewer
                || Int(header.userVersion) > SchemaMigration.currentVersion
                    && !isVersionDamaged(path)
        }
        if isNewer {
            throw SceneStoreError(
                .newerSchema, "a newer version wrote the file; salvage it with that version")
        }
    }

    /// Whether only the number in a file's header is newer; false for a file that SQLite can't read.
    private static func isVersionDamaged(_ path: String) -> Bool {
        guard let file = try? Connection(path: path, options: .store(.immutable)) else {
            return false
        }
        defer { file.abandon() }
        return (try? StoreMigrator.isVersionDamaged(file)) ?? false
    }

    private static func uuid(_ row: CarvedRow?) -> StoreIdentity? {
        row?["uuid"].blob.map { StoreIdentity(bytes: $0) }
    }

    /// The identity that proves most rows: that of the store's own row, unless it proves none, as in
    /// another store's page; else one that the journal or a hint names.
    private static func identity(
        _ carver: Carver, _ stores: [CarvedRow], _ found: (uuid: [UInt8], rows: CarvedRows)?,
        _ hints: [StoreIdentity]
    ) throws(SceneStoreError) -> StoreIdentity? {
        let own = stores.compactMap { uuid($0) }
        if let found, found.rows.count > 0, own.first?.bytes == found.uuid {
            return own.first
        }
        let named = try carver.identitiesInJournal()
        if named.count == 1 {
            return StoreIdentity(bytes: named[0])
        }
        var best: (identity: StoreIdentity, rows: Int)?
        for bytes in Carver.first((hints + own).map(\.bytes) + named) {
            let count = try carver.rows(of: bytes).count
            if count > (best?.rows ?? 0) {
                best = (StoreIdentity(bytes: bytes), count)
            }
        }
        return best?.identity ?? own.first
    }

    /// The role and name that the index over configurations has of each; nothing if it can't be read.
    func indexedConfigurations(epoch: Int64, in source: Int) -> [Int64: IndexedConfiguration] {
        carvers.indices.contains(source)
            ? (try? carvers[source].indexedConfigurations(epoch: epoch)) ?? [:] : [:]
    }

    /// The payload of a row.
    package func payload(of row: CarvedRow) -> [UInt8]? {
        guard let source = row.payload?.source, carvers.indices.contains(source) else {
            return nil
        }
        return carvers[source].payload(of: row)
    }
}
