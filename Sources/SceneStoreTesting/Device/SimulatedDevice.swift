import SceneStore
import SceneStoreEngine
import SceneStoreInstance
import SceneStoreRecovery

/// A device for tests that runs an app's real delegates on a real store.
///
/// It launches, kills, evicts, updates and wipes the app, and launches it again, on a clock that
/// the test moves.
///
/// ```swift
/// let device = try SimulatedDevice()
/// try device.launch { NotesApp() }
/// try device.sceneDelegate(NoteWindow.self).state.text = "draft"
/// try device.moveToBackground()
/// try device.relaunch()
/// let text = try device.sceneDelegate(NoteWindow.self).state.text  // what the user sees
/// ```
///
/// The store is on a disk in memory that belongs only to this device, or in a directory; see
/// ``Storage-swift.enum``. Identifiers, clock and order are the same in every run, and any number
/// of devices may be used at the same time. A device belongs to one isolation, as its application
/// does.
///
/// ## Topics
/// ### Processes
/// - ``launch(_:prepare:delegate:)``
/// - ``launch(_:host:prepare:)``
/// - ``relaunch(_:)``
/// - ``quit(keepingWindows:)``
/// - ``kill()``
/// - ``crash()``
/// - ``crash(restoring:)``
/// - ``forceQuit(discardsSessions:)``
/// ### What the user and the system do
/// - ``openWindow(role:configuration:activity:privacy:)``
/// - ``closeWindow(_:)``
/// - ``moveToBackground()``
/// - ``moveToForeground()``
/// - ``evict()``
/// - ``open(_:sourceApplication:)``
/// - ``deliver(_:)``
/// - ``update(manifest:version:renaming:)``
/// - ``lock(protectingFiles:)``
/// - ``unlock()``
/// - ``reboot()``
/// - ``wipe()``
/// - ``wait(milliseconds:)``
/// ### What is seen
/// - ``sceneDelegate(_:)``
/// - ``sceneDelegates(_:)``
/// - ``window(_:at:)``
/// - ``windows(_:)``
/// - ``host(_:)``
/// - ``takeCallbacks()``
/// - ``transcript``
/// - ``diagnostics``
/// ### Faults
/// - ``failWrite(_:permanently:)``
/// - ``fillDisk(leaving:)``
/// - ``repairDisk()``
/// - ``refuseWrites(_:)``
/// - ``acceptWrites()``
/// - ``cutPower(seed:mode:)``
/// - ``damageState(of:)``
/// - ``damagePage(_:)``
/// - ``withSecondProcess(_:_:)``
/// - ``jumpClock(milliseconds:)``
public final class SimulatedDevice {
    /// The device's clock.
    public let clock: VirtualClock
    /// The timers of the running process.
    public let scheduler: VirtualScheduler
    /// The identifiers of new sessions.
    public let identifiers: IdentifierSequence
    /// The path of the container's directory on the device.
    public let containerPath: String
    /// The disk of a device in memory; nil for one with a real directory.
    public let disk: FaultDisk?
    /// The process that runs, or nil.
    public private(set) var application: SceneApplication?
    /// The next launch's options; an update of the app changes them.
    public var options: SceneApplicationOptions
    /// Whether the options are chosen, so that a host's launch leaves them alone.
    var hasChosenOptions: Bool
    /// The hosted application of the process that runs, if it was launched with a host.
    var hostedApplication: AnyObject?
    /// The options with which the store is opened; access, clock and disk are the device's. A damaged
    /// store is salvaged unless they say otherwise.
    public var storeOptions: SceneSessionStore.Options
    /// The number of times the system was started.
    package internal(set) var bootCount: Int
    /// Whether the user has locked the device.
    public internal(set) var isLocked = false

