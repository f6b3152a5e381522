import SceneStoreEngine

/// An app's windows, from launch to exit: the counterpart of `UIApplication`'s scene half.
///
/// The application reads the remembered sessions from the store, decides which of them connect,
/// calls the delegates in the documented order and saves the states that they return. All calls are
/// synchronous. The class belongs to no isolation and is not `Sendable`: use it from one isolation,
/// the main actor in an app, any actor elsewhere.
///
/// ```swift
/// let store = try SceneSessionStore.open(at: .directory(path))
/// let application = SceneApplication(store: store, delegate: NotesApp())
/// try application.launch()  // the remembered windows come back
/// ```
///
/// Keep a reference to the application until it has ended. An application that is released while it
/// runs saves nothing any more, and reports `releasedWhileRunning`.
///
/// A request within a callback (another scene, a destruction) takes effect after that callback's
/// event. Its errors go to the request's error handler, or else to ``diagnosticHandler``.
///
/// Every throwing call can throw any error of the store. Calls that move windows also throw
/// ``SceneStoreError/Code/invalidState`` before ``launch(_:)`` and after ``quit()``.
///
/// ## Topics
/// ### Launching and ending
/// - ``init(store:delegate:options:environment:scheduler:isolation:)``
/// - ``options``
/// - ``register(delegateClass:_:)``
/// - ``launch(_:)``
/// - ``launchReason``
/// - ``quit()``
/// - ``quit(keepingWindows:discardingUnsaved:)``
/// - ``hasEnded``
/// ### Windows
/// - ``openSessions``
/// - ``connectedScenes``
/// - ``scene(for:)``
/// - ``session(for:)``
/// - ``supportsMultipleScenes``
/// ### What the user and the system do
/// - ``moveToBackground(_:)``
/// - ``moveToForeground(_:)``
/// - ``closeWindow(of:)``
/// - ``closeWindows(of:)``
/// - ``closeAllWindows()``
/// - ``closeOtherWindows(than:)``
/// - ``answerClosing(_:of:)``
/// - ``evict(_:)``
/// - ``moveApplicationToBackground()``
/// - ``moveApplicationToForeground()``
/// ### Asking for windows
/// - ``requestSceneSessionActivation(_:errorHandler:)``
/// - ``connectNextSession()``
/// - ``requestSceneSessionDestruction(_:errorHandler:)``
/// - ``requestSceneSessionRefresh(_:errorHandler:)``
/// - ``openWindow(presenting:role:)``
/// - ``recentlyClosedGroups()``
/// - ``reopen(_:)->()``
/// - ``reopen(sessions:)``
/// - ``reopenLastSession()``
/// - ``discardParked()``
/// - ``restoreWithheldState(for:generation:)``
/// - ``restoreNewestReadableState(for:)``
/// ### Displays
/// - ``displays``
/// - ``setDisplays(_:)``
/// - ``noteUserMoved(_:)``
/// - ``setPlatformToken(_:for:)``
/// ### A logout or a shutdown
/// - ``beginTeardown()``
/// - ``endTeardown()``
/// ### Saving
/// - ``saveState(of:durability:)``
/// - ``flushChanges()``
/// - ``performIdleWork(budgetMilliseconds:)``
/// - ``storeRefusal``
/// - ``reopenStore()``
/// ### What is kept about the app
/// - ``storage``
/// ### What is kept about a session
/// - ``setStateRestorationActivity(_:for:)``
/// - ``setUserInfo(_:for:)``
/// - ``setTitle(_:for:)``
/// - ``setPlacement(_:for:)``
/// - ``setActivationConditions(_:for:)``
/// - ``setRestorationEnabled(_:for:)``
/// - ``setPrivacy(_:for:)``
/// - ``setPinned(_:for:)``
/// - ``setHeld(_:for:)``
/// - ``history(of:)``
/// - ``state(at:of:)``
/// - ``restore(_:of:)``
/// - ``pin(_:of:)``
/// - ``unpin(_:of:)``
/// - ``withheldStates(of:)``
/// ### What comes back, and why
/// - ``launchLedger``
/// - ``previewNextLaunch(behavior:receiving:)``
/// - ``previewDelivery(of:)``
/// - ``returnableWindows()``
/// - ``bringBack(_:)``
/// - ``decisions(about:limit:)``
/// ### Links and other payloads
/// - ``open(_:)``
/// - ``receive(_:)``
/// - ``announceActivity(type:targetContentIdentifier:)``
/// - ``continueAnnounced(_:)``
/// - ``failToContinue(activityType:targetContentIdentifier:)``
/// - ``waitingPayloads()``
/// - ``releasePayload(_:)``
/// - ``discardPayload(_:)``
/// - ``acknowledge(_:)``
/// ### Removing
/// - ``forget(_:)``
/// - ``reset()``
/// - ``erase()``
/// ### Being told
/// - ``diagnosticHandler``
/// - ``decisionHandler``
/// - ``raiseHandler``
public final class SceneApplication {
    /// The app.
    public let delegate: any SceneApplicationDelegate
    let configurationProvider: (any SceneConfigurationProvider)?
    var registeredDelegates: [String: (SceneSession) -> any SceneDelegate] = [:]
    /// The closure that raises a window that is already active, and that another window may cover.
    ///
    /// Called if the app or another process asks for such a window (L-77). Callbacks bring all
    /// other windows forward.
    public var raiseHandler: ((Scene) -> Void)?
    /// What lives as long as the application, such as the socket on which it listens.
    package var companion: AnyObject?
    /// What the process was started with, and who hears that it has launched (L-77).
    package var startPayloads: (() throws(SceneStoreError) -> [Payload])?
    package var launchHandler: ((SceneStoreError?) -> Void)?
    /// What watches for signals that ask the process to end, as long as the application lives.
    package var signalWatch: AnyObject?
    /// Called once, when the application has ended cleanly and let go of the store.
    package var endHandler: (() -> Void)?
    /// Called after each callback of a scene, with its step and the next one, for simulations.
    package var stepHandler:
        ((Scene, LifecycleMachine.Step, _ next: LifecycleMachine.Step?) -> Void)?
    /// The types of activities of which it is told that their states have unread keys.
    var toldOfUnreadKeys: Set<String> = []
    /// Keeps the store from running a second application.
    let claim = ApplicationClaim()

