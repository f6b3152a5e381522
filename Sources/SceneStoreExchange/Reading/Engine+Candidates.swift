import SceneStoreEngine
import SceneStoreValues

extension EventTarget {
    /// A session that was asked.
    package struct Candidate: Sendable {
        package var record: SessionRecord
        package var conditions: ActivationConditions
        /// Whether it wants to show the target.
        package var prefers: Bool
        /// Whether it can.
        package var can: Bool
    }
}

extension Engine {
    /// Those that are asked who takes a payload: each with conditions of its own, and of all others the
    /// one that was active last.
    package func candidates(
        _ identifier: String?, in skeleton: some Skeleton,
        isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> [EventTarget.Candidate] {
        guard rules.supportsMultipleScenes else {
            return []
        }
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && takesEvents(record)
        }
        let asked = try skeleton.recordsWithConditions().filter { known in
            let prefers = known.conditions.prefersToActivate.allows(identifier)
            return fits(known.record) && (prefers || isAskedWhetherItCan(known.record))
        }
        let plain = try plainCandidate(in: skeleton, where: fits).map {
            (record: $0, conditions: ActivationConditions())
        }
        return (asked + [plain].compactMap(\.self)).map { candidate in
            EventTarget.Candidate(
                record: candidate.record, conditions: candidate.conditions,
                prefers: candidate.conditions.prefersToActivate.allows(identifier),
                can: candidate.conditions.canActivate.allows(identifier))
        }
    }
}

extension LaunchPlan {
    /// Those that this launch asks who takes a payload; nobody if it begins anew (L-16).
    func candidates(
        for payload: Payload, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [EventTarget.Candidate] {
        guard target != nil, rules.behavior != .fresh else {
            return []
        }
        return try engine.candidates(
            payload.activationIdentifier, in: skeleton, isThere: isThere)
    }
}
