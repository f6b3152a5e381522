extension SceneApplication {
    /// Saves scenes now, wherever they are, in one transaction.
    ///
    /// Runs the save chain of each. Does nothing for scenes that are gone. Within a callback it is
    /// done after the callback, and its errors go to ``diagnosticHandler``. On return the states are
    /// as durable as `durability` says, nil for that of the options. Throws what the store throws:
    /// then nothing of it is stored, and the next write takes it along. Throws also when a state
    /// can't be stored, with the key path of what is wrong with it: then the other scenes are saved
    /// all the same, and ``diagnosticHandler`` is told whose it was.
    public func saveState(
        of identifiers: [SceneSession.ID], durability: Durability? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
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

    /// A session saved a state under a configuration that it was not made with: once this launch
    /// is stable, that is its own (L-50).
    func noteAdoption(by key: Int64) {
        guard let record = live[key]?.record, let scene = live.scene(key),
            scene.session.configuration != record.configuration
        else {
            return
        }
        adopted[key] = scene.session.configuration
    }

    /// What sessions saved under is their own at once when the launch is stable already: the process
    /// may be killed before anything else happens. Else a timer sees to it.
    func settleAdoptions() {
        guard !adopted.isEmpty, !isLaunching else {
            return
        }
        settleIfStable()
        if !adopted.isEmpty, stableTimer.map({ !$0.isPending }) ?? true {
            startStablePeriod()
        }
    }
}
