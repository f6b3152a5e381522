import SceneStoreSQLite
import SceneStoreValues

/// Classes of privacy (S-70).
extension Transaction {
    /// Removes a session's states, values and storage; where its window is stays.
    fileprivate func deleteContent(of session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        try delete(try db.states(of: session))
        session.states = []
        session.pins = nil
        db.caches.keep(nil, of: session)
        for kind in SessionValueKind.allCases where kind != .placement {
            try put(kind, nil, of: key)
        }
        try delete(try db.storageRows(key))
        // Whose a damaged row was cannot be told.
        try delete(try db.rows(Queries.quarantinedRows, binding(store.containerEpoch)))
    }
}

extension Database {
    /// Gives a session another class. An ephemeral one loses what is stored of its content, with the
    /// payloads that it has `taken`, and the file is rewritten so that no byte of it stays.
    package func setPrivacy(
        _ privacy: PrivacyClass, isRemembered: Bool? = nil, taken: [Int64] = [], key: Int64
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.privacy != privacy else {
            if privacy == .ephemeral, store.erasurePending {
                try finishErasure()
            }
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            if privacy == .ephemeral {
                try transaction.deleteContent(of: session)
                // With the names under which they were kept.
                for item in taken {
                    if let row = try transaction.db.row(InboxRow.self, item) {
                        try transaction.delete(row)
                    }
                }
                transaction.store.erasurePending = true
            }
            try transaction.updateRow(session) { row in
                row.flags.privacy = privacy
                if let isRemembered {
                    row.flags[.notRemembered] = !isRemembered
                }
                if privacy == .ephemeral {
                    row.flags.withheldReason = nil
                    row.flags.remove(.withholding)
                    row.point(at: nil)
                    row.valueHash = nil
                    row.conditionsID = nil
                }
            }
            if privacy == .ephemeral {
                // Those that no session has any more: those that sessions had before, too.
                try transaction.delete(
                    try rows(Queries.unusedConditions, binding(store.containerEpoch)))
                caches.conditions.removeAll()
            }
            transaction.note(.change, session.row.identifier, "privacy \(privacy.rawValue)")
        }
        if privacy == .ephemeral {
            try finishErasure()
        }
    }
}
