import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// What the app keeps about a session, connected or not; stored at once.
///
/// Each call that sets something throws ``SceneStoreError/Code/requestDenied`` for a session that is
/// unknown or was discarded, and ``SceneStoreError/Code/limitExceeded`` for what ``Limits`` does not
/// allow; the old value stays then. "Mode normal" is durable against the death of the process.
extension SceneApplication {
    /// Returns a stored session, or nil if it is unknown or was discarded.
    public func session(for identifier: SceneSession.ID) throws(SceneStoreError) -> SceneSession? {
        try core.briefly(
            core.openRecord(identifier).map { record throws(SceneStoreError) in
                try store.session(for: record)
            })
    }

    /// Stores the app's data about a session; property-list values only.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` with the key path of a URL, UUID, null or
    /// set; the old value stays. On return, the change survives the death of the process.
    public func setUserInfo(
        _ userInfo: ValueDictionary, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.values.setUserInfo(userInfo, key: key)
        } live: {
            $0.userInfo = userInfo
        }
    }

    /// Stores a session's title, in mode normal and without history.
    ///
    /// While the scene is asked for its state, the title is stored with the state.
    public func setTitle(
        _ title: String?, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try change(identifier) { (key) throws(SceneStoreError) in
            if try !states.keep(key, { $0.title = .some(title) }) {
                try store.values.setTitle(title, key: key)
            }
        } live: {
            $0.title = title
        }
    }

    /// Stores the placement of a session's window, in mode normal and without history.
    ///
    /// While the scene is asked for its state, the placement is stored with the state. If a
    /// coordinate is nil, the stored one stays. A placement is not stored if it equals the one that
    /// `connect` got, or if it follows a change of displays before the user moves the window; see
    /// ``setDisplays(_:)``. During a logout a placement is stored only if the logout is called off.
    public func setPlacement(
        _ placement: ScenePlacement?, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        var isNews = false
        try change(identifier) { (key) throws(SceneStoreError) in
            isNews = try places.keep(placement, of: key)
        } live: {
            if isNews {
                $0.placement = placement
            }
        }
    }

    /// Stores which content a session can and wants to show, in mode normal.
    public func setActivationConditions(
        _ conditions: ActivationConditions, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.values.setConditions(conditions, key: key)
            core.live[key]?.record.hasConditions = conditions != ActivationConditions()
            core.engine.privateSessions[key]?.conditions = conditions
        } live: {
            $0.activationConditions = conditions
        }
    }

    /// Stores a state for a session directly; nil forgets it.
    ///
    /// ``SceneApplicationOptions/durability`` determines how durable the state is. The activity's
    /// type isn't compared with the manifest.
    public func setStateRestorationActivity(
        _ activity: UserActivity?, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        let options = core.options
        let activity = activity.map(options.stateMigrations.versioned)
        try change(identifier) { (key) throws(SceneStoreError) in
            _ = try core.store.save(
                [StateToSave(key: key, activity: activity)], marks: [],
                context: states.saveContext, durability: options.durability)
            // What waited is older.
            core.live.dropUnsaved(key)
        } live: {
            $0.stateRestorationActivity = activity
        }
    }

    /// Switches restoration off or on for a session, in mode normal.
    ///
    /// A session that is switched off is not remembered beyond this process. That is not a discard. A
    /// private session, and one of ``SceneApplicationOptions/unrememberedConfigurations``, stays
    /// switched off; for private ones, ``SceneApplicationOptions/remembersPrivateWindows`` allows it.
    public func setRestorationEnabled(
        _ isEnabled: Bool, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        var isEnabled = isEnabled
        try change(identifier) { (key) throws(SceneStoreError) in
            if let record = try store.record(key: key) {
                isEnabled =
                    isEnabled && core.isRemembered(record.configuration, record.privacy)
            }
            try store.marks.setRestorationEnabled(isEnabled, key: key)
        } live: {
            $0.restoration = isEnabled ? .available : .disabled
        }
    }

    /// Changes what is kept about an open session: stored first, then its live scene shows it, and
    /// whoever watches is told.
    package func change(
        _ identifier: SceneSession.ID, _ write: (Int64) throws(SceneStoreError) -> Void,
        live update: (inout SceneSession) -> Void = { _ in }
    ) throws(SceneStoreError) {
        defer {
            finishCall()
        }
        let key = try core.openKey(identifier)
        try write(key)
        if let scene = core.live.scene(key) {
            update(&scene.session)
        }
        if !core.feed.isEmpty {
            core.feed.tell(.updated, identifier)
        }
    }

    /// Does the work that is due in an idle moment, and returns whether more is left.
    ///
    /// The work is: changes that are due, changes that could not be saved before, the write-ahead
    /// log, old rows, and checks. It takes about as long as the budget, and does at least one
    /// piece. Before the launch has settled it only syncs what is due. Does nothing within a callback,
    /// and while the container is released.
    ///
    /// A scheduler calls it with a budget of 2 milliseconds, and again a second later while more is
    /// left. Without a scheduler the host calls it, every 30 seconds or so while windows change.
    /// Otherwise the write-ahead log grows, nothing is pruned, and the next opening takes longer.
    @discardableResult
    public func performIdleWork(budgetMilliseconds: Int = 20) throws(SceneStoreError) -> Bool {
        try upkeep.perform(budgetMilliseconds: budgetMilliseconds)
    }
}

