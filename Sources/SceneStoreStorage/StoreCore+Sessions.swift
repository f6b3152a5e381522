import SceneStoreSQLite
import SceneStoreValues

/// Making sessions and reading them whole.
extension StoreCore {
    /// What a new session begins with.
    package struct NewSession: Sendable {
        package var identifier: String
        package var configuration: SceneConfiguration
        package var userInfo: ValueDictionary
        package var isFront: Bool
        package var becameActive: Bool
        package var presentedValue: Value?
        package var isRemembered = true

        /// Its values as bytes.
        package struct Contents {
            package var userInfo: [UInt8]?
            package var presented: [UInt8]?
        }
    }

    package func insert(
        _ new: NewSession, durability: Durability
    ) throws(SceneStoreError) -> SessionRecord {
        try check(new)
        let contents = try encoded(new)
        return try write(durability) { () throws(SceneStoreError) in
            // After a reset the next launch is a first one, unless a session is made by then.
            if store.launchState == .never, store.launchNumber > 0 {
                store.launchState = .running
            }
            return try record(try insertRow(new, contents).row)
        }
    }

    /// What a new session holds, as it is stored.
    package func encoded(_ new: NewSession) throws(SceneStoreError) -> NewSession.Contents {
        var contents = NewSession.Contents(userInfo: try encodedUserInfo(new.userInfo))
        if let value = new.presentedValue {
            contents.presented = try ValueCodec.encode(
                value, limits: limits, path: "presentedValue")
        }
        return contents
    }

    /// Writes a new session's rows, within a transaction.
    func insertRow(
        _ new: NewSession, _ contents: NewSession.Contents, crashCount: Int64 = 0
    ) throws(SceneStoreError) -> StoreCaches.Session {
        let time = now
        let row = SessionRow(
            id: nextID(), identifierText: IdentifierText(new.identifier),
            epoch: store.containerEpoch,
            configurationID: try intern(new.configuration), isOpen: true,
            isFront: new.isFront, recency: new.becameActive ? store.generation : 0,
            stateID: nil, crashCount: crashCount,
            flags: new.isRemembered ? [] : .notRemembered, conditionsID: nil,
            valueHash: Self.valueHash(contents.presented), createdAt: time, lastActiveAt: time,
            savedAt: nil, generation: store.generation)
        let session = try insertRow(row)
        try countOpen(1, configuration: row.configurationID)
        if let userInfo = contents.userInfo {
            try put(.userInfo, userInfo, of: row.id)
        }
        if let presented = contents.presented {
            try put(.presentedValue, presented, of: row.id)
        }
        if new.becameActive {
            caches.mostRecent = row.id
        }
        note(.create, new.identifier)
        return session
    }

    package func check(_ new: NewSession) throws(SceneStoreError) {
        guard !new.identifier.isEmpty else {
            throw SceneStoreError(
                .duplicateSession, "a session needs an identifier", path: "persistentIdentifier")
        }
        try check(new.identifier, path: "persistentIdentifier")
        guard store.openCount < Int64(limits.sessions) else {
            throw SceneStoreError(
                .limitExceeded,
                "\(limits.sessions) sessions are open; discard one to open another")
        }
        if isStale {
            // A rollback before: `store` is looked at below only after it was read again.
            _ = try read { () throws(SceneStoreError) in store.generation }
        }
        guard try session(identifier: new.identifier) == nil else {
            throw SceneStoreError(
                .duplicateSession, "a session of that identifier exists already",
                path: "persistentIdentifier")
        }
    }

