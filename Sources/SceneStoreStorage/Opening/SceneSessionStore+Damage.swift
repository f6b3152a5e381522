import SceneStoreValues

extension SceneSessionStore {
    /// Whether rows were found where others belong, so that what was read may lack some.
    package var isContradictory: Bool {
        core.withLock { !$0.damage.pageCheck.misplaced.isEmpty }
    }

    /// Opens the store again if damaged pages were come upon, as the next process would: the damaged
    /// store is set aside, and what can be read of it is salvaged (S-11). For a launch, before
    /// anything of this process is written. Does nothing where nothing is salvaged.
    package func reopenDamaged() throws(SceneStoreError) {
        try core.withLock { core throws(SceneStoreError) in
            guard core.damage.isNoted, core.parts.held == nil, core.connection.role == .owner,
                core.options.corruption != .fail
            else {
                return
            }
            // The files stay as they are: a checkpoint would take the log away.
            core.connection.abandon()
            core.container.abandon()
            var opening = StoreOpening(following: core)
            opening.mustExist = true
            opening.mayHoldDamaged = true
            let next: StoreCore
            do throws(SceneStoreError) {
                next = try opening.open(location)
            } catch {
                core.abandon()
                throw error
            }
            let findings = next.damage.diagnostics
            core.handOn(to: next)
            next.damage.diagnostics += findings
            core = next
        }
    }
}
