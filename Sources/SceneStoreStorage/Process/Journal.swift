import SceneStoreSQLite
import SceneStoreValues

/// The journal: what was committed and decided (S-42).
package struct StoredJournal: Sendable {
    package let store: SceneSessionStore

    /// Keeps a decision in memory until the next write, which stores it; of very many the latest.
    package func append(_ decision: DecisionRecord) {
        store.database.withLock { db in
            let capacity = min(max(db.options.journalCapacity, 1), 1_000)
            db.journal.decisions.append(decision)
            db.journal.decisions.removeFirst(max(0, db.journal.decisions.count - capacity))
        }
    }

    /// Takes back decisions that no write has stored yet: what they decided was refused, and a later
    /// write must not store them.
    package func withdraw(_ kind: DecisionRecord.Kind, of sessions: [SceneSession.ID]) {
        store.database.withLock { db in
            db.journal.decisions.removeAll { decision in
                decision.kind == kind && decision.sessionIdentifier.map(sessions.contains) ?? false
            }
        }
    }

    /// The journal, newest first: everything that was committed, saves included, and the decisions
    /// that were stored with it.
    package func events(
        session: String? = nil, launch: Int64? = nil, limit: Int = 1_000
    ) throws(SceneStoreError) -> [StoreEvent] {
        try store.read { db throws(SceneStoreError) in
            try db.newestEvents(session: session, launch: launch, limit: limit)
        }
    }

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
                    // As `noteLost(unnamed:)` counted them.
                    let digits = (event.detail ?? "").utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
                    losses.unnamed += String(digits).flatMap { Int($0.prefix(9)) } ?? 0
                }
            }
            return losses
        }
    }
}

