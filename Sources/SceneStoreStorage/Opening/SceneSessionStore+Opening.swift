import SceneStoreValues

extension Database {
    /// Raises the owner's epoch, so that a former owner that still lives is refused, and writes it
    /// down beside the lock. Durable: the note beside the lock must not outlive what it tells of.
    func markOwner() throws(SceneStoreError) {
        // What names nobody now must not be believed by a launch that gets the number of a lost one.
        if container.restoring != nil, notedRestoring == nil {
            _ = container.note(restoring: nil)
        }
        try write(.full) { transaction throws(SceneStoreError) in
            transaction.store.ownerEpoch += 1
            transaction.store.writtenBy = StoreVersion.library
            transaction.note(.open, nil, HexText.text(store.uuid))
        }
        upkeep.openedGeneration = store.generation
        counters = StoreCounters()
        // Counted in transactions, which begin anew: the first save is not synced by this one.
        log = WALUpkeep()
        try container.record(store)
    }
}

extension SceneSessionStore {
    /// Opens the container with what recovers damaged stores; see ``open(at:options:)``.
    package static func open(
        at location: Location, options: Options, recovery: any StoreRecovering
    ) throws(SceneStoreError) -> SceneSessionStore {
        var opening = StoreOpening(options, recovery: recovery)
        let db = try opening.open(location)
        // The place of a file by itself is the folder that it is in.
        let folder = options.lenience.contains(.anyPlace) ? db.container.folder?.path : nil
        return SceneSessionStore(db, at: folder.map { .directory($0) } ?? location)
    }

    /// Closes the store and releases the container.
    ///
    /// An owner's log is copied into the file, so that only the file is left. Later calls throw
    /// ``SceneStoreError/Code/closed``. If this throws, the log could not be copied completely. The
    /// store is closed and released all the same; acknowledged changes are in the log, and the next
    /// owner finds them there.
    public func close() throws(SceneStoreError) {
        // A store that has let go of the container does not take it back for this.
        try database.withLock { db throws(SceneStoreError) in
            if db.isAtRest, !db.journal.decisions.isEmpty {
                do throws(SceneStoreError) {
                    try Database.wake(&db, at: location)
                } catch {
                    db.abandon()
                    throw error
                }
            }
            try db.close()
        }
    }

    /// What SIGKILL does to a store, within the process: for tests and simulations. Nothing is
    /// written, the log stays, the lock is dropped; later calls throw
    /// ``SceneStoreError/Code/closed``.
    package func abandon() {
        database.withLock { $0.abandon() }
    }

    /// Whether rows were found where others belong, so that what was read may lack some.
    package var isContradictory: Bool {
        database.withLock { !$0.damage.pageCheck.misplaced.isEmpty }
    }

    /// Opens the store again if damaged pages were come upon, as the next process would: the damaged
    /// store is set aside, and what can be read of it is salvaged (S-11). For a launch, before
    /// anything of this process is written. Does nothing where nothing is salvaged.
    package func reopenDamaged() throws(SceneStoreError) {
        try database.withLock { db throws(SceneStoreError) in
            guard db.damage.isNoted, db.refused == nil, db.connection.role == .owner,
                db.options.corruption != .fail
            else {
                return
            }
            // The files stay as they are: a checkpoint would take the log away.
            db.connection.abandon()
            db.letGo()
            try Database.wake(&db, at: location)
        }
    }
}
