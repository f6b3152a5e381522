import SceneStoreValues

/// Pinning states of a session's history (S-51).
extension StoredHistory {
    /// Pins a state of an open session's history.
    package func pin(
        key: Int64, generation: Int64, durability: Durability = .full
    ) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.openSession(key)
            let slot = try db.stateRow(of: session, at: generation).entry.slot
            let places = try db.states(of: session).map(\.entry.slot)
            var pins = try db.pins(of: session)
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
            try db.write(durability) { transaction throws(SceneStoreError) in
                try transaction.judge(session) { $1 = pins }
                transaction.note(.change, session.row.identifier, "generation \(generation) pinned")
            }
        }
    }

    /// Ends a pin of the app's. Durable.
    package func unpin(key: Int64, generation: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.openSession(key)
            let slot = try db.stateRow(of: session, at: generation).entry.slot
            guard try db.pins(of: session).app.contains(slot) else {
                throw SceneStoreError(
                    .notPinned, "the app did not pin the state of generation \(generation)")
            }
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.judge(session) { $1.unpin(slot) }
                transaction.note(
                    .change, session.row.identifier, "generation \(generation) unpinned")
            }
        }
    }
}

/// Pinned states (S-51): those that were withheld, and those that the app pinned.
extension Database {
    /// A session's pins.
    package func pins(of session: StoreCaches.Session) throws(SceneStoreError) -> SessionPins {
        if let pins = session.pins {
            return pins
        }
        let pins = SessionPins(try value(.pins, of: session.row.id))
        session.pins = pins
        return pins
    }
}

extension Transaction {
    /// Writes a session's row and pins as a judgement changes them. Beyond sixteen pins the oldest
    /// withheld state gives way, and is told of.
    package func judge(
        _ session: StoreCaches.Session, _ change: (inout SessionRow, inout SessionPins) -> Void
    ) throws(SceneStoreError) {
        let known = try db.pins(of: session)
        var (row, pins) = (session.row, known)
        change(&row, &pins)
        let givenUp = pins.trim()
        if pins != known {
            if pins.withheld.isEmpty, !row.flags.contains(.withheld) {
                row.flags.withheldReason = nil
            }
            try put(.pins, pins.bytes, of: row.id)
        }
        try updateRow(session) { $0 = row }
        session.pins = pins
        if givenUp > 0 {
            db.damage.diagnostics.append(
                Diagnostic(
                    .pinGivenUp, .warning,
                    "the session has \(SessionPins.capacity) pinned states; the withheld one that "
                        + "is pinned longest is pinned no longer, and stays in the history for a while",
                    fix: "take withheld states back, or unpin states that the app pinned",
                    sessionIdentifier: SceneSession.ID(row.identifier)))
        }
    }
}

extension Diagnostic.Code {
    /// A withheld state is no longer pinned, because the session has too many pinned states.
    public static let pinGivenUp = Self("pinGivenUp")
}

extension SceneStoreError.Code {
    /// The app pinned the state already.
    public static let alreadyPinned = Self("alreadyPinned")
    /// The app did not pin the state.
    public static let notPinned = Self("notPinned")
}
