import SceneStoreSQLite
import SceneStoreValues

/// Sessions that were lost between two launches: what the later one's ledger has to name (S-40).
package struct StoreLosses: Sendable, Hashable {
    /// Those whose identifiers are known.
    package var entries: [LaunchLedger.Entry] = []
    /// How many more there were.
    package var unnamed = 0

    /// How many a journal's entry counts that ``StoreCore/noteLost(unnamed:)`` made.
    package static func unnamed(in detail: String) -> Int {
        let digits = detail.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return String(digits).flatMap { Int($0.prefix(9)) } ?? 0
    }

    package init(
        entries: [LaunchLedger.Entry] = [], unnamed: Int = 0
    ) {
        self.entries = entries
        self.unnamed = unnamed
    }
}

extension StoreWriter {
    /// Notes that open sessions are lost of which no name is known: "3 open sessions".
    package func noteLost(unnamed count: Int64) {
        note(.lost, nil, "\(count) open sessions")
    }
}

extension SceneSessionStore {
    /// The sessions that were lost with a damaged store, or were found to be missing, since the
    /// launch before this one began; `number` is that of ``LaunchStart``.
    package func losses(beforeLaunch number: Int64) throws(SceneStoreError) -> StoreLosses {
        try read { reader throws(SceneStoreError) in
            var losses = StoreLosses()
            let events = try reader.rows(Queries.lossEvents) {
                statement throws(SQLiteError) in
                try statement.bind(1, reader.store.containerEpoch)
                try statement.bind(2, number - 1)
            }
            for event in events where event.kind == StoreEvent.Kind.lost.rawValue {
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
