import SceneStore

/// One line of what a scenario did: a launch, a callback, a diagnostic or the process's end.
///
/// ```swift
/// let ends = device.transcript.filter { $0.event == .exit(.kill) }
/// let launches = ends.map(\.launch)  // [1]
/// ```
///
/// ## Topics
/// ### What happened
/// - ``event-swift.property``
/// - ``TranscriptCallback``
/// - ``TranscriptDiagnostic``
/// ### Writing
/// - ``json``
/// - ``text(explaining:)``
public struct TranscriptLine: Hashable, Sendable {
    /// The launch it belongs to, from 1; 0 before the first one.
    public var launch: Int
    /// The line of the scenario that caused it, from 1.
    public var line: Int
    /// The event of the line.
    public var event: Event
    /// The decisions behind the event, one on each line. Only ``text(explaining:)`` shows them.
    public var reasons: [String]

    /// The kinds of events.
    public enum Event: Hashable, Sendable {
        /// A process was started.
        case launch(LaunchReason)
        /// The app was called.
        case callback(TranscriptCallback)
        /// Something was not as it should be.
        case diagnostic(TranscriptDiagnostic)
        /// The process ended.
        case exit(Exit)
    }

    /// The ways in which a process ended.
    public enum Exit: String, Hashable, Sendable, CaseIterable {
        /// Cleanly.
        case quit
        /// Without a word.
        case kill
        /// Swiped away by the user.
        case forceQuit = "force-quit"
        /// By its own fault.
        case crash
    }

    /// Makes a line.
    package init(launch: Int, line: Int, event: Event, reasons: [String] = []) {
        self.launch = launch
        self.line = line
        self.event = event
        self.reasons = reasons
    }

    /// The callback as `expect` sees it; nil for what is none.
    package var observedCall: ObservedCall? {
        guard case .callback(let callback) = event else {
            return nil
        }
        return callback.observedCall
    }
}

/// A callback, with what the transcript shows of its arguments.
///
/// Which of the properties are written depends on the name alone; see ``TranscriptLine/json``.
///
/// ```swift
/// for case .callback(let call) in device.transcript.map(\.event) where call.name == .connect {
///     connected.append(call.session ?? "")
/// }
/// ```
public struct TranscriptCallback: Hashable, Sendable {
    /// The name of the callback.
    public var name: CallShortName
    /// The way in which the app takes part in its life cycle.
    public var profile: Scenario.Profile
    /// Counts the callbacks.
    public var sequence: Int
    /// The session's name in the scenario; nil for calls of the app.
    public var session: String?
    /// `config`: the role asked for.
    public var role: SceneSessionRole?
    /// `config`, `connect`: the configuration's name.
    public var configuration: String?
    /// `connect`: the class of the scene's delegate.
    public var delegate: String?
    /// `connect`: whether the session's state is given to the scene.
    public var isRestored = false
    /// `connect`: why the process of the session was launched.
    public var reason: LaunchReason?
    /// `connect`, `restore`: the type of the restoration activity.
    public var activity: String?
    /// `connect` and the callbacks that deliver: what arrived.
    public var payload: TranscriptPayload?
    /// `discard`: the sessions and why they are gone.
    public var causes: [String: DiscardCause] = [:]

    /// Makes a callback without arguments to show.
    package init(
        _ name: CallShortName, profile: Scenario.Profile = .scene, sequence: Int,
        session: String? = nil
    ) {
        self.name = name
        self.profile = profile
        self.sequence = sequence
        self.session = session
    }

    /// The callback as `expect` sees it.
    package var observedCall: ObservedCall {
        if name == .discard {
            return ObservedCall(name, sessions: causes.keys.sorted())
        }
        return ObservedCall(name, sessions: session.map { [$0] } ?? [])
    }
}

/// A diagnostic in a transcript.
///
/// ```swift
/// for case .diagnostic(let diagnostic) in device.transcript.map(\.event) {
///     codes.append(diagnostic.code)
/// }
/// ```
public struct TranscriptDiagnostic: Hashable, Sendable {
    /// Its code.
    public var code: String
    /// One line for people.
    public var message: String
    /// The name in the scenario of the session it is about; nil is none.
    public var session: String?

    /// Makes a diagnostic.
    package init(code: String, message: String, session: String? = nil) {
        self.code = code
        self.message = message
        self.session = session
    }

    /// The diagnostic as `expect-diagnostic` writes it.
    var shortDescription: String {
        ExpectedDiagnostic(code: code, session: session).description
    }
}
