import SceneStoreSQLite
import SceneStoreValues

/// Launches, and how processes end (L-14).
package struct StoredLaunches: Sendable {
    package let store: SceneSessionStore

    /// Begins a launch and writes all that its plan judged, in one transaction; answers the
    /// numbers of the payloads that the inbox took, in their order, nil for one that it can't keep.
    package func begin(
        _ context: LaunchContext, _ reason: LaunchReason, _ judgement: LaunchJudgement
    ) throws(SceneStoreError) -> [Int64?] {
        try store.using { db throws(SceneStoreError) in
            let contents = judgement.payloads.map { Self.content(of: $0, db) }
            let isPlain = contents.isEmpty && judgement.expired.isEmpty
            let items = try db.write(isPlain ? .normal : .full) {
                transaction throws(SceneStoreError) in
                let kept = judgement.keepsLastSession ? try transaction.carryLastSession() : []
                try transaction.beginLaunch(
                    context, reason: reason, previousWasStable: judgement.previousWasStable,
                    behind: kept + judgement.behind)
                transaction.note(judgement.decisions)
                if !judgement.restored.isEmpty {
                    transaction.note(.restored, nil, SessionRanges(judgement.restored).text)
                }
                try transaction.advancePayloads(judgement.handled, isDone: true)
                try transaction.adopt(judgement.adopted)
                for (key, cause) in judgement.parked.sorted(by: { $0.key < $1.key }) {
                    try transaction.park(key, cause)
                }
                for key in judgement.overtaken {
                    let session = try transaction.db.knownSession(key)
                    try transaction.updateRow(session) { $0.flags.remove(.reopened) }
                }
                try transaction.returnAtNextLaunch(judgement.returning)
                try transaction.endDeliveries(
                    judgement.endedDeliveries, blaming: judgement.blamedPayload)
                for (key, cause) in judgement.expired {
                    try transaction.discard([key], cause: cause, deliveredNow: false)
                }
                return try zip(judgement.payloads, contents).map {
                    payload, bytes throws(SceneStoreError) in
                    try bytes.map { bytes throws(SceneStoreError) in
                        try transaction.insertPayload(bytes, dedupe: payload.deduplicationKey)
                    }
                }
            }
            db.hasBegunLaunch = true
            return items
        }
    }

    /// Writes what changes with a session's connection, in one transaction if there is any: that its
    /// state is given to the app, and that this follows deaths. That a session was reopened may be
    /// forgotten with the mark that it `willBeActive`, in the transaction that ends its connection.
    package func noteConnection(
        of key: Int64, isGiven: Bool, isSuspect: Bool, isBehind: Bool = false,
        willBeActive: Bool = false
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            var flags = session.row.flags
            if !willBeActive {
                flags.remove(.reopened)
            }
            let wasParked = flags.parkedCause != nil
            flags.parkedCause = nil
            if isSuspect {
                flags.insert(.suspect)
            }
            if isGiven {
                flags.give()
            }
            guard db.fence.isStale || flags != session.row.flags || isBehind else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                if wasParked {
                    try transaction.park(key, nil)
                }
                if flags != session.row.flags {
                    try transaction.updateRow(session) { $0.flags = flags }
                }
                if isBehind {
                    try transaction.setBehind(true, key)
                }
            }
        }
    }

    /// The process ends with a farewell; nil for `isLeft` parks no window. Durable; never held in
    /// memory (L-17).
    package func end(
        _ how: ProcessEnd, parking isLeft: (@Sendable (SessionRecord) -> Bool)? = nil
    ) throws(SceneStoreError) {
        try store.usingFile { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.endLaunch(how, parking: isLeft)
            }
        }
    }

    /// Stores what became of the sessions that the current launch expected (S-40), and who counts as
    /// used from now on.
    package func record(_ ledger: LaunchLedger, marks: [MarkChange] = []) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let changed = try db.effective(marks)
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.record(ledger)
                try transaction.apply(changed)
            }
        }
    }

    /// A payload as the inbox keeps it; nil when it can't be kept, which is reported.
    private static func content(of payload: Payload, _ db: Database) -> [UInt8]? {
        do throws(SceneStoreError) {
            try db.encoder.check(payload.deduplicationKey, path: "inbox")
            return try ValueCodec.encode(try db.encoder.storable(payload), limits: db.limits)
        } catch {
            db.damage.diagnostics.append(
                Diagnostic(.init(error.code.rawValue), .error, error.message, path: error.path))
            return nil
        }
    }
}

/// Reads launches, and how processes ended (L-14).
extension Database {
    /// How the process before this one ended. No row is read for it.
    package var previousEnd: PreviousProcess.End {
        // A launch that ended so is not the last one: the process after it died.
        let isOlder = damage.openingDiagnostics.contains { $0.code == .lostCommits }
        return isOlder && store.launchState != .never ? .running : store.launchState
    }

