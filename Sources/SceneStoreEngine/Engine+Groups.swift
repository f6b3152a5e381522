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
}
