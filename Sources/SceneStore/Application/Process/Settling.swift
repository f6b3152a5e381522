import SceneStoreEngine
import SceneStoreValues

/// Who is blamed if this process dies, and when its launch is stable (L-52, L-65).
///
/// 1. A session that restores is blamed until the launch owes it no callback and it restores no
///    more. The store names the one that began last.
/// 2. A payload that is handed over is blamed instead of its session (L-52a).
/// 3. A launch is stable once nothing restores and it has lived for the stable period: then who was
///    restored is blamed no more, the states of the others are offered again, and what sessions
///    saved under is their own (L-50). One sync keeps a power cut from taking that back.
/// 4. The timer is for idle apps; each event reads the clock anyway.
package final class Settling {
    private let core: ApplicationCore
    // No code of the app runs inside an access to these.
    /// Sessions that began restoring and have not settled, in the order of their beginning.
    @exclusivity(unchecked) private var unsettled: [Int64] = []
    /// Scenes that restore on once the delivery ends that is blamed until then (L-53).
    @exclusivity(unchecked) private var extended: [Scene] = []
    /// Sessions that a process died restoring and that this launch has restored.
    var suspects: Set<Int64> = []
    /// Whether sessions have counted deaths.
    @exclusivity(unchecked) package var hasCrashCounts = false
    /// What sessions that saved a state were shown with, where it is not what they were made with.
    @exclusivity(unchecked) private var adopted: [Int64: SceneConfiguration] = [:]
    /// Whether a power cut could bring back that a session restores.
    @exclusivity(unchecked) private var isUnsynced = false
    /// When this process launched, in milliseconds since 1970.
    private var launchedAt: Int64 = 0
    /// When the last payload was handed over, in milliseconds since 1970.
    private var deliveredAt: Int64 = 0
    /// Payloads whose delivery is watched: a death now counts against one of them.
    @exclusivity(unchecked) private var watched: Set<Int64> = []
    private var timer: ScheduledWork?

    init(_ core: ApplicationCore) {
        self.core = core
    }

    func begin(at now: Int64) {
        launchedAt = now
        deliveredAt = now
    }

    // MARK: Restoring

    /// Whether no session restores.
    var isDone: Bool { unsettled.isEmpty }

    /// A session begins to restore; the store is told with its connection.
    func noteRestoring(_ key: Int64) {
        unsettled.append(key)
        isUnsynced = true
    }

    /// A session that connects or was reopened comes with its count of deaths.
    func note(crashCount: Int) {
        hasCrashCounts = hasCrashCounts || crashCount > 0
    }

    func settleIfDone(_ scene: Scene) throws(SceneStoreError) {
        guard !scene.awaitsCallbacks, scene.restorationExtensions == 0 else {
            return
        }
        try remove(scene.key)
        if isDone, !core.isLaunching {
            startPeriodUnlessItRuns()
        }
    }

    /// A session restores no more.
    func remove(_ key: Int64) throws(SceneStoreError) {
        guard unsettled.contains(key) else {
            return
        }
        unsettled.removeAll { $0 == key }
        try core.store.launches.setRestoring(key: unsettled.last)
    }

    /// A scene restores on. Of one that connected with a payload the payload is blamed, until its
    /// delivery ends (L-52a, L-65).
    func noteUnsettled(_ scene: Scene) throws(SceneStoreError) {
        if let delivery = scene.delivery {
            guard elapsed(since: delivery.begin) >= period else {
                extended.append(scene)
                return startPeriodUnlessItRuns()
            }
            scene.delivery = nil
            settleIfStable()
        }
        guard !unsettled.contains(scene.key) else {
            return
        }
        try core.store.launches.setRestoring(key: scene.key)
        noteRestoring(scene.key)
    }

    /// Deliveries have ended: what restores on is blamed from now on.
    func noteExtended() {
        let scenes = extended
        extended = []
        for scene in scenes
        where scene.restorationExtensions > 0 && scene.activationState != .unattached {
            core.attempt(try noteUnsettled(scene))
        }
    }

    // MARK: Payloads

    /// The delivery of some payloads begins, and that is stored.
    func watch(_ items: [Int64]) {
        guard !items.isEmpty else {
            return
        }
        watched.formUnion(items)
        deliveredAt = core.environment.now()
        startPeriodUnlessItRuns()
    }

    /// Some payloads were acknowledged, or removed.
    func unwatch(_ items: [Int64]) {
        watched.subtract(items)
    }

    /// Those of some payloads whose delivery has not begun.
    func unwatched(_ items: [Int64]) -> [Int64] { items.filter { !watched.contains($0) } }

    /// What was handed over is watched no longer.
    private func endDeliveries() throws(SceneStoreError) {
        let items = watched.sorted()
        watched.removeAll()
        try core.store.inbox.endDeliveries(items)
    }

    // MARK: Configurations

    /// A session saved a state under a configuration that it was not made with: once this launch
    /// is stable, that is its own (L-50). One that forgets its state (L-32) saves none.
    func noteAdoptions(by states: [StateToSave]) {
        let scenes = core.live
        // By index: an iterator would copy each state.
        for index in states.indices {
            let key = states[index].key
            guard !states[index].forgets, let live = scenes[key], let scene = live.scene,
                scene.agreed !== live.record.sharedConfiguration
            else {
                continue
            }
            guard scene.session.configuration != live.record.configuration else {
                scene.agreed = live.record.sharedConfiguration
                continue
            }
            adopted[key] = scene.session.configuration
        }
    }

    /// What sessions saved under is their own at once when the launch is stable already: the process
    /// may be killed before anything else happens. Else a timer sees to it.
    func settleAdoptions() {
        guard !adopted.isEmpty, !core.isLaunching else {
            return
        }
        settleIfStable()
        if !adopted.isEmpty {
            startPeriodUnlessItRuns()
        }
    }

    // MARK: The stable period

    private var period: Int64 { max(0, core.options.stablePeriod) }

    private func elapsed(since time: Int64) -> Int64 {
        core.environment.now().subtractingReportingOverflow(time).partialValue
    }

    /// Whether a stable launch changes anything.
    private var awaitsStability: Bool {
        hasCrashCounts || !watched.isEmpty || !adopted.isEmpty || !extended.isEmpty
    }

    private func startPeriodUnlessItRuns() {
        if timer.map({ !$0.isPending }) ?? true {
            startPeriod()
        }
    }

    /// Arms the timer for when the launch may be stable.
    func startPeriod() {
        guard awaitsStability, let scheduler = core.scheduler else {
            return
        }
        timer = scheduler.schedule(after: core.options.stablePeriod) { [weak self] in
            guard let self, core.processState == .running else {
                return
            }
            defer {
                core.letStoreGo()
            }
            settleIfStable()
            if !watched.isEmpty || !extended.isEmpty {
                // Something was handed over since.
                startPeriodUnlessItRuns()
            }
        }
    }

    func stop() {
        timer?.cancel()
    }

    /// Notes what a stable launch means, once it is one.
    func settleIfStable(isEnding: Bool = false) {
        guard isUnsynced || awaitsStability, !core.isLaunching else {
            return
        }
        let store = core.store
        noteExtended()
        if !watched.isEmpty, elapsed(since: deliveredAt) >= period {
            core.attempt(try endDeliveries())
        }
        guard isDone, isEnding || elapsed(since: launchedAt) >= period else {
            return
        }
        if hasCrashCounts {
            let version = core.options.appVersion
            core.tolerating { () throws(SceneStoreError) in
                try store.launches.settle(restored: suspects, version: version)
                hasCrashCounts = false
                suspects.removeAll()
            }
        }
        if !adopted.isEmpty {
            core.tolerating { () throws(SceneStoreError) in
                try store.configurations.adopt(adopted)
                adopted.removeAll()
            }
        }
        if isUnsynced, !isEnding {
            isUnsynced = false
            core.attempt(try store.launches.syncMarks())
        }
    }
}
