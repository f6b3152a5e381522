#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStoreEngine
import SceneStoreValues

/// Every launch of three sessions of two roles, with what may have become of each, under every rule
/// that chooses among them, with up to two payloads and a death that blames one of them.
///
/// One in 61 of the 3 375 000 plans is looked at by default, each of them with `SCENESTORE_LONG`.
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
            + [SceneSessionRole.windowApplication, projector].flatMap { role in
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

    private static let projector = SceneSessionRole(rawValue: "projector")
    private static let link = Payload.urls([OpenURLContext(url: "notes://note/1")])
    private static let payloads: [[Payload]] = [
        [], [link], [link, .activity(UserActivity(checkedType: "com.example.note"))],
    ]

    private static func manifest(isSingle: Bool) -> SceneManifest {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = !isSingle
        var configuration = SceneConfiguration(name: "Editor", role: projector)
        configuration.resolution = .manifest
        manifest.configurations[projector] = [configuration]
        return manifest
    }

    private static let manifests = [manifest(isSingle: false), manifest(isSingle: true)]

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
                $0.isHeldByHand = kind.condition == .heldByHand
                $0.flags.parkedCause = kind.condition == .displaced ? .displaced : nil
                $0.isRestorationEnabled = kind.condition != .notRemembered
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
        return try LaunchPlan(
            skeleton, rules,
            LaunchPlan.Start(
                after: skeleton.previous, bootIdentifier: nil, now: 0, stablePeriod: 10_000),
            payloads: surroundings.payloads)
    }

    /// How many plans lie between two that are looked at by default.
    private static let stride =
        ProcessInfo.processInfo.environment["SCENESTORE_LONG"] == nil ? 61 : 1

    @Test(
        "L-11 L-12 L-16 L-44 L-52 L-65 L-70 every plan of three sessions keeps the rules",
        arguments: Kind.all.indices)
    func everyPlan(first: Int) throws {
        var number = first
        var looked = 0
        for second in Kind.all {
            for third in Kind.all {
                let kinds = [Kind.all[first], second, third].compactMap { $0 }
                let skeleton = Self.skeleton(kinds)
                for surroundings in Surroundings.all {
                    number += 1
                    guard number % Self.stride == 0 else {
                        continue
                    }
                    looked += 1
                    let plan = try Self.plan(skeleton, surroundings)
                    let judge = PlanJudge(plan, skeleton.records, surroundings.isSingle)
                    let problems = judge.problems(payloads: surroundings.payloads.count)
                    try #require(problems == [], "\(number): \(kinds) \(surroundings)")
                }
            }
        }
        #expect(looked > 1_000)
    }
}

/// What must hold of each plan, said without the engine.
private struct PlanJudge {
    private let plan: LaunchPlan
    private let records: [SessionRecord]
    private let isSingle: Bool
    private let connections: [SceneConnection]

    init(_ plan: LaunchPlan, _ records: [SessionRecord], _ isSingle: Bool) {
        self.plan = plan
        self.records = records
        self.isSingle = isSingle
        connections = plan.steps.compactMap {
            if case .connect(let connection) = $0 { connection } else { nil }
        }
    }

    private func role(_ connection: SceneConnection) -> SceneSessionRole {
        switch connection.subject {
        case .remembered(let record): record.configuration.role
        case .new(let role, _): role
        }
    }

    /// The rules that the plan breaks.
    func problems(payloads count: Int) -> [String] {
        var problems: [String] = []
        func check(_ holds: Bool, _ rule: String) {
            if !holds { problems.append(rule) }
        }
        let behavior = plan.rules.behavior
        let returning = connections.compactMap(\.record)
        check(
            behavior == .none && count == 0
                || connections.contains { role($0) == .windowApplication },
            "L-11 the app has a window")
        check(
            behavior == .restore || count > 0 || returning.isEmpty,
            "L-16 nothing comes back by itself")
        check(behavior != .none || count > 0 || connections.isEmpty, "L-16 no window by itself")
        check(Set(returning.map(\.key)).count == returning.count, "each connects once")
        check(returning.allSatisfy(\.isRestorationEnabled), "L-44 the forgotten are forgotten")
        check(!returning.contains { $0.isHeldByHand }, "L-52 the held stay held")
        check(!returning.contains(where: isHeld), "L-52 who died three times is held")
        check(
            returning.allSatisfy {
                !isBlamed($0) || plan.verdict(for: $0).restoration != .available
            },
            "L-52 who died is not given the state again at once")
        check(
            !isSingle || Set(connections.map(role)).count == connections.count,
            "L-12 one window a role")
        check(
            plan.discards.map(\.identifier).allSatisfy { id in
                records.contains { $0.id == id && !$0.isRestorationEnabled }
            }, "L-12 nothing is given up")
        check(
            plan.judgement.parked.allSatisfy { key, cause in
                cause == nil || isSingle || behavior == .fresh
            }, "L-18 nothing is parked without need")
        check(
            connections.flatMap(\.payloads).sorted() == Array(0..<count),
            "L-65 each payload is handed over once")
        check(
            behavior == .none && count == 0
                || connections.contains {
                    role($0) == .windowApplication && $0.arrival != .background
                }, "L-11 a window of the app is in front")
        check(
            records.allSatisfy { record in
                plan.verdict(for: record).connects
                    == returning.contains { $0.key == record.key }
            }, "the verdict is what happens")
        check(isExpected(returning, payloads: count), "L-11 who was in front returns")
        return problems
    }

    private func isBlamed(_ record: SessionRecord) -> Bool { plan.blamed == record.id }

    /// Whether a session can come back without being asked for, where no other is in its way: a
    /// parking ends where many windows are allowed.
    private func isAble(_ record: SessionRecord) -> Bool {
        record.isRestorationEnabled && !record.isHeldByHand
            && !isHeld(record)
    }

    /// A clean end makes the launch before stable: who died is offered again.
    private func isHeld(_ record: SessionRecord) -> Bool {
        record.crashCount + (isBlamed(record) ? 1 : 0) >= 3 && !plan.judgement.previousWasStable
    }

    /// Where many windows are allowed and no payload has a say: exactly those that were in front
    /// return, all, or the first one; else the one that was active last. A window of the app comes
    /// along.
    private func isExpected(_ returning: [SessionRecord], payloads count: Int) -> Bool {
        guard !isSingle, count == 0, plan.rules.behavior == .restore else {
            return true
        }
        let able = records.filter(isAble)
        var expected: [SessionRecord] =
            switch plan.rules.reconnection {
            case .foreground:
                able.contains(where: \.isFront) ? able.filter(\.isFront) : Array(able.prefix(1))
            case .all: able
            case .first(let count): Array(able.prefix(count))
            }
        if !expected.contains(where: { $0.configuration.role == .windowApplication }),
            let window = able.first(where: { $0.configuration.role == .windowApplication })
        {
            expected.append(window)
        }
        return Set(returning.map(\.key)) == Set(expected.map(\.key))
    }
}
