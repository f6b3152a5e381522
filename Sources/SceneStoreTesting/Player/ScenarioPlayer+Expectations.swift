import SceneStore
import SceneStoreEngine

/// The steps that compare.
extension ScenarioPlayer {
    func check(_ step: ScenarioStep) throws {
        switch step.kind {
        case .expect(let expected):
            let diff = ExpectationDiff(expected: expected, actual: observedCalls)
            state.calls = []
            fail(unless: diff.isMatch, diff.text)
        case .expectNone:
            let diff = ExpectationDiff(expected: [], actual: observedCalls)
            state.calls = []
            fail(unless: diff.isMatch, diff.text)
        case .expectDiagnostic(let expected):
            let actual = state.diagnostics.map {
                TranscriptDiagnostic(
                    code: $0.name, message: $0.message, session: $0.sessions.first)
            }
            let diff = ExpectationDiff(expected: expected, actual: actual)
            state.diagnostics = []
            fail(unless: diff.isMatch, diff.text)
        case .expectReason(let expected):
            compare("reason", expected.rawValue, state.reason ?? "none")
        case .expectOpen(let references):
            try compareSets(references, openNames())
        case .expectWithheld(let references):
            try compareSets(references, openNames { $0.hasWithheldState })
        case .expectParked(let references):
            let rules = LaunchRules(launchOptions)
            try compareSets(references, openNames { rules.parked($0) != nil })
        case .expectWaiting(let expectation):
            var items: [InboxItem] = []
            attempt { () throws(SceneStoreError) in
                items = try device.read { (store) throws(SceneStoreError) in
                    try store.inbox.pending()
                }
            }
            let aside = items.count { $0.isSetAside }
            compare("waiting", "\(expectation.waiting)", "\(items.count - aside)")
            compare("aside", "\(expectation.aside)", "\(aside)")
        case .expectConnected(let references):
            let connected = device.application?.connectedScenes ?? []
            try compareSets(
                references, connected.map { name(of: $0.session.persistentIdentifier) })
        case .expectPayload(let expectation): try check(expectation)
        case .expectSession(let expectation): try check(expectation)
        default: break
        }
    }

    private var observedCalls: [ObservedCall] {
        state.calls.compactMap { call in
            CallShortName(rawValue: call.name).map { ObservedCall($0, sessions: call.sessions) }
        }
    }

    // MARK: Telling

    private func fail(unless isMet: Bool, _ detail: @autoclosure () -> String) {
        guard !isMet else {
            return
        }
        state.isFailed = true
        output.failure(
            "\(TextEscaping.terminal(scenario.name)):\(current.line):\(current.column): "
                + "expectation not met\n\(detail())")
    }

    private func compare(_ key: String, _ expected: String, _ actual: String) {
        fail(
            unless: expected.hasSameBytes(as: actual),
            "- \(key) \(TextEscaping.terminal(expected))\n"
                + "+ \(key) \(TextEscaping.terminal(actual))\n")
    }

    private func compareSets(
        _ references: [ScenarioStep.SessionReference], _ actual: [String]
    ) throws {
        for reference in references {
            _ = try identifier(reference)
        }
        let diff = ExpectationDiff(
            expectedSessions: references.map(\.name), actualSessions: actual)
        fail(unless: diff.isMatch, diff.text)
    }

    // MARK: Sessions

    private func openNames(
        where isIncluded: @Sendable (SessionRecord) -> Bool = { _ in true }
    ) -> [String] {
        var names: [String] = []
        attempt { () throws(SceneStoreError) in
            do throws(SceneStoreError) {
                names = try device.read { (store) throws(SceneStoreError) in
                    try store.openRecords().filter(isIncluded).map { name(of: $0.id) }
                }
            } catch {
                // No container is no session.
                guard error.code == .missing else {
                    throw error
                }
            }
        }
        return names
    }

