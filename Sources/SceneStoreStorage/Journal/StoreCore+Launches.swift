import SceneStoreSQLite
import SceneStoreValues

/// Launches, and how processes end (L-14, L-52).
extension StoreReading where Self: ~Copyable {
    /// How the process before this one ended.
    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        let state = store.launchState
        let end: PreviousProcess.End =
            switch state {
            case .never: .never
            // The launch that ended so is not the last one: the process after it died.
            case _ where parts.damage.openingDiagnostics.contains { $0.code == .lostCommits }:
                .running
            case .ended: .clean
            case .running: .running
            case .forceQuit: .forceQuit
            }
        let launch = try launchRow(store.launchNumber)
        return PreviousProcess(
            end: end, number: store.launchNumber, bootIdentifier: launch?.bootIdentifier,
            restoring: state == .ended ? nil : restoringSession,
            startedAt: launch?.startedAt)
    }

    /// The session that is being restored in the last launch, or was when its process died (L-52):
    /// the one in the store's row, else the one that is written down beside the lock. What is
    /// torn, or belongs to another launch or another store, names nobody.
    var restoringSession: Int64? {
        if let key = store.restoringSession {
            return key
        }
        guard let noted = container.restoring, noted == restoring(noted.session) else {
            return nil
        }
        return noted.session
    }

    /// What is written down while a session is restored in the last launch.
    func restoring(_ key: Int64) -> OwnerLock.Restoring {
        let store = store
        let seed = ContentHash.hash(
            store.uuid, seed: UInt64(bitPattern: store.containerEpoch))
        return OwnerLock.Restoring(
            session: key, launch: store.launchNumber,
            sum: ContentHash.hash(NumberPair(key, store.launchNumber).bytes, seed: seed))
    }

    /// The row of a launch of this epoch.
    package func launchRow(_ number: Int64) throws(SceneStoreError) -> LaunchRow? {
        let row = try row(LaunchRow.self, number)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    /// What the last launch declared about the app's windows; nil when it declared nothing, or
    /// its row is damaged (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try launchRow(store.launchNumber).flatMap { launch throws(SceneStoreError) in
            try contexts().first { $0.id == launch.contextID }?.declared
        }
    }

    /// The launches of this epoch, newest first.
    package func launchRows(limit: Int) throws(SceneStoreError) -> [LaunchRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.launches) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, Int64(clamping: limit))
        }
    }

    /// The sessions that a process died restoring, and those not to be remembered.
    package func exceptionalSessions() throws(SceneStoreError) -> [SessionRow] {
        let epoch = store.containerEpoch
        return try rows(Queries.exceptionalSessions, number(epoch)) {
            $0.epoch == epoch && ($0.crashCount > 0 || $0.flags.contains(.notRemembered))
        }
    }

    package func exceptions(_ launch: Int64) throws(SceneStoreError) -> [LaunchExceptionRow] {
        try rows(Queries.launchExceptions, number(launch)) { $0.launch == launch }
    }

    package func launches(limit: Int) throws(SceneStoreError) -> [LaunchRecord] {
        var result: [LaunchRecord] = []
        for row in try launchRows(limit: max(limit, 0)) {
            var counts: [LaunchOutcome: Int] = [:]
            let columns: [(LaunchOutcome, Int64)] = [
                (.restored, row.restored), (.held, row.held), (.withheld, row.withheld),
                (.lost, row.lost), (.discarded, row.discarded), (.evicted, row.evicted),
                (.declined, row.declined),
            ]
            for (outcome, count) in columns where count > 0 {
                counts[outcome] = Int(clamping: count)
            }
            let exceptions = try exceptions(row.number).compactMap { entry in
                LaunchOutcome(rawValue: entry.outcome).map {
                    LaunchLedger.Entry(
                        sessionIdentifier: SceneSession.ID(entry.sessionIdentifier), outcome: $0,
                        reason: entry.reason)
                }
            }
            result.append(
                LaunchRecord(
                    number: row.number, reason: LaunchReason(rawValue: row.reason) ?? .launch,
                    startedAt: row.startedAt, endedAt: row.endedAt,
                    end: row.endedHow.flatMap { ProcessEnd(rawValue: $0) },
                    died: row.endedHow == "died",
                    context: try context(row.contextID, savedAt: row.startedAt),
                    processIdentifier: Int32(clamping: row.processIdentifier),
                    ledger: LaunchLedger(counts: counts, exceptions: exceptions)))
        }
        return result
    }

    /// The sessions that a launch of the history held back.
    package func onceHeld() throws(SceneStoreError) -> Set<SceneSession.ID> {
        var identifiers: Set<SceneSession.ID> = []
        for launch in try launches(limit: .max) {
            for entry in launch.ledger.exceptions where entry.outcome == .held {
                identifiers.insert(entry.sessionIdentifier)
            }
        }
        return identifiers
    }
}

