import SceneStoreValues

/// The journal: what was committed and decided (S-42).
package struct StoredJournal: Sendable {
    let store: SceneSessionStore

    /// Keeps a decision in memory until the next write, which stores it.
    package func append(_ decision: DecisionRecord) {
        store.core.withLock { core in
            core.journal.append(decision, capacity: core.options.journalCapacity)
        }
    }

    /// Takes back decisions that no write has stored yet: what they decided was refused, and a later
    /// write must not store them.
    package func withdraw(_ kind: DecisionRecord.Kind, of sessions: [SceneSession.ID]) {
        store.core.withLock { $0.journal.withdraw(kind, of: sessions) }
    }

    /// The journal, newest first: everything that was committed, saves included, and the decisions
    /// that were stored with it.
    package func events(
        session: String? = nil, launch: Int64? = nil, limit: Int = 1_000
    ) throws(SceneStoreError) -> [StoreEvent] {
        try store.read { reader throws(SceneStoreError) in
            try reader.events.newest(session: session, launch: launch, limit: limit)
        }
    }

    /// Returns what was committed after a generation, newest first, and the generation that the
    /// same reading found. A store that is at an older one was put in place since: all of its
    /// events are new.
    package func commits(
        after generation: Int64
    ) throws(SceneStoreError) -> (events: [StoreEvent], generation: Int64) {
        try store.read { reader throws(SceneStoreError) in
            let now = reader.store.generation
            let events = try reader.events.newest(
                session: nil, launch: nil, limit: .max, after: now < generation ? 0 : generation)
            return (events, now)
        }
    }

    /// The sessions that were lost with a damaged store, or were found to be missing, since the
    /// launch before this one began; `number` is that of ``LaunchStart``.
    package func losses(beforeLaunch number: Int64) throws(SceneStoreError) -> StoreLosses {
        try store.read { reader throws(SceneStoreError) in
            var losses = StoreLosses()
            for event in try reader.events.losses(ofLaunch: number - 1) {
                if let identifier = event.sessionIdentifier {
                    losses.entries.append(
                        LaunchLedger.Entry(
                            sessionIdentifier: SceneSession.ID(identifier), outcome: .lost,
                            reason: event.detail ?? "lost"))
                } else {
                    losses.unnamed += StoreLosses.unnamed(in: event.detail ?? "")
                }
            }
            return losses
        }
    }
}

extension SceneSessionStore {
    package var journal: StoredJournal { StoredJournal(store: self) }
}
