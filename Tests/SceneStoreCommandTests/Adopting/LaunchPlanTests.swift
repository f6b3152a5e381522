import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What tools print of a plan, against what the app is called when the same plan is performed.
@Suite("launch plan")
struct LaunchPlanTests {
    @Test("L-11 the plan of a launch is what the launch then does", arguments: 0..<20)
    func agrees(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<6 {
            let plan = try history.prepareLaunch()
            let launch = try history.launch()
            guard !launch.isCut else {
                continue
            }
            #expect(plan.start.reason == launch.reason)
            #expect(PlannedLaunch(plan) == launch.observed, "seed \(seed)")
        }
    }

    @Test("a sparse plan judges every session as a whole one does", arguments: 0..<12)
    func sparse(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<5 {
            _ = try history.prepareLaunch()
            _ = try history.launch()
            let verdicts = try history.device.read { (store) throws(SceneStoreError) in
                let plans = try [true, false].map { (isSparse) throws(SceneStoreError) in
                    try LaunchPlan(reading: store, options: .ofUnknownApp, isSparse: isSparse)
                }
                return try store.openRecords().map { record in
                    plans.map { $0.verdict(for: record) }
                }
            }
            #expect(verdicts.allSatisfy { $0[0] == $0[1] }, "seed \(seed)")
        }
    }

    @Test("L-60 the plan of a cold delivery is what the launch then calls", arguments: 0..<12)
    func coldDelivery(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<4 {
            let url = history.randomURL()
            _ = try history.prepareLaunch(payloads: [url])
            let plan = try history.plannedDelivery(of: url, .cold)
            let launch = try history.launch()
            guard !launch.isCut else {
                continue
            }
            #expect(plan.callbacks.map(ObservedCall.init) == launch.calls, "seed \(seed)")
        }
    }

    @Test("L-61 the plan of a warm delivery is what the app then is called", arguments: 0..<20)
    func warmDelivery(seed: Int) throws {
        var history = try RandomHistory(seed: UInt64(seed))
        for _ in 0..<4 {
            _ = try history.prepareLaunch()
            let launch = try history.launch(mayCrash: false)
            guard let application = history.device.application, !launch.isCut,
                let state = try history.certainState(of: application)
            else {
                continue
            }
            let url = history.randomURL()
            let plan = try history.plannedDelivery(of: url, state)
            history.recorder.calls = []
            history.recorder.known = Set(application.openSessions.map(\.persistentIdentifier))
            try application.receive(url)
            #expect(plan.callbacks.map(ObservedCall.init) == history.recorder.calls, "seed \(seed)")
        }
    }

    @Test("L-52 the session that a process died restoring is planned as withheld, then as held")
    func crashLoop() throws {
        let history = try RandomHistory(seed: 1)
        history.device.options.manifest = RandomHistory.manifest(["Editor"], isMultiple: true)
        _ = try history.device.launch { history.recorder }
        let identifier = try #require(
            history.device.application?.connectedScenes.first?.session.persistentIdentifier)
        history.device.kill()
        for count in 1...3 {
            history.recorder.crashesConnecting = identifier
            _ = try? history.device.launch { history.recorder }
            history.device.kill()
            let plan = try history.plan()
            #expect(plan.blamed == identifier)
            let record = try #require(plan.records.first { $0.id == identifier })
            let verdict = plan.verdict(for: record)
            #expect(verdict.restoration == (count < 3 ? .withheld : .held))
            #expect(verdict.connects == (count < 3))
            #expect((!plan.newSessions.isEmpty) == (count == 3))
        }
    }

    @Test("L-14 an app that is running is planned as one that ends cleanly")
    func running() throws {
        let history = try RandomHistory(seed: 2)
        _ = try history.device.launch { history.recorder }
        let plan = try history.device.read { (store) throws(SceneStoreError) in
            try LaunchPlan(
                reading: store, options: history.device.options, bootIdentifier: "boot-9",
                isRunning: true)
        }
        #expect(plan.start.reason == .launch)
        #expect(plan.blamed == nil)
    }

    @Test("L-43 with the reason first nothing is remembered")
    func first() throws {
        let history = try RandomHistory(seed: 3)
        _ = try history.device.launch { history.recorder }
        history.device.kill()
        let plan = try history.device.read { (store) throws(SceneStoreError) in
            try LaunchPlan(reading: store, options: history.device.options, reason: .first)
        }
        #expect(plan.records.isEmpty)
        #expect(plan.connecting.isEmpty)
        #expect(plan.newSessions.first?.order == 1)
    }
}

/// What of a launch can be planned, in a form that compares.
struct PlannedLaunch: Equatable {
    struct Discard: Hashable {
        var identifier: SceneSession.ID
        var cause: DiscardCause
        var isRedelivered: Bool
    }

    struct Connection: Equatable {
        /// nil for a session that is made.
        var identifier: SceneSession.ID?
        var arrival: LaunchPlan.Arrival
        var restoration: RestorationStatus
        var configuration: String?
    }

    var discards: Set<Discard> = []
    var connections: [Connection] = []

    init() {}

    init(_ plan: LaunchPlan) {
        discards = Set(
            plan.discards.map {
                Discard(
                    identifier: $0.identifier, cause: $0.cause, isRedelivered: $0.isRedelivered)
            })
        for record in plan.connecting {
            let verdict = plan.verdict(for: record)
            guard case .connects(_, let arrival) = verdict.fate else {
                continue
            }
            connections.append(
                Connection(
                    identifier: record.id, arrival: arrival,
                    restoration: verdict.restoration, configuration: verdict.configuration.name))
        }
        if let new = plan.newSessions.first {
            // What the provider answers is the app's; the test's answers the first window.
            connections.insert(
                Connection(
                    identifier: nil, arrival: .active, restoration: .available,
                    configuration: "Editor"), at: new.order - 1)
        }
    }
}
