import SceneStoreSQLite
import SceneStoreValues

/// Saving states (S-20 to S-23).
extension Database {
    /// What differs from what is stored.
    package struct Changes {
        var states: [ChangedState]
        var values: [ChangedValue]
        var marks: [ChangedMark]
        var isEmpty: Bool { states.isEmpty && values.isEmpty && marks.isEmpty }
    }

    /// A state that differs from the stored one.
    struct ChangedState {
        var session: StoreCaches.Session
        /// nil forgets the state.
        var state: EncodedState?
        var hash: Int64 = 0
        /// The state is the stored one: only what it is saved under differs, or it was withheld.
        var confirms = false
    }

    // MARK: - What of a save differs from what is stored (S-22)

    /// What of a save differs from what is stored.
    package func changes(
        _ states: [StateToSave], _ values: [ValuesToSave], _ marks: [MarkChange],
        _ context: SaveContext
    ) throws(SceneStoreError) -> Database.Changes {
        Database.Changes(
            states: try changedStates(states, context), values: try changedValues(values),
            marks: try effective(marks))
    }

    /// Encodes the states and drops those that are stored already. Of two for one session the
    /// last one counts.
    private func changedStates(
        _ states: [StateToSave], _ context: SaveContext
    ) throws(SceneStoreError) -> [Database.ChangedState] {
        var changed: [Database.ChangedState] = []
        changed.reserveCapacity(states.count)
        var last: [Int64: Int] = [:]
        if states.count > 1 {
            for (index, state) in states.enumerated() {
                last[state.key] = index
            }
        }
        // By index: an iterator would copy each activity, with a dozen references, to look at it.
        for index in states.indices where states.count == 1 || last[states[index].key] == index {
            if let state = try changedState(index, of: states, context) {
                changed.append(state)
            }
        }
        return changed
    }

    /// Encodes one state; nil when it is stored already, or is not to be.
    private func changedState(
        _ index: Int, of states: [StateToSave], _ context: SaveContext
    ) throws(SceneStoreError) -> Database.ChangedState? {
        let session = try knownSession(states[index].key)
        guard session.row.isOpen else {
            // Discarded since the app was asked: dropped, not resurrected (S-24).
            return nil
        }
        guard let state = try encoder.encode(states[index]) else {
            return session.row.stateID == nil ? nil : Database.ChangedState(session: session)
        }
        // Neither of these is remembered: the state is checked and then let go.
        guard !session.row.flags.contains(.notRemembered),
            !session.row.flags.contains(.ephemeral)
        else {
            return nil
        }
        let hash = Database.hash(state.bytes)
        guard let row = try stored(state.bytes, hash, of: session) else {
            return Database.ChangedState(session: session, state: state, hash: hash)
        }
        // Whether it was saved under these versions; the time does not count (L-51).
        let isSaved = try self.context(row.contextID, savedAt: context.savedAt) == context
        if session.row.flags.awaitsConfirmation || !isSaved {
            return Database.ChangedState(session: session, state: state, hash: hash, confirms: true)
        }
        counters.statesUnchanged += 1
        return nil
    }

    /// The row of a session's current state if that is these very bytes: hash, length and content.
    private func stored(
        _ bytes: [UInt8], _ hash: Int64, of session: StoreCaches.Session
    ) throws(SceneStoreError) -> StateRow? {
        guard let id = session.row.stateID, !session.row.flags.contains(.stale) else {
            return nil
        }
        guard let row = try states(of: session).last(where: { $0.id == id }),
            session.row.isBound(to: row)
        else {
            // It counts as missing: the same state is stored once more, beside what lies there.
            noteLostState(of: session.row)
            return nil
        }
        guard row.contentHash == hash, row.byteCount == Int64(bytes.count) else {
            return nil
        }
        if let known = session.encodedState {
            return known.withUnsafeBytes { known in
                bytes.withUnsafeBytes { known.hasSameBytes(as: $0) }
            } ? row : nil
        }
        let isSame = try withRow(StateRow.self, id) { _, stored in
            bytes.withUnsafeBytes { stored.hasSameBytes(as: $0) }
        }
        guard isSame == true else {
            return nil
        }
        caches.keep(bytes, of: session)
        return row
    }

    /// Where the policy puts a row, asked without an allocation.
    func placement(
        for row: StateRow, among known: [StateRow], current: Int?, pinned: [Int]
    ) -> HistoryPolicy.Placement {
        withUnsafeTemporaryAllocation(
            of: HistoryPolicy.Entry.self, capacity: max(known.count, 1)
        ) { entries in
            for index in known.indices {
                entries.initializeElement(at: index, to: known[index].entry)
            }
            return options.history.placement(
                for: row.entry,
                among: UnsafeBufferPointer(start: entries.baseAddress, count: known.count),
                current: current, pinned: pinned)
        }
    }
}

