#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStoreEngine
import SceneStoreValues

/// Who takes a payload of a launch where each session has a rival.
@Suite("Payloads of a launch among rivals")
struct PayloadRivalsTests: PlanningTests {
    let skeleton: ArraySkeleton

    init(_ skeleton: ArraySkeleton) {
        self.skeleton = skeleton
    }

    init() {
        self.init(ArraySkeleton())
    }

    @Test("L-79 L-65 each role that the app names for a launch gets a new session of its own")
    func namedRoles() throws {
        let car = SceneSessionRole(rawValue: "car")
        skeleton.add()
        for behavior in [LaunchRules.Behavior.restore, .fresh] {
            let plan = try plan(roles: [.projector, car], payloads: Self.links) {
                $0.behavior = behavior
                $0.namedTargets = [
                    (Self.links[0], .role(.projector)), (Self.links[1], .role(car)),
                    (Self.links[2], .role(.projector)),
                ]
            }
            let made = made(plan)
            #expect(made.prefix(2).map(\.role) == [car, .projector], "\(behavior)")
            #expect(made.prefix(2).map(\.payloads) == [[1], [0, 2]], "\(behavior)")
            // The app's own window comes along: the remembered one, or a new one.
            #expect(connecting(plan) == (behavior == .restore ? ["A"] : []))
            #expect(made.count == (behavior == .restore ? 2 : 3))
            #expect(plan.newSessions.map(\.role) == made.map(\.role))
            #expect(plan.newSessions.map(\.order) == Array(1...made.count))
            #expect(findings(plan).isEmpty)
        }
    }

    @Test("L-11 L-79 a new session of another role is never all that a launch shows")
    func namedRoleAlone() throws {
        let plan = try plan(payloads: [Self.links[0]]) {
            $0.namedTargets = [(Self.links[0], .role(.projector))]
        }
        #expect(made(plan).map(\.role) == [.projector, .windowApplication])
        #expect(made(plan).map(\.payloads) == [[0], []])
        // A launch that shows a list instead makes no window, and displaces none.
        skeleton.add()
        let list = try self.plan(isSingle: true, payloads: [Self.links[0]]) {
            ($0.behavior, $0.makesWindow) = (.fresh, false)
            $0.namedTargets = [(Self.links[0], .role(.projector))]
        }
        #expect(made(list).map(\.role) == [.projector] && parked(list).isEmpty)
    }

