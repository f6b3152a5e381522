import SceneStoreEngine

/// What the parts of an application share: the store and the options, what the engine remembers, who is
/// connected, and where the process is in its life.
///
/// It knows none of the parts, and calls no delegate. A part is given this and the parts that it uses
/// when it is made, so that none can reach a part that uses it.
package final class ApplicationCore {
    // No code of the app runs inside an access to these.
    package let store: SceneSessionStore
    package let environment: SceneEnvironment
    package let scheduler: (any SceneScheduler)?
    /// See ``SceneApplication/options``.
    @exclusivity(unchecked) package private(set) var options: SceneApplicationOptions
    /// Decides; the same engine plans launches for tools.
    @exclusivity(unchecked) package var engine: Engine
    /// The sessions that this process touched, and their scenes.
    package let live = LiveScenes()
    /// Who hears what happens to windows.
    package let feed = ChangeFeed()
    /// What became of the sessions that the launch expected (S-40).
    var book = LaunchLedger()
    /// The windows that are asked whether they may close.
    var votes = ClosingVotes()

    /// Where a process is in its life.
    package enum ProcessState {
        case notLaunched
        case running
        case ended
    }

    @exclusivity(unchecked) package internal(set) var processState = ProcessState.notLaunched
    /// Why the process was launched; nil before.
    var launchReason: LaunchReason?
    /// The session that the last process died restoring.
    var blamed: Int64?
    /// Whether the launch's callbacks are being made.
    @exclusivity(unchecked) var isLaunching = false
    /// Whether an event is being performed; others wait.
    @exclusivity(unchecked) package internal(set) var isPerforming = false
    /// Whether the process is ending: what windows do now is not what the user did.
    @exclusivity(unchecked) var isQuitting = false
    /// The order of the newest active scene, and the scenes in front, when the desktop's session began
    /// to end; nil while it doesn't.
    @exclusivity(unchecked) var teardown: (order: Int64, front: Set<Int64>)?
    package var isTearingDown: Bool { teardown != nil }
    /// Whether an app without scenes is in front.
    @exclusivity(unchecked) var isAppActive = false
    /// Whether the store was let go of since the last event.
    @exclusivity(unchecked) var isLetGo = false
    /// Whether another process wrote to the container and its sessions are not yet read again.
    @exclusivity(unchecked) var awaitsReading = false
    /// The timer of idle work.
    @exclusivity(unchecked) var upkeepTimer: ScheduledWork?
    /// How long a piece of it takes, in milliseconds: it runs where windows are drawn.
    package var idleBudget = 2

    /// See ``SceneApplication/diagnosticHandler``.
    var diagnosticHandler: ((Diagnostic) -> Void)? = { $0.printToStandardError() }
    /// How many diagnostics are being told, each within the one before.
    private var reports = 0
    private static let nestedReports = 8
    /// See ``SceneApplication/decisionHandler``.
    var decisionHandler: ((DecisionRecord) -> Void)?
    /// Called before every callback, for recorders.
    @exclusivity(unchecked) package var callbackHandler: ((SceneCallback) -> Void)?
    /// The same of diagnostics and decisions: the app may replace its own handlers at any time.
    package var diagnosticRecorder: ((Diagnostic) -> Void)?
    package var decisionRecorder: ((DecisionRecord) -> Void)?

    init(
        store: SceneSessionStore, options: SceneApplicationOptions,
        environment: SceneEnvironment, scheduler: (any SceneScheduler)?
    ) {
        self.store = store
        self.options = options
        self.environment = environment
        self.scheduler = scheduler
        engine = Engine(rules: LaunchRules(options))
    }

    /// Takes over other options. What a launch decided stays.
    func take(_ options: SceneApplicationOptions) {
        let launched = self.options
        self.options = options
        guard processState == .notLaunched else {
            self.options.manifest = launched.manifest
            self.options.lifecycle = launched.lifecycle
            return engine.rules.take(options)
        }
        var rules = LaunchRules(options)
        rules.delegateClasses = engine.rules.delegateClasses
        engine.rules = rules
    }

    /// Asks the engine about the store as it is now. The engine's copy ends with this call: a change of
    /// its machine would copy all scenes while there is one.
    package func planning<Result: Sendable>(
        _ body: @Sendable (Engine, Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let engine = engine
        return try store.read { skeleton throws(SceneStoreError) in try body(engine, skeleton) }
    }

    /// The stored record of an open session.
    package func openRecord(_ identifier: SceneSession.ID) throws(SceneStoreError) -> SessionRecord?
    {
        try planning { engine, skeleton throws(SceneStoreError) in
            try engine.openRecord(identifier, in: skeleton)
        }
    }

    /// The row of an open session; throws when the store knows none.
    func openKey(_ identifier: SceneSession.ID) throws(SceneStoreError) -> Int64 {
        guard let record = try openRecord(identifier) else {
            throw Engine.unknownSession
        }
        return record.key
    }

    /// Whether a session of a configuration and a class comes back after this process (L-44, S-70).
    func isRemembered(_ configuration: SceneConfiguration, _ privacy: PrivacyClass) -> Bool {
        engine.rules.isRemembered(configuration)
            && (privacy != .ephemeral || options.remembersPrivateWindows)
    }

    // MARK: Telling

    package func report(_ diagnostic: Diagnostic) {
        // A handler that causes what it is told of ends nowhere.
        guard reports < Self.nestedReports else {
            return diagnostic.printToStandardError()
        }
        reports += 1
        defer { reports -= 1 }
        diagnosticRecorder?(diagnostic)
        diagnosticHandler?(diagnostic)
    }

    package func report(_ error: SceneStoreError, session: SceneSession.ID? = nil) {
        report(Diagnostic(error, session: session))
    }

    /// Does what must not keep windows from coming back: an error is reported.
    package func tolerating(
        _ session: @autoclosure () -> SceneSession.ID? = nil,
        _ work: () throws(SceneStoreError) -> Void
    ) {
        do throws(SceneStoreError) {
            try work()
        } catch {
            report(error, session: session())
        }
    }

    /// The same for a single call.
    func attempt(
        _ call: @autoclosure () throws(SceneStoreError) -> Void,
        of session: @autoclosure () -> SceneSession.ID? = nil
    ) {
        tolerating(session()) { () throws(SceneStoreError) in try call() }
    }

    package func decide(
        _ kind: DecisionRecord.Kind, session: SceneSession.ID? = nil, _ outcome: String,
        _ reason: String
    ) {
        decide(DecisionRecord(kind, session: session, outcome: outcome, reason: reason))
    }

    /// Tells of a decision, and lets the next commit store it, unless one has.
    package func decide(_ record: DecisionRecord, isStored: Bool = false) {
        if !isStored {
            store.journal.append(record)
        }
        decisionRecorder?(record)
        decisionHandler?(record)
    }

    /// Tells the recorder, if there is one, and the listeners.
    package func tell(_ callback: @autoclosure () -> SceneCallback) {
        if let callbackHandler {
            callbackHandler(callback())
        }
        if !feed.isEmpty {
            feed.tell(callback())
        }
    }

    /// Tells what the store noticed since it was asked last.
    package func tellFindings() {
        store.tellDiagnostics(report)
    }

    // MARK: The store while nothing is in front

    /// Uses the store outside of an event; in the background the container is let go of afterwards.
    package func briefly<Result>(
        _ work: @autoclosure () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        defer { letStoreGo() }
        return try work()
    }

    /// Lets go of the container after an event, if the options say so and no scene is in front any
    /// more (S-33).
    package func letStoreGo() {
        guard options.releasesLockInBackground, processState == .running, !isPerforming,
            !engine.machine.hasFront, !isAppActive, !store.isSuspended
        else {
            return
        }
        isLetGo = true
        upkeepTimer?.cancel()
        attempt(try store.suspend())
    }
}