extension SceneSessionStore {
    /// Saves states, and the values and marks that changed with them, in one transaction; answers
    /// the keys of the sessions whose state differed from the stored one.
    ///
    /// When this returns, all of it is as durable as `durability` says; when it throws, nothing of
    /// it is stored. What is equal to what is stored costs no write (S-22); with no state changed the
    /// rest goes in mode normal. A new state is no longer stale; nil forgets the current one, which
    /// stays in the history.
    @discardableResult
    package func save(
        _ states: [StateToSave], values: [ValuesToSave] = [], marks: [MarkChange] = [],
        context: SaveContext, durability: Durability = .full
    ) throws(SceneStoreError) -> [Int64] {
        try using { db throws(SceneStoreError) in
            try db.checkUsable()
            let changes = try db.changes(states, values, marks, context)
            // A state that is stored already may still wait for its sync: an earlier save of it was not
            // as durable as this one has to be.
            let needsSync = durability == .full && !states.isEmpty && db.log.hasUnsyncedSaves
            guard !changes.isEmpty || needsSync else {
                return []
            }
            let mode = changes.states.isEmpty && !needsSync ? .normal : durability
            try db.write(mode) { transaction throws(SceneStoreError) in
                if needsSync {
                    transaction.commitAnyway()
                }
                try transaction.apply(changes, context)
            }
            if !changes.states.isEmpty || !changes.values.isEmpty {
                db.noteSave(mode)
            }
            var written: [Int64] = []
            for state in changes.states {
                db.caches.keep(state.state?.bytes, of: state.session)
                if !state.confirms {
                    db.counters.statesWritten += 1
                    written.append(state.session.row.id)
                }
            }
            return written
        }
    }
}

/// Writing states, and what is written with them (S-21, S-51).
extension Transaction {
    /// Writes what differs from what is stored.
    package func apply(
        _ changes: Database.Changes, _ context: SaveContext
    ) throws(SceneStoreError) {
        if !changes.states.isEmpty {
            let contextID = try intern(context)
            for state in changes.states {
                try store(state, contextID: contextID, savedAt: context.savedAt)
            }
        }
        for value in changes.values {
            try apply(value)
        }
        try apply(changes.marks)
    }

    /// Writes one state and points its session at it; what it pointed at is the history.
    private func store(
        _ state: Database.ChangedState, contextID: Int64, savedAt: Int64
    ) throws(SceneStoreError) {
        let session = state.session
        guard let encoded = state.state else {
            let isJudged = !session.row.flags.isDisjoint(with: .withholding)
            try updateRow(
                session, isJudged ? SessionRow.description.update : SessionRow.stateUpdate
            ) { row in
                row.point(at: nil)
                row.flags.remove(.withholding)
            }
            return note(.clear, session.row.identifier)
        }
        guard !state.confirms else {
            return try confirm(session, encoded.bytes, contextID: contextID, at: savedAt)
        }
        // Taken, not copied; a transaction that fails empties the caches anyway.
        var known = try db.states(of: session)
        session.states = nil
        let wasOlder = session.isOlder(than: known)
        if wasOlder {
            // Its row went back: the state that it does not know of is not written over.
            try judge(session) { row, pins in
                row.flags.keep(slot: row.stateSlot, &pins)
                row.flags.keep(slot: known.last?.entry.slot, &pins)
            }
        }
        let slot = session.row.stateSlot
        let key = session.row.id
        var row = StateRow(
            id: 0, generation: store.generation, savedAt: savedAt, contextID: contextID,
            activityType: encoded.activityType, contentHash: state.hash,
            byteCount: Int64(encoded.bytes.count))
        let placement = db.placement(
            for: row, among: known, current: slot, pinned: try db.pins(of: session).slots)
        row.id = key << 8 | Int64(placement.slot)
        if let replaced = known.firstIndex(where: { $0.id == row.id }) {
            row = try update(row, counted: known[replaced].checksum, payload: encoded.bytes)
            known.remove(at: replaced)
        } else {
            row = try insert(row, payload: encoded.bytes)
        }
        known.append(row)
        for slot in placement.dropped {
            let id = key << 8 | Int64(slot)
            if let index = known.firstIndex(where: { $0.id == id }) {
                try delete(known[index])
                known.remove(at: index)
            }
        }
        session.states = known
        let isJudged = !session.row.flags.isDisjoint(with: .ofOldState)
        let current = row
        try updateRow(
            session, isJudged ? SessionRow.description.update : SessionRow.stateUpdate
        ) { row in
            row.point(at: current)
            row.flags.remove(.ofOldState)
        }
    }

    /// The current version stands by a state that is stored already: its row is written again in
    /// its place, under today's versions, and it is withheld no longer (L-51, L-52).
    private func confirm(
        _ session: StoreCaches.Session, _ bytes: [UInt8], contextID: Int64, at time: Int64
    ) throws(SceneStoreError) {
        var known = try db.states(of: session)
        guard let id = session.row.stateID, let index = known.lastIndex(where: { $0.id == id })
        else {
            return
        }
        let old = known[index].checksum
        if known[index].contextID != contextID {
            let confirmation = NumberPair(id, time)
            try put(.confirmation, confirmation.bytes, of: session.row.id)
        }
        known[index].contextID = contextID
        session.states = nil
        known[index] = try update(known[index], counted: old, payload: bytes)
        session.states = known
        let current = known[index]
        if session.row.flags.awaitsConfirmation {
            try judge(session) { row, pins in
                row.point(at: current)
                row.flags.release(slot: row.stateSlot, &pins)
            }
        } else {
            try updateRow(session, SessionRow.stateUpdate) { $0.point(at: current) }
        }
    }
}
