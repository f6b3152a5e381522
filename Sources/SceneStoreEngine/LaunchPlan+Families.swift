import SceneStoreValues

/// Windows that belong to others come back with them.
extension LaunchPlan {
    static let isChild = "it belongs to a window that comes back"

    /// The windows that belong to some that come back come, too (L-49).
    mutating func withChildren(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let children = noteHeld(
            try engine.children(of: returning, skeleton).filter(isThere))
        for child in children {
            reasons[child.key] = Self.isChild
        }
        return returning + children
    }
}