    @Test("L-79 a role that nothing can be shown with is not met, and the reason tells so")
    func namedRoleWithoutConfiguration() throws {
        skeleton.add()
        for behavior in [LaunchRules.Behavior.restore, .fresh] {
            let change = { (rules: inout LaunchRules) in
                rules.behavior = behavior
                rules.namedTargets = [(Self.links[0], .role(.projector))]
            }
            let plan = try plan(roles: [], payloads: [Self.links[0]], change)
            #expect(connecting(plan) == (behavior == .restore ? ["A"] : []))
            #expect(made(plan).map(\.role) == (behavior == .restore ? [] : [.windowApplication]))
            #expect(findings(plan).map(\.code) == [.targetNotMet])
            #expect(plan.target?.reason.contains("no configuration") == true)
            let provided = try self.plan(roles: [], payloads: [Self.links[0]]) {
                change(&$0)
                $0.providedRoles = [.projector]
            }
            #expect(
                made(provided).first?.role == .projector
                    && findings(provided).isEmpty)
        }
    }

    @Test("L-79 L-16 a launch that begins anew tells that it can't use the window that was named")
    func namedWindowOfFreshLaunch() throws {
        let window = skeleton.add()
        let plan = try plan(payloads: [Self.links[0]]) {
            $0.behavior = .fresh
            $0.namedTargets = [(Self.links[0], .window(window.id))]
        }
        #expect(connecting(plan).isEmpty && made(plan).map(\.role) == [.windowApplication])
        #expect(findings(plan).map(\.code) == [.targetNotMet])
    }

    @Test("L-12 L-65 in an app of one window the one that takes a payload connects alone")
    func payloadAlone() throws {
        skeleton.add(isFront: true)
        skeleton.add(role: .projector, isFront: true)
        let link = Payload.urls([OpenURLContext(url: "a://b")])
        #expect(connecting(try plan(isSingle: true, payloads: [link])) == ["A", "B"])
        let several = try plan(payloads: [link])
        #expect(connecting(several).filter { $0 == "A" }.count == 1)
    }

    @Test("L-70 L-71 who has conditions of its own is never asked as one without")
    func ownConditions() throws {
        let own = skeleton.add { $0.hasConditions = true }  // A
        skeleton.conditions[own.key] = ActivationConditions(canActivate: .never)
        skeleton.add { $0.flags.privacy = .ephemeral }  // B stands for those without conditions
        skeleton.add()  // C
        let engine = Engine(
            rules: LaunchRules(manifest: .windows(beside: [.projector], isSingle: false)))
        #expect(try engine.choose("x", in: skeleton).record?.identifier == "C")
    }

    @Test(
        "L-13 L-18 S-70 what a request says of the window that it makes, and whom it takes instead")
    func requests() throws {
        skeleton.add { $0.flags.parkedCause = .notKept }  // A
        var rules = LaunchRules(manifest: .windows(beside: [.projector], isSingle: false))
        rules.singleRoles = [.windowApplication]
        let engine = Engine(rules: rules)
        var request = SceneSessionActivationRequest(role: .windowApplication)
        request.staysInBackground = true
        request.configurationName = "Viewer"
        request.privacy = .ephemeral
        func connection() throws -> SceneConnection? {
            for step in try engine.activate(request, in: skeleton) {
                if case .connect(let connection) = step {
                    return connection
                }
            }
            return nil
        }
        var made = try #require(try connection())
        #expect(made.record == nil)
        #expect(made.arrival == .background)
        #expect(made.configurationName == "Viewer")
        #expect(made.privacy == .ephemeral)
        request.staysInBackground = false
        #expect(try connection()?.arrival == .active)
        // One that is open is taken, whatever else was said.
        skeleton.add()  // B
        made = try #require(try connection())
        #expect(made.record?.identifier == "B")
    }

    @Test("L-73 a remembered window connects in the background, if the request says so")
    func behind() throws {
        skeleton.add()  // A
        skeleton.add()  // B
        let engine = Engine(
            rules: LaunchRules(manifest: .windows(beside: [.projector], isSingle: false)))
        for (isBehind, arrival) in [
            (true, LifecycleMachine.Arrival.background), (false, .active),
        ] {
            var request = SceneSessionActivationRequest(session: SceneSession.ID("B"))
            request.staysInBackground = isBehind
            let steps = try engine.activate(request, in: skeleton)
            let arrivals = steps.compactMap { step -> LifecycleMachine.Arrival? in
                if case .connect(let connection) = step { connection.arrival } else { nil }
            }
            #expect(arrivals == [arrival])
        }
    }

    @Test("L-60 an activity that is on its way rides on connect by its type, and follows")
    func announced() throws {
        let engine = Engine(
            rules: LaunchRules(manifest: .windows(beside: [.projector], isSingle: false)))
        let (_, steps) = try engine.receive(
            .announced(type: "com.example.a"), identifier: nil, in: skeleton)
        var found: SceneConnection?
        for step in steps {
            if case .connect(let connection) = step {
                found = connection
            }
        }
        #expect(found?.riding.handoffUserActivityType == "com.example.a")
        #expect(found?.owed == [.announced(type: "com.example.a")])
    }

    @Test(
        "L-65 whose delivery began last is blamed, twice and no earlier, and never after a stable launch"
    )
    func deliveries() throws {
        func item(_ id: Int64, order: Int64, deaths: Int) -> InboxItem {
            var item = InboxItem(
                id: id, payload: .shortcut(ShortcutItem(type: "\(id)")),
                wasOffered: true)
            item.order = order
            item.deaths = deaths
            return item
        }
        skeleton.add(isFront: true)
        skeleton.inbox = [
            item(1, order: 7, deaths: 1), item(2, order: 5, deaths: 1),
            item(3, order: 0, deaths: 1),
        ]
        skeleton.previous = PreviousProcess(end: .running, startedAt: 0)
        func plan() throws -> LaunchPlan {
            try self.plan {
                $0.persistsInbox = true
            }
        }
        var found = try plan()
        #expect(found.judgement.blamedPayload == 1)
        #expect(found.judgement.endedDeliveries == [1, 2])
        #expect(found.payloads.map(\.isSetAside) == [true, false, false])
        #expect(found.waitingPayloads == 2)
        func isTold(_ plan: LaunchPlan) -> Bool {
            plan.steps.contains { step in
                if case .report(let finding) = step {
                    finding.code == .payloadSetAside
                } else {
                    false
                }
            }
        }
        // It is told once: at the launch that sets it aside.
        #expect(isTold(found))
        skeleton.inbox[0].deaths = 2
        #expect(try !isTold(plan()))
        let handed = found.steps.compactMap { step -> [Int]? in
            if case .connect(let connection) = step { connection.payloads } else { nil }
        }
        #expect(handed.flatMap { $0 } == [1, 2])
        skeleton.inbox[0].deaths = 0
        found = try plan()
        #expect(found.payloads.map(\.isSetAside) == [false, false, false])
        #expect(!isTold(found))
        // A clean end ends each delivery: since then a process died that did not come as far as a launch.
        skeleton.inbox[0].deaths = 1
        skeleton.previous = PreviousProcess(end: .clean)
        found = try plan()
        #expect(found.judgement.blamedPayload == 1)
        #expect(found.waitingPayloads == 2)
    }

    @Test(
        "L-65 a payload that waits already is the same one, as it arrived; another date makes another"
    )
    func sameNotification() throws {
        let waiting = NotificationResponse(identifier: "n", date: .init(timeIntervalSince1970: 1))
        skeleton.inbox = [
            InboxItem(
                id: 4, payload: .notification(waiting), wasOffered: true)
        ]
        skeleton.add(isFront: true)
        var again = waiting
        again.userInfo = ["new": 1]
        var later = waiting
        later.date = .init(timeIntervalSince1970: 2)
        let plan = try plan(payloads: [.notification(again), .notification(later)]) {
            $0.persistsInbox = true
        }
        #expect(plan.payloads.map(\.payload) == [.notification(again), .notification(later)])
        #expect(plan.payloads.map(\.item) == [4, nil])
        #expect(plan.judgement.payloads == [.notification(later)])
    }

    @Test(
        "L-65 L-16 each payload chooses its own session, the newest ends in front; fresh takes all")
    func eachItsOwn() throws {
        for name in ["a", "b"] {
            let record = skeleton.add { $0.hasConditions = true }
            skeleton.conditions[record.key] = ActivationConditions(
                canActivate: .never, prefersToActivate: .equals(name))
        }
        func shortcut(_ target: String) -> Payload {
            .shortcut(ShortcutItem(type: "t", targetContentIdentifier: target))
        }
        let payloads = [shortcut("a"), shortcut("b"), shortcut("a")]
        let each = try plan(payloads: payloads)
        #expect(connecting(each) == ["B", "A"])
        #expect(each.target?.record?.identifier == "A")
        let handed = each.steps.compactMap { step -> [Int]? in
            if case .connect(let connection) = step { connection.payloads } else { nil }
        }
        #expect(handed == [[1], [0, 2]])
        let fresh = try plan(payloads: payloads) { $0.behavior = .fresh }
        #expect(fresh.connecting.isEmpty && !fresh.newSessions.isEmpty)
    }
}
