import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting

/// What a launch was seen to do.
struct ObservedLaunch {
    var reason: LaunchReason?
    var observed = PlannedLaunch()
    var calls: [ObservedCall] = []
    /// Whether the process died on the way.
    var isCut = false
}

/// A device on which things happen at random, the same for the same seed.
struct RandomHistory {
    let device: SimulatedDevice
    let recorder = Recorder()
    private var state: UInt64
    private var payloads: [Payload] = []

    init(seed: UInt64) throws {
        state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
        device = try SimulatedDevice(storage: .temporaryDirectory)
        // Spawned by another test, a process may hold a copy of the lock for a moment.
        device.storeOptions.ownerTimeout = 2_000
        device.options.manifest = Self.manifest(["Editor", "Viewer"], isMultiple: true)
        if chance(4) {
            device.options.reconnection = .all
        }
        if chance(4) {
            device.options.holdsAfterCrashes = 1 + number(3)
        }
    }

    /// Xorshift: not good, but the same everywhere.
    private mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    private mutating func number(_ bound: Int) -> Int {
        Int(next() >> 33) % max(1, bound)
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        number(oneIn) == 0
    }

    static func manifest(_ names: [String], isMultiple: Bool) -> SceneManifest {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = isMultiple
        manifest.configurations[.windowApplication] = names.map { name in
            var entry = SceneConfiguration(name: name, role: .windowApplication)
            entry.resolution = .manifest
            return entry
        }
        return manifest
    }

    mutating func randomURL() -> Payload {
        .urls([OpenURLContext(url: "notes://note/\(number(4))")])
    }

    // MARK: - Launching

    /// Lets things happen while no process runs, and plans the next launch.
    mutating func prepareLaunch(payloads: [Payload] = []) throws -> LaunchPlan {
        device.kill()
        self.payloads = payloads
        if chance(6) {
            device.reboot()
        }
        if chance(5) {
            let isMultiple = !chance(3)
            let names = [["Editor", "Viewer"], ["Writer", "Editor"], ["Writer"]][number(3)]
            device.options.manifest = Self.manifest(names, isMultiple: isMultiple)
            device.options.configurationRenames = chance(2) ? ["Viewer": "Writer"] : [:]
        }
        if let open = try? openIdentifiers(), !open.isEmpty {
            let chosen = open[number(open.count)]
            if chance(5) {
                try device.closeWindows(of: [chosen])
            } else if chance(5) {
                let isHeld = chance(2)
                try device.edit { (store) throws(SceneStoreError) in
                    if let record = try store.record(identifier: chosen) {
                        try store.marks.setHeld(isHeld, key: record.key)
                    }
                }
            }
        }
        return try plan()
    }

    /// The plan of the next launch.
    func plan() throws -> LaunchPlan {
        do throws(SceneStoreError) {
            return try device.read { (store) throws(SceneStoreError) in
                try LaunchPlan(
                    reading: store, options: device.options,
                    bootIdentifier: "boot-\(device.bootCount)", payloads: payloads)
            }
        } catch  where error.code == .missing {
            let empty = try SceneSessionStore.open(at: .memory)
            return try LaunchPlan(reading: empty, options: device.options, payloads: payloads)
        } catch {
            throw error
        }
    }

    func plannedDelivery(
        of payload: Payload, _ state: DeliveryPlan.AppState
    ) throws -> DeliveryPlan {
        do throws(SceneStoreError) {
            return try device.read { (store) throws(SceneStoreError) in
                try DeliveryPlan(
                    reading: store, options: device.options, payload: payload, appState: state)
            }
        } catch  where error.code == .missing {
            let empty = try SceneSessionStore.open(at: .memory)
            return try DeliveryPlan(
                reading: empty, options: device.options, payload: payload, appState: state)
        } catch {
            throw error
        }
    }

    private func openIdentifiers() throws -> [SceneSession.ID] {
        try device.read { (store) throws(SceneStoreError) in
            try store.openRecords().map(\.id)
        }
    }

