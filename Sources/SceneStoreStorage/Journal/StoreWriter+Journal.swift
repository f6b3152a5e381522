import SceneStoreSQLite
import SceneStoreValues

/// Writing the journal (S-42).
extension StoreWriter {
    /// Notes what the running transaction does.
    package func note(_ kind: StoreEvent.Kind, _ session: String? = nil, _ detail: String? = nil) {
        parts.journal.events.append(
            StoreEvent(
                generation: store.generation, launch: store.launchNumber, happenedAt: now,
                kind: kind, sessionIdentifier: session.map { SceneSession.ID($0) }, detail: detail))
    }

    /// Writes what was noted, and the decisions that waited, into the ring.
    package func writeEvents() throws(SceneStoreError) {
        noteDecisions()
        let noted = parts.journal.events
        let count = noted.count { $0.kind != .save }
        // Of more than the ring holds only the last ones would stay.
        let surplus = max(count - max(options.journalCapacity, 1), 0)
        store.eventCount += Int64(surplus)
        var batch = EventBatch(wanted: count - surplus)
        let events = noted.lazy.filter { $0.kind != .save }
        for event in events.dropFirst(surplus) {
            // First, so that a ring of one place keeps the event.
            if (store.eventCount + 1).isMultiple(of: StoreCore.entriesBetweenIdentities) {
                try write(
                    StoreEvent(
                        generation: store.generation, launch: store.launchNumber,
                        happenedAt: now, kind: .identity,
                        detail: StoreIdentity(bytes: store.uuid).text), &batch)
            }
            try write(event, &batch)
        }
        try insert(&batch.rows)
    }

    /// Notes the decisions that waited.
    private func noteDecisions() {
        // Of many windows most are decided alike, and a text is joined once for each two of them.
        var known: [(decision: DecisionRecord, text: String)] = []
        for decision in parts.journal.decisions {
            let text: String
            if let same = known.first(where: {
                $0.decision.reason == decision.reason && $0.decision.outcome == decision.outcome
            }) {
                text = same.text
            } else {
                text = "\(decision.outcome): \(decision.reason)"
                if known.count < 4 {
                    known.append((decision, text))
                }
            }
            note(
                StoreEvent.Kind(decision.kind.rawValue), decision.sessionIdentifier?.rawValue, text)
        }
    }

    fileprivate func write(
        _ event: StoreEvent, _ batch: inout EventBatch
    ) throws(SceneStoreError) {
        let capacity = Int64(max(options.journalCapacity, 1))
        var place: (id: Int64, content: RingPlaces.Content)
        var passed: Int64 = 0
        repeat {
            guard passed < capacity else {
                // No place can be written: the commit is worth more than its entry.
                return
            }
            passed += 1
            store.eventCount += 1
            let ring = JournalRing(count: store.eventCount, capacity: options.journalCapacity)
            let id = ring.place(of: ring.newest)
            place = (id, try content(of: id, &batch))
        } while place.content == .unreadable
        let row = EventRow(
            id: place.id, epoch: store.containerEpoch, serial: store.eventCount,
            generation: event.generation, launch: event.launch, happenedAt: event.happenedAt,
            kind: event.kind.rawValue, sessionIdentifier: event.sessionIdentifier?.rawValue,
            detail: event.detail)
        if case .entry(let old) = place.content {
            try update(row, counted: old)
        } else if batch.isUsed {
            batch.rows.append(row)
            if batch.rows.count == EventRow.batch {
                try insert(&batch.rows)
            }
        } else {
            try insert(row)
        }
    }

    /// What stands in a place of the ring, read with the places that are written next.
    fileprivate func content(
        of id: Int64, _ batch: inout EventBatch
    ) throws(SceneStoreError) -> RingPlaces.Content {
        if let known = batch.places.take(id) {
            return known
        }
        // A ring that is smaller than it was may come round to what waits.
        try insert(&batch.rows)
        let epoch = store.containerEpoch
        try ask(Queries.eventChecksums) { statement throws(SQLiteError) in
            let last = batch.places.begin(at: id)
            try statement.bind(1, id)
            try statement.bind(2, last)
            while try statement.step() {
                let place = try statement.integer(at: 0)
                do throws(SQLiteError) {
                    let isOfEpoch = try statement.integer(at: 1) == epoch
                    let checksum = try statement.integer(at: 2)
                    batch.places.note(.entry(isOfEpoch ? checksum : nil), at: place)
                } catch {
                    guard error.kind == .wrongType else {
                        throw error
                    }
                    noteDamage(.event, place, "type")
                    batch.places.note(.unreadable, at: place)
                }
            }
        }
        return batch.places.take(id) ?? .nothing
    }
}

/// The entries that a commit writes.
private struct EventBatch {
    var places: RingPlaces
    /// New entries that wait to be inserted together.
    var rows: [EventRow] = []
    /// Whether so many are written that compiling a statement for several pays.
    let isUsed: Bool

    init(wanted: Int) {
        places = RingPlaces(wanted: wanted)
        isUsed = wanted >= 128
    }
}

/// What stands in the places of the ring that a commit writes over, each asked for once.
private struct RingPlaces {
    /// What stands in a place of the ring.
    enum Content: Equatable {
        case nothing
        /// An entry, with its checksum if it counts in the digest.
        case entry(Int64?)
        /// A row of other types than the table has. It is passed over, because its part of the
        /// digest is not known, until it is set aside.
        case unreadable
    }

    /// How many entries the commit still writes, as far as known.
    private var wanted: Int
    /// The place that comes first in `contents`, and the one that is asked for next.
    private var first: Int64 = 0
    private var next = 0
    private var contents: [Content] = []

    private static let most = 256

    init(wanted: Int) {
        self.wanted = wanted
    }

    /// What stands in a place that was read and not asked for yet.
    mutating func take(_ id: Int64) -> Content? {
        guard next < contents.count, first + Int64(next) == id else {
            return nil
        }
        defer { next += 1 }
        return contents[next]
    }

    /// Places are read from this one on; answers the last one.
    mutating func begin(at id: Int64) -> Int64 {
        let count = min(max(wanted, 1), Self.most)
        wanted -= count
        first = id
        next = 0
        contents = Array(repeating: .nothing, count: count)
        return id + Int64(count) - 1
    }

    mutating func note(_ content: Content, at id: Int64) {
        if id >= first, id - first < Int64(contents.count) {
            contents[Int(id - first)] = content
        }
    }
}

extension StoreCore {
    /// How far apart the journal says whose the rows are, for files of which many pages are lost:
    /// some pages of entries.
    fileprivate static let entriesBetweenIdentities: Int64 = 256
}
