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

    /// Saves all reported changes now, in one transaction, in mode normal. If something can't be
    /// saved, ``diagnosticHandler`` gets the error, and the next save includes the change.
    public func flushChanges() {
        autosaving.flush()
    }
}
