import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Where windows are on the displays of today (L-49).
///
/// Each window's ``PlacementKeeper`` decides; this knows the displays and what is stored.
final class WindowPlaces {
    private let core: ApplicationCore
    private let states: StateWriter
    /// The displays, as the host told; empty while it tells of none.
    private(set) var displays: [Display] = []
    /// The placements that were reported in a teardown.
    private var postponed: [Int64: ScenePlacement?] = [:]

    init(_ core: ApplicationCore, _ states: StateWriter) {
        self.core = core
        self.states = states
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
        for (key, scene) in core.live.scenes {
            let memory = try memory(of: key)
            if let place = core.live[key]?.keeper.rearrange(memory, on: displays) {
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
        return core.live[key]?.keeper.handOver(memory, on: displays) ?? session.placement
    }

    /// Stores a placement that was reported, or not; answers whether it is news.
    func keep(_ reported: ScenePlacement?, of key: Int64) throws(SceneStoreError) -> Bool {
        guard !core.isTearingDown else {
            postponed[key] = .some(reported)
            return false
        }
        let memory = try memory(of: key)
        var keeper = core.live[key]?.keeper ?? PlacementKeeper()
        var kept: PlacementMemory?
        if let reported {
            kept = keeper.take(reported, memory, on: displays)
            guard kept != nil else {
                return false
            }
        } else {
            keeper.noteUserMoved()
        }
        let store = core.store
        if kept?.placement.parent != memory?.placement.parent {
            try store.marks.noteParent(kept?.placement.parent, key: key)
        }
        if try !states.keep(key, { $0.placement = .some(kept) }) {
            try store.values.setPlacement(kept, key: key)
        }
        core.live[key]?.keeper = keeper
        return true
    }

    /// Hands over what was reported in a teardown, in the order of the rows.
    func takePostponed() -> [(key: Int64, value: ScenePlacement?)] {
        defer {
            postponed = [:]
        }
        return postponed.sorted { $0.key < $1.key }
    }

    /// Where a session's window was, as it is stored or about to be.
    private func memory(of key: Int64) throws(SceneStoreError) -> PlacementMemory? {
        if case .some(let waiting) = core.live[key]?.unsavedValues?.placement {
            return waiting
        }
        return try core.store.values.placements(key: key)
    }
}
