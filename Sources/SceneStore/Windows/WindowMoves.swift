import SceneStoreEngine
import SceneStoreValues

/// Moves windows between the front and the back, as the user and the system do (L-30, L-35).
///
/// A window that is not where the move begins refuses it for itself alone: the others move.
package struct WindowMoves {
    let application: SceneApplication
    private var core: ApplicationCore { application.core }

    package init(application: SceneApplication) {
        self.application = application
    }

    func leaveFront(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        let (keys, refusal) = keys(of: identifiers, "foreground") { $0 != .background }
        application.makeCallbacks(core.engine.machine.leave(keys))
        if let focus = core.engine.machine.takeUpFocus() {
            application.states.mark(focus) { $0.becameActive = true }
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
        application.makeCallbacks(core.engine.machine.bringForward(together: keys))
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
                let phase = core.engine.machine.phase(of: scene.key), fits(phase)
            {
                if !keys.contains(scene.key) { keys.append(scene.key) }
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
        if core.engine.machine.turn(to: scene.key) {
            application.states.mark(scene.key) { $0.becameActive = true }
            application.states.writeMarks()
        }
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        guard let scene = application.scene(for: identifier),
            core.engine.machine.phase(of: scene.key) == .background
        else {
            throw SceneStoreError(
                .invalidState, "evict(_:) needs a scene in the background; move it there first")
        }
        application.leave(scene.key)
        core.attempt(try core.store.marks.noteGone(scene.key))
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
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).leaveFront(identifiers)
        }
    }

    /// Moves connected scenes to the foreground together; the first becomes active.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` for a session that is not in the background;
    /// the others come forward.
    public func moveToForeground(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).comeForward(identifiers)
        }
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` unless the scene is in the background.
    public func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try WindowMoves(application: self).evict(identifier)
        }
    }

    // MARK: Removing

    /// Empties the container in one step: no session, no history of one, nothing to deliver, no setting.
    ///
    /// To forget windows and keep ``storage``, close them (``closeAllWindows()``).
    /// Live scenes are disconnected and discarded (cause reset) at once. The next launch has the
    /// reason `first`. Durable on return.
    public func reset() throws(SceneStoreError) {
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
        try event { [self] () throws(SceneStoreError) in
            try SessionRemoval(application: self).forget(identifier)
        }
    }
}

/// Where windows are, on which displays (L-49).
extension SceneApplication {
    /// The displays that the host reported; empty until then.
    public var displays: [Display] { places.displays }

    /// Sets the host's displays, before ``launch(_:)`` and whenever a display changes.
    ///
    /// A window that connects finds its placement for these displays in its session: its last
    /// placement on them, or else its last one elsewhere, fitted (``ScenePlacement/fitted(to:)``).
    /// Placements are remembered for the last eight arrangements of displays. The stored placement
    /// changes when the user moves the window: after a change of displays, placements that the host
    /// reports are stored only once ``noteUserMoved(_:)`` was called. A host that sets no displays
    /// gets stored placements unchanged.
    ///
    /// - Returns: While the app runs, the placement of each connected window on the present
    ///   displays. Move the windows there. Empty if identities and geometry are unchanged.
    @discardableResult
    public func setDisplays(
        _ displays: [Display]
    ) throws(SceneStoreError) -> [SceneSession.ID: ScenePlacement] {
        guard places.take(displays), core.processState == .running else {
            return [:]
        }
        defer {
            finishCall()
        }
        return try places.rearrange()
    }

    /// Reports that the user moved or resized a window, or changed its window state.
    ///
    /// The placement that is reported next is stored, for the current displays. When displays
    /// change, toolkits move windows on their own; those reports are not stored.
    public func noteUserMoved(_ session: SceneSession.ID) {
        if let scene = scene(for: session) {
            core.live[scene.key]?.keeper.noteUserMoved()
        }
    }

    /// Stores opaque bytes by which the compositor knows a session's window, in mode normal.
    ///
    /// While the scene is asked for its state, they are stored with the state. A window that
    /// connects finds them in ``SceneSession/platformToken``. If the compositor keeps the positions
    /// itself (`xdg_session_management_v1`), the host passes the bytes back to it. At most
    /// ``Limits/platformTokenBytes`` bytes. An unredacted export includes them.
    /// They are not kept for an ephemeral session.
    public func setPlatformToken(
        _ token: [UInt8]?, for session: SceneSession.ID
    ) throws(SceneStoreError) {
        try change(session) { (key) throws(SceneStoreError) in
            if try !states.keep(key, { $0.platformToken = .some(token) }) {
                try store.values.setPlatformToken(token, key: key)
            }
        } live: {
            $0.platformToken = token
        }
    }
}