/// Reads the journal (S-42): a ring of rows for everything but saves, whose entries are their rows of
/// `state`.
extension Database {
    /// The journal, saves included, newest first, behind a generation.
    package func newestEvents(
        session: String?, launch: Int64?, limit: Int, after generation: Int64 = -1
    ) throws(SceneStoreError) -> [StoreEvent] {
        guard limit > 0 else {
            return []
        }
        // The number breaks ties: a launch that a reset followed at once.
        let launches = try launches(limit: .max).sorted {
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
        let key = try wanted.flatMap { name throws(SceneStoreError) in
            try self.session(identifier: name)?.id
        }
        try eachEntry { row throws(SceneStoreError) in
            guard row.generation > generation, row.launch >= launch ?? .min else {
                return false
            }
            for event in try events(of: row, about: key)
            where isWanted(event) && result.count < limit {
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
            let number = Self.launch(of: state.generation, launches)?.number ?? 0
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

    /// What an entry tells, newest first: of the sessions that a launch restored one event each, or
    /// that about one of them (L-76).
    private func events(
        of row: EventRow, about key: Int64?
    ) throws(SceneStoreError) -> [StoreEvent] {
        var event = StoreEvent(
            generation: row.generation, launch: row.launch, happenedAt: row.happenedAt,
            kind: StoreEvent.Kind(rawValue: row.kind),
            sessionIdentifier: row.sessionIdentifier.map { SceneSession.ID($0) },
            detail: row.detail)
        guard event.kind == .restored else {
            return [event]
        }
        let restored = SessionRanges(row.detail ?? "")
        var events: [StoreEvent] = []
        event.kind = StoreEvent.Kind(rawValue: DecisionRecord.Kind.restoration.rawValue)
        event.detail = DecisionRecord.lastState.detail
        for key in key.map({ restored.contains($0) ? [$0] : [] }) ?? restored.keys.reversed() {
            // Of one that was pruned no name is known.
            var name = try session(key)?.row.identifier
            if name == nil {
                name = try tombstone(key)?.identifier
            }
            if let name {
                event.sessionIdentifier = SceneSession.ID(name)
                events.append(event)
            }
        }
        return events
    }

    /// Gives the journal's own entries to a body, newest first, until it answers false. They are
    /// read by their places in the ring, so that what nobody wants costs nothing. Where the ring is
    /// not as this store writes it, because its capacity was another one or an entry is damaged,
    /// `orAnew` is called, and all entries are read and sorted.
    package func eachEntry(
        _ body: (EventRow) throws(SceneStoreError) -> Bool, orAnew reset: () -> Void
    ) throws(SceneStoreError) {
        if try eachEntryOfRing(body) {
            return
        }
        reset()
        let oldest = store.eventCount - Int64(max(options.journalCapacity, 1))
        try each(Queries.events, binding(store.containerEpoch)) { row, _ throws(SceneStoreError) in
            guard row.serial > oldest else {
                return false
            }
            return try body(row)
        }
    }

    /// False when the ring is not as this store writes it.
    func eachEntryOfRing(
        _ body: (EventRow) throws(SceneStoreError) -> Bool
    ) throws(SceneStoreError) -> Bool {
        let ring = JournalRing(count: store.eventCount, capacity: options.journalCapacity)
        let epoch = store.containerEpoch
        for places in ring.places(from: ring.oldest, through: ring.newest).reversed() {
            var serial = ring.serial(at: places.last)
            var wantsMore = true
            try each(Queries.eventPlaces, binding(places.first, places.last)) {
                row, _ throws(SceneStoreError) in
                guard row.epoch == epoch, row.serial == serial, row.id == ring.place(of: serial)
                else {
                    return false
                }
                serial -= 1
                wantsMore = try body(row)
                return wantsMore
            }
            guard wantsMore else {
                return true
            }
            guard serial < ring.serial(at: places.first) else {
                return false
            }
        }
        return true
    }

    /// Gives the saves of one session, or of all, to a body.
    private func eachSavedState(
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
        try each(
            Queries.savedStates, binding(bounds.after, bounds.through, store.containerEpoch)
        ) { row, statement throws(SceneStoreError) in
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

    /// The launch, of those newest first, in which a generation was committed; found by halving.
    private static func launch(of generation: Int64, _ launches: [LaunchRow]) -> LaunchRow? {
        let first = SortedPairs.bound(launches.count) { launches[$0].generation > generation }
        return first < launches.count ? launches[first] : nil
    }

    /// How far apart the journal says whose the rows are, for files of which many pages are lost:
    /// some pages of entries.
    fileprivate static let entriesBetweenIdentities: Int64 = 256

    /// The entries of a launch that tell of lost sessions, in the order of the journal.
    ///
    /// Mostly they are among the last, which are read at once. Else the launch's own entries are found
    /// by halving, so that neither a year before it nor a thousand windows after it cost anything.
    /// Where the ring is not as this store writes it, because its capacity was another one or an entry
    /// is damaged, it is searched.
    func losses(ofLaunch launch: Int64) throws(SceneStoreError) -> [EventRow] {
        let epoch = store.containerEpoch
        func isLoss(_ row: EventRow) -> Bool {
            row.launch == launch && row.kind == StoreEvent.Kind.lost.rawValue
        }
        var last: [EventRow] = []
        let isWhole = try eachEntryOfRing { row in
            last.append(row)
            return row.launch >= launch && last.count < 128
        }
        if isWhole, last.count < 128 {
            return last.reversed().filter(isLoss)
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
        return result.filter { $0.epoch == epoch && isLoss($0) }
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

/// Writing the journal (S-42).
extension Transaction {
    /// Notes what the running transaction does.
    package func note(_ kind: StoreEvent.Kind, _ session: String? = nil, _ detail: String? = nil) {
        db.journal.events.append(
            StoreEvent(
                generation: store.generation, launch: store.launchNumber, happenedAt: db.now,
                kind: kind, sessionIdentifier: session.map { SceneSession.ID($0) }, detail: detail))
    }

    /// Writes what was noted, and the decisions that waited, into the ring.
    package func writeEvents() throws(SceneStoreError) {
        note(db.journal.decisions)
        let noted = db.journal.events
        // Of more than the ring holds only the last ones would stay.
        let surplus = max(noted.count - max(db.options.journalCapacity, 1), 0)
        store.eventCount += Int64(surplus)
        var places = RingPlaces(wanted: noted.count - surplus - 1)
        for event in noted.dropFirst(surplus) {
            // First, so that a ring of one place keeps the event.
            if (store.eventCount + 1).isMultiple(of: Database.entriesBetweenIdentities) {
                try write(
                    StoreEvent(
                        generation: store.generation, launch: store.launchNumber,
                        happenedAt: db.now, kind: .identity,
                        detail: HexText.text(store.uuid)), &places)
            }
            try write(event, &places)
            places.wanted -= 1
        }
    }

    /// Notes decisions.
    func note(_ decisions: [DecisionRecord]) {
        for decision in decisions {
            note(
                StoreEvent.Kind(rawValue: decision.kind.rawValue),
                decision.sessionIdentifier?.rawValue,
                decision.detail)
        }
    }

    fileprivate func write(
        _ event: StoreEvent, _ places: inout RingPlaces
    ) throws(SceneStoreError) {
        let capacity = Int64(max(db.options.journalCapacity, 1))
        var place: (id: Int64, content: RingPlaces.Content)
        var passed: Int64 = 0
        repeat {
            guard passed < capacity else {
                // No place can be written: the commit is worth more than its entry.
                return
            }
            passed += 1
            store.eventCount += 1
            let ring = JournalRing(count: store.eventCount, capacity: db.options.journalCapacity)
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
        if let known = places.contents.removeValue(forKey: id) {
            return known
        }
        let all = id...(id + Int64(places.wanted))
        places.contents = Dictionary(uniqueKeysWithValues: all.map { ($0, .nothing) })
        let epoch = store.containerEpoch
        try db.ask(Queries.eventChecksums) { statement throws(SQLiteError) in
            try statement.bind(1, all.lowerBound)
            try statement.bind(2, all.upperBound)
            while try statement.step() {
                let place = try statement.integer(at: 0)
                do throws(SQLiteError) {
                    let isOfEpoch = try statement.integer(at: 1) == epoch
                    let checksum = try statement.integer(at: 2)
                    places.contents[place] = .entry(isOfEpoch ? checksum : nil)
                } catch  where error.kind == .wrongType {
                    db.noteDamage(.event, place, "type")
                    places.contents[place] = .unreadable
                }
            }
        }
        return places.contents.removeValue(forKey: id) ?? .nothing
    }

    /// Notes that open sessions are lost of which no name is known: "3 open sessions".
    package func noteLost(unnamed count: Int64) {
        note(.lost, nil, "\(count) open sessions")
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

    /// How many entries the commit writes after this one.
    var wanted: Int
    var contents: [Int64: Content] = [:]
}

/// Where the journal's entries lie: entry `serial`, of which the first is 1, in place
/// `(serial - 1) % capacity + 1`, over the one that lay there before.
package struct JournalRing {
    /// The entry that was written last; 0 when there is none.
    package let newest: Int64
    private let capacity: Int64

    package init(count: Int64, capacity: Int) {
        newest = max(count, 0)
        self.capacity = Int64(max(capacity, 1))
    }

    /// The oldest entry that is not written over.
    package var oldest: Int64 { max(newest - capacity, 0) + 1 }

    package func place(of serial: Int64) -> Int64 { (serial - 1) % capacity + 1 }

    /// The entry that lies in a place; 0 or less where none does.
    package func serial(at place: Int64) -> Int64 {
        let last = self.place(of: max(newest, 1))
        return newest - last + place - (place > last ? capacity : 0)
    }

    /// The places of some entries, in their order: two ranges where the ring begins anew between
    /// them.
    package func places(from first: Int64, through last: Int64) -> [(first: Int64, last: Int64)] {
        guard first <= last else {
            return []
        }
        let (start, end) = (place(of: first), place(of: last))
        guard start > end else {
            return [(start, end)]
        }
        return [(start, capacity), (1, end)]
    }
}

/// Sessions that were lost between two launches: what the later one's ledger has to name (S-40).
package struct StoreLosses: Sendable, Hashable {
    /// Those whose identifiers are known.
    package var entries: [LaunchLedger.Entry] = []
    /// How many more there were.
    package var unnamed = 0
}

extension DecisionRecord {
    /// The decision that an entry of the journal holds as `outcome: reason`; nil for any other entry,
    /// such as that of a discard, which holds its cause alone.
    package init?(_ event: StoreEvent) {
        self.init(event.kind, session: event.sessionIdentifier, event.detail)
    }

    /// The same of an entry's columns.
    package init?(_ kind: StoreEvent.Kind, session: SceneSession.ID?, _ detail: String?) {
        guard let kind = Kind(rawValue: kind.rawValue), let detail,
            let colon = detail.utf8.firstIndex(of: 0x3A),
            let outcome = String(detail.utf8[..<colon])
        else {
            return nil
        }
        self.init(
            kind, session: session, outcome: outcome,
            reason: String(detail.utf8[colon...].dropFirst(2)) ?? "")
    }
}
