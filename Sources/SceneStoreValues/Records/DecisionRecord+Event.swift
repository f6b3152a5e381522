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
