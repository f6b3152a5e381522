import SceneStore

/// A device for tests: launches an app's real delegates on a real store, kills, evicts, updates and
/// wipes them, and launches them again, on a clock that the test moves.
///
///     let device = try SimulatedDevice()
///     let first = try device.launch { NotesDelegate() }
///     try first.moveToBackground(first.connectedScenes.map(\.session.persistentIdentifier))
///     device.kill()
///     let second = try device.launch { NotesDelegate() }
///     // second.connectedScenes are the windows of the first launch
///
/// The store lies in a container of the device's own, removed with the device, or in a directory
/// that the test names. Identifiers, clock and order are the same in every run.
public final class SimulatedDevice {
    /// The device's clock.
    public let clock: VirtualClock
    /// The timers of the running process.
    public let scheduler: VirtualScheduler
    /// The identifiers of new sessions.
    public let identifiers: IdentifierSequence
    /// The container.
    public let containerPath: String
    /// The process that runs, or nil.
    public private(set) var application: SceneApplication?
    /// The next launch's options; an update of the app changes them.
    public var options: SceneApplicationOptions
    /// What the store is opened with; access and clock are the device's.
    public var storeOptions: SceneSessionStore.Options
    /// How many times the system was started.
    public internal(set) var bootCount: Int

    private let isTemporary: Bool

    /// Makes a device whose container is a new temporary directory, or `directory`.
    ///
    /// Throws when no temporary directory can be made.
    public init(
        directory: String? = nil, options: SceneApplicationOptions = SceneApplicationOptions(),
        seed: UInt64 = 1, now: Int64 = VirtualClock.start, bootCount: Int = 1
    ) throws(SceneStoreError) {
        clock = VirtualClock(now: now)
        scheduler = VirtualScheduler(clock: clock)
        identifiers = IdentifierSequence(seed: seed)
        self.options = options
        self.bootCount = bootCount
        storeOptions = SceneSessionStore.Options()
        // A child that is being spawned holds a copy of the lock until it runs its own program.
        storeOptions.ownerTimeout = 2_000
        isTemporary = directory == nil
        if let directory {
            containerPath = directory
        } else {
            containerPath = try TemporaryDirectory.make()
        }
        let clock = clock
        storeOptions.clock = { clock.now }
        let storeIdentifiers = IdentifierSequence(seed: seed &+ 0x5ce9_e570)
        storeOptions.makeUUID = { storeIdentifiers.nextUUID() }
    }

    deinit {
        application?.store.abandon()
        if isTemporary {
            TemporaryDirectory.remove(containerPath)
        }
    }

    /// Whether a process runs.
    public var isRunning: Bool { application != nil }

    /// Starts the process: opens the store, makes the delegate and launches.
    ///
    /// `prepare` sees the application before it launches, to register classes and handlers. Throws
    /// what opening and launching throw; then no process runs.
    @discardableResult
    public func launch(
        _ payloads: [Payload] = [], prepare: (SceneApplication) -> Void = { _ in },
        delegate makeDelegate: () -> any SceneApplicationDelegate
    ) throws(SceneStoreError) -> SceneApplication {
        if application != nil {
            throw SceneStoreError(.invalidState, "the process runs already; end it first")
        }
        var opening = storeOptions
        opening.access = .owner
        let store = try SceneSessionStore.open(at: .directory(containerPath), options: opening)
        let identifiers = identifiers
        let clock = clock
        let launched = SceneApplication(
            store: store, delegate: makeDelegate(), options: options,
            environment: SceneEnvironment(
                now: { clock.now }, makeIdentifier: { identifiers.next() },
                bootIdentifier: "boot-\(bootCount)", processIdentifier: 1),
            scheduler: scheduler)
        application = launched
        prepare(launched)
        do throws(SceneStoreError) {
            try launched.launch(payloads)
        } catch {
            end()
            throw error
        }
        return launched
    }

    // MARK: How a process ends

    /// The process ends cleanly: windows are saved and remembered.
    public func quit() throws(SceneStoreError) {
        guard let running = application else {
            throw SceneStoreError(.invalidState, "no process runs")
        }
        defer { end() }
        try running.quit()
    }

    /// The process dies without a word. What it wrote stays, as after SIGKILL.
    public func kill() {
        end()
    }

    /// The user swipes the app away: the process dies without a word, and the system notes why.
    public func forceQuit(discardsSessions: Bool = false) throws(SceneStoreError) {
        end()
        try edit { (store) throws(SceneStoreError) in
            try store.recordForceQuit(policyDiscard: discardsSessions)
        }
    }

    private func end() {
        application?.store.abandon()
        application = nil
        scheduler.removeAll()
    }

    // MARK: What happens to a device

    /// Moves the clock; timers of the running process fire on the way.
    public func wait(milliseconds: Int64) {
        scheduler.advance(by: milliseconds)
    }

    /// The system restarts; a running process dies.
    public func reboot() {
        end()
        bootCount += 1
    }

    /// The container is deleted, under a running process too.
    public func wipe() {
        TemporaryDirectory.remove(containerPath)
    }

    /// The user closes windows while no process runs; the app is told at its next launch.
    public func closeWindows(of identifiers: [String]) throws(SceneStoreError) {
        try edit { (store) throws(SceneStoreError) in
            for identifier in identifiers {
                guard let record = try store.record(identifier: identifier), record.isOpen else {
                    throw SceneStoreError(
                        .requestDenied, "the session is unknown or was discarded")
                }
                try store.discard([record.key], cause: .user, deliveredNow: false)
            }
        }
    }

    /// Opens the store as the system does, while no process runs.
    package func edit<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if application != nil {
            throw SceneStoreError(.invalidState, "the process runs and owns the container")
        }
        var opening = storeOptions
        opening.access = .editor
        let store = try SceneSessionStore.open(at: .directory(containerPath), options: opening)
        defer { try? store.close() }
        return try work(store)
    }

    /// Reads the store, whoever owns it.
    package func read<Result>(
        _ work: (SceneSessionStore) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        if let application {
            return try work(application.store)
        }
        var opening = storeOptions
        opening.access = .reader
        let store = try SceneSessionStore.open(at: .directory(containerPath), options: opening)
        defer { try? store.close() }
        return try work(store)
    }
}
