import SceneStoreSQLite
import SceneStoreValues

/// Closing the connection while nothing is done, for servers with many open stores.
///
///     open --idle work is done--> at rest --any call--> open
///
/// 1. At rest the container is owned: folder and lock are open, SQLite has nothing of it open.
/// 2. What was committed is synced, in the file, and nothing is in the log.
/// 3. Whoever opens it again finds the very file and the very row that were left (S-26, R-27), or
///    writes nothing. No owner's mark is made: it is the same owner, in the same epoch.
/// 4. A store that writes no more doesn't come to rest, so that it stays what it is.
/// 5. Under an app that goes on without its file (L-17), the file's descriptor is kept, to be read
///    when the name is gone. It is closed before SQLite opens the file.
extension StoreCore {
    /// Whether the connection is closed and the container is still owned.
    package var isAtRest: Bool { life.suspension?.rested != nil }

    /// Whether the next idle moment that finds nothing to do closes the connection.
    package var awaitsRest: Bool {
        options.closesWhenIdle && !life.isClosed && !isReader && container.isOwned
            && parts.held == nil && fence.failure == nil && !connection.isPoisoned
    }

    /// Copies the log into the file and closes it. A reader in the way keeps the store open.
    func rest() throws(SceneStoreError) {
        guard awaitsRest else {
            return
        }
        try checkUsable()
        // Reads the store's row again where a transaction was rolled back.
        try read { () throws(SceneStoreError) in }
        try storeDecisions()
        try checkpoint()
        guard !log.hasFrames(connection.walFrames, counters.transactions) else {
            return
        }
        try container.checkUnmoved()
        guard try copyLog(.truncate, waits: false).isComplete else {
            return
        }
        container.note(durable: store.generation)
        caches = StoreCaches()
        life.isClosed = true
        life.suspension = Suspension(store)
        life.suspension?.rested = store
        do throws(SceneStoreError) {
            try closeConnection()
        } catch {
            // Nothing is lost; what SQLite still holds of the file is not known.
            fence.failure = error
            throw error
        }
        container.rest(keepsFile: parts.holdsRefusedWrites)
    }

    /// Reads the file that was left at rest, whose name may be gone, through a private copy.
    func reading(
        left row: StoreRow, _ body: (Connection) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        guard let copy = try container.copyOfLeft() else {
            throw closedError
        }
        var reading = options
        reading.access = .reader
        var opening = StoreOpening(reading, recovery: recovery)
        try body(opening.openLeft(copy, row))
    }

    /// The core that goes on after a rest.
    func openAgain(_ row: StoreRow) throws(SceneStoreError) -> StoreCore {
        guard !connection.isForked else {
            throw SceneStoreError(Connection.forked)
        }
        if let failure = fence.failure {
            throw failure
        }
        var opening = StoreOpening(options, recovery: recovery)
        opening.mustExist = true
        let next: StoreCore
        do throws(SceneStoreError) {
            next = try opening.openAgain(
                container, row, keepsFile: parts.holdsRefusedWrites)
        } catch {
            noteDamagedPages(error)
            throw error
        }
        // Before what outlives any change of core, which takes the subscribers away from this one.
        next.journal = journal
        handOn(to: next)
        next.log = log
        next.damage = damage
        next.upkeep = upkeep
        return next
    }

    /// Lets go of the container of a store at rest.
    func letRestedGo() throws(SceneStoreError) {
        life.suspension?.rested = nil
        defer { container.abandon() }
        if let failure = fence.failure {
            throw failure
        }
        try container.confirmRest()
        try container.release()
    }

    /// Ends the use of a store at rest. A file that is not the one that was left is as after a death
    /// of the process.
    func closeRested() throws(SceneStoreError) {
        life.suspension = nil
        endUse()
        defer { container.abandon() }
        guard fence.failure == nil, isRestConfirmed else {
            return
        }
        noteTold(damage.untold)
        try container.release(at: closing)
    }

    private var isRestConfirmed: Bool {
        do {
            try container.confirmRest()
            return true
        } catch {
            return false
        }
    }
}

extension StoreOpening {
    /// Opens the file of a container that stayed owned, with the checks of an opening, and makes
    /// sure that it is the one that was left.
    mutating func openAgain(
        _ container: OpenContainer, _ row: StoreRow, keepsFile: Bool
    ) throws(SceneStoreError) -> StoreCore {
        guard let folder = container.folder else {
            throw StoreCore.ownershipLost
        }
        try container.confirmRest()
        var settings = connectionOptions(.owner)
        settings.identity = container.identity
        container.endRest()
        let connection: Connection
        do throws(SceneStoreError) {
            connection = try connect(folder.storePath, settings)
        } catch {
            container.rest(keepsFile: keepsFile)
            throw error
        }
        do throws(SceneStoreError) {
            let core = try finish(connection, container, rested: row)
            // Whoever writes from here on is noticed by the next write, who wrote before by this.
            connection.expectNoChanges()
            try container.confirmRest()
            try container.checkIndex()
            return core
        } catch {
            connection.abandon()
            container.rest(keepsFile: keepsFile)
            throw error
        }
    }

    /// Opens a private copy of what was left at rest; throws `replaced` when it is not that.
    mutating func openLeft(
        _ copy: InspectionCopy, _ row: StoreRow
    ) throws(SceneStoreError) -> Connection {
        var settings = connectionOptions(.copy)
        settings.image = copy
        // The copy is on another disk than the one that fails.
        settings.fault = nil
        let connection = try connect(ContainerName.store, settings)
        _ = try finish(connection, OpenContainer(), rested: row)
        return connection
    }
}

extension StoreRow {
    /// Whether this is the same row: its checksum covers every column.
    func isSame(as other: StoreRow) -> Bool {
        uuid == other.uuid && containerEpoch == other.containerEpoch
            && ownerEpoch == other.ownerEpoch && generation == other.generation
            && checksum == other.checksum
    }
}

extension SceneSessionStore {
    /// Whether the connection is closed until the next call that needs it.
    package var isAtRest: Bool {
        core.withLock { $0.isAtRest }
    }

    /// Whether the next idle moment that finds nothing to do closes the connection.
    package var awaitsRest: Bool {
        core.withLock { $0.awaitsRest }
    }
}
