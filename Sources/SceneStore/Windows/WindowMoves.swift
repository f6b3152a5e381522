import SceneStoreEngine
import SceneStoreValues

/// Moves windows between the front and the back, as the user and the system do (L-30, L-35).
///
/// A window that is not where the move begins refuses it for itself alone: the others move.
package struct WindowMoves {
    let application: SceneApplication

    package init(application: SceneApplication) {
        self.application = application
    }

    func leaveFront(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        let (keys, refusal) = keys(of: identifiers, "foreground") { $0 != .background }
        application.perform(application.engine.machine.leave(keys))
        if let focus = application.engine.machine.takeUpFocus() {
            application.live.mark(focus) { $0.becameActive = true }
        }
        application.autosaving.save(asLeaving: true)
        application.states.writeMarks()
        try application.states.throwSaveFailure()
        if let refusal {
            throw refusal
        }
    }

    func comeForward(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        let (keys, refusal) = keys(of: identifiers, "background") { $0 == .background }
        application.perform(application.engine.machine.bringForward(together: keys))
        application.states.writeMarks()
        if let refusal {
            throw refusal
        }
    }

    private func keys(
        of identifiers: [SceneSession.ID], _ place: String,
        _ fits: (LifecycleMachine.Phase) -> Bool
    ) -> (keys: [Int64], refusal: SceneStoreError?) {
        var keys: [Int64] = []
        var refusal: SceneStoreError?
        for identifier in identifiers {
            if let scene = application.scene(for: identifier),
                let phase = application.engine.machine.phase(of: scene.key), fits(phase)
            {
                keys.append(scene.key)
            } else {
                refusal = SceneStoreError(
                    .invalidState,
                    "the call moves windows of the \(place), and this one isn't there")
            }
        }
        return (keys, refusal)
    }

    /// The user turned to a scene that is active in its role: it comes before those of other roles.
    package func turn(to scene: Scene) {
        if application.engine.machine.turn(to: scene.key) {
            application.live.mark(scene.key) { $0.becameActive = true }
            application.states.writeMarks()
        }
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        guard let scene = application.scene(for: identifier),
            application.engine.machine.phase(of: scene.key) == .background
        else {
            throw SceneStoreError(
                .invalidState, "evict(_:) needs a scene in the background; move it there first")
        }
        let key = scene.key
        application.perform(application.engine.machine.disconnect(key))
        application.lastWindows.noteGone(key)
    }
}

/// What the user and the system do to windows; called by the host.
extension SceneApplication {
    /// Moves scenes to the background together: their callbacks, their save chains, one write.
    ///
    /// On return the states are as durable as the options specify. Throws if a state could not be
    /// saved, as ``saveState(of:durability:)`` does: then the scenes are in the background, and the
    /// next write includes the states. Throws ``SceneStoreError/Code/invalidState`` for a session
    /// that is not in front; the others leave.
    public func moveToBackground(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).leaveFront(identifiers)
        }
    }

    /// Moves connected scenes to the foreground together; the first becomes active.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` for a session that is not in the background;
    /// the others come forward.
    public func moveToForeground(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).comeForward(identifiers)
        }
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` unless the scene is in the background.
    public func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).evict(identifier)
        }
    }

    /// The stored record of an open session.
    package func openRecord(_ identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord?
    {
        let engine = engine
        return try store.read { skeleton throws(SceneStoreError) in
            try engine.openRecord(identifier, in: skeleton)
        }
    }

    /// The row of an open session; throws when the store knows none.
    func openKey(_ identifier: SceneSession.ID) throws(SceneStoreError) -> Int64 {
        guard let record = try openRecord(identifier) else {
            throw Engine.unknownSession
        }
        return record.key
    }

    // MARK: Removing

    /// Empties the container in one step: no session, no history of one, nothing to deliver, no setting.
    ///
    /// To forget windows and keep ``storage``, close them (``closeAllWindows()``).
    /// Live scenes are disconnected and discarded (cause reset) at once. The next launch has the
    /// reason `first`. Durable on return.
    public func reset() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try SessionRemoval(application: self).removeAll(store.reset)
        }
    }

    /// Empties the container like ``reset()``, and removes history, backups and quarantined files.
    ///
    /// Use it when an account was deleted. Throws ``SceneStoreError/Code/erasurePending`` while
    /// another process reads the store, and any other error of the disk. Once the container is
    /// empty, the scenes are gone in that case, too, and idle work removes the remaining bytes.
    public func erase() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try SessionRemoval(application: self).removeAll(store.erase)
        }
    }

    /// Removes one session and all its stored data. Durable on return.
    ///
    /// No discard is delivered unless the session is connected. Its bytes may stay in free pages,
    /// in backups and in quarantined files, which ``erase()`` removes. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that the store does not know.
    public func forget(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try SessionRemoval(application: self).forget(identifier)
        }
    }
}
