import SceneStoreValues

/// Windows that belong to other ones (L-49).
extension Engine {
    /// Windows in their order, each that belongs to another right after that one (L-49); tabs by
    /// their places.
    package func inFamilies(
        _ records: [SessionRecord], _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard records.contains(where: { $0.flags.contains(.hasChildren) }) else {
            return records
        }
        let children = try skeleton.children()
        let known = Dictionary(
            records.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return Families(
            records.map { ($0.key, $0.id) },
            children.map { ($0.record.key, $0.parent, $0.tabIndex) }
        )
        .order.compactMap { known[$0] }
    }

    /// The windows that belong to some that connect come with them, behind the focus (L-49).
    func companions(
        of records: [SessionRecord], _ skeleton: some Skeleton,
        _ arrival: LifecycleMachine.Arrival = .foreground
    ) throws(SceneStoreError) -> [PlanStep] {
        try children(of: records, skeleton) {
            machine.phase(of: $0.key) != nil || comesBack($0)
        }
        .filter { machine.phase(of: $0.key) == nil && comesBack($0) }
        .map { .connect(connection(.remembered($0), arrival)) }
    }

    /// Whether a session that has no scene may connect by itself.
    package func comesBack(_ record: SessionRecord) -> Bool {
        record.isRestorationEnabled && rules.parked(record) == nil && !rules.isHeld(record)
    }

    /// The windows that belong to some that connect and don't connect themselves, with those that
    /// belong to them; what belongs to one that can't come is not among them.
    func children(
        of records: [SessionRecord], _ skeleton: some Skeleton,
        where comes: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard records.contains(where: { $0.flags.contains(.hasChildren) }) else {
            return []
        }
        var known = Set(records.map(\.key))
        var parents = Set(records.map(\.id))
        let all = try skeleton.children()
        var found: [SessionRecord] = []
        var hasMore = true
        while hasMore {
            hasMore = false
            for child in all where parents.contains(child.parent) {
                guard known.insert(child.record.key).inserted else {
                    continue
                }
                if comes(child.record) {
                    parents.insert(child.record.id)
                }
                found.append(child.record)
                hasMore = true
            }
        }
        return found
    }
}

/// The order of windows of which some belong to others.
package struct Families {
    /// Their keys: each window right before those that belong to it.
    package private(set) var order: [Int64] = []

    /// Orders windows; one whose parent is not among them, or that belongs to itself by a detour,
    /// keeps its place.
    package init(
        _ windows: [(key: Int64, id: SceneSession.ID)],
        _ children: [(key: Int64, parent: SceneSession.ID, tab: Int?)]
    ) {
        let keys = Dictionary(
            windows.map { ($0.id, $0.key) }, uniquingKeysWith: { first, _ in first })
        var parents: [Int64: Int64] = [:]
        var tabs: [Int64: Int] = [:]
        for child in children {
            guard let parent = keys[child.parent], parent != child.key else {
                continue
            }
            parents[child.key] = parent
            tabs[child.key] = child.tab
        }
        var below: [Int64: [Int64]] = [:]
        var roots: [Int64] = []
        for window in windows {
            if let parent = parents[window.key] {
                below[parent, default: []].append(window.key)
            } else {
                roots.append(window.key)
            }
        }
        var seen: Set<Int64> = []
        // What belongs to itself by a detour comes last.
        var waiting: [Int64] = (roots + windows.map(\.key)).reversed()
        while let key = waiting.popLast() {
            guard seen.insert(key).inserted else {
                continue
            }
            order.append(key)
            let own = (below[key] ?? []).enumerated().sorted { left, right in
                let (a, b) = (tabs[left.element] ?? .max, tabs[right.element] ?? .max)
                return a == b ? left.offset < right.offset : a < b
            }
            waiting += own.map(\.element).reversed()
        }
    }
}
