import Testing

import SceneStoreEngine
import SceneStoreValues

/// Every launch of three sessions of two roles, with what may have become of each, under every rule
/// that chooses among them, with up to two payloads and a death that blames one of them.
///
/// One in 251 of the 3 375 000 plans is looked at by default, each of them with `SCENESTORE_LONG`.
/// ``PlanJudge`` has the rules.
@Suite("Every plan")
struct PlanExplorationTests {
    /// What may have become of a session.
    private enum Condition: CaseIterable {
        case whole, withheld, held, heldByHand, displaced, notRemembered
    }

    /// One of the sessions.
    private struct Kind {
        var role: SceneSessionRole
        var isFront: Bool
        var condition: Condition

        static let all: [Kind?] =
            [nil]
            + [SceneSessionRole.windowApplication, .projector].flatMap { role in
                [false, true].flatMap { isFront in
                    Condition.allCases.map {
                        Kind(role: role, isFront: isFront, condition: $0)
                    }
                }
            }
    }

    /// What surrounds the sessions.
    private struct Surroundings {
        var isSingle: Bool
        var behavior: LaunchRules.Behavior
        var reconnection: LaunchRules.Reconnection
        var payloads: [Payload]
        /// How the process before ended: nil cleanly, 0 it died, else restoring that session.
        var death: Int64?

        static let all: [Surroundings] = [false, true].flatMap { isSingle in
            [LaunchRules.Behavior.restore, .fresh, .none].flatMap { behavior in
                [LaunchRules.Reconnection.foreground, .all, .first(1)].flatMap { reconnection in
                    PlanExplorationTests.payloads.flatMap { payloads in
                        [nil, 0, 1, 2].map { death in
                            Surroundings(
                                isSingle: isSingle, behavior: behavior,
                                reconnection: reconnection, payloads: payloads, death: death)
                        }
                    }
                }
            }
        }
    }

    private static let link = Payload.urls([OpenURLContext(url: "notes://note/1")])
    private static let payloads: [[Payload]] = [
        [], [link], [link, .activity(UserActivity(checkedType: "com.example.note"))],
    ]

    private static let manifests = [false, true].map {
        SceneManifest.windows(beside: [.projector], isSingle: $0)
    }

    private static func skeleton(_ kinds: [Kind]) -> ArraySkeleton {
        let skeleton = ArraySkeleton()
        for kind in kinds {
            let count =
                switch kind.condition {
                case .withheld: 1
                case .held: 3
                default: 0
                }
            skeleton.add(role: kind.role, isFront: kind.isFront, crashCount: count) {
                $0.flags[.held] = kind.condition == .heldByHand
                $0.flags.parkedCause = kind.condition == .displaced ? .displaced : nil
                $0.flags[.notRemembered] = kind.condition == .notRemembered
            }
        }
        return skeleton
    }

    private static func plan(
        _ skeleton: ArraySkeleton, _ surroundings: Surroundings
    ) throws -> LaunchPlan {
        var rules = LaunchRules(manifest: manifests[surroundings.isSingle ? 1 : 0])
        rules.behavior = surroundings.behavior
        rules.reconnection = surroundings.reconnection
        let restoring = surroundings.death.flatMap { $0 == 0 ? nil : $0 }
        skeleton.previous = PreviousProcess(
            end: surroundings.death == nil ? .clean : .running, restoring: restoring)
        return try skeleton.plan(rules, payloads: surroundings.payloads)
    }

    private static let step = Exploration.stride(251)

    @Test(
        "L-11 L-12 L-16 L-44 L-52 L-65 L-70 every plan of three sessions keeps the rules",
        arguments: Kind.all.indices)
    func everyPlan(first: Int) throws {
        let looked = try Exploration.eachWorld(
            first: first, of: Kind.all, in: Surroundings.all, step: Self.step
        ) { number, chosen, around in
            let skeleton = Self.skeleton(chosen)
            let plan = try Self.plan(skeleton, around)
            let problems = PlanJudge(
                plan, skeleton.records, isSingle: around.isSingle
            ).problems()
            try #require(problems == [], "\(number): \(chosen) \(around)")
        }
        #expect(looked > 500)
    }
}