    /// A session with all that it holds.
    func wholeSession(_ record: SessionRecord) throws(SceneStoreError) -> SceneSession {
        guard let row = try session(record.key)?.row else {
            throw SceneStoreError(.noSuchSession, "no session has the key \(record.key)")
        }
        var session = SceneSession(
            persistentIdentifier: row.identifier,
            configuration: try configuration(row.configurationID).value)
        let values = try values(of: row.id)
        session.userInfo =
            decoded(values[.userInfo], "userInfo", session: row.identifier) {
                bytes throws(SceneStoreError) in
                shown(try ValueCodec.decodeDictionary(bytes), \.revealed)
            } ?? [:]
        session.title = values[.title].map { String(decoding: $0, as: UTF8.self) }
        session.placement = decoded(values[.placement], "placement", session: row.identifier) {
            bytes throws(SceneStoreError) in try ValueCodec.decodePlacement(bytes)
        }
        session.presentedValue = decoded(
            values[.presentedValue], "presented value", session: row.identifier
        ) { bytes throws(SceneStoreError) in try ValueCodec.decode(bytes) }
        session.stateRestorationActivity = try restorationActivity(row)
        session.activationConditions = try conditions(row.conditionsID)
        session.restoration = row.flags.contains(.notRemembered) ? .disabled : .available
        session.privacy = row.flags.privacy
        session.isPinned = row.flags.contains(.pinned)
        session.withheldState = row.flags.withheldReason
        return session
    }

    /// The current state of a session; nil when there is none or it is damaged.
    package func restorationActivity(_ row: SessionRow) throws(SceneStoreError) -> UserActivity? {
        guard let id = row.stateID else {
            return nil
        }
        let bytes = try withState(id) { _, bytes in Array(bytes) }
        if let bytes, let session = caches[row.id] {
            caches.keep(bytes, of: session)
        }
        return decoded(bytes, "state", session: row.identifier) {
            bytes throws(SceneStoreError) in
            shown(try ValueCodec.decodeActivity(bytes), \.revealed)
        }
    }

    package func setConfiguration(
        _ configuration: SceneConfiguration, key: Int64
    ) throws(SceneStoreError) {
        let session = try knownSession(key)
        if let known = try cachedConfiguration(session.row.configurationID),
            known.row.holds(configuration)
        {
            return
        }
        try write(.normal) { () throws(SceneStoreError) in
            let id = try intern(configuration)
            let old = session.row.configurationID
            if session.row.isOpen {
                try countOpen(-1, configuration: old)
                try countOpen(1, configuration: id)
            }
            try updateRow(session, .all) { $0.configurationID = id }
            note(.change, session.row.identifier, "configuration")
        }
    }
}

extension SceneSessionStore {
    /// Makes an open session.
    ///
    /// Throws ``SceneStoreError/Code/duplicateSession`` when the identifier is taken, also by a
    /// discarded session that can still be reopened.
    package func insertSession(
        identifier: String, configuration: SceneConfiguration, userInfo: ValueDictionary = [:],
        isFront: Bool = false, becameActive: Bool = false, presentedValue: Value? = nil,
        isRemembered: Bool = true, durability: Durability = .normal
    ) throws(SceneStoreError) -> SessionRecord {
        let new = StoreCore.NewSession(
            identifier: identifier, configuration: configuration, userInfo: userInfo,
            isFront: isFront, becameActive: becameActive, presentedValue: presentedValue,
            isRemembered: isRemembered)
        return try using { core throws(SceneStoreError) in
            try core.insert(new, durability: durability)
        }
    }

    /// A session with all that it holds.
    package func session(for record: SessionRecord) throws(SceneStoreError) -> SceneSession {
        try reading { core throws(SceneStoreError) in try core.wholeSession(record) }
    }

    /// A session's current state.
    package func restorationActivity(key: Int64) throws(SceneStoreError) -> UserActivity? {
        try reading { core throws(SceneStoreError) in
            guard let row = try core.session(key)?.row else {
                return nil
            }
            return try core.restorationActivity(row)
        }
    }

    /// What a session's current state was saved under (L-51).
    package func saveContext(key: Int64) throws(SceneStoreError) -> SaveContext? {
        try reading { core throws(SceneStoreError) in
            guard let session = try core.session(key), let id = session.row.stateID,
                let state = try core.states(of: session).first(where: { $0.id == id })
            else {
                return nil
            }
            return try core.context(state.contextID, savedAt: state.savedAt)
        }
    }

    /// Gives a session another remembered configuration.
    package func setConfiguration(
        _ configuration: SceneConfiguration, key: Int64
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.setConfiguration(configuration, key: key)
        }
    }
}