    /// Refuses what is written.
    let writeFault = WriteFault()
    /// Whether the app of a scenario has timers; without them each call reads the clock.
    var hasTimers = true
    /// Whether a call of the app that promises a save throws what could not be saved. A scenario goes
    /// on, and finds it among the diagnostics.
    var throwsSaveFailures = true
    /// What the processes of this device were told.
    let recorder: DeviceRecorder
    /// Whether deleting the app leaves what the command needs for an undo.
    var keepsBackups = false
    /// Whether the lock keeps the container's files out of reach.
    var protectsFiles = false
    /// The scenes that come back to the front when the device is unlocked.
    var scenesBehindLock: [SceneSession.ID] = []
    /// What the next launch brings from another process, in the place of its payloads (L-77).
    var forwarded: [ForwardedPayload] = []
    /// How processes reach each other, if not through the device.
    var gate: (any ProcessGate)?
    private let isTemporary: Bool
    /// Makes the process of the app that was launched last.
    private var makeProcess: ProcessMaker?
    /// How the process that is launching dies, and restoring which session; nil is the first.
    private var crashTarget: (isArmed: Bool, session: SceneSession.ID?) = (false, nil)

    /// Makes a device on which the app was never launched.
    ///
    /// If the directory holds a container, or a fixture is installed, the device begins with that
    /// store: it gives out none of its identifiers again. If `now` is nil, the clock begins where the
    /// store ends, else at 2026-01-01. Throws if no temporary directory can be made, or the fixture
    /// can't be installed.
    public init(
        storage: Storage = .memory, options: SceneApplicationOptions? = nil,
        fixture: StoreFixture? = nil, seed: UInt64 = 1, now: Int64? = nil, bootCount: Int = 1
    ) throws(SceneStoreError) {
        clock = VirtualClock(now: now ?? fixture?.endTime ?? VirtualClock.start)
        scheduler = VirtualScheduler(clock: clock)
        identifiers = IdentifierSequence(
            seed: seed, count: fixture.map { UInt64($0.identifierCount) } ?? 0)
        self.options = options ?? fixture?.options ?? SceneApplicationOptions()
        hasChosenOptions = options != nil || fixture != nil
        self.bootCount = bootCount
        storeOptions = SceneSessionStore.Options()
        // A child that is being spawned holds a copy of the lock until it runs its own program.
        storeOptions.ownerTimeout = 2_000
        storeOptions.corruption = .salvage
        recorder = DeviceRecorder()
        isTemporary = storage == .temporaryDirectory
        switch storage {
        case .memory:
            disk = FaultDisk(seed: seed)
            containerPath = "/container"
        case .temporaryDirectory:
            disk = nil
            containerPath = try TemporaryDirectory.make()
        case .directory(let path):
            disk = nil
            containerPath = path
        }
        let clock = clock
        storeOptions.clock = { clock.now }
        let storeIdentifiers = IdentifierSequence(seed: seed &+ 0x5ce9_e570)
        storeOptions.makeUUID = { storeIdentifiers.nextUUID() }
        if let fixture {
            try install(fixture)
        } else if case .directory = storage {
            // A store that isn't there, or can't be read, changes nothing; the launch tells of it.
            _ = try? readFile { store throws(SceneStoreError) in try goOn(behind: store) }
            clock.now = now ?? clock.now
        }
    }

    deinit {
        application?.abandon()
        if isTemporary {
            TemporaryDirectory.remove(containerPath)
        }
    }

    /// Whether a process runs.
    public var isRunning: Bool { application != nil }

    // MARK: Launching

    /// Starts the process: opens the store, makes the delegate and launches.
    ///
    /// `prepare` sees the application before it launches, to register classes and handlers. Both
    /// closures are kept for ``relaunch(_:)``: capture the device unowned, if at all. Throws
    /// what opening and launching throw; then no process runs.
    @discardableResult
    public func launch(
        _ payloads: [Payload] = [], prepare: @escaping (SceneApplication) -> Void = { _ in },
        delegate makeDelegate: @escaping () -> any SceneApplicationDelegate
    ) throws(SceneStoreError) -> SceneApplication {
        try launch(payloads) { [unowned self] store, environment in
            let timers: any SceneScheduler = hasTimers ? scheduler : TaskScheduler.manual
            let application = SceneApplication(
                store: store, delegate: makeDelegate(), options: options,
                environment: environment, scheduler: timers)
            return DeviceProcess(application) {
                prepare(application)
            } launch: { payloads throws(SceneStoreError) in
                try application.launch(payloads)
            }
        }
    }

