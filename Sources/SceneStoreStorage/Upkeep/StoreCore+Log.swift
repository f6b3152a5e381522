import SceneStoreSQLite
import SceneStoreValues

/// The write-ahead log: when it is synced and when it is copied into the file (S-20).
extension StoreCore {
    /// Syncs the log: by a commit, so that the owner's note can say what must not be lost.
    func syncLog() throws(SceneStoreError) {
        try write(.full) { writer throws(SceneStoreError) in writer.commitAnyway() }
    }

    /// Notes that a save was committed as durable as this.
    func noteSave(_ durability: Durability) {
        if durability == .normal {
            log.lastUnsyncedSave = counters.transactions
        }
    }

    /// Whether this core owns a log that it may copy.
    var hasLog: Bool { !isReader && connection.role == .owner }

    /// After a commit: copies a log that the next one would make too long.
    ///
    /// What was committed stays so if that fails. Throws only what ends the writing.
    func boundLog(before: Int) throws(SceneStoreError) {
        let frames = connection.walFrames
        guard log.isFull(before: before, after: frames, room: { room }), hasLog else {
            return
        }
        do throws(SceneStoreError) {
            try checkpoint()
        } catch {
            // What does not end the writing is met again, and reported, in the next idle moment.
            if let failure = fence.failure {
                throw failure
            }
        }
        log.allowMore(than: frames)
    }

    /// The bytes that the container's disk has left; nil where that isn't known.
    private var room: UInt64? {
        if let room = options.room {
            return room()
        }
        return container.folder?.freeBytes
    }

    /// A full disk that takes no more frames may still take the log's copy, after which the log begins
    /// anew. Where it doesn't, nothing is changed.
    func makeRoom() {
        guard hasLog, log.hasFrames(connection.walFrames, counters.transactions) else {
            return
        }
        do throws(SceneStoreError) {
            try checkpoint()
        } catch {
            // The write that follows says what is the matter.
        }
    }

    /// Copies the log into the file. The next write begins it anew, unless a reader uses it.
    package func checkpoint() throws(SceneStoreError) {
        try container.checkUnmoved()
        do throws(SceneStoreError) {
            try container.checkIndex()
        } catch {
            // The log stays as it is: readers see by it what was committed.
            fence.failure = error
            throw error
        }
        do throws(SceneStoreError) {
            _ = try copyLog(.passive)
        } catch {
            if connection.isPoisoned {
                fence.failure = SceneStoreError(
                    .poisoned,
                    "a checkpoint did not reach the disk; close the store and open it again")
            }
            throw error
        }
    }

    /// The checkpoint itself.
    func copyLog(
        _ mode: CheckpointMode, waits: Bool = true
    ) throws(SceneStoreError) -> CheckpointResult {
        defer {
            container.noteContent()
        }
        return try translating {
            let result =
                try waits ? connection.checkpoint(mode) : connection.checkpointAtOnce(mode)
            counters.checkpoints += 1
            log.noteCheckpoint(result, counters.transactions)
            return result
        }
    }
}
