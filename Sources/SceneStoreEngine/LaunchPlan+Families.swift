import SceneStoreValues

/// Windows that belong to others come back with them.
extension LaunchPlan {
    static let isChild = "it belongs to a window that comes back"

    /// The windows that belong to some that come back come, too (L-49).
    mutating func withChildren(
        _ returning: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let rules = rules
        let children = noteHeld(
            try engine.children(of: returning, skeleton) { isThere($0) && !rules.isHeld($0) }
                .filter(isThere))
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
        let rules = rules
        func hasPlace(_ child: SessionRecord) -> Bool {
            !roles.contains { rules.isBarred(child, by: $0) }
        }
        let children = noteHeld(
            try engine.children(of: connecting, skeleton) {
                isThere($0) && !rules.isHeld($0) && hasPlace($0)
            }
            .filter { isThere($0) && !known.contains($0.key) && hasPlace($0) })
        for child in children {
            decide(.reconnect, child, "child", Self.isChild)
            reasons[child.key] = Self.isChild
        }
        return children
    }
}
