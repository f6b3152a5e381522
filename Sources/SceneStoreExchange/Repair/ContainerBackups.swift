import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

extension StoreBackup {
    /// Where the line with the checksum is.
    package var checksumPath: String { path + Self.checksumSuffix }
    /// What the name of a damaged store's copy begins with in the folder `backups`.
    package static let damagedKind = "damaged-"

    /// Everything that lies in the folder `backups`.
    private static func names(in folder: ContainerFolder) throws(SceneStoreError) -> Set<String> {
        try translating {
            guard try folder.status(of: ContainerName.backups)?.kind == .folder else {
                return []
            }
            return Set(try folder.folder(ContainerName.backups).entries().map(\.name))
        }
    }

    /// What a backup's name begins with that a person asked for.
    package static func manualName(_ now: Int64) -> String { "manual-\(CompactTime.text(now))" }

    /// A name in the folder `backups` that no file has yet.
    package static func freeName(
        _ start: String, in folder: ContainerFolder
    ) throws(SceneStoreError) -> String {
        var name = "\(start).sqlite"
        var number = 1
        let used = try names(in: folder)
        while used.contains(name) {
            number += 1
            name = "\(start)-\(number).sqlite"
        }
        return name
    }
}

extension ContainerExamination {
    /// The paths of the backups that are no copies of a damaged store, newest first by what stands in
    /// them, as a recovery takes them.
    package func newestBackups() throws(SceneStoreError) -> [String] {
        let folder = try translating { try ContainerFolder.open(directory, access: .reader) }
        let damaged = "\(ContainerName.backups)/\(StoreBackup.damagedKind)"
        return try StoreBackup.all(in: folder)
            .filter { !StoreOperations.place($0).hasPrefix(damaged) }
    }
}

/// Backups that commands and people make in a container.
extension SceneSessionStore {
    /// Copies the store into the container's folder `backups`; nil for a store without a
    /// container.
    ///
    /// - Parameters:
    ///   - reason: What is about to be done, one word: of such backups the newest twenty
    ///   are kept, for 30 days. Without one the backup is a person's own and stays.
    ///   - needed: The names of backups that stay whatever their age.
    @discardableResult
    package func backUp(
        before reason: String?, keeping needed: Set<String> = []
    ) throws(SceneStoreError) -> StoreBackup? {
        try using { db throws(SceneStoreError) in
            guard let folder = db.container.folder else {
                return nil
            }
            let time = CompactTime.text(db.now)
            let kind = StoreBackup.commandKind
            let start = reason.map { "\(kind)\(time)-\($0)" } ?? StoreBackup.manualName(db.now)
            return try StoreBackup.make(
                of: db.connection, in: folder,
                named: try StoreBackup.freeName(start, in: folder),
                kind: reason == nil ? nil : kind, restoring: db.notedSession,
                keeping: needed, now: db.now, telling: db.work)
        }
    }

    /// The backups in the container, newest first.
    package func backups() throws(SceneStoreError) -> [String] {
        try using { db throws(SceneStoreError) in
            guard let folder = db.container.folder else {
                return []
            }
            return try StoreBackup.all(in: folder)
        }
    }
}
