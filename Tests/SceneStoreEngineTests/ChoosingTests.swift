import Testing

import SceneStoreEngine
import SceneStoreExchange
import SceneStoreValues

/// The choice of a session where there are two of everything: each rule has a rival that breaks it.
@Suite("Choosing among several")
struct ChoosingTests {
    let skeleton = ArraySkeleton()

    /// The rules of an app with windows and projectors.
    func engine(
        isSingle: Bool = false, beside role: SceneSessionRole = .projector,
        preferred: SceneSessionRole? = nil, _ change: (inout LaunchRules) -> Void = { _ in }
    ) -> Engine {
        var manifest = SceneManifest.windows("Editor")
        manifest.supportsMultipleScenes = !isSingle
        manifest.preferredDefaultRole = preferred
        var configuration = SceneConfiguration(name: "Editor", role: role)
        configuration.resolution = .manifest
        manifest.configurations[role] = [configuration]
        var rules = LaunchRules(manifest: manifest)
        change(&rules)
        return Engine(rules: rules)
    }

    /// Adds a session with conditions.
    @discardableResult
    func add(
        prefers: ActivationConditions.Rule = .never, can: ActivationConditions.Rule = .always,
        role: SceneSessionRole = .windowApplication,
        _ change: (inout SessionRecord) -> Void = { _ in }
    ) -> SessionRecord {
        let record = skeleton.add(role: role) {
            $0.hasConditions = true
            change(&$0)
        }
        skeleton.conditions[record.key] = ActivationConditions(
            canActivate: can, prefersToActivate: prefers)
        return record
    }

    private func target(_ steps: [PlanStep]) -> String? {
        for step in steps {
            switch step {
            case .connect(let connection): return connection.record?.identifier ?? "new"
            case .bringForward(let record, _): return record.identifier
            default: continue
            }
        }
        return nil
    }

    @Test("L-73 of two that prefer the target, the one of the asked role is taken, then the later")
    func requestByRole() throws {
        add(prefers: .equals("x"), role: .projector)  // A, the most recent of all
        add(prefers: .equals("x")) { $0.flags.parkedCause = .notKept }  // B
        add(prefers: .equals("y"))  // C
        add(prefers: .equals("x"))  // D
        add(prefers: .equals("x"))  // E
        var request = SceneSessionActivationRequest(role: .windowApplication)
        request.userActivity = UserActivity(checkedType: "com.example.a")
        request.userActivity?.targetContentIdentifier = "x"
        #expect(target(try engine().activate(request, in: skeleton)) == "D")
        request.role = .projector
        #expect(target(try engine().activate(request, in: skeleton)) == "A")
        // Without an identifier a window is made, whatever prefers all of them.
        add(prefers: .always)
        request.role = .windowApplication
        request.userActivity?.targetContentIdentifier = nil
        #expect(target(try engine().activate(request, in: skeleton)) == "new")
    }

