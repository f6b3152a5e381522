extension SceneApplication {
    /// Asks a scene for its state and runs the hooks (L-31); the next commit writes it.
    func collectState(of scene: Scene) {
        autosaver.remove(scene.key)
        guard let delegate = scene.stateDelegate, delegate.shouldSaveState(of: scene) else {
            return
        }
        tell(.save(scene.session))
        guard var activity = delegate.stateRestorationActivity(for: scene) else {
            if !options.keepsPreviousState {
                unsavedStates.updateValue(nil, forKey: scene.key)
                collectedStates.append(scene.key)
                scene.session.stateRestorationActivity = nil
            }
            return
        }
        delegate.scene(scene, willSave: &activity)
        tell(.update(scene.session))
        delegate.scene(scene, didUpdate: &activity)
        do throws(SceneStoreError) {
            try check(activity, for: scene.session.persistentIdentifier)
            if options.prunesToRequiredKeys {
                activity = activity.prunedToRequiredKeys()
            }
            activity.needsSave = false
            unsavedStates.updateValue(activity, forKey: scene.key)
            collectedStates.append(scene.key)
            scene.session.stateRestorationActivity = activity
        } catch {
            report(error, session: scene.session.persistentIdentifier)
        }
    }

    /// An undeclared type is reported, or in strict mode refused (L-34); a value that can't be
    /// stored is refused alone, so that the other sessions of the commit are saved.
    private func check(
        _ activity: UserActivity, for identifier: String
    ) throws(SceneStoreError) {
        try store.validate(activity)
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

    /// Writes all states that are waiting, and the marks, in one transaction.
    func commitStates(durability: Durability? = nil) {
        let states = unsavedStates.sorted { $0.key < $1.key }
            .map { StateToSave(key: $0.key, activity: $0.value) }
        collectedStates.removeAll(keepingCapacity: true)
        guard !states.isEmpty else {
            writeMarks()
            return
        }
        do throws(SceneStoreError) {
            _ = try store.save(
                states, marks: takeMarks(), context: saveContext,
                durability: durability ?? options.durability)
            for state in states {
                unsavedStates[state.key] = nil
                if records[state.key]?.isStale ?? false {
                    records[state.key]?.isStale = false
                }
                records[state.key]?.hasState = state.activity != nil
            }
        } catch {
            report(error)
        }
    }

    var saveContext: SaveContext {
        SaveContext(
            appVersion: options.appVersion, systemVersion: options.systemVersion,
            idiom: options.idiom, savedAt: environment.now())
    }

    /// Saves scenes now, wherever they are, in one transaction; used by the autosaver.
    ///
    /// Runs the save chain of each. Does nothing for scenes that are gone.
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
        }
    }
}
