import SceneStore
import SceneStoreExchange
import SceneStoreInstance

/// Plays a scenario against the real engine and a real store, and tells each callback.
///
/// One player plays one scenario. Launches happen in this process; with a `processRunner` each
/// launch is handed to it, to be played by another player in a process of its own.
package final class ScenarioPlayer {
    /// Where a player's words go.
    package struct Output {
        /// A line of the transcript.
        package var line: (TranscriptLine) -> Void
        /// An expectation that was not met: where, and a diff.
        package var failure: (String) -> Void

        package init(
            line: @escaping (TranscriptLine) -> Void, failure: @escaping (String) -> Void
        ) {
            self.line = line
            self.failure = failure
        }
    }

    /// Plays the process that begins at the state's step; answers the state when it has ended.
    package typealias ProcessRunner = (PlayerState) throws -> PlayerState
    /// Ends this process for good, as a scenario's process ends.
    package typealias ProcessEnder = (PlayerState, TranscriptLine.Exit) -> Void

    package internal(set) var scenario: Scenario
    let profile: Scenario.Profile?
    let output: Output
    var manifests: [String: SceneManifest]
    let device: SimulatedDevice
    private let processRunner: ProcessRunner?
    private let processEnder: ProcessEnder?

    /// Called before each step; what it throws ends the play.
    package var beforeStep: () throws -> Void = {}
    /// Whether a step that deletes the app leaves the container's backups and operations.
    package var keepsBackups: Bool {
        get { device.keepsBackups }
        set { device.keepsBackups = newValue }
    }
    package internal(set) var state: PlayerState
    /// What a process that was started beside the one that runs handed over, and has no answer to.
    package internal(set) var unanswered: [ForwardedPayload] = []
    /// What was handed over last, and in which step.
    var handedOver: (step: Int, payloads: [ForwardedPayload]) = (0, [])
    var app = ScriptedApp()
    /// The step that is being played.
    var current: ScenarioStep
    private var pendingReasons: [String] = []
    private var naming = SessionNaming()
    var isDead = false
    private var isLaunching = false
    /// What each session was given last, by identifier.
    var given: [SceneSession.ID: [Payload]] = [:]

    /// Makes a player on a container directory.
    ///
    /// Manifests are read now, relative to the scenario. Throws ``ScenarioError`` for one that
    /// can't be read.
    package convenience init(
        _ scenario: Scenario, container: String, profile: Scenario.Profile? = nil,
        state: PlayerState = PlayerState(), output: Output,
        processRunner: ProcessRunner? = nil, processEnder: ProcessEnder? = nil
    ) throws {
        try self.init(
            scenario, storage: .directory(container), profile: profile, state: state,
            output: output, processRunner: processRunner, processEnder: processEnder)
    }

    /// Makes a player on a device with a storage of its own.
    package init(
        _ scenario: Scenario, storage: SimulatedDevice.Storage, profile: Scenario.Profile? = nil,
        state: PlayerState = PlayerState(), output: Output,
        processRunner: ProcessRunner? = nil, processEnder: ProcessEnder? = nil
    ) throws {
        self.scenario = scenario
        self.profile = profile
        self.output = output
        self.state = state
        self.processRunner = processRunner
        self.processEnder = processEnder
        manifests = try ScenarioManifests.read(of: scenario)
        device = try SimulatedDevice(
            storage: storage, now: state.now, bootCount: state.bootCount)
        device.identifiers.count = state.identifierCount
        device.throwsSaveFailures = false
        current = ScenarioStep(line: 1, column: 1, kind: .quit)
        refuseAgain()
        // A memory disk is new, and a process of a scenario was told where the one before it ended.
        if device.disk == nil, processEnder == nil {
            continueStore()
        }
        app = newApp
        for index in state.setup where scenario.steps.indices.contains(index) {
            applySetup(scenario.steps[index])
        }
    }

    /// Plays to the end; answers whether every expectation was met.
    package func play() throws -> Bool {
        while state.step < scenario.steps.count {
            try beforeStep()
            let step = scenario.steps[state.step]
            if case .launch = step.kind, let processRunner, !device.isRunning {
                saveState()
                state = try processRunner(state)
                loadState()
                continue
            }
            state.step += 1
            current = step
            try play(step)
            buryIfDead()
            if let processEnder, hasEnded {
                saveState()
                processEnder(state, lastExit)
                return !state.isFailed
            }
        }
        if let processEnder {
            saveState()
            processEnder(state, .quit)
        }
        return !state.isFailed
    }

    /// Whether the process that this player was made for has ended.
    private var hasEnded: Bool { processEnder != nil && !device.isRunning }
    var lastExit = TranscriptLine.Exit.quit

    private func saveState() {
        state.now = device.clock.now
        state.bootCount = device.bootCount
        state.identifierCount = device.identifiers.count
    }

    private func loadState() {
        device.clock.now = state.now
        device.bootCount = state.bootCount
        device.identifiers.count = state.identifierCount
        app = newApp
        for index in state.setup {
            applySetup(scenario.steps[index])
        }
        if scenario.steps.indices.contains(state.step - 1) {
            current = scenario.steps[state.step - 1]
        }
        refuseAgain()
        noteForceQuit()
    }

    /// A disk that was full for one process is so for the next.
    private func refuseAgain() {
        guard let cause = state.refusal else {
            device.writeFault.code = nil
            return
        }
        attempt { () throws(SceneStoreError) in
            try device.refuseWrites(cause)
        }
    }

    // MARK: The app

    /// Notes a setting-up step, so that another process can apply it too.
    func setUp(_ step: ScenarioStep) {
        state.setup.append(state.step - 1)
        applySetup(step)
        device.application?.options = launchOptions
    }

    /// What a launch is judged by. A store that was there before remembers sessions, and a scenario
    /// that says nothing of a manifest must not discard them: the manifest is the one that the store
    /// remembers, else every configuration counts as current (S-43).
    var launchOptions: SceneApplicationOptions {
        var options = app.launchOptions(profile: profile)
        guard continuesWithoutManifest else {
            return options
        }
        if let continuedOptions {
            options.manifest = continuedOptions.manifest
        } else {
            options.manifest = SceneApplicationOptions.ofUnknownApp.manifest
            options.isOfUnknownApp = true
        }
        return options
    }

    /// The app before any step has set something up.
    private var newApp: ScriptedApp {
        var app = ScriptedApp()
        if let continuedOptions {
            app.options = continuedOptions
            if continuedOptions.manifest?.configurations.isEmpty == false {
                // No provider is made up for an app whose manifest has what it needs.
                app.manifest = continuedOptions.manifest
            }
        }
        return app
    }

    private func applySetup(_ step: ScenarioStep) {
        switch step.kind {
        case .app(let app): self.app.apply(app)
        case .delegate(let delegate): app.apply(delegate)
        case .policy(let policy): app.apply(policy)
        case .displays(let step): app.displays = step.displays
        case .manifest(let manifest): app.manifest = manifest.path.flatMap { manifests[$0] }
        case .update(let update):
            app.apply(update)
            if let manifest = update.manifest {
                app.manifest = manifest.path.flatMap { manifests[$0] }
            }
        default: break
        }
    }

    // MARK: Telling

    /// Records a callback of the app that runs.
    func record(
        _ name: CallShortName, _ identifier: SceneSession.ID? = nil,
        _ fill: (inout TranscriptCallback) -> Void = { _ in }
    ) {
        guard !isDead else {
            return
        }
        state.sequence += 1
        var callback = TranscriptCallback(
            name, profile: profile ?? app.lifecycle, sequence: state.sequence,
            session: identifier.map(self.name(of:)))
        fill(&callback)
        let observed = callback.observedCall
        state.calls.append(
            PlayerState.Call(name: observed.name.rawValue, sessions: observed.sessions))
        if let session = callback.session, let payload = callback.payload {
            state.payloads[session] = Dictionary(
                uniqueKeysWithValues: TranscriptPayload.Key.allCases.compactMap { key in
                    payload.text(of: key).map { (key.rawValue, $0) }
                })
        }
        emit(.callback(callback))
        killIfArmed(name, callback.session)
    }

    /// The process is killed here if the scenario wants it to.
    private func killIfArmed(_ name: CallShortName, _ session: String?) {
        guard let armed = state.killsDuring, armed.name == name.rawValue,
            armed.sessions.isEmpty || session.map({ armed.sessions == [$0] }) == true
        else {
            return
        }
        state.killsDuring = nil
        dieWithin(.kill)
    }

    /// The process dies within a callback: nothing that would follow it happens.
    private func dieWithin(_ how: TranscriptLine.Exit) {
        lastExit = how
        emit(.exit(how))
        isDead = true
        if isLaunching {
            // What was armed for this launch is over, whatever ended it.
            state.crashesRestoring = nil
        }
        if let processEnder {
            saveState()
            processEnder(state, how)
        }
        device.application?.abandon()
    }

    func report(_ code: String, _ message: String, session identifier: SceneSession.ID? = nil) {
        guard !isDead else {
            return
        }
        let name = identifier.map(self.name(of:))
        state.diagnostics.append(
            PlayerState.Call(name: code, sessions: name.map { [$0] } ?? [], message: message))
        emit(.diagnostic(TranscriptDiagnostic(code: code, message: message, session: name)))
    }

    func report(_ error: SceneStoreError, session identifier: SceneSession.ID? = nil) {
        report(error.code.rawValue, error.message, session: identifier)
    }

    private func emit(_ event: TranscriptLine.Event) {
        let reasons = pendingReasons
        pendingReasons = []
        output.line(
            TranscriptLine(
                launch: state.launchCount, line: current.line, event: event, reasons: reasons))
    }

    /// The scenario's name of a session; one that it sees first gets its name now.
    func name(of identifier: SceneSession.ID) -> String {
        naming.name(of: identifier, &state)
    }

    /// Plays what may create sessions; those that were not created give their names back.
    func creating(as name: String? = nil, _ work: () throws -> Void) rethrows {
        naming.begin(name)
        defer {
            naming.takeBack(&state, where: { !isStored($0) })
            naming.end()
        }
        try work()
    }

    private func isStored(_ identifier: SceneSession.ID) -> Bool {
        do throws(SceneStoreError) {
            return try device.read { (store) throws(SceneStoreError) in
                try store.record(identifier: identifier) != nil
            }
        } catch {
            // A process that died while it connected the session, or a container that is gone:
            // the callbacks have shown the session, so it keeps its name.
            return true
        }
    }

    // MARK: The process

    func launch(_ payloads: [Payload]) throws {
        state.launchCount += 1
        isDead = false
        given = [:]
        isLaunching = true
        defer {
            isLaunching = false
            unanswered = []
            device.forwarded = []
        }
        device.options = launchOptions
        device.storeOptions.appIdentifier = app.identifier ?? app.manifest?.bundleIdentifier
        creating {
            do throws(SceneStoreError) {
                try device.launch(payloads) { [unowned self] application in
                    watch(application)
                } delegate: { [unowned self] in
                    ScriptedApplicationDelegate(player: self)
                }
            } catch {
                report(error)
            }
        }
        state.crashesRestoring = nil
        buryIfDead()
    }

    /// What comes after a death is said by nobody but the system.
    private func buryIfDead() {
        if isDead {
            device.kill()
            isDead = false
        }
    }

    private func watch(_ application: SceneApplication) {
        attempt { () throws(SceneStoreError) in try application.setDisplays(app.displays) }
        application.decisionHandler = { [unowned self] decision in
            guard !isDead else {
                return
            }
            if decision.kind == .launchReason, let reason = LaunchReason(rawValue: decision.outcome)
            {
                state.reason = reason.rawValue
                pendingReasons.append(decision.reason)
                emit(.launch(reason))
                return
            }
            let subject = decision.sessionIdentifier.flatMap { state.name(of: $0) }
            pendingReasons.append(
                (subject.map { "\($0): " } ?? "")
                    + "\(decision.kind.rawValue) \(decision.outcome): \(decision.reason)")
        }
        application.diagnosticHandler = { [unowned self] diagnostic in
            report(
                diagnostic.code.rawValue, diagnostic.message,
                session: diagnostic.sessionIdentifier)
        }
    }

    /// The process ends cleanly.
    func quit(keepingWindows: Bool) {
        attempt { () throws(SceneStoreError) in
            try device.quit(keepingWindows: keepingWindows)
        }
        noteEnd()
    }

    /// A process that has ended cleanly is told of.
    func noteEnd() {
        guard !device.isRunning, !isDead else {
            // Something is unsaved, or a window stays, and the app goes on; or it died on the way.
            return
        }
        lastExit = .quit
        emit(.exit(.quit))
    }

    /// The process dies: a process of its own for good, else the engine is dropped.
    func die(_ how: TranscriptLine.Exit) {
        emit(.exit(how))
        lastExit = how
        state.forceQuitDiscards = how == .forceQuit ? app.discardsOnForceQuit : nil
        if let processEnder {
            saveState()
            processEnder(state, how)
        }
        device.kill()
        noteForceQuit()
    }

    /// The system restarts; a process that runs dies with it.
    func reboot() {
        device.bootCount += 1
        if device.isRunning {
            die(.kill)
        }
    }

    /// The system notes that the user ended the process.
    private func noteForceQuit() {
        guard let discards = state.forceQuitDiscards else {
            return
        }
        state.forceQuitDiscards = nil
        attempt { () throws(SceneStoreError) in
            try device.forceQuit(discardsSessions: discards)
        }
    }

    /// The process dies here if the scenario wants it to.
    func crashIfArmed(_ identifier: SceneSession.ID) {
        guard !isDead, isLaunching, let armed = state.crashesRestoring,
            state.name(of: identifier) == armed
        else {
            return
        }
        state.crashesRestoring = nil
        dieWithin(.crash)
    }

    // MARK: States

    func hasScriptedState(_ identifier: SceneSession.ID) -> Bool {
        !isDead && state.name(of: identifier).flatMap { state.states[$0] } != nil
    }

    func scriptedState(_ identifier: SceneSession.ID) throws -> UserActivity? {
        guard let name = state.name(of: identifier), let index = state.states[name],
            scenario.steps.indices.contains(index),
            case .state(let step) = scenario.steps[index].kind
        else {
            return nil
        }
        return try step.answer()
    }
}
