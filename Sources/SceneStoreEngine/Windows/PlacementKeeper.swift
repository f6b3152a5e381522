import SceneStoreValues

/// Decides where a window belongs on today's displays, and which of the placements that its host
/// reports is one that the user chose (L-49).
///
///     stored ── hand over ──> host shows ── reports ──> kept, or not
///                  ^                                    │
///                  └──── the displays changed           └── the user moved it: kept from here on
package struct PlacementKeeper: Sendable {
    /// What the host was asked to show; nil once the user has moved the window.
    package private(set) var handedOver: ScenePlacement?
    /// Whether a report counts only after the user has moved the window: the toolkit moves windows
    /// by itself when displays come and go.
    package private(set) var awaitsUser = false

    package init() {}

    /// The placement for today's displays: the one that was used on them, else the last one, made to
    /// fit. Without displays from the host, the stored one as it is.
    package mutating func handOver(
        _ memory: PlacementMemory?, on displays: [Display]
    ) -> ScenePlacement? {
        guard let memory, let arrangement = displays.arrangement else {
            awaitsUser = false
            handedOver = memory?.placement
            return handedOver
        }
        let arranged = memory.placement(on: arrangement) ?? memory.placement.fitted(to: displays)
        var place = memory.placement.withFrame(of: arranged)
        place.windowState = arranged.windowState
        awaitsUser =
            !place.hasSameFrame(as: memory.placement)
            || memory.arranged.first.map { $0.arrangement != arrangement } ?? false
        handedOver = place
        return place
    }

    /// The displays changed while the window is shown: where it belongs on them.
    package mutating func rearrange(
        _ memory: PlacementMemory?, on displays: [Display]
    ) -> ScenePlacement? {
        let place = handOver(memory, on: displays)
        awaitsUser = true
        return place
    }

    /// The user moved or resized the window, or changed its state.
    package mutating func noteUserMoved() {
        awaitsUser = false
        handedOver = nil
    }

    /// What is to be stored after a report; nil when nothing changes.
    ///
    /// A window that was never stored is stored in any case. Coordinates that the host doesn't know
    /// are those that are stored.
    package mutating func take(
        _ reported: ScenePlacement, _ memory: PlacementMemory?, on displays: [Display]
    ) -> PlacementMemory? {
        guard var result = memory else {
            var first = PlacementMemory(reported)
            if let arrangement = displays.arrangement {
                first.remember(reported, on: arrangement)
            }
            noteUserMoved()
            return first
        }
        if awaitsUser || reported == handedOver {
            return nil
        }
        var place = reported
        place.x = reported.x ?? result.placement.x
        place.y = reported.y ?? result.placement.y
        if let handedOver, reported.hasSameFrame(as: handedOver) {
            // Only its state, its workspace or its place in the stack is news.
            result.placement = reported.withFrame(of: result.placement)
        } else {
            result.placement = place
            noteUserMoved()
        }
        if let arrangement = displays.arrangement {
            result.remember(place, on: arrangement)
        }
        return result
    }
}

extension ScenePlacement {
    /// Whether the window is at the same place, in the same size, on the same display.
    fileprivate func hasSameFrame(as other: ScenePlacement) -> Bool { self == withFrame(of: other) }

    /// The same window at the place, in the size and on the display of another one.
    fileprivate func withFrame(of other: ScenePlacement) -> ScenePlacement {
        var place = self
        (place.x, place.y, place.display) = (other.x, other.y, other.display)
        (place.width, place.height) = (other.width, other.height)
        return place
    }
}
