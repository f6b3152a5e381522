import SceneStoreSQLite
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
        return try store.using { db throws(SceneStoreError) in
            // In memory nothing has to be cleared away.
            guard db.refused == nil else {
                return false
            }
            guard try !db.performIdleWork(budgetMilliseconds: budgetMilliseconds) else {
                return true
            }
            try db.rest()
            return false
        }
    }

    /// Does what an owner would do in idle time, all of it: sets damaged rows aside, finishes an
    /// erasure, prunes.
    package func performAll() throws(SceneStoreError) {
        while try store.using({ db throws(SceneStoreError) in
            try db.performIdleWork(budgetMilliseconds: 1_000)
        }) {}
    }

    /// Looks at every row and its checksum, as far as the budget goes, and goes on there the next
    /// time; answers whether all were seen. Findings are in ``SceneSessionStore/takeDiagnostics()``.
    @discardableResult
    package func verifyRows(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try store.read { db throws(SceneStoreError) in
            try db.verifyRows(
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
        try store.read { db throws(SceneStoreError) in
            try db.pruningPlan(olderThan: age)
        }
    }

    /// Removes what ``pruningPlan(olderThan:)`` names, in one durable transaction; answers it.
    @discardableResult
    package func prune(olderThan age: Int64?) throws(SceneStoreError) -> [PruneCandidate] {
        try store.using { db throws(SceneStoreError) in
            let plan = try db.pruningPlan(olderThan: age)
            try db.prune(plan)
            return plan
        }
    }

    /// Removes what a reset left, ends an erasure that waits, and writes the file anew without the
    /// room of what was removed; answers its pages before and after.
    @discardableResult
    package func compact() throws(SceneStoreError) -> (before: Int64, after: Int64) {
        try store.using { db throws(SceneStoreError) in
            let before = try db.pages()
            if db.store.erasurePending {
                try db.finishErasure()
            } else {
                while try db.removeOldRows(limit: 10_000) {}
                try db.vacuum()
            }
            return (before, try db.pages())
        }
    }
}

extension SceneSessionStore {
    package var upkeep: StoredUpkeep { StoredUpkeep(store: self) }
}

extension Database {
    /// Does one piece of what has piled up; false when nothing is left.
    private func doOnePiece(
        until deadline: ContinuousClock.Instant
    ) throws(SceneStoreError) -> Bool {
        if store.erasurePending {
            do {
                try eraseBytes()
            } catch {
                guard error.code == .erasurePending else {
                    throw error
                }
                return false
            }
            return true
        }
        // A repair finds more in a damaged file as it is: from here on it is only looked at.
        guard !damage.pageCheck.hasDamage else {
            return try checkOnePiece(until: deadline)
        }
        if upkeep.hasOldRows {
            upkeep.hasOldRows = try removeOldRows(limit: 200)
            return upkeep.hasOldRows
        }
        if let damage = damage.rows.first(where: { !damage.setAside.contains($0) }) {
            try setAside(damage)
            return true
        }
        if damage.isShrunk, !damage.isLossKept {
            // What is missing may only be out of reach: then it is not given up.
            damage.pageCheck.areRowsChecked = true
            guard try !checkOnePiece(until: deadline), !damage.pageCheck.hasDamage else {
                return true
            }
            try acceptLoss()
            return true
        }
        do throws(SceneStoreError) {
            if try prune(limit: 50) > 0 || !upkeep.pruning.candidates.isEmpty {
                return true
            }
        } catch {
            guard error.code == .corrupt, !damage.pageCheck.isOver else {
                throw error
            }
            // What is damaged the pages will tell.
            noteDamagedPages(error)
        }
        return try checkOnePiece(until: deadline)
    }

    /// Works until nothing is left or the budget is used up; true when there is more to do.
    package func performIdleWork(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try checkUsable()
        guard !isReader else {
            return false
        }
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(max(budgetMilliseconds, 0)))
        repeat {
            if try !doOnePiece(until: deadline) {
                return false
            }
        } while ContinuousClock.now < deadline
        return true
    }

    /// Removes what the plan names, up to a number; answers how much that was.
    package func prune(limit: Int) throws(SceneStoreError) -> Int {
        if upkeep.pruning.candidates.isEmpty
            || upkeep.pruning.epoch != store.containerEpoch
        {
            upkeep.pruning = WaitingPruning(
                candidates: try pruningPlan().reversed(), generation: store.generation,
                epoch: store.containerEpoch)
        }
        let plan = upkeep.pruning.candidates.suffix(limit).reversed()
        let done = try doneInbox(limit: limit)
        guard !plan.isEmpty || !done.isEmpty else {
            return 0
        }
        let removed = try write(.normal) { transaction throws(SceneStoreError) in
            var removed = done.count
            for candidate in plan where try transaction.remove(candidate) {
                transaction.note(
                    .prune, candidate.subject == .launch ? nil : candidate.name,
                    candidate.reason)
                removed += 1
            }
            for row in done {
                try transaction.delete(row)
            }
            return removed
        }
        upkeep.pruning.candidates.removeLast(plan.count)
        return removed
    }
}

extension Database {
    /// Writes the file anew and empties the log. SQLite reads every page once and then copies the
    /// new file over the old one in one go; the first can be told of and ended.
    func vacuum() throws(SceneStoreError) {
        // A transaction that changes nothing: it notices what another program has written.
        try write(.normal) { _ throws(SceneStoreError) in }
        try tellingPages(0...0.6) { () throws(SQLiteError) in
            try connection.run(Queries.vacuum)
            connection.noteOwnChanges()
        }
        guard connection.role == .owner else {
            return
        }
        _ = try copyLog(.truncate)
    }

    /// Runs statements that read every page, or nearly, and tells how many they have read.
    package func tellingPages(
        _ share: ClosedRange<Double>, _ body: () throws(SQLiteError) -> Void
    ) throws(SceneStoreError) {
        do throws(SQLiteError) {
            guard let observer = work.observer else {
                return try body()
            }
            let (connection, start) = (connection, try connection.pagesRead)
            let count = try connection.pragma("PRAGMA page_count") ?? 0
            let stage = WorkProgress("reading", .pages, total: Int(clamping: count), share: share)
            try connection.withBudget(Budget(interval: 2_000)) {
                var progress = stage
                progress.done = ((try? connection.pagesRead) ?? start) - start
                return !observer(progress)
            } _: { () throws(SQLiteError) in
                try body()
            }
        } catch {
            throw error.kind == .interrupted && work.isHeard
                ? WorkTeller.cancelled : SceneStoreError(error)
        }
    }

    /// How many pages the database has.
    package func pages() throws(SceneStoreError) -> Int64 {
        try translating { try connection.pragma("PRAGMA page_count") ?? 0 }
    }
}
