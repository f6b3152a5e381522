import SceneStoreValues

/// Making sessions.
extension Database {
    /// What a new session begins with.
    package struct NewSession: Sendable {
        package var identifier: String
        package var configuration: SceneConfiguration
        /// The names that its configuration had in earlier versions of the app, the last one first.
        package var formerNames: [String] = []
        package var userInfo: ValueDictionary
        package var isFront = false
        package var becameActive = false
        package var presentedValue: Value?
        /// Whether the next launch shall know it (L-44).
        package var isRemembered = true
        /// Whether its window is there without being in front (L-48).
        package var isBehind = false
        /// Who may see what it holds; of an ephemeral one no value is stored.
        package var privacy = PrivacyClass.standard
    }

    /// Throws when a session can't be made.
    fileprivate func check(_ new: Database.NewSession) throws(SceneStoreError) {
        guard !new.identifier.isEmpty else {
            throw SceneStoreError(
                .duplicateSession, "a session needs an identifier", path: "persistentIdentifier")
        }
        try encoder.check(new.identifier, path: "persistentIdentifier")
        guard store.openCount < Int64(limits.sessions) else {
            throw SceneStoreError(
                .limitExceeded,
                "\(limits.sessions) sessions are open; discard one to open another")
        }
        guard try session(identifier: new.identifier) == nil else {
            throw SceneStoreError(
                .duplicateSession, "a session of that identifier exists already",
                path: "persistentIdentifier")
        }
    }
}

extension Database.NewSession {
    /// A session that is neither in front nor in use.
    package init(
        quiet identifier: String, _ configuration: SceneConfiguration, _ userInfo: ValueDictionary
    ) {
        self.init(identifier: identifier, configuration: configuration, userInfo: userInfo)
    }
}

extension Transaction {
    /// Makes an open session.
    package func insert(_ new: Database.NewSession) throws(SceneStoreError) -> SessionRecord {
        // After a reset the next launch is a first one, unless a session is made by then.
        if store.launchState == .never, store.launchNumber > 0 {
            store.launchState = .running
        }
        return try db.record(try insertRow(new).row)
    }

    /// Writes a new session's rows, within a transaction.
    package func insertRow(
        _ new: Database.NewSession
    ) throws(SceneStoreError) -> StoreCaches.Session {
        try db.check(new)
        let userInfo = try db.encoder.encodedUserInfo(new.userInfo)
        let presented = try db.encoder.encoded(presentedValue: new.presentedValue)
        let time = db.now
        var flags: SessionFlags = new.isRemembered ? [] : .notRemembered
        flags.privacy = new.privacy
        let row = SessionRow(
            id: nextID(), identifierText: IdentifierText(new.identifier),
            epoch: store.containerEpoch,
            configurationID: try intern(new.configuration), isOpen: true,
            isFront: new.isFront, recency: new.becameActive ? store.generation : 0,
            flags: flags, valueHash: presented.map { Database.hash($0) }, createdAt: time,
            lastActiveAt: time, generation: store.generation)
        let session = StoreCaches.Session(row: try insert(row))
        session.states = []
        session.pins = SessionPins()
        db.caches.sessions[session.row.id] = session
        try countOpen(1, configuration: row.configurationID)
        if let userInfo {
            try put(.userInfo, userInfo, of: row.id)
        }
        if let presented {
            try put(.presentedValue, presented, of: row.id)
        }
        if new.isBehind {
            try setBehind(true, row.id)
        }
        if !new.formerNames.isEmpty {
            try put(formerNames: new.formerNames, of: row.id)
        }
        if new.becameActive {
            db.caches.mostRecent = row.id
        }
        note(.create, new.identifier)
        if !new.isRemembered {
            note(.change, new.identifier, "restoration disabled")
        }
        return session
    }
}

extension SceneSessionStore {
    /// Makes an open session. One that is not remembered is forgotten by the next launch (L-44).
    ///
    /// Throws ``SceneStoreError/Code/duplicateSession`` when the identifier is taken, also by a
    /// discarded session that can still be reopened.
    package func insertSession(
        identifier: String, configuration: SceneConfiguration, formerNames: [String] = [],
        userInfo: ValueDictionary = [:], isFront: Bool = false, becameActive: Bool = false,
        presentedValue: Value? = nil,
        isRemembered: Bool = true, isBehind: Bool = false, privacy: PrivacyClass = .standard,
        durability: Durability = .normal
    ) throws(SceneStoreError) -> SessionRecord {
        let new = Database.NewSession(
            identifier: identifier, configuration: configuration, formerNames: formerNames,
            userInfo: userInfo, isFront: isFront, becameActive: becameActive,
            presentedValue: privacy == .ephemeral ? nil : presentedValue,
            isRemembered: isRemembered, isBehind: isBehind, privacy: privacy)
        return try write(durability) { transaction throws(SceneStoreError) in
            try transaction.insert(new)
        }
    }
}
