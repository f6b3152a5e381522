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
        application.writeMarks()
        try application.states.throwSaveFailure()
        if let refusal {
            throw refusal
        }
    }

    func comeForward(_ identifiers: [SceneSession.ID]) throws(SceneStoreError) {
        let (keys, refusal) = keys(of: identifiers, "background") { $0 == .background }
        application.perform(application.engine.machine.bringForward(together: keys))
        application.writeMarks()
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
                    .invalidState, "the window is not in the \(place)")
            }
        }
        return (keys, refusal)
    }

    /// The user turned to a scene that is active in its role: it comes before those of other roles.
    package func turn(to scene: Scene) {
        if application.engine.machine.turn(to: scene.key) {
            application.live.mark(scene.key) { $0.becameActive = true }
            application.writeMarks()
        }
    }

    /// Disconnects a background scene as the system does; its session stays open (L-35).
    func evict(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        guard let scene = application.scene(for: identifier),
            application.engine.machine.phase(of: scene.key) == .background
        else {
            throw SceneStoreError(
                .invalidState, "only a scene in the background can be evicted")
        }
        let key = scene.key
        application.perform(application.engine.machine.disconnect(key))
        application.lastWindows.noteGone(key)
    }
}
