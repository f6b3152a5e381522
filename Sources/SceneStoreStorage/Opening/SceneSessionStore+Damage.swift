import SceneStoreValues

extension SceneSessionStore {
    /// Whether rows were found where others belong, so that what was read may lack some.
    package var isContradictory: Bool {
        database.withLock { !$0.damage.pageCheck.misplaced.isEmpty }
    }

    /// Opens the store again if damaged pages were come upon, as the next process would: the damaged
    /// store is set aside, and what can be read of it is salvaged (S-11). For a launch, before
    /// anything of this process is written. Does nothing where nothing is salvaged.
    package func reopenDamaged() throws(SceneStoreError) {
        try database.withLock { db throws(SceneStoreError) in
            guard db.damage.isNoted, db.held == nil, db.connection.role == .owner,
                db.options.corruption != .fail
            else {
                return
            }
            // The files stay as they are: a checkpoint would take the log away.
            db.connection.abandon()
            db.container.abandon()
            var opening = StoreOpening(following: db)
            opening.mustExist = true
            opening.mayHoldDamaged = true
            let next: Database
            do throws(SceneStoreError) {
                next = try opening.open(location)
            } catch {
                db.abandon()
                throw error
            }
            let findings = next.damage.diagnostics
            db.handOn(to: next)
            next.damage.diagnostics += findings
            db = next
        }
    }
}
