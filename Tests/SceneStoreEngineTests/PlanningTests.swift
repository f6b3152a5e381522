import SceneStoreEngine
import SceneStoreValues

/// Tests that plan launches of what an array remembers.
protocol PlanningTests {
    var skeleton: ArraySkeleton { get }
}

extension PlanningTests {
    func plan(
        isSingle: Bool = false, roles: [SceneSessionRole] = [.projector], payloads: [Payload] = [],
        _ change: (inout LaunchRules) -> Void = { _ in }
    ) throws -> LaunchPlan {
        var rules = LaunchRules(manifest: .windows(beside: roles, isSingle: isSingle))
        change(&rules)
        return try skeleton.plan(rules, payloads: payloads)
    }

    func connecting(_ plan: LaunchPlan) -> [String] {
        plan.connecting.map(\.identifier)
    }

    func parked(_ plan: LaunchPlan) -> [String] {
        plan.judgement.parked.map { key, cause in
            "\(skeleton.record(key: key)?.identifier ?? "") \(cause?.rawValue ?? "free")"
        }
    }

    /// The sessions that a plan makes: their roles, and the places of the payloads that each takes.
    func made(_ plan: LaunchPlan) -> [(role: SceneSessionRole, payloads: [Int])] {
        plan.steps.compactMap { step in
            guard case .connect(let connection) = step,
                case .new(let role, _) = connection.subject
            else {
                return nil
            }
            return (role, connection.payloads)
        }
    }

    func findings(_ plan: LaunchPlan) -> [Diagnostic] {
        plan.steps.compactMap { if case .report(let finding) = $0 { finding } else { nil } }
    }

    /// Three links that arrive one by one.
    static var links: [Payload] {
        ["a", "b", "c"].map { .urls([OpenURLContext(url: $0)]) }
    }
}
