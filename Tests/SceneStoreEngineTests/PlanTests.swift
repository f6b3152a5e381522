import Testing

import SceneStoreEngine
import SceneStoreExchange
import SceneStoreValues

/// The plan alone: what goes in, and the steps that come out.
@Suite("The plan")
struct PlanTests {
    let skeleton = ArraySkeleton()

    private func plan(
        _ manifest: SceneManifest = .windows("Editor", "Viewer"), payloads: [Payload] = [],
        boot: String? = nil, _ change: (inout LaunchRules) -> Void = { _ in }
    ) throws -> LaunchPlan {
        var rules = LaunchRules(manifest: manifest)
        change(&rules)
        return try LaunchPlan(
            skeleton, rules,
            LaunchPlan.Start(
                after: skeleton.previous, bootIdentifier: boot, now: 0, stablePeriod: 10_000),
            payloads: payloads)
    }

    private func callbacks(_ plan: LaunchPlan) -> [String] {
        var rehearsal = Rehearsal(Engine(rules: plan.rules))
        rehearsal.perform(plan.steps, plan)
        return rehearsal.callbacks.map { callback in
            callback.identifier.map { "\(callback.name):\($0)" } ?? callback.name
        }
    }

    private func link(_ url: String = "notes://note/1") -> Payload {
        .urls([OpenURLContext(url: url)])
    }

    @Test("L-01 nothing remembered: the plan asks the provider once")
    func first() throws {
        skeleton.previous = PreviousProcess(end: .never)
        let plan = try plan()
        #expect(plan.start.reason == .first)
        #expect(callbacks(plan) == ["will", "did", "config", "connect", "fg", "active"])
    }