extension StoreWriter {
    /// Raises the count of the session that was being restored when the last process died.
    fileprivate func blame() throws(SceneStoreError) -> String? {
        guard let key = store.launchState == .ended ? store.restoringSession : restoringSession
        else {
            return nil
        }
        store.restoringSession = nil
        guard let session = try session(key), session.row.isOpen else {
            return nil
        }
        try judge(session) { row, pins in
            row.crashCount = min(max(row.crashCount, 0), 1_000_000) + 1
            row.flags.blame(slot: row.stateSlot, &pins)
        }
        note(.blame, session.row.identifier, "\(session.row.crashCount) in a row")
        return session.row.identifier
    }

    /// Writes how a launch ended.
    fileprivate func end(
        _ launch: LaunchRow, _ how: String, at time: Int64?
    ) throws(SceneStoreError) {
        var row = launch
        row.endedAt = time
        row.endedHow = how
        try update(row, counted: launch.checksum)
    }
}

extension StoreWriter {
    /// Begins a launch; see ``SceneSessionStore/beginLaunch(_:)``.
    package func beginLaunch(
        _ context: LaunchContext, reason: LaunchReason? = nil, previousWasStable: Bool = false
    ) throws(SceneStoreError) -> LaunchStart {
        let previous = try launchRow(store.launchNumber)
        let judged = try previousProcess().reason(bootIdentifier: context.bootIdentifier)
        let reason = reason ?? judged
        let exceptional = try exceptionalSessions()
        let forgotten = exceptional.filter { $0.flags.contains(.notRemembered) }
        let time = now
        // One that has ended is not the one that died: that one's record is lost.
        if store.launchState == .running, let previous, previous.endedHow == nil {
            try end(previous, "died", at: nil)
        }
        if previousWasStable {
            try settle(settlements([], version: context.appVersion))
        } else {
            // A restoration in a launch that was not stable clears no count.
            for row in exceptional where row.flags.contains(.suspect) {
                try updateRow(knownSession(row.id)) { $0.flags.remove(.suspect) }
            }
        }
        let blamed = try blame()
        for row in forgotten {
            guard let session = try session(row.id) else {
                continue
            }
            note(.forget, row.identifier, "restoration disabled")
            try deleteSession(session)
        }
        var start = LaunchStart(
            number: store.launchNumber + 1, reason: reason,
            blamed: blamed.map { SceneSession.ID($0) })
        switch store.launchState {
        case .ended: start.previousEnd = .quit
        case .forceQuit: start.previousEnd = .forceQuit
        case .never, .running: break
        }
        store.launchNumber += 1
        store.launchState = .running
        let contextID = try intern(
            SaveContext(
                appVersion: context.appVersion, systemVersion: context.systemVersion,
                idiom: context.idiom, savedAt: time))
        try declare(context.declared, in: contextID)
        try insert(
            LaunchRow(
                number: start.number, epoch: store.containerEpoch, reason: reason.rawValue,
                startedAt: time, contextID: contextID,
                bootIdentifier: context.bootIdentifier,
                processIdentifier: Int64(context.processIdentifier),
                generation: store.generation))
        note(.launch, nil, reason.rawValue)
        return start
    }

    /// The process ends with a farewell; without `keepingWindows` every window is parked (L-16).
    package func endLaunch(
        _ how: ProcessEnd, keepingWindows: Bool = true
    ) throws(SceneStoreError) {
        if !keepingWindows {
            for record in try openRecords()
            where record.parkedCause == nil && record.isRestorationEnabled {
                try park(record.key, .notKept)
            }
        }
        if let launch = try launchRow(store.launchNumber) {
            try end(launch, how.rawValue, at: now)
        }
        // The launch after a reset is a first one, however this process ends.
        if store.launchState != .never {
            store.launchState = how == .quit ? .ended : .forceQuit
        }
        if how == .quit {
            store.restoringSession = nil
        }
        note(.end, nil, how.rawValue)
    }

