import SceneStoreEngine
import SceneStoreValues

/// Performs steps in words: every callback that they lead to, in order, from the machine that
/// moves an app's scenes.
package struct Rehearsal {
    /// Every callback so far.
    package private(set) var callbacks: [DeliveryPlan.Callback] = []
    package private(set) var engine: Engine
    /// The payload whose callbacks are marked; nil marks those of any.
    private let payload: Payload?
    private var identifiers: [Int64: SceneSession.ID] = [:]
    /// The key of the next session that is made; rows are numbered from 1.
    private var newKey: Int64 = 0

    package init(_ engine: Engine, following payload: Payload? = nil) {
        self.engine = engine
        self.payload = payload
    }

    /// Forgets the callbacks, and goes on from where the scenes are.
    package mutating func begin() {
        callbacks = []
    }

    package mutating func perform(_ steps: [PlanStep], _ plan: LaunchPlan? = nil) {
        for step in steps {
            switch step {
            case .decide, .report, .note: break
            case .announceLaunch: add("will"); add("did")
            case .tellOfDiscards: add("discard")
            case .connectIfNone(let connection):
                if engine.machine.members.isEmpty {
                    connect(connection, plan)
                }
            case .connect(let connection): connect(connection, plan)
            case .bringForward(let record, let call):
                perform(engine.machine.bringForward(record.key, payload: call))
            case .discard(let records, _, _):
                for record in records {
                    perform(engine.machine.disconnect(record.key, forGood: true))
                }
                add("discard")
                perform(engine.machine.refocus())
            }
        }
    }

    package mutating func leave() {
        perform(engine.machine.leave(engine.machine.front))
    }

    private mutating func connect(_ connection: SceneConnection, _ plan: LaunchPlan?) {
        let key: Int64
        var restores = false
        switch connection.subject {
        case .remembered(let record):
            key = record.key
            identifiers[key] = record.id
            let status = plan?.verdict(for: record).restoration
            restores =
                record.hasState && (status ?? engine.rules.restoration(of: record)) == .available
        case .new:
            key = newKey
            newKey -= 1
            add("config")
        }
        let place = callbacks.count
        perform(
            engine.machine.connect(
                key, role: connection.role, arrival: connection.arrival,
                recency: connection.record?.recency ?? 0, restores: restores,
                waiting: connection.waiting, owed: connection.owed))
        let riding = connection.riding
        callbacks[place].carriesPayload =
            payload == nil
            ? !riding.isEmpty : riding.payloads.contains { isFollowed($0) }
    }

    /// Whether what is handed over is the payload, or has its links among others.
    private func isFollowed(_ handed: Payload) -> Bool {
        guard let payload else {
            return true
        }
        switch (payload, handed) {
        case (.urls(let own), .urls(let all)): return own.allSatisfy { all.contains($0) }
        case (.activity(let own, _), .activity(let other, _)): return own == other
        default: return payload == handed
        }
    }

    private mutating func add(_ name: String) {
        callbacks.append(DeliveryPlan.Callback(name: name))
    }

    private mutating func perform(_ steps: [LifecycleMachine.Step]) {
        for step in steps {
            let identifier = step.sceneKey.flatMap { identifiers[$0] }
            for name in step.callbackNames {
                var callback = DeliveryPlan.Callback(name: name, identifier: identifier)
                if case .deliver(let call, _) = step, name != "willContinue" {
                    // What the inbox offers again is another payload.
                    callback.carriesPayload = call.payload.map { isFollowed($0) } ?? true
                }
                callbacks.append(callback)
            }
        }
    }
}

extension LifecycleMachine.Step {
    /// The callbacks that a step is seen as, by their short names.
    var callbackNames: [String] {
        switch self {
        case .connect: ["connect"]
        case .restore: ["restore"]
        case .enterForeground: ["fg"]
        case .becomeActive: ["active"]
        case .resignActive: ["inactive"]
        case .enterBackground: ["bg"]
        case .save: ["save"]
        case .disconnect: ["disconnect"]
        case .commit, .settle: []
        case .deliver(.failing, _): ["willContinue", "failContinue"]
        case .deliver(.announced, _): ["willContinue"]
        case .deliver(.arrived, _): ["continue"]
        case .deliver(.lost, _): ["failContinue"]
        case .deliver(.requested(.activity), _): ["continue"]
        case .deliver(.incoming(let payload, _), _), .deliver(.requested(let payload), _):
            switch payload {
            case .urls: ["url"]
            case .activity: ["willContinue", "continue"]
            case .shortcut: ["shortcut"]
            case .notification: ["response"]
            }
        }
    }
}
