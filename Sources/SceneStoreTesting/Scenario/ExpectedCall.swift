import SceneStore

/// A callback that happened, as `expect` sees it.
package struct ObservedCall: Hashable, Sendable, CustomStringConvertible {
    /// Which callback.
    package var name: CallShortName
    /// The session it was for; the sessions, sorted, that `discard` names; empty for calls of
    /// the app.
    package var sessions: [String]

    /// Makes a call.
    package init(_ name: CallShortName, sessions: [String] = []) {
        self.name = name
        self.sessions = sessions
    }

    /// The call as `expect` writes it: `connect:A`, `discard:A,B`, `did`.
    package var description: String {
        ExpectedCall.text(name, sessions)
    }
}

/// A callback that a scenario expects.
package struct ExpectedCall: Hashable, Sendable, CustomStringConvertible {
    /// Which callback.
    package var name: CallShortName
    /// The session; of `discard` the exact set, sorted; nil matches any.
    package var sessions: [String]?

    /// Makes an expectation.
    package init(_ name: CallShortName, sessions: [String]? = nil) {
        self.name = name
        self.sessions = sessions
    }

    /// Whether a call is the expected one.
    package func matches(_ call: ObservedCall) -> Bool {
        name == call.name && (sessions.map { $0 == call.sessions } ?? true)
    }

    /// The expectation as `expect` writes it.
    package var description: String {
        Self.text(name, sessions ?? [])
    }

    fileprivate static func text(_ name: CallShortName, _ sessions: [String]) -> String {
        let list = sessions.joined(separator: ",")
        return sessions.isEmpty
            ? name.rawValue : "\(name.rawValue):\(TextEscaping.terminal(list))"
    }
}

extension ExpectedCall {
    /// Reads `NAME`, `NAME:S` or `discard:S,S`.
    init(parsing word: ScenarioWord) throws(ScenarioStepError) {
        let parts = word.text.parts(separatedBy: UInt8(ascii: ":"))
        let text = parts.first ?? ""
        guard let name = CallShortName(rawValue: text.keyword) else {
            throw Self.unknown(text, column: word.column)
        }
        self.name = name
        guard parts.count > 1 else {
            return
        }
        guard !name.isOfApplication else {
            throw ScenarioStepError(
                column: word.column,
                message: "'\(name.rawValue)' is a call of the app and has no session")
        }
        let list = parts.dropFirst().joined(separator: ":")
        let names = name == .discard ? list.parts(separatedBy: UInt8(ascii: ",")) : [list]
        var sessions: Set<String> = []
        for name in names {
            let session = try ScenarioArguments.reference(name, column: word.column).name
            guard sessions.insert(session).inserted else {
                throw ScenarioStepError(
                    column: word.column, message: "session '\(session)' occurs twice here")
            }
        }
        self.sessions = sessions.sorted()
    }

    private static func unknown(_ text: String, column: Int) -> ScenarioStepError {
        let quoted = ScenarioQuotation.quoted(text)
        // A session that stands alone was meant for the word before it.
        if SessionNamer.isName(text), text.utf8.allSatisfy({ $0 & 0xE0 == 0x40 }) {
            return ScenarioStepError(
                column: column,
                message: "unknown callback \(quoted); write a session as in connect:\(text)")
        }
        let names = CallShortName.allCases.map(\.rawValue)
        return ScenarioStepError(
            column: column,
            message: "unknown callback \(quoted)"
                + ScenarioQuotation.suggestion(for: text, among: names))
    }
}

/// A diagnostic that a scenario expects.
package struct ExpectedDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The diagnostic's code.
    package var code: String
    /// The session; nil matches any and none.
    package var session: String?

    /// Makes an expectation.
    package init(code: String, session: String? = nil) {
        self.code = code
        self.session = session
    }

    /// Whether a diagnostic is the expected one.
    package func matches(_ diagnostic: TranscriptDiagnostic) -> Bool {
        code == diagnostic.code && (session.map { $0 == diagnostic.session } ?? true)
    }

    /// The expectation as `expect-diagnostic` writes it.
    package var description: String {
        TextEscaping.terminal(session.map { "\(code):\($0)" } ?? code)
    }

    /// Reads `CODE` or `CODE:S`.
    init(parsing word: ScenarioWord) throws(ScenarioStepError) {
        let parts = word.text.parts(separatedBy: UInt8(ascii: ":"))
        guard let code = parts.first, SessionNamer.isName(code), parts.count <= 2 else {
            throw ScenarioStepError(
                column: word.column,
                message: "\(ScenarioQuotation.quoted(word.text)) is not a diagnostic; "
                    + "write CODE or CODE:SESSION")
        }
        self.code = code
        if parts.count == 2 {
            session = try ScenarioArguments.reference(parts[1], column: word.column).name
        }
    }
}