    /// The user has ended the process, or removed it from the list of those that run.
    package func recordForceQuit(discards: Bool) throws(SceneStoreError) {
        let open = discards ? try openRecords().map(\.key) : []
        if let launch = try launchRow(store.launchNumber) {
            try end(launch, ProcessEnd.forceQuit.rawValue, at: now)
        }
        if store.launchState != .never {
            store.launchState = .forceQuit
        }
        note(.end, nil, ProcessEnd.forceQuit.rawValue)
        try discard(open, cause: .user, deliveredNow: false)
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        guard let launch = try launchRow(store.launchNumber) else {
            throw SceneStoreError(
                .noLaunch, "a ledger belongs to a launch; begin one first")
        }
        func count(_ outcome: LaunchOutcome) -> Int64 {
            Int64(max(ledger.counts[outcome] ?? 0, 0))
        }
        var row = launch
        row.expected = Int64(ledger.expected)
        row.restored = count(.restored)
        row.held = count(.held)
        row.withheld = count(.withheld)
        row.lost = count(.lost)
        row.discarded = count(.discarded)
        row.evicted = count(.evicted)
        row.declined = count(.declined)
        try update(row, counted: launch.checksum)
        for old in try exceptions(launch.number) {
            try delete(old)
        }
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

extension StoreWriter {
    /// A session that goes is not being restored any more.
    func endRestoring(_ key: Int64) {
        guard restoringSession == key else {
            return
        }
        _ = container.note(restoring: nil)
        if store.restoringSession != nil {
            store.restoringSession = nil
        }
    }
}

extension StoreCore {
    /// Names the session that is being restored, or none (L-52); nothing is written when it is
    /// named already.
    package func setRestoring(_ key: Int64?) throws(SceneStoreError) {
        if let key {
            _ = try knownSession(key)
        }
        guard try !noteRestoring(key) else {
            return
        }
        try write(.normal) { writer throws(SceneStoreError) in writer.store.restoringSession = key }
    }

    /// Writes down beside the lock which session is being restored, if that is not known already:
    /// one write, which outlives the process as a commit without a sync does. False where the
    /// store's row has to name it, in a transaction.
    func noteRestoring(_ key: Int64?) throws(SceneStoreError) -> Bool {
        guard restoringSession != key || fence.isStale else {
            return true
        }
        try checkUsable()
        guard store.restoringSession == nil, !fence.isStale else {
            _ = container.note(restoring: nil)
            return false
        }
        return container.note(restoring: key.map { restoring($0) })
    }
}

extension SceneSessionStore {
    /// Begins a launch: answers its number and reason, blames the session that the last process
    /// died restoring, and removes those that were not to be remembered.
    package func beginLaunch(_ context: LaunchContext) throws(SceneStoreError) -> LaunchStart {
        try write(.normal) { writer throws(SceneStoreError) in try writer.beginLaunch(context) }
    }

    /// The process ends with a farewell. Durable.
    package func endLaunch(
        _ how: ProcessEnd, keepingWindows: Bool = true
    ) throws(SceneStoreError) {
        try write(.full) { writer throws(SceneStoreError) in
            try writer.endLaunch(how, keepingWindows: keepingWindows)
        }
    }

    /// The user ended the process; with `policyDiscard` every open session waits to be discarded
    /// at the next launch (L-40). Durable.
    package func recordForceQuit(policyDiscard: Bool) throws(SceneStoreError) {
        try write(.full) { writer throws(SceneStoreError) in
            try writer.recordForceQuit(discards: policyDiscard)
        }
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func recordLedger(_ ledger: LaunchLedger) throws(SceneStoreError) {
        try write(.normal) { writer throws(SceneStoreError) in try writer.record(ledger) }
    }

    /// What the last launch declared about the app's windows (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try read { reader throws(SceneStoreError) in try reader.lastDeclaration() }
    }

    /// The launches, newest first.
    package func launches(limit: Int = 100) throws(SceneStoreError) -> [LaunchRecord] {
        try read { reader throws(SceneStoreError) in try reader.launches(limit: limit) }
    }

    /// Names the session that is being restored, so that a crash now blames it; nil when all have
    /// settled. Mode normal; nothing is written when nothing changes.
    package func setRestoring(key: Int64?) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.setRestoring(key) }
    }
}
