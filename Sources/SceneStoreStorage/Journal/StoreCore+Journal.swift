import SceneStoreSQLite
import SceneStoreValues

/// The journal (S-42): a ring of rows for everything but saves, whose entries are their rows of
/// `state`.
extension StoreReading where Self: ~Copyable {
    /// The journal, saves included, newest first, behind a generation.
    package func events(
        session: String?, launch: Int64?, limit: Int, after generation: Int64 = -1
    ) throws(SceneStoreError) -> [StoreEvent] {
        guard limit > 0 else {
            return []
        }
        // The number breaks ties: a launch that a reset followed at once.
        let launches = try launchRows(limit: .max).sorted {
            ($0.generation, $0.number) > ($1.generation, $1.number)
        }
        // What a launch stored lies between its beginning and that of the next one.
        var bounds = (after: generation, through: Int64.max)
        if let launch, let index = launches.firstIndex(where: { $0.number == launch }) {
            bounds.after = max(generation, launches[index].generation - 1)
            if index > 0 {
                bounds.through = launches[index - 1].generation
            }
        }
        let wanted = session.flatMap { $0.isEmpty ? nil : $0 }
        func isWanted(_ event: StoreEvent) -> Bool {
            (launch == nil || event.launch == launch)
                && (wanted.map { event.sessionIdentifier?.rawValue.hasSameBytes(as: $0) == true }
                    ?? true)
        }
        var result: [StoreEvent] = []
        try eachEntry { row in
            guard row.generation > generation, row.launch >= launch ?? .min else {
                return false
            }
            let event = StoreEvent(row)
            if isWanted(event) {
                result.append(event)
            }
            return result.count < limit
        } orAnew: {
            result.removeAll()
        }
        if result.count >= limit, let last = result.last {
            // Saves that came before it would be cut off.
            bounds.after = max(bounds.after, last.generation - 1)
        }
        try eachSavedState(of: wanted, bounds) { state, identifier in
            let number = StoreCore.launch(of: state.generation, launches)?.number ?? 0
            let event = StoreEvent(
                generation: state.generation, launch: number, happenedAt: state.savedAt,
                kind: .save, sessionIdentifier: SceneSession.ID(identifier),
                detail: "\(state.activityType), \(state.byteCount) bytes")
            if isWanted(event) {
                result.append(event)
            }
        }
        // Stable: entries of one transaction stay in their order, newest first.
        return Array(
            result.enumerated().sorted {
                $0.element.generation == $1.element.generation
                    ? $0.offset < $1.offset : $0.element.generation > $1.element.generation
            }.prefix(limit).map(\.element))
    }

    /// Gives the journal's own entries to a body, newest first, until it answers false. They are
    /// read by their places in the ring, so that what nobody wants costs nothing. Where the ring is
    /// not as this store writes it, because its capacity was another one or an entry is damaged,
    /// `orAnew` is called, and all entries are read and sorted.
    fileprivate func eachEntry(
        _ body: (EventRow) -> Bool, orAnew reset: () -> Void
    ) throws(SceneStoreError) {
        if try eachEntryOfRing(body) {
            return
        }
        reset()
        let oldest = store.eventCount - Int64(max(options.journalCapacity, 1))
        try each(Queries.events, number(store.containerEpoch)) { row, _ in
            row.serial > oldest && body(row)
        }
    }

    /// False when the ring is not as this store writes it.
    private func eachEntryOfRing(
        _ body: (EventRow) -> Bool
    ) throws(SceneStoreError) -> Bool {
        let ring = JournalRing(count: store.eventCount, capacity: options.journalCapacity)
        let epoch = store.containerEpoch
        for places in ring.places(from: ring.oldest, through: ring.newest).reversed() {
            var serial = ring.serial(at: places.upperBound)
            var wantsMore = true
            try each(Queries.eventPlaces) { statement throws(SQLiteError) in
                try statement.bind(1, places.lowerBound)
                try statement.bind(2, places.upperBound)
            } _: { row, _ in
                guard row.epoch == epoch, row.serial == serial, row.id == ring.place(of: serial)
                else {
                    return false
                }
                serial -= 1
                wantsMore = body(row)
                return wantsMore
            }
            guard wantsMore else {
                return true
            }
            guard serial < ring.serial(at: places.lowerBound) else {
                return false
            }
        }
        return true
    }