    /// Makes a process on an open store.
    typealias ProcessMaker = (SceneSessionStore, SceneEnvironment) -> DeviceProcess

    func launch(
        _ payloads: [Payload], _ makeProcess: @escaping ProcessMaker
    ) throws(SceneStoreError) -> SceneApplication {
        if application != nil {
            throw SceneStoreError(.invalidState, "the process runs already; end it first")
        }
        self.makeProcess = makeProcess
        return try start(payloads, makeProcess)
    }

    /// Starts the process again with the app that was launched last, and kills a running one.
    ///
    /// Throws `SceneStoreError.Code.invalidState` before the first launch.
    @discardableResult
    public func relaunch(_ payloads: [Payload] = []) throws(SceneStoreError) -> SceneApplication {
        guard let makeProcess else {
            throw Self.notLaunched
        }
        kill()
        return try start(payloads, makeProcess)
    }

    static var notLaunched: SceneStoreError {
        SceneStoreError(.invalidState, "no app was launched yet; launch one first")
    }

    private func start(
        _ payloads: [Payload], _ makeProcess: ProcessMaker
    ) throws(SceneStoreError) -> SceneApplication {
        guard !protectsFiles else {
            throw SceneStoreError(
                .protected, "the device is locked and the container's files are protected")
        }
        let store =
            if let gate {
                try gate.open(
                    payloads, isTakingOver: !forwarded.isEmpty, options: openingOptions(.owner))
            } else {
                try openStore(.owner)
            }
        if recorder.knowsNobody {
            do throws(SceneStoreError) {
                try name(sessionsOf: store)
            } catch {
                gate?.end()
                throw error
            }
        }
        let identifiers = identifiers
        let clock = clock
        let process = makeProcess(
            store,
            SceneEnvironment(
                now: { clock.now }, makeIdentifier: { identifiers.next() },
                bootIdentifier: "boot-\(bootCount)", processIdentifier: 1))
        let launched = process.application
        application = launched
        hostedApplication = process.hosted
        // The device's recorder tells the test.
        launched.diagnosticHandler = nil
        process.prepare()
        recorder.record(launched)
        launched.states.throwsFailures = throwsSaveFailures
        // How far it comes must not depend on the machine.
        launched.core.idleBudget = .max
        launched.stepHandler = { [unowned self] scene, step, next in
            if step.endsConnecting(before: next) {
                crashIfArmed(scene)
            }
        }
        do throws(SceneStoreError) {
            try process.launch(admit(payloads, to: launched))
            gate?.listen(for: launched)
        } catch {
            if application === launched {
                end(nil)
            }
            throw error
        }
        return launched
    }

    private func admit(
        _ payloads: [Payload], to application: SceneApplication
    ) throws(SceneStoreError) -> [Payload] {
        if let gate {
            return try gate.admit(to: application)
        }
        return forwarded.isEmpty
            ? payloads : try ForwardedReception(application).admit(forwarded)
    }

