import SceneStoreValues

/// Pinned states (S-51): those that were withheld, and those that the app pinned.
extension StoreReading where Self: ~Copyable {
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
            if pins.withheld.isEmpty, !row.flags.contains(.withheld) {
                row.flags.withheldReason = nil
            }
            try put(.pins, pins.bytes, of: row.id)
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

extension Diagnostic.Code {
    /// A withheld state is no longer pinned, because the session has too many pinned states.
    public static let pinGivenUp = Self("pinGivenUp")
}
