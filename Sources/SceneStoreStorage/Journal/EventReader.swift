import SceneStoreSQLite
import SceneStoreValues

/// Reads the journal (S-42): a ring of rows for everything but saves, whose entries are their rows of
/// `state`.
package struct EventReader: StoreReading {
    package let parts: StoreParts

    /// The journal, saves included, newest first, behind a generation.
    package func newest(
        session: String?, launch: Int64?, limit: Int, after generation: Int64 = -1
    ) throws(SceneStoreError) -> [StoreEvent] {
        guard limit > 0 else {
            return []
        }
        // The number breaks ties: a launch that a reset followed at once.
        let launches = try launches.rows(limit: .max).sorted {
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

    /// Gives the journal's own entries to a body, newest first, until it answers false. They are
    /// read by their places in the ring, so that what nobody wants costs nothing. Where the ring is
    /// not as this store writes it, because its capacity was another one or an entry is damaged,
    /// `orAnew` is called, and all entries are read and sorted.
    private func eachEntry(
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
    func eachEntryOfRing(
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

    /// The launch, of those newest first, in which a generation was committed; found by halving.
    private static func launch(of generation: Int64, _ launches: [LaunchRow]) -> LaunchRow? {
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

extension StoreReading where Self: ~Copyable {
    package var events: EventReader { EventReader(parts: parts) }
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
