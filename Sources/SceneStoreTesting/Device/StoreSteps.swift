import SceneStore

/// Single steps of a store, for tests, rigs and fuzzers: an app takes them only as part of others.

/// What the store answers to the beginning of a launch.
package struct LaunchStart: Sendable, Hashable {
    /// Counts launches of the container, from 1.
    package var number: Int64
    package var reason: LaunchReason
    /// The session that the previous process died restoring; its count is raised already.
    package var blamed: SceneSession.ID?

    package init(number: Int64, reason: LaunchReason, blamed: SceneSession.ID? = nil) {
        self.number = number
        self.reason = reason
        self.blamed = blamed
    }
}

extension StoredLaunches {
    /// Begins a launch that judged nothing.
    @discardableResult
    package func begin(_ context: LaunchContext) throws(SceneStoreError) -> LaunchStart {
        try store.write(.normal) { transaction throws(SceneStoreError) in
            let reason = try transaction.db.previousProcess().reason(
                bootIdentifier: context.bootIdentifier)
            try transaction.beginLaunch(context, reason: reason)
            return LaunchStart(
                number: transaction.store.launchNumber, reason: reason,
                blamed: transaction.db.journal.events.first { $0.kind == .blame }?
                    .sessionIdentifier)
        }
    }
}

extension StoredDiscards {
    /// The discards that the app has not been told of, oldest first.
    package func pending() throws(SceneStoreError) -> [PendingDiscard] {
        try store.read { db throws(SceneStoreError) in try db.undeliveredDiscards() }
    }

    /// Gives a discarded session back, with its identifier, state and place. Durable.
    @discardableResult
    package func reopen(identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord {
        guard let record = try reopen(identifiers: [identifier]).back.first else {
            throw SceneStoreError(.noSuchSession, "the session is gone")
        }
        return record
    }
}

extension StoredValues {
    /// A value of a session's scene storage.
    package func storageValue(key: Int64, name: String) throws(SceneStoreError) -> Value? {
        try storageValues(key: key)[name]
    }
}

extension StoredUpkeep {
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
}

extension StoredLog {
    /// Copies the write-ahead log into the file now, however little it holds; a reader in the way
    /// makes it copy less.
    package func checkpoint() throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            try db.checkUsable()
            try db.checkpoint()
        }
    }
}

extension SceneSessionStore {
    /// What an open session's current state was saved under (L-51).
    package func saveContext(key: Int64) throws(SceneStoreError) -> SaveContext? {
        try record(key: key).map { record throws(SceneStoreError) in
            try remembered(record).context
        } ?? nil
    }
}
