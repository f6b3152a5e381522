import SceneStoreSQLite
import SceneStoreValues

/// Writing states, and what is written with them (S-21, S-51).
extension StoreWriter {
    /// Writes what differs from what is stored.
    func apply(
        _ changes: StoreCore.Changes, _ context: SaveContext
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
    package func store(
        _ state: StoreCore.ChangedState, contextID: Int64, savedAt: Int64
    ) throws(SceneStoreError) {
        let session = state.session
        guard let content = state.content else {
            let isJudged = !session.row.flags.isDisjoint(with: .withholding)
            try updateRow(
                session, isJudged ? SessionRow.description.update : SessionRow.stateUpdate
            ) { row in
                row.point(at: nil)
                row.flags.remove(.withholding)
            }
            note(.clear, session.row.identifier)
            return
        }
        guard !state.confirms else {
            try confirm(session, content.state.bytes, contextID: contextID, at: savedAt)
            return
        }
        // Taken, not copied; a transaction that fails empties the caches anyway.
        var known = try states(of: session)
        session.states = nil
        let wasOlder = session.isOlder(than: known)
        if wasOlder {
            // Its row went back: the state that it does not know of is not written over.
            try judge(session) { row, pins in
                row.flags.keep(slot: row.stateSlot, &pins)
                row.flags.keep(slot: known.last?.entry.slot, &pins)
            }
        }
        let slot = session.row.stateID.map { Int($0 & 255) }
        let key = session.row.id
        var row = StateRow(
            id: 0, generation: store.generation, savedAt: savedAt, contextID: contextID,
            activityType: content.state.activityType, contentHash: content.hash,
            byteCount: Int64(content.state.bytes.count))
        let placement = placement(
            for: row, among: known, current: slot, pinned: try pins(of: session).slots)
        row.id = key << 8 | Int64(placement.slot)
        if let replaced = known.firstIndex(where: { $0.id == row.id }) {
            row = try update(
                row, counted: known[replaced].checksum, payload: content.state.bytes)
            known.replaceAndMoveToEnd(replaced, with: row)
        } else {
            row = try insert(row, payload: content.state.bytes)
            known.append(row)
        }
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
        if !parts.journal.subscribers.isEmpty {
            note(
                .save, session.row.identifier,
                "\(content.state.activityType), \(content.state.bytes.count) bytes")
        }
    }

    /// The current version stands by a state that is stored already: its row is written again in
    /// its place, under today's versions, and it is withheld no longer (L-51, L-52).
    private func confirm(
        _ session: StoreCaches.Session, _ bytes: [UInt8], contextID: Int64, at time: Int64
    ) throws(SceneStoreError) {
        var known = try states(of: session)
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
        note(.save, session.row.identifier, "confirmed")
    }

    /// The row of a context, which is made when there is none.
    package func intern(_ context: SaveContext) throws(SceneStoreError) -> Int64 {
        let known = try contexts()
        for row in known
        where row.appVersion == context.appVersion && row.systemVersion == context.systemVersion
            && row.idiom == context.idiom
        {
            return row.id
        }
        for name in [context.appVersion, context.systemVersion, context.idiom] {
            try encoder.check(name, path: "context")
        }
        let row = try insert(
            SaveContextRow(
                id: nextID(), epoch: store.containerEpoch, appVersion: context.appVersion,
                systemVersion: context.systemVersion, idiom: context.idiom))
        parts.caches.contexts = known + [row]
        return row.id
    }

    /// Remembers what a launch under a context declared; nothing is written when that is known
    /// already (S-43). One row holds the last declaration, so that updates add no rows.
    package func declare(_ declared: String?, in contextID: Int64) throws(SceneStoreError) {
        var known = try contexts()
        guard let index = known.firstIndex(where: { $0.id == contextID }),
            known[index].declared != declared
        else {
            return
        }
        let old = known[index].checksum
        known[index].declared = declared
        known[index] = try update(known[index], counted: old)
        parts.caches.contexts = known
    }
}

extension Array {
    /// Puts a value where the last element is, after those behind a place moved down over it: what
    /// `remove(at:)` and `append` do, without copying an element.
    fileprivate mutating func replaceAndMoveToEnd(_ place: Int, with value: Element) {
        withUnsafeMutableBufferPointer { elements in
            let last = elements.count - 1
            guard let base = elements.baseAddress, elements.indices.contains(place) else {
                return
            }
            (base + place).deinitialize(count: 1)
            (base + place).moveInitialize(from: base + place + 1, count: last - place)
            (base + last).initialize(to: value)
        }
    }
}
