import SceneStore

/// Writes down what the processes of a device are told, in the words of scenarios.
final class DeviceRecorder {
    /// Everything since the device was made.
    private(set) var lines: [TranscriptLine] = []
    /// The callbacks that nobody has taken yet.
    var untaken: [ObservedCall] = []
    /// What was not as it should be.
    var findings: [Diagnostic] = []

    private var namer = SessionNamer()
    private var names: [SceneSession.ID: String] = [:]
    private var identifiers: [String: SceneSession.ID] = [:]
    /// The sessions that have a name, in the order in which they got it.
    private(set) var identifiersInOrder: [SceneSession.ID] = []
    private var launch = 0
    private var sequence = 0
    private var reasons: [String] = []
    private var profile = Scenario.Profile.scene

    /// Whether no session has a name yet.
    var knowsNobody: Bool { names.isEmpty }

    /// Names sessions in the order in which they were made.
    func name(_ records: some Sequence<SessionRecord>) {
        for record in records.sorted(by: { $0.key < $1.key }) {
            _ = name(of: record.id)
        }
    }

    /// Names sessions that are known by their identifiers.
    func name(identifiers: [SceneSession.ID]) {
        for identifier in identifiers {
            _ = name(of: identifier)
        }
    }

    /// The letter of a session, given when it is seen first.
    func name(of identifier: SceneSession.ID) -> String {
        if let name = names[identifier] {
            return name
        }
        let name = namer.next()
        names[identifier] = name
        identifiers[name] = identifier
        identifiersInOrder.append(identifier)
        return name
    }

    /// The session that is meant by its letter or its identifier.
    func session(_ named: SceneSession.ID) -> SceneSession.ID {
        identifiers[named.rawValue] ?? named
    }

    /// Begins a process.
    func record(_ application: SceneApplication) {
        launch += 1
        profile = application.options.lifecycle == .scene ? .scene : .application
        application.core.decisionRecorder = { [unowned self] in note($0) }
        application.core.diagnosticRecorder = { [unowned self] diagnostic in
            findings.append(diagnostic)
            add(
                .diagnostic(
                    TranscriptDiagnostic(
                        code: diagnostic.code.rawValue, message: diagnostic.message,
                        session: diagnostic.sessionIdentifier.map(name(of:)))))
        }
        application.core.callbackHandler = { [unowned self] in note($0) }
    }

    func noteExit(_ how: TranscriptLine.Exit) {
        reasons = []
        add(.exit(how))
    }

    private func add(_ event: TranscriptLine.Event) {
        lines.append(TranscriptLine(launch: launch, line: 0, event: event, reasons: reasons))
        reasons = []
    }

    private func note(_ decision: DecisionRecord) {
        let subject = decision.sessionIdentifier.map { "\(name(of: $0)): " } ?? ""
        reasons.append(
            "\(subject)\(decision.kind.rawValue) \(decision.outcome): \(decision.reason)")
        if decision.kind == .launchReason, let reason = LaunchReason(rawValue: decision.outcome) {
            add(.launch(reason))
        }
    }

    private func note(_ callback: SceneCallback) {
        sequence += 1
        var line = TranscriptCallback(
            callback.shortName(in: profile), profile: profile, sequence: sequence,
            session: callback.session.map { name(of: $0.persistentIdentifier) })
        switch callback {
        case .didDiscard(let sessions):
            for session in sessions {
                line.causes[name(of: session.persistentIdentifier)] = session.discardCause ?? .app
            }
        case .configuration(let session, let answer):
            line.role = session.role
            line.configuration = answer.name
        case .connect(let session, let options):
            let payload = TranscriptPayload(options)
            line.configuration = session.configuration.name
            line.delegate = session.configuration.delegateClassName
            line.isRestored = session.isRemembered && session.restoration == .available
            line.reason = session.launchReason
            line.activity = session.stateRestorationActivity?.activityType
            line.payload = payload.isEmpty ? nil : payload
        case .restore(_, let activity): line.activity = activity.activityType
        case .deliver(_, let payload, let isRedelivered):
            line.payload = TranscriptPayload(payload, isRedelivered: isRedelivered)
        default: break
        }
        untaken.append(line.observedCall)
        add(.callback(line))
    }
}

extension SceneCallback {
    /// The session of a scene's callback.
    fileprivate var session: SceneSession? {
        switch self {
        case .configuration(let session, _), .connect(let session, _), .restore(let session, _),
            .enterForeground(let session), .becomeActive(let session),
            .resignActive(let session), .enterBackground(let session), .save(let session),
            .update(let session), .disconnect(let session):
            session
        case .willContinue(let session), .failContinue(let session), .deliver(let session, _, _):
            session
        case .willFinishLaunching, .didFinishLaunching, .didDiscard,
            .applicationDidBecomeActive, .applicationWillEnterForeground:
            nil
        }
    }

    fileprivate func shortName(in profile: Scenario.Profile) -> CallShortName {
        let name = shortName(profile == .scene ? .scene : .application)
        guard let known = CallShortName(rawValue: name) else {
            preconditionFailure("a callback has a short name that scenarios do not know: \(name)")
        }
        return known
    }
}
