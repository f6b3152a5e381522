import SceneStoreSQLite
import SceneStoreValues

/// Ending the use of a store.
extension StoreCore {
    /// Ends the use of the store. What went wrong before is not reported again: the next owner
    /// takes care then, as after a crash.
    package func close() throws(SceneStoreError) {
        if let held = parts.held {
            // What is held is lost with it; who closes has been told.
            held.abandonFile()
            return abandon()
        }
        guard !isAtRest else {
            return try closeRested()
        }
        if life.suspension != nil {
            // Nothing is open any more.
            life.suspension = nil
            endUse()
        }
        guard !life.isClosed else {
            return
        }
        let isSound = fence.failure == nil && !connection.isPoisoned && isInPlace
        guard isSound || isReader else {
            return abandon()
        }
        endUse()
        guard !isReader else {
            return try closeConnection()
        }
        noteTold(damage.untold)
        defer { container.abandon() }
        do throws(SceneStoreError) {
            try finishWriting()
        } catch {
            connection.abandon()
            throw error
        }
        try closeConnection()
        try container.release(at: closing)
    }

    /// An app was told of exchanges, or had the time to ask: that is not repeated. Where it can't be
    /// written down, the next opening repeats it.
    func noteTold(_ names: Set<String>) {
        guard !names.isEmpty, container.isOwned, let folder = container.folder,
            (try? recovery.forget(untold: names, in: folder)) != nil
        else {
            return
        }
        damage.untold.subtract(names)
    }

    /// What the next owner is to find, at least.
    var closing: OwnerLock.Closing {
        OwnerLock.Closing(generation: store.generation, time: now)
    }

    /// What the death of the process would do: nothing is written, the log stays, the lock is
    /// dropped.
    package func abandon() {
        parts.held?.abandonFile()
        if life.suspension != nil {
            life.suspension = nil
            endUse()
            container.abandon()
        }
        guard !life.isClosed else {
            return
        }
        endUse()
        connection.abandon()
        container.abandon()
    }

    func endUse() {
        life.isClosed = true
        journal.subscribers.finish()
    }

    /// Stores the decisions that wait, and copies the log into the file.
    func finishWriting() throws(SceneStoreError) {
        guard connection.role == .owner else {
            return
        }
        try storeDecisions()
        try translating {
            // A reader may keep the log from being emptied: it stays, and is complete.
            _ = try connection.checkpoint(.truncate)
        }
    }

    func storeDecisions() throws(SceneStoreError) {
        if !journal.decisions.isEmpty {
            try commit(.normal) { _ throws(SceneStoreError) in }
        }
    }

    private var isInPlace: Bool {
        do {
            try container.checkUnmoved()
            return true
        } catch {
            return false
        }
    }

    func closeConnection() throws(SceneStoreError) {
        try translating { try connection.close() }
    }
}