    @Test(
        "L-70 a session that prefers the target is before those that can show it, the later first")
    func preferring() throws {
        add()  // A
        add(prefers: .equals("x"), can: .never)  // B
        add(prefers: .equals("x"))  // C
        skeleton.add()  // D, without conditions
        #expect(try engine().choose("x", in: skeleton).record?.identifier == "B")
        #expect(try engine().choose("y", in: skeleton).record?.identifier == "A")
        #expect(
            try engine().choose("x", in: skeleton) { $0.identifier != "B" }.record?.identifier
                == "C")
        #expect(
            try engine().choose("y", in: skeleton) { $0.identifier != "A" }.record?.identifier
                == "C")
    }

    @Test("L-70 L-78 the session that stands for all without conditions is one that may take it")
    func plainOnes() throws {
        skeleton.add { $0.flags.privacy = .ephemeral }  // A
        skeleton.add(role: .projector)  // B
        skeleton.add { $0.flags.parkedCause = .notKept }  // C
        skeleton.add(isFront: true, crashCount: 3)  // D, held
        let plain = skeleton.add()  // E
        skeleton.add()  // F
        #expect(try engine().choose("x", in: skeleton).record?.key == plain.key)
        #expect(
            try engine().choose("x", in: skeleton) { $0.key != plain.key }.record?.identifier
                == "F")
        #expect(try engine().choose("x", in: skeleton) { $0.key < plain.key }.record == nil)
    }

    @Test("L-70 of sessions that were active at once the first by identifier takes a link")
    func takenOfTies() throws {
        for _ in 0..<3 {
            add(prefers: .equals("x")) { $0.recency = 50 }
        }
        let taken = try engine().choose("x", in: skeleton)
        #expect(taken.record?.identifier == "A" && taken.rule == .prefers)
        #expect(try engine().choose("y", in: skeleton).record?.identifier == "A")
    }

    @Test("L-78 a private session and one of another role are asked whether they prefer it")
    func asked() throws {
        add(prefers: .equals("x"), can: .always) { $0.flags.privacy = .ephemeral }  // A
        add(prefers: .equals("y"), can: .always, role: .projector)  // B
        skeleton.add()  // C
        for (identifier, expected) in [("x", "A"), ("y", "B"), ("z", "C")] {
            let chosen = try engine().choose(identifier, in: skeleton).record?.identifier
            #expect(chosen == expected)
        }
    }

    @Test("L-70 L-78 of private sessions and other roles a preview lists who prefers the target")
    func candidates() throws {
        add(prefers: .equals("x"), can: .always) { $0.flags.privacy = .ephemeral }  // A
        add(prefers: .equals("x"), can: .always, role: .projector)  // B
        skeleton.add()  // C
        let engine = engine()
        for (identifier, expected) in [("x", "ABC"), ("y", "C")] {
            let candidates = try engine.candidates(identifier, in: skeleton)
            #expect(candidates.map(\.record.identifier).sorted().joined() == expected)
            #expect(candidates.allSatisfy { $0.prefers == ($0.record.identifier != "C") })
        }
    }

    @Test(
        "L-78 a projector or a car display takes the link that it prefers, and no other",
        arguments: SceneSessionRole.known.filter { $0 != .windowApplication })
    func knownRoles(_ role: SceneSessionRole) throws {
        add(prefers: .equals("x"), role: role)  // A
        add(prefers: .equals("y"), role: role)  // B
        #expect(try engine(beside: role).choose("z", in: skeleton).record == nil)
        skeleton.add()  // C
        for (identifier, expected) in [("x", "A"), ("y", "B"), ("z", "C")] {
            let target = try engine(beside: role).choose(identifier, in: skeleton)
            #expect(target.record?.identifier == expected)
            #expect(target.rule == (expected == "C" ? .can : .prefers))
        }
        // In an app whose own role it is, it is like any window, also where it is the only one.
        for isSingle in [false, true] {
            let engine = engine(isSingle: isSingle, beside: role, preferred: role)
            #expect(try engine.choose("z", in: skeleton).record?.identifier == "A")
        }
    }

    @Test(
        "L-70 L-12 in an app of one window its own session takes the link, the connected one first")
    func oneWindow() throws {
        skeleton.add(role: .projector)  // A
        skeleton.add()  // B
        let connected = skeleton.add()  // C
        var engine = engine(isSingle: true)
        #expect(try engine.choose("x", in: skeleton).record?.identifier == "B")
        _ = engine.machine.connect(connected.key, arrival: .active)
        #expect(try engine.choose("x", in: skeleton).record?.identifier == "C")
        #expect(try engine.choose("x", in: skeleton) { $0.key == 1 }.record == nil)
    }

    @Test(
        "L-11 L-52 L-70 a window in front counts as used if another one of its role was used later")
    func overtaken() throws {
        let held = skeleton.add()  // A, used last
        let front = skeleton.add()  // B
        let projected = skeleton.add(role: .projector)  // C
        skeleton.records[0].recency = 10
        skeleton.records[0].flags.insert(.held)
        var engine = engine()
        #expect(try engine.overtaken(in: skeleton).isEmpty)
        for record in [projected, front] {
            _ = engine.machine.connect(
                record.key, role: record.configuration.role, arrival: .active,
                recency: record.recency)
        }
        // B has the focus.
        #expect(try engine.overtaken(in: skeleton).isEmpty)
        skeleton.records[0].recency = 200
        #expect(try engine.overtaken(in: skeleton) == [front.key])
        _ = engine.machine.turn(to: projected.key)
        #expect(try engine.overtaken(in: skeleton) == [front.key, projected.key])
        skeleton.records[0].flags.remove(.held)
        #expect(try engine.overtaken(in: skeleton) == [front.key, projected.key])
        _ = engine.machine.connect(held.key, arrival: .background)
        #expect(try engine.overtaken(in: skeleton) == [front.key, projected.key])
        skeleton.records[0].recency = 10
        #expect(try engine.overtaken(in: skeleton).isEmpty)
    }

    @Test("L-79 a named window takes a payload if it is there, not parked and not held")
    func named() throws {
        skeleton.add { $0.flags.parkedCause = .notKept }  // A
        let held = skeleton.add(crashCount: 3)  // B
        skeleton.add(role: .projector)  // C
        skeleton.add()  // D
        skeleton.add()  // E
        var engine = engine()
        func receive(_ target: PayloadTarget) throws -> (String?, Bool) {
            let steps = try engine.receive(
                .incoming(.urls([])), identifier: nil, named: target, in: skeleton
            ).steps
            let isTold = steps.contains {
                if case .report(let finding) = $0 { finding.code == .targetNotMet } else { false }
            }
            return (self.target(steps), isTold)
        }
        #expect(try receive(.window(SceneSession.ID("E"))) == ("E", false))
        for name in ["A", "B", "nobody"] {
            // As without a name: the most recent that can.
            #expect(try receive(.window(SceneSession.ID(name))) == ("D", true), "\(name)")
        }
        #expect(try receive(.role(.windowApplication)) == ("D", false))
        #expect(try receive(.role(.projector)) == ("C", false))
        // A role that nothing can be shown with is not met.
        let elsewhere = SceneSessionRole(rawValue: "elsewhere")
        #expect(try receive(.role(elsewhere)) == ("D", true))
        engine.rules.providedRoles = [elsewhere]
        #expect(try receive(.role(elsewhere)) == ("new", false))
        // A held window that is connected takes it.
        _ = engine.machine.connect(held.key, arrival: .background)
        #expect(try receive(.window(SceneSession.ID("B"))) == ("B", false))
    }

    @Test("L-12 L-18 only a session of the role that is not parked has the only place")
    func room() throws {
        let engine = engine(isSingle: true)
        skeleton.add { $0.flags.parkedCause = .displaced }
        skeleton.add(role: .projector)
        #expect(throws: Never.self) {
            try engine.requireRoom(for: .windowApplication, in: skeleton)
        }
        #expect(throws: SceneStoreError(.multipleScenesNotSupported, "")) {
            try engine.requireRoom(for: .projector, in: skeleton)
        }
        skeleton.add()
        #expect(throws: SceneStoreError(.multipleScenesNotSupported, "")) {
            try engine.requireRoom(for: .windowApplication, in: skeleton)
        }
    }

    @Test("L-18 a parked session is not activated, one that was not kept is, if its place is free")
    func activatingParked() throws {
        var engine = engine(isSingle: true)
        let oneWindow = skeleton.add { $0.flags.parkedCause = .oneWindow }
        let notKept = skeleton.add { $0.flags.parkedCause = .notKept }
        func activate(_ record: SessionRecord) throws -> String? {
            target(try engine.bringForward(record, nil, in: skeleton))
        }
        #expect(throws: SceneStoreError(.multipleScenesNotSupported, "")) {
            try activate(oneWindow)
        }
        #expect(try activate(notKept) == "B")
        // A projector is in nobody's way, another window is.
        _ = engine.machine.connect(90, role: .projector, arrival: .active)
        #expect(try activate(notKept) == "B")
        _ = engine.machine.connect(91, arrival: .background)
        #expect(throws: SceneStoreError(.multipleScenesNotSupported, "")) { try activate(notKept) }
    }

    @Test("L-18 the displaced session comes back when the last one that has its place goes")
    func freed() throws {
        func freed(_ identifiers: SceneSession.ID...) throws -> String? {
            let steps = try engine(isSingle: true).discard(
                identifiers, cause: .user, in: skeleton)
            for step in steps {
                if case .discard(_, _, let freeing) = step {
                    #expect(freeing.count < 2)
                    return freeing.first?.identifier
                }
            }
            return nil
        }
        skeleton.add()  // A
        #expect(try freed("A") == nil)
        skeleton.add { $0.flags.parkedCause = .oneWindow }  // B
        skeleton.add { $0.flags.parkedCause = .displaced }  // C
        skeleton.add { $0.flags.parkedCause = .displaced }  // D
        skeleton.add(role: .projector)  // E
        #expect(try freed("A") == "C")
        #expect(try freed("C") == nil)
        // In one action with the one that was to follow it.
        #expect(try freed("A", "C") == "D")
        #expect(try freed("C", "D") == nil)
        #expect(try freed("A", "C", "D") == "B")
        skeleton.add()  // F has the place, too
        #expect(try freed("A") == nil)
    }

    @Test("L-87 L-76 of two windows of an equal value the later one of the role comes forward")
    func sameValue() throws {
        skeleton.add(role: .projector)  // A
        skeleton.add { $0.flags.parkedCause = .notKept }  // B
        skeleton.add()  // C
        skeleton.add()  // D
        skeleton.presenting = skeleton.records.reversed()
        var request = SceneSessionActivationRequest(role: .windowApplication)
        request.presentedValue = 1
        let steps = try engine().activate(request, in: skeleton)
        #expect(target(steps) == "C")
        let other = skeleton
        other.presenting = []
        request.presentedValue = 2
        let new = try engine().activate(request, in: other)
        #expect(
            new.contains {
                if case .decide(let decision) = $0 {
                    decision.kind == .target && decision.outcome == "new-window"
                } else {
                    false
                }
            })
    }

    @Test("L-52 L-12 a request for a role of one window passes a held one by, and tells of it")
    func heldOnly() throws {
        let held = skeleton.add(crashCount: 3)  // A
        var engine = engine { $0.singleRoles = [.windowApplication] }
        let request = SceneSessionActivationRequest(role: .windowApplication)
        let steps = try engine.activate(request, in: skeleton)
        #expect(target(steps) == "new")
        #expect(
            steps.contains {
                if case .report(let finding) = $0 { finding.code == .sessionHeld } else { false }
            })
        // One that has a scene all the same is the one.
        _ = engine.machine.connect(held.key, arrival: .background)
        #expect(try target(engine.activate(request, in: skeleton)) == "A")
        // So is the one that was made instead.
        skeleton.add()  // B
        #expect(
            try target(
                self.engine { $0.singleRoles = [.windowApplication] }
                    .activate(request, in: skeleton)) == "B")
    }
}
