extension SceneApplication {
    /// Asks a scene for its state and runs the hooks (L-31); the next commit writes it. Answers
    /// whether there is something to write.
    @discardableResult
    func collectState(of scene: Scene) -> Bool {
        autosaver.remove(scene.key)
        guard let delegate = scene.stateDelegate, delegate.shouldSaveState(of: scene) else {
            return false
        }
        tell(.save(scene.session))
        guard var activity = delegate.stateRestorationActivity(for: scene) else {
            guard !options.keepsPreviousState else {
                return false
            }
            unsavedStates.updateValue(nil, forKey: scene.key)
            scene.session.stateRestorationActivity = nil
            return true
        }
        delegate.scene(scene, willSave: &activity)
        tell(.update(scene.session))
        delegate.scene(scene, didUpdate: &activity)
        let identifier = scene.session.persistentIdentifier
        do throws(SceneStoreError) {
            // A value that can't be stored is refused alone: the other sessions are saved.
            let whole = try store.encode(activity)
            try checkType(of: activity, for: identifier)
            if options.prunesToRequiredKeys {
                activity = activity.prunedToRequiredKeys()
            }
            activity.needsSave = false
            let state = options.prunesToRequiredKeys ? try store.encode(activity) : whole
            unsavedStates.updateValue(state, forKey: scene.key)
            scene.session.stateRestorationActivity = activity
            return true
        } catch {
            saveFailures.append(
                SaveFailure(error: error, session: identifier, isRefusal: true))
            return false
        }
    }

    /// An undeclared type is reported, or in strict mode refused (L-34).
    private func checkType(
        of activity: UserActivity, for identifier: String
    ) throws(SceneStoreError) {
        guard let declared = options.manifest?.activityTypes, !declared.isEmpty,
            !declared.contains(activity.activityType)
        else {
            return
        }
        guard !options.requiresDeclaredActivityTypes else {
            throw SceneStoreError(
                .undeclaredActivityType,
                "the activity's type is not declared in NSUserActivityTypes; nothing was stored")
        }
        report(
            Diagnostic(
                .undeclaredActivityType, .warning,
                "the activity's type is not declared in NSUserActivityTypes",
                path: "NSUserActivityTypes", fix: "declare it", sessionIdentifier: identifier))
    }

    /// Writes all states that are waiting, and the marks, in one transaction. What can't be written
    /// waits for the next write.
    func commitStates(durability: Durability? = nil) {
        write { () throws(SceneStoreError) in
            guard !unsavedStates.isEmpty else {
                try writeChangedMarks()
                return
            }
            let states = unsavedStates.sorted { $0.key < $1.key }
                .map { StateToSave(key: $0.key, encoded: $0.value) }
            let marks = changedMarks()
            _ = try store.save(
                states, marks: marks, context: saveContext,
                durability: durability ?? options.durability)
            noteStored(marks)
            for (key, state) in unsavedStates {
                if records[key]?.isStale ?? false {
                    records[key]?.isStale = false
                }
                records[key]?.hasState = state != nil
            }
            unsavedStates.removeAll(keepingCapacity: true)
        }
    }

    /// Writes; a session that the store no longer has keeps no other from being saved. What the
    /// store refused once is not tried again within the event.
    package func write(_ body: () throws(SceneStoreError) -> Void) {
        guard saveFailures.allSatisfy(\.isRefusal) else {
            return
        }
        do throws(SceneStoreError) {
            do throws(SceneStoreError) {
                try body()
            } catch {
                guard error.code == .noSuchSession, try dropUnknownSessions(error) else {
                    throw error
                }
                try body()
            }
        } catch {
            saveFailures.append(SaveFailure(error: error))
        }
    }

    /// Drops what waits for sessions that the store no longer has; answers whether there were any.
    private func dropUnknownSessions(
        _ error: SceneStoreError
    ) throws(SceneStoreError) -> Bool {
        var hasDropped = false
        for key in Set(unsavedStates.keys).union(pendingMarks.keys).sorted()
        where try store.record(key: key) == nil {
            unsavedStates[key] = nil
            pendingMarks[key] = nil
            saveFailures.append(
                SaveFailure(
                    error: error, session: scenes[key]?.session.persistentIdentifier,
                    isRefusal: true))
            hasDropped = true
        }
        return hasDropped
    }

    // MARK: What can't be saved

    /// Throws what kept the running event from saving: a write that failed, else the first state
    /// that was refused; the rest is reported.
    ///
    /// Of a refused state a report tells as well: only that names the session.
    func throwSaveFailure() throws(SceneStoreError) {
        try throwFailedWrite()
        if throwsSaveFailures, let refused = saveFailures.first {
            throw refused.error
        }
    }

    func throwFailedWrite() throws(SceneStoreError) {
        guard throwsSaveFailures, let failed = saveFailures.firstIndex(where: { !$0.isRefusal })
        else {
            return
        }
        throw saveFailures.remove(at: failed).error
    }

    func reportSaveFailures() {
        let failures = saveFailures
        saveFailures.removeAll()
        for failure in failures {
            report(failure.error, session: failure.session)
        }
    }

    package var saveContext: SaveContext {
        SaveContext(
            appVersion: options.appVersion, systemVersion: options.systemVersion,
            idiom: options.idiom, savedAt: environment.now())
    }

    /// Saves scenes now, wherever they are, in one transaction.
    ///
    /// Runs the save chain of each. Does nothing for scenes that are gone. Within a callback it is
    /// done after the callback, and its errors go to ``diagnosticHandler``. On return the states are
    /// as durable as `durability` says, nil for that of the options. Throws what the store throws:
    /// then nothing of it is stored, and the next write takes it along. Throws also when a state
    /// can't be stored, with the key path of what is wrong with it: then the other scenes are saved
    /// all the same, and ``diagnosticHandler`` is told whose it was.
    public func saveState(
        of identifiers: [String], durability: Durability? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            for identifier in identifiers {
                if let scene = scene(for: identifier) {
                    collectState(of: scene)
                }
            }
            commitStates(durability: durability)
            try throwSaveFailure()
        }
    }
}

/// What an event could not save.
struct SaveFailure {
    var error: SceneStoreError
    /// The session whose state it was; nil when a write failed.
    var session: String?
    /// Whether one state was refused, so that another attempt would be in vain.
    var isRefusal = false
}
