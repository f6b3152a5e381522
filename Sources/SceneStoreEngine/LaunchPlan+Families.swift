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

    /// The windows that belong to those which take a payload, and that don't come back by themselves.
    mutating func companions(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let known = Set((connecting + returning).map(\.key))
        let roles = connecting.map(\.role)
        let children = noteHeld(
            try engine.children(of: connecting, skeleton).filter { child in
                isThere(child) && !known.contains(child.key)
                    && !roles.contains { rules.isBarred(child, by: $0) }
            })
        for child in children {
            decide(.reconnect, child, "child", Self.isChild)
            reasons[child.key] = Self.isChild
        }
        return children
    }
}
