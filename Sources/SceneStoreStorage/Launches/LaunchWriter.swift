import SceneStoreValues

/// Writes launches, and how processes end (L-14, L-52), within a transaction.
package struct LaunchWriter: ~Copyable, StoreReading {
    private let writer: StoreWriter
    package var parts: StoreParts { writer.parts }

    init(_ writer: borrowing StoreWriter) {
        self.writer = writer.again()
    }

    /// Raises the count of the session that was being restored when the last process died.
    private func blame() throws(SceneStoreError) -> String? {
        guard
            let key = store.launchState == .ended
                ? store.restoringSession : launches.restoringSession
        else {
            return nil
        }
        writer.store.restoringSession = nil
        guard let session = try session(key), session.row.isOpen else {
            return nil
        }
        try writer.judge(session) { row, pins in
            row.crashCount = min(max(row.crashCount, 0), 1_000_000) + 1
            row.flags.blame(slot: row.stateSlot, &pins)
        }
        writer.note(.blame, session.row.identifier, "\(session.row.crashCount) in a row")
        return session.row.identifier
    }

    /// Writes how a launch ended.
    private func end(
        _ launch: LaunchRow, _ how: String, at time: Int64?
    ) throws(SceneStoreError) {
        var row = launch
        row.endedAt = time
        row.endedHow = how
        try writer.update(row, counted: launch.checksum)
    }

    /// Begins a launch; see ``StoredLaunches/begin(_:)``.
    package func begin(
        _ context: LaunchContext, reason: LaunchReason, previousWasStable: Bool = false
    ) throws(SceneStoreError) -> LaunchStart {
        let exceptional = try exceptionalSessions()
        let forgotten = exceptional.filter { $0.flags.contains(.notRemembered) }
        let time = now
        // One that has ended is not the one that died: that one's record is lost.
        if store.launchState == .running, let previous = try launches.row(store.launchNumber),
            previous.endedHow == nil
        {
            try end(previous, "died", at: nil)
        }
        if previousWasStable {
            try writer.settle(
                settlements([], among: exceptional, version: context.appVersion))
        } else {
            // A restoration in a launch that was not stable clears no count.
            for row in exceptional where row.flags.contains(.suspect) {
                try writer.updateRow(knownSession(row.id)) { $0.flags.remove(.suspect) }
            }
        }
        let blamed = try blame()
        for row in forgotten {
            guard let session = try session(row.id) else {
                continue
            }
            writer.note(.forget, row.identifier, "restoration disabled")
            try writer.deleteSession(session)
        }
        var start = LaunchStart(
            number: store.launchNumber + 1, reason: reason,
            blamed: blamed.map { SceneSession.ID($0) })
        switch store.launchState {
        case .ended: start.previousEnd = .quit
        case .forceQuit: start.previousEnd = .forceQuit
        case .never, .running: break
        }
        writer.store.launchNumber += 1
        writer.store.launchState = .running
        let contextID = try writer.intern(
            SaveContext(
                appVersion: context.appVersion, systemVersion: context.systemVersion,
                idiom: context.idiom, savedAt: time))
        try writer.declare(context.declared, in: contextID)
        try writer.insert(
            LaunchRow(
                number: start.number, epoch: store.containerEpoch, reason: reason.rawValue,
                startedAt: time, contextID: contextID,
                bootIdentifier: context.bootIdentifier,
                processIdentifier: Int64(context.processIdentifier),
                generation: store.generation))
        writer.note(.launch, nil, reason.rawValue)
        return start
    }

    /// The process ends with a farewell; windows that it does not keep are parked (L-16).
    package func end(
        _ how: ProcessEnd, parking isLeft: ((SessionRecord) -> Bool)? = nil
    ) throws(SceneStoreError) {
        if let isLeft {
            for record in try openRecords() where isLeft(record) {
                try writer.park(record.key, .notKept)
            }
        }
        if let launch = try launches.row(store.launchNumber) {
            try end(launch, how.rawValue, at: now)
        }
        // The launch after a reset is a first one, however this process ends.
        if store.launchState != .never {
            writer.store.launchState = how == .quit ? .ended : .forceQuit
        }
        if how == .quit {
            writer.store.restoringSession = nil
        }
        writer.note(.end, nil, how.rawValue)
    }

    /// The user has ended the process, or removed it from the list of those that run.
    package func recordForceQuit(discards: Bool) throws(SceneStoreError) {
        let open = discards ? try openRecords().map(\.key) : []
        if let launch = try launches.row(store.launchNumber) {
            try end(launch, ProcessEnd.forceQuit.rawValue, at: now)
        }
        if store.launchState != .never {
            writer.store.launchState = .forceQuit
        }
        writer.note(.end, nil, ProcessEnd.forceQuit.rawValue)
        try writer.discard(open, cause: .user, deliveredNow: false)
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        guard let launch = try launches.row(store.launchNumber) else {
            throw SceneStoreError(
                .noLaunch, "a ledger belongs to a launch; begin one first")
        }
        var row = launch
        row.expected = Int64(ledger.expected)
        for outcome in LaunchOutcome.allCases {
            row[outcome] = Int64(max(ledger.counts[outcome] ?? 0, 0))
        }
        try writer.update(row, counted: launch.checksum)
        try writer.delete(try launches.exceptions(launch.number))
        // Bounded: the counts above say what is left out.
        for entry in ledger.exceptions.prefix(1_000) where entry.outcome != .restored {
            try writer.insert(
                LaunchExceptionRow(
                    id: writer.nextID(), launch: launch.number,
                    sessionIdentifier: entry.sessionIdentifier.rawValue,
                    outcome: entry.outcome.rawValue, reason: entry.reason))
        }
    }
}

extension StoreWriter {
    package var launches: LaunchWriter { LaunchWriter(self) }

    /// A session that goes is not being restored any more.
    func endRestoring(_ key: Int64) {
        guard LaunchReader(parts: parts).restoringSession == key else {
            return
        }
        _ = container.note(restoring: nil)
        if store.restoringSession != nil {
            store.restoringSession = nil
        }
    }
}