    private func check(_ expectation: ScenarioStep.PayloadExpectation) throws {
        _ = try identifier(expectation.session)
        let parts = state.payloads[expectation.session.name] ?? [:]
        for check in expectation.checks {
            let actual =
                parts[check.key.rawValue] ?? (check.key == .redelivered ? "false" : "none")
            compare(check.key.rawValue, check.value, actual)
        }
    }

    private func check(_ expectation: ScenarioStep.SessionExpectation) throws {
        let identifier = try identifier(expectation.session)
        var picture = SessionPicture()
        attempt(identifier) { () throws(SceneStoreError) in
            do throws(SceneStoreError) {
                picture = try device.read { (store) throws(SceneStoreError) in
                    try SessionPicture(identifier, store)
                }
            } catch {
                guard error.code == .missing else {
                    throw error
                }
            }
        }
        if let scene = device.application?.scene(for: identifier) {
            picture.state = .connected
            picture.reason = scene.session.launchReason
            picture.session?.configuration = scene.session.configuration
            picture.session?.placement = scene.session.placement
        } else if let record = picture.record, record.isOpen {
            let rules = LaunchRules(launchOptions)
            picture.state =
                rules.isHeld(record)
                ? .held : rules.parked(record) != nil ? .parked : .disconnected
        }
        for check in expectation.checks {
            compare(check, picture)
        }
    }

    private func compare(
        _ check: ScenarioStep.SessionExpectation.Check, _ picture: SessionPicture
    ) {
        switch check.subject {
        case .configuration(let name):
            compare(
                check.key, name ?? "none", picture.session?.configuration.name ?? "none")
        case .role(let role):
            compare(check.key, role.rawValue, picture.session?.role.rawValue ?? "none")
        case .state(let state): compare(check.key, state.rawValue, picture.state.rawValue)
        case .reason(let reason):
            compare(check.key, reason?.rawValue ?? "none", picture.reason?.rawValue ?? "none")
        case .activity(let type):
            compare(
                check.key, type ?? "none",
                picture.session?.stateRestorationActivity?.activityType ?? "none")
        case .placement(let geometry):
            compare(
                check.key, geometry ?? "none", picture.session?.placement?.geometry ?? "none")
        case .workspace(let name):
            compare(check.key, name ?? "none", picture.session?.placement?.workspace ?? "none")
        case .info(let path, let value):
            compare(check.key, value, picture.session?.userInfo.value(at: path))
        case .activityValue(let key, let value):
            compare(
                check.key, value,
                picture.session?.stateRestorationActivity?.userInfo.value(at: key))
        case .stored(let key, let value): compare(check.key, value, picture.storage[key])
        }
    }

    private func compare(_ key: String, _ expected: Value?, _ actual: Value?) {
        fail(
            unless: actual == expected,
            "- \(ScenarioValue.text(key: key, value: expected))\n"
                + "+ \(ScenarioValue.text(key: key, value: actual))\n")
    }
}

/// What is stored of a session, for comparing.
private struct SessionPicture {
    var record: SessionRecord?
    var session: SceneSession?
    var storage: [String: Value] = [:]
    var state = ScenarioStep.SessionExpectation.SessionState.discarded
    var reason: LaunchReason?

    init() {}

    init(_ identifier: SceneSession.ID, _ store: SceneSessionStore) throws(SceneStoreError) {
        guard let record = try store.record(identifier: identifier) else {
            return
        }
        self.record = record
        session = try store.session(for: record)
        storage = try store.values.storageValues(key: record.key)
    }
}

extension ValueDictionary {
    /// The value of a key, or at a path of keys joined by dots.
    func value(at path: String) -> Value? {
        if let value = self[path] {
            return value
        }
        guard let dot = path.firstIndex(of: ".") else {
            return nil
        }
        return self[String(path[..<dot])]?.dictionaryValue?
            .value(at: String(path[path.index(after: dot)...]))
    }
}
