import SceneStoreSQLite
import SceneStoreValues

/// Going on while the file refuses what is written (L-17).
extension SceneSessionStore {
    /// From now on a write that the file refuses is held in memory. Whoever asks for this tells the
    /// app of ``refusal``: nothing that is held was stored.
    package func holdRefusedWrites() {
        core.withLock { $0.parts.holdsRefusedWrites = true }
    }

    /// Why the file takes nothing; nil while it does.
    package var refusal: SceneStoreError? {
        core.withLock { $0.parts.held?.cause }
    }

    /// The sessions of which something is held, by identifier; those that are gone in memory and
    /// still in the file among them.
    package var heldSessions: [String] {
        core.withLock { $0.heldIdentifiers }
    }

    /// Writes what is held, if the file takes it; opens it anew if nothing else can have taken its
    /// place. Throws what refuses.
    package func writeHeld() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in
            if core.parts.held?.mayReopen == true {
                try Self.reopen(&core, at: location)
            } else {
                try Self.writeHeld(&core)
            }
        }
    }

    /// Opens the file at its place anew, with all checks, and writes what is held.
    ///
    /// Throws ``SceneStoreError/Code/replaced`` when another store stands there: it is left as it is.
    package func reopenFile() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in
            try Self.reopen(&core, at: location)
        }
    }

    /// After an error: if the file refused a write, goes on in memory and runs the body there.
    static func hold<Result: Sendable>(
        _ core: inout StoreCore, _ error: SceneStoreError,
        _ body: @Sendable (StoreCore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
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
            try file.takeOver(core, isWhole: held.isWhole)
        } catch {
            if error.code != held.cause.code {
                core.tell(error)
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

    private static func reopen(
        _ core: inout StoreCore, at location: Location
    ) throws(SceneStoreError) {
        guard let held = core.parts.held else {
            return
        }
        held.file?.abandon()
        held.file = nil
        var opening = StoreOpening(core.options, recovery: core.recovery)
        opening.mayHold = false
        opening.holdsAll = true
        let next: StoreCore
        do throws(SceneStoreError) {
            next = try opening.open(location)
        } catch {
            held.failedOpenings += HeldWrites.isRefusal(error) ? 1 : 0
            throw error
        }
        if held.isSame(next.store) {
            held.base = next.store
            held.failedOpenings = 0
        } else if next.isBlank {
            held.base = next.store
            held.failedOpenings = 0
            held.isWhole = true
        } else {
            // What stands there is somebody's: it is left as an owner leaves it.
            try next.close()
            throw SceneStoreError(
                .replaced,
                "another store has taken the place of the one that was moved; both are kept")
        }
        next.parts.holdsRefusedWrites = core.parts.holdsRefusedWrites
        held.file = next
        try writeHeld(&core)
    }
}

extension StoreCore {
    /// Gives what outlives a change of core to the one that goes on.
    fileprivate func passOn(to next: StoreCore) {
        let findings = next.damage.diagnostics
        let opening = next.damage.openingDiagnostics
        next.damage.openingDiagnostics = []
        handOn(to: next)
        next.damage.openingDiagnostics = opening
        next.damage.diagnostics += findings
        damage.diagnostics = []
    }
}

extension HeldWrites {
    /// Whether a store that was opened just now is the one that was left: nobody else owned it.
    fileprivate func isSame(_ store: StoreRow) -> Bool {
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

    /// The sessions of which something is held.
    fileprivate var heldIdentifiers: [String] {
        guard let held = parts.held else {
            return []
        }
        let rows = connection.changedRows
        var keys = rows[StoreTable.session.name] ?? []
        for table in [StoreTable.state, .sessionValue] {
            keys.formUnion((rows[table.name] ?? []).map { $0 >> 8 })
        }
        var identifiers: [String] = []
        for key in keys.sorted() {
            // What can't be read is named by nobody.
            let row = (try? session(key)?.row) ?? (try? held.file?.session(key)?.row)
            if let row, !identifiers.contains(row.identifier) {
                identifiers.append(row.identifier)
            }
        }
        return identifiers
    }
}
