import SceneStoreValues

/// Launches, how processes end, and who is blamed for their deaths (L-14, L-52).
package struct StoredLaunches: Sendable {
    let store: SceneSessionStore

    /// Begins a launch: answers its number and reason, blames the session that the last process
    /// died restoring, and removes those that were not to be remembered.
    package func begin(_ context: LaunchContext) throws(SceneStoreError) -> LaunchStart {
        try store.write(.normal) { writer throws(SceneStoreError) in
            try writer.launches.begin(
                context,
                reason: writer.launches.previousProcess().reason(
                    bootIdentifier: context.bootIdentifier))
        }
    }

    /// Begins a launch and writes all that its plan judged, in one transaction; answers the
    /// numbers of the payloads that the inbox took, in their order, nil for one that it can't keep.
    package func begin(
        _ context: LaunchContext, _ reason: LaunchReason, _ judgement: LaunchJudgement
    ) throws(SceneStoreError) -> [Int64?] {
        try store.using { core throws(SceneStoreError) in
            let contents = judgement.payloads.map { Self.content(of: $0, core) }
            let isPlain =
                judgement.told.isEmpty && contents.isEmpty && judgement.expired.isEmpty
            let items = try core.write(isPlain ? .normal : .full) {
                writer throws(SceneStoreError) in
                _ = try writer.launches.begin(
                    context, reason: reason, previousWasStable: judgement.previousWasStable)
                if judgement.keepsLastSession {
                    try writer.carryLastSession()
                }
                try writer.inbox.advance(judgement.handled, isDone: true)
                try writer.adopt(judgement.adopted)
                for (key, cause) in judgement.parked.sorted(by: { $0.key < $1.key }) {
                    try writer.park(key, cause)
                }
                for key in judgement.overtaken {
                    try writer.updateRow(writer.knownSession(key)) {
                        $0.flags.remove(.reopened)
                    }
                }
                for key in judgement.returning {
                    try writer.updateRow(writer.knownSession(key)) {
                        $0.flags.insert(.reopened)
                    }
                }
                for (key, cause) in judgement.expired {
                    try writer.discard([key], cause: cause, deliveredNow: true)
                }
                try writer.inbox.rewrite(judgement.endedDeliveries, "delivery ended") { row in
                    row.endDelivery(isBlamed: row.id == judgement.blamedPayload)
                }
                try writer.mark(discards: judgement.told, .offered)
                var items: [Int64?] = []
                for (payload, bytes) in zip(judgement.payloads, contents) {
                    items.append(
                        try bytes.map { bytes throws(SceneStoreError) in
                            try writer.inbox.insert(
                                bytes, dedupe: payload.deduplicationKey)
                        })
                }
                return items
            }
            core.parts.hasBegunLaunch = true
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
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
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
            let isNoted = isHandedPayload ? true : try core.noteRestoring(key)
            guard
                !isNoted || core.fence.isStale || !items.isEmpty || flags != session.row.flags
                    || isBehind || core.journal.hasManyDecisions
            else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                if !isNoted {
                    writer.store.restoringSession = key
                }
                if wasParked {
                    try writer.park(key, nil)
                }
                if flags != session.row.flags {
                    try writer.updateRow(session) { $0.flags = flags }
                }
                if isBehind {
                    try writer.setBehind(true, key)
                }
                try writer.inbox.advance(items, isDone: false)
            }
        }
    }

    /// Names the session that is being restored, so that a crash now blames it; nil when all have
    /// settled. Mode normal; nothing is written when nothing changes.
    package func setRestoring(key: Int64?) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            if let key {
                _ = try core.knownSession(key)
            }
            guard try !core.noteRestoring(key) else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                writer.store.restoringSession = key
            }
        }
    }

    /// A launch that is stable stays so after a power cut: that nothing restores any more is on the disk
    /// on return, with all that was written (L-52). One sync of the log, one of the lock's file.
    package func syncMarks() throws(SceneStoreError) {
        guard !store.isAtRest else {
            return
        }
        try store.using { core throws(SceneStoreError) in
            guard core.parts.held == nil, core.hasLog else {
                return
            }
            core.container.syncNote()
            try core.syncLog()
        }
    }

    /// The launch is stable: who died before and was restored in it is blamed no longer, and the
    /// states of the others are offered once more (L-52).
    package func settle(
        restored keys: Set<Int64>, version: String?
    ) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let settlements = try core.settlements(
                keys, among: core.exceptionalSessions(), version: version)
            guard !settlements.isEmpty else {
                return
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                try writer.settle(settlements)
            }
        }
    }

    /// The process ends with a farewell; nil for `isLeft` parks no window. Durable; never held in
    /// memory (L-17).
    package func end(
        _ how: ProcessEnd, parking isLeft: (@Sendable (SessionRecord) -> Bool)? = nil
    ) throws(SceneStoreError) {
        try store.usingFile { core throws(SceneStoreError) in
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.launches.end(how, parking: isLeft)
            }
        }
    }

    /// The user ended the process; with `policyDiscard` every open session waits to be discarded
    /// at the next launch (L-40). Durable.
    package func recordForceQuit(policyDiscard: Bool) throws(SceneStoreError) {
        try store.write(.full) { writer throws(SceneStoreError) in
            try writer.launches.recordForceQuit(discards: policyDiscard)
        }
    }

    /// Stores what became of the sessions that the current launch expected (S-40).
    package func record(_ ledger: LaunchLedger) throws(SceneStoreError) {
        try store.write(.normal) { writer throws(SceneStoreError) in
            try writer.launches.record(ledger)
        }
    }

    /// What the last launch declared about the app's windows (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try store.read { reader throws(SceneStoreError) in try reader.launches.lastDeclaration() }
    }

    /// The launches, newest first.
    package func records(limit: Int = 100) throws(SceneStoreError) -> [LaunchRecord] {
        try store.read { reader throws(SceneStoreError) in try reader.launches.records(limit: limit)
        }
    }

    /// A payload as the inbox keeps it; nil when it can't be kept, which is reported.
    private static func content(of payload: Payload, _ core: StoreCore) -> [UInt8]? {
        do throws(SceneStoreError) {
            try core.encoder.check(payload.deduplicationKey, path: "inbox")
            return try ValueCodec.encode(try core.encoder.storable(payload), limits: core.limits)
        } catch {
            core.damage.diagnostics.append(
                Diagnostic(
                    .init(error.code.rawValue), .error, error.message, path: error.path))
            return nil
        }
    }
}

extension SceneSessionStore {
    package var launches: StoredLaunches { StoredLaunches(store: self) }
}

extension StoreCore {
    /// Writes down beside the lock which session is being restored, if that is not known already:
    /// one write, which outlives the process as a commit without a sync does. False where the
    /// store's row has to name it, in a transaction.
    func noteRestoring(_ key: Int64?) throws(SceneStoreError) -> Bool {
        guard launches.restoringSession != key || fence.isStale else {
            return true
        }
        try checkUsable()
        guard store.restoringSession == nil, !fence.isStale else {
            _ = container.note(restoring: nil)
            return false
        }
        return container.note(
            restoring: key.map { launches.restoring($0, at: store.generation) })
    }
}
