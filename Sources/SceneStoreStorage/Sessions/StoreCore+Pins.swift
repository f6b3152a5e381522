import SceneStoreValues

/// Pinned states (S-51): those that were withheld, and those that the app pinned.
extension StoreReading where Self: ~Copyable {
    /// A session's pins.
    package func pins(of session: StoreCaches.Session) throws(SceneStoreError) -> SessionPins {
        if let pins = session.pins {
            return pins
        }
        let pins = SessionPins(session.row.flags, try value(.pins, of: session.row.id))
        session.pins = pins
        return pins
    }

    /// A session's withheld states, the one that was withheld last first.
    func withheldStates(
        of session: StoreCaches.Session
    ) throws(SceneStoreError) -> [StateRow] {
        var slots = try pins(of: session).withheld
        // With sixteen pins of the app's there was no room for it.
        if session.row.flags.contains(.withheld), let current = session.row.stateSlot,
            !slots.contains(current)
        {
            slots.append(current)
        }
        let known = try states(of: session)
        return slots.reversed().compactMap { slot in known.first { $0.entry.slot == slot } }
    }

    /// The state of a session at a generation.
    fileprivate func state(
        of session: StoreCaches.Session, at generation: Int64
    ) throws(SceneStoreError) -> StateRow {
        guard let state = try states(of: session).first(where: { $0.generation == generation })
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        return state
    }
}

extension StoreWriter {
    /// Writes a session's row and pins as a judgement changes them. Beyond sixteen pins the oldest
    /// withheld state gives way, and is told of.
    func judge(
        _ session: StoreCaches.Session, _ change: (inout SessionRow, inout SessionPins) -> Void
    ) throws(SceneStoreError) {
        let known = try pins(of: session)
        var (row, pins) = (session.row, known)
        change(&row, &pins)
        let givenUp = pins.trim()
        if pins != known {
            row.flags.pinnedSlots = pins.inFlags
            if pins.withheld.isEmpty, !row.flags.contains(.withheld) {
                row.flags.withheldReason = nil
            }
            if pins.bytes != known.bytes {
                try put(.pins, pins.bytes, of: row.id)
            }
        }
        try updateRow(session) { $0 = row }
        session.pins = pins
        if givenUp > 0 {
            parts.damage.diagnostics.append(
                Diagnostic(
                    .pinGivenUp, .warning,
                    "the session has \(SessionPins.capacity) pinned states; the withheld one that "
                        + "is pinned longest is pinned no longer, and stays in the history for a while",
                    fix: "take withheld states back, or unpin states that the app pinned",
                    sessionIdentifier: SceneSession.ID(row.identifier)))
        }
    }
}

extension StoreCore {
    fileprivate func pin(_ key: Int64, generation: Int64) throws(SceneStoreError) {
        let session = try openSession(key)
        let slot = try state(of: session, at: generation).entry.slot
        let places = try states(of: session).map(\.entry.slot)
        var pins = try pins(of: session)
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
        try write(.full) { writer throws(SceneStoreError) in
            try writer.judge(session) { $1 = pins }
            writer.note(.change, session.row.identifier, "generation \(generation) pinned")
        }
    }

    fileprivate func unpin(_ key: Int64, generation: Int64) throws(SceneStoreError) {
        let session = try openSession(key)
        let slot = try state(of: session, at: generation).entry.slot
        guard try pins(of: session).app.contains(slot) else {
            throw SceneStoreError(
                .notPinned, "the app did not pin the state of generation \(generation)")
        }
        try write(.full) { writer throws(SceneStoreError) in
            try writer.judge(session) { $1.unpin(slot) }
            writer.note(.change, session.row.identifier, "generation \(generation) unpinned")
        }
    }
}

extension SceneSessionStore {
    /// Pins a state of an open session's history. Durable.
    package func pin(key: Int64, generation: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.pin(key, generation: generation)
        }
    }

    /// Ends a pin of the app's. Durable.
    package func unpin(key: Int64, generation: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.unpin(key, generation: generation)
        }
    }

    /// Makes a withheld state the current one again, for the app: that of a generation, or the one
    /// that was withheld last; answers whether there is one. Durable.
    package func takeBackWithheldState(
        key: Int64, generation: Int64? = nil
    ) throws(SceneStoreError) -> Bool {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            let states = try core.withheldStates(of: session)
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
}

extension SceneStoreError.Code {
    /// The app pinned the state already.
    public static let alreadyPinned = Self("alreadyPinned")
    /// The app did not pin the state.
    public static let notPinned = Self("notPinned")
}

extension Diagnostic.Code {
    /// A withheld state is pinned no longer, because the session has too many pinned states.
    public static let pinGivenUp = Self("pinGivenUp")
}
