import SceneStoreSQLite
import SceneStoreValues

/// Reading sessions whole.
extension Database {
    /// A session with all that it holds.
    package func wholeSession(_ record: SessionRecord) throws(SceneStoreError) -> SceneSession {
        let row = try knownSession(record.key).row
        return try wholeSession(row, try values(of: row.id)) { () throws(SceneStoreError) in
            try restorationActivity(row)
        }
    }

    /// A session of its row, its values and its current state, which is asked for last.
    func wholeSession(
        _ row: SessionRow, _ values: [SessionValueKind: [UInt8]],
        _ state: () throws(SceneStoreError) -> UserActivity?
    ) throws(SceneStoreError) -> SceneSession {
        let identifier = row.identifier
        var session = SceneSession(
            persistentIdentifier: SceneSession.ID(identifier),
            configuration: try configuration(row.configurationID).value)
        session.userInfo =
            decoded(values[.userInfo], "userInfo", session: identifier) {
                bytes throws(SceneStoreError) in
                encoder.shown(try ValueCodec.decodeDictionary(bytes), \.revealed)
            } ?? [:]
        session.title = values[.title].map { String(decoding: $0, as: UTF8.self) }
        session.placement = decoded(values[.placement], "placement", session: identifier) {
            bytes throws(SceneStoreError) in try ValueCodec.decodePlacement(bytes).placement
        }
        session.platformToken = values[.platformToken]
        session.presentedValue = decoded(
            values[.presentedValue], "presented value", session: identifier
        ) { bytes throws(SceneStoreError) in try ValueCodec.decode(bytes) }
        session.stateRestorationActivity = try state()
        session.activationConditions = try conditions(row.conditionsID)
        session.restoration = row.flags.contains(.notRemembered) ? .disabled : .available
        session.privacy = row.flags.privacy
        session.isPinned = row.flags.contains(.pinned)
        let isStateLost = damage.lostStates.contains(row.id)
        session.withheldState = isStateLost ? .lost : row.flags.withheldReason
        return session
    }

    /// The current state of a session; nil when there is none or it is damaged.
    package func restorationActivity(_ row: SessionRow) throws(SceneStoreError) -> UserActivity? {
        try decodedState(try stateBytes(of: row), of: row)
    }

    /// A state of its bytes, which are kept for the next save.
    func decodedState(_ bytes: [UInt8]?, of row: SessionRow) throws(SceneStoreError)
        -> UserActivity?
    {
        if let bytes, let session = caches.sessions[row.id] {
            caches.keep(bytes, of: session)
        }
        return decoded(bytes, "state", session: row.identifier) {
            bytes throws(SceneStoreError) in
            let activity = try ValueCodec.decodeActivity(bytes)
            // To be looked through it would be copied, and hardly one has a mark.
            return activity.mayHaveMarks ? encoder.shown(activity, \.revealed) : activity
        }
    }

    // MARK: - Reading a session's rows by its key

    /// A session's row, of this epoch; nil when there is none or it is damaged.
    package func session(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session? {
        if let session = caches.sessions[key] {
            return session
        }
        guard let row = try row(SessionRow.self, key), row.epoch == store.containerEpoch else {
            return nil
        }
        let session = StoreCaches.Session(row: row)
        caches.sessions[key] = session
        return session
    }

    /// A session that must be there.
    package func knownSession(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session {
        guard let session = try session(key) else {
            throw SceneStoreError(.noSuchSession, "no session has the key \(key)")
        }
        return session
    }

    /// A session that must be there and be open.
    func openSession(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session {
        let session = try knownSession(key)
        guard session.row.isOpen else {
            throw SceneStoreError(
                .noSuchSession, "the session with the key \(key) was discarded; reopen it first")
        }
        return session
    }

    /// A session's states without their payloads, oldest first.
    package func states(of session: StoreCaches.Session) throws(SceneStoreError) -> [StateRow] {
        if let states = session.states {
            return states
        }
        let key = session.row.id
        let states = try rows(
            Queries.stateSlots, Database.range(of: key), isAsked: { $0.id >> 8 == key })
        session.states = states
        if session.isOlder(than: states) {
            noteOldSession(session.row)
        }
        return states
    }

    /// A session's scene storage.
    package func storageRows(_ key: Int64) throws(SceneStoreError) -> [StorageRow] {
        try rows(Queries.storageValues, binding(key)) { $0.sessionID == key }
    }
}

extension Transaction {
    /// Gives a session another configuration, within a transaction.
    func point(_ session: StoreCaches.Session, at id: Int64) throws(SceneStoreError) {
        // An older version of the app may know the name that it has had until now.
        let key = session.row.id
        if let name = try db.configuration(session.row.configurationID).value.name {
            try put(formerNames: [name] + db.formerNames(of: key).filter { $0 != name }, of: key)
        }
        if session.row.isOpen {
            try countOpen(-1, configuration: session.row.configurationID)
            try countOpen(1, configuration: id)
        }
        try updateRow(session) { row in
            row.configurationID = id
        }
        note(.change, session.row.identifier, "configuration")
    }
}

extension SceneSessionStore {
    /// A session with all that it holds.
    package func session(for record: SessionRecord) throws(SceneStoreError) -> SceneSession {
        try read { db throws(SceneStoreError) in try db.wholeSession(record) }
    }
}

/// Windows that belong to other ones (L-49).
///
/// Which one is in the placement; that there are such is in two flags, so that a launch reads
/// placements only where it has to.
extension Database {
    /// The open sessions whose window belongs to another, most recently active first.
    package func children() throws(SceneStoreError) -> [ChildRecord] {
        var result: [ChildRecord] = []
        for record in try openRecords() where record.flags.contains(.isChild) {
            guard let row = try session(record.key)?.row,
                let placement = try placements(of: row)?.placement, let parent = placement.parent
            else {
                continue
            }
            result.append((record: record, parent: parent, tabIndex: placement.tabIndex))
        }
        return result
    }
}
