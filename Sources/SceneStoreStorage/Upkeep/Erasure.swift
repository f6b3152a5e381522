import SceneStoreSQLite
import SceneStoreValues

/// Emptying the container for good: no byte of what it held stays in any of its files (L-43).
extension Database {
    /// Empties the container and leaves no byte of what it held in any of its files.
    ///
    /// The other files go first, because that needs no room, and makes some on a full disk. When the
    /// sessions can't be removed after that, what is thrown says so. Throws `erasurePending` when
    /// they are removed and their bytes are not, and the rest is done in idle time.
    package func erase() throws(SceneStoreError) {
        // What fails is tried again when the sessions are removed.
        let rest =
            (try? eraseOtherFiles()) == nil
            ? "the sessions remain, and the backups, set-aside files and operations"
            : "the backups, set-aside files and operations are erased, the sessions remain"
        do throws(SceneStoreError) {
            try reset(erasing: true)
        } catch {
            var failure = error
            failure.message += "; \(rest)"
            throw failure
        }
        try finishErasure()
    }

    /// Ends an erasure that a commit has begun. What the disk refuses leaves it pending.
    package func finishErasure() throws(SceneStoreError) {
        do throws(SceneStoreError) {
            try eraseBytes()
        } catch  where [.diskFull, .ioError, .readOnlyVolume].contains(error.code) {
            throw SceneStoreError(
                .erasurePending,
                "\(error.message); what was erased is gone from the store, and its bytes remain in "
                    + "the file and its log", path: error.path)
        }
    }

    /// Removes all that is no part of the store itself: copies that were never finished hold
    /// content, too.
    func eraseOtherFiles() throws(SceneStoreError) {
        guard let folder = container.folder else {
            return
        }
        try translating {
            _ = try folder.removeLeftovers()
            for name in ContainerName.folders where try folder.status(of: name) != nil {
                let inner = try folder.folder(name)
                for entry in try inner.entries() where entry.status.kind != .folder {
                    try inner.remove(entry.name)
                }
                try inner.sync()
            }
        }
    }

    /// Empties the folders, removes what a reset left, rewrites the file, and empties the log.
    func eraseBytes() throws(SceneStoreError) {
        try eraseOtherFiles()
        while try removeOldRows(limit: 10_000) {}
        // A row that is out of place can be had once its table was written anew.
        if try !removeContent(), try !removeContent() {
            throw SceneStoreError(
                .corrupt, "pages of the store are damaged, and what was erased remains in them")
        }
        try truncateLog()
        try write(.full) { transaction throws(SceneStoreError) in
            transaction.store.erasurePending = false
        }
        // The log now holds the flag alone.
        try truncateLog()
    }

    /// Removes what sessions left that are gone or ephemeral, and rewrites the file; answers whether
    /// that is all.
    private func removeContent() throws(SceneStoreError) -> Bool {
        let isAll = try write(.normal) { transaction throws(SceneStoreError) in
            try transaction.removeAbsentContent()
        }
        caches = StoreCaches()
        try translating {
            try connection.setSecureDelete(true)
            try connection.run(Queries.vacuum)
            connection.noteOwnChanges()
            try connection.setSecureDelete(false)
        }
        return isAll
    }

    private func truncateLog() throws(SceneStoreError) {
        guard connection.role == .owner else {
            return
        }
        guard try !copyLog(.truncate).isBlocked else {
            throw SceneStoreError(
                .erasurePending,
                "another process still reads the store; what was erased leaves the write-ahead log "
                    + "as soon as it stops")
        }
    }
}

extension SceneSessionStore {
    /// Empties the container, its history, backups and quarantine, and leaves no byte of them in
    /// any of its files. Durable.
    ///
    /// Throws ``SceneStoreError/Code/erasurePending`` when a reader keeps old content in the
    /// write-ahead log, or what else the disk refuses: once the reset is committed the container is
    /// empty, and the rest is erased in idle time.
    package func erase() throws(SceneStoreError) {
        try usingFile { db throws(SceneStoreError) in try db.erase() }
    }
}
