import SceneStoreSQLite
import SceneStoreValues

/// What of a save differs from what is stored (S-22), and the contexts of states.
extension StoreReading where Self: ~Copyable {
    /// What of a save differs from what is stored.
    func changes(
        _ states: [StateToSave], _ values: [ValuesToSave], _ marks: [MarkChange],
        _ context: SaveContext
    ) throws(SceneStoreError) -> StoreCore.Changes {
        StoreCore.Changes(
            states: try changedStates(states, context), values: try changedValues(values),
            marks: try effective(marks))
    }

    /// Encodes the states and drops those that are stored already. Of two for one session the
    /// last one counts.
    func changedStates(
        _ states: [StateToSave], _ context: SaveContext
    ) throws(SceneStoreError) -> [StoreCore.ChangedState] {
        var changed: [StoreCore.ChangedState] = []
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
    ) throws(SceneStoreError) -> StoreCore.ChangedState? {
        let session = try knownSession(states[index].key)
        guard session.row.isOpen else {
            // Discarded since the app was asked: dropped, not resurrected (S-24).
            return nil
        }
        guard let state = try encoder.encode(states[index]) else {
            return session.row.stateID == nil
                ? nil : StoreCore.ChangedState(session: session, content: nil)
        }
        // Neither of these is remembered: the state is checked and then let go.
        guard !session.row.flags.contains(.notRemembered),
            !session.row.flags.contains(.ephemeral)
        else {
            return nil
        }
        let hash = StoreCore.hash(state.bytes)
        let content = StoreCore.ChangedState.Content(state: state, hash: hash)
        guard try isStored(state.bytes, hash, of: session) else {
            return StoreCore.ChangedState(session: session, content: content)
        }
        let isSaved = try isSaved(session, under: context)
        if session.row.flags.awaitsConfirmation || !isSaved {
            return StoreCore.ChangedState(session: session, content: content, confirms: true)
        }
        parts.counters.statesUnchanged += 1
        return nil
    }

    /// Whether a session's current state is these very bytes: hash, length and content.
    private func isStored(
        _ bytes: [UInt8], _ hash: Int64, of session: StoreCaches.Session
    ) throws(SceneStoreError) -> Bool {
        guard let id = session.row.stateID, !session.row.flags.contains(.stale) else {
            return false
        }
        guard let row = try states(of: session).last(where: { $0.id == id }),
            session.row.isBound(to: row)
        else {
            // It counts as missing: the same state is stored once more, beside what lies there.
            noteLostState(of: session.row)
            return false
        }
        guard row.contentHash == hash, row.byteCount == Int64(bytes.count) else {
            return false
        }
        if let known = session.encodedState {
            return known.withUnsafeBytes { known in
                bytes.withUnsafeBytes { known.hasSameBytes(as: $0) }
            }
        }
        let isSame = try withState(id) { _, stored in
            bytes.withUnsafeBytes { stored.hasSameBytes(as: $0) }
        }
        guard isSame == true else {
            return false
        }
        parts.caches.keep(bytes, of: session)
        return true
    }

    /// Whether the current state was saved under these versions; the time does not count (L-51).
    private func isSaved(
        _ session: StoreCaches.Session, under context: SaveContext
    ) throws(SceneStoreError) -> Bool {
        guard let id = session.row.stateID,
            let row = try states(of: session).last(where: { $0.id == id })
        else {
            return true
        }
        return try self.context(row.contextID, savedAt: context.savedAt) == context
    }

    /// Lends the row and the bytes of a state to a body; nil when it is damaged or missing.
    package func withState<Result>(
        _ id: Int64, _ body: (StateRow, UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        try withRow(StateRow.self, id, body)
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

    package func contexts() throws(SceneStoreError) -> [SaveContextRow] {
        if let contexts = parts.caches.contexts {
            return contexts
        }
        let contexts = try rows(Queries.saveContexts, number(store.containerEpoch))
        parts.caches.contexts = contexts
        return contexts
    }

    /// What a row of `save_context` says, at a time.
    package func context(_ id: Int64, savedAt: Int64) throws(SceneStoreError) -> SaveContext {
        let row = try contexts().first { $0.id == id }
        return SaveContext(
            appVersion: row?.appVersion, systemVersion: row?.systemVersion, idiom: row?.idiom,
            savedAt: savedAt)
    }
}
