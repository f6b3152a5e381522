import Testing

import SceneStoreEngine
import SceneStoreValues

/// The machine alone: its invariants over every sequence of events up to a length.
@Suite("The lifecycle machine")
struct MachineTests {
    enum Event: CaseIterable {
        case connectA, connectB, backgroundA, backgroundB, forwardA, forwardB, leaveAll, closeA,
            closeB, evictB, returnAll

        func apply(to machine: inout LifecycleMachine) -> [LifecycleMachine.Step] {
            switch self {
            case .connectA: machine.connect(1, arrival: .active)
            case .connectB: machine.connect(2, arrival: .background)
            case .backgroundA: machine.leave([1])
            case .backgroundB: machine.leave([2])
            case .forwardA: machine.bringForward(1)
            case .forwardB: machine.bringForward(2, payload: .incoming(.urls([])))
            case .leaveAll: machine.leave(machine.front)
            case .closeA: machine.disconnect(1) + machine.refocus()
            case .closeB: machine.disconnect(2) + machine.refocus()
            case .evictB:
                machine.phase(of: 2) == .background ? machine.disconnect(2) : []
            case .returnAll:
                machine.bringForward(
                    together: machine.all.filter { machine.phase(of: $0) == .background })
            }
        }
    }

    @Test("L-75 a refresh saves a scene in the background, and no other")
    func refresh() {
        var machine = LifecycleMachine()
        #expect(machine.refresh(1).isEmpty)
        _ = machine.connect(1, arrival: .active)
        _ = machine.connect(2, arrival: .background)
        #expect(machine.refresh(1).isEmpty)
        #expect(machine.refresh(2) == [.save(2), .commit])
        _ = machine.bringForward(2)
        for key in [1, 2] as [Int64] {
            #expect(machine.phase(of: key) != .background)
            #expect(machine.refresh(key).isEmpty)
        }
        _ = machine.leave([1])
        #expect(machine.refresh(1) == [.save(1), .commit])
    }

    @Test("L-02 L-11 the active scene is the first one, whichever role was active after it")
    func activeFirst() {
        var machine = LifecycleMachine()
        let projector = SceneSessionRole.projector
        _ = machine.connect(1, role: .windowApplication, arrival: .active)
        _ = machine.connect(2, role: projector, arrival: .active)
        #expect(machine.all == [2, 1])
        // The projector goes; it was active later, and the window is active still.
        _ = machine.leave([2])
        #expect(machine.phase(of: 1) == .active)
        #expect(machine.all == [1, 2])
    }

    @Test("L-02 L-11 the active scene is the first in front, though one behind it was used later")
    func activeInFront() {
        var machine = LifecycleMachine()
        _ = machine.connect(1, arrival: .foreground, recency: 3)
        _ = machine.connect(2, arrival: .foreground, recency: 7)
        #expect(machine.active(.windowApplication) == 1)
        #expect(machine.front == [1, 2])
        // In this order the scenes leave.
        #expect(
            machine.quit() == [
                .resignActive(1), .enterBackground(1), .save(1), .enterBackground(2), .save(2),
                .commit,
            ])
    }

    @Test("L-48 L-49 who has the focus comes before a scene of another role that left, once")
    func focusTakenUp() {
        var machine = LifecycleMachine()
        _ = machine.connect(1, role: .windowApplication, arrival: .active)
        _ = machine.connect(2, role: .projector, arrival: .active)
        #expect(machine.takeUpFocus() == nil)
        _ = machine.leave([2])
        #expect(machine.takeUpFocus() == 1)
        #expect(machine.takeUpFocus() == nil)
        _ = machine.disconnect(1)
        _ = machine.connect(1, arrival: .background, recency: 1)
        #expect(machine.all == [2, 1])
    }

    @Test("L-02 at most one scene is active, and one is whenever any is in front")
    func invariants() {
        var visited = 0
        func explore(_ machine: LifecycleMachine, depth: Int) {
            visited += 1
            let active = machine.members.values.filter { $0.phase == .active }
            #expect(active.count <= 1)
            #expect(active.count == 1 || machine.front.isEmpty)
            guard depth > 0 else {
                return
            }
            for event in Event.allCases {
                var next = machine
                let steps = event.apply(to: &next)
                checkBalance(steps, from: machine, to: next)
                explore(next, depth: depth - 1)
            }
        }
        explore(LifecycleMachine(), depth: 4)
        #expect(visited > 10_000)
    }

    @Test("L-02 of many scenes the one that was active last takes over, whatever happened before")
    func successors() {
        var state: UInt64 = 44
        func draw(_ count: Int64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % count
        }
        var machine = LifecycleMachine()
        var successions = 0
        for _ in 0..<4_000 {
            let key = draw(24)
            let role: SceneSessionRole = key % 4 == 0 ? .projector : .windowApplication
            let active = machine.active(role)
            let next = machine.front.first { other in
                other != active && machine.members[other]?.role == role
            }
            switch draw(8) {
            case 0...3:
                let arrivals: [LifecycleMachine.Arrival] = [.foreground, .active, .background]
                _ = machine.connect(
                    key, role: role, arrival: arrivals[Int(draw(3))], recency: draw(9))
                continue
            case 4: _ = machine.bringForward(together: [key, draw(24), draw(24)])
            case 5: _ = machine.bringForward(key)
            case 6: _ = machine.leave([active ?? key])
            default: _ = machine.disconnect(active ?? key) + machine.refocus()
            }
            if let active, machine.phase(of: active) ?? .background == .background {
                #expect(machine.active(role) == next)
                successions += 1
            }
            for role in Set(machine.members.values.map(\.role)) {
                let phases = machine.members.values.filter { $0.role == role }.map(\.phase)
                #expect(phases.contains(.active) || !phases.contains(.inactive))
            }
        }
        #expect(successions > 500)
    }

    /// Replays the steps on the phases before and finds the phases after.
    private func checkBalance(
        _ steps: [LifecycleMachine.Step], from before: LifecycleMachine,
        to after: LifecycleMachine
    ) {
        var phases: [Int64: LifecycleMachine.Phase] = [:]
        for (key, member) in before.members {
            phases[key] = member.phase
        }
        for step in steps {
            switch step {
            case .connect(let key): phases[key] = .background
            case .enterForeground(let key):
                #expect(phases[key] == .background)
                phases[key] = .inactive
            case .becomeActive(let key):
                #expect(phases[key] == .inactive)
                phases[key] = .active
            case .resignActive(let key):
                #expect(phases[key] == .active)
                phases[key] = .inactive
            case .enterBackground(let key):
                #expect(phases[key] == .inactive)
                phases[key] = .background
            case .disconnect(let key): phases[key] = nil
            case .save(let key): #expect(phases[key] == .background)
            case .commit, .deliver, .restore, .settle: break
            }
        }
        #expect(phases.count == after.members.count)
        for (key, member) in after.members {
            #expect(phases[key] == member.phase)
        }
    }
}
