import FoundationEssentials
import SceneStoreEngine
import SceneStoreValues
import Testing

/// Every launch of three sessions with activation conditions, windows that belong to others,
/// windows that the app names for a payload, and an inbox.
///
/// One in 797 of the 6 731 364 plans is looked at by default, each of them with `SCENESTORE_LONG`.
/// ``PlanJudge`` has the rules.
@Suite("Every plan of payloads")
struct PayloadExplorationTests {
    private enum Condition: CaseIterable {
        case whole, heldByHand, displaced
    }

    /// What a session has to do with a payload, or with the session after it.
    private enum Relation: CaseIterable {
        case plain, prefers, refuses, belongs
    }

    private struct Kind {
        var role: SceneSessionRole
        var isFront: Bool
        var condition: Condition
        var relation: Relation

        static let all: [Kind?] =
            [nil]
            + [false, true].flatMap { isFront in
                Condition.allCases.flatMap { condition in
                    Relation.allCases.map {
                        Kind(
                            role: .windowApplication, isFront: isFront, condition: condition,
                            relation: $0)
                    }
                }
                    + [Relation.plain, .prefers].map {
                        Kind(role: .projector, isFront: isFront, condition: .whole, relation: $0)
                    }
            }
    }

    /// What waits in the inbox beside what arrives.
    private enum Inbox: CaseIterable {
        case empty, other, setAside, same
    }

    private struct Surroundings {
        var isSingle: Bool
        var behavior: LaunchRules.Behavior
        var reconnection: LaunchRules.Reconnection
        /// What the app names for what arrives.
        var named: PayloadTarget?
        var inbox: Inbox
        var hasArrived: Bool

        static let all: [Surroundings] = [false, true].flatMap { isSingle in
            [LaunchRules.Behavior.restore, .fresh, .none].flatMap { behavior in
                [LaunchRules.Reconnection.foreground, .first(1)].flatMap { reconnection in
                    payloads.map { named, inbox, hasArrived in
                        Surroundings(
                            isSingle: isSingle, behavior: behavior, reconnection: reconnection,
                            named: named, inbox: inbox, hasArrived: hasArrived)
                    }
                }
            }
        }

        private static let names: [PayloadTarget?] = [
            nil, .window(SceneSession.ID("A")), .window(SceneSession.ID("Z")), .role(.projector),
            .new,
        ]

        /// What the app names, what waits, and whether anything arrives.
        private static let payloads: [(PayloadTarget?, Inbox, Bool)] =
            names.flatMap { name in Inbox.allCases.map { (name, $0, true) } }
            + [Inbox.empty, .other, .setAside].map { (nil, $0, false) }
    }

    private static let arriving = Payload.notification(
        NotificationResponse(
            identifier: "reminder", targetContentIdentifier: "note/1",
            date: Date(timeIntervalSince1970: 1_700_000_000)))
    private static let other = Payload.urls([OpenURLContext(url: "notes://note/2")])

    private static let manifests = [false, true].map {
        SceneManifest.windows(beside: [.projector], isSingle: $0)
    }

    /// The sessions and the inbox, and what is expected of them.
    private static func world(
        _ kinds: [Kind], _ surroundings: Surroundings
    ) -> (skeleton: ArraySkeleton, expected: PlanJudge.Expected) {
        let skeleton = ArraySkeleton()
        var expected = PlanJudge.Expected()
        for (place, kind) in kinds.enumerated() {
            let key = Int64(place + 1)
            let before = kinds[(place + kinds.count - 1) % kinds.count]
            skeleton.add(role: kind.role, isFront: kind.isFront) {
                $0.flags[.held] = kind.condition == .heldByHand
                $0.flags.parkedCause = kind.condition == .displaced ? .displaced : nil
                $0.hasConditions = [.prefers, .refuses].contains(kind.relation)
                if kinds.count > 1, before.relation == .belongs {
                    $0.flags.insert(.hasChildren)
                }
            }
            switch kind.relation {
            case .plain: break
            case .prefers:
                expected.preferring.insert(key)
                skeleton.conditions[key] = ActivationConditions(
                    prefersToActivate: .equals("note/1"))
            case .refuses:
                expected.refusing.insert(key)
                skeleton.conditions[key] = ActivationConditions(canActivate: .never)
            case .belongs:
                guard kinds.count > 1 else {
                    continue
                }
                let parent = (place + 1) % kinds.count
                expected.parents[key] = Int64(parent + 1)
                skeleton.parents[key] = SceneSession.ID(
                    String(UnicodeScalar(UInt8(65 + parent))))
            }
        }
        fill(&skeleton.inbox, surroundings.inbox)
        expected.named = surroundings.named
        expected.hasArrived = surroundings.hasArrived
        expected.isSetAside = surroundings.inbox == .setAside
        expected.payloads =
            (surroundings.inbox == .empty ? 0 : 1)
            + (surroundings.hasArrived && surroundings.inbox != .same ? 1 : 0)
        return (skeleton, expected)
    }

    private static func fill(_ inbox: inout [InboxItem], _ waiting: Inbox) {
        switch waiting {
        case .empty: break
        case .other: inbox = [InboxItem(id: 1, payload: other, wasOffered: true)]
        case .same: inbox = [InboxItem(id: 1, payload: arriving)]
        case .setAside:
            var item = InboxItem(id: 1, payload: other, wasOffered: true)
            item.deaths = 1
            item.order = 1
            inbox = [item]
        }
    }

    private static func plan(
        _ skeleton: ArraySkeleton, _ surroundings: Surroundings
    ) throws -> LaunchPlan {
        var rules = LaunchRules(manifest: manifests[surroundings.isSingle ? 1 : 0])
        rules.behavior = surroundings.behavior
        rules.reconnection = surroundings.reconnection
        rules.persistsInbox = true
        if let named = surroundings.named {
            rules.namedTargets = [(arriving, named)]
        }
        skeleton.previous = PreviousProcess(
            end: surroundings.inbox == .setAside ? .running : .clean, number: 1)
        return try skeleton.plan(rules, payloads: surroundings.hasArrived ? [arriving] : [])
    }

    private static let step = Exploration.stride(797)

    @Test(
        "L-49 L-65 L-70 L-71 L-78 L-79 every plan with payloads keeps the rules",
        arguments: Kind.all.indices)
    func everyPlan(first: Int) throws {
        let looked = try Exploration.eachWorld(
            first: first, of: Kind.all, in: Surroundings.all, step: Self.step
        ) { number, chosen, around in
            let (skeleton, expected) = Self.world(chosen, around)
            let plan = try Self.plan(skeleton, around)
            let problems = PlanJudge(
                plan, skeleton.records, isSingle: around.isSingle,
                expecting: expected
            ).problems()
            #expect(problems == [], "\(number): \(chosen) \(around)")
        }
        #expect(looked > 250)
    }
}
