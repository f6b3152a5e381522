import SceneStoreSQLite
import SceneStoreValues

/// What is done when nobody waits: pruning, setting damaged rows aside.
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
        return try rows(Queries.doneInbox) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, launch)
            try statement.bind(3, Int64(limit))
        } isAsked: {
            $0.epoch == epoch && $0.isDone && $0.receivedLaunch < launch
        }
    }
}

extension Transaction {
    /// Removes one candidate; false when it is gone already.
    func remove(_ candidate: PruneCandidate) throws(SceneStoreError) -> Bool {
        switch candidate.subject {
        case .closedSession:
            // It may have been pinned since it was found.
            guard let session = try db.session(candidate.id), !session.row.isOpen,
                session.row.generation <= db.upkeep.pruning.generation
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
        return true
    }
}

/// Pruning on request, by age (S-52).
extension Database {
    /// What the policies would prune, and beside it what is older than an age: discarded sessions,
    /// tombstones of discards that the app was told of, and launches but the last.
    ///
    /// Never what is open, pinned or held, nor what was closed last (S-50), nor what came later than
    /// something that stays: order is by transaction, for clocks jump.
    package func pruningPlan(olderThan age: Int64?) throws(SceneStoreError) -> [PruneCandidate] {
        var plan = try pruningPlan()
        guard let age else {
            return plan
        }
        let oldest = try agingTime().saturatingMinus(max(age, 0))
        var known = Set(plan.map { "\($0.subject) \($0.id)" })
        func add(_ candidate: PruneCandidate) {
            if known.insert("\(candidate.subject) \(candidate.id)").inserted {
                plan.append(candidate)
            }
        }
        let closed = try closedSessions().kept
        let last = closed.first?.closing.group
        for closed in closed.dropFirst(young(closed.map(\.closedAt), since: oldest))
        where closed.closing.group != last && !closed.session.flags.contains(.pinned)
            && !closed.session.flags.contains(.held)
        {
            add(
                PruneCandidate(
                    subject: .closedSession, name: closed.session.identifier,
                    reason: "closed longer ago than asked for", id: closed.session.id))
        }
        let told = Array(try tombstones().reversed())
        let old = told.dropFirst(young(told.map(\.discardedAt), since: oldest))
        for row in old.reversed() where row.delivery == Database.Delivery.delivered.rawValue {
            guard try session(row.id) == nil else {
                continue
            }
            add(
                PruneCandidate(
                    subject: .discard, name: row.identifier,
                    reason: "discarded longer ago than requested, and the app knows it",
                    id: row.id))
        }
        let launches = try launches(limit: .max)
        for row in launches.dropFirst(young(launches.map(\.startedAt), since: oldest))
        where row.number < store.launchNumber {
            add(
                PruneCandidate(
                    subject: .launch, name: String(row.number),
                    reason: "began longer ago than asked for", id: row.number))
        }
        return plan
    }

    /// How many of some times, newest first by transaction, are not old: none that is older than one
    /// of them goes before it. What claims to be of the future is as old as what came after it.
    fileprivate func young(_ times: [Int64], since oldest: Int64) -> Int {
        let soon = now.saturatingPlus(60_000)
        let future = times.prefix { $0 > soon }.count
        let last = times.lastIndex { $0 >= oldest && $0 <= soon }
        return max(future, last.map { $0 + 1 } ?? 0)
    }
}

extension Database {
    /// More than this ahead of what is known is no time that has passed, but a clock that is wrong:
    /// it may be one until a later launch says so, too.
    package static let farAhead = 30 * HistoryPolicy.day

    /// Removes what a plan names, in one durable transaction.
    package func prune(_ plan: [PruneCandidate]) throws(SceneStoreError) {
        guard !plan.isEmpty else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            let stage = WorkProgress("pruning", .entries, total: plan.count)
            for (index, candidate) in plan.enumerated() {
                try work.say(stage, done: index, every: 16)
                switch candidate.subject {
                case .closedSession:
                    guard let session = try session(candidate.id), !session.row.isOpen else {
                        continue
                    }
                    try transaction.deleteSession(session)
                case .discard:
                    guard let row = try tombstone(candidate.id) else {
                        continue
                    }
                    try transaction.delete(row)
                case .launch:
                    for row in try exceptions(candidate.id) {
                        try transaction.delete(row)
                    }
                    guard let row = try launch(candidate.id) else {
                        continue
                    }
                    try transaction.delete(row)
                }
                transaction.note(
                    .prune, candidate.subject == .launch ? nil : candidate.name,
                    candidate.reason)
            }
            try work.say(stage, done: stage.total)
        }
    }
}
