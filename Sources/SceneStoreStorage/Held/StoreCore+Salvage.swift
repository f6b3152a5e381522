import SceneStoreSQLite
import SceneStoreValues

/// Salvaging a damaged store within the process that met the damage (S-11, L-17).
///
/// What the next opening would do must not wait for it: until then nothing that the app does would be
/// kept. What can be read goes on in memory, and is written into a new file at once, or when the disk
/// has room for one. The damaged file is set aside, as by an opening.
extension StoreCore {
    /// Whether a damaged file is salvaged now. The beginning of a launch decides anew on what an
    /// opening salvages.
    func maySalvage(after error: SceneStoreError) -> Bool {
        parts.hasBegunLaunch && parts.held == nil && error.isOfDamage && !damage.isSalvageVain
            && container.folder != nil && connection.role == .owner
            && options.corruption.salvager != nil
    }

    /// Exchanges the core of a damaged file for one of what can be read of it. Its rows have the
    /// numbers that they had.
    private static func salvage(
        _ core: inout StoreCore, _ cause: SceneStoreError,
        at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        let memory = try core.salvaged(cause)
        core.passOn(to: memory)
        core = memory
        do throws(SceneStoreError) {
            try reopen(&core, at: location)
        } catch {
            // It stays in memory until the disk takes it.
            core.parts.held?.cause = error
            core.damage.tell(error)
        }
    }

    /// What can be read of the file, in memory; the container stays owned.
    private func salvaged(_ cause: SceneStoreError) throws(SceneStoreError) -> StoreCore {
        guard let folder = container.folder else {
            throw cause
        }
        // The files stay as they are: a checkpoint would take the log away.
        connection.abandon()
        do throws(SceneStoreError) {
            guard let found = try recovery.salvageInMemory(folder, options: options) else {
                throw cause
            }
            defer { found.core.abandon() }
            let memory = try found.core.inMemory(cause, options, recovery: recovery)
            let held = HeldWrites(
                file: nil, base: nil, cause: cause, generation: memory.store.generation)
            held.damage = container.identity.map {
                HeldWrites.KnownDamage(cause: cause, file: $0)
            }
            held.owned = container
            memory.parts.held = held
            memory.damage.diagnostics = found.found
            return memory
        } catch {
            // Nothing of the file can be used any more.
            abandon()
            throw error
        }
    }

    /// Salvages a damaged file and runs a body once more; throws any other error. If the salvage was
    /// in vain, no other one is tried.
    ///
    /// - Parameter inFile: Whether the body needs the file, and must not run on what is in memory.
    static func again<Result: Sendable>(
        _ core: inout StoreCore, after error: SceneStoreError,
        at location: SceneSessionStore.Location, inFile: Bool = false,
        _ body: @Sendable (StoreCore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard core.maySalvage(after: error) else {
            throw error
        }
        try salvage(&core, error, at: location)
        if inFile {
            try core.checkHeld()
        }
        do throws(SceneStoreError) {
            let result = try body(core)
            try afterHeld(&core)
            return result
        } catch {
            core.damage.isSalvageVain = error.isOfDamage
            throw error
        }
    }
}

extension StoreCore {
    /// Runs a body that is not held in memory.
    func withoutHolding<Result>(
        _ body: (StoreCore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let holds = parts.holdsRefusedWrites
        parts.holdsRefusedWrites = false
        defer { parts.holdsRefusedWrites = holds }
        return try body(self)
    }

    /// Throws while changes are held in memory.
    func checkHeld() throws(SceneStoreError) {
        if let held = parts.held {
            throw held.cause
        }
    }
}
