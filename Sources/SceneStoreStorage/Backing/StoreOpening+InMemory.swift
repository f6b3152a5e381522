import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Beginning without a file that can be written: a full disk keeps no app from launching (S-10), and
/// where there is no store yet it begins in memory (S-14).
extension StoreOpening {
    /// Opens a store; where not even the files beside it can be made, what it holds is read into
    /// memory through a private copy. The container is owned all the same, if its lock could be taken.
    mutating func openHolding(_ path: String) throws(SceneStoreError) -> Database {
        do throws(SceneStoreError) {
            return try openToWrite(path)
        } catch {
            guard mayHold, !mustExist || mayHoldDamaged && isRecoveryRefused,
                RefusedWrites.isRefusedOpening(error)
            else {
                throw error
            }
            do throws(SceneStoreError) {
                let db = try openInMemory(path, error)
                db.refused?.owned = owned?.container
                return db
            } catch _ {
                // Why the file could not be opened is what counts.
                throw error
            }
        }
    }

    private mutating func openInMemory(
        _ path: String, _ cause: SceneStoreError
    ) throws(SceneStoreError) -> Database {
        diagnostics = []
        untold = []
        var damage: SceneStoreError?
        if !isLeftDamaged {
            do throws(SceneStoreError) {
                guard let source = try existing(path) else {
                    return try begun(cause)
                }
                defer { source.abandon() }
                return try markedCopy(source.inMemory(cause, options))
            } catch  where error.code == .corrupt && options.corruption != .fail {
                // Perhaps of pages that no opening comes upon.
                damage = error
                isLeftDamaged = true
            }
        }
        return try salvaged(path, cause, damage)
    }

    /// What a file held, under an owner's mark; the file is to be opened anew. All pages are looked
    /// through: a running app salvages what is in a file, not what is in memory.
    private func markedCopy(_ db: Database) throws(SceneStoreError) -> Database {
        db.refused?.file = nil
        do throws(SceneStoreError) {
            try checkPages(db.connection)
            try db.markOwner()
            return db
        } catch {
            db.abandon()
            throw error
        }
    }

    /// A store in memory that holds nothing.
    private func begun(_ cause: SceneStoreError) throws(SceneStoreError) -> Database {
        // What opens the file later meets what refused it.
        var opening = StoreOpening(options, recovery: recovery)
        let db = try opening.openFileless(path: "", role: .memory)
        db.connection.observeChanges()
        db.backing = .memory(RefusedWrites(cause: cause, generation: db.store.generation))
        db.damage.tell(cause)
        return db
    }

    /// What can be read of a damaged store, in memory. The file stays as it is until the disk takes
    /// another one; then it is set aside.
    private func salvaged(
        _ path: String, _ cause: SceneStoreError, _ damage: SceneStoreError?
    ) throws(SceneStoreError) -> Database {
        guard options.corruption != .fail else {
            throw cause
        }
        let folder = try translating { try ContainerFolder.open(path, access: .reader) }
        let found = try recovery.readInMemory(folder, options: options, mayBeBackup: true)
        let db: Database
        if let (source, _) = found {
            db = try source.inMemory(cause, options, recovery: recovery)
            source.abandon()
            db.backing = .memory(RefusedWrites(cause: cause, generation: db.store.generation))
            try db.markOwner()
        } else {
            db = try begun(cause)
        }
        if let damage, let file = Self.file(folder) {
            db.refused?.damage = (damage, file)
        }
        db.damage.openingDiagnostics =
            [
                Diagnostic(
                    Diagnostic.Code(SceneStoreError.Code.corrupt.rawValue), .error,
                    "the store is damaged, and the disk has no room for a new one; what can be read of"
                        + " it, or of a backup, is in memory",
                    path: ContainerName.store,
                    fix: "make room; then the damaged store is set aside and everything is written")
            ] + (found?.found ?? [])
        return db
    }

    /// The store as a reader sees it; nil when there is none, or none that anybody wrote.
    private func existing(_ path: String) throws(SceneStoreError) -> Database? {
        guard options.vfs == nil else {
            // A disk without files of the system has no private copy to offer. Where nobody wrote yet,
            // none is needed.
            let connection = try connect(
                path + "/" + ContainerName.store, connectionOptions(.owner))
            defer { connection.abandon() }
            guard try StoreMigrator.version(connection) == 0 else {
                throw SceneStoreError(.ioError, "the store can't be copied")
            }
            return nil
        }
        var reading = options
        reading.access = .reader
        reading.lenience = [.older]
        reading.fault = nil
        var opening = StoreOpening(reading, recovery: recovery)
        opening.owned = owned
        do throws(SceneStoreError) {
            return try opening.openToRead(path)
        } catch  where error.code == .missing {
            return nil
        }
    }
}
