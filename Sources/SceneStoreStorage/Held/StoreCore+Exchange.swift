import SceneStoreValues

/// Exchanging the core that a store runs on.
///
///     file's core ──suspended, or at rest──> the file's, opened again        (S-33)
///     file's core ──a write is refused─────> one in memory ──written──> the file's (L-17)
///     file's core ──its pages are damaged──> one in memory ──written──> a new file's (S-11)
///
/// Invariants:
/// 1. It happens under the store's lock, before or after a body, never while one runs.
/// 2. What outlives a core is handed on to the next: subscribers, counters, waiting decisions,
///    diagnostics.
/// 3. A body that meets a refusal runs once more, on the core in memory; never a third time.
extension StoreCore {
    /// Takes the container back if it was let go.
    package static func wake(
        _ core: inout StoreCore, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        guard let left = core.life.suspension else {
            return
        }
        if let row = left.rested {
            do throws(SceneStoreError) {
                core = try core.openAgain(row)
            } catch {
                guard core.parts.holdsRefusedWrites, HeldWrites.isRefusal(error) else {
                    throw error
                }
                try goOnInMemory(&core, error)
            }
            return
        }
        var opening = StoreOpening(following: core)
        opening.mustExist = true
        let next = try opening.open(location)
        let isSame =
            next.store.uuid == left.uuid && next.store.containerEpoch == left.containerEpoch
            && next.store.generation > left.generation
        guard isSame else {
            // This opening was a commit of its own, which must not bring an older file up to what was
            // let go.
            core.life.suspension?.generation += 1
            try next.leave()
            throw SceneStoreError(
                .replaced,
                "the container was reset or replaced while the store was suspended; launch again")
        }
        core.handOn(to: next)
        // The mark of this opening is one transaction and one epoch.
        if next.store.ownerEpoch != left.ownerEpoch + 1
            || next.store.generation != left.generation + 1
        {
            next.life.resumption = .changed
        }
        core = next
    }

