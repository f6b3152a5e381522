import SceneStoreSQLite
import SceneStoreValues

/// What is done when nobody waits: pruning, setting damaged rows aside.
extension StoreUpkeep {
    /// What pruning would remove now, and why. Never what is open, pinned or held.
    package func pruningPlan() throws(SceneStoreError) -> [PruneCandidate] {
        var plan: [PruneCandidate] = []
        for (row, reason) in try discards.closed().expired {
            plan.append(
                PruneCandidate(
                    subject: .closedSession, name: row.session.identifier, reason: reason,
                    id: row.session.id))
        }
        plan += try surplusDiscards()
        let capacity = Int64(max(options.launchCapacity, 1))
        if store.launchNumber > capacity {
            let last = store.launchNumber - capacity
            for row in try rows(
                Queries.oldLaunches,
                { statement throws(SQLiteError) in
                    try statement.bind(1, last)
                    try statement.bind(2, 1_000 as Int64)
                }, isAsked: { $0.number <= last })
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
        let count = try ask(Queries.discardCount) { statement throws(SQLiteError) -> Int64 in
            try statement.bind(1, epoch)
            return try statement.step() ? try statement.integer(at: 0) : 0
        }
        var surplus = count - Int64(max(options.discardCapacity, 0))
        guard surplus > 0 else {
            return []
        }
        var plan: [PruneCandidate] = []
        try each(Queries.discardsOldestFirst, number(epoch)) {
            row, _ throws(SceneStoreError) in
            guard isAsked(row.epoch == epoch, .discard, row.id) else {
                return true
            }
            if row.delivery == StoreCore.Delivery.delivered.rawValue, try session(row.id) == nil {
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

    /// Acknowledged payloads of earlier launches: their keys are no longer needed.
    fileprivate func doneInbox(limit: Int) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        let launch = store.launchNumber
        return try rows(Queries.doneInbox) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, launch)
            try statement.bind(3, Int64(limit))
        } isAsked: {
            $0.epoch == epoch && $0.isDone && $0.receivedLaunch < launch
        }
    }
}

extension StoreWriter {
    /// Removes one candidate; false when it is gone already.
    fileprivate func remove(_ candidate: PruneCandidate) throws(SceneStoreError) -> Bool {
        switch candidate.subject {
        case .closedSession:
            // It may have been pinned since it was found.
            guard let session = try session(candidate.id), !session.row.isOpen,
                session.row.generation <= parts.upkeep.pruning.generation
            else {
                return false
            }
            try deleteSession(session)
        case .discard:
            guard let row = try discards.row(candidate.id) else {
                return false
            }
            try delete(row)
        case .launch:
            guard let launch = try launches.row(candidate.id) else {
                return false
            }
            try delete(try launches.exceptions(candidate.id))
            try delete(launch)
        }
        return true
    }
}

extension StoreUpkeep {
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
            if try prune(limit: 50) > 0 || !parts.upkeep.pruning.candidates.isEmpty {
                return true
            }
        } catch {
            guard error.code == .corrupt, !damage.pageCheck.isOver else {
                throw error
            }
            // What is damaged the pages will tell.
            core.noteDamagedPages(error)
        }
        return try checkOnePiece(until: deadline)
    }

    /// Works until nothing is left or the budget is used up; true when there is more to do.
    package func performIdleWork(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try core.checkUsable()
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
        if parts.upkeep.pruning.candidates.isEmpty
            || parts.upkeep.pruning.epoch != store.containerEpoch
        {
            parts.upkeep.pruning = WaitingPruning(
                candidates: try pruningPlan().reversed(), generation: store.generation,
                epoch: store.containerEpoch)
        }
        let plan = parts.upkeep.pruning.candidates.suffix(limit).reversed()
        let done = try doneInbox(limit: limit)
        guard !plan.isEmpty || !done.isEmpty else {
            return 0
        }
        let removed = try write(.normal) { writer throws(SceneStoreError) in
            var removed = done.count
            for candidate in plan where try writer.remove(candidate) {
                writer.note(
                    .prune, candidate.subject == .launch ? nil : candidate.name,
                    candidate.reason)
                removed += 1
            }
            for row in done {
                try writer.delete(row)
            }
            return removed
        }
        parts.upkeep.pruning.candidates.removeLast(plan.count)
        return removed
    }
}
