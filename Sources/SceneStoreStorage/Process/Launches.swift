import SceneStoreSQLite
import SceneStoreValues

/// Launches, how processes end, and who is blamed for their deaths (L-14, L-52).
package struct StoredLaunches: Sendable {
    let store: SceneSessionStore

    /// Begins a launch: answers its number and reason, blames the session that the last process
    /// died restoring, and removes those that were not to be remembered.
    package func begin(_ context: LaunchContext) throws(SceneStoreError) -> LaunchStart {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.beginLaunch(
                context,
                reason: transaction.db.previousProcess().reason(
                    bootIdentifier: context.bootIdentifier))
        }
    }

    /// Begins a launch and writes all that its plan judged, in one transaction; answers the
    /// numbers of the payloads that the inbox took, in their order, nil for one that it can't keep.
    package func begin(
        _ context: LaunchContext, _ reason: LaunchReason, _ judgement: LaunchJudgement
    ) throws(SceneStoreError) -> [Int64?] {
        try store.using { db throws(SceneStoreError) in
            let contents = judgement.payloads.map { Self.content(of: $0, db) }
            let isPlain =
                judgement.told.isEmpty && contents.isEmpty && judgement.expired.isEmpty
            let items = try db.write(isPlain ? .normal : .full) {
                transaction throws(SceneStoreError) in
                _ = try transaction.beginLaunch(
                    context, reason: reason, previousWasStable: judgement.previousWasStable)
                transaction.note(judgement.decisions)
                if judgement.keepsLastSession {
                    try transaction.carryLastSession()
                }
                try transaction.advancePayloads(judgement.handled, isDone: true)
                try transaction.adopt(judgement.adopted)
                for (key, cause) in judgement.parked.sorted(by: { $0.key < $1.key }) {
                    try transaction.park(key, cause)
                }
                for key in judgement.overtaken {
                    try transaction.updateRow(transaction.db.knownSession(key)) {
                        $0.flags.remove(.reopened)
                    }
                }
                for key in judgement.returning {
                    try transaction.updateRow(transaction.db.knownSession(key)) {
                        $0.flags.insert(.reopened)
                    }
                }
                for (key, cause) in judgement.expired {
                    try transaction.discard([key], cause: cause, deliveredNow: true)
                }
                try transaction.rewritePayloads(judgement.endedDeliveries, "delivery ended") {
                    row in
                    row.endDelivery(isBlamed: row.id == judgement.blamedPayload)
                }
                try transaction.mark(discards: judgement.told, .offered)
                var items: [Int64?] = []
                for (payload, bytes) in zip(judgement.payloads, contents) {
                    items.append(
                        try bytes.map { bytes throws(SceneStoreError) in
                            try transaction.insertPayload(
                                bytes, dedupe: payload.deduplicationKey)
                        })
                }
                return items
            }
            db.hasBegunLaunch = true
            return items
        }
    }

    /// Says what is being restored, and, in one transaction if there is any, what changes with that:
    /// that its state is given to the app, that this follows deaths, and which payloads are being handed over. Who is handed a payload is
    /// not blamed: the payload is (L-52). That a session was reopened may be forgotten with the mark
    /// that it `willBeActive`, in the transaction that ends its connection.
    package func noteConnection(
        restoring key: Int64, isGiven: Bool, isSuspect: Bool, isHandedPayload: Bool,
        offering items: [Int64], isBehind: Bool = false, willBeActive: Bool = false
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
            let isNoted = isHandedPayload ? true : try db.noteRestoring(key)
            guard
                !isNoted || db.fence.isStale || !items.isEmpty || flags != session.row.flags
                    || isBehind
            else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                if !isNoted {
                    transaction.store.restoringSession = key
                }
                if wasParked {
                    try transaction.park(key, nil)
                }
                if flags != session.row.flags {
                    try transaction.updateRow(session) { $0.flags = flags }
                }
                if isBehind {
                    try transaction.setBehind(true, key)
                }
                try transaction.advancePayloads(items, isDone: false)
            }
        }
    }

    /// Names the session that is being restored, so that a crash now blames it; nil when all have
    /// settled. Mode normal; nothing is written when nothing changes.
    package func setRestoring(key: Int64?) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            if let key {
                _ = try db.knownSession(key)
            }
            guard try !db.noteRestoring(key) else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                transaction.store.restoringSession = key
            }
        }
    }

    /// A launch that is stable stays so after a power cut: that nothing restores any more is on the disk
    /// on return, with all that was written (L-52). One sync of the log, one of the lock's file.
    package func syncMarks() throws(SceneStoreError) {
        guard !store.isAtRest else {
            return
        }
        try store.using { db throws(SceneStoreError) in
            guard db.held == nil, db.hasLog else {
                return
            }
            db.container.syncNote()
            try db.syncLog()
        }
    }

    /// The launch is stable: who died before and was restored in it is blamed no longer, and the
    /// states of the others are offered once more (L-52).
    package func settle(
        restored keys: Set<Int64>, version: String?
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let settlements = try db.settlements(
                keys, among: db.exceptionalSessions(), version: version)
            guard !settlements.isEmpty else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.settle(settlements)
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

    /// The user ended the process; with `policyDiscard` every open session waits to be discarded
    /// at the next launch (L-40). Durable.
    package func recordForceQuit(policyDiscard: Bool) throws(SceneStoreError) {
        try store.write(.full) { transaction throws(SceneStoreError) in
            try transaction.recordForceQuit(discards: policyDiscard)
        }
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            try transaction.record(ledger)
        }
    }

    /// What the last launch declared about the app's windows (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try store.read { db throws(SceneStoreError) in try db.lastDeclaration() }
    }

    /// The launches, newest first.
    package func records(limit: Int = 100) throws(SceneStoreError) -> [LaunchRecord] {
        try store.read { db throws(SceneStoreError) in try db.launchRecords(limit: limit)
        }
    }

    /// A payload as the inbox keeps it; nil when it can't be kept, which is reported.
    private static func content(of payload: Payload, _ db: Database) -> [UInt8]? {
        do throws(SceneStoreError) {
            try db.encoder.check(payload.deduplicationKey, path: "inbox")
            return try ValueCodec.encode(try db.encoder.storable(payload), limits: db.limits)
        } catch {
            db.damage.diagnostics.append(
                Diagnostic(
                    .init(error.code.rawValue), .error, error.message, path: error.path))
            return nil
        }
    }
}

