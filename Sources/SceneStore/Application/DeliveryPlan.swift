import SceneStoreEngine

/// To whom a payload goes and by which callbacks, worked out on a store that is only read.
///
/// A store does not say which scenes are connected in the background, so for an app that runs the
/// plan assumes what is certain at least: the sessions in front are connected, and when none is in
/// front, the most recently active one in the background.
package struct DeliveryPlan: Sendable {
    /// Where the app is when the payload arrives.
    package enum AppState: String, Sendable, Hashable, CaseIterable {
        /// It is not running.
        case cold
        /// It runs, and nothing of it is in front.
        case background
        /// It is in front.
        case foreground
    }

    /// One callback, by its short name in the lifecycle contract.
    package struct Callback: Sendable, Hashable {
        package var name: String
        /// The session; nil for one that is made, and for calls of the whole app.
        package var identifier: String?
        /// Whether the payload is in this call.
        package var carriesPayload = false
    }

    /// Where the app is taken to be.
    package var appState: AppState
    /// Who takes the payload, and why.
    package var target: LinkTarget
    /// What is made for it when no session takes it.
    package var newSession: LaunchPlan.NewSession?
    /// Whether its session has a scene when the payload arrives.
    package var isConnected = false
    /// Every callback from the arrival on, in order.
    package var callbacks: [Callback] = []

    /// Works the plan out.
    ///
    /// - Parameters:
    ///   - store: The store; a reader will do.
    ///   - options: The app's.
    ///   - payload: What arrives.
    ///   - appState: Where the app is then.
    ///   - isRunning: Whether a process owns the container now.
    package init(
        reading store: SceneSessionStore, options: SceneApplicationOptions, payload: Payload,
        appState: AppState, isRunning: Bool = false
    ) throws(SceneStoreError) {
        self = try store.reading { core throws(SceneStoreError) in
            appState == .cold
                ? try DeliveryPlan(cold: core, options, payload, isRunning: isRunning)
                : try DeliveryPlan(warm: core, options, payload, appState)
        }
    }

    // MARK: - Cold

    private init(
        cold core: StoreCore, _ options: SceneApplicationOptions, _ payload: Payload,
        isRunning: Bool
    ) throws(SceneStoreError) {
        let launch = try LaunchPlan(
            core, options, bootIdentifier: nil, isRunning: isRunning, payloads: [payload])
        appState = .cold
        target = launch.target ?? LinkTarget(record: nil, rule: .none, reason: "")
        newSession = launch.newSession
        callbacks = [Callback(name: "will"), Callback(name: "did")]
        if !launch.discards.isEmpty {
            callbacks.append(Callback(name: "discard"))
        }
        var scenes = Scenes(options, launch.rules, launchPlan: launch)
        if newSession != nil {
            add(scenes.connect(nil, .active, payload))
        }
        for record in launch.connecting {
            let takesIt = record.key == target.record?.key
            guard case .connects(_, let arrival) = launch.verdict(for: record).fate else {
                continue
            }
            add(scenes.connect(record, arrival.machineArrival, takesIt ? payload : nil))
        }
    }

    private mutating func add(_ more: [Callback]) {
        callbacks += more
    }

    // MARK: - Warm

    private init(
        warm core: StoreCore, _ options: SceneApplicationOptions, _ payload: Payload,
        _ appState: AppState
    ) throws(SceneStoreError) {
        let rules = LaunchRules(options)
        let records = Array(try core.openRecords())
        // One that is held back keeps its mark from the process before, and is not connected.
        var connected = records.filter { $0.isFront && !rules.isHeld($0) }
        if connected.isEmpty, let recent = records.first(where: { !rules.isHeld($0) }) {
            connected = [recent]
        }
        let keys = Set(connected.map(\.key))
        let target = try rules.choose(
            payload.activationIdentifier, among: records,
            isConnected: { keys.contains($0.key) }, conditions: core)
        self.appState = appState
        self.target = target
        var scenes = Scenes(options, rules, launchPlan: nil)
        for record in connected {
            _ = scenes.connect(record, scenes.isEmpty ? .active : .inactive, nil)
        }
        if appState == .background {
            scenes.leave()
        }
        if let record = target.record {
            isConnected = keys.contains(record.key)
            callbacks =
                isConnected
                ? scenes.bringForward(record, payload) : scenes.connect(record, .active, payload)
        } else {
            newSession = LaunchPlan.NewSession(
                role: rules.defaultRole,
                configuration: options.manifest?.defaultConfiguration(for: rules.defaultRole),
                order: 1, reason: target.reason)
            callbacks = scenes.connect(nil, .active, payload)
        }
    }

    /// The live scenes, moved by the machine that moves an app's.
    private struct Scenes {
        private var machine = LifecycleMachine()
        private var identifiers: [Int64: String] = [:]
        private let options: SceneApplicationOptions
        private let rules: LaunchRules
        private let launchPlan: LaunchPlan?

        /// The key of a session that is made; rows are numbered from 1.
        private static let newKey: Int64 = 0

        init(
            _ options: SceneApplicationOptions, _ rules: LaunchRules, launchPlan: LaunchPlan?
        ) {
            self.options = options
            self.rules = rules
            self.launchPlan = launchPlan
        }

        var isEmpty: Bool { machine.members.isEmpty }

        mutating func leave() {
            _ = machine.leave(machine.front)
        }

        /// A session gets a scene; nil is one that is made, for which the provider is asked.
        mutating func connect(
            _ record: SessionRecord?, _ arrival: LifecycleMachine.Arrival, _ payload: Payload?
        ) -> [Callback] {
            let key = record?.key ?? Self.newKey
            identifiers[key] = record?.identifier
            let isDeferred = options.delivery == .whenActive && arrival == .active
            let steps = machine.connect(
                key, arrival: arrival, recency: record?.recency ?? 0,
                deferred: isDeferred ? payload.map { .incoming($0) } : nil)
            var result: [Callback] = record == nil ? [Callback(name: "config")] : []
            for callback in callbacks(of: steps) {
                result.append(callback)
                guard callback.name == "connect" else {
                    continue
                }
                result[result.count - 1].carriesPayload = payload != nil && !isDeferred
                if let record, restores(record) {
                    result.append(Callback(name: "restore", identifier: record.identifier))
                }
            }
            return result
        }

        mutating func bringForward(_ record: SessionRecord, _ payload: Payload) -> [Callback] {
            callbacks(of: machine.bringForward(record.key, payload: .incoming(payload)))
        }

        private func restores(_ record: SessionRecord) -> Bool {
            let update =
                launchPlan == nil ? .current : rules.update(of: record.configuration)
            return record.hasState && rules.restoration(of: record, update) == .available
        }

        private func callbacks(of steps: [LifecycleMachine.Step]) -> [Callback] {
            var result: [Callback] = []
            for step in steps {
                let identifier = step.sceneKey.flatMap { identifiers[$0] }
                for name in step.callbackNames {
                    var callback = Callback(name: name, identifier: identifier)
                    if case .deliver = step {
                        callback.carriesPayload = name != "willContinue"
                    }
                    result.append(callback)
                }
            }
            return result
        }
    }
}

extension LaunchPlan.Arrival {
    fileprivate var machineArrival: LifecycleMachine.Arrival {
        switch self {
        case .active: .active
        case .foreground: .inactive
        case .background: .background
        }
    }
}

extension LifecycleMachine.Step {
    /// The callbacks that a step is seen as, by their short names.
    fileprivate var callbackNames: [String] {
        switch self {
        case .connect: ["connect"]
        case .enterForeground: ["fg"]
        case .becomeActive: ["active"]
        case .resignActive: ["inactive"]
        case .enterBackground: ["bg"]
        case .save: ["save"]
        case .disconnect: ["disconnect"]
        case .commit, .settle: []
        case .deliver(.failing, _): ["willContinue", "failContinue"]
        case .deliver(.incoming(let payload), _), .deliver(.requested(let payload), _):
            switch payload {
            case .urls: ["url"]
            case .activity: ["willContinue", "continue"]
            case .shortcut: ["shortcut"]
            case .notification: ["response"]
            }
        }
    }
}
