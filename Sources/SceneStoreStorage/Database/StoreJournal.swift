import SceneStoreValues

/// What the running transaction does, and what waits for the next one.
package struct StoreJournal {
    /// What this transaction did, so far.
    package var events: [StoreEvent] = []
    /// Decisions that wait for the next transaction.
    package var decisions: [DecisionRecord] = []

    /// Keeps a decision until the next transaction; of very many the latest.
    package mutating func append(_ decision: DecisionRecord, capacity: Int) {
        decisions.append(decision)
        let capacity = min(max(capacity, 1), 1_000)
        if decisions.count > capacity {
            decisions.removeFirst(decisions.count - capacity)
        }
    }

    /// Takes back decisions that wait, because what was decided of these sessions was refused.
    mutating func withdraw(_ kind: DecisionRecord.Kind, of sessions: [SceneSession.ID]) {
        decisions.removeAll { decision in
            decision.kind == kind && decision.sessionIdentifier.map(sessions.contains) ?? false
        }
    }

    /// All of it is committed.
    mutating func noteCommitted() {
        decisions.removeAll()
        events.removeAll(keepingCapacity: true)
    }
}
