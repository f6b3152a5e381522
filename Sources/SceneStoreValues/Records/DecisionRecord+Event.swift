extension DecisionRecord {
    /// The decision that an entry of the journal holds as `outcome: reason`; nil for any other entry,
    /// such as that of a discard, which holds its cause alone.
    package init?(_ event: StoreEvent) {
        guard let kind = Kind(rawValue: event.kind.rawValue), let detail = event.detail,
            let colon = detail.utf8.firstIndex(of: 0x3A),
            let outcome = String(detail.utf8[..<colon])
        else {
            return nil
        }
        self.init(
            kind, session: event.sessionIdentifier, outcome: outcome,
            reason: String(detail.utf8[colon...].dropFirst(2)) ?? "")
    }
}
