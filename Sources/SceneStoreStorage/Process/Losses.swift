import SceneStoreSQLite
import SceneStoreValues

/// What was lost since an earlier launch.
extension StoredJournal {
    /// The sessions that were lost with a damaged store, or were found to be missing, since the
    /// launch before this one began; `number` is this launch's.
    package func losses(beforeLaunch number: Int64) throws(SceneStoreError) -> StoreLosses {
        try store.read { db throws(SceneStoreError) in
            var losses = StoreLosses()
            for event in try db.losses(ofLaunch: number - 1) {
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

/// Sessions that were lost between two launches: what the later one's ledger has to name (S-40).
package struct StoreLosses: Sendable, Hashable {
    /// Those whose identifiers are known.
    package var entries: [LaunchLedger.Entry] = []
    /// How many more there were.
    package var unnamed = 0

    /// How many a journal's entry counts that ``Transaction/noteLost(unnamed:)`` made.
    package static func unnamed(in detail: String) -> Int {
        let digits = detail.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        return String(digits).flatMap { Int($0.prefix(9)) } ?? 0
    }
}

extension Transaction {
    /// Notes that open sessions are lost of which no name is known: "3 open sessions".
    package func noteLost(unnamed count: Int64) {
        note(.lost, nil, "\(count) open sessions")
    }
}

extension Database {
    /// The entries of a launch that tell of lost sessions, in the order of the journal.
    ///
    /// Mostly they are among the last, which are read at once. Else the launch's own entries are found
    /// by halving, so that neither a year before it nor a thousand windows after it cost anything.
    /// Where the ring is not as this store writes it, because its capacity was another one or an entry
    /// is damaged, it is searched.
    func losses(ofLaunch launch: Int64) throws(SceneStoreError) -> [EventRow] {
        let epoch = store.containerEpoch
        var last: [EventRow] = []
        let isWhole = try eachEntryOfRing { row in
            last.append(row)
            return row.launch >= launch && last.count < 128
        }
        if isWhole, last.count < 128 {
            return last.reversed().filter { $0.launch == launch && $0.isOfLoss }
        }
        let ring = JournalRing(count: store.eventCount, capacity: options.journalCapacity)
        guard let first = try firstEntry(sinceLaunch: launch, ring),
            let end = try firstEntry(sinceLaunch: launch + 1, ring)
        else {
            return try rows(Queries.lossEvents, binding(epoch, launch))
        }
        var result: [EventRow] = []
        for places in ring.places(from: first, through: end - 1) {
            result += try rows(Queries.lossPlaces, binding(places.first, places.last))
        }
        return result.filter { $0.epoch == epoch && $0.launch == launch && $0.isOfLoss }
    }

    /// The journal's first entry of a launch or of a later one, behind the newest when there is
    /// none; nil when the ring is not as this store writes it.
    private func firstEntry(
        sinceLaunch launch: Int64, _ ring: JournalRing
    ) throws(SceneStoreError) -> Int64? {
        var (first, end) = (ring.oldest, ring.newest + 1)
        while first < end {
            let middle = first + (end - first) / 2
            guard let row = try row(EventRow.self, ring.place(of: middle)),
                row.serial == middle, row.epoch == store.containerEpoch
            else {
                return nil
            }
            if row.launch >= launch {
                end = middle
            } else {
                first = middle + 1
            }
        }
        return first
    }
}

extension EventRow {
    fileprivate var isOfLoss: Bool { kind == StoreEvent.Kind.lost.rawValue }
}
