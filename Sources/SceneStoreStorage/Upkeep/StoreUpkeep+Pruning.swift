import SceneStoreSQLite
import SceneStoreValues

/// Pruning on request, by age (S-52).
extension StoreUpkeep {
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
        let oldest = try launches.agingTime().saturatingMinus(max(age, 0))
        var known = Set(plan.map { "\($0.subject) \($0.id)" })
        func add(_ candidate: PruneCandidate) {
            if known.insert("\(candidate.subject) \(candidate.id)").inserted {
                plan.append(candidate)
            }
        }
        let closed = try discards.closed().kept
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
        let told = Array(try discards.tombstones().reversed())
        let old = told.dropFirst(young(told.map(\.discardedAt), since: oldest))
        for row in old.reversed() where row.delivery == StoreCore.Delivery.delivered.rawValue {
            guard try session(row.id) == nil else {
                continue
            }
            add(
                PruneCandidate(
                    subject: .discard, name: row.identifier,
                    reason: "discarded longer ago than requested, and the app knows it",
                    id: row.id))
        }
        let launches = try launches.rows(limit: .max)
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

extension StoreUpkeep {
    /// More than this ahead of what is known is no time that has passed, but a clock that is wrong:
    /// it may be one until a later launch says so, too.
    package static let farAhead = 30 * HistoryPolicy.day

    /// Removes what a plan names, in one durable transaction.
    package func prune(_ plan: [PruneCandidate]) throws(SceneStoreError) {
        guard !plan.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            let stage = WorkProgress("pruning", .entries, total: plan.count)
            for (index, candidate) in plan.enumerated() {
                try work.say(stage, done: index, every: 16)
                switch candidate.subject {
                case .closedSession:
                    guard let session = try session(candidate.id), !session.row.isOpen else {
                        continue
                    }
                    try writer.deleteSession(session)
                case .discard:
                    guard let row = try discards.row(candidate.id) else {
                        continue
                    }
                    try writer.delete(row)
                case .launch:
                    for row in try launches.exceptions(candidate.id) {
                        try writer.delete(row)
                    }
                    guard let row = try launches.row(candidate.id) else {
                        continue
                    }
                    try writer.delete(row)
                }
                writer.note(
                    .prune, candidate.subject == .launch ? nil : candidate.name,
                    candidate.reason)
            }
            try work.say(stage, done: stage.total)
        }
    }
}

extension StoreUpkeep {
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
        _ = try core.copyLog(.truncate)
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