    /// Names the sessions that are there before the process asks for them. A damaged store is salvaged
    /// for it, as the launch would do.
    private func name(sessionsOf store: SceneSessionStore) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            recorder.name(try store.openRecords())
        } catch {
            guard error.code == .corrupt else {
                throw error
            }
            try store.reopenDamaged()
            recorder.name(try store.openRecords())
        }
    }

    // MARK: How a process ends

    /// Quits the app cleanly: windows are saved and remembered.
    ///
    /// Without `keepingWindows` they are parked, and don't come back until they are asked for. If
    /// this throws because a change is unsaved, or because a window with unsaved work stays, the
    /// process continues.
    public func quit(keepingWindows: Bool = true) throws(SceneStoreError) {
        guard let running = application else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        do throws(SceneStoreError) {
            try running.quit(keepingWindows: keepingWindows)
        } catch {
            // Unless it goes on, because a window stays or something is unsaved.
            if running.hasEnded {
                end(.quit)
            }
            throw error
        }
        end(.quit)
    }

    /// The process has ended by itself, cleanly.
    func noteQuit() {
        end(.quit)
    }

    /// Kills the process. Its writes stay, as after SIGKILL.
    ///
    /// You may call it from a callback: nothing that would follow the callback happens.
    public func kill() {
        end(.kill)
    }

    /// Crashes the process, which otherwise ends as with ``kill()``.
    public func crash() {
        end(.crash)
    }

    /// Launches the app and crashes it once a session's `connect` and `restore` have returned.
    ///
    /// A running process is killed first. Afterwards no process runs. Names the session by its
    /// identifier, or by its letter in the ``transcript``; nil is the first that connects. Throws
    /// `SceneStoreError.Code.invalidState` if the session did not connect: then the process runs.
    public func crash(restoring session: SceneSession.ID?) throws(SceneStoreError) {
        crashTarget = (true, session.map { recorder.session($0) })
        defer { crashTarget = (false, nil) }
        try relaunch()
        guard application == nil else {
            throw SceneStoreError(
                .invalidState, "the session did not connect; the process runs")
        }
    }

    private func crashIfArmed(_ scene: Scene) {
        guard crashTarget.isArmed,
            crashTarget.session.map({ $0 == scene.session.persistentIdentifier }) ?? true
        else {
            return
        }
        end(.crash)
    }

    /// Force-quits the app: the process is killed, and the system records why.
    public func forceQuit(discardsSessions: Bool = false) throws(SceneStoreError) {
        end(.forceQuit)
        try edit { (store) throws(SceneStoreError) in
            try store.recordForceQuit(policyDiscard: discardsSessions)
        }
    }

    func end(_ how: TranscriptLine.Exit?) {
        guard let ending = application else {
            return
        }
        application = nil
        hostedApplication = nil
        ending.abandon()
        gate?.end()
        scheduler.removeAll()
        disk?.crash()
        scenesBehindLock = []
        if let how {
            recorder.noteExit(how)
        }
    }
}

/// A process of a device, before it is launched.
struct DeviceProcess {
    let application: SceneApplication
    /// The hosted application, if the app's windows belong to a host.
    let hosted: AnyObject?
    let prepare: () -> Void
    let launch: ([Payload]) throws(SceneStoreError) -> Void

    init(
        _ application: SceneApplication, hosted: AnyObject? = nil, prepare: @escaping () -> Void,
        launch: @escaping ([Payload]) throws(SceneStoreError) -> Void
    ) {
        self.application = application
        self.hosted = hosted
        self.prepare = prepare
        self.launch = launch
    }
}

extension SceneSessionStore {
    /// The user ended the process; with `policyDiscard` every open session waits to be discarded at the
    /// next launch (L-40). Durable.
    package func recordForceQuit(policyDiscard: Bool) throws(SceneStoreError) {
        try using { db throws(SceneStoreError) in
            let open = policyDiscard ? try db.openRecords().map(\.key) : []
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.endLaunch(.forceQuit)
                try transaction.discard(open, cause: .user, deliveredNow: false)
            }
        }
    }
}

extension LifecycleMachine.Step {
    /// Whether a scene has got its session and its state by this step.
    fileprivate func endsConnecting(before next: Self?) -> Bool {
        switch self {
        case .restore: true
        case .connect(let key): next != .restore(key)
        default: false
        }
    }
}
