import SceneStoreSQLite
import SceneStoreValues
import Synchronization

extension Diagnostic {
    /// Prints the finding as one line to standard error: what
    /// ``SceneApplication/diagnosticHandler`` does unless you replace it.
    public func printToStandardError() {
        System.printError("SceneStore: " + TextEscaping.terminal(description))
    }

    private static let withoutApplication = Mutex<@Sendable (Diagnostic) -> Void> {
        $0.printToStandardError()
    }

    /// The closure that gets diagnostics that belong to no application.
    ///
    /// For example, a write to a scene storage without a scene. Prints one line to standard error
    /// unless you replace it.
    public static var handlerWithoutApplication: @Sendable (Diagnostic) -> Void {
        get { withoutApplication.withLock { $0 } }
        set { withoutApplication.withLock { $0 = newValue } }
    }
}

extension Diagnostic.Code {
    /// The application has no timers: it was made outside of an actor, and without a scheduler.
    public static let noScheduler = Self("noScheduler")
    /// A write to a scene storage without a scene was ignored.
    public static let storageWithoutScene = Self("storageWithoutScene")
    /// A host changed a window that has no session, so the window is not saved.
    public static let windowWithoutSession = Self("windowWithoutSession")
    /// The application was released while it ran: nothing is saved any more.
    public static let releasedWhileRunning = Self("releasedWhileRunning")
    /// A payload had no effect, because the host has no `deliver(_:to:)`.
    public static let payloadIgnored = Self("payloadIgnored")
    /// An actor is busy, and the timers of the applications on it wait: nothing is autosaved.
    public static let timersDelayed = Self("timersDelayed")
}

extension Diagnostic {
    /// The application has no timers.
    static let noScheduler = Diagnostic(
        .noScheduler, .warning,
        "the application was made outside of an actor and has no timers: changes are saved when"
            + " a window loses the focus, at the end, and by performIdleWork",
        fix: "pass a scheduler: .mainActor, .executor(of:) or .manual")

    /// The application's timers wait for their actor.
    static let timersDelayed = Diagnostic(
        .timersDelayed, .warning,
        "the application's actor has been busy since a timer was due; changes are not saved"
            + " until it is free",
        fix: "call flushChanges() before a call that blocks, such as readLine(), and pass"
            + " .manual as the scheduler")

    /// Nobody keeps the application.
    static let releasedWhileRunning = Diagnostic(
        .releasedWhileRunning, .error,
        "the application was released before it quit: nothing is saved any more",
        fix: "keep a reference to it until quit() has returned")

    /// A save was requested within a save.
    static let savedWhileAsked = Diagnostic(
        .init(SceneStoreError.Code.invalidState.rawValue), .warning,
        "a save was requested while a window was asked for its state; the call saved nothing,"
            + " and what the window returns is saved",
        fix: "return the state, and request no save in the callbacks that return it")

    /// The app goes on after its end.
    static let changedAfterEnd = Diagnostic(
        .init(SceneStoreError.Code.invalidState.rawValue), .warning,
        "a window changed after quit() had returned: nothing is saved any more",
        fix: "end the process, or open the store again for a new application")

    /// What an error is to who can't be thrown it.
    init(_ error: SceneStoreError, session: SceneSession.ID?) {
        self.init(
            .init(error.code.rawValue), .error, error.message, path: error.path, fix: error.fix,
            sessionIdentifier: session)
    }

    /// A value was set and is stored nowhere.
    static func storageWithoutScene(_ key: String, _ reason: String) -> Diagnostic {
        Diagnostic(
            .storageWithoutScene, .error,
            "a scene storage was written that has no place to store it: \(reason)", path: key,
            fix:
                "set it in or after scene(_:willConnectTo:options:), and not after the scene is gone"
        )
    }
}
