#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStoreEngine
import SceneStoreValues

/// The plan where each session has a rival: what is next to a rule does not follow it.
@Suite("The plan among rivals")
struct PlanRivalsTests {
    let skeleton: ArraySkeleton

    init(_ skeleton: ArraySkeleton) {
        self.skeleton = skeleton
    }

    init() {
        self.init(ArraySkeleton())
    }

    private static let projector = SceneSessionRole(rawValue: "projector")

    /// An app with windows and, beside them, one configuration for each of some roles.
    private static func manifest(
        isSingle: Bool = false, roles: [SceneSessionRole] = [projector]
    ) -> SceneManifest {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = !isSingle
        for role in roles {
            var configuration = SceneConfiguration(name: "Editor", role: role)
            configuration.resolution = .manifest
            manifest.configurations[role] = [configuration]
        }
        return manifest
    }

    private func plan(
        isSingle: Bool = false, roles: [SceneSessionRole] = [projector], payloads: [Payload] = [],
        _ change: (inout LaunchRules) -> Void = { _ in }
    ) throws -> LaunchPlan {
        var rules = LaunchRules(manifest: Self.manifest(isSingle: isSingle, roles: roles))
        change(&rules)
        return try LaunchPlan(
            skeleton, rules,
            LaunchPlan.Start(
                after: skeleton.previous, bootIdentifier: nil, now: 0, stablePeriod: 10_000),
            payloads: payloads)
    }

    private func connecting(_ plan: LaunchPlan) -> [String] {
        plan.connecting.map(\.identifier)
    }

    private func parked(_ plan: LaunchPlan) -> [String] {
        plan.judgement.parked.map { key, cause in
            "\(skeleton.record(key: key)?.identifier ?? "") \(cause?.rawValue ?? "free")"
        }
    }

    /// The sessions that a plan makes: their roles, and the places of the payloads that each takes.
    private func made(_ plan: LaunchPlan) -> [(role: SceneSessionRole, payloads: [Int])] {
        plan.steps.compactMap { step in
            guard case .connect(let connection) = step,
                case .new(let role, _) = connection.subject
            else {
                return nil
            }
            return (role, connection.payloads)
        }
    }

    private func findings(_ plan: LaunchPlan) -> [Diagnostic] {
        plan.steps.compactMap { if case .report(let finding) = $0 { finding } else { nil } }
    }

    private static let links = ["a", "b", "c"].map { Payload.urls([OpenURLContext(url: $0)]) }

    @Test("L-79 L-65 each role that the app names for a launch gets a new session of its own")
    func namedRoles() throws {
        let car = SceneSessionRole(rawValue: "car")
        skeleton.add()
        for behavior in [LaunchRules.Behavior.restore, .fresh] {
            let plan = try plan(roles: [Self.projector, car], payloads: Self.links) {
                $0.behavior = behavior
                $0.namedTargets = [
                    (Self.links[0], .role(Self.projector)), (Self.links[1], .role(car)),
                    (Self.links[2], .role(Self.projector)),
                ]
            }
            let made = made(plan)
            #expect(made.prefix(2).map(\.role) == [car, Self.projector], "\(behavior)")
            #expect(made.prefix(2).map(\.payloads) == [[1], [0, 2]], "\(behavior)")
            // The app's own window comes along: the remembered one, or a new one.
            #expect(connecting(plan) == (behavior == .restore ? ["A"] : []))
            #expect(made.count == (behavior == .restore ? 2 : 3))
            #expect(plan.newSessions.map(\.role) == made.map(\.role))
            #expect(plan.newSessions.map(\.order) == Array(1...made.count))
            #expect(findings(plan).isEmpty)
        }
    }

    @Test("L-11 where every window returns, one of the app is in front, whatever was used last")
    func allBehindProjector() throws {
        skeleton.add(role: Self.projector, isFront: true)
        skeleton.add()
        skeleton.add()
        let plan = try plan { $0.reconnection = .all }
        #expect(connecting(plan) == ["A", "B", "C"])
        #expect(plan.behind == [3])
    }

