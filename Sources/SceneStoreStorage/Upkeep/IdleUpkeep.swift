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

extension Transaction {
    /// Removes one candidate; false when it is gone already.
    fileprivate func remove(_ candidate: PruneCandidate) throws(SceneStoreError) -> Bool {
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
