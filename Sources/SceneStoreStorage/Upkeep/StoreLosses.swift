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

extension StoreReading where Self: ~Copyable {
    /// The entries of a launch that tell of lost sessions, in the order of the journal.
    fileprivate func lossEvents(ofLaunch launch: Int64) throws(SceneStoreError) -> [EventRow] {
        let events: [EventRow]
        if let latest = try entries(sinceLaunch: launch) {
            events = latest.filter { $0.launch == launch }
        } else {
            events = try rows(Queries.lossEvents) { statement throws(SQLiteError) in
                try statement.bind(1, store.containerEpoch)
                try statement.bind(2, launch)
            }
        }
        return events.filter { $0.kind == StoreEvent.Kind.lost.rawValue }
    }

    /// The journal's entries since a launch, in their order, found from the newest backwards: a year
    /// of entries before it costs nothing. Nil when the ring is not as this store writes it, because
    /// its capacity was another one, or an entry is damaged: then it has to be searched.
    private func entries(sinceLaunch launch: Int64) throws(SceneStoreError) -> [EventRow]? {
        let capacity = Int64(max(options.journalCapacity, 1))
        var entries: [EventRow] = []
        var serial = store.eventCount
        while serial > 0, serial > store.eventCount - capacity {
            guard let row = try row(EventRow.self, (serial - 1) % capacity + 1),
                row.serial == serial, row.epoch == store.containerEpoch
            else {
                return nil
            }
            guard row.launch >= launch else {
                break
            }
            entries.append(row)
            serial -= 1
        }
        return entries.reversed()
    }
}

extension SceneSessionStore {
    /// The sessions that were lost with a damaged store, or were found to be missing, since the
    /// launch before this one began; `number` is that of ``LaunchStart``.
    package func losses(beforeLaunch number: Int64) throws(SceneStoreError) -> StoreLosses {
        try read { reader throws(SceneStoreError) in
            var losses = StoreLosses()
            for event in try reader.lossEvents(ofLaunch: number - 1) {
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