    /// Launches, writes down what happens, and lets the app live a while.
    mutating func launch(mayCrash: Bool = true) throws -> ObservedLaunch {
        recorder.reset()
        recorder.known = Set((try? openIdentifiers()) ?? [])
        if mayCrash, chance(4), let chosen = recorder.known.min(by: { $0.rawValue < $1.rawValue }) {
            recorder.crashesConnecting = chosen
        }
        do throws(SceneStoreError) {
            try device.launch(payloads) { [recorder] in recorder }
        } catch {
            guard recorder.hasCrashed else {
                throw error
            }
        }
        recorder.crashesConnecting = nil
        guard !recorder.hasCrashed, let application = device.application else {
            device.kill()
            return ObservedLaunch(isCut: true)
        }
        var launch = ObservedLaunch(reason: application.launchReason, calls: recorder.calls)
        launch.observed.discards = recorder.discards
        for session in recorder.connected {
            let scene = application.scene(for: session.persistentIdentifier)
            let isKnown = recorder.known.contains(session.persistentIdentifier)
            launch.observed.connections.append(
                PlannedLaunch.Connection(
                    identifier: isKnown ? session.persistentIdentifier : nil,
                    arrival: scene?.arrival ?? .background, restoration: session.restoration,
                    configuration: session.configuration.name))
        }
        try live(application)
        return launch
    }

    // MARK: - Living

    private mutating func live(_ application: SceneApplication) throws {
        for _ in 0..<number(8) {
            device.wait(milliseconds: Int64(number(9_000)))
            let scenes = application.connectedScenes.map(\.session.persistentIdentifier)
            let open = application.openSessions.map(\.persistentIdentifier)
            switch number(10) {
            case 0, 1:
                application.requestSceneSessionActivation(SceneSessionActivationRequest()) { _ in }
            case 2 where !scenes.isEmpty:
                try? application.moveToBackground([scenes[number(scenes.count)]])
            case 3: try? application.moveToBackground(scenes)
            case 4 where !open.isEmpty:
                application.requestSceneSessionActivation(
                    SceneSessionActivationRequest(session: open[number(open.count)])
                ) { _ in }
            case 5 where !scenes.isEmpty:
                _ = try? application.closeWindow(of: scenes[number(scenes.count)])
            case 6 where !open.isEmpty:
                try application.setActivationConditions(
                    ActivationConditions(
                        canActivate: chance(2) ? .never : .hasPrefix("notes://note/1"),
                        prefersToActivate: chance(2)
                            ? .never : .hasSuffix("/\(number(4))")),
                    for: open[number(open.count)])
            case 7 where !open.isEmpty && chance(3):
                try application.setRestorationEnabled(false, for: open[number(open.count)])
            case 8 where !scenes.isEmpty:
                try? application.evict(scenes[number(scenes.count)])
            case 9 where open.count > 1:
                let child = number(open.count)
                let parent = open[(child + 1) % open.count]
                try application.setPlacement(
                    ScenePlacement(width: 100, height: 100, parent: parent), for: open[child])
            default: break
            }
        }
        switch number(8) {
        case 0, 1: try device.quit()
        case 2: try device.forceQuit(discardsSessions: chance(3))
        case 3: device.kill()
        default: break
        }
    }

    /// Where a running app is, if the store alone says which scenes are connected.
    func certainState(
        of application: SceneApplication
    ) throws -> DeliveryPlan.AppState? {
        let scenes = application.connectedScenes
        let limit = device.options.holdsAfterCrashes
        let able = try application.store.openRecords().filter {
            !$0.isHeldByHand && $0.crashCount < limit
        }
        let front = scenes.filter { $0.activationState != .background }
        if !front.isEmpty {
            let isCertain = front.allSatisfy { scene in
                able.contains { $0.id == scene.session.id }
            }
            return front.count == scenes.count && isCertain ? .foreground : nil
        }
        let recent = able.first
        return scenes.count == 1
            && scenes.first?.session.id == recent?.id
            ? .background : nil
    }
}

extension Scene {
    fileprivate var arrival: LaunchPlan.Arrival {
        switch activationState {
        case .foregroundActive: .active
        case .foregroundInactive: .foreground
        default: .background
        }
    }
}
