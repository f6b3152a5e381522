extension SceneApplication {
    /// Saves scenes now, in any activation state, in one transaction.
    ///
    /// Runs the save chain of each scene. Does nothing for scenes that are gone. A call within a
    /// callback takes effect after the callback, and its errors go to ``diagnosticHandler``. On
    /// return the states are as durable as `durability` specifies; nil uses the durability of the
    /// options.
    ///
    /// Throws if the store refuses the write: then nothing was stored, and the next write includes
    /// the changes. Also throws if a state can't be stored, with the key path of the problem: then
    /// the other scenes are saved all the same, and ``diagnosticHandler`` gets the session.
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
