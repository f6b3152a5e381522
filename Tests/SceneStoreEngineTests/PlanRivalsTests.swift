#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Testing

import SceneStoreEngine
import SceneStoreExchange
import SceneStoreValues

/// The plan where each session has a rival: what is next to a rule does not follow it.
@Suite("The plan among rivals")
struct PlanRivalsTests: PlanningTests {
    let skeleton: ArraySkeleton

    init(_ skeleton: ArraySkeleton) {
        self.skeleton = skeleton
    }

    init() {
        self.init(ArraySkeleton())
    }

    @Test("L-11 where every window returns, one of the app is in front, whatever was used last")
    func allBehindProjector() throws {
        skeleton.add(role: .projector, isFront: true)
        skeleton.add()
        skeleton.add()
        let plan = try plan { $0.reconnection = .all }
        #expect(connecting(plan) == ["A", "B", "C"])
        #expect(plan.judgement.behind == [3])
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

    @Test(
        "L-49 a window that comes back because it was active last brings along what belongs to it")
    func childrenOfActiveLast() throws {
        skeleton.add { $0.flags.insert(.hasChildren) }  // A
        skeleton.add()  // B
        skeleton.add()  // C
        skeleton.parents[3] = SceneSession.ID("A")
        let plan = try plan()
        #expect(connecting(plan) == ["A", "C"])
        #expect(plan.verdict(for: skeleton.records[2]).connects)
        #expect(!plan.verdict(for: skeleton.records[1]).connects)
    }

    @Test("L-49 L-52 what belongs to a window that is held back stays away with it")
    func childrenOfHeld() throws {
        skeleton.add(isFront: true) { $0.flags.insert(.hasChildren) }  // A
        skeleton.add { $0.flags.insert(.hasChildren) }  // B
        skeleton.add()  // C
        skeleton.parents = [2: SceneSession.ID("A"), 3: SceneSession.ID("B")]
        #expect(connecting(try plan()) == ["A", "B", "C"])
        skeleton.records[1].flags[.held] = true
        #expect(connecting(try plan()) == ["A"])
        #expect(connecting(try plan(payloads: [Self.links[0]])) == ["A"])
    }

    @Test("L-02 the first window of each role that comes back in front is the active one")
    func activeOfEachRole() throws {
        let projector = SceneSessionRole.projector
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
        skeleton.add(isFront: true) { $0.flags[.notRemembered] = true }
        skeleton.add(isFront: true) { $0.flags[.notRemembered] = true }
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
            let plan = try LaunchPlan(
                skeleton, LaunchRules(manifest: .windows(beside: [.projector], isSingle: false)),
                start)
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

    @Test("L-11 a projector alone is never all that comes back: the app gets a new window")
    func projectorAlone() throws {
        skeleton.add(role: .projector, isFront: true)
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

    @Test("L-50 a window made after two renames knows both earlier names, the last one first")
    func formerNames() {
        var rules = LaunchRules()
        rules.configurationRenames = ["Draft": "Note", "Note": "Page", "Car": "Dashboard"]
        let made = SceneConfiguration(name: "Page", role: .windowApplication)
        #expect(rules.formerNames(of: made) == ["Note", "Draft"])
    }

    @Test("L-11 L-48 what was left behind returns by itself only where nothing took its place")
    func leftBehind() throws {
        // A, the most recent one, and B
        skeleton.add(isFront: true) { $0.flags.parkedCause = .leftBehind }
        let behind = skeleton.add(isFront: true) { $0.flags.parkedCause = .leftBehind }
        skeleton.add()  // C, which no process had lately
        for reconnection in [LaunchRules.Reconnection.foreground, .all, .first(2)] {
            #expect(connecting(try plan { $0.reconnection = reconnection }) == ["A", "B"])
        }
        skeleton.add(isFront: true)  // D
        for reconnection in [LaunchRules.Reconnection.foreground, .all, .first(2)] {
            let plan = try plan { $0.reconnection = reconnection }
            let expected = reconnection == .foreground ? ["D"] : ["C", "D"]
            #expect(connecting(plan) == expected)
            #expect(plan.verdict(for: behind).fate == .stays)
            #expect(plan.verdict(for: behind).reason.hasPrefix(ParkedCause.leftBehind.reason))
        }
    }

    @Test("L-12 L-18 what was displaced returns after every other, and expires unless it returns")
    func displaced() throws {
        skeleton.add { $0.flags.parkedCause = .displaced }  // A, the most recent one
        skeleton.add()  // B
        skeleton.tooLong = [1, 2]
        let plan = try plan(isSingle: true)
        #expect(connecting(plan) == ["B"])
        #expect(plan.discards.map(\.identifier) == ["A"])
        #expect(plan.discards.map(\.cause) == [.expired])
        // One that comes back at the next launch that restores stays, from the launch on that says so.
        let kept = ArraySkeleton()
        for _ in 0..<2 {
            kept.add { $0.flags.parkedCause = .displaced }
        }
        kept.tooLong = [1, 2]
        let fresh = try PlanRivalsTests(kept).plan(isSingle: true) { $0.behavior = .fresh }
        #expect(fresh.judgement.returning == [1])
        #expect(fresh.discards.map(\.identifier) == ["B"])
        // Where all were displaced the most recent one returns.
        let alone = ArraySkeleton()
        for _ in 0..<2 {
            alone.add { $0.flags.parkedCause = .displaced }
        }
        #expect(connecting(try PlanRivalsTests(alone).plan(isSingle: true)) == ["A"])
    }

    @Test("L-50 a name that nobody knew is known after an update; a class's name goes on under it")
    func updates() {
        var manifest = SceneManifest.windows(beside: [.projector], isSingle: false)
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
        #expect(plan.judgement.expired.map(\.key) == [1])
        #expect(plan.judgement.told == [1])
        #expect(plan.discards.map(\.identifier) == ["A"])
        #expect(plan.expected == 4)
        #expect(connecting(plan) == ["D"])
    }

    /// What the ledger will say of the sessions that the plan counts.
    private func ledger(_ plan: LaunchPlan) -> [String] {
        plan.steps.compactMap { step in
            guard case .note(let outcome, let session, let reason) = step else {
                return nil
            }
            return "\(session) \(outcome): \(reason)"
        }
    }

    @Test("S-40 L-18 what is held or parked is counted once, held before parked, wherever it was")
    func keptBack() throws {
        skeleton.add(isFront: true)
        skeleton.add(isFront: true) { $0.flags.insert(.held) }
        skeleton.add { $0.flags.insert(.held) }
        skeleton.add { $0.flags.parkedCause = .notKept }
        skeleton.add {
            $0.flags.parkedCause = .notKept
            $0.flags.insert(.held)
        }
        skeleton.add { $0.flags.insert([.held, .notRemembered]) }
        for isHeld in [false, true] {
            skeleton.add(role: SceneSessionRole(rawValue: "gone")) {
                $0.flags.parkedCause = .noEntry
                if isHeld {
                    $0.flags.insert(.held)
                }
            }
        }
        skeleton.add()
        let plan = try plan()
        let byHand = "it is held by hand"
        #expect(
            ledger(plan).sorted() == [
                "B held: \(byHand)", "C held: \(byHand)",
                "D parked: the app quit without keeping its windows", "E held: \(byHand)",
                "G parked: the manifest has no configuration for its role", "H held: \(byHand)",
            ])
        #expect(connecting(plan) == ["A"])
        #expect(plan.expected == 8)
    }

    @Test("L-52 S-40 a held session is reported, also where a payload comes for another window")
    func heldBesidePayload() throws {
        let held = skeleton.add { $0.flags.insert(.held) }
        skeleton.add()
        let links: [[Payload]] = [[], [.urls([OpenURLContext(url: "app://a")])]]
        for payloads in links {
            let plan = try plan(payloads: payloads)
            let reported = plan.steps.compactMap { step -> Diagnostic? in
                if case .report(let diagnostic) = step { diagnostic } else { nil }
            }
            #expect(reported.map(\.code) == [.sessionHeld])
            #expect(reported.map(\.sessionIdentifier) == [held.id])
            #expect(connecting(plan) == ["B"])
        }
    }

    @Test("S-40 L-12 L-18 the sessions that one scene displaces are parked in the ledger, at once")
    func surplus() throws {
        for _ in 0..<3 {
            skeleton.add(isFront: true)
        }
        let plan = try plan(isSingle: true)
        #expect(ledger(plan).map { String($0.prefix(8)) } == ["B parked", "C parked"])
        skeleton.add { $0.flags.parkedCause = .oneWindow }
        #expect(ledger(try self.plan()).isEmpty)
    }

    @Test("L-09 S-40 only what is held or parked keeps a launch from being bare")
    func bare() throws {
        skeleton.add(role: SceneSessionRole(rawValue: "gone")) { $0.flags.parkedCause = .noEntry }
        #expect(try !plan().isBare)
        skeleton.tooLong = [1]
        #expect(try plan().isBare)
        skeleton.add(crashCount: 1)
        #expect(try plan { $0.behavior = .fresh }.isBare)
        skeleton.add { $0.flags.insert(.held) }
        #expect(try !plan { $0.behavior = .fresh }.isBare)
    }

    @Test("L-18 parkings whose cause is gone end among 64 and 65 open sessions alike")
    func endsAmongMany() throws {
        skeleton.add { $0.flags.parkedCause = .oneWindow }
        for _ in 1..<65 {
            skeleton.add()
        }
        #expect(try plan().judgement.parked.map(\.key) == [1])
        #expect(skeleton.wholeReads == 0)
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
        var rules = LaunchRules(manifest: .windows(beside: [.projector], isSingle: false))
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
        }
        rules.offeredVersions[offered.key] = "2"
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
            let told = rules.decision(.withheld, of: withheld, hasState: true).reason
            #expect((told == RestorationStatus.lostState) == (reason == .lost))
        }
    }
}