    // MARK: Parts that are made of those above them

    /// What the parts share.
    package let core: ApplicationCore
    /// Who is blamed if this process dies, and when its launch is stable.
    let settling: Settling
    /// Payloads that are kept, and those that come twice.
    package let inbox: InboxDelivery
    /// Asks for states and writes them.
    package let states: StateWriter
    /// One event at a time.
    package let events: EventTurn
    /// When the scenes that changed are saved.
    let autosaving: Autosaving
    /// The work of idle moments.
    let upkeep: UpkeepTimer
    /// Where windows are on today's displays.
    let places: WindowPlaces
    /// Which windows the next process takes for the last ones.
    let lastWindows: LastWindows

    // MARK: Parts that use the application

    /// The app's settings: typed values that belong to no window (L-88).
    ///
    /// They are there before ``launch(_:)``, and stay when windows close. ``reset()`` and ``erase()``
    /// remove them. Each change is written immediately, in mode normal, and is observable.
    public private(set) lazy var storage = SceneStorageValues(
        application: self, identifier: nil, key: nil)
    /// The activities that are on their way, and who was told of them.
    var announced = Announcements()
    /// Whether the launch asks the app before its first callback.
    var isBeginning = false
    /// What arrived in a teardown, oldest first; the inbox has it, unless a private window prefers it.
    var postponed: [(call: LifecycleMachine.PayloadCall, identifier: String?, item: Int64?)] = []
    /// Windows that are asked whether they may close.
    private(set) lazy var closing = WindowClosing(self)
    /// The open sessions that this process did not touch, the next one to connect last, as of a
    /// generation of the store (L-11).
    var waiting: (keys: [Int64], generation: Int64?) = ([], nil)

