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
        guard places.take(displays), processState == .running else {
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
            live[scene.key]?.keeper.noteUserMoved()
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