    /// The process before this one.
    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        let launch = try self.launch(store.launchNumber)
        return PreviousProcess(
            end: previousEnd, number: store.launchNumber, bootIdentifier: launch?.bootIdentifier,
            restoring: store.launchState == .clean ? nil : restoringSession,
            startedAt: launch?.startedAt)
    }

    /// The row of a launch of this epoch.
    package func launch(_ number: Int64) throws(SceneStoreError) -> LaunchRow? {
        let row = try row(LaunchRow.self, number)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    /// What the last launch declared about the app's windows; nil when it declared nothing, or
    /// its row is damaged (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try launch(store.launchNumber).flatMap { launch throws(SceneStoreError) in
            try contexts().first { $0.id == launch.contextID }?.declared
        }
    }

    /// The launches of this epoch, newest first.
    package func launches(limit: Int) throws(SceneStoreError) -> [LaunchRow] {
        try rows(Queries.launches, binding(store.containerEpoch, Int64(clamping: limit)))
    }

    /// What became of sessions of a launch that were not simply restored.
    package func exceptions(_ launch: Int64) throws(SceneStoreError) -> [LaunchExceptionRow] {
        try rows(Queries.launchExceptions, binding(launch)) { $0.launch == launch }
    }

    /// The launches with their ledgers, newest first.
    package func launchRecords(limit: Int) throws(SceneStoreError) -> [LaunchRecord] {
        try launches(limit: max(limit, 0)).map { row throws(SceneStoreError) in
            let counts = zip(LaunchOutcome.allCases, row.counts).filter { $0.1 > 0 }
            let exceptions = try exceptions(row.number).compactMap { entry in
                LaunchOutcome(rawValue: entry.outcome).map {
                    LaunchLedger.Entry(
                        sessionIdentifier: SceneSession.ID(entry.sessionIdentifier), outcome: $0,
                        reason: entry.reason)
                }
            }
            return LaunchRecord(
                number: row.number, reason: LaunchReason(rawValue: row.reason) ?? .launch,
                startedAt: row.startedAt, endedAt: row.endedAt,
                end: row.endedHow.flatMap { ProcessEnd(rawValue: $0) },
                died: row.endedHow == "died",
                context: try context(row.contextID, savedAt: row.startedAt),
                processIdentifier: Int32(clamping: row.processIdentifier),
                ledger: LaunchLedger(
                    counts: Dictionary(
                        uniqueKeysWithValues: counts.map { ($0, Int(clamping: $1)) }),
                    exceptions: exceptions))
        }
    }

    /// The sessions that a launch of the history held back.
    package func onceHeld() throws(SceneStoreError) -> Set<SceneSession.ID> {
        let exceptions = try launchRecords(limit: .max).flatMap(\.ledger.exceptions)
        return Set(exceptions.filter { $0.outcome == .held }.map(\.sessionIdentifier))
    }

    /// The numbers of the launches that ended cleanly or lived long enough (L-52).
    func stableLaunches(stablePeriod: Int64, last: Bool) throws(SceneStoreError) -> [Int64] {
        var result: [Int64] = []
        var next: Int64?
        for launch in try launches(limit: .max) {
            let lived = next.map { $0.saturatingMinus(launch.startedAt) >= max(0, stablePeriod) }
            let isStable = launch.endedHow == ProcessEnd.quit.rawValue || lived ?? last
            if isStable {
                result.append(launch.number)
            }
            next = launch.startedAt
        }
        return result
    }

    /// The time from which ages are reckoned: now, where another reading of the clock agrees, and
    /// else what the last launches say. Nothing is given up because of one wrong reading.
    ///
    /// Another reading is the beginning of the launch before this one, the last that it stored, for
    /// some devices boot in 1970, the beginning of this one if that agrees, and any that was agreed
    /// to before in this process, which may be up for months.
    package func agingTime() throws(SceneStoreError) -> Int64 {
        let now = now
        let launches = try launches(limit: 2)
        guard let this = launches.first, let earlier = launches.last else {
            return now
        }
        func agree(_ time: Int64, _ known: Int64) -> Bool {
            time.saturatingMinus(known) <= Database.farAhead
        }
        var time = earlier.startedAt
        if agree(this.startedAt, time) {
            time = this.startedAt
        }
        var isAgreed = agree(now, max(time, earlier.startedAt))
        if !isAgreed, let agreed = upkeep.agreedTime {
            isAgreed = agree(now, agreed)
        }
        if !isAgreed, this.number != earlier.number, let last = try lastEvent(of: earlier) {
            isAgreed = agree(now, last.happenedAt)
        }
        guard isAgreed else {
            return time
        }
        upkeep.agreedTime = now
        return now
    }

    /// The newest event of an earlier launch. What this owner wrote before it launched has that
    /// launch's number, too, and this owner's clock.
    private func lastEvent(of launch: LaunchRow) throws(SceneStoreError) -> StoreEvent? {
        let opened = upkeep.openedGeneration
        return try newestEvents(session: nil, launch: launch.number, limit: 16).first {
            $0.generation < opened || launch.generation >= opened
        }
    }
}