    /// Makes an application on an open store.
    ///
    /// Timers (the autosaver's, the stable period's, upkeep's) belong to the scheduler; the default
    /// one runs on the actor that makes the application. Swift doesn't tell which actor that is in an
    /// actor's `init` or in a function that is on none, such as `static func main() async`. Say it
    /// there: `.mainActor`, `.executor(of: self)`, a scheduler on a main loop of your own, or `.manual`,
    /// which never calls back. Without any, ``launch(_:)`` reports `noScheduler`. Correctness needs no
    /// timer: changes are saved when a window loses the focus, at the end, and by
    /// ``performIdleWork(budgetMilliseconds:)``, which the host calls when it is idle.
    public init(
        store: SceneSessionStore, delegate: any SceneApplicationDelegate,
        options: SceneApplicationOptions = SceneApplicationOptions(),
        environment: SceneEnvironment = .system, scheduler: (any SceneScheduler)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        self.delegate = delegate
        configurationProvider = delegate as? any SceneConfigurationProvider
        core = ApplicationCore(
            store: store, options: options, environment: environment,
            scheduler: scheduler ?? TaskScheduler(isolation: isolation))
        settling = Settling(core)
        inbox = InboxDelivery(core, settling)
        states = StateWriter(core, settling)
        events = EventTurn(core, settling, states)
        autosaving = Autosaving(core, states, events)
        upkeep = UpkeepTimer(core, settling, states, autosaving, events)
        places = WindowPlaces(core, states)
        lastWindows = LastWindows(core)
        events.owner = self
        events.takeStoreBack = { [weak self] () throws(SceneStoreError) in
            try self?.takeStoreBack()
        }
        events.scheduleUpkeep = { [weak upkeep] in upkeep?.schedule() }
    }

    deinit {
        // Nobody else would tell that nothing is saved any more (L-41).
        if core.processState == .running {
            core.report(.releasedWhileRunning)
        }
    }

    /// The store that remembers.
    public var store: SceneSessionStore { core.store }
    /// The options of the application.
    ///
    /// A change takes effect with the next event; the manifest and the lifecycle are those of the
    /// launch.
    public var options: SceneApplicationOptions {
        get { core.options }
        set {
            core.take(newValue)
            autosaving.take(newValue)
        }
    }
    /// The closure that gets each diagnostic of this application.
    ///
    /// It gets problems that did not stop the call, states that an event such as an autosave could
    /// not save, and errors of calls that a callback made. It prints one line to standard error
    /// unless you replace it; nil ignores all diagnostics.
    public var diagnosticHandler: ((Diagnostic) -> Void)? {
        get { core.diagnosticHandler }
        set { core.diagnosticHandler = newValue }
    }
    /// Called for every decision, before it takes effect.
    public var decisionHandler: ((DecisionRecord) -> Void)? {
        get { core.decisionHandler }
        set { core.decisionHandler = newValue }
    }
    /// Whether the application has ended, by ``quit()`` or after a window was asked.
    ///
    /// The second case is a quit that waited for ``answerClosing(_:of:)``. End the main loop then.
    public var hasEnded: Bool { core.processState == .ended }

    /// Names a scene delegate's class, as manifests write it, and how to make one.
    ///
    /// A manifest's `$(PRODUCT_MODULE_NAME).SceneDelegate` is found under any name whose last part
    /// is `SceneDelegate`. Once a name is registered, a remembered configuration of the manifest whose
    /// class isn't registered counts as gone (see <doc:Updates>).
    public func register(
        delegateClass name: String, _ make: @escaping (SceneSession) -> any SceneDelegate
    ) {
        registeredDelegates[name] = make
        core.engine.rules.delegateClasses.insert(name)
    }

    func delegateFactory(named className: String) -> ((SceneSession) -> any SceneDelegate)? {
        core.engine.rules.delegateClasses.registeredName(for: className)
            .flatMap { registeredDelegates[$0] }
    }

