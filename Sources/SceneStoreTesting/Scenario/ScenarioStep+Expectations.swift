import SceneStore

extension ScenarioStep {
    /// What is stored of one session.
    package struct SessionExpectation: Hashable, Sendable {
        /// The session.
        package var session: SessionReference
        /// What is expected, in the order in which it was written; one or more.
        package var checks: [Check]

        /// One `KEY=VALUE`.
        package struct Check: Hashable, Sendable {
            /// What is compared with what.
            package var subject: Subject
            /// The key as it was written, without a type.
            package var key: String
            /// Where the word stands in its line, from 1.
            package var column: Int
        }

        /// What is compared with what.
        package enum Subject: Hashable, Sendable {
            /// `configuration`: the configuration's name; nil is one without a name.
            case configuration(String?)
            /// `role`.
            case role(SceneSessionRole)
            /// `state`: where the session is.
            case state(SessionState)
            /// `reason`: the reason of the launch that it was connected in; nil is none.
            case reason(LaunchReason?)
            /// `activity`: the type of its restoration activity; nil is none.
            case activity(String?)
            /// `placement`: where its window is; nil is none.
            case placement(String?)
            /// `workspace`: the workspace of its window; nil is none.
            case workspace(String?)
            /// `info.PATH`: a value of its userInfo; nil is none, here and below.
            case info(path: String, Value?)
            /// `state.KEY`: a value of the userInfo of its restoration activity.
            case activityValue(key: String, Value?)
            /// `store.KEY`: a value of its scene storage.
            case stored(key: String, Value?)
        }

        /// Where a session is.
        package enum SessionState: String, Hashable, Sendable, CaseIterable {
            /// It has a scene.
            case connected
            /// It is remembered and has none.
            case disconnected
            /// It is gone for good.
            case discarded
            /// It is remembered and doesn't connect by itself.
            case held
            /// It is remembered, and another has its place, or nothing can show it.
            case parked
        }
    }

    /// What the payload of a session's last callback that had one held.
    package struct PayloadExpectation: Hashable, Sendable {
        /// The session.
        package var session: SessionReference
        /// What is expected, in the order in which it was written; one or more.
        package var checks: [Check]

        /// One `KEY=VALUE`.
        package struct Check: Hashable, Sendable {
            /// The part of the payload.
            package var key: TranscriptPayload.Key
            /// What it is to be, as ``TranscriptPayload/text(of:)`` writes it.
            package var value: String
            /// Where the word stands in its line, from 1.
            package var column: Int
        }
    }
}

extension ScenarioStep.SessionExpectation {
    private static let words = [
        "configuration", "role", "state", "reason", "activity", "placement", "workspace",
    ]
    private static let states: KeyValuePairs<String, SessionState> = [
        "connected": .connected, "disconnected": .disconnected, "discarded": .discarded,
        "held": .held, "parked": .parked,
    ]
    private static let infoPrefix = "info."
    private static let statePrefix = "state."
    private static let storePrefix = "store."

    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        session = try arguments.session()
        checks = []
        for pair in try ScenarioValue.keyedValues(arguments.pairs) {
            let subject = try Self.subject(of: pair)
            checks.append(Check(subject: subject, key: pair.key, column: pair.column))
        }
        guard !checks.isEmpty else {
            throw arguments.missing("KEY=VALUE")
        }
    }

    private static func subject(
        of pair: ScenarioStep.KeyedValue
    ) throws(ScenarioStepError) -> Subject {
        if let path = pair.key.dropping(prefix: infoPrefix), !path.isEmpty {
            return .info(path: path, pair.value)
        }
        if let key = pair.key.dropping(prefix: statePrefix), !key.isEmpty {
            return .activityValue(key: key, pair.value)
        }
        if let key = pair.key.dropping(prefix: storePrefix), !key.isEmpty {
            return .stored(key: key, pair.value)
        }
        guard words.contains(pair.key.keyword) else {
            let paths = [infoPrefix + "PATH", statePrefix + "KEY", storePrefix + "KEY"]
            let names = ScenarioQuotation.alternatives(words + paths)
            throw ScenarioStepError(
                column: pair.column,
                message: "a session has no \(ScenarioQuotation.quoted(pair.key)), only \(names)"
                    + ScenarioQuotation.suggestion(for: pair.key, among: words))
        }
        let text = try optionalText(pair)
        switch pair.key {
        case "configuration": return .configuration(text)
        case "placement": return .placement(text?.keyword == "none" ? nil : text)
        case "workspace": return .workspace(text)
        case "activity": return .activity(text?.keyword == "none" ? nil : text)
        case "reason":
            guard let text, text.keyword != "none" else {
                return .reason(nil)
            }
            return .reason(
                try ScenarioArguments.choice(
                    text, column: pair.column, ScenarioGrammar.reasons, of: "'reason='"))
        default: break
        }
        guard let text else {
            throw ScenarioStepError(
                column: pair.column, message: "'\(pair.key)=' is never null")
        }
        guard pair.key == "state" else {
            return .role(SceneSessionRole(rawValue: text))
        }
        return .state(
            try ScenarioArguments.choice(text, column: pair.column, states, of: "'state='"))
    }

    private static func optionalText(
        _ pair: ScenarioStep.KeyedValue
    ) throws(ScenarioStepError) -> String? {
        switch pair.value {
        case .string(let text): return text
        case .null, nil: return nil
        default:
            throw ScenarioStepError(
                column: pair.column, message: "'\(pair.key)=' is text; write it without a type")
        }
    }
}

extension ScenarioStep.PayloadExpectation {
    init(parsing arguments: inout ScenarioArguments) throws(ScenarioStepError) {
        session = try arguments.session()
        checks = []
        for pair in arguments.pairs {
            let key = try Self.key(of: pair)
            guard !checks.contains(where: { $0.key == key }) else {
                throw ScenarioStepError(
                    column: pair.column, message: "key '\(key.rawValue)' occurs twice here")
            }
            if key == .redelivered, !["true", "false"].contains(pair.value.keyword) {
                throw ScenarioStepError(
                    column: pair.column, message: "'redelivered=' is true or false")
            }
            checks.append(Check(key: key, value: pair.value, column: pair.column))
        }
        guard !checks.isEmpty else {
            throw arguments.missing("KEY=VALUE")
        }
    }

    private static func key(
        of pair: ScenarioOption
    ) throws(ScenarioStepError) -> TranscriptPayload.Key {
        if let key = TranscriptPayload.Key(rawValue: pair.name.keyword) {
            return key
        }
        let names = TranscriptPayload.Key.allCases.map(\.rawValue)
        throw ScenarioStepError(
            column: pair.column,
            message: "a payload has no \(ScenarioQuotation.quoted(pair.name)), "
                + "only \(ScenarioQuotation.alternatives(names))"
                + ScenarioQuotation.suggestion(for: pair.name, among: names))
    }
}
