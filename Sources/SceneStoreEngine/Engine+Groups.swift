import SceneStoreValues

/// Several windows in one action (L-48).
extension Engine {
    /// Sessions go for good, in one action (L-36): the front one first, as the group comes back.
    package func discard(
        _ identifiers: [SceneSession.ID], cause: DiscardCause, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        var records: [SessionRecord] = []
        var keys: Set<Int64> = []
        for identifier in identifiers {
            guard let record = try openRecord(identifier, in: skeleton) else {
                throw Self.unknownSession
            }
            if keys.insert(record.key).inserted {
                records.append(record)
            }
        }
        guard !records.isEmpty else {
            return []
        }
        let place = Dictionary(
            machine.stacked(keys).enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
        records.sort { left, right in
            let (a, b) = (place[left.key] ?? .max, place[right.key] ?? .max)
            return a == b ? SessionRecord.comesBefore(left, right) : a < b
        }
        var steps: [PlanStep] = records.map { record in
            .decide(
                DecisionRecord(
                    .discard, session: record.id, outcome: cause.rawValue,
                    reason: cause == .user
                        ? "the user closed its window" : "the app asked for it"))
        }
        steps.append(.discard(records, cause, freeing: try freed(by: records, in: skeleton)))
        return steps
    }

    /// Sessions that were given back connect from the back to the front, as they are stacked; the
    /// first one comes last, and the first one of each role has its focus. As of a process that ended,
    /// those that were in the background stay there.
    package func giveBack(
        _ records: [SessionRecord], asLeft: Bool = false, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep] {
        let back = records.filter { machine.phase(of: $0.key) == nil }
        let ordered = try inFamilies(back.reversed(), skeleton)
        let inFront = asLeft ? back.filter(\.isFront) : back
        let fronts = LaunchRules.firstOfEachRole(inFront.isEmpty ? Array(back.prefix(1)) : inFront)
        let steps: [PlanStep] = ordered.map { record in
            .connect(
                connection(
                    .remembered(record),
                    fronts.contains(record.key)
                        ? .active : asLeft && !record.isFront ? .background : .foreground))
        }
        return try asLeft ? steps : steps + companions(of: back, skeleton)
    }

    /// What the last process that had windows left to the next one, before that touches any (L-48).
    package func lastSession(
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [SessionRecord] {
        let launch = try skeleton.previousProcess().number
        return lastSession(of: try skeleton.connected(atEndOf: launch), touched: [])
    }

    /// Those of the sessions that were connected when the last process that had any ended, which can
    /// come back and which this one has not touched (L-48); the one that was active last first.
    package func lastSession(
        of connected: [SessionRecord], touched: Set<Int64>
    ) -> [SessionRecord] {
        var records = connected.filter { record in
            return !touched.contains(record.key) && record.isOpen && record.isRestorationEnabled
                && rules.parked(record)?.isGivenBack != false
                && !rules.isHeld(record)
                && !rules.isUnshowable(record)
        }
        records.sort(by: SessionRecord.comesBefore)
        guard !rules.supportsMultipleScenes else {
            return records
        }
        // Of each role there is one scene, and one that is there keeps its place.
        var roles = Set(machine.members.values.map(\.role))
        records.removeAll { !roles.insert($0.role).inserted }
        return records
    }

    // MARK: Families

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