    /// The live scenes in stacking order: the one with the focus, then the most recently active.
    ///
    /// Scenes of all roles are in one order.
    public var connectedScenes: [Scene] {
        core.engine.machine.all.compactMap { core.live.scene($0) }
    }

    /// A stream of the changes of the app's windows, from now on.
    ///
    /// Each call makes a separate stream, which ends with the application. Elements that are not
    /// read yet are kept. ``SceneChange`` has an example.
    public var changes: AsyncStream<SceneChange> {
        core.feed.makeStream()
    }

    /// The remembered sessions, most recently active first, read when they are needed.
    ///
    /// ```swift
    /// let sessions = application.openSessions
    /// let titles = sessions.compactMap(\.title)  // ["Shopping"]
    /// ```
    ///
    /// Making a collection reads nothing. The first use reads the skeleton (no states), and each
    /// element reads that session's own payloads. The collection shows the store at the moment of the
    /// first use. A session that can't be read is absent, and ``diagnosticHandler`` gets the reason.
    public var openSessions: some RandomAccessCollection<SceneSession> {
        OpenSessions(core)
    }

    /// Returns the scene of a remembered session, or nil if the session is not connected.
    public func scene(for persistentIdentifier: SceneSession.ID) -> Scene? {
        core.live.scene(for: persistentIdentifier)
    }

    /// Whether the app may have more than one scene of a role.
    public var supportsMultipleScenes: Bool { core.engine.rules.supportsMultipleScenes }

    /// The error of a call outside ``launch(_:)`` and ``quit()``, which it names.
    package func requireRunning(_ call: String = #function) throws(SceneStoreError) {
        guard core.processState == .running else {
            let remedy = hasEnded ? "it has ended, so make another one" : "call launch(_:) first"
            throw SceneStoreError(
                .invalidState, "\(call) needs an application that runs; \(remedy)")
        }
    }
}

/// Calls, each in its turn.
extension SceneApplication {
    package func event(
        call: String = #function, _ work: @escaping () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        try requireRunning(call)
        try events.perform(work)
    }

    /// Does an event and returns its answer, or `later` if it takes effect after the callback that runs.
    func event<Answer>(
        orLater later: Answer, call: String = #function,
        _ work: @escaping () throws(SceneStoreError) -> Answer
    ) throws(SceneStoreError) -> Answer {
        var answer = later
        try event(call: call) { () throws(SceneStoreError) in answer = try work() }
        return answer
    }

    /// Ends a call that writes at once, outside of an event.
    func finishCall() {
        guard !core.isPerforming else {
            return
        }
        core.tellFindings()
        core.letStoreGo()
        // What was written is synced in time, also when no event comes.
        upkeep.schedule(isSoon: false)
    }
}

/// Going on while the store can't be written (L-17).
///
/// A file that is moved, deleted, full, read-only or broken takes no window away: windows open,
/// close, receive links and keep their states in memory. ``diagnosticHandler`` is told
/// ``Diagnostic/Code/writeRefused`` once for each cause. Everything that is held is written, in one
/// transaction, along with the first write that succeeds.
extension SceneApplication {
    /// The reason why the store takes no writes at present; nil while everything is stored.
    ///
    /// Changes that are held meanwhile are lost if the process dies. While there are any,
    /// ``quit()`` throws.
    public var storeRefusal: SceneStoreError? { store.refusal }

    /// Opens the store at its path again, with all checks, and writes the changes that are held.
    ///
    /// Call it after the container was moved away and put back, or deleted, or after a write failed
    /// in a way that this opening can't recover from. Does nothing while no change is held. Durable
    /// on return. Throws what opening throws, and ``SceneStoreError/Code/replaced`` if another
    /// store is at the path now, which is left unchanged. Then the windows continue in memory. Throws
    /// ``SceneStoreError/Code/closed`` if the app closed the store: only a new application on a newly
    /// opened store saves again.
    public func reopenStore() throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try store.reopenFile()
        }
    }
}
