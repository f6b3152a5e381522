import SceneStoreSQLite
import SceneStoreValues

/// Reads launches, and how processes ended (L-14, L-52).
package struct LaunchReader: StoreReading {
    package let parts: StoreParts

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
        let launch = try self.row(store.launchNumber)
        return PreviousProcess(
            end: end, number: store.launchNumber, bootIdentifier: launch?.bootIdentifier,
            restoring: state == .ended ? nil : restoringSession,
            startedAt: launch?.startedAt)
    }

    /// The session that is being restored in the last launch, or was when its process died (L-52):
    /// the one in the store's row, else the one that is written down beside the lock. What is
    /// torn, or belongs to another launch or another store, names nobody.
    var restoringSession: Int64? { store.restoringSession ?? noted?.session }

    /// The note beside the lock, if it is of this store's last launch and no commit has outlived it.
    /// Each commit renews the note while a session is restored. So an older note was cleared before
    /// the last commit, even if a power cut took the clearing back.
    var noted: OwnerLock.Restoring? {
        guard let noted = container.restoring,
            noted.generation >= parts.fence.committed ?? store.generation,
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
    package func row(_ number: Int64) throws(SceneStoreError) -> LaunchRow? {
        let row = try row(LaunchRow.self, number)
        return row?.epoch == store.containerEpoch ? row : nil
    }

    /// What the last launch declared about the app's windows; nil when it declared nothing, or
    /// its row is damaged (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try self.row(store.launchNumber).flatMap { launch throws(SceneStoreError) in
            try contexts().first { $0.id == launch.contextID }?.declared
        }
    }

    /// The launches of this epoch, newest first.
    package func rows(limit: Int) throws(SceneStoreError) -> [LaunchRow] {
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
    package func records(limit: Int) throws(SceneStoreError) -> [LaunchRecord] {
        var result: [LaunchRecord] = []
        for row in try rows(limit: max(limit, 0)) {
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
        for launch in try records(limit: .max) {
            for entry in launch.ledger.exceptions where entry.outcome == .held {
                identifiers.insert(entry.sessionIdentifier)
            }
        }
        return identifiers
    }

    /// The numbers of the launches that ended cleanly or lived long enough (L-52).
    func stable(
        stablePeriod: Int64, last: Bool
    ) throws(SceneStoreError) -> [Int64] {
        let launches = try rows(limit: .max)
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
        let launches = try rows(limit: 2)
        guard let this = launches.first, let earlier = launches.last else {
            return now
        }
        func agree(_ time: Int64, _ known: Int64) -> Bool {
            time.saturatingMinus(known) <= StoreUpkeep.farAhead
        }
        var time = earlier.startedAt
        if agree(this.startedAt, time) {
            time = this.startedAt
        }
        var isAgreed = agree(now, max(time, earlier.startedAt))
        if !isAgreed, let agreed = parts.upkeep.agreedTime {
            isAgreed = agree(now, agreed)
        }
        if !isAgreed, this.number != earlier.number, let last = try lastEvent(of: earlier) {
            isAgreed = agree(now, last.happenedAt)
        }
        guard isAgreed else {
            return time
        }
        parts.upkeep.agreedTime = now
        return now
    }

    /// The newest event of an earlier launch. What this owner wrote before it launched has that
    /// launch's number, too, and this owner's clock.
    private func lastEvent(of launch: LaunchRow) throws(SceneStoreError) -> StoreEvent? {
        let opened = parts.upkeep.openedGeneration
        return try events.newest(session: nil, launch: launch.number, limit: 16).first {
            $0.generation < opened || launch.generation >= opened
        }
    }
}

extension StoreReading where Self: ~Copyable {
    package var launches: LaunchReader { LaunchReader(parts: parts) }
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
