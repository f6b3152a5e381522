import SceneStoreSQLite
import SceneStoreValues

/// What the policies keep, and what goes in idle time (S-52).
extension Database {
    /// What pruning would remove now, and why. Never what is open, pinned or held.
    package func pruningPlan() throws(SceneStoreError) -> [PruneCandidate] {
        var plan: [PruneCandidate] = []
        for (row, reason) in try closedSessions().expired {
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

    /// Acknowledged payloads of earlier launches: their keys are no longer needed.
    func doneInbox(limit: Int) throws(SceneStoreError) -> [InboxRow] {
        let epoch = store.containerEpoch
        let launch = store.launchNumber
        return try rows(Queries.doneInbox, binding(epoch, launch, Int64(limit))) {
            $0.epoch == epoch && $0.isDone && $0.receivedLaunch < launch
        }
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
