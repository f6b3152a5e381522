import SceneStoreSQLite
import SceneStoreValues

/// Classes of privacy (S-70).
extension StoreCore {
    /// Gives a session another class. An ephemeral one loses what is stored of its content, and
    /// the file is rewritten so that no byte of it stays.
    package func setPrivacy(_ privacy: PrivacyClass, key: Int64) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard session.row.flags.privacy != privacy else {
            if privacy == .ephemeral, store.erasurePending {
                try finishErasure()
            }
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
                    row.conditionsID = nil
                }
            }
            if privacy == .ephemeral {
                try deleteUnusedConditions()
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
        try deleteCopies(of: session.row.identifier)
    }

    /// Removes what waits for the session, and what was set aside: whose a damaged row was cannot
    /// be told.
    private func deleteCopies(of identifier: String) throws(SceneStoreError) {
        let epoch = store.containerEpoch
        let bind: (borrowing Statement) throws(SQLiteError) -> Void = {
            statement throws(SQLiteError) in try statement.bind(1, epoch)
        }
        for row in try rows(Queries.waitingInbox, InboxRow.self, bind)
        where row.sessionIdentifier?.hasSameBytes(as: identifier) == true {
            try delete(row.id, checksum: row.checksum, Queries.deleteInboxItem)
        }
        for row in try rows(Queries.quarantinedRows, QuarantinedRow.self, bind) {
            try delete(row.id, checksum: row.checksum, Queries.removeQuarantinedRow)
        }
    }

    /// Removes the activation conditions that no session has any more: those that sessions had
    /// before, too.
    private func deleteUnusedConditions() throws(SceneStoreError) {
        let epoch = store.containerEpoch
        for row in try rows(
            Queries.unusedConditions, ConditionsRow.self,
            { statement throws(SQLiteError) in try statement.bind(1, epoch) })
        {
            try delete(row.id, checksum: row.checksum, Queries.deleteConditions)
        }
        caches.conditions.removeAll()
    }
}

/// Classes of privacy of single keys.
extension StoreCore {
    /// What of a user info is stored, with the marks that it gets. Throws what encoding a marked
    /// value throws.
    package func storable(_ userInfo: ValueDictionary) throws(SceneStoreError) -> ValueDictionary {
        try withoutEphemeralKeys(userInfo).redacting(options.redactedKeys, limits: limits)
    }

    func withoutEphemeralKeys(_ userInfo: ValueDictionary) -> ValueDictionary {
        var result = userInfo
        for key in options.ephemeralKeys {
            result[key] = nil
        }
        return result
    }

    package func storable(_ activity: UserActivity) throws(SceneStoreError) -> UserActivity {
        guard hasPrivateKeys else {
            return activity
        }
        var result = activity
        result.userInfo = try storable(activity.userInfo)
        return result
    }

    package func storable(_ payload: Payload) throws(SceneStoreError) -> Payload {
        switch payload {
        case .activity(let activity): .activity(try storable(activity))
        case .urls, .shortcut, .notification: payload
        }
    }

    /// The bytes of a value of scene storage, with the mark that it gets; nil for one that is not
    /// stored. Throws what encoding the value throws, also for one that is not stored.
    package func storable(
        _ value: Value, name: String, path: String
    ) throws(SceneStoreError) -> [UInt8]? {
        let isEphemeral = options.ephemeralKeys.contains(name)
        let stored =
            !isEphemeral && options.redactedKeys.contains(name)
            ? try value.redacted(limits: limits, path: path) : value
        let bytes = try ValueCodec.encode(stored, limits: limits, path: path)
        return isEphemeral ? nil : bytes
    }

    package var hasPrivateKeys: Bool {
        !options.ephemeralKeys.isEmpty || !options.redactedKeys.isEmpty
    }

    /// What was stored as it is handed out: to the app without marks.
    package func shown<Stored>(_ stored: Stored, _ revealed: (Stored) -> Stored) -> Stored {
        options.revealsRedactedValues ? revealed(stored) : stored
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