    /// After an error: if the file refused a write, goes on in memory and runs the body there.
    static func hold<Result: Sendable>(
        _ core: inout StoreCore, _ error: SceneStoreError,
        at location: SceneSessionStore.Location,
        _ body: @Sendable (StoreCore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if core.maySalvage(after: error) {
            return try again(&core, after: error, at: location, body)
        }
        guard core.parts.holdsRefusedWrites, core.parts.held == nil,
            HeldWrites.isRefusal(error)
        else {
            throw error
        }
        try goOnInMemory(&core, error)
        let result = try body(core)
        try afterHeld(&core)
        return result
    }

    /// After a body: tries to write what is held, if it is more than before.
    static func afterHeld(_ core: inout StoreCore) throws(SceneStoreError) {
        if let late = core.parts.lateRefusal {
            core.parts.lateRefusal = nil
            try goOnInMemory(&core, late)
            return
        }
        guard let held = core.parts.held, core.store.generation > held.attempted else {
            return
        }
        held.attempted = core.store.generation
        do throws(SceneStoreError) {
            try writeHeld(&core)
        } catch {
            // It stays in memory; the cause is told once.
        }
    }

    static func goOnInMemory(
        _ core: inout StoreCore, _ cause: SceneStoreError
    ) throws(SceneStoreError) {
        let memory: StoreCore
        do throws(SceneStoreError) {
            memory = try core.inMemory(cause, core.options)
        } catch _ {
            throw cause
        }
        core.passOn(to: memory)
        core = memory
    }

    /// Writes what is held into the file, which is the store's again.
    static func writeHeld(_ core: inout StoreCore) throws(SceneStoreError) {
        guard let held = core.parts.held else {
            return
        }
        guard var file = held.file else {
            throw held.cause
        }
        if let failure = file.fence.failure {
            throw failure
        }
        do throws(SceneStoreError) {
            if let rested = file.life.suspension?.rested {
                file = try file.openAgain(rested)
                held.file = file
            }
            if held.cause.code == .diskFull {
                file.makeRoom()
            }
            try file.takeOver(core, isWhole: held.isWhole)
        } catch {
            if error.code != held.cause.code {
                core.damage.tell(error)
            }
            held.cause = error
            throw error
        }
        core.counters.transactions += 1
        core.counters.durableTransactions += 1
        core.passOn(to: file)
        held.file = nil
        core.abandon()
        core = file
    }

    static func reopen(
        _ core: inout StoreCore, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) {
        guard let held = core.parts.held else {
            return
        }
        held.abandonFile()
        var opening = StoreOpening(following: core)
        opening.mayHold = false
        opening.memory = core
        opening.damage = held.damage
        let next: StoreCore
        do throws(SceneStoreError) {
            defer {
                if opening.mayHaveBegunAnew {
                    held.placed = core.store
                }
                if opening.hasBegunAnew {
                    held.noteWritten(core.store)
                }
            }
            next = try opening.open(location)
        } catch {
            held.failedOpenings += HeldWrites.isRefusal(error) ? 1 : 0
            held.owned = opening.owned?.container
            throw error
        }
        if held.isNext(next.store, to: held.placed) {
            held.noteWritten(next.store)
        } else if held.isNext(next.store, to: held.base) {
            held.base = next.store
            held.failedOpenings = 0
        } else if next.isBlank {
            held.base = next.store
            held.failedOpenings = 0
            held.isWhole = true
        } else {
            try next.leave()
            throw SceneStoreError(
                .replaced,
                "another store has replaced the one that was moved; both are kept")
        }
        next.parts.holdsRefusedWrites = core.parts.holdsRefusedWrites
        core.damage.diagnostics += opening.replacements
        held.file = next
        try writeHeld(&core)
    }
}

extension StoreCore {
    /// What a file of this has to say of itself, to take the place of one that the last owner wrote.
    func outrank(_ held: HeldLock) throws(SceneStoreError) {
        try write(.full) { writer throws(SceneStoreError) in
            writer.store.ownerEpoch = max(writer.store.ownerEpoch, held.epoch)
            writer.store.generation = max(writer.store.generation, held.owedGeneration)
        }
    }

    /// Leaves a store that is somebody else's as an owner leaves it. What no app was told of it is
    /// for whoever launches on it.
    fileprivate func leave() throws(SceneStoreError) {
        damage.untold = []
        try close()
    }

    /// Gives what outlives a change of core to the one that goes on.
    func passOn(to next: StoreCore) {
        let findings = next.damage.diagnostics
        let opening = next.damage.openingDiagnostics
        next.damage.openingDiagnostics = []
        handOn(to: next)
        next.damage.openingDiagnostics = opening
        next.damage.diagnostics += findings
        next.damage.lostStates.formUnion(damage.lostStates)
        damage.diagnostics = []
    }
}

extension HeldWrites {
    /// A file of all that is held stands in its place: this is the store's own row in it.
    fileprivate func noteWritten(_ row: StoreRow) {
        base = row
        isWhole = false
        damage = nil
        failedOpenings = 0
    }

    /// Whether a store that was opened just now is one that was left: nobody else owned it.
    fileprivate func isNext(_ store: StoreRow, to base: StoreRow?) -> Bool {
        guard let base else {
            return false
        }
        // A write whose sync failed may have reached the file after all, and so may the mark of an
        // opening that failed.
        let epochs = base.ownerEpoch + 1...base.ownerEpoch + 1 + failedOpenings
        let generations = base.generation + 1...base.generation + 2 + failedOpenings
        return store.uuid == base.uuid && store.containerEpoch == base.containerEpoch
            && epochs.contains(store.ownerEpoch) && generations.contains(store.generation)
            && store.launchNumber <= base.launchNumber + 1
    }
}

extension StoreCore {
    /// Whether no app ever wrote anything but the owner's mark.
    fileprivate var isBlank: Bool {
        store.launchNumber == 0 && store.openCount == 0 && store.containerEpoch == 1
            && store.ownerEpoch <= 1
    }
}
