import SceneStoreValues

/// What is done when nobody waits, and on request: looking for damage, pruning, compacting.
package struct StoredUpkeep: Sendable {
    let store: SceneSessionStore

    /// Removes what a reset left behind, sets damaged rows aside and prunes, in small pieces, as
    /// long as the budget lasts; answers whether more is to be done. Never before the launch has
    /// settled. When nothing is left, the store comes to rest if its options say so.
    @discardableResult
    package func perform(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        guard !store.isAtRest else {
            return false
        }
        return try store.using { core throws(SceneStoreError) in
            // In memory nothing has to be cleared away.
            guard core.parts.held == nil else {
                return false
            }
            guard try !core.idle.performIdleWork(budgetMilliseconds: budgetMilliseconds) else {
                return true
            }
            try core.rest()
            return false
        }
    }

    /// Does what an owner would do in idle time, all of it: sets damaged rows aside, finishes an
    /// erasure, prunes.
    package func performAll() throws(SceneStoreError) {
        while try store.using({ core throws(SceneStoreError) in
            try core.idle.performIdleWork(budgetMilliseconds: 1_000)
        }) {}
    }

    /// Looks at every row and its checksum, as far as the budget goes, and goes on there the next
    /// time; answers whether all were seen. Findings are in ``SceneSessionStore/takeDiagnostics()``.
    @discardableResult
    package func verifyRows(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try store.reading { core throws(SceneStoreError) in
            try core.idle.verifyRows(
                until: ContinuousClock.now.advanced(
                    by: .milliseconds(max(budgetMilliseconds, 0))))
        }
    }

    /// What pruning would remove now, and why; nothing is removed.
    ///
    /// - Parameter age: Milliseconds; what was closed, discarded or launched longer ago goes, too.
    package func pruningPlan(olderThan age: Int64? = nil) throws(SceneStoreError)
        -> [PruneCandidate]
    {
        try store.reading { core throws(SceneStoreError) in
            try core.idle.pruningPlan(olderThan: age)
        }
    }

    /// Removes what ``pruningPlan(olderThan:)`` names, in one durable transaction; answers it.
    @discardableResult
    package func prune(olderThan age: Int64?) throws(SceneStoreError) -> [PruneCandidate] {
        try store.using { core throws(SceneStoreError) in
            let plan = try core.idle.pruningPlan(olderThan: age)
            try core.idle.prune(plan)
            return plan
        }
    }

    /// Removes what a reset left, ends an erasure that waits, and writes the file anew without the
    /// room of what was removed; answers its pages before and after.
    @discardableResult
    package func compact() throws(SceneStoreError) -> (before: Int64, after: Int64) {
        try store.using { core throws(SceneStoreError) in
            let before = try core.idle.pages()
            if core.store.erasurePending {
                try core.idle.finishErasure()
            } else {
                while try core.idle.removeOldRows(limit: 10_000) {}
                try core.idle.vacuum()
            }
            return (before, try core.idle.pages())
        }
    }
}

extension SceneSessionStore {
    package var upkeep: StoredUpkeep { StoredUpkeep(store: self) }
}
