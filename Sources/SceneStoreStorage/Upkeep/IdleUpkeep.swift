import SceneStoreSQLite
import SceneStoreValues

/// What is done when nobody waits: looking for damage, and pruning.
package struct StoredUpkeep: Sendable {
    package let store: SceneSessionStore

    /// Removes what a reset left behind, sets damaged rows aside and prunes, in small pieces, as
    /// long as the budget lasts; answers whether more is to be done. Never before the launch has
    /// settled. When nothing is left, the store comes to rest if its options say so.
    @discardableResult
    package func perform(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try store.usingOpen { db throws(SceneStoreError) in
            // In memory nothing has to be cleared away.
            guard db.refused == nil else {
                return false
            }
            guard try !db.performIdleWork(budgetMilliseconds: budgetMilliseconds) else {
                return true
            }
            try db.rest()
            db.connection.releaseMemory()
            return false
        } ?? false
    }
}

extension Database {
    /// Does one piece of what has piled up; false when nothing is left.
    private func doOnePiece(
        until deadline: ContinuousClock.Instant
    ) throws(SceneStoreError) -> Bool {
        if store.erasurePending {
            do throws(SceneStoreError) {
                try finishErasure()
            } catch  where error.code == .erasurePending {
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
        if let damage = damage.rows.subtracting(damage.setAside).min() {
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
        } catch  where error.code == .corrupt && !damage.pageCheck.isOver {
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
            upkeep.pruning = (
                try pruningPlan().reversed(), store.generation, store.containerEpoch
            )
        }
        let plan = upkeep.pruning.candidates.suffix(limit).reversed()
        // Acknowledged payloads of earlier launches: their keys are no longer needed.
        let (epoch, launch) = (store.containerEpoch, store.launchNumber)
        let done = try rows(Queries.doneInbox, binding(epoch, launch, Int64(limit))) {
            $0.epoch == epoch && $0.isDone && $0.receivedLaunch < launch
        }
        guard !plan.isEmpty || !done.isEmpty else {
            return 0
        }
        let removed = try write(.normal) { transaction throws(SceneStoreError) in
            var removed = done.count
            for candidate in plan
            where try transaction.remove(candidate, foundAt: upkeep.pruning.generation) {
                removed += 1
            }
            try transaction.delete(done)
            return removed
        }
        upkeep.pruning.candidates.removeLast(plan.count)
        return removed
    }

    // MARK: - What the policies keep, and what goes in idle time (S-52)

    /// What pruning would remove now, and why. Never what is open, pinned or held.
    package func pruningPlan() throws(SceneStoreError) -> [PruneCandidate] {
        var plan = try closedSessions().expired.map { row, reason in
            PruneCandidate(
                subject: .closedSession, name: row.session.identifier, reason: reason,
                id: row.session.id)
        }
        plan += try surplusDiscards()
        let capacity = Int64(max(options.launchCapacity, 1))
        if store.launchNumber > capacity {
            let last = store.launchNumber - capacity
            for row in try rows(
                Queries.oldLaunches, binding(last, 1_000 as Int64), isAsked: { $0.number <= last })
            where row.epoch == store.containerEpoch {
                plan.append(
                    PruneCandidate(
                        subject: .launch, name: String(row.number),
                        reason: "more than \(capacity) launches ago", id: row.number))
            }
        }
        return plan
    }

    /// The oldest tombstones above the bound of those whose discard was delivered.
    fileprivate func surplusDiscards() throws(SceneStoreError) -> [PruneCandidate] {
        let epoch = store.containerEpoch
        let count = try numbers(Queries.discardCount, binding(epoch)).first ?? 0
        var surplus = count - Int64(max(options.discardCapacity, 0))
        guard surplus > 0 else {
            return []
        }
        var plan: [PruneCandidate] = []
        try each(Queries.discardsOldestFirst, binding(epoch)) {
            row, _ throws(SceneStoreError) in
            guard isAsked(row.epoch == epoch, .discard, row.id) else {
                return true
            }
            if row.delivery == Database.Delivery.delivered.rawValue, try session(row.id) == nil {
                plan.append(
                    PruneCandidate(
                        subject: .discard, name: row.identifier,
                        reason: "more than \(options.discardCapacity) sessions were discarded",
                        id: row.id))
                surplus -= 1
            }
            return surplus > 0
        }
        return plan
    }

    /// More than this ahead of what is known is no time that has passed, but a clock that is wrong:
    /// it may be one until a later launch says so, too.
    package static let farAhead = 30 * HistoryPolicy.day
}

extension Transaction {
    /// Removes one candidate and notes it; false when it is gone already. A session that changed after a
    /// generation is kept.
    package func remove(
        _ candidate: PruneCandidate, foundAt generation: Int64 = .max
    ) throws(SceneStoreError) -> Bool {
        switch candidate.subject {
        case .closedSession:
            // It may have been pinned since it was found.
            guard let session = try db.session(candidate.id), !session.row.isOpen,
                session.row.generation <= generation
            else {
                return false
            }
            try deleteSession(session)
        case .discard:
            guard let row = try db.tombstone(candidate.id) else {
                return false
            }
            try delete(row)
        case .launch:
            guard let launch = try db.launch(candidate.id) else {
                return false
            }
            try delete(try db.exceptions(candidate.id))
            try delete(launch)
        }
        note(.prune, candidate.subject == .launch ? nil : candidate.name, candidate.reason)
        return true
    }
}
