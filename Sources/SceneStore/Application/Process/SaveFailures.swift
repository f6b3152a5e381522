/// What an event could not save.
struct SaveFailure {
    var error: SceneStoreError
    /// The session whose state it was; nil when a write failed.
    var session: SceneSession.ID?
    /// Whether one state was refused, so that another attempt would be in vain.
    var isRefusal = false
    /// Whether the write is held in memory until the store takes it (L-17).
    var isHeld = false
}

/// What a save refused or the disk did not take: reported once, and thrown to who asked for the save.
extension StateWriter {
    /// Whether a save is requested while a scene is asked for its state: it would ask again without
    /// an end (L-31). Whoever asks for it notes the other scenes as changed.
    func refusesSave() -> Bool {
        guard asked != nil else {
            return false
        }
        if !toldOfRefusedSave {
            toldOfRefusedSave = true
            core.report(.savedWhileAsked)
        }
        return true
    }

    /// Throws what kept the running event from saving: a write that failed, else the first state
    /// that was refused; the rest is reported.
    ///
    /// Of a refused state a report tells as well: only that names the session.
    func throwSaveFailure() throws(SceneStoreError) {
        try throwFailedWrite()
        if throwsFailures, let refused = failures.first {
            throw refused.error
        }
    }

    /// - Parameter always: Also where an app's own calls throw no failures, as on a simulated device.
    func throwFailedWrite(always: Bool = false) throws(SceneStoreError) {
        guard always || throwsFailures, let failed = failures.firstIndex(where: { !$0.isRefusal })
        else {
            return
        }
        throw failures.remove(at: failed).error
    }

    func reportSaveFailures() {
        let found = failures
        failures.removeAll()
        for failure in found where !failure.isHeld {
            // Its change waits for the next save (S-21).
            if let scene = failure.session.flatMap(core.live.scene(for:)) {
                changes.refuse(scene.key)
            }
            core.report(failure.error, session: failure.session)
        }
    }
}
