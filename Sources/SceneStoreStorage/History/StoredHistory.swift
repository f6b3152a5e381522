import SceneStoreValues

/// Earlier states: looking at them, going back to one, pinning and withholding (S-51, L-52).
package struct StoredHistory: Sendable {
    let store: SceneSessionStore

    /// A session's states, newest first.
    package func versions(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try store.read { reader throws(SceneStoreError) in try reader.history.versions(key) }
    }

    /// A session's withheld states, the one that was withheld last first.
    package func withheldVersions(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try store.read { reader throws(SceneStoreError) in
            try reader.history.withheldVersions(key)
        }
    }

    /// The state that a session had at a generation of its history.
    package func state(key: Int64, generation: Int64) throws(SceneStoreError) -> UserActivity? {
        try store.read { reader throws(SceneStoreError) in
            try reader.history.state(key, generation: generation)
        }
    }

    /// Makes an earlier state the current one; the history stays as it is. Durable.
    package func checkout(key: Int64, generation: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            guard
                let state = try core.states(of: session).first(where: {
                    $0.generation == generation
                })
            else {
                throw SceneStoreError(
                    .noSuchState, "the session has no state of generation \(generation)")
            }
            guard !session.row.isBound(to: state) else {
                return
            }
            guard try core.withState(state.id, { _, _ in true }) == true else {
                throw SceneStoreError(
                    .damagedRow, "the state of generation \(generation) is damaged")
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                core.caches.keep(nil, of: session)
                try writer.judge(session) { row, pins in
                    row.point(at: state)
                    // What was withheld is another state now, or this one, which is asked for.
                    row.flags.release(slot: row.stateSlot, &pins)
                }
                writer.note(.checkout, session.row.identifier, "generation \(generation)")
            }
        }
    }

    /// Pins a state of an open session's history. Durable.
    package func pin(key: Int64, generation: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.openSession(key)
            let slot = try core.history.stateRow(of: session, at: generation).entry.slot
            let places = try core.states(of: session).map(\.entry.slot)
            var pins = try core.pins(of: session)
            guard !pins.app.contains(slot) else {
                throw SceneStoreError(
                    .alreadyPinned, "the state of generation \(generation) is pinned already")
            }
            pins.keep { places.contains($0) }
            guard pins.pin(slot) else {
                throw SceneStoreError(
                    .limitExceeded,
                    "\(SessionPins.capacity) states of the session are pinned; unpin one first")
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.judge(session) { $1 = pins }
                writer.note(.change, session.row.identifier, "generation \(generation) pinned")
            }
        }
    }

    /// Ends a pin of the app's. Durable.
    package func unpin(key: Int64, generation: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.openSession(key)
            let slot = try core.history.stateRow(of: session, at: generation).entry.slot
            guard try core.pins(of: session).app.contains(slot) else {
                throw SceneStoreError(
                    .notPinned, "the app did not pin the state of generation \(generation)")
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                try writer.judge(session) { $1.unpin(slot) }
                writer.note(.change, session.row.identifier, "generation \(generation) unpinned")
            }
        }
    }

    /// Makes a withheld state the current one again, for the app: that of a generation, or the one
    /// that was withheld last; answers whether there is one. Durable.
    package func takeBack(key: Int64, generation: Int64? = nil) throws(SceneStoreError) -> Bool {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            let states = try core.history.withheldStates(of: session)
            guard
                let state = states.first(where: { $0.generation == generation ?? $0.generation })
            else {
                return false
            }
            guard try core.withState(state.id, { _, _ in true }) == true else {
                throw SceneStoreError(
                    .damagedRow, "the state of generation \(state.generation) is damaged")
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                writer.parts.caches.keep(nil, of: session)
                try writer.judge(session) { row, pins in
                    row.point(at: state)
                    row.crashCount = 0
                    row.flags.release(slot: row.stateSlot, &pins)
                }
                writer.note(
                    .checkout, session.row.identifier, "generation \(state.generation)")
            }
            return true
        }
    }

    /// Keeps a session's current state from the app: it is pinned in the history, and no later
    /// state is written over it (L-52). Mode normal; nothing is written when it is so already.
    package func withhold(key: Int64, _ reason: WithheldReason) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            guard reason != .lost else {
                return try Self.withholdOlderState(of: session, core)
            }
            try Self.judge(core, session, "state withheld: \(reason.rawValue)") {
                flags, slot, pins in
                flags.withhold(reason, slot: slot, &pins)
            }
        }
    }

    /// A session's current state is the app's again.
    package func release(key: Int64) throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            try Self.judge(core, session, "state no longer withheld") { flags, slot, pins in
                flags.release(slot: slot, &pins)
            }
        }
    }

    /// Withholds the newest state that there is in the place of a session's lost one. Durable;
    /// nothing is written when the state that was saved last is there.
    private static func withholdOlderState(
        of session: StoreCaches.Session, _ core: StoreCore
    ) throws(SceneStoreError) {
        guard session.row.stateID != nil, try !core.hasLastState(session) else {
            return
        }
        try core.write(.full) { writer throws(SceneStoreError) in
            try writer.replaceLostState(of: session)
        }
    }

    /// Judges a session's current state; nothing is written when that changes nothing.
    private static func judge(
        _ core: StoreCore, _ session: StoreCaches.Session, _ detail: String,
        _ change: (inout SessionFlags, Int?, inout SessionPins) -> Void
    ) throws(SceneStoreError) {
        let known = try core.pins(of: session)
        var (flags, pins) = (session.row.flags, known)
        change(&flags, session.row.stateSlot, &pins)
        guard flags != session.row.flags || pins != known else {
            return
        }
        try core.write(.normal) { writer throws(SceneStoreError) in
            try writer.judge(session) { row, own in
                (row.flags, own) = (flags, pins)
            }
            writer.note(.change, session.row.identifier, detail)
        }
    }
}

extension SceneSessionStore {
    package var history: StoredHistory { StoredHistory(store: self) }
}

extension SceneStoreError.Code {
    /// The app pinned the state already.
    public static let alreadyPinned = Self("alreadyPinned")
    /// The app did not pin the state.
    public static let notPinned = Self("notPinned")
}