extension SceneSessionStore {
    package var launches: StoredLaunches { StoredLaunches(store: self) }
}

extension Database {
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
        return container.note(
            restoring: key.map { restoring($0, at: store.generation) })
    }
}

/// Reads launches, and how processes ended (L-14, L-52).
extension Database {
    /// How the process before this one ended.
    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        let state = store.launchState
        let end: PreviousProcess.End =
            switch state {
            case .never: .never
            // The launch that ended so is not the last one: the process after it died.
            case _ where damage.openingDiagnostics.contains { $0.code == .lostCommits }:
                .running
            case .ended: .clean
            case .running: .running
            case .forceQuit: .forceQuit
            }
        let launch = try self.launch(store.launchNumber)
        return PreviousProcess(
            end: end, number: store.launchNumber, bootIdentifier: launch?.bootIdentifier,
            restoring: state == .ended ? nil : restoringSession,
            startedAt: launch?.startedAt)
    }

    /// The session that is being restored in the last launch, or was when its process died (L-52):
    /// the one in the store's row, else the one that is written down beside the lock. What is
    /// torn, or belongs to another launch or another store, names nobody.
    var restoringSession: Int64? { store.restoringSession ?? notedRestoring?.session }

    /// The note beside the lock, if it is of this store's last launch and no commit has outlived it.
    /// Each commit renews the note while a session is restored. So an older note was cleared before
    /// the last commit, even if a power cut took the clearing back.
    var notedRestoring: OwnerLock.Restoring? {
        guard let noted = container.restoring,
            noted.generation >= fence.committed ?? store.generation,
            noted == restoring(noted.session, at: noted.generation)
        else {
            return nil
        }
        return noted
    }

    /// The session that is being restored where only the lock says so: what a copy of the store
    /// would not know.
    package var notedSession: Int64? {
        store.restoringSession == nil && store.launchState != .ended ? restoringSession : nil
    }

    /// What is written down while a session is restored in the last launch.
    func restoring(_ key: Int64, at generation: Int64) -> OwnerLock.Restoring {
        OwnerLock.Restoring(
            session: key, generation: generation, launch: store.launchNumber, uuid: store.uuid,
            epoch: store.containerEpoch)
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
        let epoch = store.containerEpoch
        return try rows(Queries.launches) { statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, Int64(clamping: limit))
        }
    }

    /// What became of sessions of a launch that were not simply restored.
    package func exceptions(_ launch: Int64) throws(SceneStoreError) -> [LaunchExceptionRow] {
        try rows(Queries.launchExceptions, number(launch)) { $0.launch == launch }
    }

    /// The launches with their ledgers, newest first.
    package func launchRecords(limit: Int) throws(SceneStoreError) -> [LaunchRecord] {
        var result: [LaunchRecord] = []
        for row in try launches(limit: max(limit, 0)) {
            var counts: [LaunchOutcome: Int] = [:]
            for outcome in LaunchOutcome.allCases where row[outcome] > 0 {
                counts[outcome] = Int(clamping: row[outcome])
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
        for launch in try launchRecords(limit: .max) {
            for entry in launch.ledger.exceptions where entry.outcome == .held {
                identifiers.insert(entry.sessionIdentifier)
            }
        }
        return identifiers
    }

    /// The numbers of the launches that ended cleanly or lived long enough (L-52).
    func stableLaunches(
        stablePeriod: Int64, last: Bool
    ) throws(SceneStoreError) -> [Int64] {
        let launches = try launches(limit: .max)
        var result: [Int64] = []
        var next: Int64?
        for launch in launches {
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
    func agingTime() throws(SceneStoreError) -> Int64 {
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

extension OwnerLock.Restoring {
    /// A session that is restored in a launch of a store: only that launch of that store has the sum.
    package init(
        session: Int64, generation: Int64, launch: Int64, uuid: [UInt8], epoch: Int64
    ) {
        let store = ContentHash.hash(uuid, seed: UInt64(bitPattern: epoch))
        self.init(
            session: session, generation: generation,
            sum: NumberPair(session, generation).hash(
                seed: store ^ UInt64(bitPattern: launch)))
    }
}

/// Writes launches, and how processes end (L-14, L-52), within a transaction.
extension Transaction {
    /// Raises the count of the session that was being restored when the last process died.
    private func blame() throws(SceneStoreError) -> String? {
        guard
            let key = store.launchState == .ended
                ? store.restoringSession : db.restoringSession
        else {
            return nil
        }
        store.restoringSession = nil
        guard let session = try db.session(key), session.row.isOpen else {
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
    private func end(
        _ launch: LaunchRow, _ how: String, at time: Int64?
    ) throws(SceneStoreError) {
        var row = launch
        row.endedAt = time
        row.endedHow = how
        try update(row, counted: launch.checksum)
    }

    /// Begins a launch; see ``StoredLaunches/begin(_:)``.
    package func beginLaunch(
        _ context: LaunchContext, reason: LaunchReason, previousWasStable: Bool = false
    ) throws(SceneStoreError) -> LaunchStart {
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
            try settle(
                db.settlements([], among: exceptional, version: context.appVersion))
        } else {
            // A restoration in a launch that was not stable clears no count.
            for row in exceptional where row.flags.contains(.suspect) {
                try updateRow(db.knownSession(row.id)) { $0.flags.remove(.suspect) }
            }
        }
        let blamed = try blame()
        for row in forgotten {
            guard let session = try db.session(row.id) else {
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

    /// The process ends with a farewell; windows that it does not keep are parked (L-16).
    package func endLaunch(
        _ how: ProcessEnd, parking isLeft: ((SessionRecord) -> Bool)? = nil
    ) throws(SceneStoreError) {
        if let isLeft {
            for record in try db.openRecords() where isLeft(record) {
                try park(record.key, .notKept)
            }
        }
        if let launch = try db.launch(store.launchNumber) {
            try end(launch, how.rawValue, at: db.now)
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
        let open = discards ? try db.openRecords().map(\.key) : []
        if let launch = try db.launch(store.launchNumber) {
            try end(launch, ProcessEnd.forceQuit.rawValue, at: db.now)
        }
        if store.launchState != .never {
            store.launchState = .forceQuit
        }
        note(.end, nil, ProcessEnd.forceQuit.rawValue)
        try discard(open, cause: .user, deliveredNow: false)
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        guard let launch = try db.launch(store.launchNumber) else {
            throw SceneStoreError(
                .noLaunch, "a ledger belongs to a launch; begin one first")
        }
        var row = launch
        row.expected = Int64(ledger.expected)
        for outcome in LaunchOutcome.allCases {
            row[outcome] = Int64(max(ledger.counts[outcome] ?? 0, 0))
        }
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

extension Transaction {
    /// A session that goes is not being restored any more.
    func endRestoring(_ key: Int64) {
        guard db.restoringSession == key else {
            return
        }
        _ = db.container.note(restoring: nil)
        if store.restoringSession != nil {
            store.restoringSession = nil
        }
    }
}

/// What a stable launch means for a session that a process died restoring.
struct Settlement {
    let session: StoreCaches.Session
    var flags: SessionFlags
    var pins: SessionPins
    /// Whether its count of deaths is cleared; else its state is offered again.
    var isCleared = false
    /// The version of the app that it is offered under; nil when that is not new.
    var version: String?
}

extension Database {
    /// What a stable launch in which some sessions were restored changes: of the exceptional ones,
    /// for open sessions, and for closed ones, which may be reopened.
    func settlements(
        _ restored: Set<Int64>, among exceptional: [SessionRow], version: String?
    ) throws(SceneStoreError) -> [Settlement] {
        var result: [Settlement] = []
        for row in exceptional where row.crashCount > 0 {
            let session = try knownSession(row.id)
            var settlement = Settlement(
                session: session, flags: row.flags, pins: try pins(of: session))
            settlement.isCleared = settlement.flags.settle(
                isRestored: restored.contains(row.id), slot: row.stateSlot, version: version,
                offered: try offeredVersion(of: row.id, row.flags), &settlement.pins)
            if !settlement.isCleared, !row.flags.contains(.offering) {
                settlement.version = version ?? ""
            }
            if settlement.isCleared || settlement.flags != row.flags {
                result.append(settlement)
            }
        }
        return result
    }
}

extension Database {
    /// The version of the app under which a session's state was offered again; nil when it was not.
    func offeredVersion(
        of key: Int64, _ flags: SessionFlags
    ) throws(SceneStoreError) -> String? {
        guard flags.contains(.offeredAgain), let bytes = try value(.offeredVersion, of: key) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Transaction {
    /// Offers again, or clears, after a stable launch.
    func settle(_ settlements: [Settlement]) throws(SceneStoreError) {
        for settlement in settlements {
            try judge(settlement.session) { row, pins in
                (row.flags, pins) = (settlement.flags, settlement.pins)
                if settlement.isCleared {
                    row.crashCount = 0
                }
            }
            if let version = settlement.version {
                try put(.offeredVersion, Array(version.utf8), of: settlement.session.row.id)
            }
            note(
                .change, settlement.session.row.identifier,
                settlement.isCleared ? "count of crashes cleared" : "offered again")
        }
    }
}