/// What becomes of a session's content, whatever the app shows in it.
extension SceneApplication {
    /// Changes a session's class of privacy (S-70). Durable on return.
    ///
    /// Making a session ephemeral erases its stored content from every file of the container,
    /// backups and quarantine included. The session isn't remembered beyond this process any more,
    /// unless ``SceneApplicationOptions/remembersPrivateWindows`` is set, and its scene storage stays
    /// in memory while its scene is connected. A session that was ephemeral and gets another class is
    /// remembered again. Throws ``SceneStoreError/Code/erasurePending``
    /// while another process reads the store, or if the disk refuses: then the class is changed,
    /// and idle work finishes the erasure. Throws ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func setPrivacy(
        _ privacy: PrivacyClass, for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        var pending: SceneStoreError?
        var isRemembered: Bool?
        var privacy = privacy
        try change(identifier) { (key) throws(SceneStoreError) in
            let scene = core.live.scene(key)
            // What isn't remembered leaves nothing of its content in a file, whatever its class.
            let record = try core.store.record(key: key)
            if let record, !core.engine.rules.isRemembered(record.configuration) {
                privacy = .ephemeral
            }
            if privacy == .ephemeral {
                scene?.storage.readAll()
            }
            if let record, !core.options.remembersPrivateWindows,
                (record.privacy == .ephemeral) != (privacy == .ephemeral)
            {
                isRemembered = privacy != .ephemeral
            }
            do throws(SceneStoreError) {
                try core.store.marks.setPrivacy(
                    privacy, isRemembered: isRemembered,
                    taken: inbox.items(takenBy: identifier), key: key)
            } catch {
                // The class may be changed all the same, and only some bytes left.
                guard try core.store.record(key: key)?.privacy == privacy else {
                    throw error
                }
                pending = error
            }
            if privacy == .ephemeral {
                core.live.dropUnsaved(key)
                scene?.storage.loseStore()
                core.engine.privateSessions[key] = scene.map {
                    ($0.session.activationConditions, $0.session.presentedValue)
                }
            } else if let own = core.engine.privateSessions.removeValue(forKey: key) {
                try core.store.values.setConditions(own.conditions, key: key)
                try core.store.values.setPresentedValue(own.presentedValue, key: key)
            }
        } live: {
            $0.privacy = privacy
            if isRemembered == false {
                $0.restoration = .disabled
            } else if isRemembered == true, $0.restoration == .disabled {
                $0.restoration = .available
            }
        }
        if let pending {
            throw pending
        }
    }

    /// Protects a session from pruning at any age, or ends the protection, in mode normal.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was
    /// discarded.
    public func setPinned(_ isPinned: Bool, for identifier: SceneSession.ID) throws(SceneStoreError)
    {
        try change(identifier) { (key) throws(SceneStoreError) in
            try store.marks.setPinned(isPinned, key: key)
        } live: {
            $0.isPinned = isPinned
        }
    }
}

/// Saving now.
extension SceneApplication {
    /// Saves scenes now, in any activation state, in one transaction.
    ///
    /// Runs the save chain of each scene. Does nothing for scenes that are gone. A call within a
    /// callback takes effect after the callback, and its errors go to ``diagnosticHandler``. While a
    /// scene is asked for its state, a call saves nothing and is reported; the other scenes then
    /// count as changed. On return the states are as durable as `durability` specifies; nil uses the
    /// durability of the options.
    ///
    /// Throws if the store refuses the write: then nothing was stored, and the next write includes
    /// the changes. Also throws if a state can't be stored, with the key path of the problem: then
    /// the other scenes are saved all the same, and ``diagnosticHandler`` gets the session.
    public func saveState(
        of identifiers: [SceneSession.ID], durability: Durability? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        guard !states.refusesSave() else {
            return identifiers.compactMap { scene(for: $0)?.key }.forEach(autosaving.note)
        }
        try event { [self] () throws(SceneStoreError) in
            for identifier in identifiers {
                if let scene = scene(for: identifier) {
                    states.collectState(of: scene)
                }
            }
            states.commitStates(durability: durability)
            try states.throwSaveFailure()
        }
    }

    /// Saves all reported changes now, in one transaction, in mode normal. If something can't be
    /// saved, ``diagnosticHandler`` gets the error, and the next save includes the change.
    ///
    /// The first call after ``quit()`` is reported. So is a call while a scene is asked for its state:
    /// it saves nothing, and the changes wait for the next save.
    public func flushChanges() {
        autosaving.flush()
    }
}
