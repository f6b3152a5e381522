import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What a command does that an app leaves to its idle moments.
extension StoredUpkeep {
    /// Does what an owner would do in idle time, all of it: sets damaged rows aside, finishes an
    /// erasure, prunes.
    package func performAll() throws(SceneStoreError) {
        while try store.using({ db throws(SceneStoreError) in
            try db.performIdleWork(budgetMilliseconds: 1_000)
        }) {}
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

/// Writing the file anew.
extension Database {
    /// Writes the file anew and empties the log. SQLite reads every page once and then copies the
    /// new file over the old one in one go; the first can be told of and ended.
    fileprivate func vacuum() throws(SceneStoreError) {
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
    func tellingPages(
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
}

/// Pruning on request, by age (S-52).
extension Database {
    /// What the policies would prune, and beside it what is older than an age: discarded sessions,
    /// tombstones of discards that the app was told of, and launches but the last.
    ///
    /// Never what is open, pinned or held, nor what was closed last (S-50), nor what came later than
    /// something that stays: order is by transaction, for clocks jump.
    fileprivate func pruningPlan(olderThan age: Int64?) throws(SceneStoreError) -> [PruneCandidate]
    {
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
        let (closed, _, last) = try closedSessions()
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

    /// Removes what a plan names, in one durable transaction.
    fileprivate func prune(_ plan: [PruneCandidate]) throws(SceneStoreError) {
        guard !plan.isEmpty else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            let stage = WorkProgress("pruning", .entries, total: plan.count)
            for (index, candidate) in plan.enumerated() {
                try work.say(stage, done: index, every: 16)
                _ = try transaction.remove(candidate)
            }
            try work.say(stage, done: stage.total)
        }
    }
}
