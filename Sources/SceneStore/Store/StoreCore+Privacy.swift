import SceneStoreSQLite

/// Classes of privacy (S-70).
extension StoreCore {
    /// Gives a session another class. An ephemeral one loses what is stored of its content, and
    /// the file is rewritten so that no byte of it stays.
    func setPrivacy(_ privacy: PrivacyClass, key: Int64) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.privacy != privacy else {
            return
        }
        try write(.full) { () throws(SceneStoreError) in
            if privacy == .ephemeral {
                try deleteContent(of: session)
                store.erasurePending = true
            }
            try updateRow(session, .all) { row in
                row.flags.privacy = privacy
                if privacy == .ephemeral {
                    row.stateID = nil
                    row.savedAt = nil
                    row.valueHash = nil
                }
            }
            note(.change, session.row.identifier, "privacy \(privacy.rawValue)")
        }
        if privacy == .ephemeral {
            try finishErasure()
        }
    }

    /// Removes a session's states, values and storage; where its window is stays.
    private func deleteContent(of session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        for state in try states(of: session) {
            try delete(state.id, checksum: state.checksum, Queries.deleteState)
        }
        session.states = []
        caches.keep(nil, of: session)
        for kind in SessionValueKind.allCases where kind != .placement {
            try put(kind, nil, of: key)
        }
        for value in try storageRows(key) {
            try delete(value.id, checksum: value.checksum, Queries.deleteStorageValue)
        }
    }
}

extension SceneSessionStore {
    /// Gives a session another class of privacy (S-70). Durable.
    ///
    /// Turning it ephemeral erases what was stored of it from every file of the container,
    /// backups and quarantine included; while a reader looks at the write-ahead log, it throws
    /// ``SceneStoreError/Code/erasurePending`` and the rest is erased in idle time.
    package func setPrivacy(_ privacy: PrivacyClass, key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in try core.setPrivacy(privacy, key: key) }
    }
}
