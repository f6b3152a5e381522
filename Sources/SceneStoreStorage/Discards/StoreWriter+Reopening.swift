import SceneStoreValues

/// Giving windows back that were closed or parked (S-50, L-48).
extension StoreWriter {
    func reopen(_ closed: StoreCore.ClosedRow) throws(SceneStoreError) {
        let key = closed.session.id
        let session = try knownSession(key)
        try updateRow(session) { row in
            row.isOpen = true
            row.flags.insert(.reopened)
            row.flags.parkedCause = nil
        }
        try countOpen(1, configuration: session.row.configurationID)
        if let tombstone = closed.tombstone {
            try delete(tombstone)
        }
        // What was to be given up because of it may stay now.
        parts.upkeep.pruning.candidates.removeAll()
        if closed.closing.placeInGroup != nil {
            try put(.closing, nil, of: key)
        }
        try put(.behind, nil, of: key)
        note(.reopen, session.row.identifier)
    }

    /// A parked session is the one that returns (L-18); what parks it may be judged anew.
    func unpark(_ session: StoreCaches.Session) throws(SceneStoreError) {
        try park(session.row.id, nil)
        try updateRow(session) { $0.flags.insert(.reopened) }
        note(.reopen, session.row.identifier)
    }
}