    /// Gives the saves of one session, or of all, to a body.
    fileprivate func eachSavedState(
        of identifier: String?, _ bounds: (after: Int64, through: Int64),
        _ body: (StateRow, String) -> Void
    ) throws(SceneStoreError) {
        if let identifier {
            if let row = try session(identifier: identifier), let known = try session(row.id) {
                for state in try states(of: known).reversed()
                where state.generation > bounds.after && state.generation <= bounds.through {
                    body(state, identifier)
                }
            }
            return
        }
        let epoch = store.containerEpoch
        try each(Queries.savedStates) { statement throws(SQLiteError) in
            try statement.bind(1, bounds.after)
            try statement.bind(2, bounds.through)
            try statement.bind(3, epoch)
        } _: { row, statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                body(row, try statement.text(at: 8))
            } catch {
                // The session's own row is damaged, and noted where it is read.
                guard error.isOfRow else {
                    throw SceneStoreError(error)
                }
            }
            return true
        }
    }
}

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
        if !parts.journal.decisions.isEmpty {
            for decision in parts.journal.decisions {
                note(
                    StoreEvent.Kind(decision.kind.rawValue), decision.sessionIdentifier?.rawValue,
                    "\(decision.outcome): \(decision.reason)")
            }
        }
        var events = parts.journal.events.filter { $0.kind != .save }
        // Of more than the ring holds only the last ones would stay.
        let surplus = events.count - max(options.journalCapacity, 1)
        if surplus > 0 {
            events.removeFirst(surplus)
            store.eventCount += Int64(surplus)
        }
        var places = RingPlaces(wanted: events.count)
        for event in events {
            // First, so that a ring of one place keeps the event.
            if (store.eventCount + 1).isMultiple(of: StoreCore.entriesBetweenIdentities) {
                try write(
                    StoreEvent(
                        generation: store.generation, launch: store.launchNumber,
                        happenedAt: now, kind: .identity,
                        detail: StoreIdentity(bytes: store.uuid).text), &places)
            }
            try write(event, &places)
        }
    }

    fileprivate func write(
        _ event: StoreEvent, _ places: inout RingPlaces
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
            place = (id, try content(of: id, &places))
        } while place.content == .unreadable
        let row = EventRow(
            id: place.id, epoch: store.containerEpoch, serial: store.eventCount,
            generation: event.generation, launch: event.launch, happenedAt: event.happenedAt,
            kind: event.kind.rawValue, sessionIdentifier: event.sessionIdentifier?.rawValue,
            detail: event.detail)
        if case .entry(let old) = place.content {
            try update(row, counted: old)
        } else {
            try insert(row)
        }
    }

    /// What stands in a place of the ring, read with the places that are written next.
    fileprivate func content(
        of id: Int64, _ places: inout RingPlaces
    ) throws(SceneStoreError) -> RingPlaces.Content {
        if let known = places.take(id) {
            return known
        }
        let epoch = store.containerEpoch
        try ask(Queries.eventChecksums) { statement throws(SQLiteError) in
            let last = places.begin(at: id)
            try statement.bind(1, id)
            try statement.bind(2, last)
            while try statement.step() {
                let place = try statement.integer(at: 0)
                do throws(SQLiteError) {
                    let isOfEpoch = try statement.integer(at: 1) == epoch
                    let checksum = try statement.integer(at: 2)
                    places.note(.entry(isOfEpoch ? checksum : nil), at: place)
                } catch {
                    guard error.kind == .wrongType else {
                        throw error
                    }
                    noteDamage(.event, place, "type")
                    places.note(.unreadable, at: place)
                }
            }
        }
        return places.take(id) ?? .nothing
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

extension StoreEvent {
    /// An entry of the journal.
    fileprivate init(_ row: EventRow) {
        self.init(
            generation: row.generation, launch: row.launch, happenedAt: row.happenedAt,
            kind: StoreEvent.Kind(row.kind),
            sessionIdentifier: row.sessionIdentifier.map { SceneSession.ID($0) },
            detail: row.detail)
    }
}

extension StoreCore {
    /// How far apart the journal says whose the rows are, for files of which many pages are lost:
    /// some pages of entries.
    fileprivate static let entriesBetweenIdentities: Int64 = 256

    /// The launch, of those newest first, in which a generation was committed; found by halving.
    fileprivate static func launch(of generation: Int64, _ launches: [LaunchRow]) -> LaunchRow? {
        var (first, end) = (0, launches.count)
        while first < end {
            let middle = (first + end) / 2
            if launches[middle].generation <= generation {
                end = middle
            } else {
                first = middle + 1
            }
        }
        return first < launches.count ? launches[first] : nil
    }
}

extension SceneSessionStore {
    /// Keeps decisions in memory until the next write, which stores them.
    package func appendDecisions(_ decisions: [DecisionRecord]) {
        core.withLock { core in
            core.journal.append(decisions, capacity: core.options.journalCapacity)
        }
    }

    /// The journal, newest first: everything that was committed, saves included, and the decisions
    /// that were stored with it.
    package func events(
        session: String? = nil, launch: Int64? = nil, limit: Int = 1_000
    ) throws(SceneStoreError) -> [StoreEvent] {
        try read { reader throws(SceneStoreError) in
            try reader.events(session: session, launch: launch, limit: limit)
        }
    }

    /// Returns what was committed after a generation, newest first, and the generation that the
    /// same reading found. A store that is at an older one was put in place since: all of its
    /// events are new.
    package func commits(
        after generation: Int64
    ) throws(SceneStoreError) -> (events: [StoreEvent], generation: Int64) {
        try read { reader throws(SceneStoreError) in
            let now = reader.store.generation
            let events = try reader.events(
                session: nil, launch: nil, limit: .max, after: now < generation ? 0 : generation)
            return (events, now)
        }
    }
}
