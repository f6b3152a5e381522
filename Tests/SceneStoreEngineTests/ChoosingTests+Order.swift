import Testing

import SceneStoreEngine
import SceneStoreValues

/// In which order scenes come, and payloads.
extension ChoosingTests {
    @Test("L-49 windows of a hundred thousand are ordered in one pass")
    func manyFamilies() throws {
        let first = skeleton.add { $0.flags.insert(.hasChildren) }
        let records = (1...100_000).map { number in
            var record = first
            record.key = Int64(number)
            return record
        }
        #expect(try engine().inFamilies(records, skeleton).map(\.key) == records.map(\.key))
    }

    @Test("L-65 what has no room in the options comes by the callbacks, and nothing is lost")
    func severalOfAKind() {
        let payloads: [Payload] = [
            .shortcut(ShortcutItem(type: "a")), .shortcut(ShortcutItem(type: "b")),
            .notification(NotificationResponse(identifier: "c")),
            .notification(NotificationResponse(identifier: "d")),
        ]
        let subject = SceneConnection.Subject.new(.windowApplication)
        let riding = engine().connection(subject, .active, payloads, redelivered: [0, 1, 2, 3])
        #expect(riding.riding.payloads == [payloads[0], payloads[2]])
        #expect(
            riding.owed == [payloads[1], payloads[3]].map { .incoming($0, isRedelivered: true) })
        #expect(riding.riding.isRedelivered)
        let waiting = engine { $0.deliversWhenActive = true }.connection(subject, .active, payloads)
        #expect(waiting.riding.isEmpty && waiting.owed.isEmpty)
        #expect(
            waiting.waiting
                == [payloads[0], payloads[2], payloads[1], payloads[3]].map { .incoming($0) })
        #expect(!waiting.options.isRedelivered)
    }

    @Test("L-64 L-65 what waits for the scene is marked payload by payload, and links come first")
    func marks() {
        let link = { Payload.urls([OpenURLContext(url: $0)]) }
        let response = Payload.notification(NotificationResponse(identifier: "n"))
        let waiting = engine { $0.deliversWhenActive = true }
            .connection(
                .new(.windowApplication), .active,
                [response, link("a"), link("b"), link("c")], redelivered: [1, 3])
        let old = Payload.urls(["a", "c"].map { OpenURLContext(url: $0) })
        #expect(
            waiting.waiting == [
                .incoming(old, isRedelivered: true), .incoming(link("b")), .incoming(response),
            ])
        #expect(waiting.options.isRedelivered)
    }

    @Test("L-02 L-30 scenes that come back together come in their order, the first with the focus")
    func together() {
        var machine = LifecycleMachine()
        for key in [1, 2, 3] as [Int64] {
            _ = machine.connect(key, arrival: .active)
        }
        _ = machine.leave([1, 2, 3])
        #expect(
            machine.bringForward(together: [2, 3]) == [
                .enterForeground(2), .becomeActive(2), .enterForeground(3),
            ])
        #expect(machine.phase(of: 2) == .active)
        #expect(machine.phase(of: 3) == .inactive)
        #expect(machine.phase(of: 1) == .background)
        #expect(machine.front == [2, 3])
        #expect(
            machine.leave([2, 3]) == [
                .resignActive(2), .enterBackground(2), .save(2), .enterBackground(3), .save(3),
                .commit,
            ])
    }

    @Test("L-02 a role's focus is its own: a projector neither takes nor gives it")
    func focusOfRoles() {
        var machine = LifecycleMachine()
        _ = machine.connect(1, arrival: .active)
        _ = machine.connect(2, arrival: .active)
        #expect(
            machine.connect(3, role: .projector, arrival: .active) == [
                .connect(3), .enterForeground(3), .becomeActive(3), .settle(3),
            ])
        #expect(machine.active(.windowApplication) == 2)
        #expect(
            machine.connect(4, role: .projector, arrival: .foreground) == [
                .connect(4), .enterForeground(4), .settle(4),
            ])
        // The one of its role that was active before takes over, and only there.
        #expect(
            machine.leave([2]) == [
                .resignActive(2), .enterBackground(2), .save(2), .commit, .becomeActive(1),
            ])
        #expect(machine.active(.projector) == 3)
        #expect(machine.all == [1, 3, 2, 4])
    }

    @Test("L-11 S-25 what becomes active last is the most recent, whatever was remembered")
    func recency() {
        var machine = LifecycleMachine()
        _ = machine.connect(1, arrival: .active, recency: 5)
        _ = machine.connect(2, arrival: .background, recency: 1_000)
        _ = machine.leave([1])
        _ = machine.bringForward(1)
        _ = machine.leave([1])
        #expect(machine.all == [1, 2])
    }

    @Test("L-63 L-64 what waits for the first active comes with it, and never again")
    func waiting() {
        var machine = LifecycleMachine()
        let call = LifecycleMachine.PayloadCall.incoming(.shortcut(ShortcutItem(type: "a")))
        #expect(
            machine.connect(1, arrival: .background, waiting: [call]) == [.connect(1), .settle(1)])
        #expect(
            machine.bringForward(1) == [.enterForeground(1), .becomeActive(1), .deliver(call, 1)])
        _ = machine.leave([1])
        #expect(machine.bringForward(1) == [.enterForeground(1), .becomeActive(1)])
    }
}