/// Writes launches, and how processes end (L-14).
extension Transaction {
    /// Writes how a launch ended.
    private func end(_ launch: LaunchRow, _ how: String, at time: Int64?) throws(SceneStoreError) {
        var row = launch
        row.endedAt = time
        row.endedHow = how
        try update(row, counted: launch.checksum)
    }

    /// Begins a launch: blames the session that the last process died restoring, and removes those
    /// that were not to be remembered.
    package func beginLaunch(
        _ context: LaunchContext, reason: LaunchReason, previousWasStable: Bool = false,
        behind: [Int64] = []
    ) throws(SceneStoreError) {
        let exceptional = try db.exceptionalSessions()
        let forgotten = exceptional.filter { $0.flags.contains(.notRemembered) }
        let time = db.now
        // One that has ended is not the one that died: that one's record is lost.
        if store.launchState == .running, let previous = try db.launch(store.launchNumber),
            previous.endedHow == nil
        {
            try end(previous, "died", at: nil)
        }
        if previousWasStable {
            try settle([], among: exceptional, version: context.appVersion)
        } else {
            // A restoration in a launch that was not stable clears no count.
            for row in exceptional where row.flags.contains(.suspect) {
                try updateRow(db.knownSession(row.id)) { $0.flags.remove(.suspect) }
            }
        }
        try blame()
        for row in forgotten {
            guard let session = try db.session(row.id) else {
                continue
            }
            note(.forget, row.identifier, "restoration disabled")
            try deleteSession(session)
        }
        store.launchNumber += 1
        store.launchState = .running
        let contextID = try intern(
            SaveContext(
                appVersion: context.appVersion, systemVersion: context.systemVersion,
                idiom: context.idiom, savedAt: time))
        try declare(context.declared, in: contextID)
        let behind = SessionRanges(behind)
        db.caches.behind[store.launchNumber] = behind
        try insert(
            LaunchRow(
                number: store.launchNumber, epoch: store.containerEpoch, reason: reason.rawValue,
                startedAt: time, contextID: contextID,
                bootIdentifier: context.bootIdentifier,
                processIdentifier: Int64(context.processIdentifier),
                generation: store.generation,
                behind: behind.text))
        note(.launch, nil, reason.rawValue)
    }

    /// The process ends with a farewell; windows that it does not keep are parked (L-16).
    package func endLaunch(
        _ how: ProcessEnd, parking isLeft: ((SessionRecord) -> Bool)? = nil
    ) throws(SceneStoreError) {
        if let isLeft {
            for record in try db.openRecords() where isLeft(record) {
                if record.parkedCause != nil, record.isFront {
                    // It was not in front in this process.
                    try updateRow(db.knownSession(record.key)) { $0.isFront = false }
                }
                try park(record.key, .notKept)
            }
        }
        if let launch = try db.launch(store.launchNumber) {
            try end(launch, how.rawValue, at: db.now)
        }
        // The launch after a reset is a first one, however this process ends.
        if store.launchState != .never {
            store.launchState = how == .quit ? .clean : .forceQuit
        }
        if how == .quit {
            store.restoringSession = nil
            try endDeliveries(db.waitingInbox().filter { $0.order > 0 }.map(\.id))
        }
        note(.end, nil, how.rawValue)
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        guard let launch = try db.launch(store.launchNumber) else {
            throw SceneStoreError(.noLaunch, "a ledger belongs to a launch; begin one first")
        }
        var row = launch
        row.expected = Int64(ledger.expected)
        row.counts = LaunchOutcome.allCases.map { Int64(max(ledger.counts[$0] ?? 0, 0)) }
        try update(row, counted: launch.checksum)
        try delete(try db.exceptions(launch.number))
        // Bounded: the counts above say what is left out.
        for entry in ledger.exceptions.prefix(1_000) where entry.outcome != .restored {
            try insert(
                LaunchExceptionRow(
                    id: nextID(), launch: launch.number,
                    sessionIdentifier: entry.sessionIdentifier.rawValue,
                    outcome: entry.outcome.rawValue, reason: entry.reason))
        }
    }
}

/// One launch as the store remembers it.
package struct LaunchRecord: Sendable, Hashable {
    /// Counts launches of the container, from 1.
    package var number: Int64
    /// Why the process was started.
    package var reason: LaunchReason
    /// Milliseconds since 1970.
    package var startedAt: Int64
    /// Milliseconds since 1970; nil while it runs and when it died.
    package var endedAt: Int64?
    /// How it ended, as far as it said.
    package var end: ProcessEnd?
    /// Whether a later launch found that it had died.
    package var died: Bool
    /// What it ran under; `savedAt` is its beginning.
    package var context: SaveContext
    /// The process.
    package var processIdentifier: Int32
    /// What became of the sessions that it expected.
    package var ledger: LaunchLedger
}