    @Test("L-11 those in front connect, most recently active first, and no other is read")
    func front() throws {
        for name in ["A", "B", "C"] {
            skeleton.add(isFront: name != "C")
        }
        let plan = try plan()
        #expect(
            callbacks(plan) == [
                "will", "did", "connect:A", "restore:A", "fg:A", "active:A", "connect:B",
                "restore:B", "fg:B",
            ])
        #expect(skeleton.wholeReads == 0)
        #expect(plan.verdict(for: skeleton.records[2]).fate == .stays)
    }

    @Test("L-02 of a window and its parent one is planned as active: the one that ends so")
    func family() throws {
        for name in ["A", "B", "C"] {
            skeleton.add(isFront: name != "C")
        }
        skeleton.parents[skeleton.records[0].key] = skeleton.records[1].id
        skeleton.records[1].flags.insert(.hasChildren)
        let fates = try plan()
        #expect(
            skeleton.records.map { fates.verdict(for: $0).fate } == [
                .connects(order: 2, arrival: .active), .connects(order: 1, arrival: .foreground),
                .stays,
            ])
        // A window that is made after one that takes the focus takes it, too.
        let made = try plan(payloads: [link(), link("notes://note/2")]) {
            $0.namedTargets = [
                (link(), .window("C")), (link("notes://note/2"), .new),
            ]
        }
        #expect(made.newSessions.map(made.arrival) == [.active])
        #expect(
            made.verdict(for: skeleton.records[2]).fate
                == .connects(order: 1, arrival: .foreground))
    }

    @Test("L-11 with 1 000 sessions a launch asks for no more than the one that connects")
    func lazy() throws {
        for _ in 0..<60 {
            skeleton.add()
        }
        let plan = try plan(payloads: [link()])
        #expect(plan.connecting.map(\.identifier) == ["A"])
        #expect(skeleton.wholeReads == 0)
    }

    @Test("L-50 judging writes nothing: a stale configuration is told, for each session")
    func update() throws {
        skeleton.add("Old", isFront: true)
        skeleton.add("Old")
        skeleton.add("Gone")
        let plan = try plan { $0.configurationRenames = ["Old": "Viewer"] }
        #expect(plan.judgement.parked.isEmpty)
        let configurations = skeleton.records.map { plan.verdict(for: $0).configuration.name }
        #expect(configurations == ["Viewer", "Viewer", "Editor"])
        let reported = plan.steps.compactMap { step in
            if case .report(let diagnostic) = step { diagnostic.sessionIdentifier } else { nil }
        }
        #expect(reported == ["C"])
    }

    @Test("L-12 with one scene a role all but one are parked, and later launches write nothing")
    func parking() throws {
        for _ in 0..<3 {
            skeleton.add()
        }
        var single = SceneManifest.windows("Editor")
        single.supportsMultipleScenes = false
        let first = try plan(single)
        #expect(first.connecting.map(\.identifier) == ["A"])
        #expect(first.judgement.parked.map(\.key) == [2, 3])
        for key in [1, 2] {
            skeleton.records[key].flags.parkedCause = .oneWindow
        }
        #expect(try plan(single).judgement.parked.isEmpty)
        #expect(try plan().connecting.map(\.identifier) == ["A"])
    }

    @Test("L-16 why a session stays parked that a quit has parked is a sentence")
    func parkedAtQuit() throws {
        skeleton.add(isFront: true)
        skeleton.add()
        skeleton.records[1].flags.parkedCause = .notKept
        let verdict = try plan().verdict(for: skeleton.records[1])
        #expect(verdict.fate == .parked(.notKept))
        #expect(verdict.reason == "the app quit without keeping its windows")
    }

    @Test("L-52 the session that the last process died restoring is withheld, then held")
    func blame() throws {
        for count in 0...2 {
            skeleton.records = []
            let record = skeleton.add(isFront: true, crashCount: count)
            skeleton.previous = PreviousProcess(end: .running, restoring: record.key)
            let plan = try plan()
            let verdict = plan.verdict(for: record)
            #expect(plan.blamed == "A")
            #expect(verdict.restoration == (count < 2 ? .withheld : .held))
            #expect(callbacks(plan).contains("restore:A") == false)
            #expect(callbacks(plan).contains("connect:A") == (count < 2))
            #expect((plan.newSessions.isEmpty) == (count < 2))
        }
    }

    @Test("L-52 a process was stable that lived for the period, or quit, and was restoring nothing")
    func stable() {
        for (end, restoring, lived, isStable) in [
            (.running, nil, 9_999, false), (.running, nil, 10_000, true),
            (.running, 1, 9_999, false), (.running, 1, 10_000, false),
            (.forceQuit, nil, 10_000, true), (.forceQuit, 1, 10_000, false),
            (.clean, nil, 0, true), (.never, nil, 10_000, false),
        ] as [(PreviousProcess.End, Int64?, Int64, Bool)] {
            let previous = PreviousProcess(end: end, restoring: restoring, startedAt: 5)
            #expect(previous.wasStable(now: 5 + lived, stablePeriod: 10_000) == isStable)
        }
    }

    @Test("L-60 the plan says which call carries a payload")
    func payload() throws {
        skeleton.add(isFront: true)
        skeleton.add()
        skeleton.conditions[2] = ActivationConditions(
            canActivate: .always, prefersToActivate: .hasSuffix("/1"))
        skeleton.records[1].hasConditions = true
        let plan = try plan(payloads: [link()])
        var rehearsal = Rehearsal(Engine(rules: plan.rules))
        rehearsal.perform(plan.steps, plan)
        let carrying = rehearsal.callbacks.filter(\.carriesPayload)
        #expect(carrying.map(\.name) == ["connect"])
        #expect(carrying.map(\.identifier) == ["B"])
        #expect(plan.connecting.map(\.identifier) == ["B", "A"])
    }

    @Test("L-14 a restart of the system outranks the way in which the process ended")
    func reasons() throws {
        skeleton.previous = PreviousProcess(end: .clean, number: 3, bootIdentifier: "one")
        #expect(try plan(boot: "two").start.reason == .restore)
        #expect(try plan(boot: "one").start.reason == .launch)
        skeleton.previous.end = .running
        #expect(try plan(boot: "one").start.reason == .recover)
        skeleton.previous.end = .never
        #expect(try plan(boot: "two").start.reason == .first)
    }
}
