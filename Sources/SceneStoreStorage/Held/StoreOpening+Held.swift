import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Beginning without a file that can be written: a full disk keeps no app from launching (S-10), and
/// where there is no store yet it begins in memory (S-14).
extension StoreOpening {
    /// Opens a store; where not even the files beside it can be made, what it holds is read into
    /// memory through a private copy, which owns nothing.
    mutating func holding(
        _ path: String, _ open: (inout StoreOpening) throws(SceneStoreError) -> StoreCore
    ) throws(SceneStoreError) -> StoreCore {
        do throws(SceneStoreError) {
            return try open(&self)
        } catch {
            guard mayHold, !mustExist, HeldWrites.isRefusedOpening(error) else {
                throw error
            }
            do throws(SceneStoreError) {
                return try openInMemory(path, error)
            } catch _ {
                // Why the file could not be opened is what counts.
                throw error
            }
        }
    }

    private mutating func openInMemory(
        _ path: String, _ cause: SceneStoreError
    ) throws(SceneStoreError) -> StoreCore {
        diagnostics = []
        guard let source = try existing(path) else {
            var plain = options
            plain.vfs = nil
            plain.fault = nil
            var opening = StoreOpening(plain, recovery: recovery)
            let core = try opening.openFileless(path: "", role: .memory)
            core.connection.observeChanges()
            core.parts.held = HeldWrites(
                file: nil, base: nil, cause: cause, generation: core.store.generation)
            core.tell(cause)
            return core
        }
        let core = try source.inMemory(cause, options)
        source.abandon()
        core.parts.held?.file = nil
        try core.markOwner()
        return core
    }

    /// The store as a reader sees it; nil when there is none, or none that anybody wrote.
    private func existing(_ path: String) throws(SceneStoreError) -> StoreCore? {
        guard options.vfs == nil else {
            // A disk without files of the system has no private copy to offer.
            throw SceneStoreError(.ioError, "the store can't be copied")
        }
        var reading = options
        reading.access = .reader
        reading.fault = nil
        var opening = StoreOpening(reading, recovery: recovery)
        opening.readsOlder = true
        do throws(SceneStoreError) {
            return try opening.openToRead(path)
        } catch {
            guard error.code == .missing else {
                throw error
            }
            return nil
        }
    }
}
