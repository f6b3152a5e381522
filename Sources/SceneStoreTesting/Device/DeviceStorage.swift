import SceneStore
import SceneStoreExchange
import SceneStoreMigrations
import SceneStoreSQLite

extension SimulatedDevice {
    /// The places where a device keeps its container.
    ///
    /// ```swift
    /// let device = try SimulatedDevice(storage: .temporaryDirectory)
    /// let path = device.containerPath
    /// ```
    public enum Storage: Sendable, Hashable {
        /// A disk in memory, without any file. It is fast, and supports the complete fault kit.
        ///
        /// There is no lock file; the device itself keeps other processes out. Operations that a
        /// container makes on files next to the store (backups, setting a damaged store aside) need
        /// one of the other cases.
        case memory
        /// A new temporary directory, which is removed with the device.
        case temporaryDirectory
        /// In a directory of the test's own, which stays.
        case directory(String)
    }

    /// The file of the store, as it is named on the device.
    var storePath: String { containerPath + "/scenes.sqlite" }
    /// The write-ahead log beside it.
    var logPath: String { storePath + "-wal" }

    /// What a store of the device is opened with: its clock and its disk.
    func openingOptions(_ access: SceneSessionStore.Access) -> SceneSessionStore.Options {
        var opening = storeOptions
        opening.access = access
        opening.vfs = disk?.vfsName
        opening.fault = access == .reader ? nil : writeFault.seam
        return opening
    }

    /// Opens the container with the device's clock and disk.
    func openStore(_ access: SceneSessionStore.Access) throws(SceneStoreError) -> SceneSessionStore
    {
        let opening = openingOptions(access)
        if let disk, access == .owner, disk.fileSize(storePath) == nil {
            // What a container begins with on a real disk, where SQLite makes no file either.
            disk.importFile(
                storePath,
                bytes: StoreHeader.emptyStore(applicationID: SchemaMigration.applicationID))
        }
        return try SceneSessionStore.open(at: .directory(containerPath), options: opening)
    }

    /// Opens the store as the system does, while no process runs.
    package func edit<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if application != nil {
            throw SceneStoreError(.invalidState, "the process runs and owns the container")
        }
        let store = try openStore(.editor)
        defer { try? store.close() }
        return try work(store)
    }

    /// Reads the store, whoever owns it, and changes nothing.
    package func read<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if let application {
            return try work(application.store)
        }
        return try readFile(work)
    }

    /// Reads what the disk holds, which may be less than what a running process knows.
    package func readFile<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard let disk else {
            let store = try openStore(.reader)
            defer { try? store.close() }
            return try work(store)
        }
        // A memory disk knows no reader that leaves the log alone: it is looked at in a copy.
        let copy = disk.copy()
        copy.program = []
        copy.configure { $0.capacity = nil }
        var opening = openingOptions(.reader)
        opening.vfs = copy.vfsName
        let store = try SceneSessionStore.open(at: .directory(containerPath), options: opening)
        defer { store.abandon() }
        return try work(store)
    }

    /// Goes on where a store ends: no identifier that it knows is given out again, and the clock does
    /// not go back. Returns its sessions, in the order in which they were created.
    ///
    /// Of what can't be read, apart from the open sessions, the first launch tells.
    @discardableResult
    func goOn(behind store: SceneSessionStore) throws(SceneStoreError) -> [SessionRecord] {
        let closed = (try? store.discards.recentlyClosed()) ?? []
        let events = (try? store.journal.events(limit: .max)) ?? []
        let launches = (try? store.launches.records(limit: 1)) ?? []
        let pending = (try? store.discards.pending()) ?? []
        let sessions = (Array(try store.openRecords()) + closed.map(\.record))
            .sorted { ($0.createdAt, $0.key) < ($1.createdAt, $1.key) }
        identifiers.skip(
            Set(sessions.map(\.id) + pending.map(\.identifier))
                .union(events.compactMap(\.sessionIdentifier)))
        var times = events.map(\.happenedAt) + closed.map(\.closedAt)
        times += sessions.flatMap { [$0.createdAt, $0.lastActiveAt, $0.savedAt ?? .min] }
        times += launches.flatMap { [$0.startedAt, $0.endedAt ?? .min] }
        // An impossible time must not push the waits of a scenario over the last date.
        let latest = VirtualClock.start + ScenarioDuration.longest
        clock.now = max(clock.now, min(times.max() ?? .min, latest))
        return sessions
    }

    /// Deletes the store, as deleting the app does. Only a device with a real directory notices it
    /// under a running process, at the next write (L-42).
    ///
    /// Removes the store's own files only. Throws `SceneStoreError.Code.invalidLocation` when the
    /// directory holds anything else, and `SceneStoreError.Code.owned` while another process owns
    /// the store; nothing is deleted then.
    public func wipe() throws(SceneStoreError) {
        if let disk {
            for name in disk.files {
                disk.removeFile(name)
            }
            disk.syncDirectory()
        } else {
            try ContainerRemoval.delete(
                at: .directory(containerPath), isOwned: isRunning, keepsFolders: keepsBackups)
        }
    }
}