    @Test("L-11 L-79 a new session of another role is never all that a launch shows")
    func namedRoleAlone() throws {
        let plan = try plan(payloads: [Self.links[0]]) {
            $0.namedTargets = [(Self.links[0], .role(Self.projector))]
        }
        #expect(made(plan).map(\.role) == [Self.projector, .windowApplication])
        #expect(made(plan).map(\.payloads) == [[0], []])
        // A launch that shows a list instead makes no window, and displaces none.
        skeleton.add()
        let list = try self.plan(isSingle: true, payloads: [Self.links[0]]) {
            ($0.behavior, $0.makesWindow) = (.fresh, false)
            $0.namedTargets = [(Self.links[0], .role(Self.projector))]
        }
        #expect(made(list).map(\.role) == [Self.projector] && parked(list).isEmpty)
    }

    @Test("L-79 a role that nothing can be shown with is not met, and the reason tells so")
    func namedRoleWithoutConfiguration() throws {
        skeleton.add()
        for behavior in [LaunchRules.Behavior.restore, .fresh] {
            let change = { (rules: inout LaunchRules) in
                rules.behavior = behavior
                rules.namedTargets = [(Self.links[0], .role(Self.projector))]
            }
            let plan = try plan(roles: [], payloads: [Self.links[0]], change)
            #expect(connecting(plan) == (behavior == .restore ? ["A"] : []))
            #expect(made(plan).map(\.role) == (behavior == .restore ? [] : [.windowApplication]))
            #expect(findings(plan).map(\.code) == [.targetNotMet])
            #expect(plan.target?.reason.contains("no configuration") == true)
            let provided = try self.plan(roles: [], payloads: [Self.links[0]]) {
                change(&$0)
                $0.providedRoles = [Self.projector]
            }
            #expect(made(provided).first?.role == Self.projector && findings(provided).isEmpty)
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

    @Test("L-11 as many windows connect as were asked for, the most recent ones")
    func first() throws {
        for _ in 0..<4 {
            skeleton.add()
        }
        #expect(connecting(try plan { $0.reconnection = .first(2) }) == ["A", "B"])
        #expect(connecting(try plan { $0.reconnection = .first(4) }).count == 4)
        #expect(connecting(try plan { $0.reconnection = .all }).count == 4)
        for count in [0, -1] {
            let none = try plan { $0.reconnection = .first(count) }
            #expect(none.connecting.isEmpty && !none.newSessions.isEmpty)
        }
    }

    @Test(
        "L-11 S-40 where nothing was in front, the window that was active last says why it is back")
    func activeLast() throws {
        let last = skeleton.add()
        skeleton.add()
        let closed = skeleton.add { $0.isOpen = false }
        let plan = try plan()
        #expect(connecting(plan) == [last.identifier])
        #expect(plan.verdict(for: last).reason == "nothing was in front; it was active last")
        #expect(plan.verdict(for: closed).fate == .discarded)
    }

    @Test("L-02 the first window of each role that comes back in front is the active one")
    func activeOfEachRole() throws {
        let projector = SceneSessionRole(rawValue: "projector")
        let roles: [SceneSessionRole] = [
            .windowApplication, projector, projector, .windowApplication,
        ]
        let windows = roles.map { skeleton.add(role: $0, isFront: true) }
        let plan = try plan()
        let arrivals = windows.map { window -> LifecycleMachine.Arrival? in
            guard case .connects(_, let arrival) = plan.verdict(for: window).fate else {
                return nil
            }
            return arrival
        }
        #expect(arrivals == [.active, .active, .foreground, .foreground])
    }

    @Test("L-44 S-40 a window that is not to be remembered neither comes back nor is expected")
    func notRemembered() throws {
        skeleton.add(isFront: true) { $0.isRestorationEnabled = false }
        skeleton.add(isFront: true) { $0.isRestorationEnabled = false }
        skeleton.add(isFront: true)
        let plan = try plan()
        #expect(connecting(plan) == ["C"])
        #expect(plan.expected == 1)
        #expect(!plan.hasCrashCounts)
    }

    @Test("L-52 only an open session is blamed, and a launch knows that processes died")
    func blamed() throws {
        skeleton.add(isFront: true)
        let gone = skeleton.add(isFront: true) { $0.isOpen = false }
        skeleton.previous = PreviousProcess(end: .running, restoring: gone.key)
        #expect(try plan().blamed == nil)
        skeleton.previous = PreviousProcess(end: .clean)
        #expect(try !plan().hasCrashCounts)
        skeleton.add(crashCount: 1)
        #expect(try plan().hasCrashCounts)
        // As asked, too.
        skeleton.previous = PreviousProcess(end: .running, restoring: 1)
        for (reason, blamed) in [
            (LaunchReason.launch, nil), (.recover, "A"), (.restore, "A"),
        ] as [(LaunchReason, String?)] {
            let start = LaunchPlan.Start(
                after: skeleton.previous, asked: reason, bootIdentifier: nil, now: 0,
                stablePeriod: 10_000)
            let plan = try LaunchPlan(skeleton, LaunchRules(manifest: Self.manifest()), start)
            #expect(plan.blamed?.rawValue == blamed)
        }
    }

    @Test("L-12 of each role one of two is parked, however many sessions there are")
    func oneTooMany() throws {
        let roles = (0..<9).map { SceneSessionRole(rawValue: "role-\($0)") }
        for role in roles {
            skeleton.add(role: role)
            skeleton.add(role: role)
        }
        #expect(try plan(isSingle: true, roles: roles).judgement.parked.count == 9)
    }

    @Test("L-18 among many sessions the one that is left alone is parked no longer")
    func leftAlone() throws {
        let roles = (0..<64).map { SceneSessionRole(rawValue: "role-\($0)") }
        for (place, role) in roles.enumerated() {
            skeleton.add(role: role) { $0.flags.parkedCause = place == 7 ? .oneWindow : nil }
        }
        #expect(parked(try plan(isSingle: true, roles: roles)) == ["H free"])
    }

    @Test("L-18 where several windows fit, a launch ends what it parked, and asks for nothing else")
    func endedParkings() throws {
        skeleton.add(isFront: true)
        skeleton.add { $0.flags.parkedCause = .oneWindow }  // B
        skeleton.add { $0.flags.parkedCause = .displaced }  // C
        skeleton.add { $0.flags.parkedCause = .noEntry }  // D
        skeleton.add { $0.flags.parkedCause = .notKept }  // E
        #expect(parked(try plan()) == ["B free", "C free", "D free"])
        #expect(skeleton.wholeReads == 0)
    }

    @Test("L-18 what the app did not keep, or another displaced, keeps its cause without an entry")
    func causesWithoutEntry() throws {
        let role = SceneSessionRole.carTemplateApplication
        skeleton.add(isFront: true)
        skeleton.add(role: role) { $0.flags.parkedCause = .notKept }  // B
        skeleton.add(role: role) { $0.flags.parkedCause = .displaced }  // C
        #expect(parked(try plan(isSingle: true)).isEmpty)
        // Several windows end what displaced one.
        #expect(parked(try plan()) == ["C no-entry"])
    }

    @Test("L-12 L-65 in an app of one window the one that takes a payload connects alone")
    func payloadAlone() throws {
        skeleton.add(isFront: true)
        skeleton.add(role: Self.projector, isFront: true)
        let link = Payload.urls([OpenURLContext(url: "a://b")])
        #expect(connecting(try plan(isSingle: true, payloads: [link])) == ["A", "B"])
        let several = try plan(payloads: [link])
        #expect(connecting(several).filter { $0 == "A" }.count == 1)
    }

    @Test("L-11 a projector alone is never all that comes back: the app gets a new window")
    func projectorAlone() throws {
        skeleton.add(role: Self.projector, isFront: true)
        for reconnection in [LaunchRules.Reconnection.foreground, .all, .first(1)] {
            let plan = try plan { $0.reconnection = reconnection }
            #expect(connecting(plan) == ["A"])
            #expect(plan.newSessions.first?.role == .windowApplication)
        }
        // A window of the app that is remembered comes along instead.
        skeleton.add()
        let plan = try plan()
        #expect(connecting(plan) == ["A", "B"])
        #expect(plan.newSessions.isEmpty)
    }

    @Test("L-12 L-18 the window that was displaced returns after every other, and never expires")
    func displaced() throws {
        skeleton.add { $0.flags.parkedCause = .displaced }  // A, the most recent one
        skeleton.add()  // B
        skeleton.tooLong = [1, 2]
        let plan = try plan(isSingle: true)
        #expect(connecting(plan) == ["B"])
        #expect(plan.judgement.expired.isEmpty)
        #expect(plan.discards.isEmpty)
        // Where all were displaced the most recent one returns.
        let alone = ArraySkeleton()
        for _ in 0..<2 {
            alone.add { $0.flags.parkedCause = .displaced }
        }
        #expect(connecting(try PlanRivalsTests(alone).plan(isSingle: true)) == ["A"])
    }

    @Test("L-50 a name that nobody knew is known after an update; a class's name goes on under it")
    func updates() {
        var manifest = Self.manifest()
        manifest.configurations[.windowApplication]?[0].delegateClassName = "App.New"
        var rules = LaunchRules(manifest: manifest)
        func remembered(
            _ name: String, _ className: String?, _ resolution: SceneConfiguration.Resolution
        ) -> ConfigurationResolver.Update {
            var configuration = SceneConfiguration(name: name, role: .windowApplication)
            configuration.delegateClassName = className
            configuration.resolution = resolution
            return rules.update(of: configuration)
        }
        func name(_ update: ConfigurationResolver.Update) -> String? {
            if case .replaced(let found) = update {
                return "\(found.name ?? "") \(found.delegateClassName ?? "")"
            }
            return nil
        }
        #expect(name(remembered("Editor", nil, .unresolved)) == "Editor App.New")
        #expect(remembered("Other", nil, .unresolved) == .current)
        #expect(remembered("Editor", nil, .application) == .current)
        // The class of before is gone; the entry of its name has another, which is there.
        rules.delegateClasses.insert("App.New")
        #expect(name(remembered("Editor", "App.Old", .manifest)) == "Editor App.New")
        #expect(remembered("Editor", "App.New", .manifest) == .current)
        // A class as a manifest names it is found by its last part, and by nothing less.
        for (text, isThere) in [
            ("$(PRODUCT_MODULE_NAME).New", true), ("$(A).B.New", true), ("$(A).Newer", false),
            ("$(A).ew", false), ("Other.New", false), ("$", false),
        ] {
            #expect(rules.delegateClasses.contains(text) == isThere, "\(text)")
        }
        #expect(rules.delegateClasses.registeredName(for: "$(M).New") == "App.New")
    }

    @Test("L-18 S-40 what was parked too long goes, is told and is not expected; the rest stays")
    func expired() throws {
        for cause in [ParkedCause.noEntry, .noEntry, .notKept] {
            skeleton.add(role: SceneSessionRole(rawValue: "gone")) { $0.flags.parkedCause = cause }
        }
        skeleton.add(isFront: true)
        skeleton.tooLong = [1, 3]
        let plan = try plan()
        #expect(plan.judgement.expired == [1])
        #expect(plan.judgement.told == [1])
        #expect(plan.discards.map(\.identifier) == ["A"])
        #expect(plan.expected == 4)
        #expect(connecting(plan) == ["D"])
    }

    @Test("L-52 held, offered again once for each version, and withheld for a death alone")
    func offering() {
        func record(_ change: (inout SessionRecord) -> Void) -> SessionRecord {
            let skeleton = ArraySkeleton()
            var pins = SessionPins()
            return skeleton.add(crashCount: 3) {
                $0.hasState = true
                $0.flags.blame(slot: 0, &pins)
                change(&$0)
            }
        }
        var rules = LaunchRules(manifest: Self.manifest())
        rules.appVersion = "2"
        #expect(rules.isHeld(record { _ in }))
        // Offered again, or saved since.
        #expect(!rules.isHeld(record { $0.flags.remove(.withheld) }))
        #expect(
            rules.isHeld(
                record {
                    $0.hasState = false
                    $0.flags.remove(.withheld)
                }))
        #expect(!rules.isHeld(record { $0.crashCount = 2 }))
        // After a stable launch once, and once more under another version.
        rules.previousWasStable = true
        #expect(!rules.isHeld(record { _ in }))
        let offered = record {
            $0.flags.insert(.offeredAgain)
            $0.flags.versionTag = SessionFlags.versionTag(of: "2")
        }
        #expect(rules.isHeld(offered))
        rules.appVersion = "3"
        #expect(!rules.isHeld(offered))
        // What could not be restored is no death's doing.
        rules.previousWasStable = false
        for (reason, status) in [
            (WithheldReason.crash, RestorationStatus.withheld), (.lost, .withheld),
            (.failed, .available), (.declined, .available),
        ] {
            var pins = SessionPins()
            let withheld = record {
                $0.crashCount = 0
                $0.flags.withhold(reason, slot: 0, &pins)
            }
            #expect(rules.restoration(of: withheld) == status)
        }
    }

    @Test("L-70 L-71 who has conditions of its own is never asked as one without")
    func ownConditions() throws {
        let own = skeleton.add { $0.hasConditions = true }  // A
        skeleton.conditions[own.key] = ActivationConditions(canActivate: .never)
        skeleton.add { $0.privacy = .ephemeral }  // B stands for those without conditions
        skeleton.add()  // C
        let engine = Engine(rules: LaunchRules(manifest: Self.manifest()))
        #expect(try engine.choose("x", in: skeleton).record?.identifier == "C")
    }

    @Test(
        "L-13 L-18 S-70 what a request says of the window that it makes, and whom it takes instead")
    func requests() throws {
        skeleton.add { $0.flags.parkedCause = .notKept }  // A
        var rules = LaunchRules(manifest: Self.manifest())
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

    @Test("L-60 an activity that is on its way rides on connect by its type, and follows")
    func announced() throws {
        let engine = Engine(rules: LaunchRules(manifest: Self.manifest()))
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
                id: id, payload: .shortcut(ShortcutItem(type: "\(id)")), sessionIdentifier: nil,
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
                $0.readsInbox = true
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
        skeleton.inbox[0].deaths = 1
        skeleton.previous = PreviousProcess(end: .clean)
        found = try plan()
        #expect(found.judgement.blamedPayload == nil)
        #expect(found.waitingPayloads == 3)
    }

    @Test(
        "L-65 a payload that waits already is the same one, as it arrived; another date makes another"
    )
    func sameNotification() throws {
        let waiting = NotificationResponse(identifier: "n", date: .init(timeIntervalSince1970: 1))
        skeleton.inbox = [
            InboxItem(
                id: 4, payload: .notification(waiting), sessionIdentifier: nil, wasOffered: true)
        ]
        skeleton.add(isFront: true)
        var again = waiting
        again.userInfo = ["new": 1]
        var later = waiting
        later.date = .init(timeIntervalSince1970: 2)
        let plan = try plan(payloads: [.notification(again), .notification(later)]) {
            $0.persistsInbox = true
            $0.readsInbox = true
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
