import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Where windows are on the displays of today (L-49).
///
/// Each window's ``PlacementKeeper`` decides; this knows the displays and what is stored.
final class WindowPlaces {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// The displays, as the host told; empty while it tells of none.
    private(set) var displays: [Display] = []

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// Takes the displays over, and answers whether they are others than before.
    func take(_ displays: [Display]) -> Bool {
        let isSame = displays.arrangement == self.displays.arrangement
        self.displays = displays
        return !isSame
    }

    /// Where the connected windows belong on the displays that are there now.
    func rearrange() throws(SceneStoreError) -> [SceneSession.ID: ScenePlacement] {
        var places: [SceneSession.ID: ScenePlacement] = [:]
        for (key, scene) in application.live.scenes {
            let memory = try memory(of: key)
            if let place = application.live[key]?.keeper.rearrange(memory, on: displays) {
                scene.session.placement = place
                places[scene.session.id] = place
            }
        }
        return places
    }

    /// Where a session's window belongs on today's displays.
    func place(_ session: SceneSession, key: Int64) throws(SceneStoreError) -> ScenePlacement? {
        let memory =
            displays.isEmpty ? session.placement.map { PlacementMemory($0) } : try memory(of: key)
        return application.live[key]?.keeper.handOver(memory, on: displays) ?? session.placement
    }

    /// Stores a placement that was reported, or not; answers whether it is news.
    func keep(_ reported: ScenePlacement?, of key: Int64) throws(SceneStoreError) -> Bool {
        guard !application.isTearingDown else {
            return false
        }
        let memory = try memory(of: key)
        var keeper = application.live[key]?.keeper ?? PlacementKeeper()
        var kept: PlacementMemory?
        if let reported {
            kept = keeper.take(reported, memory, on: displays)
            guard kept != nil else {
                return false
            }
        } else {
            keeper.noteUserMoved()
        }
        let store = application.store
        if kept?.placement.parent != memory?.placement.parent {
            try store.marks.noteParent(kept?.placement.parent, key: key)
        }
        if try !application.states.keep(key, { $0.placement = .some(kept) }) {
            try store.values.setPlacement(kept, key: key)
        }
        application.live[key]?.keeper = keeper
        return true
    }

    /// Where a session's window was, as it is stored or about to be.
    private func memory(of key: Int64) throws(SceneStoreError) -> PlacementMemory? {
        if case .some(let waiting) = application.live[key]?.unsavedValues?.placement {
            return waiting
        }
        return try application.store.values.placements(key: key)
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
